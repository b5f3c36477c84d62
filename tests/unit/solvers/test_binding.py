"""Quantifiers, lambdas and templates."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import pytest

from paddock.solvers.interface import Solver, Status, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, INT, ArraySort, UninterpretedSort


def integer(solver: Solver, value: int) -> Term:
    return solver.terms.literal(value, INT)


def test_triggers_decide_what_is_instantiated(solver: Solver) -> None:
    f, g = (solver.terms.declare_function(name, [INT], INT) for name in "fg")
    x = solver.terms.variable("x", INT)
    body = solver.terms.app(Op.EQ, [solver.terms.apply(f, [x]), integer(solver, 0)])
    solver.assert_(
        solver.terms.quantify(True, [x], body, patterns=[[solver.terms.apply(g, [x])]], weight=2, name="ax|iom")
    )
    one = solver.terms.app(Op.EQ, [solver.terms.apply(f, [integer(solver, 1)]), integer(solver, 1)])
    solver.assert_(solver.terms.app(Op.EQ, [solver.terms.apply(g, [integer(solver, 1)]), integer(solver, 0)]))
    assert solver.check().status is not Status.UNSAT
    wrong = solver.terms.constant("wrong", BOOL)
    solver.assert_(solver.terms.app(Op.IMPLIES, [wrong, one]))
    assert solver.check([wrong]).status is Status.UNSAT


def test_z3_does_not_instantiate_beyond_the_triggers() -> None:
    from paddock.solvers.factory import open_solver

    with open_solver("z3") as solver:
        f, g = (solver.terms.declare_function(name, [INT], INT) for name in "fg")
        x = solver.terms.variable("x", INT)
        body = solver.terms.app(Op.EQ, [solver.terms.apply(f, [x]), integer(solver, 0)])
        solver.assert_(solver.terms.quantify(True, [x], body, patterns=[[solver.terms.apply(g, [x])]]))
        solver.assert_(solver.terms.app(Op.EQ, [solver.terms.apply(f, [integer(solver, 1)]), integer(solver, 1)]))
        # g(1) never occurs, so the contradiction is not found: model-based instantiation is off.
        assert solver.check().status is Status.UNKNOWN


def test_patterns_of_several_terms_and_no_patterns(solver: Solver) -> None:
    p, q = (solver.terms.declare_function(name, [INT], BOOL) for name in "pq")
    x, y = solver.terms.variable("x", INT), solver.terms.variable("y", INT)
    at_x, at_y = solver.terms.apply(p, [x]), solver.terms.apply(q, [y])
    both = solver.terms.app(Op.AND, [at_x, at_y])
    less = solver.terms.app(Op.IMPLIES, [both, solver.terms.app(Op.LT, [x, y])])
    solver.assert_(solver.terms.quantify(True, [x, y], less, patterns=[[at_x, at_y]]))
    z = solver.terms.variable("z", INT)
    implied = solver.terms.app(Op.IMPLIES, [solver.terms.apply(p, [z]), solver.terms.apply(q, [z])])
    solver.assert_(solver.terms.quantify(True, [z], implied, no_patterns=[solver.terms.apply(q, [z])]))
    solver.assert_(solver.terms.apply(p, [integer(solver, 3)]))
    assert solver.check().status is Status.UNSAT


def test_existential(solver: Solver) -> None:
    x = solver.terms.variable("x", INT)
    between = solver.terms.app(
        Op.AND, [solver.terms.app(Op.LT, [integer(solver, 0), x]), solver.terms.app(Op.LT, [x, integer(solver, 1)])]
    )
    solver.assert_(solver.terms.quantify(False, [x], between))
    assert solver.check().status is Status.UNSAT


def test_variables_and_constants_of_one_name_do_not_meet(solver: Solver) -> None:
    f = solver.terms.declare_function("f", [INT], INT)
    constant, variable = solver.terms.constant("x", INT), solver.terms.variable("x", INT)
    at_variable = solver.terms.apply(f, [variable])
    solver.assert_(
        solver.terms.quantify(
            True, [variable], solver.terms.app(Op.EQ, [at_variable, constant]), patterns=[[at_variable]]
        )
    )
    solver.assert_(solver.terms.app(Op.EQ, [solver.terms.apply(f, [integer(solver, 1)]), integer(solver, 7)]))
    solver.assert_(solver.terms.app(Op.DISTINCT, [constant, integer(solver, 7)]))
    assert solver.check().status is Status.UNSAT


def test_fresh_constants_are_new(solver: Solver) -> None:
    named = solver.terms.constant("x", INT)
    first, second = solver.terms.fresh("x", INT), solver.terms.fresh("x", INT)
    solver.assert_(solver.terms.app(Op.DISTINCT, [named, first, second]))
    assert solver.check().status is Status.SAT
    assert len(set(solver.model().values([named, first, second]))) == 3
    solver.assert_(solver.terms.app(Op.DISTINCT, [named, solver.terms.constant("x", INT)]))
    assert solver.check().status is Status.UNSAT


@pytest.mark.parametrize(
    "name", ["select", "and", "x y", "a|b", "back\\slash", "é", "1", "@x", ".x", "?0", "", "assert"]
)
def test_any_name_will_do(solver: Solver, name: str) -> None:
    constant = solver.terms.constant(name, INT)
    f = solver.terms.declare_function(f"{name}'", [INT], INT)
    sort = UninterpretedSort(name or "sort")
    element = solver.terms.constant(f"{name}''", sort)
    x = solver.terms.variable(name, INT)
    at_x = solver.terms.apply(f, [x])
    solver.assert_(
        solver.terms.quantify(True, [x], solver.terms.app(Op.LT, [at_x, integer(solver, 5)]), patterns=[[at_x]])
    )
    solver.assert_(solver.terms.app(Op.EQ, [solver.terms.apply(f, [constant]), integer(solver, 4)]))
    assert solver.check().has_model
    assert solver.model().value(solver.terms.apply(f, [constant])) == 4
    assert solver.model().value(element)


def test_lambdas(solver: Solver) -> None:
    y = solver.terms.constant("y", INT)
    x = solver.terms.variable("x", INT)
    array = solver.terms.lambda_([x], solver.terms.app(Op.ADD, [x, y]))
    at_three = solver.terms.app(Op.SELECT, [array, integer(solver, 3)])
    solver.assert_(solver.terms.app(Op.DISTINCT, [at_three, solver.terms.app(Op.ADD, [y, integer(solver, 3)])]))
    assert solver.check().status is Status.UNSAT


def test_lambdas_of_several_variables_under_a_quantifier(solver: Solver) -> None:
    read = solver.terms.declare_function("read", [ArraySort((INT, INT), INT), INT], INT)
    i, j, k = (solver.terms.variable(name, INT) for name in "ijk")
    table = solver.terms.lambda_([i, j], solver.terms.app(Op.ADD, [i, j, k]))
    applied = solver.terms.apply(read, [table, k])
    solver.assert_(solver.terms.quantify(True, [k], solver.terms.app(Op.EQ, [applied, integer(solver, 0)])))
    # The array at (1, 2) for k = 3 is 6, whatever `read` does with it.
    template = solver.terms.template([k], solver.terms.app(Op.SELECT, [table, integer(solver, 1), integer(solver, 2)]))
    six = solver.terms.instantiate(template, [integer(solver, 3)])
    solver.assert_(solver.terms.app(Op.DISTINCT, [six, integer(solver, 6)]))
    assert solver.check().status is Status.UNSAT


def test_constant_arrays_of_terms(solver: Solver) -> None:
    for domain in ((INT,), (INT, INT)):
        value = solver.terms.fresh("value", INT)
        array = solver.terms.const_array(ArraySort(domain, INT), value)
        at = solver.terms.app(Op.SELECT, [array, *(integer(solver, 7) for _ in domain)])
        wrong = solver.terms.fresh("wrong", BOOL)
        solver.assert_(solver.terms.app(Op.IMPLIES, [wrong, solver.terms.app(Op.DISTINCT, [at, value])]))
        assert solver.check([wrong]).status is Status.UNSAT


def test_templates_are_instantiated_by_position(solver: Solver) -> None:
    a, b, c = (solver.terms.variable(name, INT) for name in "abc")
    template = solver.terms.template([a, b, c], solver.terms.app(Op.SUB, [a, solver.terms.app(Op.MUL, [b, c])]))
    x = solver.terms.constant("x", INT)
    value = solver.terms.instantiate(template, [integer(solver, 100), integer(solver, 5), integer(solver, 7)])
    solver.assert_(solver.terms.app(Op.EQ, [x, value]))
    nested = solver.terms.instantiate(template, [value, x, integer(solver, 1)])
    assert solver.check().status is Status.SAT
    assert solver.model().values([x, nested]) == [65, 0]


def test_values_of_new_templates(solver: Solver) -> None:
    x = solver.terms.constant("x", INT)
    solver.assert_(solver.terms.app(Op.EQ, [x, integer(solver, 20)]))
    assert solver.check().status is Status.SAT
    model = solver.model()
    a, b = solver.terms.variable("a", INT), solver.terms.variable("b", INT)
    double = solver.terms.template([a], solver.terms.app(Op.ADD, [a, a]))
    inner = solver.terms.instantiate(double, [solver.terms.app(Op.ADD, [b, x])])
    outer = solver.terms.template(
        [b], solver.terms.app(Op.SUB, [inner, solver.terms.app(Op.MUL, [integer(solver, 2), inner])])
    )
    none = solver.terms.template([], x)
    terms = [solver.terms.instantiate(outer, [integer(solver, 1)]), solver.terms.instantiate(none, [])]
    assert model.values([*terms, x]) == [-42, 20, 20]
    # Once they are known they are used by name.
    solver.assert_(solver.terms.app(Op.EQ, [terms[0], integer(solver, -42)]))
    assert solver.check().status is Status.SAT
    assert solver.model().values(terms) == [-42, 20]


def test_templates_reach_under_quantifiers(solver: Solver) -> None:
    f = solver.terms.declare_function("f", [INT], INT)
    x, offset, extra = (solver.terms.variable(name, INT) for name in ("x", "offset", "extra"))
    at_x = solver.terms.apply(f, [x])
    inner = solver.terms.app(Op.EQ, [at_x, solver.terms.app(Op.ADD, [x, offset, extra])])
    law = solver.terms.quantify(True, [x], inner, patterns=[[at_x]])
    template = solver.terms.template(
        [offset, extra], solver.terms.app(Op.AND, [law, solver.terms.app(Op.LT, [offset, extra])])
    )
    y = solver.terms.constant("y", INT)
    solver.assert_(solver.terms.instantiate(template, [y, integer(solver, 10)]))
    solver.assert_(solver.terms.app(Op.EQ, [solver.terms.apply(f, [integer(solver, 1)]), integer(solver, 20)]))
    assert solver.check().has_model
    assert solver.model().value(y) == 9
    # An argument that mentions a bound variable's namesake is not captured.
    z = solver.terms.constant("x", INT)
    solver.assert_(solver.terms.instantiate(template, [z, integer(solver, 50)]))
    solver.assert_(solver.terms.app(Op.EQ, [z, y]))
    assert solver.check().status is Status.UNSAT


def test_templates_without_parameters(solver: Solver) -> None:
    p = solver.terms.constant("p", BOOL)
    solver.assert_(solver.terms.instantiate(solver.terms.template([], p), []))
    assert solver.check().status is Status.SAT
    assert solver.model().value(p) is True


def test_templates_check_the_number_of_arguments(solver: Solver) -> None:
    from paddock.solvers.interface import SolverFailure

    template = solver.terms.template([solver.terms.variable("x", INT)], integer(solver, 1))
    with pytest.raises(SolverFailure, match="1 parameter"):
        solver.terms.instantiate(template, [])


def test_shared_terms_stay_shared(solver: Solver) -> None:
    # As a tree this term has 2^200 leaves.
    x = solver.terms.variable("x", INT)
    term = x
    for _ in range(200):
        term = solver.terms.app(Op.ADD, [term, term])
    template = solver.terms.template([x], term)
    value = solver.terms.instantiate(template, [integer(solver, 1)])
    y = solver.terms.constant("y", INT)
    solver.assert_(solver.terms.app(Op.EQ, [y, value]))
    assert solver.check().status is Status.SAT
    assert solver.model().value(y) == 1 << 200


def test_deep_terms(solver: Solver) -> None:
    x, y = solver.terms.variable("x", BOOL), solver.terms.constant("y", BOOL)
    term = x
    for i in range(5_000):
        term = solver.terms.app(Op.AND if i % 2 else Op.OR, [term, y])
    z = solver.terms.constant("z", BOOL)
    solver.assert_(solver.terms.instantiate(solver.terms.template([x], term), [z]))
    assert solver.check().status is Status.SAT
    assert solver.model().value(y) is True
