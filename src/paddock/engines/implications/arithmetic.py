"""Comparisons and sums of what is observed: integers, floats and signed bit-vectors."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.engines.implications.lines import number, on_line
from paddock.ir.build import arith, compare, eq
from paddock.ir.expr import App, Attribute, Expr, Fn, Op, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.program import Function, Program, VarDecl, built_in
from paddock.ir.types import BOOL, INT, Float, Type


class Arithmetic:
    """Comparisons and sums of numbers, whether integers or signed bit-vectors: those are functions of the program."""

    def __init__(self, program: Program) -> None:
        self.added: list[Function] = []
        self._fresh = FreshNames(program.top_level_names())
        self._known: dict[tuple[str, Type], str] = {}
        for function in program.functions:
            match built_in(function), function.params:
                case str(text), (first, _):
                    self._known.setdefault((text, first.var.type), function.name)

    def at_most(self, a: Expr, b: Expr) -> Expr:
        return (
            compare(Op.LE, a, b) if a.type is INT or isinstance(a.type, Float) else self._applied("bvsle", a, b, BOOL)
        )

    def on_line(self, x: Expr, y: Expr, slope: int, offset: int) -> Expr:
        """That `y` is `slope * x + offset`; for bit-vectors, the slope is 1."""
        if x.type is not INT:
            return eq(y, self._applied("bvadd", x, number(offset, x.type), x.type))
        return on_line(x, y, slope, offset)

    def less(self, a: Expr, b: Expr) -> Expr:
        if a.type is INT or isinstance(a.type, Float):
            return compare(Op.LT, a, b)
        return self._applied("bvslt", a, b, BOOL)

    def total(self, parts: Sequence[tuple[int, Expr]], offset: int, type_: Type) -> Expr:
        """A sum of multiples of numbers, and a number."""
        found: Expr | None = None
        for factor, part in parts:
            scaled = part if factor == 1 else self._multiple(factor, part)
            found = scaled if found is None else self._plus(found, scaled)
        if found is None:
            return number(offset, type_)
        return self._plus(found, number(offset, type_)) if offset else found

    def _plus(self, a: Expr, b: Expr) -> Expr:
        return arith(Op.ADD, a, b) if a.type is INT else self._applied("bvadd", a, b, a.type)

    def _multiple(self, factor: int, a: Expr) -> Expr:
        by = number(factor, a.type)
        return arith(Op.MUL, by, a) if a.type is INT else self._applied("bvmul", by, a, a.type)

    def _applied(self, operator: str, a: Expr, b: Expr, result: Type) -> Expr:
        name = self._known.get((operator, a.type))
        if name is None:
            name = self._known[operator, a.type] = self._fresh(f"{operator}.{a.type}.{a.type}")
            params = tuple(VarDecl(Var(n, a.type, Scope.BOUND)) for n in ("x0", "x1"))
            self.added.append(Function(name, params, result, None, (Attribute("bvbuiltin", (operator,)),)))
        return App(Fn(name), (a, b), result)
