"""IEEE 754 arithmetic on bit patterns, exact: every operation is done on fractions and rounded once.

The meaning is that of SMT-LIB's theory FloatingPoint: a format is the IR's type `floatSeE`, there is
one NaN (positive and quiet), and rounding modes have SMT-LIB's short names.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from paddock.ir.types import Float
from paddock.trace.values import Undecided

ROUNDING_MODES = {
    "RNE": "RNE",
    "RNA": "RNA",
    "RTP": "RTP",
    "RTN": "RTN",
    "RTZ": "RTZ",
    "roundNearestTiesToEven": "RNE",
    "roundNearestTiesToAway": "RNA",
    "roundTowardPositive": "RTP",
    "roundTowardNegative": "RTN",
    "roundTowardZero": "RTZ",
}

_EXPONENT_BITS = 18  # fractions of wider formats would have more than a hundred thousand bits

# --- the parts of a pattern ------------------------------------------------------------------------


def width(f: Float) -> int:
    return f.significand + f.exponent


def _bias(f: Float) -> int:
    return (1 << (f.exponent - 1)) - 1


def _infinity(f: Float) -> int:
    """Positive infinity, which is also the mask of the exponent."""
    return ((1 << f.exponent) - 1) << (f.significand - 1)


def sign_bit(bits: int, f: Float) -> bool:
    return bool(bits >> (width(f) - 1))


def _magnitude(bits: int, f: Float) -> int:
    return bits & ((1 << (width(f) - 1)) - 1)


def _signed(magnitude: int, negative: bool, f: Float) -> int:
    return magnitude | negative << (width(f) - 1)


def nan(f: Float) -> int:
    return _infinity(f) | 1 << (f.significand - 2)


def canonical(bits: int, f: Float) -> int:
    """The pattern with every NaN made the one."""
    return nan(f) if is_nan(bits, f) else bits


# --- classes of numbers ----------------------------------------------------------------------------


def is_nan(bits: int, f: Float) -> bool:
    return _magnitude(bits, f) > _infinity(f)


def is_infinite(bits: int, f: Float) -> bool:
    return _magnitude(bits, f) == _infinity(f)


def is_zero(bits: int, f: Float) -> bool:
    return _magnitude(bits, f) == 0


def is_subnormal(bits: int, f: Float) -> bool:
    return 0 < _magnitude(bits, f) < 1 << (f.significand - 1)


def is_normal(bits: int, f: Float) -> bool:
    return 1 << (f.significand - 1) <= _magnitude(bits, f) < _infinity(f)


def is_negative(bits: int, f: Float) -> bool:
    return sign_bit(bits, f) and not is_nan(bits, f)


def is_positive(bits: int, f: Float) -> bool:
    return not sign_bit(bits, f) and not is_nan(bits, f)


# --- rounding --------------------------------------------------------------------------------------


def _limited(f: Float) -> None:
    if f.exponent > _EXPONENT_BITS:
        raise Undecided(f"floats with {f.exponent} bits of exponent")


def to_fraction(bits: int, f: Float) -> Fraction:
    """The number that a finite pattern stands for."""
    _limited(f)
    magnitude = _magnitude(bits, f)
    fraction_bits = f.significand - 1
    exponent, significand = magnitude >> fraction_bits, magnitude & ((1 << fraction_bits) - 1)
    if exponent:
        significand |= 1 << fraction_bits
    value = significand * _power_of_2(max(exponent, 1) - _bias(f) - fraction_bits)
    return -value if sign_bit(bits, f) else value


def _power_of_2(n: int) -> Fraction:
    return Fraction(1 << n) if n >= 0 else Fraction(1, 1 << -n)


def round_to_integer(value: Fraction, mode: str) -> int:
    """The integer that a rounding mode chooses."""
    below = value.numerator // value.denominator
    rest = value - below
    if rest == 0:
        return below
    match mode:
        case "RTN":
            up = False
        case "RTP":
            up = True
        case "RTZ":
            up = value < 0
        case "RNA" if rest == Fraction(1, 2):
            up = value > 0
        case _:
            up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and below % 2 == 1)
    return below + up


def from_fraction(value: Fraction, mode: str, f: Float, negative_zero: bool = False) -> int:
    """The float that a rounding mode chooses; `negative_zero` says which zero an exact 0 is."""
    _limited(f)
    if value == 0:
        return _signed(0, negative_zero, f)
    negative = value < 0
    # The larger of the value's own exponent and the smallest normal one: subnormals share that.
    exponent = max(_floor_log2(abs(value)), 1 - _bias(f))
    unit = _power_of_2(exponent - f.significand + 1)
    significand = abs(round_to_integer(value / unit, mode))
    # The leading bit of the significand adds one to the exponent below, and so does rounding up to the
    # next power of two.
    magnitude = ((exponent + _bias(f) - 1) << (f.significand - 1)) + significand
    if magnitude >= _infinity(f):
        stays_finite = mode == "RTZ" or mode == ("RTP" if negative else "RTN")
        magnitude = _infinity(f) - stays_finite
    return _signed(magnitude, negative, f)


def _floor_log2(value: Fraction) -> int:
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if value >= _power_of_2(guess) else guess - 1


# --- arithmetic ------------------------------------------------------------------------------------


def neg(a: int, f: Float) -> int:
    return a if is_nan(a, f) else a ^ 1 << (width(f) - 1)


def absolute(a: int, f: Float) -> int:
    return a if is_nan(a, f) else _magnitude(a, f)


def add(mode: str, a: int, b: int, f: Float) -> int:
    if is_nan(a, f) or is_nan(b, f):
        return nan(f)
    if is_infinite(a, f):
        return nan(f) if is_infinite(b, f) and a != b else a
    if is_infinite(b, f):
        return b
    return _sum(mode, to_fraction(a, f), sign_bit(a, f), to_fraction(b, f), sign_bit(b, f), f)


def _sum(mode: str, x: Fraction, x_negative: bool, y: Fraction, y_negative: bool, f: Float) -> int:
    """x + y, rounded. Zeros of one sign add up to that zero; other sums of 0 are -0 in RTN alone."""
    same_zero = x == 0 and x_negative == y_negative
    return from_fraction(x + y, mode, f, negative_zero=x_negative if same_zero else mode == "RTN")


def sub(mode: str, a: int, b: int, f: Float) -> int:
    return add(mode, a, neg(b, f), f)


def mul(mode: str, a: int, b: int, f: Float) -> int:
    negative = sign_bit(a, f) != sign_bit(b, f)
    if is_nan(a, f) or is_nan(b, f) or _zero_times_infinity(a, b, f):
        return nan(f)
    if is_infinite(a, f) or is_infinite(b, f):
        return _signed(_infinity(f), negative, f)
    return from_fraction(to_fraction(a, f) * to_fraction(b, f), mode, f, negative)


def _zero_times_infinity(a: int, b: int, f: Float) -> bool:
    return (is_zero(a, f) and is_infinite(b, f)) or (is_infinite(a, f) and is_zero(b, f))


def div(mode: str, a: int, b: int, f: Float) -> int:
    negative = sign_bit(a, f) != sign_bit(b, f)
    if is_nan(a, f) or is_nan(b, f) or (is_zero(a, f) and is_zero(b, f)) or (is_infinite(a, f) and is_infinite(b, f)):
        return nan(f)
    if is_infinite(a, f) or is_zero(b, f):
        return _signed(_infinity(f), negative, f)
    if is_infinite(b, f):
        return _signed(0, negative, f)
    return from_fraction(to_fraction(a, f) / to_fraction(b, f), mode, f, negative)


def fma(mode: str, a: int, b: int, c: int, f: Float) -> int:
    """a * b + c, rounded once."""
    negative = sign_bit(a, f) != sign_bit(b, f)
    if is_nan(a, f) or is_nan(b, f) or is_nan(c, f) or _zero_times_infinity(a, b, f):
        return nan(f)
    if is_infinite(a, f) or is_infinite(b, f):
        product = _signed(_infinity(f), negative, f)
        return nan(f) if is_infinite(c, f) and c != product else product
    if is_infinite(c, f):
        return c
    return _sum(mode, to_fraction(a, f) * to_fraction(b, f), negative, to_fraction(c, f), sign_bit(c, f), f)


def sqrt(mode: str, a: int, f: Float) -> int:
    if is_zero(a, f) or is_nan(a, f):
        return a
    if sign_bit(a, f):
        return nan(f)
    if is_infinite(a, f):
        return a
    value = to_fraction(a, f)
    # The root as a multiple of 2**-scale, with more bits than are kept. An inexact root lies between two
    # multiples and rounds like any other number between them.
    scale = max(0, f.significand + 2 - _floor_log2(value) // 2)
    square = value * (1 << 2 * scale)
    whole = square.numerator // square.denominator
    root = Fraction(isqrt(whole))
    if root * root != square:
        root += Fraction(1, 2)
    return from_fraction(root / (1 << scale), mode, f)


def rem(a: int, b: int, f: Float) -> int:
    """a - b * n, where n is the integer nearest to a / b (the even one of two)."""
    if is_nan(a, f) or is_nan(b, f) or is_infinite(a, f) or is_zero(b, f):
        return nan(f)
    if is_infinite(b, f):
        return a
    x, y = to_fraction(a, f), to_fraction(b, f)
    return from_fraction(x - y * round_to_integer(x / y, "RNE"), "RNE", f, sign_bit(a, f))


def round_to_integral(mode: str, a: int, f: Float) -> int:
    if is_nan(a, f) or is_infinite(a, f):
        return a
    return from_fraction(Fraction(round_to_integer(to_fraction(a, f), mode)), mode, f, sign_bit(a, f))


# --- comparison ------------------------------------------------------------------------------------


def _order(bits: int, f: Float) -> int:
    """An integer that grows with the number; the same for both zeros."""
    return -_magnitude(bits, f) if sign_bit(bits, f) else bits


def eq(a: int, b: int, f: Float) -> bool:
    return not is_nan(a, f) and not is_nan(b, f) and _order(a, f) == _order(b, f)


def lt(a: int, b: int, f: Float) -> bool:
    return not is_nan(a, f) and not is_nan(b, f) and _order(a, f) < _order(b, f)


def leq(a: int, b: int, f: Float) -> bool:
    return not is_nan(a, f) and not is_nan(b, f) and _order(a, f) <= _order(b, f)


def minimum(a: int, b: int, f: Float) -> int | None:
    """The smaller one; None for zeros of different sign, of which SMT-LIB leaves the choice open."""
    if is_nan(a, f) or is_nan(b, f):
        return b if is_nan(a, f) else a
    if is_zero(a, f) and is_zero(b, f) and a != b:
        return None
    return a if lt(a, b, f) else b


def maximum(a: int, b: int, f: Float) -> int | None:
    smaller = minimum(neg(a, f), neg(b, f), f)
    return None if smaller is None else neg(smaller, f)


# --- conversion ------------------------------------------------------------------------------------


def convert(mode: str, bits: int, f: Float, to: Float) -> int:
    """The nearest number of another format."""
    if is_nan(bits, f):
        return nan(to)
    if is_infinite(bits, f):
        return _signed(_infinity(to), sign_bit(bits, f), to)
    return from_fraction(to_fraction(bits, f), mode, to, sign_bit(bits, f))


def to_integer(mode: str, bits: int, f: Float) -> int | None:
    """The number rounded to an integer; None for NaN and the infinities."""
    if is_nan(bits, f) or is_infinite(bits, f):
        return None
    return round_to_integer(to_fraction(bits, f), mode)
