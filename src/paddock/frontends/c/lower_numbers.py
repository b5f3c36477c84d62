"""What C's arithmetic means, whatever integers are. Floats are IEEE 754, rounded to nearest by default.

Conversions: C11 6.3.

`lower_bits.py` has integers as bit-vectors, as on the machine, and `lower_math.py` as those of mathematics.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from paddock.frontends.c import types as c
from paddock.frontends.c.literals import rounded
from paddock.frontends.c.lower_terms import Terms, choice, conjunction, equal, negation
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import FALSE, TRUE, bv_lit, compare, neg
from paddock.ir.expr import App, Expr, Lit, Op
from paddock.ir.types import BOOL, Bv, Float, Type

# Types that carry numbers: pointers are unsigned numbers as wide as `size_t`.
Whole = c.IntType | c.BoolType | c.EnumType | c.PointerType

_FLOAT_OPERATORS = {B.ADD: Op.ADD, B.SUBTRACT: Op.SUB, B.MULTIPLY: Op.MUL, B.DIVIDE: Op.RDIV}
_ROUNDED_OPERATORS = {B.ADD: "fp.add", B.SUBTRACT: "fp.sub", B.MULTIPLY: "fp.mul", B.DIVIDE: "fp.div"}
RELATIONS = {B.LESS: Op.LT, B.LESS_EQUAL: Op.LE, B.GREATER: Op.GT, B.GREATER_EQUAL: Op.GE}
BITWISE = {B.AND: "bvand", B.OR: "bvor", B.XOR: "bvxor"}


class Numbers(ABC):
    """How the values of C's scalar types are terms, and what C's operators do to them. `_Bool` is `bool`."""

    def __init__(self, model: c.DataModel) -> None:
        self.model = model
        self.terms = Terms()
        self.address_type: c.IntType = model.size_type

    # --- types and literals ------------------------------------------------------------------------------

    def type(self, type_: c.CType) -> Type:
        """The type of the terms that stand for values of a scalar type."""
        match type_:
            case c.BoolType():
                return BOOL
            case c.FloatType():
                return Float(type_.significand, type_.exponent)
            case _:
                return self.whole_type(self.width(type_))

    @abstractmethod
    def whole_type(self, width: int) -> Type: ...

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

    @abstractmethod
    def literal(self, value: int, type_: c.CType) -> Expr:
        """An integer or an address; wrapped to the type."""

    def address(self, value: int) -> Expr:
        return self.literal(value, self.address_type)

    def zero(self, type_: c.CType) -> Expr:
        """0, or what it is converted to."""
        match type_:
            case c.BoolType():
                return FALSE
            case c.FloatType():
                return Lit(0, self.type(type_))
            case _:
                return self.literal(0, type_)

    def float_literal(self, value: Fraction, type_: c.FloatType) -> Expr:
        """A number of the type."""
        return Lit(float_bits(value, type_), self.type(type_))

    def nearest_float(self, value: int, type_: c.FloatType) -> Expr | None:
        """The number of a type that an integer is converted to; None if that depends on the rounding mode."""
        nearest = rounded(Fraction(value), type_)
        if self.terms.mode is not None and nearest != value:
            return None
        return self.float_literal(Fraction(value) if nearest is None else nearest, type_)

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
                return choice(condition, self.float_literal(Fraction(1), type_), self.zero(type_))
            case _:
                return choice(condition, self.literal(1, type_), self.literal(0, type_))

    def compare(self, op: B, a: Expr, b: Expr, type_: c.CType) -> Expr:
        """A relation between two values of one type, as a condition."""
        if op in (B.EQUAL, B.NOT_EQUAL):
            same = self.terms.float_equal(a, b) if isinstance(type_, c.FloatType) else equal(a, b)
            return same if op is B.EQUAL else negation(same)
        if isinstance(type_, c.FloatType):
            return compare(RELATIONS[op], a, b)
        if isinstance(type_, c.BoolType):
            byte = c.UNSIGNED_CHAR
            return self.whole_compare(op, self.of_truth(a, byte), self.of_truth(b, byte), byte)
        return self.whole_compare(op, a, b, self.integer(type_))

    @abstractmethod
    def whole_compare(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr: ...

    # --- arithmetic ------------------------------------------------------------------------------------------

    def binary(self, op: B, a: Expr, b: Expr, type_: c.CType) -> Expr:
        """An operator on two values of one type that is no comparison; shifts count in the type of the left operand."""
        if isinstance(type_, c.FloatType):
            if self.terms.mode is not None:
                return self.terms.rounded(_ROUNDED_OPERATORS[op], [a, b], a.type, _ROUNDED_OPERATORS[op])
            return App(_FLOAT_OPERATORS[op], (a, b), a.type)
        return self.whole_binary(op, a, b, self.integer(type_))

    @abstractmethod
    def whole_binary(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr: ...

    def minus(self, a: Expr, type_: c.CType) -> Expr:
        if isinstance(type_, c.FloatType):
            return neg(a)
        return self.binary(B.SUBTRACT, self.zero(type_), a, type_)

    @abstractmethod
    def complement(self, a: Expr, type_: c.CType) -> Expr: ...

    @abstractmethod
    def does_not_overflow(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        """Whether the exact result of `+`, `-`, `*`, `/`, `%` or `<<` is a value of the type."""

    # --- conversions -----------------------------------------------------------------------------------------

    def convert(self, value: Expr, source: c.CType, target: c.CType) -> Expr:
        """The value of one scalar type as a value of another."""
        match source, target:
            case _, c.BoolType():
                return self.truth(value, source)
            case c.BoolType(), _:
                return self.of_truth(value, target)
            case c.FloatType(), c.FloatType():
                type_ = self.type(target)
                assert isinstance(type_, Float)
                return self.terms.float_of_float(value, type_)
            case c.FloatType(), _:
                return self.float_to_whole(value, self.integer(target))
            case _, c.FloatType():
                return self.whole_to_float(value, self.integer(source), target)
            case _:
                return self.whole_to_whole(value, self.integer(source), self.integer(target))

    @abstractmethod
    def whole_to_whole(self, value: Expr, source: c.IntType, target: c.IntType) -> Expr: ...

    @abstractmethod
    def whole_to_float(self, value: Expr, source: c.IntType, target: c.FloatType) -> Expr: ...

    @abstractmethod
    def float_to_whole(self, value: Expr, target: c.IntType) -> Expr: ...

    def fits(self, value: Expr, source: c.CType, target: c.CType) -> Expr:
        """Whether a value keeps its meaning in a conversion to an integer type."""
        if isinstance(source, c.FloatType):
            return self._float_fits(value, source, self.integer(target))
        here = self.integer(source)
        value = self.convert(value, source, here)
        (low, high), (least, most) = limits(here), limits(self.integer(target))
        result: Expr = TRUE
        if low < least:
            result = self.whole_compare(B.GREATER_EQUAL, value, self.literal(least, here), here)
        if high > most:
            result = conjunction(result, self.whole_compare(B.LESS_EQUAL, value, self.literal(most, here), here))
        return result

    def _float_fits(self, value: Expr, source: c.FloatType, target: c.IntType) -> Expr:
        # What is cut off towards zero fits if the number lies strictly between low - 1 and high + 1. The latter, a
        # power of two, is a number of the type; where the former is none, the nearest one is low.
        low, high = limits(target)
        least = rounded(Fraction(low - 1), source)
        assert least is not None
        above = compare(Op.GT if least == low - 1 else Op.GE, value, self.float_literal(least, source))
        return conjunction(above, compare(Op.LT, value, self.float_literal(Fraction(high + 1), source)))

    # --- bits -------------------------------------------------------------------------------------------------

    def bits(self, value: Expr, type_: c.CType) -> Expr:
        """What memory holds for a value that is no float: a bit-vector, of one byte for `_Bool`."""
        if isinstance(type_, c.BoolType):
            return choice(value, bv_lit(1, c.BYTE), bv_lit(0, c.BYTE))
        return self.whole_bits(value, self.integer(type_))

    def of_bits(self, bits: Expr, type_: c.CType) -> Expr:
        """The value of a type that some bits stand for."""
        match type_:
            case c.BoolType():
                return negation(equal(bits, bv_lit(0, c.BYTE)))
            case c.FloatType():
                float_ = self.type(type_)
                assert isinstance(float_, Float)
                return self.terms.float_of_bits(self._unpadded(bits, type_), float_)
            case _:
                return self.whole_of_bits(bits, self.integer(type_))

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

    @abstractmethod
    def whole_bits(self, value: Expr, type_: c.IntType) -> Expr: ...

    @abstractmethod
    def whole_of_bits(self, bits: Expr, type_: c.IntType) -> Expr: ...

    def in_range(self, value: Expr, type_: c.CType) -> Expr | None:
        """What to assume of an arbitrary term for it to be a value of the type; None if there is nothing to assume."""
        return None

    @abstractmethod
    def rounded_down(self, value: Expr, spacing: int) -> Expr:
        """An address, or a size, without what it exceeds a multiple of a power of two by."""

    # --- addresses --------------------------------------------------------------------------------------------

    def moved(self, address: Expr, by: int) -> Expr:
        return self.whole_binary(B.ADD, address, self.address(by), self.address_type)

    def element(self, address: Expr, index: Expr, index_type: c.CType, size: Expr, *, backwards: bool = False) -> Expr:
        """The address of the element with an index that counts in elements of a size."""
        offset = self.convert(index, index_type, self.model.difference_type)
        offset = self.convert(offset, self.model.difference_type, self.address_type)
        offset = self.whole_binary(B.MULTIPLY, offset, size, self.address_type)
        return self.whole_binary(B.SUBTRACT if backwards else B.ADD, address, offset, self.address_type)


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


# --- floats ---------------------------------------------------------------------------------------------------


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
