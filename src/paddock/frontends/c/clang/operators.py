"""Operators, by clang's numbers, applied to expressions of the tree. None stands for what the tree has no words for."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c.conversions import binary, condition, convert, is_place, promote, update, value
from paddock.frontends.c.tree import (
    AddressOf,
    Assignment,
    BinaryOperator,
    Comma,
    Declare,
    Dereference,
    Evaluate,
    Expression,
    FunctionUse,
    IntegerConstant,
    Logical,
    Quantified,
    Statement,
    Unary,
    UnaryOperator,
)
from paddock.frontends.c.types import BOOL, INT, ArithmeticType, DataModel, FunctionType, PointerType
from paddock.ir.origin import Origin

_STEPS = {  # the operator, and whether the old value is the result
    1: (BinaryOperator.ADD, True),
    2: (BinaryOperator.SUBTRACT, True),
    3: (BinaryOperator.ADD, False),
    4: (BinaryOperator.SUBTRACT, False),
}
_ADDRESS, _DEREFERENCE, _PLUS, _NOT, _EXTENSION = 5, 6, 7, 10, 13
_SIGNS = {8: UnaryOperator.MINUS, 9: UnaryOperator.COMPLEMENT}

_BINARY = {
    3: BinaryOperator.MULTIPLY,
    4: BinaryOperator.DIVIDE,
    5: BinaryOperator.REMAINDER,
    6: BinaryOperator.ADD,
    7: BinaryOperator.SUBTRACT,
    8: BinaryOperator.SHIFT_LEFT,
    9: BinaryOperator.SHIFT_RIGHT,
    11: BinaryOperator.LESS,
    12: BinaryOperator.GREATER,
    13: BinaryOperator.LESS_EQUAL,
    14: BinaryOperator.GREATER_EQUAL,
    15: BinaryOperator.EQUAL,
    16: BinaryOperator.NOT_EQUAL,
    17: BinaryOperator.AND,
    18: BinaryOperator.XOR,
    19: BinaryOperator.OR,
}
_CONJUNCTION, _DISJUNCTION, _ASSIGN, _COMMA = 20, 21, 22, 33
_COMPOUND = {  # from `*=` to `>>=`, then the bitwise ones
    **{23 + i: _BINARY[3 + i] for i in range(7)},
    **{30 + i: _BINARY[17 + i] for i in range(3)},
}


def changes(kind: int, *, is_unary: bool) -> bool:
    """Whether an operator changes its first operand in view of what that holds."""
    return kind in (_STEPS if is_unary else _COMPOUND)


def unary_expression(kind: int, operand: Expression, origin: Origin, model: DataModel) -> Expression | None:
    if kind in _STEPS and is_place(operand):
        operator, yields_old = _STEPS[kind]
        return update(operator, operand, IntegerConstant(INT, origin, 1), origin, model, yields_old=yields_old)
    if kind == _ADDRESS:
        return address(operand, origin)
    if kind == _DEREFERENCE:
        return dereference(value(operand), origin)
    if kind == _NOT:
        return Unary(INT, origin, UnaryOperator.NOT, condition(operand))
    if kind == _EXTENSION:
        return operand
    promoted = promote(operand)
    if not isinstance(promoted.type, ArithmeticType):
        return None
    if kind in _SIGNS:
        return Unary(promoted.type, origin, _SIGNS[kind], promoted)
    return promoted if kind == _PLUS else None


def address(operand: Expression, origin: Origin) -> Expression | None:
    """`&operand`. Of `&*pointer`, nothing is left but the pointer (C11 6.5.3.2)."""
    if isinstance(operand, Dereference):
        return operand.pointer
    if isinstance(operand, FunctionUse):
        return value(operand)
    return AddressOf(PointerType(operand.type), origin, operand) if is_place(operand) else None


def dereference(pointer: Expression, origin: Origin) -> Expression | None:
    """`*pointer`. Of `*&place`, nothing is left but the place."""
    if isinstance(pointer, AddressOf):
        return pointer.place
    return Dereference(pointer.type.target, origin, pointer) if isinstance(pointer.type, PointerType) else None


def binary_expression(
    kind: int, left: Expression, right: Expression, origin: Origin, model: DataModel
) -> Expression | None:
    if kind == _ASSIGN:
        return Assignment(left.type, origin, left, convert(right, left.type)) if is_place(left) else None
    if kind in _COMPOUND:
        return update(_COMPOUND[kind], left, value(right), origin, model) if is_place(left) else None
    if kind in (_CONJUNCTION, _DISJUNCTION):
        return Logical(INT, origin, kind == _CONJUNCTION, condition(left), condition(right))
    if kind == _COMMA:
        last = value(right)
        return Comma(last.type, origin, left, last)
    return binary(_BINARY[kind], left, right, origin, model) if kind in _BINARY else None


def function_type(function: Expression) -> FunctionType | None:
    """The type of what is called: a function designator or a pointer to a function."""
    match function.type:
        case FunctionType() as found:
            return found
        case PointerType(FunctionType() as found):
            return found
        case _:
            return None


def implication(left: Expression, right: Expression, origin: Origin) -> Expression:
    """CBMC's `left ==> right`."""
    fails = condition(Unary(INT, origin, UnaryOperator.NOT, condition(left)))
    return convert(Logical(INT, origin, False, fails, condition(right)), BOOL)


def quantifier(universal: bool, statements: Sequence[Statement], origin: Origin) -> Expression | None:
    """CBMC's `__CPROVER_forall { type variable; condition }`; None if it is not of that form."""
    match statements:
        case (Declare(variable=variable, initialiser=None), Evaluate(expression=body)):
            return Quantified(BOOL, origin, universal, variable, condition(body))
    return None
