"""Every engine under every merging strategy gives the same answer, and brute force does not know better."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.engines import ENGINES as BY_NAME
from paddock.engines.inlining.engines import Alternating, Dag, with_merge
from paddock.engines.inlining.graph import InliningGraph
from paddock.engines.inlining.merging import MERGES, Opt
from paddock.engines.inlining.search import Question, search
from paddock.engines.inlining.shapes import Shapes
from paddock.engines.inlining.stratified import Choice
from paddock.engines.outcome import Budget
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.program import Program
from paddock.passes.registry import run_passes
from paddock.solvers.z3.solver import Z3Solver
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Failed, Returned
from paddock.verdict import Verdict
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
    ("alternating", "first"),
    ("alternating", "tree"),
    ("alternating", "randompick"),
    ("alternating", "opt"),
]
# What else may be asked for, and should change no verdict.
FURTHER: dict[str, dict[str, Any]] = {
    "core": {"choice": Choice("core")},
    "both": {"choice": Choice("both")},
    "three traces, both, alternating": {"choice": Choice("both", traces=3), "engine": Alternating()},
    "three traces": {"choice": Choice(traces=3)},
    "data": {"data_disjointness": True},
    "shared late": {"choice": Choice(share_early=False)},
    "shared late, alternating": {"choice": Choice(share_early=False), "engine": Alternating()},
    "data, opt": {"data_disjointness": True, "engine": Dag(merge=Opt())},
    "core, alternating": {"choice": Choice("core"), "engine": Alternating()},
    "data, traces, alternating": {"data_disjointness": True, "choice": Choice(traces=2), "engine": Alternating()},
}
BOUND = 2
MAX_RUNS = 300
MAX_TREE = 300


def answer(original: Program, prepared: Program, question: Question) -> Verdict:
    with Z3Solver() as solver:
        outcome, _ = search(original, prepared, question, solver, Budget())
    assert outcome.verdict is not Verdict.UNKNOWN, outcome.reason
    return outcome.verdict


def check_agreement(text: str, goal: str, loop_bound: int) -> None:
    loaded = load([Source(text)])
    original = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations"])
    prepared = run_passes(original, ["check-specs", "extract-loops", "prune"])
    assume(tree_size(prepared, loop_bound) <= MAX_TREE)
    common = Question(goal, recursion_bound=BOUND, loop_bound=loop_bound, seed=1)
    questions = {f"{e}, {m}": replace(common, engine=with_merge(BY_NAME[e], MERGES[m])) for e, m in ENGINES}
    questions |= {name: replace(common, **options) for name, options in FURTHER.items()}
    answers = {name: answer(original, prepared, question) for name, question in questions.items()}
    # Graphs as small as these are built at once. Those of large programs grow as the search goes on.
    with patch("paddock.engines.inlining.opening.is_small", lambda *_: False):
        lazily = {name: question for name, question in questions.items() if isinstance(question.engine, Dag)}
        answers |= {f"{name}, lazily": answer(original, prepared, question) for name, question in lazily.items()}
        # The rest of a graph that can be built is built when asking has taken long.
        with patch("paddock.engines.inlining.opening.PATIENCE", 0.001):
            answers["dag, then the rest"] = answer(original, prepared, common)
        with patch("paddock.engines.inlining.opening.VALUES", ((0.0, 10_000),)):
            answers["dag, values of globals"] = answer(original, prepared, common)
        with (
            patch("paddock.engines.inlining.balance.LITTLE", 0.0),
            patch("paddock.engines.inlining.balance.SHARE", 0.01),
        ):
            answers["dag, seldom without open calls"] = answer(original, prepared, common)
    bugs = {engine for engine, found in answers.items() if found is Verdict.BUG}
    assert bugs in (set(), set(answers)), answers
    # Brute force only tries a few values: it may miss a bug, but what it finds is one.
    wanted = Failed if goal == "assertion" else Returned
    if Verdict.PROVED in answers.values():
        assert not is_reached_by_brute_force(original, wanted, None)
    if loop_bound == BOUND:
        assert bugs or not is_reached_by_brute_force(prepared, wanted, BOUND)


def tree_size(program: Program, loop_bound: int = BOUND) -> int:
    """The number of instances if none is shared, counted up to a little above the limit."""
    shapes, bounds = Shapes(program), Bounds(program, BOUND, loop_bound)
    graph = InliningGraph(shapes.recursion_below)
    graph.add_root(shapes[entry_name(program)])
    while calls := [e for e in graph.open if bounds.allow(e, bounds.last)]:
        for edge in calls[: MAX_TREE + 1]:
            graph.add_node(edge, shapes[edge.site.callee])
        if len(graph.nodes) > MAX_TREE:
            break
    return len(graph.nodes)


def is_reached_by_brute_force(program: Program, wanted: type, bound: int | None) -> bool:
    """Whether a run within the bound, if any, ends as wanted. In a prepared program it is the bound of loops, too."""
    runs = every_run(program, None, small, Limits(steps=2000, recursion=bound))
    return any(isinstance(run.outcome, wanted) for run in islice(runs, MAX_RUNS))


GOALS = st.sampled_from(["assertion", "return"])
LOOP_BOUNDS = st.sampled_from([BOUND, BOUND, 1, 3])


@settings(max_examples=4)
@given(text=programs(), goal=GOALS, loop_bound=LOOP_BOUNDS)
def test_engines_agree(text: str, goal: str, loop_bound: int) -> None:
    check_agreement(text, goal, loop_bound)


@pytest.mark.slow
@settings(max_examples=200)
@given(text=programs(), goal=GOALS, loop_bound=LOOP_BOUNDS)
def test_engines_agree_on_many_programs(text: str, goal: str, loop_bound: int) -> None:
    check_agreement(text, goal, loop_bound)
