"""Small trees of C made by hand, and services to lower them: no parser is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.lowering.analysed import analysed
from paddock.frontends.c.lowering.assembly import Lowering
from paddock.frontends.c.lowering.functions import FunctionLowering
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.lowering.steps import Steps, run
from paddock.ir.expr import Expr
from paddock.ir.origin import Origin
from paddock.ir.printer import expr_text, statement_text
from paddock.ir.stmt import Goto

AT = Origin("small.c", 1, 1)
Kind = t.ConversionKind


def variable(name: str, type_: c.CType = c.INT) -> t.Variable:
    return t.Variable(name, name, type_, t.Storage.LOCAL, AT)


def use(variable: t.Variable) -> t.VariableUse:
    return t.VariableUse(variable.type, AT, variable)


def read(place: t.Expression | t.Variable) -> t.Expression:
    """What is in a place."""
    place = use(place) if isinstance(place, t.Variable) else place
    return t.Conversion(place.type, AT, Kind.LOAD, place)


def number(value: int, type_: c.CType = c.INT) -> t.Expression:
    return t.IntegerConstant(type_, AT, value)


def truth(value: t.Expression) -> t.Expression:
    return t.Conversion(c.BOOL, AT, Kind.BOOLEAN, value)


def binary(left: t.Expression, operator: str, right: t.Expression) -> t.Expression:
    op = t.BinaryOperator(operator)
    return t.Binary(c.INT if op in t.COMPARISONS else left.type, AT, op, left, right)


def assign(target: t.Expression | t.Variable, value: t.Expression) -> t.Assignment:
    target = use(target) if isinstance(target, t.Variable) else target
    return t.Assignment(target.type, AT, target, value)


def increment(target: t.Variable) -> t.Update:
    """`target++`."""
    new = binary(t.OldValue(target.type, AT), "+", number(1, target.type))
    return t.Update(target.type, AT, use(target), new, yields_old=True)


def address(place: t.Variable) -> t.Expression:
    return t.AddressOf(c.PointerType(place.type), AT, use(place))


def element(array: t.Variable, index: t.Expression) -> t.Expression:
    assert isinstance(array.type, c.ArrayType)
    pointer = t.Conversion(c.PointerType(array.type.element), AT, Kind.DECAY, use(array))
    return t.Index(array.type.element, AT, pointer, index)


def evaluate(expression: t.Expression) -> t.Statement:
    return t.Evaluate(AT, expression)


def block(*statements: t.Statement) -> t.Block:
    return t.Block(AT, statements, AT)


def unit(*statements: t.Statement, result: c.CType = c.VOID) -> t.Unit:
    """A program whose function `main` has these statements."""
    type_ = c.FunctionType(result, (), False, True)
    return t.Unit(c.LP64, (t.Function("main", "main", type_, (), block(*statements), AT),))


@dataclass(frozen=True)
class Small:
    """The services for a function with some statements, before any of them is lowered."""

    low: Lowering

    def value(self, node: t.Expression) -> str:
        return self.done(self.low.expressions.value(node))

    def done(self, steps: Steps[Any]) -> str:
        """What a computation gives, in Boogie's notation."""
        result = run(steps)
        return expr_text(result) if isinstance(result, Expr) else str(result)

    @property
    def emitted(self) -> list[str]:
        """What has been emitted, with the labels of blocks and their jumps."""
        lines = []
        for made in self.low.blocks.made:
            lines.append(f"{made.label}:")
            lines += [statement_text(s).strip() for s in made.statements]
            if isinstance(made.transfer, Goto):
                lines.append(statement_text(made.transfer).strip())
        return lines


def small(*statements: t.Statement, checks: str = "", result: c.CType = c.VOID, **settings: Any) -> Small:
    """Services to lower a function of which the points-to analysis has seen some statements."""
    program = unit(*statements, result=result)
    chosen = Settings(checks=frozenset(checks.split()), **settings)
    known = analysed(program, chosen, lambda _: "")
    lowering = FunctionLowering(known.context, known.reachable.entry)
    lowering.parts.blocks.open("start")
    return Small(lowering.parts)
