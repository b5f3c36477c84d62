"""Identifiers and literals as text."""

from __future__ import annotations

import struct
from fractions import Fraction

import pytest

from paddock.ir.expr import Lit, LiteralValue
from paddock.ir.lexical import is_identifier, is_string, literal_text, quotable, quoted, unescaped
from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Type

SINGLE = Float(24, 8)


@pytest.mark.parametrize("name", ["x", "$M.0", "a'b", "~t", "^x", "#1", "_", "?", "`", ".L", "x@y"[:1], "bv32"])
def test_identifiers(name: str) -> None:
    assert is_identifier(name)


@pytest.mark.parametrize("name", ["", "1x", "a b", "a-b", "ä", "x@1", "x\n", "\\x", "a:b"])
def test_what_is_no_identifier(name: str) -> None:
    assert not is_identifier(name)


def test_keywords_are_quoted() -> None:
    assert quoted("assert") == "\\assert"
    assert quoted("RNE") == "\\RNE"
    assert quoted("asserted") == "asserted"


@pytest.mark.parametrize(
    ("text", "good"), [("a b", True), ('a\\"b', True), ("a\\", False), ('a"b', False), ("a\n", False)]
)
def test_strings(text: str, good: bool) -> None:
    assert is_string(text) is good


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (True, BOOL, "true"),
        (False, BOOL, "false"),
        (0, INT, "0"),
        (10**30, INT, "1" + "0" * 30),
        (5, Bv(32), "5bv32"),
        (0, Bv(0), "0bv0"),
        (Fraction(3), REAL, "3.0"),
        (Fraction(0), REAL, "0.0"),
        (Fraction(1, 8), REAL, "0.125"),
        (Fraction(1, 10**9), REAL, "0.000000001"),
        (Fraction(12345, 100), REAL, "123.45"),
        ("RTZ", RMODE, "RTZ"),
        ('say \\"hi\\"', STRING, '"say \\"hi\\""'),
        (0x3FC00000, SINGLE, "0x1.8e0f24e8"),
        (0xBFC00000, SINGLE, "-0x1.8e0f24e8"),
        (0x41800000, SINGLE, "0x1.0e1f24e8"),
        (0x3D000000, SINGLE, "0x8.0e-2f24e8"),
        (0x7F7FFFFF, SINGLE, "0xF.FFFFFe31f24e8"),
        (0x00000001, SINGLE, "0x8.0e-38f24e8"),
        (0x80000000, SINGLE, "-0x0.0e0f24e8"),
        (0x7F800000, SINGLE, "0+oo24e8"),
        (0xFF800000, SINGLE, "0-oo24e8"),
        (0x7FC00000, SINGLE, "0NaN24e8"),
        (0b0011, Float(2, 2), "0x1.8e0f2e2"),
    ],
)
def test_literals(value: LiteralValue, type_: Type, text: str) -> None:
    assert literal_text(Lit(value, type_)) == text


def test_numbers_longer_than_python_converts() -> None:
    text = literal_text(Lit(7 * 10**6000 + 5, INT))
    assert (len(text), text[0], text[-1]) == (6001, "7", "5")
    assert literal_text(Lit(Fraction(1, 10**6000), REAL)) == "0." + "0" * 5999 + "1"


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(-1, 2)])
def test_reals_that_cannot_be_written(value: Fraction) -> None:
    with pytest.raises(ValueError, match="finitely many decimals"):
        literal_text(Lit(value, REAL))


@pytest.mark.parametrize(
    "number", [1.0, -1.0, 0.1, 1e300, 5e-324, 2.2250738585072014e-308, 3.141592653589793, -2.5e-17]
)
def test_floats_are_exact(number: float) -> None:
    (bits,) = struct.unpack(">Q", struct.pack(">d", number))
    text = literal_text(Lit(bits, Float(53, 11)))
    sign, rest = (-1, text[1:]) if text[0] == "-" else (1, text)
    digits, power = rest.removeprefix("0x").removesuffix("f53e11").split("e")
    whole, part = digits.split(".")
    value = sign * Fraction(int(whole + part, 16), 16 ** len(part)) * Fraction(16) ** int(power)
    assert value == Fraction(number)


@pytest.mark.parametrize("text", ['x && "no"', "'\\\\n'", '"\\\\"', "plain", ""])
def test_texts_between_quotation_marks(text: str) -> None:
    assert is_string(quotable(text))
    assert unescaped(quotable(text)) == text
