"""Expressions as plain data: a list of nodes, each after its parts, that refer to one another by number.

Names are looked up in the program where they are read, and types follow from that: data that makes no sense there, from
another version of the program or from a stranger, is no expression. Binders are not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from paddock.ir.expr import App, Expr, Extract, Fn, Lit, LiteralValue, Op, Operator, Scope, Var
from paddock.ir.program import Procedure, Program
from paddock.ir.types import BOOL, INT, REAL, Bv, Type
from paddock.ir.typing import applied_type, literal_problem
from paddock.ir.walk import children

LONGEST = 2_000  # nodes

_OPS = {op.value: op for op in Op}


class Unreadable(Exception):
    """The data is no expression here."""


def to_data(root: Expr) -> list[Any] | None:
    """An expression as data; None if it has what is not kept."""
    numbers: dict[Expr, int] = {}
    nodes: list[Any] = []
    stack = [root]
    while stack:
        node = stack[-1]
        if node in numbers:
            stack.pop()
            continue
        missing = [part for part in children(node) if part not in numbers]
        if missing:
            stack += missing
            continue
        stack.pop()
        data = _node_data(node, [numbers[part] for part in children(node)])
        if data is None or len(nodes) >= LONGEST:
            return None
        numbers[node] = len(nodes)
        nodes.append(data)
    return nodes


def _node_data(node: Expr, parts: list[int]) -> list[Any] | None:
    match node:
        case Lit(bool(value)):
            return ["bool", value]
        case Lit(Fraction() as value):
            return ["real", str(value)]
        case Lit(int(value), type_) if type_ is INT:
            return ["int", str(value)]
        case Lit(int(value), Bv(width)):
            return ["bv", str(value), width]
        case Var(name, _, scope) if scope is not Scope.BOUND:
            return [scope.value, name]
        case App(Op() as op):
            return ["op", op.value, *parts]
        case App(Fn(name)):
            return ["fn", name, *parts]
        case App(Extract(high, low)):
            return ["bits", high, low, *parts]
        case _:
            return None


def from_data(data: object, program: Program, procedure: Procedure) -> Expr:
    """The postcondition of a procedure that data says. Raises `Unreadable`."""
    if not isinstance(data, list) or not 0 < len(data) <= LONGEST:
        raise Unreadable
    made: list[Expr] = []
    for node in data:
        if not isinstance(node, list) or not node:
            raise Unreadable
        made.append(_node(node, made, program, procedure))
    if made[-1].type is not BOOL:
        raise Unreadable
    return made[-1]


def _node(node: list[Any], made: Sequence[Expr], program: Program, procedure: Procedure) -> Expr:
    match node:
        case ["bool", bool(value)]:
            return Lit(value, BOOL)
        case ["int", str(text)]:
            return Lit(_natural(text), INT)
        case ["real", str(text)] if literal_problem(literal := Lit(_fraction(text), REAL)) is None:
            return literal
        case ["bv", str(text), int(width)] if 0 < width <= 1 << 16 and _natural(text) < 1 << width:
            return Lit(_natural(text), Bv(width))
        case [("global" | "local" | "const") as scope, str(name)]:
            return _variable(name, Scope(scope), program, procedure)
        case ["op", str(text), *parts] if text in _OPS:
            return _applied(_OPS[text], _parts(parts, made), program)
        case ["fn", str(name), *parts] if name in program.function_named:
            return _applied(Fn(name), _parts(parts, made), program)
        case ["bits", int(high), int(low), *parts] if 0 <= low < high:
            return _applied(Extract(high, low), _parts(parts, made), program)
        case _:
            raise Unreadable


def _variable(name: str, scope: Scope, program: Program, procedure: Procedure) -> Var:
    if scope is Scope.GLOBAL and name in program.global_named:
        return program.global_named[name].var
    if scope is Scope.LOCAL:
        for declaration in (*procedure.params, *procedure.results):
            if declaration.name == name:
                return declaration.var
    if scope is Scope.CONST:
        for constant in program.constants:
            if constant.name == name:
                return constant.var
    raise Unreadable


def _parts(numbers: Sequence[object], made: Sequence[Expr]) -> list[Expr]:
    parts = []
    for number in numbers:
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(made):
            raise Unreadable
        parts.append(made[number])
    return parts


def _applied(op: Operator, parts: Sequence[Expr], program: Program) -> Expr:
    type_: Type | None = applied_type(op, [part.type for part in parts], program)
    if type_ is None:
        raise Unreadable
    return App(op, tuple(parts), type_)


def _natural(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 4_000:
        raise Unreadable
    return int(text)


def _fraction(text: str) -> LiteralValue:
    numerator, _, denominator = text.partition("/")
    return Fraction(_natural(numerator), max(1, _natural(denominator or "1")))
