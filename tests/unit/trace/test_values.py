from __future__ import annotations

import pytest

from paddock.ir.build import binder, int_lit
from paddock.ir.expr import Binder, Quantifier, Scope, Var
from paddock.ir.program import Constructor, VarDecl
from paddock.ir.types import INT, Named
from paddock.trace.values import DataValue, Env, LambdaValue, Later, MapValue, Undecided, equal, map_of, pointwise

LIST = Named("List", ())
NIL = Constructor("Nil")
CONS = Constructor("Cons", (VarDecl(Var("head", INT, Scope.BOUND)), VarDecl(Var("tail", LIST, Scope.BOUND))))


def constant_lambda() -> LambdaValue:
    term = binder(Quantifier.LAMBDA, [Var("x", INT, Scope.BOUND)], int_lit(0))
    assert isinstance(term, Binder)
    return LambdaValue(term, Env())


def long_list(n: int) -> DataValue:
    value = DataValue(NIL)
    for i in range(n):
        value = DataValue(CONS, (i, value))
    return value


def test_storing_the_default_removes_an_entry() -> None:
    stored = MapValue(0).store((1,), 5)
    assert stored.select((1,)) == 5
    assert stored.select((2,)) == 0
    assert stored.store((1,), 0) == MapValue(0)
    assert hash(stored.store((1,), 0)) == hash(MapValue(0))


def test_order_of_stores_does_not_matter() -> None:
    one = MapValue(0).store((1,), 5).store((2,), 6)
    other = MapValue(0).store((2,), 6).store((1,), 5)
    assert one == other
    assert hash(one) == hash(other)
    assert one != other.store((3,), 1)


def test_maps_on_few_indices_are_equal_whatever_the_default() -> None:
    covered = MapValue(0, size=2).store((False,), 1).store((True,), 1)
    assert covered == MapValue(1, size=2)
    assert hash(covered) == hash(MapValue(1, size=2))
    half = MapValue(0, size=2).store((False,), 1)
    assert half == MapValue(1, size=2).store((True,), 0)
    assert hash(half) == hash(MapValue(1, size=2).store((True,), 0))
    assert half != MapValue(1, size=2)


def test_maps_on_many_indices_differ_by_default() -> None:
    assert MapValue(0).store((0,), 1).store((1,), 1) != MapValue(1)


def test_maps_of_maps() -> None:
    one = MapValue(MapValue(0)).store((1,), MapValue(0).store((2,), 0))
    assert one == MapValue(MapValue(0))


def test_map_of_drops_repeated_defaults() -> None:
    assert map_of(0, {(1,): 0, (2,): 3}).entries == {(2,): 3}


def test_pointwise() -> None:
    total = pointwise(lambda a, b: a + b, [map_of(1, {(0,): 5}), map_of(10, {(1,): 20})])
    assert total == map_of(11, {(0,): 15, (1,): 21})
    with pytest.raises(Undecided):
        pointwise(lambda a, b: a, [MapValue(0), constant_lambda()])


def test_data_of_great_depth_is_compared_and_hashed() -> None:
    one, other = long_list(5_000), long_list(5_000)
    assert one == other
    assert hash(one) == hash(other)
    assert one != DataValue(CONS, (7, other))


def test_shared_data_is_compared_once() -> None:
    tree = Constructor("Tree", (VarDecl(Var("l", LIST, Scope.BOUND)), VarDecl(Var("r", LIST, Scope.BOUND))))

    def doubled() -> DataValue:
        value = DataValue(NIL)
        for _ in range(60):
            value = DataValue(tree, (value, value))
        return value

    assert doubled() == doubled()


def test_lambdas_are_not_compared() -> None:
    one = constant_lambda()
    assert equal(one, one)
    with pytest.raises(Undecided):
        equal(one, MapValue(0))
    with pytest.raises(Undecided):
        equal(DataValue(CONS, (1, one)), DataValue(CONS, (1, constant_lambda())))
    # The first fields settle it.
    assert not equal(DataValue(CONS, (1, one)), DataValue(CONS, (2, constant_lambda())))
    with pytest.raises(Undecided):
        hash(DataValue(CONS, (1, one)))


def test_a_lambda_can_be_stored_in_a_map() -> None:
    inner = constant_lambda()
    stored = MapValue(MapValue(0)).store((1,), inner)
    assert stored.select((1,)) is inner


def test_later_asks_once() -> None:
    asked = []

    def make() -> int:
        asked.append(True)
        return 7

    later = Later(make)
    assert later.value is None
    assert (later.force(), later.force()) == (7, 7)
    assert len(asked) == 1
