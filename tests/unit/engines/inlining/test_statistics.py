"""What a search counts while it goes on."""

from __future__ import annotations

import time

import paddock
from paddock.driver.plan import preparation
from paddock.engines.inlining.engines import Dag
from paddock.engines.inlining.graph import Edge, InliningGraph, Node, Strategy
from paddock.engines.inlining.merging import First, MergeTask, first
from paddock.engines.inlining.search import Question, search
from paddock.engines.outcome import Budget, Statistics
from paddock.passes.mark_entry import MarkEntry
from paddock.solvers.z3.solver import Z3Solver

BRANCHES = """
procedure main(x: int) { if (x > 0) { call P(x); } else { call P(1 - x); } }
procedure P(x: int) { call Q(x); }
procedure Q(x: int) { assert x * x > x - 1; }
"""


def statistics(text: str, question: Question) -> Statistics:
    original = MarkEntry()(paddock.load(text))
    with Z3Solver() as solver:
        return search(original, preparation()(original), question, solver, Budget())[1]


def test_the_time_for_finding_instances_to_share_is_part_of_that_for_formulas() -> None:
    spent = 0.0

    def slowly(graph: InliningGraph, edge: Edge) -> Node | None:
        nonlocal spent
        started = time.process_time()
        while time.process_time() - started < 0.01:
            pass
        found = first(graph, edge)
        spent += time.process_time() - started
        return found

    class Slowly(First):
        def start(self, task: MergeTask) -> Strategy:
            return slowly

    found = statistics(BRANCHES, Question(engine=Dag(merge=Slowly())))
    assert found.merged == 1
    assert 0 < spent <= found.merge_s <= found.vc_s
