"""Addresses, and sizes in bytes: unsigned integers as wide as `size_t`."""

from __future__ import annotations

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import Integers
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.expr import Expr
from paddock.ir.types import Type


class Addresses:
    """Arithmetic on addresses and sizes."""

    def __init__(self, integers: Integers, type_: c.IntType) -> None:
        self._integers = integers
        self._in_c = type_
        self.type: Type = integers.type(type_.width)

    def literal(self, value: int) -> Expr:
        return self._integers.literal(value, self._in_c)

    def plus(self, a: Expr, b: Expr) -> Expr:
        return self._integers.binary(B.ADD, a, b, self._in_c)

    def minus(self, a: Expr, b: Expr) -> Expr:
        return self._integers.binary(B.SUBTRACT, a, b, self._in_c)

    def times(self, a: Expr, b: Expr) -> Expr:
        return self._integers.binary(B.MULTIPLY, a, b, self._in_c)

    def divided(self, a: Expr, b: Expr) -> Expr:
        return self._integers.binary(B.DIVIDE, a, b, self._in_c)

    def remainder(self, a: Expr, b: Expr) -> Expr:
        return self._integers.binary(B.REMAINDER, a, b, self._in_c)

    def less(self, a: Expr, b: Expr) -> Expr:
        return self._integers.compare(B.LESS, a, b, self._in_c)

    def at_most(self, a: Expr, b: Expr) -> Expr:
        return self._integers.compare(B.LESS_EQUAL, a, b, self._in_c)

    def at_least(self, a: Expr, b: Expr) -> Expr:
        return self._integers.compare(B.GREATER_EQUAL, a, b, self._in_c)

    def product_fits(self, a: Expr, b: Expr) -> Expr:
        """Whether two sizes can be multiplied without wrapping around."""
        return self._integers.does_not_overflow(B.MULTIPLY, a, b, self._in_c)

    def moved(self, address: Expr, by: int) -> Expr:
        return self.plus(address, self.literal(by))

    def element(self, address: Expr, index: Expr, size: Expr, *, backwards: bool = False) -> Expr:
        """The address of the element with an index (as an address) that counts in elements of a size."""
        offset = self.times(index, size)
        return self.minus(address, offset) if backwards else self.plus(address, offset)

    def rounded_down(self, value: Expr, spacing: int) -> Expr:
        """Without what it exceeds a multiple of a power of two by."""
        return self._integers.rounded_down(value, spacing, self._in_c)
