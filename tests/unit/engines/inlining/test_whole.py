"""A graph that is small as a whole is built at once; if instances are shared, the solver decides along it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import paddock
from paddock.driver.plan import preparation
from paddock.engines.inlining.engines import ENGINES
from paddock.engines.inlining.search import Question, search
from paddock.engines.outcome import Budget, Statistics
from paddock.passes.mark_entry import MarkEntry
from paddock.solvers.interface import Answer, Term
from paddock.solvers.z3.solver import Z3Solver
from paddock.verdict import Verdict

sys.path.append(str(Path(__file__).parents[4] / "examples"))
from fig2 import program


def undecided(n: int) -> str:
    """What f is, facts do not tell."""
    return program(n).replace(f"assert g == {n};", f"assert f(g) == f({n});") + "function f(n: int): int;"


UNDECIDED = undecided(6)
ALONE = "procedure main() { call P(1); } procedure P(n: int) { assert f(n) == f(1); } function f(n: int): int;"
# Many calls for few procedures.
DENSE = (
    "procedure main() { " + "call P(1); " * 9 + "} procedure P(n: int) { " + "call Q(n); " * 9 + "}"
    "procedure Q(n: int) { assert f(n) == f(1); } function f(n: int): int;"
)


class Watched(Z3Solver):
    """Notes what it is asked to do."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self.notes.append("check")
        return super().check(assumptions, timeout)

    def decide_in_order(self) -> None:
        self.notes.append("in order")
        super().decide_in_order()


def searched(text: str, engine: str) -> tuple[Statistics, list[str]]:
    original = MarkEntry()(paddock.load(text))
    with Watched() as solver:
        question = Question(engine=ENGINES[engine], typestates=False)
        outcome, statistics = search(original, preparation()(original), question, solver, Budget())
        assert outcome.verdict is Verdict.PROVED
        return statistics, solver.notes


@pytest.mark.parametrize(
    ("text", "engine", "is_whole", "is_in_order"),
    [
        (UNDECIDED, "dag", True, True),
        (UNDECIDED, "eager", True, False),
        (undecided(4), "stratified", False, False),
        (ALONE, "dag", True, False),
        (DENSE, "dag", False, False),
    ],
    ids=["shared", "eager", "stratified", "not shared", "dense"],
)
def test_what_is_built_at_once(text: str, engine: str, is_whole: bool, is_in_order: bool) -> None:
    _, notes = searched(text, engine)
    # One query whether summaries suffice and one about the whole.
    at_once = ["check", "in order", "check"] if is_in_order else ["check", "check"]
    assert (notes == at_once) is is_whole
    assert ("in order" in notes) is is_in_order


@pytest.mark.parametrize(
    ("patience", "most", "is_whole"), [(0.0, 100, True), (0.0, 10, False), (1e9, 100, False)], ids=str
)
def test_the_rest_is_built_if_it_is_not_large_and_asking_takes_long(
    monkeypatch: pytest.MonkeyPatch, patience: float, most: int, is_whole: bool
) -> None:
    monkeypatch.setattr("paddock.engines.inlining.opening.PATIENCE", patience)
    monkeypatch.setattr("paddock.engines.inlining.opening.MOST_REST", most)
    _, notes = searched(DENSE, "dag")
    assert (notes == ["check", "check"]) is is_whole


def test_the_rest_is_built_in_the_middle_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    queries = iter(range(1000))
    monkeypatch.setattr(Watched, "effort", lambda _: float(next(queries)))
    monkeypatch.setattr("paddock.engines.inlining.opening.PATIENCE", 2.0)
    statistics, notes = searched(DENSE, "dag")
    assert statistics.instances == 1 + 9 + 81
    assert 2 < len(notes) < 12  # which takes 44 queries otherwise


def test_the_whole_graph_of_fig_2_is_linear() -> None:
    statistics, _ = searched(UNDECIDED, "dag")
    assert (statistics.instances, statistics.merged) == (3 * 6 + 2, 6)
