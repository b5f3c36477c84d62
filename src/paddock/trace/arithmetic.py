"""Integer and real arithmetic with SMT-LIB's meaning: Euclidean division, exact powers."""

from __future__ import annotations

from fractions import Fraction

from paddock.trace.values import Undecided

_POWER_BITS = 100_000  # larger results are not computed


def div(a: int, b: int) -> int:
    """The quotient whose remainder is not negative; b is not 0."""
    return a // b if b > 0 else -(a // -b)


def mod(a: int, b: int) -> int:
    return a % abs(b)


def rem(a: int, b: int) -> int:
    """Z3's `rem`: `mod` with the sign of the divisor."""
    return mod(a, b) if b > 0 else -mod(a, b)


def power(base: int | Fraction, exponent: int | Fraction) -> int | Fraction:
    """`base ** exponent` where it is a rational number that everybody agrees on."""
    if exponent.denominator != 1:
        raise Undecided("a power with a fractional exponent")
    if exponent < 0 and isinstance(base, int):
        raise Undecided("a negative power of an integer")
    if base == 0 and exponent <= 0:
        raise Undecided("a power of 0 that is not positive")
    n = exponent.numerator
    if abs(n) * max(base.numerator.bit_length(), base.denominator.bit_length()) > _POWER_BITS and abs(base) != 1:
        raise Undecided("a power too large to compute")
    if abs(base) == 1:
        return type(base)(1 if base > 0 or n % 2 == 0 else -1)
    return type(base)(base**n)
