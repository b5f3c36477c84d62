"""Interpolants of each source follow, exclude the point and are about what is shared, as another solver says."""

from __future__ import annotations

import pytest

from paddock.solvers.interpolants.cvc5 import Cvc5Enumeration
from paddock.solvers.interpolants.problem import InterpolantSource, Problem, conjunction
from paddock.solvers.interpolants.sources import SOURCES, suited
from paddock.solvers.sexpr import Sexpr, expression_text, without_lets

LINEAR = Problem(
    (
        "(declare-fun a () Int)",
        "(declare-fun |b c| () Int)",
        "(declare-fun c () Bool)",
        "(declare-fun inner () Int)",
        "(assert (= inner (+ a 1)))",
        "(assert (and (= |b c| (* 2 inner)) (= c (> a 0))))",
    ),
    (("a", "3"), ("|b c|", "(- 7)"), ("c", "true")),
)
BITS = Problem(
    (
        "(declare-fun a () (_ BitVec 8))",
        "(declare-fun b () (_ BitVec 8))",
        "(assert (= b (bvand a (_ bv15 8))))",
    ),
    (("a", "(_ bv19 8)"), ("b", "(_ bv19 8)")),
)
FUNCTION = Problem(
    (
        "(declare-fun f (Int) Int)",
        "(declare-fun a () Int)",
        "(declare-fun inner () Int)",
        "(assert (and (= (f inner) 1) (= inner 2) (= a (f 2))))",
    ),
    (("a", "5"),),
)
MET = Problem(("(declare-fun a () Int)", "(assert (> a 0))"), (("a", "1"),))
PROBLEMS = {"linear": LINEAR, "bits": BITS, "function": FUNCTION}


def holds_nowhere(problem: Problem, *conditions: str) -> bool:
    """Whether conditions over the constants of a problem contradict each other, by Z3."""
    import z3

    solver = z3.Solver()
    commands = [c for c in problem.commands if not c.startswith("(assert ")]
    solver.from_string("\n".join([*commands, *(f"(assert {c})" for c in conditions)]))
    return bool(solver.check() == z3.unsat)


def by_cvc5(problem: Problem, *conditions: str) -> bool:
    cvc5 = pytest.importorskip("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setLogic("ALL")
    parser = cvc5.InputParser(solver)
    commands = [c for c in problem.commands if not c.startswith("(assert ")]
    text = "\n".join([*commands, *(f"(assert {c})" for c in conditions)])
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, symbols)
    return bool(solver.checkSat().isUnsat())


def atoms(root: Sexpr) -> set[str]:
    found: set[str] = set()
    stack = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            found.add(item)
        else:
            stack += item
    return found


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_what_a_source_says_is_an_interpolant(source: InterpolantSource, name: str) -> None:
    problem = PROBLEMS[name]
    if not source.suits(problem):
        pytest.skip("not installed, or not for this theory")
    found = source.interpolant(problem, 20.0)
    assert found is not None
    plain = without_lets(found)
    text = expression_text(plain)
    refuted = holds_nowhere if isinstance(source, Cvc5Enumeration) else by_cvc5
    point = conjunction([f"(= {symbol} {value})" for symbol, value in problem.point])
    assert refuted(problem, *problem.assertions(), f"(not {text})")
    assert refuted(problem, text, point)
    local = {symbol for symbol, _ in problem.constants()} - {symbol for symbol, _ in problem.point}
    assert not atoms(plain) & local


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_there_is_none_of_a_point_that_is_not_excluded(source: InterpolantSource) -> None:
    if source.suits(MET):
        assert source.interpolant(MET, 5.0) is None


def test_sources_are_chosen_by_theory_and_take_turns() -> None:
    able = [source.name for source in suited(LINEAR)]
    assert "Spacer" in able
    assert [source.name for source in suited(LINEAR, 1)] == [*able[1:], able[0]]
    assert {source.name for source in suited(FUNCTION)} <= {"cvc5"}
