"""Expressions as far as their variables are known; each case is an expression over x, y (int), p (bool) and b (bv8)."""

from __future__ import annotations

import pytest

from paddock.analysis.known_values import Evaluator, conjuncts
from paddock.ir.build import and_, arith, eq, int_lit, not_, or_
from paddock.ir.expr import Expr, Op, Var
from paddock.ir.program import global_var
from paddock.ir.stmt import Assume
from paddock.ir.types import BOOL, INT, Bv
from tests.unit.passes.transforming import program, statements

DECLARATIONS = """
    var x, y, z: int;
    var p, q: bool;
    var b, c: bv8;
    var m: [int]int;
    var r: real;
    const N: int;
    const M: int;
    const K: int;
    axiom N == 27 && M == N + 1;
    axiom K > 5;
    function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8): bv8;
    function {:bvbuiltin "bvsub"} sub(a: bv8, b: bv8): bv8;
    function {:bvbuiltin "bvult"} ult(a: bv8, b: bv8): bool;
    function {:bvbuiltin "bvslt"} slt(a: bv8, b: bv8): bool;
    function {:bvbuiltin "bvudiv"} udiv(a: bv8, b: bv8): bv8;
    function {:builtin "(_ sign_extend 8)"} signed(a: bv8): bv16;
    function {:builtin "(_ zero_extend 8)"} unsigned(a: bv8): bv16;
    function {:bvbuiltin "sign_extend 8"} old_extend(a: bv8): bv16;
    function {:builtin "(_ extract 7 0)"} low(a: bv16): bv8;
    function {:builtin "bvlshr"} shift(a: bv8, b: bv8): bv8;
    function {:builtin "bv2nat"} number(a: bv8): int;
    function {:builtin "(_ int2bv 8)"} bits(a: int): bv8;
    function {:builtin "(some thing)"} other_built_in(a: bv8): bv8;
    function {:builtin "MapConst"} all(a: int): [int]int;
    function {:inline} less(a: int, b: int): int { if a < b then 1 else 0 }
    function twice(a: int): int { a + a }
    function four_times(a: int): int { twice(twice(a)) }
    function endless(a: int): int { endless(a - 1) }
    function unknown(a: int): int;
    procedure main() { assume CONDITION; }
"""
KNOWN = {
    global_var("x", INT): 7,
    global_var("y", INT): -3,
    global_var("p", BOOL): True,
    global_var("b", Bv(8)): 250,
}


