"""The functions that the lowering knows, by name: all that the modules of this folder have models of.

A module has three tables, by the names of functions. `MODELS` says what a call does: a model is a computation of the
lowering that gets the call and emits what it does; one that writes to memory takes its arguments with `all_lasting`,
since they must not change with what it writes. `EFFECTS` says what a call does with pointers, if anything, and `SHAPES`
what a call looks like (`shapes.py`), if a program may have a function of its own of that name. A new model is an entry
of these, in one file. A model stands in for a function without a body; those that report errors also for one with a
body. More of the C library is written in C, in `models/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paddock.frontends.c import tree as t
from paddock.frontends.c.known_names import BUILTIN
from paddock.frontends.c.library.control import ERRORS, SPECIFICATIONS
from paddock.frontends.c.library.shapes import fits
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.ir.expr import Expr

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering

Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]

_HERE = Path(__file__)


def entries(table: str) -> Iterator[tuple[str, Any]]:
    """The entries of the tables of that name, of all modules of this folder."""
    for name in sorted(file.stem for file in _HERE.parent.glob("*.py") if file != _HERE):
        yield from getattr(import_module(f"{__package__}.{name}"), table, {}).items()


_KNOWN: dict[str, Model] = dict(entries("MODELS"))
_KNOWN_EFFECTS: dict[str, PointerEffect] = dict.fromkeys(_KNOWN, PointerEffect()) | dict(entries("EFFECTS"))
_SHAPES: dict[str, str] = dict(entries("SHAPES"))
# A compiler has a builtin for each function of the C library.
_OF_THE_LIBRARY = [name for name in _KNOWN if not name.startswith("_") and name not in SPECIFICATIONS]
_MODELS = {**{BUILTIN + name: _KNOWN[name] for name in _OF_THE_LIBRARY}, **_KNOWN}
_EFFECTS = {**{BUILTIN + name: _KNOWN_EFFECTS[name] for name in _OF_THE_LIBRARY}, **_KNOWN_EFFECTS}


def model_of(name: str, function: t.Function | None, call: t.Call) -> Model | None:
    """The model that stands in for what a call calls, if there is one and the function has no body of its own."""
    if has_own_body(name, function):
        return None
    return _MODELS.get(name) if _fits(name, call) else None


def has_own_body(name: str, function: t.Function | None) -> bool:
    """Whether the body of a function is what it does, whatever the library has of that name."""
    return function is not None and function.body is not None and name not in ERRORS


def effect_of(name: str, call: t.Call) -> PointerEffect | None:
    """What a call of a function without a body does with pointers, if it is known."""
    return _EFFECTS.get(name) if _fits(name, call) else None


def _fits(name: str, call: t.Call) -> bool:
    """Whether a call of a function of that name can be one of the library's."""
    shape = _SHAPES.get(name)
    return shape is None or fits(shape, call)
