"""What constant expressions of C are worth, computed on the tree, where every conversion is a node."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction

from paddock.frontends.c import tree as t
from paddock.frontends.c.literals import rounded
from paddock.frontends.c.types import BoolType, CType, EnumType, FloatType, IntType

Kind = t.ConversionKind
B = t.BinaryOperator
Value = int | Fraction

_OPERATORS: dict[t.BinaryOperator, Callable[[Value, Value], Value]] = {
    B.ADD: operator.add,
    B.SUBTRACT: operator.sub,
    B.MULTIPLY: operator.mul,
    B.LESS: operator.lt,
    B.GREATER: operator.gt,
    B.LESS_EQUAL: operator.le,
    B.GREATER_EQUAL: operator.ge,
    B.EQUAL: operator.eq,
    B.NOT_EQUAL: operator.ne,
}
_ON_BITS: dict[t.BinaryOperator, Callable[[int, int], int]] = {
    B.SHIFT_LEFT: operator.lshift,
    B.SHIFT_RIGHT: operator.rshift,
    B.AND: operator.and_,
    B.OR: operator.or_,
    B.XOR: operator.xor,
}


def fitted(value: Value, type: CType) -> Value:
    """A number as one of a type: wrapped around, or rounded."""
    if isinstance(type, FloatType):
        number = rounded(Fraction(value), type)
        assert number is not None
        return number
    assert isinstance(value, int)
    if isinstance(type, BoolType):
        return value & 1
    number = type.underlying if isinstance(type, EnumType) else type
    assert isinstance(number, IntType)
    low = value & ((1 << number.width) - 1)
    return low - (1 << number.width) if number.signed and low >> (number.width - 1) else low


def worth(node: t.Expression) -> Value:
    """The value of an expression without variables."""
    match node:
        case t.IntegerConstant() | t.FloatConstant():
            return node.value
        case t.Conversion():
            return _converted(node)
        case t.Unary(operator=t.UnaryOperator.NOT):
            return int(not worth(node.operand))
        case t.Unary(operator=t.UnaryOperator.MINUS):
            return fitted(-worth(node.operand), node.type)
        case t.Unary():
            return fitted(~_whole(node.operand), node.type)
        case t.Logical():
            left = bool(worth(node.left))
            return int(bool(worth(node.right))) if left == node.conjunction else int(left)
        case t.Conditional():
            return worth(node.then if worth(node.condition) else node.otherwise)
        case t.Comma():
            return worth(node.second)
        case t.Binary():
            return _combined(node)
    raise TypeError(node)


def _whole(node: t.Expression) -> int:
    value = worth(node)
    assert isinstance(value, int)
    return value


def _converted(node: t.Conversion) -> Value:
    value = worth(node.operand)
    match node.kind:
        case Kind.BOOLEAN:
            return int(value != 0)
        case Kind.FLOAT_TO_INT:
            return fitted(int(value), node.type)
        case Kind.INT_TO_FLOAT | Kind.FLOATING:
            return fitted(Fraction(value), node.type)
        case Kind.INTEGRAL | Kind.SAME:
            return fitted(value, node.type)
    raise TypeError(node.kind)


def _combined(node: t.Binary) -> Value:
    assert node.operator in (B.SHIFT_LEFT, B.SHIFT_RIGHT) or node.left.type is node.right.type
    if node.operator in _ON_BITS:
        return fitted(_ON_BITS[node.operator](_whole(node.left), _whole(node.right)), node.type)
    left, right = worth(node.left), worth(node.right)
    if node.operator in _OPERATORS:
        return fitted(_OPERATORS[node.operator](left, right) + 0, node.type)
    if isinstance(node.type, FloatType):
        return fitted(Fraction(left) / Fraction(right), node.type)
    assert isinstance(node.type, IntType | EnumType) and isinstance(left, int) and isinstance(right, int)
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return fitted(quotient if node.operator is B.DIVIDE else left - quotient * right, node.type)
