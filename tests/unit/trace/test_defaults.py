from __future__ import annotations

from paddock.trace.defaults import default_world
from paddock.trace.interpreter import Interpreter
from tests.unit.trace.boogie_text import program_of

PROGRAM = program_of(
    """
    const a, b, c, d, e, f: int;
    const p: bool;
    function twice(x: int): int { 2 * x }
    axiom c == twice(b) && 1 == 1;
    axiom b == a + 1;
    axiom 4 == a;
    axiom d == e;
    axiom f == f + 0;
    axiom p <==> a > 3;
    function and(int, int): int;
    axiom and(1, 1) == 1;
    axiom 7 == and(a, b + 1);
    axiom (forall x: int :: and(x, 0) == 0);
    """
)


def test_constants_are_as_axioms_define_them_in_any_order() -> None:
    world = default_world(PROGRAM)
    assert [world.constant(name) for name in "abc"] == [4, 5, 10]
    assert world.constant("p") is True
    assert world.constant("f") == 0


def test_functions_have_the_values_that_axioms_give() -> None:
    world = default_world(PROGRAM)
    assert [world.function("and", args) for args in ((1, 1), (4, 6), (1, 0))] == [1, 7, 0]


def test_the_interpreter_starts_from_that_world() -> None:
    assert Interpreter(PROGRAM).check_axioms() == []
