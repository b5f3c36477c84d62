from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.ir.types import INT
from paddock.trace.values import SortValue, Undecided, map_of
from paddock.trace.world import World
from tests.unit.trace.boogie_text import program_of

PROGRAM = program_of(
    """
    type T;
    const unique a: T;
    const unique b: T;
    const unique c: T;
    const d: T;
    const n: int;
    const unique p: bool;
    const unique q: bool;
    const unique r: bool;
    function f(int): int;
    """
)
T = PROGRAM.constants[0].var.type


def test_unique_constants_differ_from_each_other_and_from_given_ones() -> None:
    world = World(PROGRAM, constants={"b": SortValue(T, 0)})
    assert len({world.constant(name) for name in "abc"}) == 3
    assert world.constant("b") == SortValue(T, 0)


def test_too_many_unique_constants() -> None:
    world = World(PROGRAM)
    assert {world.constant("p"), world.constant("q")} == {False, True}
    with pytest.raises(Undecided):
        world.constant("r")


def test_functions_are_tables() -> None:
    world = World(PROGRAM, functions={"f": map_of(7, {(1,): 2})})
    assert (world.function("f", (1,)), world.function("f", (3,))) == (2, 7)
    assert World(PROGRAM).function("f", (1,)) == 0


def test_what_smtlib_leaves_open() -> None:
    world = World(PROGRAM, unspecified={("div", (5,)): 9, ("->f", (1,)): 3})
    assert world.division_by_zero("div", 5) == 9
    assert world.division_by_zero("div", 6) == 0
    assert isinstance(world.division_by_zero("/", Fraction(1)), Fraction)
    assert world.unspecified("->f", (1,), (INT,), INT) == 3
    assert world.unspecified("->f", (2,), (INT,), INT) == 0
