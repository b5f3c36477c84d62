"""Ways to search that take turns, and that run side by side."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import paddock
from paddock import Options, Result, Verdict
from paddock.driver import pipeline, strategies
from paddock.driver.portfolio import SideBySide
from paddock.driver.strategies import GROWTH, PLAIN, REFINED, side_by_side, takes_turns, turns
from paddock.frontends.source import Source
from paddock.ir.program import Program
from paddock.report.events import AssertionProved, BoundCompleted, BugFound, Emit, Event, Prepared, ignore
from paddock.solvers.z3.context import Z3Context

SAFE = """
var g, h: int;
function f(n: int): int;
procedure main() modifies g, h; { g := 0; h := 1; call P(); call P(); assert f(g + h) == f(3); }
procedure P() modifies g; { g := g + 1; }
"""
WRONG = SAFE.replace("f(3)", "f(4)")
C = Path(__file__).parents[3] / "examples" / "field.c"


def test_turns_start_small_and_grow() -> None:
    first = [turn for turn, _ in zip(turns(), range(4), strict=False)]
    assert [turn.name for turn in first] == [REFINED, PLAIN, REFINED, PLAIN]
    assert [turn.allowance / strategies.FIRST_ALLOWANCE for turn in first] == [1, GROWTH, GROWTH, GROWTH**2]


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        (SAFE, {}, True),
        (SAFE, {"strategy": "single"}, False),
        (SAFE, {"engine": "dag"}, False),
        (SAFE, {"refine": "alg2"}, False),
        (SAFE, {"houdini": True}, False),
        (SAFE, {"store": "folder"}, False),
        ("var g: int; procedure main() { assert g == g; }", {}, False),
    ],
    ids=str,
)
def test_turns_are_taken_where_no_option_says_how_to_search(text: str, options: dict[str, Any], expected: bool) -> None:
    assert takes_turns(paddock.load(text), Options.of(**options)) is expected


@pytest.mark.parametrize("all_assertions", [False, True])
@pytest.mark.parametrize(("text", "verdict"), [(SAFE, Verdict.PROVED), (WRONG, Verdict.BUG)], ids=["safe", "wrong"])
def test_whoever_has_enough_gives_the_verdict(
    text: str, verdict: Verdict, all_assertions: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = Options.of(all_assertions=all_assertions)
    assert paddock.check(paddock.load(text), options).strategy == PLAIN
    for module in ("strategies", "searching"):
        monkeypatch.setattr(f"paddock.driver.{module}.FIRST_ALLOWANCE", 1e-6)
    assert paddock.check(paddock.load(text), options).verdict is verdict


def test_another_way_decides_if_the_first_has_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.driver.searching.FIRST_ALLOWANCE", 1e-6)
    first = paddock.check(paddock.load(WRONG), Options())
    assert (first.verdict, first.strategy) == (Verdict.BUG, REFINED)
    assert first.stats["iterations"] > 0
    again = paddock.check(paddock.load(WRONG), Options())
    counts = ("instances", "queries", "iterations", "tracked")
    assert [again.stats[name] for name in counts] == [first.stats[name] for name in counts]


def test_a_time_limit_ends_all_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("strategies", "searching"):
        monkeypatch.setattr(f"paddock.driver.{module}.FIRST_ALLOWANCE", 1e-9)
    monkeypatch.setattr("paddock.driver.strategies.GROWTH", 1.0)  # nobody ever has enough
    result = paddock.check(paddock.load(SAFE), Options.of(timeout=0.5))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "time limit")


@pytest.mark.parametrize("options", [{}, {"engine": "symbolic"}, {"houdini": True}, {"refine": "alg2"}], ids=str)
def test_solvers_are_closed_when_the_verdict_is_there(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    contexts: list[Z3Context] = []
    begin = Z3Context.__init__

    def noted(context: Z3Context) -> None:
        begin(context)
        contexts.append(context)

    monkeypatch.setattr(Z3Context, "__init__", noted)
    for text in (SAFE, WRONG):
        paddock.check(paddock.load(text), Options.of(solver="z3", **options))
    assert contexts
    assert not any(context.free.alive for context in contexts)


def test_side_by_side_there_are_as_many_ways_as_jobs() -> None:
    program = paddock.load(SAFE)
    free = side_by_side(program, Options(), 5)
    assert [name for name, _ in free] == ["plain", "refined", "alternating", "seed 1", "seed 2"]
    assert [options.smt.seed for _, options in free] == [0, 0, 0, 1, 2]
    assert [name for name, _ in side_by_side(program, Options.of(goal="return"), 3)] == ["plain", "refined", "seed 1"]
    chosen = side_by_side(program, Options.of(engine="stratified", seed=4), 2)
    assert [(name, o.search.engine, o.smt.seed) for name, o in chosen] == [
        ("plain", "stratified", 4),
        ("seed 5", "stratified", 5),
    ]


def test_c_programs_are_executed_and_inlined_side_by_side() -> None:
    ways = side_by_side(paddock.load(C), Options(), 2)
    assert [(name, options.search.engine) for name, options in ways] == [("symbolic", "auto"), ("plain", "dag")]


@pytest.mark.parametrize(("text", "verdict"), [(SAFE, Verdict.PROVED), (WRONG, Verdict.BUG)], ids=["safe", "wrong"])
def test_verdicts_do_not_depend_on_the_number_of_ways(text: str, verdict: Verdict) -> None:
    events: list[Event] = []
    result = pipeline.check(paddock.load(text), Options.of(jobs=3), events.append)
    assert result.verdict is verdict
    assert result.strategy in ("plain", "refined", "alternating")
    assert (result.counterexample is not None) is (verdict is Verdict.BUG)
    assert sum(isinstance(event, Prepared) for event in events) <= 1


def raced(check: Callable[[Program, list[Source], Options, Emit], Result], jobs: int = 2) -> Result:
    return SideBySide(check, paddock.load(SAFE), [], Options.of(jobs=jobs), None, ignore).raced()


def test_a_worker_that_is_lost_loses_no_verdict() -> None:
    def check(given: Program, sources: list[Source], options: Options, emit: Emit) -> Result:
        if options.refinement.refine == "none":
            os._exit(3)
        return pipeline.check_read(given, sources, options, emit)

    result = raced(check)
    assert (result.verdict, result.strategy) == (Verdict.PROVED, REFINED)


def test_if_all_workers_are_lost_the_program_is_searched_here() -> None:
    here = os.getpid()

    def check(given: Program, sources: list[Source], options: Options, emit: Emit) -> Result:
        if os.getpid() != here:
            os._exit(3)
        return pipeline.check_read(given, sources, options, emit)

    assert raced(check).verdict is Verdict.PROVED


def test_who_does_not_know_waits_for_who_does() -> None:
    def check(given: Program, sources: list[Source], options: Options, emit: Emit) -> Result:
        if options.refinement.refine == "none":
            options = options.changed(engine="dag", timeout=1e-9)
        return pipeline.check_read(given, sources, options, emit)

    result = raced(check)
    assert (result.verdict, result.strategy) == (Verdict.PROVED, REFINED)


def test_if_nobody_knows_the_first_way_says_why() -> None:
    def check(given: Program, sources: list[Source], options: Options, emit: Emit) -> Result:
        return pipeline.check_read(given, sources, options.changed(timeout=1e-9), emit)

    result = raced(check)
    assert (result.verdict, result.strategy) == (Verdict.UNKNOWN, PLAIN)
    assert "time limit" in result.reason


SEVERAL = """
var g: int;
procedure main() modifies g; { g := 1; call P(); assert g == 2; assert g == 3; call P(); assert g == 4; }
procedure P() modifies g; { assert g > 0; g := g + 1; }
"""


@pytest.mark.parametrize("jobs", [2, 9])
def test_assertions_are_divided_among_processes(jobs: int) -> None:
    options, events = Options.of(all_assertions=True), list[Event]()
    program = paddock.load(SEVERAL)
    expected = paddock.check(program, options)
    result = pipeline.check(program, options.changed(jobs=jobs), events.append)
    assert [(a.id, a.verdict) for a in result.assertions] == [(a.id, a.verdict) for a in expected.assertions]
    assert result.verdict is expected.verdict is Verdict.BUG
    assert result.counterexample is not None
    assert result.trace[-1].line == expected.trace[-1].line
    assert result.strategy == f"{min(jobs, 4)} processes"
    announced = [event for event in events if isinstance(event, BugFound | AssertionProved)]
    assert len(announced) >= len(result.assertions)


def test_what_a_lost_worker_should_have_looked_at_is_looked_at_here() -> None:
    here = os.getpid()

    def check(given: Program, sources: list[Source], options: Options, emit: Emit) -> Result:
        if os.getpid() != here and len(options.task.properties) == 2:
            os._exit(3)
        return pipeline.check_read(given, sources, options, emit)

    program, options = paddock.load(SEVERAL), Options.of(all_assertions=True, jobs=3)
    ids = [a.id for a in paddock.check(program, options.changed(jobs=None)).assertions]
    result = SideBySide(check, program, [], options, None, ignore).divided(ids)
    verdicts = {a.text: a.verdict for a in result.assertions}
    assert verdicts == dict.fromkeys(("g == 2", "g > 0"), Verdict.PROVED) | {
        "g == 3": Verdict.BUG,
        "g == 4": Verdict.PROVED,
    }


ROWS = """
#include <assert.h>
extern int next(void);
int table[8][200];
int main(void) {
  unsigned row = 0;
  while (next()) {
    row = (row + 1) % 8;
    for (unsigned column = 0; column < 200; column++) {
      assert(row < 8);
      table[row][column] = 1;
    }
  }
}
"""


def test_where_an_iteration_takes_many_steps_all_bounds_are_proved_before_larger_ones(tmp_path: Path) -> None:
    file = tmp_path / "rows.c"
    file.write_text(ROWS)
    received: list[Event] = []
    result = pipeline.check_files([str(file)], Options.of(recursion_bound=4), received.append)
    assert (result.verdict, result.engine) == (Verdict.PROVED, "dag")
    assert all(event.bound <= 1 for event in received if isinstance(event, BoundCompleted))
