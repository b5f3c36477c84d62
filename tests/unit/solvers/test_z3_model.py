"""Arrays that Z3 gives by a formula over the index."""

from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.solvers.interface import Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import (
    BOOL,
    INT,
    STRING,
    ArraySort,
    BitVecSort,
    ConstructorDecl,
    DatatypeDecl,
    DatatypeSort,
    Sort,
)
from paddock.solvers.values import ArrayValue, OpaqueValue, Value
from paddock.solvers.z3.model import numbers_around
from paddock.solvers.z3.solver import Z3Solver

BV4 = BitVecSort(4)


def value_of_lambda(sorts: list[Sort], conditions: dict[int, Value], default: int) -> Value:
    """What Z3 gives for the array that is a number where its first index is at most, or is, a value, else `default`."""
    with Z3Solver() as solver:
        variables = [solver.terms.variable(f"x{n}", sort) for n, sort in enumerate(sorts)]
        relation = {INT: Op.LE, BV4: Op.BVULE}.get(sorts[0], Op.EQ)
        body: Term = solver.terms.literal(default, INT)
        for number, limit in conditions.items():
            condition = solver.terms.app(relation, [variables[0], solver.terms.literal(limit, sorts[0])])
            body = solver.terms.app(Op.ITE, [condition, solver.terms.literal(number, INT), body])
        assert solver.check().has_model
        return solver.model().value(solver.terms.lambda_(variables, body))


@pytest.mark.parametrize(
    ("sort", "least", "inside", "beyond"),
    [(INT, -1, 2, 100), (BV4, 0, 2, 15)],
)
def test_thresholds(sort: Sort, least: int, inside: int, beyond: int) -> None:
    value = value_of_lambda([sort], {7: 3, 8: 0}, 9)
    assert isinstance(value, ArrayValue)
    found = [value.entries.get((i,), value.default) for i in (least, inside, beyond)]
    assert found == [8, 7, 9]


def test_several_indices() -> None:
    value = value_of_lambda([INT, BOOL], {7: 3}, 9)
    assert isinstance(value, ArrayValue)
    assert value.default == 9
    assert {value.entries[i, b] for i in (2, 3) for b in (False, True)} == {7}


def test_what_cannot_be_sampled_is_left_as_it_is() -> None:
    with Z3Solver() as solver:
        text = solver.terms.variable("x", STRING)
        length = solver.terms.app(Op.STR_LEN, [text])
        assert solver.check().has_model
        assert isinstance(solver.model().value(solver.terms.lambda_([text], length)), OpaqueValue)


def test_a_function_to_data_that_a_formula_defines() -> None:
    with Z3Solver().another(thorough=True) as solver:
        constructors = solver.terms.declare_datatypes([DatatypeDecl("D", (ConstructorDecl("A"), ConstructorDecl("B")))])
        a, b = (solver.terms.apply(constructors[name].make, ()) for name in ("A", "B"))
        x = solver.terms.variable("x", INT)
        f = solver.terms.declare_function("f", [INT], DatatypeSort("D"))
        is_negative = solver.terms.app(Op.LT, [x, solver.terms.literal(0, INT)])
        value = solver.terms.app(Op.ITE, [is_negative, a, b])
        same = solver.terms.app(Op.EQ, [solver.terms.apply(f, [x]), value])
        solver.assert_(solver.terms.quantify(True, [x], same))  # noqa: PT009
        assert solver.check().has_model
        default = solver.model().function(f).default
        assert default is None or isinstance(default, OpaqueValue)


def test_a_function_that_gives_the_array_it_is_given() -> None:
    """In Z3's model it is a variable, which is neither an application nor a lambda."""
    sort = ArraySort((INT,), INT)
    with Z3Solver().another(thorough=True) as solver:
        x = solver.terms.variable("x", sort)
        f = solver.terms.declare_function("f", [sort], sort)
        applied = solver.terms.apply(f, [x])
        same = solver.terms.quantify(True, [x], solver.terms.app(Op.EQ, [applied, x]), patterns=[[applied]])
        solver.assert_(same)  # noqa: PT009
        assert solver.check().has_model
        default = solver.model().function(f).default
        assert default is None or isinstance(default, OpaqueValue | ArrayValue)


def test_numbers_around() -> None:
    assert numbers_around([]) == [0, 1]
    assert numbers_around([Fraction(3), Fraction(6)]) == [2, 3, 4, 5, 6, 7, 8]
    assert numbers_around([Fraction(0), Fraction(10**9)]) == [-1, 0, 1, 10**9 - 1, 10**9, 10**9 + 1, 10**9 + 2]
