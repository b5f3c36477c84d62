"""How the text of a builtin is read; the property tests compare what the functions compute with Z3."""

from __future__ import annotations

import pytest

from paddock.ir.program import Program
from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Map, Type
from paddock.trace.builtins import operation
from paddock.trace.values import Index, MapValue, Undecided, Value, map_of
from paddock.trace.world import World
from tests.unit.trace.test_values import constant_lambda

M = Map((INT,), INT)
P = Map((INT,), BOOL)
F = Float(24, 8)
WORLD = World(Program(), unspecified={("div", (7,)): 3, ("rem", (7,)): 4, ("(_ fp.to_ubv 8)", ("RNE", 0x7FC00000)): 9})


def apply(text: str, params: list[Type], result: Type, *args: Value) -> Value:
    return operation(text, params, result)(WORLD, args)


@pytest.mark.parametrize(
    ("text", "params", "result", "args", "expected"),
    [
        ("sign_extend 4", [Bv(4)], Bv(8), (15,), 255),
        ("zero_extend 4", [Bv(4)], Bv(8), (15,), 15),
        ("(_ sign_extend 4)", [Bv(4)], Bv(8), (9,), 0xF9),
        ("nat2bv", [INT], Bv(4), (17,), 1),
        ("fp.add RNE", [F, F], F, (0x3F800000, 0x3F800000), 0x40000000),
        ("fp.add roundNearestTiesToEven", [F, F], F, (0x3F800000, 0x3F800000), 0x40000000),
        ("(_ to_fp 8 24) RTZ", [INT], F, (2,), 0x40000000),
        ("(_ +oo 8 24)", [], F, (), 0x7F800000),
        ("(_ -zero 8 24)", [], F, (), 0x80000000),
        ("(_ divisible 3)", [INT], BOOL, (9,), True),
        ("div", [INT, INT], INT, (7, 0), 3),
        ("rem", [INT, INT], INT, (7, 0), 4),
        ("mod", [INT, INT], INT, (7, 0), 0),
        ("(_ fp.to_ubv 8)", [RMODE, F], Bv(8), ("RNE", 0x7FC00000), 9),
        ("str.to.int", [STRING], INT, ("42",), 42),
        ("str.replace_all", [STRING, STRING, STRING], STRING, ("aba", "a", "c"), "cbc"),
    ],
)
def test_forms(text: str, params: list[Type], result: Type, args: Index, expected: Value) -> None:
    assert apply(text, params, result, *args) == expected


ONE = map_of(1, {(0,): 5})
TWO = map_of(2, {(1,): 0})


@pytest.mark.parametrize(
    ("text", "result", "expected"),
    [
        ("MapAdd", M, map_of(3, {(0,): 7, (1,): 1})),
        ("MapSub", M, map_of(-1, {(0,): 3, (1,): 1})),
        ("MapMul", M, map_of(2, {(0,): 10, (1,): 0})),
        ("MapDiv", M, map_of(0, {(0,): 2, (1,): 0})),
        ("MapMod", M, map_of(1, {(0,): 1, (1,): 0})),
        ("MapEq", P, MapValue(False)),
        ("MapGt", P, map_of(False, {(0,): True, (1,): True})),
        ("MapGe", P, map_of(False, {(0,): True, (1,): True})),
        ("MapLt", P, map_of(True, {(0,): False, (1,): False})),
        ("MapLe", P, map_of(True, {(0,): False, (1,): False})),
        ("(_ map (+ (Int Int) Int))", M, map_of(3, {(0,): 7, (1,): 1})),
    ],
)
def test_maps_of_integers(text: str, result: Type, expected: Value) -> None:
    assert apply(text, [M, M], result, ONE, TWO) == expected


def test_maps_of_booleans() -> None:
    p, q = map_of(True, {(0,): False}), map_of(False, {(1,): True})
    assert apply("MapAnd", [P, P], P, p, q) == map_of(False, {(1,): True})
    assert apply("MapOr", [P, P], P, p, q) == map_of(True, {(0,): False})
    assert apply("(_ map or)", [P, P], P, p, q) == map_of(True, {(0,): False})
    assert apply("MapImp", [P, P], P, p, q) == map_of(False, {(0,): True, (1,): True})
    assert apply("MapIff", [P, P], P, p, q) == map_of(False, {(0,): True, (1,): True})
    assert apply("MapNot", [P], P, p) == map_of(False, {(0,): True})
    assert apply("MapIte", [P, M, M], M, p, ONE, TWO) == map_of(1, {(0,): 2})
    assert apply("MapConst", [INT], M, 7) == MapValue(7)
    assert apply("(as const (Array Int Int))", [INT], M, 7) == MapValue(7)


def test_a_lambda_is_not_used_as_a_whole() -> None:
    with pytest.raises(Undecided):
        apply("MapAdd", [M, M], M, ONE, constant_lambda())


@pytest.mark.parametrize(
    ("text", "params", "result"),
    [
        ("bvfoo", [Bv(4)], Bv(4)),
        ("", [INT], INT),
        ("(_ extract", [Bv(8)], Bv(4)),
        ("fp.add", [INT, INT], INT),
        ("(lambda x)", [INT], INT),
        ("+ x", [INT], INT),
        ("MapAdd", [INT, INT], INT),
        ("re.star", [STRING], STRING),
        ("(_ to_fp 8 24)", [REAL], F),
    ],
)
def test_unknown_functions(text: str, params: list[Type], result: Type) -> None:
    with pytest.raises(Undecided, match="builtin"):
        operation(text, params, result)
