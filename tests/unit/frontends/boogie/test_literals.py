from __future__ import annotations

import struct
from fractions import Fraction

import pytest

from paddock.frontends.boogie.literals import BadLiteral, bitvector, float_bits, integer, real
from paddock.ir.expr import Lit
from paddock.ir.lexical import literal_text
from paddock.ir.types import Bv, Float

SINGLE = Float(24, 8)


def test_integers_of_any_length() -> None:
    assert integer("007") == 7
    assert integer("1" + "0" * 10_000) == 10**10_000


def test_reals_are_exact() -> None:
    assert real("1e5") == 100_000
    assert real("1.5e-3") == Fraction(3, 2000)
    assert real("0.1") == Fraction(1, 10)
    with pytest.raises(BadLiteral, match="too large"):
        real("1e999999999999")


def test_bitvectors_fit_their_width() -> None:
    assert bitvector("255bv8") == (255, Bv(8))
    assert bitvector("0bv0") == (0, Bv(0))
    with pytest.raises(BadLiteral, match="256 does not fit in bv8"):
        bitvector("256bv8")
    with pytest.raises(BadLiteral, match="not supported"):
        bitvector("1bv99999999999999999999")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x1.0e0f24e8", 1.0),
        ("0x1.8e0f24e8", 1.5),
        ("0x1.8e1f24e8", 24.0),
        ("0x0.0e0f24e8", 0.0),
        ("0x10.0e-1f24e8", 1.0),
        ("0xf.ee0f24e8", 15.875),
        ("0x1.ee0e0f24e8", 0x1EE0 / 0x1000),  # only the last e is the exponent's mark
        ("0x0.FFFFFFe32f24e8", 3.4028234663852886e38),
        ("0x0.8e-37f24e8", 2.0**-149),
        ("0x0.4e-31f24e8", 2.0**-126),
        ("0+oo24e8", float("inf")),
        ("0-oo24e8", float("-inf")),
    ],
)
def test_float_bits_are_those_of_the_machine(text: str, value: float) -> None:
    (expected,) = struct.unpack("<I", struct.pack("<f", value))
    assert float_bits(text, negative=False) == (expected, SINGLE)
    if "oo" not in text:
        assert float_bits(text, negative=True) == (expected | 1 << 31, SINGLE)


def test_nan_is_quiet_and_positive() -> None:
    assert float_bits("0NaN24e8", negative=False) == float_bits("0nan24e8", negative=False) == (0x7FC00000, SINGLE)


@pytest.mark.parametrize("text", ["0x1.0000001e0f24e8", "0x1.0e32f24e8", "0x0.4e-37f24e8", "0x1.1e0f4e8"])
def test_inexact_floats_are_refused(text: str) -> None:
    with pytest.raises(BadLiteral, match="no exact value"):
        float_bits(text, negative=False)


def test_float_sizes() -> None:
    assert float_bits("0x1.8e0f53e11", negative=False) == (0x3FF8000000000000, Float(53, 11))
    with pytest.raises(BadLiteral, match="not a type"):
        float_bits("0x1.8e0f1e8", negative=False)
    with pytest.raises(BadLiteral, match="not a type"):
        float_bits("0NaN24e99999999999", negative=False)


@pytest.mark.parametrize("bits", [0, 1, 0x7FFFFF, 0x800000, 0x3F800001, 0x42280000, 0x7F7FFFFF, 0x7F800000])
def test_printed_floats_read_back(bits: int) -> None:
    assert float_bits(literal_text(Lit(bits, SINGLE)), negative=False) == (bits, SINGLE)
