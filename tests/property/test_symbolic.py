"""Symbolic execution agrees with DAG inlining on random programs."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paddock.engines.inlining.engines import Dag, Engine, Symbolic
from paddock.engines.inlining.search import Question, search
from paddock.engines.outcome import Budget
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.passes.registry import run_passes
from paddock.solvers.z3.solver import Z3Solver
from paddock.verdict import Verdict
from tests.property.executable_programs import Shape, executable_programs
from tests.property.goto_programs import loop_programs, programs
from tests.property.test_engines import MAX_TREE, tree_size

BOUND = 2
SMALL = Shape(procedures=2, statements=3)


def check_agreement(text: str, goal: str, loop_bound: int) -> None:
    loaded = load([Source(text)])
    original = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations"])
    whole = run_passes(original, ["check-specs", "prune"])
    extracted = run_passes(original, ["check-specs", "extract-loops", "prune"])
    assume(tree_size(extracted, loop_bound) <= MAX_TREE)

    def answer(engine: Engine) -> Verdict:
        question = Question(goal, engine, BOUND, loop_bound, seed=1)
        with Z3Solver() as solver:
            prepared = whole if engine.unwinds else extracted
            outcome, _ = search(original, prepared, question, solver, Budget())
        assert outcome.verdict is not Verdict.UNKNOWN, outcome.reason
        return outcome.verdict

    inlining, symbolic = answer(Dag()), answer(Symbolic())
    # Iterations are counted in each activation by itself, so that more executions may be within a bound.
    if inlining is Verdict.BUG:
        assert symbolic is Verdict.BUG
    else:
        assert symbolic is not Verdict.BUG or inlining is Verdict.BOUNDED


GOALS = st.sampled_from(["assertion", "return"])
LOOP_BOUNDS = st.sampled_from([BOUND, BOUND, 1, 3])


@settings(max_examples=15)
@given(text=programs(), goal=GOALS, loop_bound=LOOP_BOUNDS)
def test_symbolic_execution_agrees_with_inlining(text: str, goal: str, loop_bound: int) -> None:
    check_agreement(text, goal, loop_bound)


@settings(max_examples=15)
@given(text=loop_programs(), loop_bound=LOOP_BOUNDS)
def test_symbolic_execution_agrees_on_loops(text: str, loop_bound: int) -> None:
    check_agreement(text, "assertion", loop_bound)


@settings(max_examples=15)
@given(text=executable_programs(SMALL))
def test_symbolic_execution_agrees_on_maps_and_contracts(text: str) -> None:
    check_agreement(text, "assertion", 4)


@pytest.mark.slow
@settings(max_examples=500)
@given(text=st.one_of(programs(), loop_programs(), executable_programs(SMALL)), goal=GOALS, loop_bound=LOOP_BOUNDS)
def test_symbolic_execution_agrees_on_many_programs(text: str, goal: str, loop_bound: int) -> None:
    check_agreement(text, goal, loop_bound)
