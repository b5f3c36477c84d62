"""What is known of a check is what its events come to."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

import paddock
from paddock.driver import pipeline
from paddock.driver.start import start_of
from paddock.options import Options
from paddock.report import events
from paddock.report.counterexample import Counterexample, TraceStep
from paddock.report.events import (
    AssertionProved,
    BoundCompleted,
    BugFound,
    Done,
    Event,
    Loaded,
    Prepared,
    Progress,
    RegionProved,
)
from paddock.report.fold import Fold
from paddock.report.result import AssertionResult, Result, Verdict

START = Result((), "", "assertion", Verdict.UNKNOWN, "dag", all_assertions=True)
ONE, TWO = (AssertionResult(name, "a.bpl", n, Verdict.UNKNOWN) for n, name in enumerate(("one", "two"), 1))
LOADED, PREPARED = Loaded(("a.bpl",), {"parse_s": 0.5}), Prepared("main", "assertion", (ONE, TWO))
RUN, OTHER = (Counterexample((TraceStep("a.bpl", n, "main", "fail"),)) for n in (1, 2))


def proved(assertion: AssertionResult, region: str = "") -> AssertionResult:
    return replace(assertion, verdict=Verdict.PROVED, region=region)


def fails(assertion: AssertionResult, run: Counterexample = RUN) -> BugFound:
    return BugFound(run, replace(assertion, verdict=Verdict.BUG, counterexample=run))


def given_up(*received: Event) -> Result:
    known = Fold(START)
    for event in received:
        known.add(event)
    return known.given_up("time limit", 2.0)


def verdicts(result: Result) -> list[str]:
    return [a.verdict.value for a in result.assertions]


@pytest.mark.parametrize(
    ("received", "reason"),
    [
        ((), "time limit while reading the program"),
        ((LOADED,), "time limit while preparing the program"),
        ((LOADED, PREPARED), "time limit while searching"),
        ((LOADED, PREPARED, Progress(1)), "time limit"),
    ],
)
def test_the_reason_says_how_far_it_came(received: tuple[Event, ...], reason: str) -> None:
    result = given_up(*received)
    assert (result.verdict, result.reason, result.time_s) == (Verdict.UNKNOWN, reason, 2.0)


def test_counts_and_bounds() -> None:
    result = given_up(LOADED, PREPARED, Progress(3, 2, {"queries": 7}), BoundCompleted(3))
    assert (result.files, result.entry, result.bound) == (("a.bpl",), "main", 3)
    assert result.stats == {"parse_s": 0.5, "queries": 7}


def test_warnings_and_notes() -> None:
    result = given_up(LOADED, events.Warning("beware"), events.Warning("by the way", is_note=True))
    assert (result.warnings, result.notes) == (("beware",), ("by the way",))


def test_bugs_and_proofs() -> None:
    result = given_up(LOADED, PREPARED, AssertionProved(proved(ONE)), fails(TWO))
    assert (result.verdict, verdicts(result), result.counterexample) == (Verdict.BUG, ["proved", "bug"], RUN)


def test_the_first_bug_is_that_of_the_program() -> None:
    result = given_up(LOADED, PREPARED, fails(TWO, OTHER), fails(ONE, RUN))
    assert (result.counterexample, verdicts(result)) == (OTHER, ["bug", "bug"])
    assert [a.counterexample for a in result.assertions] == [RUN, OTHER]


def test_a_bug_is_not_taken_back() -> None:
    result = given_up(LOADED, PREPARED, fails(ONE), AssertionProved(proved(ONE)), AssertionProved(proved(TWO)))
    assert (result.verdict, verdicts(result)) == (Verdict.BUG, ["bug", "proved"])


def test_proofs_of_all_assertions_are_a_proof_whatever_ends_the_check() -> None:
    regions = RegionProved("loop at a.bpl:1", (proved(ONE, "loop at a.bpl:1"),), {"regions_tried": 1})
    result = given_up(LOADED, PREPARED, regions, AssertionProved(proved(TWO)), Progress(2, 1))
    assert (result.verdict, result.bound) == (Verdict.PROVED, None)
    assert result.reason == "proved in loop at a.bpl:1 and in the whole program"
    assert result.stats["regions_tried"] == 1


def test_the_end_has_the_last_word_but_takes_nothing_back() -> None:
    final = replace(START, assertions=(ONE, TWO), reason="gone", verdict=Verdict.UNKNOWN, stats={"queries": 9})
    known = Fold(START)
    for event in (LOADED, PREPARED, fails(TWO), Done(final)):
        known.add(event)
    assert (known.result.verdict, verdicts(known.result)) == (Verdict.BUG, ["unknown", "bug"])
    assert (known.result.stats, known.result.reason) == ({"queries": 9}, "gone")


PROGRAM = """
procedure main(n: int) {
  var i: int;
  i := 0;
  while (i < n) { i := i + 1; assert {:id "loop"} i > 0; }
  assert {:id "bug"} i != 3;
  assert {:id "same"} i == i;
}
"""
CHECKS = [
    Options(),
    Options.of(all_assertions=True),
    Options.of(all_assertions=True, engine="stratified"),
    Options.of(all_assertions=True, implications=True),
    Options.of(all_assertions=True, gamble=True, jobs=1),
    Options.of(all_assertions=True, gamble=True, jobs=2),
    Options.of(refine="alg2"),
    Options.of(goal="return"),
]


@pytest.mark.parametrize("options", CHECKS, ids=range(len(CHECKS)))
def test_events_of_a_check_agree_with_its_result(options: Options) -> None:
    """Whatever is known before the end is in the result, and all decided assertions are known before the end."""
    received: list[Event] = []
    result = pipeline.check(paddock.load(PROGRAM), options, received.append)
    assert received[-1] == Done(result)
    assert pickle.loads(pickle.dumps(received)) == received
    before = Fold(start_of(options))
    for event in received[:-1]:
        before.add(event)
    assert (before.result.verdict is Verdict.BUG) == (result.verdict is Verdict.BUG)
    assert before.result.counterexample == result.counterexample
    decided = {a.id: a.verdict for a in result.assertions if a.verdict in (Verdict.PROVED, Verdict.BUG)}
    assert {a.id: a.verdict for a in before.result.assertions if a.verdict is not Verdict.UNKNOWN} == decided
    assert result.bound is None or BoundCompleted(result.bound) in received
