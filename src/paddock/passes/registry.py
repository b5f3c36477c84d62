"""The passes by name: all that the modules of this folder define. A new pass is a file here, and no more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.program import Program
from paddock.ir.spelling import did_you_mean
from paddock.passes.plan import Pass, Plan, with_options

_HERE = Path(__file__)


def _found() -> dict[str, type[Pass]]:
    """All passes of this folder, by their names."""
    modules = sorted(file.stem for file in _HERE.parent.glob("*.py") if file != _HERE and not file.stem.startswith("_"))
    kinds = (kind for name in modules for kind in vars(import_module(f"{__package__}.{name}")).values())
    passes = (kind for kind in kinds if isinstance(kind, type) and {"name", "summary"} <= vars(kind).keys())
    return dict(sorted((str(vars(kind)["name"]), kind) for kind in passes))


PASSES: Mapping[str, type[Pass]] = MappingProxyType(_found())


def plan_of(texts: Iterable[str]) -> Plan:
    """The plan that consists of these passes, each as the command line spells it. Raises `InputError`."""
    return Plan(tuple(map(_pass, texts)))


def run_passes(program: Program, texts: Iterable[str]) -> Program:
    """The program after these passes, in this order."""
    return plan_of(texts)(program)


def _pass(text: str) -> Pass:
    name, _, options = text.partition(":")
    if name not in PASSES:
        hint = did_you_mean(name, PASSES, "`") or f"the passes are: {', '.join(PASSES)}"
        raise InputError(Diagnostic(f"there is no pass `{name}`", hint=hint))
    return with_options(PASSES[name], options)
