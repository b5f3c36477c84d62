"""What a round of a search inlines."""

from __future__ import annotations

import pytest

import paddock
from paddock.driver.plan import preparation
from paddock.engines.inlining.engines import ENGINES
from paddock.engines.inlining.search import Question, search
from paddock.engines.inlining.stratified import Choice
from paddock.engines.outcome import Budget, Statistics
from paddock.passes.mark_entry import MarkEntry
from paddock.solvers.z3.solver import Z3Solver
from paddock.verdict import Verdict

# Both calls have to be inlined, but a path makes only one.
BRANCHES = """
var g: int;
procedure main(x: int) modifies g; { if (x > 0) { call A(); } else { call B(); } assert g > 0; }
procedure A() modifies g; { g := 1; }
procedure B() modifies g; { g := 2; }
"""


def searched(text: str, choice: Choice, engine: str = "stratified") -> Statistics:
    original = MarkEntry()(paddock.load(text))
    question = Question(engine=ENGINES[engine], facts=False, choice=choice)
    with Z3Solver() as solver:
        outcome, statistics = search(original, preparation()(original), question, solver, Budget())
    assert outcome.verdict is Verdict.PROVED
    return statistics


def proved(choice: Choice) -> Statistics:
    statistics = searched(BRANCHES, choice)
    assert statistics.instances == 3
    return statistics


def test_a_trace_at_a_time() -> None:
    # Is it safe whatever is called? Is there a bug without calls? With calls? (Twice.) And when nothing is open?
    assert proved(Choice()).queries == 1 + 2 + 2 + 1


def test_two_traces_at_a_time() -> None:
    # After the first trace comes another one, which avoids its call.
    assert proved(Choice(traces=2)).queries == 1 + 3 + 1


def test_traces_that_are_not_there() -> None:
    # As before, and the third trace does not exist.
    assert proved(Choice(traces=9)).queries == 1 + 4 + 1


def test_a_core_instead_of_traces() -> None:
    # Without both calls there is no bug, and that is all that is asked.
    assert proved(Choice("core")).queries == 1 + 1 + 1


# A path may call both, but the assertion needs only one of them.
SEQUENCE = """
var g, h: int;
procedure main(x: int, y: int) modifies g, h;
{
  g := 1;
  if (x > 0) { call A(); }
  if (y > 0) { call B(); }
  assert g > 0;
}
procedure A() modifies g; { g := 2; }
procedure B() modifies h; { h := 2; }
"""


@pytest.mark.parametrize("calls", ["core", "both"])
def test_calls_that_do_not_matter(calls: str) -> None:
    assert searched(SEQUENCE, Choice(calls)).instances == 2


def test_both_inline_only_what_is_on_the_trace() -> None:
    # As with a trace at a time; a core has both calls, a trace only one.
    assert proved(Choice("both")).queries == proved(Choice()).queries


# On no path are two of the three calls made.
APART = """
var g: int;
procedure main(x: int) modifies g; {
  if (x > 0) { call A(); } else if (x < 0) { call A(); } else { call A(); }
  assert g > 0;
}
procedure A() modifies g; { g := 1; }
"""


@pytest.mark.parametrize("engine", ["dag", "alternating"])
def test_sharing_early_saves_rounds(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.engines.inlining.opening.is_small", lambda *_: False)  # else all is inlined at once
    early, late = (searched(APART, Choice(share_early=is_early), engine) for is_early in (True, False))
    assert (early.instances, early.merged) == (late.instances, late.merged) == (2, 2)
    assert late.queries - early.queries == 4  # two rounds of two questions
