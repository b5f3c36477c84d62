"""Random formulas: solvers agree, models satisfy what was asserted, templates mean what was written out."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paddock.solvers.factory import open_solver
from paddock.solvers.interface import Solver, Status, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, INT, ArraySort, BitVecSort, Sort
from tests.unit.solvers.examples import z3_command

BYTE = BitVecSort(4)
ARRAY = ArraySort((INT,), INT)
VARIABLES = {"p": BOOL, "q": BOOL, "x": INT, "y": INT, "u": BYTE, "v": BYTE, "a": ARRAY, "b": ARRAY}

# A formula as data: a variable's name, a literal with its sort, or an operator with arguments.
Formula = Any


def formulas(sort: Sort, depth: int) -> st.SearchStrategy[Formula]:
    names = st.sampled_from([name for name, s in VARIABLES.items() if s == sort])
    if sort is BOOL:
        leaves = names | st.booleans().map(lambda value: (value, BOOL))
    elif sort is INT:
        leaves = names | st.integers(-3, 3).map(lambda value: (value, INT))
    elif sort == BYTE:
        leaves = names | st.integers(0, 15).map(lambda value: (value, BYTE))
    else:
        leaves = names
    if depth == 0:
        return leaves

    def inner(s: Sort) -> st.SearchStrategy[Formula]:
        return formulas(s, depth - 1)

    def apply(ops: list[Op], *sorts: Sort) -> st.SearchStrategy[Formula]:
        return st.tuples(st.sampled_from(ops), st.tuples(*map(inner, sorts)))

    options = [leaves, apply([Op.ITE], BOOL, sort, sort)]
    if sort is BOOL:
        options += [
            apply([Op.AND, Op.OR, Op.XOR, Op.IMPLIES, Op.EQ], BOOL, BOOL),
            apply([Op.NOT], BOOL),
            apply([Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.DISTINCT], INT, INT),
            apply([Op.BVULT, Op.BVSLE, Op.EQ], BYTE, BYTE),
            apply([Op.EQ], ARRAY, ARRAY),
        ]
    elif sort is INT:
        options += [apply([Op.ADD, Op.SUB], INT, INT), apply([Op.SELECT], ARRAY, INT), apply([Op.SUB], INT)]
    elif sort == BYTE:
        options += [apply([Op.BVADD, Op.BVSUB, Op.BVAND, Op.BVXOR, Op.BVSHL, Op.BVUDIV], BYTE, BYTE)]
    else:
        options += [apply([Op.STORE], ARRAY, INT, INT)]
    return st.one_of(options)


def build(solver: Solver, formula: Formula, variables: dict[str, Term]) -> Term:
    if isinstance(formula, str):
        return variables[formula]
    head, rest = formula
    if isinstance(head, Op):
        return solver.terms.app(head, [build(solver, part, variables) for part in rest])
    return solver.terms.literal(head, rest)


def constants(solver: Solver) -> dict[str, Term]:
    return {name: solver.terms.constant(name, sort) for name, sort in VARIABLES.items()}


RANDOM_FORMULAS = st.lists(formulas(BOOL, 3), min_size=1, max_size=4)
LIMITS = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@LIMITS
@given(RANDOM_FORMULAS)
def test_solvers_agree_and_models_are_models(parts: list[Formula]) -> None:
    verdicts = []
    for name in ("z3", "cvc5", z3_command()):
        with open_solver(name) as solver:
            terms = [build(solver, part, constants(solver)) for part in parts]
            for term in terms:
                solver.assert_(term)
            verdict = solver.check(timeout=20).status
            if verdict is Status.SAT:
                assert solver.model().values(terms) == [True] * len(terms)
            verdicts.append(verdict)
    assert verdicts[0] is not Status.UNKNOWN
    assert verdicts == [verdicts[0]] * 3


@LIMITS
@given(RANDOM_FORMULAS, st.permutations(list(VARIABLES)))
def test_an_instance_is_the_formula_with_arguments(parts: list[Formula], order: list[str]) -> None:
    for name in ("z3", "cvc5"):
        with open_solver(name) as solver:
            arguments = constants(solver)
            parameters = {n: solver.terms.variable(n, sort) for n, sort in VARIABLES.items()}
            for part in parts:
                template = solver.terms.template([parameters[n] for n in order], build(solver, part, parameters))
                instance = solver.terms.instantiate(template, [arguments[n] for n in order])
                written_out = build(solver, part, arguments)
                differ = solver.terms.fresh("differ", BOOL)
                solver.assert_(solver.terms.app(Op.EQ, [differ, solver.terms.app(Op.XOR, [instance, written_out])]))
                assert solver.check([differ], timeout=20).status is Status.UNSAT
