"""Against the machine's own binary64 arithmetic; the property tests compare other formats with Z3."""

from __future__ import annotations

import math
import random
import struct
from fractions import Fraction

import pytest

from paddock.ir.types import Float
from paddock.trace import floats
from paddock.trace.values import Undecided

DOUBLE = Float(53, 11)
SINGLE = Float(24, 8)


def bits(x: float) -> int:
    return floats.canonical(int.from_bytes(struct.pack(">d", x), "big"), DOUBLE)


def number(pattern: int) -> float:
    (x,) = struct.unpack(">d", pattern.to_bytes(8, "big"))
    assert isinstance(x, float)
    return x


def samples(n: int) -> list[float]:
    source = random.Random(1)
    special = [
        0.0,
        -0.0,
        math.inf,
        -math.inf,
        math.nan,
        5e-324,
        -5e-324,
        1.7976931348623157e308,
        2.2250738585072014e-308,
    ]
    return special + [number(floats.canonical(source.getrandbits(64), DOUBLE)) for _ in range(n)]


def near(n: int) -> list[float]:
    source = random.Random(2)
    return [source.uniform(-4, 4) for _ in range(n)]


@pytest.mark.parametrize("numbers", [samples(15), near(15)], ids=["all", "near 0"])
def test_binary_operations_are_the_machines(numbers: list[float]) -> None:
    for x in numbers:
        for y in numbers:
            a, b = bits(x), bits(y)
            assert floats.add("RNE", a, b, DOUBLE) == bits(x + y)
            assert floats.sub("RNE", a, b, DOUBLE) == bits(x - y)
            assert floats.mul("RNE", a, b, DOUBLE) == bits(x * y)
            if y != 0:
                assert floats.div("RNE", a, b, DOUBLE) == bits(x / y)
            if math.isfinite(x) and y != 0 and not math.isnan(y):
                assert floats.rem(a, b, DOUBLE) == bits(math.remainder(x, y))
            assert floats.lt(a, b, DOUBLE) == (x < y)
            assert floats.leq(a, b, DOUBLE) == (x <= y)
            assert floats.eq(a, b, DOUBLE) == (x == y)


def test_square_roots_are_the_machines() -> None:
    for x in samples(200) + near(200):
        expected = math.sqrt(x) if x >= 0 else x if x == 0 else math.nan
        assert floats.sqrt("RNE", bits(x), DOUBLE) == bits(expected)


def test_conversion_to_single_is_the_machines() -> None:
    for x in [*near(200), 1e-40, -1e-45, 1e-46, 3.4e38]:
        expected = int.from_bytes(struct.pack(">f", x), "big")
        assert floats.convert("RNE", bits(x), DOUBLE, SINGLE) == expected
    assert floats.convert("RNE", bits(1e300), DOUBLE, SINGLE) == 0x7F800000
    assert floats.convert("RTZ", bits(1e300), DOUBLE, SINGLE) == 0x7F7FFFFF


def test_division_by_zero() -> None:
    assert floats.div("RNE", bits(1.0), bits(-0.0), DOUBLE) == bits(-math.inf)
    assert floats.div("RNE", bits(0.0), bits(0.0), DOUBLE) == bits(math.nan)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("RNE", [2, 2, 3, -2, -2, -3]),
        ("RNA", [2, 3, 3, -2, -3, -3]),
        ("RTP", [3, 3, 3, -2, -2, -2]),
        ("RTN", [2, 2, 2, -3, -3, -3]),
        ("RTZ", [2, 2, 2, -2, -2, -2]),
    ],
)
def test_rounding_to_integers(mode: str, expected: list[int]) -> None:
    inputs = [Fraction(n, 4) for n in (9, 10, 11, -9, -10, -11)]
    assert [floats.round_to_integer(x, mode) for x in inputs] == expected


def test_sums_that_cancel_are_negative_zero_only_when_rounding_down() -> None:
    one, minus = bits(1.0), bits(-1.0)
    assert floats.add("RNE", one, minus, DOUBLE) == bits(0.0)
    assert floats.add("RTN", one, minus, DOUBLE) == bits(-0.0)
    assert floats.add("RTN", bits(0.0), bits(0.0), DOUBLE) == bits(0.0)
    assert floats.add("RNE", bits(-0.0), bits(-0.0), DOUBLE) == bits(-0.0)


def test_minimum_of_two_zeros_is_open() -> None:
    assert floats.minimum(bits(0.0), bits(-0.0), DOUBLE) is None
    assert floats.maximum(bits(-0.0), bits(0.0), DOUBLE) is None
    assert floats.minimum(bits(math.nan), bits(1.0), DOUBLE) == bits(1.0)
    assert floats.maximum(bits(-3.0), bits(1.0), DOUBLE) == bits(1.0)


def test_huge_exponents_are_refused() -> None:
    with pytest.raises(Undecided):
        floats.add("RNE", 1, 1, Float(4, 60))
