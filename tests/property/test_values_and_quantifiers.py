"""Equality of maps is equality at every index, and what is said of a quantifier is what all its instances say."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from paddock.ir.build import and_, arith, binder, compare, eq, implies, int_lit, select
from paddock.ir.expr import App, Expr, Fn, Op, Quantifier, Scope, Var
from paddock.ir.program import Function, Program, VarDecl
from paddock.ir.types import BOOL, INT, Map
from paddock.trace.evaluate import evaluate
from paddock.trace.values import Env, MapValue, Undecided, map_of
from paddock.trace.world import World

INDICES = range(3)
finite_maps = st.builds(
    lambda default, stores: _stored(MapValue(default, size=len(INDICES)), stores),
    st.integers(0, 2),
    st.lists(st.tuples(st.sampled_from(INDICES), st.integers(0, 2)), max_size=6),
)


def _stored(map_: MapValue, stores: list[tuple[int, int]]) -> MapValue:
    for index, value in stores:
        map_ = map_.store((index,), value)
    return map_


@given(finite_maps, finite_maps)
def test_maps_are_equal_if_they_are_so_everywhere(a: MapValue, b: MapValue) -> None:
    same = all(a.select((i,)) == b.select((i,)) for i in INDICES)
    assert (a == b) == same
    if same:
        assert hash(a) == hash(b)


INDEX = Var("i", INT, Scope.BOUND)
relations = st.sampled_from([Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE])
guards = st.builds(
    lambda op, bound, mirrored: compare(op, int_lit(bound), INDEX) if mirrored else compare(op, INDEX, int_lit(bound)),
    relations,
    st.integers(-9, 9),
    st.booleans(),
)
# Linear, with coefficients so small that what holds between -99 and 99 holds everywhere.
claims = st.builds(
    lambda op, a, b: compare(op, arith(Op.MUL, int_lit(a), INDEX), int_lit(b)),
    relations,
    st.integers(-3, 3),
    st.integers(-20, 20),
)


@given(st.sampled_from([Quantifier.FORALL, Quantifier.EXISTS]), st.lists(guards, min_size=1, max_size=4), claims)
def test_a_decided_quantifier_is_decided_rightly(kind: Quantifier, conditions: list[Expr], claim: Expr) -> None:
    universal = kind is Quantifier.FORALL
    body = implies(and_(*conditions), claim) if universal else and_(*conditions, claim)
    world = World(Program())
    instances = [evaluate(body, Env(bound={INDEX: i}), world) for i in range(-99, 100)]
    expected = all(instances) if universal else any(instances)
    with suppress(Undecided):
        assert evaluate(binder(kind, [INDEX], body), Env(), world) is expected


OTHER = Var("j", INT, Scope.BOUND)
MAP = Var("m", Map((INT,), INT), Scope.LOCAL)
variables = st.sampled_from([INDEX, OTHER])
points = st.integers(-3, 3)
looked_up = st.one_of(
    st.builds(lambda v: select(MAP, v), variables),
    st.builds(lambda a, b: App(Fn("f"), (a, b), INT), variables, st.one_of(variables, points.map(int_lit))),
)
atoms = st.builds(
    compare,
    relations,
    st.one_of(variables, looked_up),
    st.one_of(points.map(int_lit), points.map(int_lit), looked_up, variables),
)
formulas = st.recursive(
    atoms,
    lambda inner: st.builds(lambda op, a, b: App(op, (a, b), BOOL), st.sampled_from([Op.AND, Op.OR]), inner, inner),
)
entries = st.dictionaries(points, points, max_size=3)


@given(
    st.sampled_from([Quantifier.FORALL, Quantifier.EXISTS]),
    st.lists(st.sampled_from([Quantifier.FORALL, Quantifier.EXISTS]), max_size=1),
    formulas,
    entries,
    st.dictionaries(st.tuples(points, points), points, max_size=3),
)
def test_what_is_said_of_maps_and_functions_is_right(
    kind: Quantifier, inner: list[Quantifier], body: Expr, map_: dict[int, int], table: dict[tuple[int, int], int]
) -> None:
    """In one quantifier over both variables, or in two. Beyond what is named, -9 to 9 is as good as all integers."""
    parameters = tuple(VarDecl(Var(name, INT, Scope.BOUND)) for name in "ab")
    program = Program(functions=(Function("f", parameters, INT),))
    world = World(program, functions={"f": map_of(1, dict(table))})
    env = Env(locals={"m": map_of(0, {(k,): v for k, v in map_.items()})})

    def holds(i: int, j: int) -> bool:
        return evaluate(body, replace(env, bound={INDEX: i, OTHER: j}), world) is True

    quantify = {Quantifier.FORALL: all, Quantifier.EXISTS: any}
    numbers = range(-9, 10)
    second = quantify[inner[0] if inner else kind]
    expected = quantify[kind](second(holds(i, j) for j in numbers) for i in numbers)
    claim = binder(kind, [INDEX], binder(inner[0], [OTHER], body)) if inner else binder(kind, [INDEX, OTHER], body)
    with suppress(Undecided):
        assert evaluate(claim, env, world) is expected


@given(st.integers(-9, 9), st.integers(-9, 9), claims)
def test_a_range_is_always_decided(low: int, high: int, claim: Expr) -> None:
    within = and_(compare(Op.LE, int_lit(low), INDEX), compare(Op.LT, INDEX, int_lit(high)))
    value = evaluate(binder(Quantifier.FORALL, [INDEX], implies(within, claim)), Env(), World(Program()))
    assert value is all(evaluate(claim, Env(bound={INDEX: i}), World(Program())) for i in range(low, high))


@given(st.integers(-9, 9))
def test_a_point_is_always_decided(at: int) -> None:
    claim = binder(
        Quantifier.EXISTS, [INDEX], and_(eq(INDEX, int_lit(at)), eq(arith(Op.MUL, INDEX, INDEX), int_lit(at * at)))
    )
    assert evaluate(claim, Env(), World(Program())) is True
