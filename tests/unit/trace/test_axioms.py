"""What a run has seen of functions is held against the axioms."""

from __future__ import annotations

import pytest

from paddock.trace.axioms import Observed, doubt
from paddock.trace.values import MapValue, map_of
from paddock.trace.world import World
from tests.unit.trace.boogie_text import program_of

DECLARATIONS = "function f(int): int; function g(int): int; function h(int, int): int; const c: int;\n"


def doubts(axioms: str, f: MapValue, seen: list[int], g: MapValue | None = None) -> str:
    """The doubt after `f`, and the same of `g` if there is one, was looked up at some points."""
    program = program_of(DECLARATIONS + axioms)
    functions = {"f": f} if g is None else {"f": f, "g": g}
    world = Observed(World(program, functions=functions, constants={"c": 7}))
    for name in functions:
        for point in seen:
            world.function(name, (point,))
    return doubt(program, world)


@pytest.mark.parametrize(
    "axiom",
    [
        "(forall i: int :: {f(i)} f(i) > 0)",
        "(forall i: int :: {f(i)} f(i) > i)",
        "(forall i: int :: f(i) == i + 2)",
        "(forall i, j: int :: {f(i), f(j)} i < j ==> f(i) < f(j))",
        "(forall i: int, j: int :: h(i, j) == 0 && f(i) > 0)",
        "f(3) == 1",
        "c > 0 && (forall i: int :: i < c ==> f(i) > 0)",
    ],
)
def test_what_is_false_of_what_was_seen(axiom: str) -> None:
    table = map_of(0, {(3,): -1, (4,): -2})
    assert doubts(f"axiom {axiom};", table, [3, 4]) == "the axiom at test.bpl:2:1 is false"
    assert doubts(f"axiom {axiom};", table, []) == ""  # elsewhere, functions may be anything


@pytest.mark.parametrize(
    "axiom",
    [
        "(forall i: int :: {f(i)} f(i) == i)",  # not so of 0 as the value everywhere else
        "(forall i: int :: {f(i)} f(f(i)) == f(i))",
        "(forall i: int :: {h(i, 0)} h(i, 0) == f(i) + 1)",
        "(forall i: int :: f(f(i)) == f(i) + g(i))",
        "(exists i: int :: f(i) == 1000)",
        "(forall i: int :: (exists j: int :: f(j) > f(i)))",
    ],
)
def test_what_may_be_true(axiom: str) -> None:
    assert doubts(f"axiom {axiom};", map_of(0, {(3,): 3, (-4,): -4}), [3, -4]) == ""


def test_an_axiom_that_nothing_triggers() -> None:
    axioms = "axiom (forall i: int :: {g(i)} f(i) > h(i, i));"
    table = map_of(-9, {(3,): 1})
    why = "nothing in it triggers the axiom at test.bpl:2:1"
    assert doubts(axioms, table, [3]) == why
    assert doubts(axioms, map_of(9, {(3,): 1}), [3]) == ""  # it is true everywhere
    assert doubts(axioms, table, []) == ""  # it is about nothing that was seen
    assert doubts(axioms, table, [3], g=table) == ""  # the solver has seen to it
    assert doubts(axioms.replace("{g(i)}", "{g(i)} {f(i)}"), table, [3]) == ""
    assert doubts(axioms.replace("{g(i)}", "{h(i, i)}"), table, [3]) == ""


def test_values_come_from_the_world_that_is_observed() -> None:
    program = program_of(DECLARATIONS)
    inner = World(program, functions={"f": map_of(4, {(1,): 5})}, unspecified={("div", (7,)): 9}, constants={"c": 2})
    world = Observed(inner)
    assert (world.function("f", (1,)), world.function("f", (2,)), world.constant("c")) == (5, 4, 2)
    assert world.seen == {"f": {(1,): 5, (2,): 4}}
    assert world.table("f") == inner.table("f")
    assert world.division_by_zero("div", 7) == 9
    assert world.unspecified("->f", (3,), (), program.constants[0].var.type) == 0
