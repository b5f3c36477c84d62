"""What regions have proved, and bugs that were found, are in the result however a check is ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paddock.driver import guard, pipeline
from paddock.driver.searching import Searcher
from paddock.driver.start import start_of
from paddock.options import Options
from paddock.report.events import Event
from paddock.report.fold import Fold, with_known
from paddock.report.formats.check.json import json_object
from paddock.report.formats.check.text import render as result_text
from paddock.report.result import Result, Verdict
from paddock.solvers.interface import SolverFailure
from paddock.workers.limits import TimeLimit

TEXT = """procedure main(n: int) {
  var i: int;
  i := 0;
  while (i < n) { assert {:id "in the loop"} i * 0 == 0; i := i + 1; }
  assert {:id "bug"} i < 5;
  assert {:id "hard"} i >= 0;
}
"""


def verdicts(result: Result) -> dict[str, str]:
    return {a.id: a.verdict.value for a in result.assertions}


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "p.bpl").write_text(TEXT)
    return str(tmp_path / "p.bpl")


Ends = Callable[..., Result]


def checked(file: str, monkeypatch: pytest.MonkeyPatch, jobs: int, searched: Ends, **options: Any) -> Result:
    monkeypatch.setattr(Searcher, "result", searched)
    wanted = Options.of(gamble=True, jobs=jobs, all_assertions=True, gamble_facts=("kept",), **options)
    return guard.check_files([file], wanted)


def killed(*_: object) -> Result:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (TimeLimit(), "time limit"),
        (MemoryError(), "out of memory"),
        (KeyboardInterrupt(), "interrupted"),
        (SolverFailure("gone"), "gone"),
        (None, "killed"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_proofs_of_regions_are_kept_however_the_rest_ends(
    error: BaseException | None, reason: str, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def searched(*arguments: object) -> Result:
        if error is None:
            killed()
        assert error is not None
        raise error

    result = checked(file, monkeypatch, 1, searched)
    assert result.verdict is Verdict.UNKNOWN and reason in result.reason
    assert verdicts(result) == {"in the loop": "proved", "bug": "unknown", "hard": "unknown"}
    assert "loop at" in result.assertions[0].region
    assert json_object(result)["assertions"][0]["verdict"] == "proved"
    assert "1 cannot fail" in result_text(result)


def test_what_a_check_of_the_whole_program_says_beside_regions_takes_nothing_back(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first check of the whole program finds a bug and is given up for the regions; the next one dies."""
    search = Searcher.result

    def searched(*arguments: Any) -> Result:
        if os.getppid() == test:  # the process that the guard watches
            return killed()
        search(*arguments)  # which says that there is a bug
        while True:
            signal.pause()

    test = os.getpid()
    result = checked(file, monkeypatch, 2, searched)
    assert "killed" in result.reason
    found = verdicts(result)
    assert found["in the loop"] == "proved"
    assert found["bug"] in ("bug", "unknown")  # if it was found in time
    assert (result.verdict is Verdict.BUG) == (found["bug"] == "bug")


def test_what_was_decided_stays_decided(file: str) -> None:
    options = Options.of(all_assertions=True)
    full = pipeline.check_files([file], options)
    events: list[Event] = []
    pipeline.check_files([file], options, events.append)
    known = Fold(start_of(options))
    for event in events[:2]:
        known.add(event)
    nothing = known.result
    assert set(verdicts(nothing).values()) == {"unknown"}
    both = with_known(nothing, full)
    decided = {name: v for name, v in verdicts(full).items() if v in ("bug", "proved")}
    assert decided and verdicts(both).items() >= decided.items()
    assert (both.verdict, both.trace) == (full.verdict, full.trace)
    assert with_known(full, nothing) is full


def test_the_text_of_a_check_that_gave_out_says_what_is_proved(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Searcher, "result", killed)
    result = guard.check_files([file], Options.of(gamble=True, jobs=1))
    assert "1 of 3 assertions proved in loop at" in result_text(result)
