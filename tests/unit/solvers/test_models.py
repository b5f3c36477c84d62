"""What a model says is what the formula forces."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.solvers.interface import INCOMPLETE, Solver, SolverFailure, Status, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import (
    BOOL,
    INT,
    REAL,
    ROUNDING_MODE,
    STRING,
    ArraySort,
    BitVecSort,
    ConstructorDecl,
    DatatypeDecl,
    DatatypeSort,
    FloatSort,
    Sort,
    UninterpretedSort,
)
from paddock.solvers.values import ArrayValue, DataValue, ElementValue, OpaqueValue, Value, array_value, canonical_nan

F32 = FloatSort(8, 24)
INT_ARRAY = ArraySort((INT,), INT)
LIST = DatatypeSort("List")
LISTS = [DatatypeDecl("List", (ConstructorDecl("nil"), ConstructorDecl("cons", (("head", INT), ("tail", LIST)))))]


def eq(solver: Solver, a: Term, b: Term) -> Term:
    return solver.terms.app(Op.EQ, [a, b])


def integer(solver: Solver, value: int) -> Term:
    return solver.terms.literal(value, INT)


@pytest.mark.parametrize(
    ("value", "sort"),
    [
        (True, BOOL),
        (False, BOOL),
        (0, INT),
        (-(10**30), INT),
        (1 << 62, INT),
        (Fraction(-1, 3), REAL),
        (Fraction(7), REAL),
        (Fraction(10**20, 3), REAL),
        (0xAB, BitVecSort(8)),
        (1, BitVecSort(1)),
        ((1 << 100) + 1, BitVecSort(101)),
        (0x3F800000, F32),
        (0x80000000, F32),
        (0x00000001, F32),
        (0x7F800000, F32),
        (0xFF800000, F32),
        (canonical_nan(F32), F32),
        (0x3FF0000000000001, FloatSort(11, 53)),
        ("RNE", ROUNDING_MODE),
        ("RNA", ROUNDING_MODE),
        ("RTP", ROUNDING_MODE),
        ("RTN", ROUNDING_MODE),
        ("RTZ", ROUNDING_MODE),
        ("", STRING),
        ('say "x"\\u{41} \n é ☃ 𝄞', STRING),
    ],
    ids=str,
)
def test_literals_come_back(solver: Solver, value: bool | int | Fraction | str, sort: Sort) -> None:
    constant = solver.terms.constant("c", sort)
    solver.assert_(eq(solver, constant, solver.terms.literal(value, sort)))
    assert solver.check().status is Status.SAT
    result = solver.model().value(constant)
    assert result == value
    assert type(result) is type(value)


def test_any_nan_is_the_one_nan(solver: Solver) -> None:
    constant = solver.terms.constant("c", F32)
    solver.assert_(eq(solver, constant, solver.terms.literal(0xFFC00001, F32)))
    assert solver.check().status is Status.SAT
    assert solver.model().value(constant) == 0x7FC00000


def test_long_names_of_rounding_modes(solver: Solver) -> None:
    constant = solver.terms.constant("mode", ROUNDING_MODE)
    solver.assert_(eq(solver, constant, solver.terms.literal("roundTowardZero", ROUNDING_MODE)))
    assert solver.check().status is Status.SAT
    assert solver.model().value(constant) == "RTZ"


def test_arrays(solver: Solver) -> None:
    array = solver.terms.constant("a", INT_ARRAY)
    expected = solver.terms.const_array(INT_ARRAY, integer(solver, 7))
    for index, value in ((1, 10), (2, 20), (1, 11), (3, 7)):
        expected = solver.terms.app(Op.STORE, [expected, integer(solver, index), integer(solver, value)])
    solver.assert_(eq(solver, array, expected))
    assert solver.check().status is Status.SAT
    assert solver.model().value(array) == ArrayValue(7, {(1,): 11, (2,): 20})


def test_arrays_of_several_indices_and_of_arrays(solver: Solver) -> None:
    rows = ArraySort((INT, BOOL), INT_ARRAY)
    array = solver.terms.constant("a", rows)
    at = [integer(solver, 4), solver.terms.literal(True, BOOL)]
    inner = solver.terms.app(Op.SELECT, [solver.terms.app(Op.SELECT, [array, *at]), integer(solver, 5)])
    solver.assert_(eq(solver, inner, integer(solver, 6)))
    assert solver.check().status is Status.SAT
    value = solver.model().value(array)
    assert isinstance(value, ArrayValue)
    row = value.entries.get((4, True), value.default)
    assert isinstance(row, ArrayValue)
    assert row.entries.get((5,), row.default) == 6


def test_arrays_over_booleans(solver: Solver) -> None:
    sort = ArraySort((BOOL,), BOOL)
    a = solver.terms.constant("a", sort)
    true, false = solver.terms.literal(True, BOOL), solver.terms.literal(False, BOOL)
    solver.assert_(solver.terms.app(Op.SELECT, [a, true]))
    solver.assert_(solver.terms.app(Op.NOT, [solver.terms.app(Op.SELECT, [a, false])]))
    assert solver.check().status is Status.SAT
    value = solver.model().value(a)
    assert isinstance(value, ArrayValue)
    assert [value.entries.get((i,), value.default) for i in (False, True)] == [False, True]


def test_a_sort_is_the_same_inside_and_outside_of_a_datatype(solver: Solver) -> None:
    element, cell = UninterpretedSort("Element"), DatatypeSort("Cell")
    field = ArraySort((element, INT), element)
    declared = solver.terms.declare_datatypes([DatatypeDecl("Cell", (ConstructorDecl("cell", (("content", field),)),))])
    a = solver.terms.apply(declared["cell"].selectors[0], [solver.terms.constant("c", cell)])
    e = solver.terms.constant("e", element)
    stored = solver.terms.app(Op.STORE, [a, e, integer(solver, 1), e])
    solver.assert_(
        solver.terms.app(Op.NOT, [eq(solver, solver.terms.app(Op.SELECT, [stored, e, integer(solver, 1)]), e)])
    )
    assert solver.check().status is Status.UNSAT


def test_datatypes(solver: Solver) -> None:
    functions = solver.terms.declare_datatypes(LISTS)
    cons, nil = functions["cons"], functions["nil"]
    items = solver.terms.constant("items", LIST)
    rest = solver.terms.apply(nil.make, [])
    for value in (3, 2, 1):
        rest = solver.terms.apply(cons.make, [integer(solver, value), rest])
    solver.assert_(eq(solver, items, rest))
    tail = solver.terms.apply(cons.selectors[1], [items])
    assert solver.check().status is Status.SAT
    model = solver.model()
    assert model.value(items) == DataValue(
        "cons", (1, DataValue("cons", (2, DataValue("cons", (3, DataValue("nil"))))))
    )
    assert model.values([solver.terms.apply(cons.test, [tail]), solver.terms.apply(nil.test, [tail])]) == [True, False]
    assert model.value(solver.terms.apply(cons.selectors[0], [tail])) == 2


def test_mutually_recursive_datatypes_with_arrays(solver: Solver) -> None:
    tree, forest = DatatypeSort("Tree"), DatatypeSort("Forest")
    functions = solver.terms.declare_datatypes(
        [
            DatatypeDecl("Tree", (ConstructorDecl("node", (("forest", forest),)), ConstructorDecl("leaf"))),
            DatatypeDecl("Forest", (ConstructorDecl("trees", (("size", INT), ("at", ArraySort((INT,), tree)))),)),
        ]
    )
    root = solver.terms.constant("root", tree)
    solver.assert_(solver.terms.apply(functions["node"].test, [root]))
    grove = solver.terms.apply(functions["node"].selectors[0], [root])
    size, at = (solver.terms.apply(selector, [grove]) for selector in functions["trees"].selectors)
    solver.assert_(eq(solver, size, integer(solver, 2)))
    leaf = solver.terms.apply(functions["leaf"].make, [])
    solver.assert_(eq(solver, solver.terms.app(Op.SELECT, [at, integer(solver, 0)]), leaf))
    assert solver.check().status is Status.SAT
    value = solver.model().value(root)
    assert isinstance(value, DataValue) and value.constructor == "node"
    (inner,) = value.fields
    assert isinstance(inner, DataValue) and inner.constructor == "trees"
    assert inner.fields[0] == 2
    trees = inner.fields[1]
    assert isinstance(trees, ArrayValue)
    assert trees.entries.get((0,), trees.default) == DataValue("leaf")


def test_long_values_are_read_without_recursion(solver: Solver) -> None:
    functions = solver.terms.declare_datatypes(LISTS)
    rest = solver.terms.apply(functions["nil"].make, [])
    for number in range(1_500):
        rest = solver.terms.apply(functions["cons"].make, [integer(solver, number), rest])
    items = solver.terms.constant("items", LIST)
    solver.assert_(eq(solver, items, rest))
    assert solver.check().status is Status.SAT
    value: Value = solver.model().value(items)
    length = 0
    while isinstance(value, DataValue) and value.constructor == "cons":
        length += 1
        value = value.fields[1]
    assert length == 1_500
    assert value == DataValue("nil")


def test_elements_of_uninterpreted_sorts(solver: Solver) -> None:
    sort = UninterpretedSort("My sort")
    a, b, c = (solver.terms.constant(name, sort) for name in "abc")
    solver.assert_(solver.terms.app(Op.DISTINCT, [a, b]))
    solver.assert_(eq(solver, a, c))
    assert solver.check().status is Status.SAT
    x, y, z = solver.model().values([a, b, c])
    assert isinstance(x, ElementValue) and x.sort == "My sort"
    assert x == z and x != y


def test_functions(solver: Solver) -> None:
    f = solver.terms.declare_function("f", [INT, BOOL], INT)
    for a, b, value in ((1, True, 10), (1, False, 11), (2, True, 12)):
        result = solver.terms.apply(f, [integer(solver, a), solver.terms.literal(b, BOOL)])
        solver.assert_(eq(solver, result, integer(solver, value)))
    assert solver.check().status is Status.SAT
    table = solver.model().function(f)
    got = [table.entries.get(args, table.default) for args in ((1, True), (1, False), (2, True))]
    assert got == [10, 11, 12]


def test_predicates(solver: Solver) -> None:
    p = solver.terms.declare_function("p", [INT], BOOL)
    expected = {1: True, 2: False, 3: True, 4: False}
    for value, truth in expected.items():
        holds = solver.terms.apply(p, [integer(solver, value)])
        solver.assert_(holds if truth else solver.terms.app(Op.NOT, [holds]))
    assert solver.check().status is Status.SAT
    table = solver.model().function(p)
    assert {value: table.entries.get((value,), table.default) for value in expected} == expected


def test_a_function_that_is_not_used_may_be_anything(solver: Solver) -> None:
    f = solver.terms.declare_function("f", [INT], INT)
    assert solver.check().status is Status.SAT
    assert solver.model().function(f).entries == {}


def test_terms_are_evaluated_not_only_constants(solver: Solver) -> None:
    x, unconstrained = solver.terms.constant("x", INT), solver.terms.constant("y", INT)
    solver.assert_(eq(solver, x, integer(solver, 20)))
    assert solver.check().status is Status.SAT
    model = solver.model()
    doubled = solver.terms.app(Op.ADD, [x, x])
    again = [solver.terms.app(Op.LT, [x, unconstrained]), unconstrained]
    less, y = model.values(again)
    assert model.value(doubled) == 40
    assert less == (isinstance(y, int) and y > 20)
    assert model.values(again) == [less, y]
    assert model.values([]) == []


def test_an_irrational_value_is_opaque() -> None:
    from paddock.solvers.factory import open_solver

    with open_solver("z3") as solver:
        x = solver.terms.constant("x", REAL)
        solver.assert_(eq(solver, solver.terms.app(Op.MUL, [x, x]), solver.terms.literal(Fraction(2), REAL)))
        assert solver.check().status is Status.SAT
        assert isinstance(solver.model().value(x), OpaqueValue)


def test_a_candidate_model_of_incomplete_quantifiers(solver: Solver) -> None:
    f = solver.terms.declare_function("f", [INT], INT)
    x, c = solver.terms.variable("x", INT), solver.terms.constant("c", INT)
    at_x = solver.terms.apply(f, [x])
    solver.assert_(solver.terms.quantify(True, [x], solver.terms.app(Op.GT, [at_x, x]), patterns=[[at_x]]))
    solver.assert_(eq(solver, solver.terms.apply(f, [c]), integer(solver, 5)))
    answer = solver.check()
    assert (answer.status, answer.reason, answer.has_model) == (Status.UNKNOWN, INCOMPLETE, True)
    value = solver.model().value(c)
    assert isinstance(value, int) and value < 5


def test_a_model_does_not_outlive_its_query(solver: Solver) -> None:
    x = solver.terms.constant("x", INT)
    assert solver.check().status is Status.SAT
    model = solver.model()
    solver.assert_(eq(solver, x, integer(solver, 1)))
    solver.check()
    with pytest.raises(SolverFailure, match="model is gone"):
        model.value(x)
    solver.assert_(solver.terms.literal(False, BOOL))
    assert solver.check().status is Status.UNSAT
    with pytest.raises(SolverFailure, match="no model"):
        solver.model()


def test_array_values_do_not_depend_on_how_they_were_written() -> None:
    once = array_value(0, [((1,), 5), ((2,), 6), ((3,), 0)])
    other = array_value(0, [((2,), 7), ((2,), 6), ((1,), 5)])
    assert once == other
    assert hash(once) == hash(other)
    assert once != array_value(0, [((1,), 5)])
