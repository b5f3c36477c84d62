from __future__ import annotations

import pytest

from paddock.ir.stmt import Assume
from paddock.ir.types import Named
from paddock.trace.evaluate import Evaluator
from paddock.trace.values import Env, SortValue, Undecided, map_of
from paddock.trace.world import World
from tests.unit.trace.boogie_text import program_of, value_of

DECLARATIONS = """
    datatype Color { Red(), Green(), Blue() }
    function a(int): int;
    const m0: [int]int;
    function {:builtin "bvadd"} plus(bv4, bv4): bv4;
    type T;
    function one(int): int;
    function two(int, int): int;
    function mixed(int, real): int;
    function of(T): int;
    axiom one(3) == 5 && two(3, 4) == 5;
"""


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        # All values of small types.
        ("(forall b: bool :: b || !b)", True),
        ("(exists b: bool :: b && !b)", False),
        ("(forall x: bv4, y: bv4 :: plus(x, y) == plus(y, x))", True),
        ("(forall c: Color :: c is Red || c is Green || c is Blue)", True),
        ("(exists m: [bool]bool :: m[true] && !m[false])", True),
        ("(forall m: [bool]bool :: m[true])", False),
        # All values of a range.
        ("(forall i: int :: 0 <= i && i < 100 ==> i * i < 10000)", True),
        ("(forall i: int :: 0 <= i && i < 100 ==> i != 77)", False),
        ("(forall i: int :: 0 <= i ==> i < 5 ==> i <= 4)", True),
        ("(forall i, j: int :: 0 <= i && i < 20 && 3 <= j && 10 > j ==> i * j < 180)", True),
        ("(forall i: int :: 5 <= i && i < 3 ==> false)", True),
        ("(forall i: int :: i == 4 ==> i > 3)", True),
        ("(exists i: int :: 0 < i && i <= 50 && i * i == 49)", True),
        ("(exists i: int :: 0 < i && i <= 50 && i * i == 50)", False),
        ("(forall i: int :: 0 <= i && i < 9 ==> (exists j: int :: 0 <= j && j < 9 && i + j == 8))", True),
        # One value is enough.
        ("(forall i: int :: i > 0)", False),
        ("(exists i: int :: i > 0)", True),
        ("(forall i: int :: i != 123456)", False),
        ("(exists r: real :: r > 0.5)", True),
        ("(forall i: int :: a(i) == 1)", False),
        # The variable is only compared, or looked up in maps: between what it is compared with all values are alike.
        ("(forall i: int :: 0 <= i ==> i > -1)", True),
        ("(forall i: int :: 0 <= i ==> i > 0)", False),
        ("(var m, n := m0[3 := 9], m0; (forall i: int :: i == 3 || m[i] == n[i]))", True),
        ("(var m, n := m0[3 := 9], m0; (forall i: int :: m[i] == n[i]))", False),
        ("(var m := m0[3 := 9][70 := 8]; (exists i: int :: 5 < i && m[i] == 8))", True),
        ("(var m := m0[3 := 9][70 := 8]; (exists i: int :: 5 < i && m[i] == 9))", False),
        ("(var m := m0[3 := 9]; (forall i: int :: m[i] <= 0 || m[i] > 5))", True),
        ("(var m := m0[3 := 9]; (forall i: int :: i < 3 || i > 3 ==> m[i] == 0))", True),
        # So it is with the tables of functions, here with an entry of 5 at 3 and at (3, 4), and 0 elsewhere.
        ("(forall i: int :: one(i) >= 0)", True),
        ("(forall i: int :: one(i) == 0)", False),
        ("(forall i: int :: i != 3 ==> one(i) == 0)", True),
        ("(exists i: int :: one(i) == 5 && i < 4)", True),
        ("(exists i: int :: one(i) == 5 && i < 3)", False),
        ("(forall i, j: int :: two(i, j) == 0 || one(i) == two(i, j))", True),
        ("(forall i, j: int :: two(i, j) == two(j, i))", False),
        ("(forall i: int :: two(i, 3) == 0)", True),
        ("(forall i: int, r: real :: mixed(i, r) <= one(3))", True),
        ("(forall t, u: T :: of(t) == of(u))", True),
        # Variables may be compared with each other.
        ("(forall i, j: int :: one(i) == one(j) || i != j)", True),
        ("(forall i, j: int :: one(i) == one(j) ==> i == j)", False),
        ("(forall i, j: int :: one(i) == 5 && one(j) == 5 ==> i == j)", True),
        ("(forall i, j: int :: i < j && j < 3 ==> one(i) <= one(j))", True),
        ("(forall i, j: int :: i < j ==> one(i) <= one(j))", False),
        ("(forall i, j, k: int :: i < j && j < k ==> i < k)", True),
        ("(exists i, j, k: int :: 3 < i && i < j && j < k && k < 7)", True),
        ("(exists i, j, k: int :: 3 < i && i < j && j < k && k < 6)", False),
        ("(forall i, j: int :: 0 <= i && i < 5 && i < j ==> i * i <= 16 && i != j)", True),
        ("(exists i, j: int :: 0 <= i && i < 5 && i * i == 4 && i == j && one(j) == 5)", False),
        ("(exists i, j: int :: 0 <= i && i < 5 && i * i == 9 && i == j && one(j) == 5)", True),
        ("(forall t, u: T :: of(t) == 0 && (t == u || t != u))", True),
        ("(exists t, u, v: T :: t != u && u != v && t != v)", True),
        # Quantifiers may be nested.
        ("(forall i: int :: (exists j: int :: two(i, j) == one(i)))", True),
        ("(forall i: int :: (forall j: int :: two(i, j) == one(i)))", False),
        ("(exists i: int :: (forall j: int :: two(i, j) == 0) && i > 100)", True),
        ("(forall i: int :: (var k := one(i); k >= 0))", True),
        # The quantifier need not matter.
        ("(forall i: int :: i + 0 == i) || true", True),
    ],
)
def test_decided(expr: str, value: bool) -> None:
    assert value_of(expr, "bool", DECLARATIONS) is value


