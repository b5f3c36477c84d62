"""From C files to a program: preprocessing and parsing into a tree of its own, and lowering to the IR."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from paddock.frontends.c.clang.parse import parse
from paddock.frontends.c.flags import Flags
from paddock.frontends.c.lowering.program import Lowered, lower
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.starting_and_ending import with_start_and_end
from paddock.frontends.c.symbols import is_model, model_file
from paddock.frontends.c.tree import Global, Unit
from paddock.frontends.c.written_models import models_of
from paddock.frozen import replace
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.threads import starts_thread, statements_in

_WITH_THREADS = re.compile(r"\b(?:memory_order_(?!seq_cst)\w+|__ATOMIC_(?:RELAXED|CONSUME|ACQUIRE|RELEASE|ACQ_REL))\b")

_ATOMIC = re.compile(r"\b(?:_Atomic|atomic_\w+|__(?:c11_)?atomic_\w+)\b|<stdatomic\.h>")


def load(files: Sequence[tuple[str, str]], flags: Flags, settings: Settings) -> Lowered:
    """The program that C files (names and texts) make together."""
    lines: dict[str, list[str]] = {}
    texts = dict(files)

    def source_line(origin: Origin) -> str:
        if origin.file not in lines:
            lines[origin.file] = texts.get(origin.file, "").split("\n")
        found = lines[origin.file]
        return found[origin.line - 1] if 0 < origin.line <= len(found) else ""

    unit = with_start_and_end(parse(files, flags, _models_for), settings.function)
    lowered = lower(_with_any_statics(unit) if settings.nondet_static else unit, settings, source_line)
    if any(starts_thread(s) for p in lowered.program.procedures for s in statements_in(p)):
        for file, text in files:
            _refuse(_WITH_THREADS, "in a program with threads", file, text, source_line)
            if "race" in settings.checks:
                _refuse(_ATOMIC, "with the check for races", file, text, source_line)
    return lowered


def _refuse(words: re.Pattern[str], where: str, file: str, text: str, source_line: Callable[[Origin], str]) -> None:
    """Refuse words that are known to mean something else there."""
    if (found := words.search(text)) is not None:
        before = text[: found.start()]
        origin = Origin(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
        message = f"{found[0]} is not supported {where}"
        raise InputError(Diagnostic(message, origin, source_line(origin)))


def _with_any_statics(unit: Unit) -> Unit:
    """The program in which objects with static lifetime that can change have any value at first."""

    def is_fixed(declared: Global) -> bool:
        return declared.variable.const or is_model(declared.variable.origin)

    return replace(unit, globals=tuple([g if is_fixed(g) else Global(g.variable, None, True) for g in unit.globals]))


def _models_for(wanted: Collection[str]) -> list[tuple[str, str]]:
    """The files of models that define some of the functions that a program wants."""
    return [(model_file(name), text) for name, text in models_of(wanted)]
