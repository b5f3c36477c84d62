"""What C's arithmetic means by the types of its operands: integers, floats, `_Bool`, enumerations and pointers.

Pointers are unsigned numbers as wide as `size_t`, and `_Bool` is `bool`. Conversions: C11 6.3.
"""

from __future__ import annotations

from fractions import Fraction

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.addresses import Addresses
from paddock.frontends.c.arithmetic.floats import Floats
from paddock.frontends.c.arithmetic.integers import Integers, bits_type, limits
from paddock.frontends.c.arithmetic.terms import choice, conjunction, equal, negation
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import FALSE, TRUE, bv_lit, neg
from paddock.ir.expr import Expr, Lit
from paddock.ir.types import BOOL, Type


class Numbers:
    """How the values of C's scalar types are terms, and what C's operators do to them."""

    def __init__(self, model: c.DataModel, integers: Integers) -> None:
        self.model = model
        self.integers = integers
        self.terms = integers.terms
        self.floats = Floats(integers.terms)
        self.address_type: c.IntType = model.size_type
        self.addresses = Addresses(integers, model.size_type)

    # --- types and literals ------------------------------------------------------------------------------

    def type(self, type_: c.CType) -> Type:
        """The type of the terms that stand for values of a scalar type."""
        match type_:
            case c.BoolType():
                return BOOL
            case c.FloatType():
                return self.floats.type(type_)
            case _:
                return self.integers.type(self.width(type_))

    def integer(self, type_: c.CType) -> c.IntType:
        """The integer type whose values a type has."""
        match type_:
            case c.IntType():
                return type_
            case c.EnumType():
                return type_.underlying
            case c.BoolType():
                return c.UNSIGNED_CHAR
            case c.PointerType() | c.FunctionType():
                return self.address_type
            case c.UnsupportedType():
                return bits_type(type_.size * c.BYTE)
            case _:
                raise TypeError(f"not an integer: {type_}")

    def width(self, type_: c.CType) -> int:
        return self.integer(type_).width

    def literal(self, value: int, type_: c.CType) -> Expr:
        """An integer or an address; wrapped to the type."""
        if isinstance(type_, c.BoolType):
            return TRUE if value else FALSE
        return self.integers.literal(value, self.integer(type_))

    def address(self, value: int) -> Expr:
        return self.integers.literal(value, self.address_type)

    def zero(self, type_: c.CType) -> Expr:
        """0, or what it is converted to."""
        match type_:
            case c.BoolType():
                return FALSE
            case c.FloatType():
                return Lit(0, self.type(type_))
            case _:
                return self.literal(0, type_)

    def in_range(self, value: Expr, type_: c.CType) -> Expr | None:
        """What to assume of an arbitrary term for it to be a value of the type; None if there is nothing to assume."""
        if isinstance(type_, c.BoolType | c.FloatType):
            return None
        return self.integers.in_range(value, self.integer(type_))

    # --- truth ----------------------------------------------------------------------------------------------

    def truth(self, value: Expr, type_: c.CType) -> Expr:
        """Whether a value is other than zero."""
        if isinstance(type_, c.BoolType):
            return value
        if isinstance(type_, c.FloatType):
            return negation(self.terms.float_equal(value, self.zero(type_)))
        return negation(equal(value, self.zero(type_)))

    def of_truth(self, condition: Expr, type_: c.CType) -> Expr:
        """1 if a condition holds, else 0."""
        match type_:
            case c.BoolType():
                return condition
            case c.FloatType():
                return choice(condition, self.floats.literal(Fraction(1), type_), self.zero(type_))
            case _:
                return choice(condition, self.literal(1, type_), self.literal(0, type_))

    def compare(self, op: B, a: Expr, b: Expr, type_: c.CType) -> Expr:
        """A relation between two values of one type, as a condition."""
        if op in (B.EQUAL, B.NOT_EQUAL):
            same = self.terms.float_equal(a, b) if isinstance(type_, c.FloatType) else equal(a, b)
            return same if op is B.EQUAL else negation(same)
        if isinstance(type_, c.FloatType):
            return self.floats.compare(op, a, b)
        if isinstance(type_, c.BoolType):
            byte = c.UNSIGNED_CHAR
            return self.integers.compare(op, self.of_truth(a, byte), self.of_truth(b, byte), byte)
        return self.integers.compare(op, a, b, self.integer(type_))

    # --- arithmetic ------------------------------------------------------------------------------------------

    def binary(self, op: B, a: Expr, b: Expr, type_: c.CType) -> Expr:
        """An operator on two values of one type that is no comparison; shifts count in the type of the left operand."""
        if isinstance(type_, c.FloatType):
            return self.floats.binary(op, a, b)
        return self.integers.binary(op, a, b, self.integer(type_))

    def minus(self, a: Expr, type_: c.CType) -> Expr:
        if isinstance(type_, c.FloatType):
            return neg(a)
        return self.integers.minus(a, self.integer(type_))

    # --- conversions -----------------------------------------------------------------------------------------

    def convert(self, value: Expr, source: c.CType, target: c.CType) -> Expr:
        """The value of one scalar type as a value of another."""
        match source, target:
            case _, c.BoolType():
                return self.truth(value, source)
            case c.BoolType(), _:
                return self.of_truth(value, target)
            case c.FloatType(), c.FloatType():
                return self.terms.float_of_float(value, self.floats.type(target))
            case c.FloatType(), _:
                return self.truncated(value, self.integer(target))
            case _, c.FloatType():
                return self._float_of(value, self.integer(source), target)
            case _:
                return self.integers.convert(value, self.integer(source), self.integer(target))

    def truncated(self, value: Expr, target: c.IntType) -> Expr:
        """The integer that is left of a float when its fraction is cut off."""
        return self.integers.of_bits(self.terms.integer_of_float(value, target.width, target.signed), target)

    def _float_of(self, value: Expr, source: c.IntType, target: c.FloatType) -> Expr:
        """The float that an integer is converted to."""
        known = self.integers.known(value, source)
        literal = None if known is None else self.floats.nearest(known, target)
        if literal is not None:
            return literal
        return self.terms.float_of_integer(self.integers.bits(value, source), self.floats.type(target), source.signed)

    def offset(self, index: Expr, type_: c.CType) -> Expr:
        """An index as an address: what lies before the start is as far behind it as can be."""
        return self.convert(
            self.convert(index, type_, self.model.difference_type), self.model.difference_type, self.address_type
        )

    def fits(self, value: Expr, source: c.CType, target: c.CType) -> Expr:
        """Whether a value keeps its meaning in a conversion to an integer type."""
        if isinstance(source, c.FloatType):
            return self.floats.fits(value, source, self.integer(target))
        here = self.integer(source)
        value = self.convert(value, source, here)
        (low, high), (least, most) = limits(here), limits(self.integer(target))
        result: Expr = TRUE
        if low < least:
            result = self.integers.compare(B.GREATER_EQUAL, value, self.literal(least, here), here)
        if high > most:
            result = conjunction(result, self.integers.compare(B.LESS_EQUAL, value, self.literal(most, here), here))
        return result

    # --- bits -------------------------------------------------------------------------------------------------

    def bits(self, value: Expr, type_: c.CType) -> Expr:
        """What memory holds for a value that is no float: a bit-vector, of one byte for `_Bool`."""
        if isinstance(type_, c.BoolType):
            return choice(value, bv_lit(1, c.BYTE), bv_lit(0, c.BYTE))
        return self.integers.bits(value, self.integer(type_))

    def of_bits(self, bits: Expr, type_: c.CType) -> Expr:
        """The value of a type that some bits stand for."""
        match type_:
            case c.BoolType():
                return negation(equal(bits, bv_lit(0, c.BYTE)))
            case c.FloatType():
                return self.floats.of_bits(bits, type_)
            case _:
                return self.integers.of_bits(bits, self.integer(type_))
