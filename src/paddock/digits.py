"""Integers and their decimal digits, of any length.

Python refuses to convert more than a few thousand digits at a time, because the time that it takes grows with the
square of their number. `decimal` does it faster, and without a limit that holds for the whole process.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

_SHORT = 4000  # digits that Python converts whatever its limit is
_SMALL = 10**_SHORT


def integer(text: str) -> int:
    """The number that decimal digits stand for, perhaps behind a sign."""
    return int(text) if len(text) <= _SHORT else int(Decimal(text))


def digits(number: int) -> str:
    """The decimal digits of a number, behind a minus sign if it is negative."""
    return str(int(number)) if -_SMALL < number < _SMALL else str(Decimal(number))


def quotient(number: Fraction) -> str:
    """A rational number as digits, `n` or `n/d`."""
    return digits(number.numerator) + (f"/{digits(number.denominator)}" if number.denominator != 1 else "")


def rational(text: str) -> Fraction:
    """The number that `n`, `n.d` or `n/d` stands for, perhaps behind a minus sign."""
    top, slash, bottom = text.partition("/")
    whole, _, decimals = top.partition(".")
    number = Fraction(integer(whole + decimals), 10 ** len(decimals))
    return number / integer(bottom) if slash else number
