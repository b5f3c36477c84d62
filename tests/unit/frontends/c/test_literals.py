"""Literals as numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock.frontends.c.literals import float_value, rounded, string_units
from paddock.frontends.c.types import DOUBLE, FLOAT, LP64


def test_strings() -> None:
    assert string_units(r'"a\n\101\x41\"\\"', 8) == (97, 10, 65, 65, 34, 92)
    assert string_units(r'L"\x1234""a\U0001d11e"', 32) == (0x1234, 97, 0x1D11E)
    assert string_units('u"𝄞"', 16) == (0xD834, 0xDD1E)
    assert string_units('""', 8) == ()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5", Fraction(3, 2)),
        (".5f", Fraction(1, 2)),
        ("2.", Fraction(2)),
        ("1e3L", Fraction(1000)),
        ("12.5e-1", Fraction(5, 4)),
        ("0x1.8p1", Fraction(3)),
        ("0XAp-1", Fraction(5)),
        ("1e99999", None),
        ("x", None),
    ],
)
def test_floats(text: str, number: Fraction | None) -> None:
    assert float_value(text) == number


@given(st.fractions())
def test_rounding_to_double_is_that_of_python(number: Fraction) -> None:
    assert rounded(number, DOUBLE) == Fraction(float(number))


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_what_a_type_has_stays(left: float, right: float) -> None:
    assert rounded(Fraction(left), DOUBLE) == Fraction(left)
    middle = (Fraction(left) + Fraction(right)) / 2
    assert rounded(middle, DOUBLE) == Fraction(float(middle))


def test_the_edges_of_a_type() -> None:
    largest = (2 - Fraction(1, 2**23)) * Fraction(2) ** 127
    assert rounded(largest, FLOAT) == largest
    assert rounded(largest + Fraction(2) ** 102, FLOAT) == largest
    assert rounded(largest + Fraction(2) ** 103, FLOAT) is None
    assert rounded(-largest * 2, FLOAT) is None
    smallest = Fraction(1, 2**149)
    assert rounded(smallest, FLOAT) == smallest
    assert rounded(smallest / 2, FLOAT) == 0
    assert rounded(smallest * 3 / 4, FLOAT) == smallest
    assert rounded(Fraction(1, 3), LP64.long_double) != rounded(Fraction(1, 3), DOUBLE)
