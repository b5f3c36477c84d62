"""Every engine under every merging strategy gives the same answer, and brute force does not know better."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paddock.boogie import load
from paddock.boogie.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.program import Program
from paddock.passes.registry import run_passes
from paddock.search.engines import Question, search
from paddock.search.outcome import Budget, Found
from paddock.solvers.z3_solver import Z3Solver
from tests.property.goto_programs import behaviour, programs

ENGINES = [
    ("eager", "tree"),
    ("stratified", "tree"),
    ("dag", "tree"),
    ("dag", "first"),
    ("dag", "maxc"),
    ("dag", "random"),
    ("dag", "randompick"),
]
# Each activation takes fuel, so that no run goes deeper.
BOUND = 7
MAX_RUNS = 150


def answer(original: Program, prepared: Program, goal: str, engine: str, merge: str) -> Found:
    question = Question(goal, engine, merge, BOUND, BOUND, seed=1)
    with Z3Solver() as solver:
        outcome, _ = search(original, prepared, question, solver, Budget())
    assert outcome.found is not Found.UNKNOWN, outcome.reason
    return outcome.found


def check_agreement(text: str, goal: str) -> None:
    loaded = load([Source(text)])
    ends = behaviour(loaded, MAX_RUNS)
    assume(ends is not None)
    assert ends is not None
    original = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations"])
    prepared = run_passes(original, ["check-specs", "extract-loops", "prune"])
    answers = {(e, m): answer(original, prepared, goal, e, m) for e, m in ENGINES}
    bugs = {engine for engine, found in answers.items() if found is Found.BUG}
    assert bugs in (set(), set(answers)), answers
    # Brute force only tries a few values: it may miss a bug, but what it finds is one.
    wanted = "failed" if goal == "assertion" else "returned"
    assert bugs or not any(end[0] == wanted for end in ends), ends


@settings(max_examples=25, deadline=None)
@given(text=programs(), goal=st.sampled_from(["assertion", "return"]))
def test_engines_agree(text: str, goal: str) -> None:
    check_agreement(text, goal)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(text=programs(), goal=st.sampled_from(["assertion", "return"]))
def test_engines_agree_on_many_programs(text: str, goal: str) -> None:
    check_agreement(text, goal)
