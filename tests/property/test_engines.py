"""Every engine under every merging strategy gives the same answer, and brute force does not know better."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paddock.boogie import load
from paddock.boogie.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.program import Program
from paddock.passes.registry import run_passes
from paddock.search.bounds import Bounds
from paddock.search.engines import Question, search
from paddock.search.graph import InliningGraph
from paddock.search.outcome import Budget, Found
from paddock.search.shapes import Shapes
from paddock.solvers.z3_solver import Z3Solver
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Failed, Returned
from tests.property.goto_programs import programs, small

ENGINES = [
    ("eager", "tree"),
    ("stratified", "tree"),
    ("dag", "tree"),
    ("dag", "first"),
    ("dag", "maxc"),
    ("dag", "random"),
    ("dag", "randompick"),
    ("dag", "opt"),
]
BOUND = 2
MAX_RUNS = 300
MAX_TREE = 300


def answer(original: Program, prepared: Program, goal: str, engine: str, merge: str) -> Found:
    question = Question(goal, engine, merge, BOUND, BOUND, seed=1)
    with Z3Solver() as solver:
        outcome, _ = search(original, prepared, question, solver, Budget())
    assert outcome.found is not Found.UNKNOWN, outcome.reason
    return outcome.found


def check_agreement(text: str, goal: str) -> None:
    loaded = load([Source(text)])
    original = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations"])
    prepared = run_passes(original, ["check-specs", "extract-loops", "prune"])
    assume(tree_size(prepared) <= MAX_TREE)
    answers = {(e, m): answer(original, prepared, goal, e, m) for e, m in ENGINES}
    bugs = {engine for engine, found in answers.items() if found is Found.BUG}
    assert bugs in (set(), set(answers)), answers
    # Brute force only tries a few values: it may miss a bug, but what it finds is one.
    assert bugs or not is_reached_by_brute_force(prepared, Failed if goal == "assertion" else Returned)


def tree_size(program: Program) -> int:
    """The number of instances if none is shared, counted up to a little above the limit."""
    shapes, bounds = Shapes(program), Bounds(program, BOUND, BOUND)
    graph = InliningGraph(shapes.recursion_below)
    graph.add_root(shapes[entry_name(program)])
    while calls := [e for e in graph.open if bounds.allow(e, BOUND)]:
        for edge in calls[: MAX_TREE + 1]:
            graph.add_node(edge, shapes[edge.site.callee])
        if len(graph.nodes) > MAX_TREE:
            break
    return len(graph.nodes)


def is_reached_by_brute_force(prepared: Program, wanted: type) -> bool:
    """Whether a run within the bound ends as wanted. Loops are procedures by now, so that the bound is theirs, too."""
    runs = every_run(prepared, None, small, Limits(steps=2000, recursion=BOUND))
    return any(isinstance(run.outcome, wanted) for run in islice(runs, MAX_RUNS))


@settings(max_examples=25, deadline=None)
@given(text=programs(), goal=st.sampled_from(["assertion", "return"]))
def test_engines_agree(text: str, goal: str) -> None:
    check_agreement(text, goal)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(text=programs(), goal=st.sampled_from(["assertion", "return"]))
def test_engines_agree_on_many_programs(text: str, goal: str) -> None:
    check_agreement(text, goal)
