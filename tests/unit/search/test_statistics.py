"""What a search counts while it goes on."""

from __future__ import annotations

import time

import pytest

import paddock
from paddock.pipeline import marked, prepare
from paddock.search import engines
from paddock.search.engines import Question, search
from paddock.search.graph import Edge, InliningGraph, Node
from paddock.search.merging import first
from paddock.search.outcome import Budget, Statistics
from paddock.solvers.z3_solver import Z3Solver

BRANCHES = """
procedure main(x: int) { if (x > 0) { call P(x); } else { call P(1 - x); } }
procedure P(x: int) { call Q(x); }
procedure Q(x: int) { assert x * x > x - 1; }
"""


def statistics(text: str, question: Question) -> Statistics:
    original = marked(paddock.load(text), paddock.Options())
    with Z3Solver() as solver:
        return search(original, prepare(original), question, solver, Budget())[1]


def test_the_time_for_finding_instances_to_share_is_part_of_that_for_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = 0.0

    def slowly(graph: InliningGraph, edge: Edge) -> Node | None:
        nonlocal spent
        started = time.process_time()
        while time.process_time() - started < 0.01:
            pass
        found = first(graph, edge)
        spent += time.process_time() - started
        return found

    monkeypatch.setitem(engines.STRATEGIES, "first", lambda seed: slowly)
    found = statistics(BRANCHES, Question(merge="first"))
    assert found.merged == 1
    assert 0 < spent <= found.merge_s <= found.vc_s
