"""C's floats as terms: IEEE 754, rounded to nearest unless the program sets another mode."""

from __future__ import annotations

from fractions import Fraction

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import RELATIONS, limits
from paddock.frontends.c.arithmetic.terms import Terms, choice, conjunction, equal
from paddock.frontends.c.literals import rounded
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import bv_lit, compare
from paddock.ir.expr import App, Expr, Lit, Op
from paddock.ir.types import Bv, Float

_OPERATORS = {B.ADD: Op.ADD, B.SUBTRACT: Op.SUB, B.MULTIPLY: Op.MUL, B.DIVIDE: Op.RDIV}
_ROUNDED_OPERATORS = {B.ADD: "fp.add", B.SUBTRACT: "fp.sub", B.MULTIPLY: "fp.mul", B.DIVIDE: "fp.div"}


class Floats:
    """How values of floating types are terms, and what C's operators do to them."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    def type(self, type_: c.FloatType) -> Float:
        """The type of the terms for values of a floating type."""
        return Float(type_.significand, type_.exponent)

    def literal(self, value: Fraction, type_: c.FloatType) -> Expr:
        """A number of the type."""
        return Lit(float_bits(value, type_), self.type(type_))

    def nearest(self, value: int, type_: c.FloatType) -> Expr | None:
        """The number of a type that an integer is converted to; None if that depends on the rounding mode."""
        nearest = rounded(Fraction(value), type_)
        if self.terms.mode is not None and nearest != value:
            return None
        return self.literal(Fraction(value) if nearest is None else nearest, type_)

    def compare(self, op: B, a: Expr, b: Expr) -> Expr:
        """One of `<`, `<=`, `>` and `>=`, as a condition."""
        return compare(RELATIONS[op], a, b)

    def binary(self, op: B, a: Expr, b: Expr) -> Expr:
        if self.terms.mode is not None:
            return self.terms.rounded(_ROUNDED_OPERATORS[op], [a, b], a.type, _ROUNDED_OPERATORS[op])
        return App(_OPERATORS[op], (a, b), a.type)

    def is_nan(self, value: Expr) -> Expr:
        return self.terms.float_predicate("fp.isNaN", value)

    def is_infinite(self, value: Expr) -> Expr:
        return self.terms.float_predicate("fp.isInfinite", value)

    def fits(self, value: Expr, source: c.FloatType, target: c.IntType) -> Expr:
        """Whether a value keeps its meaning in a conversion to an integer type, but for what is cut off."""
        # What is cut off towards zero fits if the number lies strictly between low - 1 and high + 1. The latter, a
        # power of two, is a number of the type; where the former is none, the nearest one is low.
        low, high = limits(target)
        least = rounded(Fraction(low - 1), source)
        assert least is not None
        above = compare(Op.GT if least == low - 1 else Op.GE, value, self.literal(least, source))
        return conjunction(above, compare(Op.LT, value, self.literal(Fraction(high + 1), source)))

    def of_bits(self, bits: Expr, type_: c.FloatType) -> Expr:
        """The value that stands in memory as some bits; there is no term for the way back."""
        return self.terms.float_of_bits(self._unpadded(bits, type_), self.type(type_))

    def padded(self, raw: Expr, type_: c.FloatType) -> Expr:
        """What memory holds for the bits of a float: x87 writes the hidden bit, and padding follows."""
        assert isinstance(raw.type, Bv)
        if raw.type.width == type_.size * c.BYTE:
            return raw
        fraction = type_.significand - 1
        if type_.significand == 64:
            exponent = self.terms.extract(raw, fraction, type_.exponent)
            hidden = choice(equal(exponent, bv_lit(0, type_.exponent)), bv_lit(0, 1), bv_lit(1, 1))
            head = self.terms.extract(raw, fraction, type_.exponent + 1)
            raw = self.terms.concat(head, self.terms.concat(hidden, self.terms.extract(raw, 0, fraction)))
        return self.terms.extend(raw, type_.size * c.BYTE, signed=False)

    def _unpadded(self, bits: Expr, type_: c.FloatType) -> Expr:
        raw, fraction = type_.significand + type_.exponent, type_.significand - 1
        if type_.significand == 64:
            head = self.terms.extract(bits, fraction + 1, type_.exponent + 1)
            return self.terms.concat(head, self.terms.extract(bits, 0, fraction))
        return self.terms.extract(bits, 0, raw)


def float_bits(value: Fraction, type_: c.FloatType) -> int:
    """The IEEE 754 bits of a number of the type; infinity for what is too large."""
    sign = int(value < 0) << (type_.exponent + type_.significand - 1)
    magnitude, fraction = abs(value), type_.significand - 1
    bias = (1 << (type_.exponent - 1)) - 1
    if magnitude == 0:
        return sign
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    if exponent > bias:
        return sign | ((1 << type_.exponent) - 1) << fraction
    exponent = max(exponent, 1 - bias)
    significand = magnitude / Fraction(2) ** (exponent - fraction)
    assert significand.denominator == 1, "not a number of this type"
    normal = int(significand) >> fraction
    return sign | ((exponent + bias if normal else 0) << fraction) | (int(significand) & ((1 << fraction) - 1))
