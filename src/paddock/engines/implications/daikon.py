"""Program points and variables as Daikon names them, in terms of a program (Daikon Developer Manual, "File formats").

..f():::ENTER    pkg.Class.method(int):::EXIT12    ::g (a global)    x    return    orig(x)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paddock.engines.implications.observation import Point, points
from paddock.frozen import frozen
from paddock.ir.build import old
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.program import Program
from paddock.ir.types import Map

_PROGRAM_POINT = re.compile(r"(?P<function>.*?)(\(.*\))?:::(?P<kind>ENTER|EXIT)(?P<number>\d*)")


@frozen
class Skipped:
    """How many of some things could not be translated, and the first of them."""

    file: str
    what: str
    count: int
    of: int
    first: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.count} of {self.of} {self.what} are skipped, the first is {self.first}"


@frozen
class Place:
    """A program point: the function, `entry` or `exit`, and the number of the exit, if it is a single one."""

    function: str
    kind: str
    number: str = ""


def place_of(name: str) -> Place | None:
    """The program point of a name; None if it is neither the start nor an end of a function."""
    found = _PROGRAM_POINT.fullmatch(name)
    if found is None:
        return None
    function = re.split(r"[.:]", found["function"])[-1]
    return Place(function, "entry" if found["kind"] == "ENTER" else "exit", found["number"])


class Names:
    """The points of a program, and their variables, by the names that Daikon gives them."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._points = {(p.procedure, p.kind): p for p in points(program)}

    def point(self, place: Place) -> Point | None:
        return self._points.get((place.function, place.kind))

    def variable(self, point: Point, name: str) -> Var | None:
        """The variable of a name at a point, if it is one that is looked at."""
        if name == "return":
            results = self._program.procedure_named[point.procedure].results if point.kind == "exit" else ()
            return next(_scalars(r.var for r in results if r.var in point.variables), None)
        wanted = name.removeprefix("::")
        named = [v for v in _scalars(point.variables) if v.name == wanted]
        if name.startswith("::"):
            named = [v for v in named if v.scope is Scope.GLOBAL]
        return min(named, key=lambda v: v.scope is Scope.GLOBAL, default=None)

    def term(self, point: Point, name: str, is_before: bool) -> Expr | None:
        """The term for a variable, or for what it was where the function started. Parameters do not change."""
        variable = self.variable(point, name)
        if variable is None or not is_before:
            return variable
        if name == "return":
            return None
        return old(variable) if variable in point.before else variable


def _scalars(variables: Iterable[Var]) -> Iterator[Var]:
    return (v for v in variables if not isinstance(v.type, Map))
