"""The values of literals: integers, reals, bit-vectors and IEEE 754 numbers, all exact."""

from __future__ import annotations

import re
from fractions import Fraction

from paddock.digits import integer
from paddock.frontends.boogie import lexer
from paddock.ir import types
from paddock.ir.expr import LiteralValue
from paddock.ir.types import BOOL, INT, RMODE, Bv, Float, Type

LITERAL_KINDS = frozenset(
    {"true", "false", lexer.INTEGER, lexer.REAL, lexer.BITVECTOR, lexer.FLOAT, lexer.STRING, lexer.ROUNDING}
)

_LARGEST_EXPONENT = 100_000  # beyond it the value itself would not fit in memory
_LARGEST_WIDTH = 1 << 24

_SPECIAL_FLOAT = re.compile(r"0(NaN|nan|\+oo|-oo)([0-9]+)e([0-9]+)")
_HEX_FLOAT = re.compile(r"0x([0-9a-fA-F]+)\.([0-9a-fA-F]+)e(-?[0-9]+)f([0-9]+)e([0-9]+)")


class BadLiteral(Exception):
    """A literal whose value does not exist; the message says why."""


def literal_value(kind: str, text: str, negative: bool = False) -> tuple[LiteralValue, Type]:
    """The value and type of a token of one of the `LITERAL_KINDS`; only a float can be negative."""
    match kind:
        case "true" | "false":
            return kind == "true", BOOL
        case lexer.INTEGER:
            return integer(text), INT
        case lexer.REAL:
            return real(text), types.REAL
        case lexer.BITVECTOR:
            return bitvector(text)
        case lexer.FLOAT:
            return float_bits(text, negative)
        case lexer.ROUNDING:
            return lexer.ROUNDING_MODES[text], RMODE
        case _:
            return text[1:-1], types.STRING


def real(text: str) -> Fraction:
    """`1e5`, `1.5`, `1.5e-3`."""
    mantissa, _, exponent_text = text.partition("e")
    whole, _, decimals = mantissa.partition(".")
    exponent = integer(exponent_text or "0")
    if abs(exponent) > _LARGEST_EXPONENT:
        raise BadLiteral(f"the exponent of '{text}' is too large")
    value = Fraction(integer(whole + decimals), 1)
    return value * Fraction(10) ** (exponent - len(decimals))


def bitvector(text: str) -> tuple[int, Bv]:
    """`5bv32`."""
    digits, _, width_text = text.partition("bv")
    value, width = integer(digits), integer(width_text)
    if width > _LARGEST_WIDTH:
        raise BadLiteral(f"bit-vectors of width {width_text} are not supported")
    if value.bit_length() > width:
        raise BadLiteral(f"{digits} does not fit in bv{width}")
    return value, Bv(width)


def float_bits(text: str, negative: bool) -> tuple[int, Float]:
    """`0x1.8e0f24e8`, `0NaN24e8`, `0+oo24e8`: the bits of the number, negated if so asked."""
    if special := _SPECIAL_FLOAT.fullmatch(text):
        type_ = _float_type(special[2], special[3])
        infinity = ((1 << type_.exponent) - 1) << (type_.significand - 1)
        if special[1] in ("NaN", "nan"):
            return infinity | 1 << (type_.significand - 2), type_
        return infinity | _sign(type_, special[1] == "-oo"), type_
    parts = _HEX_FLOAT.fullmatch(text)
    assert parts is not None
    type_ = _float_type(parts[4], parts[5])
    significand = int(parts[1] + parts[2], 16)
    power = 4 * (integer(parts[3]) - len(parts[2]))
    magnitude = _magnitude(significand, power, type_) if significand else 0
    if magnitude is None:
        raise BadLiteral(f"'{text}' has no exact value in float{type_.significand}e{type_.exponent}")
    return magnitude | _sign(type_, negative), type_


def _float_type(significand_text: str, exponent_text: str) -> Float:
    significand, exponent = integer(significand_text), integer(exponent_text)
    if not (2 <= significand <= _LARGEST_EXPONENT and 2 <= exponent <= _LARGEST_EXPONENT):
        raise BadLiteral(f"float{significand_text}e{exponent_text} is not a type of floating-point numbers")
    return Float(significand, exponent)


def _sign(type_: Float, negative: bool) -> int:
    return 1 << (type_.significand - 1 + type_.exponent) if negative else 0


def _magnitude(significand: int, power: int, type_: Float) -> int | None:
    """The bits of significand * 2**power > 0; None where that is no number of the type."""
    trailing_zeros = (significand & -significand).bit_length() - 1
    significand >>= trailing_zeros
    power += trailing_zeros
    bias = (1 << (type_.exponent - 1)) - 1
    leading_power = power + significand.bit_length() - 1
    if leading_power > bias:
        return None
    # What the last bit of the significand stands for; subnormal numbers share the least exponent.
    last_power = max(leading_power, 1 - bias) - (type_.significand - 1)
    if power < last_power:
        return None
    fraction = significand << (power - last_power)
    hidden_bit = 1 << (type_.significand - 1)
    if fraction < hidden_bit:
        return fraction
    return (leading_power + bias) << (type_.significand - 1) | (fraction - hidden_bit)
