from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Map, Named, Type
from paddock.trace.render import render
from paddock.trace.values import DataValue, MapValue, SortValue, Value
from tests.unit.trace.boogie_text import program_of, value_of
from tests.unit.trace.test_values import CONS, LIST, NIL, long_list

T = Named("T", ())


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (True, BOOL, "true"),
        (-3, INT, "-3"),
        (5, Bv(32), "5bv32"),
        (Fraction(3, 2), REAL, "1.5"),
        (Fraction(-1, 8), REAL, "-0.125"),
        (Fraction(2), REAL, "2.0"),
        (Fraction(1, 3), REAL, "1/3"),
        ("RNE", RMODE, "RNE"),
        ("ab", STRING, '"ab"'),
        (SortValue(T, 2), T, "T!2"),
        (0x3FC00000, Float(24, 8), "1.5"),
        (0x80000000, Float(24, 8), "-0.0"),
        (0x7FC00000, Float(24, 8), "NaN"),
        (0x7F800000, Float(24, 8), "+oo"),
        (0xFF800000, Float(24, 8), "-oo"),
        (MapValue(0).store((1,), 5).store((0,), 1), Map((INT,), INT), "[0 -> 1, 1 -> 5, else -> 0]"),
        (MapValue(False).store((1, 2), True), Map((INT, Bv(8)), BOOL), "[1, 2bv8 -> true, else -> false]"),
        (MapValue(MapValue(0)), Map((INT,), Map((INT,), INT)), "[else -> [else -> 0]]"),
        (DataValue(CONS, (1, DataValue(NIL))), LIST, "Cons(1, Nil())"),
    ],
)
def test_render(value: Value, type_: Type, text: str) -> None:
    assert render(value, type_) == text


def test_float_wider_than_binary64_is_shown_exactly() -> None:
    # 1 + 2**-100 in the format of 128 bits
    bits = (0x3FFF << 112) | 1 << 12
    assert render(bits, Float(113, 15)) == f"0x1.{1:025x}e0f113e15"


def test_a_lambda_shows_its_text() -> None:
    value = value_of("(lambda x: int :: x + 1)[3 := 4]", "[int]int")
    assert render(value, Map((INT,), INT)) == "[3 -> 4, else -> (lambda x: int :: x + 1)]"


def test_a_long_list_is_rendered_without_recursion() -> None:
    assert render(long_list(5_000), LIST).count("Cons") == 5_000


def test_sorts_with_arguments() -> None:
    sort = program_of("type Box a; const c: Box int;").constants[0].var.type
    assert render(SortValue(sort, 1), sort) == "Box int!1"
