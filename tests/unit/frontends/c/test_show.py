"""Values as C writes them."""

from __future__ import annotations

import struct

import pytest

from paddock.frontends.c import types as c
from paddock.frontends.c.show import Object, Presentation, Values, float_text
from paddock.frontends.c.text import condition_text
from tests.unit.frontends.c.reading import expression
from tests.unit.frontends.c.test_expressions import DECLARATIONS

POINT = c.RecordType("point", False)
FIELDS = (c.Field("x", c.INT, 0, 0), c.Field("row", c.ArrayType(c.SHORT, 4), 1, 32))
LAYOUT = c.Layout(c.LP64, {"point": c.RecordDefinition(POINT, FIELDS, 12, 4)})


def values() -> Values:
    shown = Presentation(LAYOUT, {"color": {0: "RED", 1: "GREEN"}}, function_names={16: "main"})
    shown.objects += [
        Object(4096, 4, "n", c.INT),
        Object(8192, 36, "points", c.ArrayType(POINT, 3)),
        Object(12288, 3, '"ab"', c.ArrayType(c.CHAR, 3)),
    ]
    return Values(shown)


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (0xFFFFFFFF, c.INT, "-1"),
        (0xFFFFFFFF, c.UNSIGNED_INT, "4294967295"),
        (-7, c.INT, "-7"),
        (97, c.CHAR, "'a'"),
        (10, c.CHAR, r"'\n'"),
        (39, c.CHAR, r"'\''"),
        (0x80, c.CHAR, "-128"),
        (97, c.UNSIGNED_CHAR, "97"),
        (True, c.BOOL, "1"),
        (1, c.EnumType("color", c.UNSIGNED_INT), "GREEN"),
        (5, c.EnumType("color", c.UNSIGNED_INT), "5"),
    ],
)
def test_numbers(value: int, type_: c.CType, text: str) -> None:
    assert values().text(value, type_) == text


@pytest.mark.parametrize(
    ("address", "target", "text"),
    [
        (0, c.INT, "NULL"),
        (16, c.FunctionType(c.INT, (), False, True), "main"),
        (4096, c.INT, "&n"),
        (4098, c.CHAR, "&n + 2 bytes"),
        (4100, c.INT, "&n + 4 bytes"),
        (8192, POINT, "points"),
        (8192, c.INT, "&points[0].x"),
        (8192, c.VOID, "points"),
        (8204, POINT, "&points[1]"),
        (8204, c.INT, "&points[1].x"),
        (8208, c.SHORT, "points[1].row"),
        (8210, c.SHORT, "&points[1].row[1]"),
        (8228, POINT, "&points[3]"),
        (12288, c.CHAR, '"ab"'),
        (20000, c.INT, "(int *)0x4e20"),
    ],
)
def test_pointers(address: int, target: c.CType, text: str) -> None:
    assert values().text(address, c.PointerType(target)) == text


def test_objects_that_come_to_life() -> None:
    shown = values()
    shown.add_object(Object(9000, 24, "heap1", c.VOID))
    assert shown.text(9000, c.PointerType(c.INT)) == "heap1"
    assert shown.text(9008, c.PointerType(c.INT)) == "&heap1[2]"
    shown.add_object(Object(9000, 12, "heap2", POINT))  # where another one was
    assert shown.text(9000, c.PointerType(POINT)) == "&heap2"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1, "0.1"), (3.0, "3.0"), (-1.5e30, "-1.5e+30"), (1e-45, "1e-45"), (float("inf"), "INFINITY"), (-0.0, "-0.0")],
)
def test_floats(value: float, text: str) -> None:
    assert float_text(struct.unpack("<I", struct.pack("<f", value))[0], c.FLOAT) == text


def test_doubles() -> None:
    for value in (0.1, 5e-324, -1.7976931348623157e308):
        assert float_text(struct.unpack("<Q", struct.pack("<d", value))[0], c.DOUBLE) == repr(value)
    assert float_text(0x7FF8000000000000, c.DOUBLE) == "NAN"


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("x < y", "x >= y"),
        ("x", "!x"),
        ("!x", "x"),
        ("d < 1.0", "!(d < 1.0)"),
        ("x && y", "!(x && y)"),
        ("p == NULL", "p != NULL"),
    ],
)
def test_conditions(text: str, opposite: str) -> None:
    condition = expression(text.replace("NULL", "(void *)0"), DECLARATIONS)
    assert condition_text(condition, True) == text
    assert condition_text(condition, False) == opposite