def condition(text: str) -> tuple[Evaluator, Expr]:
    read = program(DECLARATIONS.replace("CONDITION", text))
    (statement,) = statements(read, "main")
    assert isinstance(statement, Assume)
    return Evaluator(read), statement.condition


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x == 7", True),
        ("x + y * 2 - 1 == 0", True),
        ("-x < y", True),
        ("x <= y || x >= 8 || x > 7 || x != 7", False),
        ("x div 2 == 3 && y div 2 == -2 && x div y == -2 && y div -2 == 2", True),
        ("x mod 2 == 1 && y mod 2 == 1 && y mod -2 == 1 && x mod y == 1", True),
        ("x div 0 == x div 0", None),
        ("x mod 0 == 0", None),
        ("p ==> x == 7", True),
        ("p <==> !p", False),
        ("z == z", None),
        ("z < 5", None),
        ("z < 5 && x == 8", False),
        ("z < 5 || x == 7", True),
        ("z < 5 ==> x == 7", True),
        ("x == 8 ==> z < 5", True),
        ("p ==> q", None),
        ("(if p then x else z) == 7", True),
        ("(if q then x else 7) == 7", True),
        ("(if q then x else z) == 7", None),
        ("m[0] == 0", None),
        ("(forall i: int :: i == i)", None),
        ("r == r", None),
        ("1.0 == 1.0", None),
        ("N == 27 && M == 28", True),
        ("K == 6", None),
        ("less(x, 8) == 1 && less(8, x) == 0", True),
        ("four_times(x) == 28", True),
        ("endless(x) == 0", None),
        ("unknown(x) == 0", None),
        ("add(b, 10bv8) == 4bv8 && sub(0bv8, b) == 6bv8", True),
        ("ult(b, 10bv8)", False),
        ("slt(b, 10bv8)", True),
        ("slt(c, 10bv8)", None),
        ("udiv(b, 10bv8) == 25bv8", True),
        ("signed(b) == 65530bv16 && unsigned(b) == 250bv16 && old_extend(b) == 65530bv16", True),
        ("low(signed(b)) == b && signed(b)[8:0] == b && signed(b)[16:8] == 255bv8 && 1bv4 ++ 2bv4 == 18bv8", True),
        ("shift(b, 2bv8) == 62bv8 && number(b) == 250 && bits(258) == 2bv8 && signed(c) == 0bv16", None),
        ("shift(b, 2bv8) == 62bv8 && number(b) == 250 && bits(258) == 2bv8", True),
        ("other_built_in(b) == 0bv8", None),
        ("m[3 := 4][3] == 4 && m[3 := 4][x := 5][7] == 5", True),
        ("m[3 := 4][4] == 0", None),
        ("m[3 := 4][z := 5][3] == 4", None),
        ("m[3 := z][3] == 4", None),
        ("all(5)[x] == 5 && all(5)[3 := 4][3] + all(5)[3 := 4][2] == 9", True),
        ("all(5) == all(5)", True),
        ("all(5) == all(6) || all(5) != all(6)", None),  # only the same maps are known to be equal
    ],
)
def test_values(text: str, expected: bool | None) -> None:
    evaluator, expr = condition(text)
    assert evaluator.value(expr, KNOWN) is expected


def zeros(count: int) -> tuple[Expr, dict[Var, int]]:
    """That many variables are all 0, and indeed they are."""
    vars_ = [global_var(f"v{n}", INT) for n in range(count)]
    return and_(*[eq(v, int_lit(0)) for v in vars_]), dict.fromkeys(vars_, 0)


def test_large_expressions_are_not_worth_it() -> None:
    evaluator, _ = condition("true")
    assert evaluator.value(*zeros(10)) is True
    assert evaluator.value(*zeros(1000)) is None


def test_large_numbers_are_not_worth_it() -> None:
    evaluator, _ = condition("true")
    number: Expr = int_lit(2)
    for _ in range(7):
        number = arith(Op.MUL, number, number)
    assert evaluator.value(number, {}) == 2**128
    for _ in range(30):
        number = arith(Op.MUL, number, number)
    assert evaluator.value(number, {}) is None


def test_a_function_that_grows_when_it_is_unfolded() -> None:
    functions = "".join(f"function f{n + 1}(a: int): int {{ f{n}(a) + f{n}(a + 1) }} " for n in range(30))
    read = program(f"function f0(a: int): int {{ a }} {functions} procedure main() {{ assume f30(1) == 0; }}")
    (statement,) = statements(read, "main")
    assert isinstance(statement, Assume)
    assert Evaluator(read).value(statement.condition, {}) is None


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("z == x + 1", {"z": 8}),
        ("x + 1 == z", {"z": 8}),
        ("q", {"q": True}),
        ("!q", {"q": False}),
        ("q <==> p", {"q": True}),
        ("c == b", {"c": 250}),
        ("z == m[0]", {}),
        ("z < 5", {}),
        ("z != 5", {}),
    ],
)
def test_equalities(text: str, known: dict[str, int]) -> None:
    evaluator, expr = condition(text)
    found = {var.name: value for var, value in evaluator.equalities(expr, KNOWN)}
    assert found == known


def test_conjuncts() -> None:
    p, q, r, s = (global_var(name, BOOL) for name in "pqrs")
    assert list(conjuncts(and_(p, and_(q, r), s))) == [p, q, r, s]
    assert list(conjuncts(not_(or_(p, not_(q))))) == [not_(p), q]
    assert list(conjuncts(or_(p, q))) == [or_(p, q)]
    assert len(list(conjuncts(zeros(5_000)[0]))) == 5_000
