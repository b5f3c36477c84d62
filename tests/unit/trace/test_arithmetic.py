from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.trace import arithmetic
from paddock.trace.values import Undecided


def test_division_is_euclidean() -> None:
    for a in range(-9, 10):
        for b in (-4, -3, -1, 1, 3, 4):
            assert a == b * arithmetic.div(a, b) + arithmetic.mod(a, b)
            assert 0 <= arithmetic.mod(a, b) < abs(b)


def test_powers() -> None:
    assert arithmetic.power(2, 10) == 1024
    assert arithmetic.power(Fraction(2), Fraction(-2)) == Fraction(1, 4)
    assert arithmetic.power(Fraction(-1), Fraction(10**30 + 1)) == -1
    assert arithmetic.power(1, 10**30) == 1


@pytest.mark.parametrize(
    ("base", "exponent"), [(Fraction(2), Fraction(1, 2)), (2, -1), (0, 0), (Fraction(0), Fraction(-1)), (2, 10**9)]
)
def test_powers_that_are_not_computed(base: int | Fraction, exponent: int | Fraction) -> None:
    with pytest.raises(Undecided):
        arithmetic.power(base, exponent)