@pytest.mark.parametrize(
    "expr",
    [
        "(forall i: int :: i + 1 > i)",
        "(exists i: int :: i * i == 1000)",
        "(forall i: int :: 0 <= i && i < 100000000 ==> i + 1 > i)",
        "(forall i: int, j: int :: 0 <= i && i < j ==> i < j + 1)",
        "(forall i: int :: one(i + 0) >= 0)",
        "(forall i: int :: one(i) + i >= i)",
        "(forall i: int :: (var j := i; one(j) >= 0))",
        "(forall i: int :: (exists j: int :: i == j))",
        "(forall r, s: real :: r < s || s <= r)",
        "(forall m: [int]int :: m[0] == m[0])",
    ],
)
def test_undecided(expr: str) -> None:
    with pytest.raises(Undecided, match="quantifier"):
        value_of(expr, "bool", DECLARATIONS)


def test_a_sort_with_a_finite_universe_is_enumerated() -> None:
    program = program_of("type T; function f(T): int; function probe(): bool { (forall t: T :: f(t) >= 0) }")
    sort = Named("T", ())
    body = program.function_named["probe"].body
    assert body is not None
    table = map_of(5, {(SortValue(sort, 1),): 0})
    world = World(program, functions={"f": table}, universes={sort: 2})
    assert Evaluator(world).evaluate(body, Env()) is True
    assert Evaluator(World(program, functions={"f": map_of(5, table.entries)})).evaluate(body, Env()) is True
    other = map_of(-5, {(SortValue(sort, i),): 0 for i in range(2)})
    assert Evaluator(World(program, functions={"f": other}, universes={sort: 2})).evaluate(body, Env()) is True
    assert Evaluator(World(program, functions={"f": other})).evaluate(body, Env()) is False


def test_what_is_looked_up_in_the_past_was_so_in_the_past() -> None:
    program = program_of(
        "var m: [int]int; procedure p() { assume (forall i: int :: old(m[i]) == 0 && i != old(m[9])); }"
    )
    body = program.procedure_named["p"].body
    assert body is not None
    (statement,) = body.blocks[0].statements
    assert isinstance(statement, Assume)
    past = {(5,): 7, (9,): -1}
    for entries, expected in ((past, False), ({(9,): -1}, False), ({}, False)):
        env = Env(globals={"m": map_of(0, {})}, old={"m": map_of(0, entries)})
        assert Evaluator(World(program)).evaluate(statement.condition, env) is expected


def test_fuel_bounds_nested_quantifiers() -> None:
    nested = "true"
    for name in "abc":
        nested = f"(forall {name}: int :: 0 <= {name} && {name} < 1000 ==> {name} + 1 > {name} && {nested})"
    with pytest.raises(Undecided, match="too many steps"):
        value_of(nested, "bool", fuel=5_000)
