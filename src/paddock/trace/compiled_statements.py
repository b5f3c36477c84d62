"""Statements of a program as lines of Python, for `compiled_loops.py`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from paddock.ir.expr import App, Expr, Op, Var
from paddock.ir.program import Program
from paddock.ir.stmt import Assert, Assign, Assume, Havoc, Statement
from paddock.ir.types import Map
from paddock.ir.walk import substitute
from paddock.trace.compiled_terms import NotCompiled, Terms, default_name, index, is_plain_map
from paddock.trace.values import LambdaValue, Value

_MOST_LINES = 600  # of a compiled loop
_DEEPEST = 60  # levels of indentation, which Python limits

Renamed = Mapping[Var, Var]


class Text:
    """The lines of a loop so far, and the variables that they change. Nothing is written of `restricted` variables that
    become arbitrary."""

    def __init__(self, program: Program, known: Callable[[Var], Value | None], restricted: Collection[Var]) -> None:
        self.terms = Terms(program, lambda var: isinstance(known(var), LambdaValue))
        self.lines: list[str] = []
        self.changed: dict[Var, None] = {}
        self._known = known
        self._restricted = frozenset(restricted)

    def own(self) -> list[Var]:
        """The variables of the program that the lines are about."""
        return list(filter(is_own, self.terms.names))

    def emit(self, depth: int, line: str) -> None:
        if len(self.lines) >= _MOST_LINES or depth > _DEEPEST:
            raise NotCompiled
        self.lines.append("    " * depth + line)

    def stop(self, depth: int) -> None:
        """The iteration is left to the interpreter."""
        self.emit(depth, "return n, None")

    def term(self, renamed: Renamed, expr: Expr, unknown: frozenset[Var]) -> str:
        return self.terms.text(renaming(renamed, expr), unknown)

    def statement(self, renamed: Renamed, statement: Statement, unknown: frozenset[Var], depth: int) -> frozenset[Var]:
        """Write a statement; gives what is unknown behind it."""
        match statement:
            case Assume(condition) | Assert(condition):
                self.emit(depth, f"if not {self.term(renamed, condition, unknown)}: return n, None")
                return unknown
            case Assign(targets, values):
                own = [renamed.get(t, t) for t in targets]
                return self.assign(own, [renaming(renamed, v) for v in values], unknown, depth)
            case Havoc(targets) if self._restricted.isdisjoint(targets):
                own = [renamed.get(t, t) for t in targets]
                self.emit(depth, " = ".join([*map(self.terms.name, own), "None"]))
                self.changed |= dict.fromkeys(own)
                return unknown.union(own)
            case _:
                raise NotCompiled

    def assign(
        self, targets: Sequence[Var], values: Sequence[Expr], unknown: frozenset[Var], depth: int
    ) -> frozenset[Var]:
        """Write an assignment; gives what is unknown behind it."""
        if any(isinstance(t.type, Map) for t in targets):
            if len(targets) > 1:
                raise NotCompiled
            self._store(targets[0], values[0], unknown, depth)
        elif targets:
            texts = [self.terms.text(v, unknown) for v in values]
            self.emit(depth, f"{', '.join(map(self.terms.name, targets))} = {', '.join(texts)}")
        self.changed |= dict.fromkeys(targets)
        return unknown.difference(targets)

    def _store(self, target: Var, value: Expr, unknown: frozenset[Var], depth: int) -> None:
        """Write an assignment of one element of a map."""
        match value:
            case App(Op.STORE, (map_, *indices, element)) if map_ is target and is_plain_map(target):
                if target in unknown or self._known(target) is None:
                    raise NotCompiled
                where = index([self.terms.text(i, unknown) for i in indices])
                name = self.terms.name(target)
                self.emit(depth, f"i, e = {where}, {self.terms.text(element, unknown)}")
                if not self.terms.is_open(target):
                    self.emit(depth, f"if e == {default_name(name)}: {name}.pop(i, None)")
                    self.emit(depth, f"else: {name}[i] = e")
                else:
                    self.emit(depth, f"{name}[i] = e")
            case _:
                raise NotCompiled


def renaming(renamed: Renamed, expr: Expr) -> Expr:
    """An expression of a procedure that is written out in another."""
    return substitute(expr, renamed) if renamed else expr


def is_own(var: Var) -> bool:
    """Whether a variable is the program's, not one of a procedure that is written out."""
    return "\0" not in var.name
