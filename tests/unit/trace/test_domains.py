from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from paddock.ir.expr import Scope, Var
from paddock.ir.program import Constructor, Datatype, VarDecl
from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Map, Named, Type
from paddock.trace.domains import Domains
from paddock.trace.values import DataValue, MapValue, SortValue, Undecided
from tests.unit.trace.boogie_text import program_of

PROGRAM = program_of(
    """
    type T;
    datatype Color { Red(), Green(), Blue() }
    datatype Pair { Pair(c: Color, b: bool) }
    datatype List { Cons(head: int, tail: List), Nil() }
    datatype Even { Zero(), AfterOdd(o: Odd) }
    datatype Odd { AfterEven(e: Even) }
    datatype Tree { Node(children: [int]Tree), Leaf() }
    """
)
# Our parser refuses a datatype without values, so it is added here.
ENDLESS = Constructor("More", (VarDecl(Var("e", Named("Endless", ()), Scope.BOUND)),))
PROGRAM = replace(PROGRAM, datatypes=(*PROGRAM.datatypes, Datatype("Endless", (ENDLESS,))))
COLOR, PAIR, LIST, EVEN, ODD, T = (Named(n, ()) for n in ("Color", "Pair", "List", "Even", "Odd", "T"))
DOMAINS = Domains(PROGRAM)


@pytest.mark.parametrize(
    ("type_", "size"),
    [
        (BOOL, 2),
        (RMODE, 5),
        (INT, None),
        (REAL, None),
        (STRING, None),
        (Bv(0), 1),
        (Bv(8), 256),
        (Bv(64), None),
        (Float(2, 2), 15),
        (Float(53, 11), None),
        (COLOR, 3),
        (PAIR, 6),
        (LIST, None),
        (EVEN, None),
        (ODD, None),
        (T, None),
        (Map((BOOL,), COLOR), 9),
        (Map((BOOL, COLOR), BOOL), 64),
        (Map((INT,), BOOL), None),
        (Map((Bv(32),), BOOL), None),
        (Map((INT,), Bv(0)), 1),
    ],
)
def test_size(type_: Type, size: int | None) -> None:
    assert DOMAINS.size(type_) == size
    if size is not None:
        values = DOMAINS.values(type_)
        assert len(values) == len(set(values)) == size


def test_a_sort_has_the_elements_that_its_universe_says() -> None:
    domains = Domains(PROGRAM, {T: 2})
    assert domains.values(T) == (SortValue(T, 0), SortValue(T, 1))
    assert domains.size(Map((T,), BOOL)) == 4


def test_deep_types() -> None:
    type_: Type = INT
    for _ in range(5_000):
        type_ = Map((INT,), type_)
    assert DOMAINS.size(type_) is None
    assert isinstance(DOMAINS.first(type_), MapValue)


def test_first_values_of_data_are_finite() -> None:
    constructor = PROGRAM.constructor_named
    assert DOMAINS.first(LIST) == DataValue(constructor["Nil"][1])
    assert DOMAINS.first(ODD) == DataValue(constructor["AfterEven"][1], (DataValue(constructor["Zero"][1]),))
    assert DOMAINS.first(Named("Tree", ())) == DataValue(constructor["Leaf"][1])
    with pytest.raises(Undecided):
        DOMAINS.first(Named("Endless", ()))


def test_first_values_know_how_many_indices_there_are() -> None:
    first = DOMAINS.first(Map((BOOL,), INT))
    assert first == MapValue(0, size=2)
    assert isinstance(first, MapValue)
    assert first.size == 2


@pytest.mark.parametrize("type_", [INT, REAL, STRING, Bv(8), Bv(64), T, COLOR, Float(24, 8)])
def test_distinct_values_differ(type_: Type) -> None:
    values = list(islice(DOMAINS.distinct(type_), 3))
    assert len(set(values)) == 3


def test_samples_are_values_of_the_type() -> None:
    for type_ in (BOOL, INT, REAL, STRING, Bv(16), T, COLOR, LIST, Float(24, 8)):
        assert DOMAINS.samples(type_)
