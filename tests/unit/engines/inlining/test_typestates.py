"""A search that takes long is over when the values of globals show that there is nothing to find."""

from __future__ import annotations

from unittest.mock import patch

import pytest

import paddock
from paddock.driver.plan import preparation
from paddock.engines.assertions import Findings
from paddock.engines.inlining.engines import Dag, Engine, Stratified
from paddock.engines.inlining.search import Exploration, Question, replays, search, stated
from paddock.engines.inlining.stratified import TYPESTATES
from paddock.engines.judging import judging
from paddock.engines.outcome import Budget, Outcome
from paddock.passes.mark_entry import MarkEntry
from paddock.solvers.z3.solver import Z3Solver
from paddock.verdict import Verdict

LOCK = """
var locked: bool;
procedure acquire() modifies locked; { assert !locked; locked := true; }
procedure release() modifies locked; { assert locked; locked := false; }
procedure main() modifies locked; { locked := false; while (*) { call acquire(); call release(); } }
"""


def outcome(text: str, engine: Engine, typestates: bool = True) -> Outcome:
    original = MarkEntry()(paddock.load(text))
    question = Question(engine=engine, recursion_bound=2, loop_bound=2, facts=False, typestates=typestates)
    with Z3Solver() as solver, patch("paddock.engines.inlining.opening.VALUES", ((0.0, 10_000),)):
        return search(original, preparation()(original), question, solver, Budget())[0]


def test_no_bound_is_in_the_way() -> None:
    found = outcome(LOCK, Dag())
    assert (found.verdict, found.reason) == (Verdict.PROVED, TYPESTATES)


def test_it_can_be_turned_off_and_is_for_dag_alone() -> None:
    for found in (outcome(LOCK, Dag(), typestates=False), outcome(LOCK, Stratified())):
        assert (found.verdict, found.reason) == (Verdict.BOUNDED, "")


def test_a_bug_is_still_found() -> None:
    assert outcome(LOCK.replace("call release();", ""), Dag()).verdict is Verdict.BUG


def test_a_search_that_is_quick_does_not_ask() -> None:
    original = MarkEntry()(paddock.load(LOCK))
    with Z3Solver() as solver, patch("paddock.analysis.facts.partitioned.cannot_return", side_effect=AssertionError):
        found, _ = search(original, preparation()(original), Question(facts=False), solver, Budget())
    assert found.verdict is Verdict.BOUNDED


def test_what_was_inlined_by_then_is_no_proof() -> None:
    original = MarkEntry()(paddock.load(LOCK))
    question, budget, findings = Question(recursion_bound=2, facts=False), Budget(), Findings()
    stages = patch("paddock.engines.inlining.opening.VALUES", ((0.0, 10_000),))
    with Z3Solver() as solver, stages:
        asked = stated(original, preparation()(original), question, solver, budget)
        judge = judging(replays(original, question, findings), solver, budget)
        exploration = Exploration(original, question, asked, solver, budget, findings, judge)
        found = exploration.run()
        assert (found.verdict, found.reason) == (Verdict.PROVED, TYPESTATES)
        assert exploration.proof(found) is None


@pytest.mark.parametrize(
    ("answers", "asked"), [([None, True], 2), ([None, None], 2), ([False], 1), ([True], 1)], ids=str
)
def test_it_asks_again_only_if_there_were_too_many_states(answers: list[bool | None], asked: int) -> None:
    original = MarkEntry()(paddock.load(LOCK))
    stages = patch("paddock.engines.inlining.opening.VALUES", ((0.0, 1), (0.0, 2)))
    with Z3Solver() as solver, stages, patch("paddock.analysis.facts.partitioned.cannot_return") as cannot_return:
        cannot_return.side_effect = answers
        found, _ = search(original, preparation()(original), Question(facts=False), solver, Budget())
    assert cannot_return.call_count == asked
    assert (found.reason == TYPESTATES) is (True in answers)
