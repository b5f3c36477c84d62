"""Values in the notations of different solvers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.solvers.sexpr import parse
from paddock.solvers.smtlib.values import Definition, ValueReader
from paddock.solvers.sorts import (
    BOOL,
    INT,
    REAL,
    ROUNDING_MODE,
    STRING,
    ArraySort,
    BitVecSort,
    DatatypeSort,
    FloatSort,
    Sort,
    UninterpretedSort,
)
from paddock.solvers.values import ArrayValue, DataValue, ElementValue, FunctionTable, OpaqueValue, Value

F16 = FloatSort(5, 11)
LIST = DatatypeSort("List")
PAIRS = ArraySort((INT, INT), INT)
CONSTRUCTORS = {"nil": ("nil", ()), "my cons": ("cons", (INT, LIST))}
DEFINITIONS = {"k!0": Definition(("x!0",), parse("(ite (= x!0 2) 5 7)")[0])}


def reader() -> ValueReader:
    return ValueReader(CONSTRUCTORS, DEFINITIONS.get)


@pytest.mark.parametrize(
    ("text", "sort", "expected"),
    [
        ("true", BOOL, True),
        ("5", INT, 5),
        ("-5", INT, -5),
        ("(- 5)", INT, -5),
        ("5.0", REAL, Fraction(5)),
        ("5", REAL, Fraction(5)),
        ("0.25", REAL, Fraction(1, 4)),
        ("(/ 1 3)", REAL, Fraction(1, 3)),
        ("(- (/ 1.0 3.0))", REAL, Fraction(-1, 3)),
        ("(/ (- 1) 3)", REAL, Fraction(-1, 3)),
        ("#b0101", BitVecSort(4), 5),
        ("#xfF", BitVecSort(8), 255),
        ("(_ bv7 8)", BitVecSort(8), 7),
        ("(fp #b1 #b01111 #b1000000000)", F16, 0xBE00),
        ("(fp #b1 #b11111 #b1000000001)", F16, 0x7E00),
        ("(_ +oo 5 11)", F16, 0x7C00),
        ("(_ -zero 5 11)", F16, 0x8000),
        ("(_ NaN 5 11)", F16, 0x7E00),
        ("RNA", ROUNDING_MODE, "RNA"),
        ("roundTowardPositive", ROUNDING_MODE, "RTP"),
        ('"a""b"', STRING, 'a"b'),
        ("T!val!3", UninterpretedSort("T"), ElementValue("T", 3)),
        ("(as @T_0 T)", UninterpretedSort("T"), ElementValue("T", 0)),
        ("(as |@_my T__12| |my T|)", UninterpretedSort("my T"), ElementValue("my T", 12)),
        ("nil", LIST, DataValue("nil")),
        ("(as nil List)", LIST, DataValue("nil")),
        ("(|my cons| 1 (as nil List))", LIST, DataValue("cons", (1, DataValue("nil")))),
        ("((as |my cons| List) (- 1) nil)", LIST, DataValue("cons", (-1, DataValue("nil")))),
        ("((as const (Array Int Int)) 4)", ArraySort((INT,), INT), ArrayValue(4, {})),
        ("(store (store ((as const A) 4) 1 5) 1 6)", ArraySort((INT,), INT), ArrayValue(4, {(1,): 6})),
        ("(store ((as const A) 4) (tuple2 1 2) 6)", PAIRS, ArrayValue(4, {(1, 2): 6})),
        ("(_ as-array k!0)", ArraySort((INT,), INT), ArrayValue(7, {(2,): 5})),
        ("(lambda ((x Int)) (ite (= x 2) 5 7))", ArraySort((INT,), INT), ArrayValue(7, {(2,): 5})),
        ("(let ((a!1 ((as const A) 4))) (store a!1 1 5))", ArraySort((INT,), INT), ArrayValue(4, {(1,): 5})),
    ],
    ids=str,
)
def test_notations(text: str, sort: Sort, expected: Value) -> None:
    value = reader().read(parse(text)[0], sort)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("maybe", BOOL),
        ("(root-obj (+ (^ x 2) (- 2)) 1)", REAL),
        ("(/ 1 0)", REAL),
        ("#b012", BitVecSort(3)),
        ("(fp #b0 x #b0)", F16),
        ("RNX", ROUNDING_MODE),
        ("unquoted", STRING),
        ("T!val!x", UninterpretedSort("T")),
        ("(cons 1 nil)", LIST),
        ("(|my cons| 1)", LIST),
        ("(store a 1 2)", ArraySort((INT,), INT)),
        ("(_ as-array k!9)", ArraySort((INT,), INT)),
        ("(lambda ((x Int)) (+ x 1))", ArraySort((INT,), INT)),
        ("(store ((as const A) 4) (tuple2 1) 6)", PAIRS),
        ("()", INT),
    ],
    ids=str,
)
def test_what_is_not_understood_is_opaque(text: str, sort: Sort) -> None:
    assert reader().read(parse(text)[0], sort) == OpaqueValue(text)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("7", FunctionTable({}, 7)),
        ("(ite (and (= x 1) (= 2 y)) 5 7)", FunctionTable({(1, 2): 5}, 7)),
        ("(ite (= x 1) (ite (= y 2) 5 7) 7)", FunctionTable({(1, 2): 5}, 7)),
        ("(ite (= x 1) (ite (= y 2) 5 6) 7)", FunctionTable({}, OpaqueValue("(ite (= x 1) (ite (= y 2) 5 6) 7)"))),
        ("(let ((c (= x 1))) (ite (and c (= y 2)) 5 7))", FunctionTable({(1, 2): 5}, 7)),
        ("(ite (< x y) 5 7)", FunctionTable({}, OpaqueValue("(ite (< x y) 5 7)"))),
        ("(+ x y)", FunctionTable({}, OpaqueValue("(+ x y)"))),
        # The first row that fits counts.
        ("(ite (and (= x 1) (= y 1)) 5 (ite (and (= x 1) (= y 1)) 6 7))", FunctionTable({(1, 1): 5}, 7)),
    ],
    ids=str,
)
def test_functions(body: str, expected: FunctionTable) -> None:
    definition = Definition(("x", "y"), parse(body)[0])
    assert reader().function(definition, [INT, INT], INT) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("(= x 7)", {7: True, 8: False}),
        ("(not (= x 7))", {7: False, 8: True}),
        ("(or (= x 7) (= 8 x) (= x 9))", {6: False, 7: True, 8: True, 9: True}),
        ("false", {7: False}),
    ],
    ids=str,
)
def test_predicates(body: str, expected: dict[int, bool]) -> None:
    table = reader().function(Definition(("x",), parse(body)[0]), [INT], BOOL)
    assert {x: table.entries.get((x,), table.default) for x in expected} == expected


def test_functions_of_booleans() -> None:
    table = reader().function(
        Definition(("p", "q"), parse("(ite p (ite (not q) 1 2) (ite q 3 4))")[0]), [BOOL] * 2, INT
    )
    arguments = [(True, False), (True, True), (False, True), (False, False)]
    assert [table.entries.get(args, table.default) for args in arguments] == [1, 2, 3, 4]
