"""The reports: what they say for each verdict, and the keys that other programs rely on."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from paddock.report.color import PLAIN, Painter, painter_for
from paddock.report.counterexample import Activation, Choice, Counterexample, TraceStep, TypedValue
from paddock.report.events import BoundCompleted, Loaded, Prepared, Progress, Waiting
from paddock.report.formats.check.json import json_object
from paddock.report.formats.check.json import render as json_text
from paddock.report.formats.check.text import render as result_text
from paddock.report.progress import ProgressLine
from paddock.report.result import AssertionResult, Result, Verdict
from paddock.report.sentence import verdict_sentence

ONE = TypedValue("1", "int", 1)
PROVED = Result(
    files=("a.bpl",),
    entry="main",
    goal="assertion",
    verdict=Verdict.PROVED,
    engine="dag",
    bound=3,
    time_s=1.23456,
    stats={"instances": 12, "merged": 3, "queries": 1, "solver_s": 0.123456},
    version="9.9",
)
BUG = replace(
    PROVED,
    verdict=Verdict.BUG,
    counterexample=Counterexample(
        (
            TraceStep("a.bpl", 3, "main", "statement", {"x": ONE}, 0, 5, "x := 1;"),
            TraceStep("a.bpl", 4, "main", "branch", {"x": ONE}, 0, 9, "!(x > 1)", "if (x > 1) {"),
            TraceStep("a.bpl", 7, "main", "call", {}, 0, 5, "call P(x);", "call P(x); // now"),
            TraceStep(
                "a.bpl",
                12,
                "P",
                "fail",
                {"x": ONE, "m": TypedValue("9" * 70, "[int]int")},
                1,
                7,
                "assertion fails: x == 2",
                "assert x == 2;",
                before={"x": TypedValue("0", "int", 0)},
                activation=1,
            ),
        ),
        (Activation("main"), Activation("P", "a.bpl", 7, 5, 0)),
        (Choice("havoc", "x", ONE, "a.bpl", 2, 3, step=0),),
    ),
)
FAILING = AssertionResult(
    "P.assert.1a2b3c",
    "a.bpl",
    12,
    Verdict.BUG,
    column=7,
    procedure="P",
    text="x == 2",
    counterexample=BUG.counterexample,
)
BUG = replace(BUG, assertions=(FAILING,))


def test_json_has_the_keys_of_the_contract_in_order() -> None:
    found = json_object(BUG)
    assert list(found) == [
        *(
            "schema",
            "schema_version",
            "tool",
            "version",
            "files",
            "entry",
            "goal",
            "verdict",
            "bound",
            "contexts",
            "unwind",
            "reason",
            "time_s",
            "engine",
        ),
        *(
            "stats",
            "all_assertions",
            "independent",
            "assertions",
            "trace",
            "activations",
            "choices",
            "warnings",
            "notes",
        ),
    ]
    assert found["tool"] == "paddock"
    assert found["verdict"] == "bug"
    assert found["time_s"] == 1.235
    assert found["stats"] == {"instances": 12, "merged": 3, "queries": 1, "solver_s": 0.123}
    assert found["assertions"] == [
        {
            "id": "P.assert.1a2b3c",
            "file": "a.bpl",
            "line": 12,
            "column": 7,
            "procedure": "P",
            "kind": "assert",
            "text": "x == 2",
            "verdict": "bug",
            "reason": "",
            "how": "",
            "region": "",
            "trace": found["trace"],
            "activations": found["activations"],
            "choices": found["choices"],
        }
    ]


def test_json_has_the_steps_with_what_they_are_about() -> None:
    found = json_object(BUG)
    last = found["trace"][-1]
    assert {k: last[k] for k in ("file", "line", "procedure", "kind", "values", "thread", "context")} == {
        "file": "a.bpl",
        "line": 12,
        "procedure": "P",
        "kind": "fail",
        "values": {"x": "1", "m": "9" * 70},
        "thread": 0,
        "context": 0,
    }
    assert (last["before"], last["types"], last["data"]) == ({"x": "0"}, {"x": "int", "m": "[int]int"}, {"x": 1})
    assert found["activations"][last["activation"]] == {
        "procedure": "P",
        "file": "a.bpl",
        "line": 7,
        "column": 5,
        "caller": 0,
    }
    assert [(c["kind"], c["name"], c["value"], c["type"], c["data"], c["step"]) for c in found["choices"]] == [
        ("havoc", "x", "1", "int", 1, 0)
    ]


def test_json_text_is_one_object_that_reads_back() -> None:
    assert json.loads(json_text(BUG)) == json_object(BUG)
    assert json.loads(json_text(replace(PROVED, bound=None)))["bound"] is None


def test_text_of_a_bug_shows_the_steps_and_ends_in_the_failing_assertion() -> None:
    assert result_text(BUG) == (
        "a.bpl:3:5   x := 1;  // x = 1\n"
        "a.bpl:4:9   if (x > 1) {  // !(x > 1), x = 1\n"
        "a.bpl:7:5   call P(x); // now\n"
        f"a.bpl:12:7    assert x == 2;  // x = 1, m = {'9' * 59}…\n"
        "\n"
        "bug: a.bpl:12:7: assertion fails: x == 2\n"
        "entry main, engine dag, 12 instances, 1 query, 3 merged, 1.23 s\n"
    )


def test_text_of_all_assertions_has_a_line_for_each_and_the_traces_of_those_that_fail() -> None:
    undecided = AssertionResult("x", "a.bpl", 5, Verdict.UNKNOWN, text="g > 0", reason="no model")
    verdicts = (Verdict.PROVED, Verdict.BOUNDED, Verdict.PROVED)
    fine = [replace(undecided, id=f"y{n}", verdict=v, reason="") for n, v in enumerate(verdicts)]
    result = replace(BUG, all_assertions=True, reason="cut off: P", assertions=(FAILING, undecided, *fine))
    assert result_text(replace(result, counterexample=None)) == (
        "bug      a.bpl:12:7  P.assert.1a2b3c  x == 2\n"
        "unknown  a.bpl:5     x                g > 0  // no model\n"
        "bounded  a.bpl:5     y1               g > 0\n"
        "proved   a.bpl:5     y0               g > 0\n"
        "proved   a.bpl:5     y2               g > 0\n"
        "\n"
        "P.assert.1a2b3c fails:\n"
        "a.bpl:3:5   x := 1;  // x = 1\n"
        "a.bpl:4:9   if (x > 1) {  // !(x > 1), x = 1\n"
        "a.bpl:7:5   call P(x); // now\n"
        f"a.bpl:12:7    assert x == 2;  // x = 1, m = {'9' * 59}…\n"
        "\n"
        "bug: of 5 assertions, 1 can fail, 2 cannot fail, 1 cannot fail within recursion bound 3, 1 unknown"
        " (each judged where those before it hold; cut off: P; recursion bound 3 was completed)\n"
        "entry main, engine dag, 12 instances, 1 query, 3 merged, 1.23 s\n"
    )


def test_many_that_cannot_fail_are_counted() -> None:
    fine = tuple(AssertionResult(f"P.assert.{n}", "a.bpl", n, Verdict.PROVED) for n in range(40))
    result = replace(BUG, all_assertions=True, assertions=(*fine, FAILING))
    lines = result_text(result).splitlines()
    assert FAILING.id in lines[0]
    assert sum(line.startswith("proved   a.bpl") for line in lines) == 20
    assert "proved   20 more (-v lists them)" in lines
    verbose = result_text(replace(result, verbose=True))
    assert "more" not in verbose and all(a.id in verbose for a in fine)


def test_text_of_all_assertions_where_there_is_none() -> None:
    result = replace(PROVED, all_assertions=True, reason="there is none")
    assert result_text(result).splitlines()[0] == "proved: no assertion can fail (there is none)"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "no assertion can fail"),
        ({"reason": "there is none"}, "no assertion can fail (there is none)"),
        ({"goal": "return"}, "main cannot return"),
        ({"verdict": Verdict.BOUNDED}, "no assertion can fail within recursion bound 3"),
        (
            {"verdict": Verdict.BOUNDED, "goal": "return", "reason": "2 calls were cut off"},
            "main cannot return within recursion bound 3 (2 calls were cut off)",
        ),
        (
            {"verdict": Verdict.UNKNOWN, "reason": "out of time"},
            "out of time; nothing was found up to recursion bound 3",
        ),
        (
            {"verdict": Verdict.UNKNOWN, "reason": "out of time", "bound": None},
            "out of time; no recursion bound was completed",
        ),
        ({"verdict": Verdict.BUG, "goal": "return"}, "main can return"),
    ],
)
def test_sentences(changes: dict[str, object], sentence: str) -> None:
    assert verdict_sentence(replace(PROVED, **changes)) == sentence  # type: ignore[arg-type]


def test_open_calls_where_a_search_did_not_come_to_its_end() -> None:
    stats = {"instances": 5, "open_calls": 1, "queries": 2}
    unknown = replace(PROVED, verdict=Verdict.UNKNOWN, stats=stats)
    assert "5 instances, 1 open call, 2 queries" in result_text(unknown)
    assert "open" not in result_text(replace(PROVED, stats=stats))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_only_on_a_terminal_that_wants_it() -> None:
    assert painter_for(Terminal(), {}).enabled
    assert painter_for(Terminal(), {"NO_COLOR": ""}).enabled
    assert not painter_for(Terminal(), {"NO_COLOR": "1"}).enabled
    assert not painter_for(Terminal(), {"TERM": "dumb"}).enabled
    assert not painter_for(io.StringIO(), {}).enabled


def test_paint() -> None:
    assert Painter(True)("bug", "bold", "red") == "\x1b[1;31mbug\x1b[0m"
    assert PLAIN("bug", "bold", "red") == "bug"
    plain, painted = result_text(BUG), result_text(BUG, Painter(True))
    assert painted != plain
    for code in ("\x1b[1;31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"):
        painted = painted.replace(code, "")
    assert painted == plain


def test_progress_is_shown_on_a_terminal_and_wiped_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.report.progress.INTERVAL_S", 0.0)
    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        with ProgressLine(stream) as progress:
            progress.show(Progress(2, stats={"instances": 120, "queries": 17}))
            progress.show(Progress(3))
            progress.show(BoundCompleted(3))
            progress.show(Progress(stats={"houdini_queries": 5}))
    first, second, _, summaries, wiped = terminal.getvalue().split("\r")[1:6]
    assert first == "0 s: bound 2, 120 instances, 0 merged, 0 open, 17 queries, solver 0.0 s"
    assert second.rstrip() == "0 s: bound 3, 0 instances, 0 merged, 0 open, 0 queries, solver 0.0 s"
    assert len(second) == len(first)  # nothing of the first is left
    assert summaries.rstrip() == "0 s: summaries: 5 queries"
    assert wiped.isspace()
    assert file.getvalue() == ""


def test_progress_in_a_file_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("paddock.report.progress.time.monotonic", lambda: now)
    file, quiet = io.StringIO(), io.StringIO()
    with ProgressLine(file) as progress, ProgressLine(quiet, {"PADDOCK_PROGRESS": "no"}) as silent:
        for event in (
            Waiting(),
            Waiting(),
            Loaded(("a",)),
            Prepared("main", "assertion"),
            Waiting(),
            Progress(2),
            Waiting(),
        ):
            now += 6.0
            progress.show(event)
            silent.show(event)
    assert [line[:32] for line in file.getvalue().splitlines()] == [
        "12 s: reading the program",
        "24 s: searching",
        "36 s: bound 2, 0 instances, 0 me",
    ]
    assert quiet.getvalue() == ""


def test_on_a_terminal_changed_values_are_set_apart_and_there_is_advice() -> None:
    step = TraceStep(
        "a.bpl", 1, "main", "statement", {"x": TypedValue("2"), "y": TypedValue("3")}, before={"x": TypedValue("1")}
    )
    result = replace(BUG, counterexample=Counterexample((step,)), verdict=Verdict.BOUNDED, bound=4)
    painted = result_text(result, Painter(True))
    assert "\x1b[1mx = 2\x1b[0m" in painted and "\x1b[2my = 3\x1b[0m" in painted
    assert "try next: --recursion-bound 8 looks deeper" in painted
    assert "try next" not in result_text(result)
