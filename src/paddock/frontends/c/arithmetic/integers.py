"""What an integer type asks of its terms, whatever integers are. Conversions: C11 6.3.1.

`bitvectors.py` has integers as bit-vectors, as on the machine, and `mathematical.py` those of mathematics. Operands of
one operation have one type; `numbers.py` finds it, and knows the other types.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import Terms
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.expr import App, Expr, Lit, Op
from paddock.ir.types import Type

RELATIONS = {B.LESS: Op.LT, B.LESS_EQUAL: Op.LE, B.GREATER: Op.GT, B.GREATER_EQUAL: Op.GE}
BITWISE = {B.AND: "bvand", B.OR: "bvor", B.XOR: "bvxor"}


class Integers(ABC):
    """How values of integer types are terms, and what C's operators do to them."""

    terms_differ_by_sign: ClassVar[bool]  # whether bits that are a negative number have another term without a sign

    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    @abstractmethod
    def type(self, width: int) -> Type:
        """The type of the terms for integers of a width."""

    @abstractmethod
    def literal(self, value: int, type_: c.IntType) -> Expr:
        """A number, wrapped to the type."""

    @abstractmethod
    def known(self, value: Expr, type_: c.IntType) -> int | None:
        """The number that a term is, if it is a constant."""

    @abstractmethod
    def compare(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        """One of `<`, `<=`, `>` and `>=`, as a condition."""

    @abstractmethod
    def binary(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        """An operator that is no comparison; shifts count in the type of the left operand."""

    @abstractmethod
    def minus(self, a: Expr, type_: c.IntType) -> Expr: ...

    @abstractmethod
    def complement(self, a: Expr, type_: c.IntType) -> Expr: ...

    @abstractmethod
    def does_not_overflow(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        """Whether the exact result of `+`, `-`, `*`, `/`, `%` or `<<` is a value of the type."""

    @abstractmethod
    def convert(self, value: Expr, source: c.IntType, target: c.IntType) -> Expr: ...

    @abstractmethod
    def bits(self, value: Expr, type_: c.IntType) -> Expr:
        """The value as a bit-vector."""

    @abstractmethod
    def of_bits(self, bits: Expr, type_: c.IntType) -> Expr:
        """The value that a bit-vector stands for."""

    @abstractmethod
    def in_range(self, value: Expr, type_: c.IntType) -> Expr | None:
        """What to assume of an arbitrary term for it to be a value of the type; None if there is nothing to assume."""

    @abstractmethod
    def rounded_down(self, value: Expr, spacing: int, type_: c.IntType) -> Expr:
        """An unsigned value without what it exceeds a multiple of a power of two by."""


def limits(type_: c.IntType) -> tuple[int, int]:
    """The least and the greatest value."""
    if type_.signed:
        return -(1 << (type_.width - 1)), (1 << (type_.width - 1)) - 1
    return 0, (1 << type_.width) - 1


def unsigned(type_: c.IntType) -> c.IntType:
    """The unsigned type of the same width."""
    return c.IntType(f"unsigned {type_.name}", type_.width, False, type_.rank) if type_.signed else type_


def bits_type(width: int) -> c.IntType:
    """An unsigned integer of any width: a bit-field, or a union as a whole."""
    return c.IntType("bits", width, False, 0)


def wrapped(value: int, type_: c.IntType) -> int:
    value %= 1 << type_.width
    return value - (1 << type_.width) if type_.signed and value >> (type_.width - 1) else value


def number(value: Expr) -> int | None:
    """The value of an integer literal, negated or not; None if it is none."""
    match value:
        case Lit(bool()):
            return None
        case Lit(int(n)):
            return n
        case App(Op.NEG, (Lit(int(n)),)):
            return -n
        case _:
            return None
