"""Assertions one by one: their ids, which of them a run violates, and verdicts for each of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import paddock
from paddock.engines import judging
from paddock.engines.assertions import assertions_in, violated
from paddock.ir.program import Program
from paddock.options import Options
from paddock.report.result import Result, Verdict
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Counts, Limits
from paddock.trace.path import Path
from paddock.trace.replay import replay
from paddock.trace.run import Failed, Run, Undetermined
from paddock.trace.world import World
from tests.busy import time_ends_at_look
from tests.property.goto_programs import small

PROGRAM = """
var g: int;
procedure Step(x: int) returns (y: int)
  requires x > 0;
  requires {:id "even"} x mod 2 == 0;
  modifies g;
  ensures y > x;
{
  if (*) { y := x; return; }
  y := x + 1;
}
procedure main(n: int)
  modifies g;
{
  var y: int;
  assert n > 0;
  assert {:id "mine"} n > 1;
  while (*) invariant n > 2; { call y := Step(n); }
  call y := Step(n);
  assert n > 0;
}
"""


def ids(text: str) -> dict[str, tuple[int, str]]:
    return {a.id: (a.source.line, a.kind) for a in assertions_in(paddock.load(text))}


def test_each_assertion_of_the_source_has_an_id() -> None:
    found = ids(PROGRAM)
    assert found == {
        "Step.ensures.ec53b9": (7, "ensures"),
        "main.assert.c63c8e": (16, "assert"),
        "mine": (17, "assert"),
        "main.invariant.3f3eba": (18, "invariant"),
        "main.requires.c63c8e": (18, "requires"),
        "main.even": (18, "requires"),
        "main.requires.c63c8e#1": (19, "requires"),
        "main.even#1": (19, "requires"),
        "main.assert.c63c8e#1": (20, "assert"),
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("var g: int;", "// a comment\n\nvar g: int; var h: int; procedure Before(x: int) { assert x > 0; }"),
        ("  var y: int;", "  var y: int;\n  assert n > 5;\n  y := 3;"),
        ("assert n > 0;", "assert   (n>0) ; // written otherwise"),
        ("  y := x + 1;", "  y := x + 2; assert y > 0;"),
        ("  ensures y > x;", "  ensures y > x; free ensures y > 3; ensures y != x;"),
    ],
)
def test_ids_stay_when_other_parts_change(old: str, new: str) -> None:
    assert old in PROGRAM
    assert ids(PROGRAM).keys() <= ids(PROGRAM.replace(old, new)).keys()


def test_an_id_goes_with_its_condition() -> None:
    assert "main.assert.c63c8e" not in ids("procedure main(n: int) { assert n > 1; }")
    assert "main.assert.c63c8e" in ids("procedure main(n: int) { assert n > 0; }")


def test_ids_that_the_user_gives_are_texts_and_copies_are_told_apart() -> None:
    text = """
    procedure Same<T>(x: T) { assert {:id "a"} x == x; }
    procedure main() { call Same(1); call Same(true); assert {:id "a#1"} true; assert {:id 3} true; }
    """
    names = list(ids(text))
    assert names[0] == "a"
    assert len(set(names)) == len(names)
    assert names[-1].startswith("main.assert.")


def test_several_implementations_and_copies_for_types() -> None:
    text = """
    procedure Two(n: int) returns (r: int); ensures r > n;
    implementation Two(n: int) returns (r: int) { var t: int; t := n; r := t; assert t > 0; }
    implementation Two(n: int) returns (r: int) { var t: bool; r := n + 1; assert t; }
    procedure Same<T>(x: T, y: T) ensures x == y; { assert x == y; }
    procedure main() { var r: int; call r := Two(1); call Same(1, r); call Same(true, false); }
    """
    kinds = [a.kind for a in assertions_in(paddock.load(text))]
    assert sorted(kinds) == ["assert", "assert", "assert", "ensures", "ensures"]
    texts = [a.text for a in assertions_in(paddock.load(text))]
    assert "t" in texts  # not the name that a pass would give it


def runs(program: Program) -> list[Failed]:
    found = every_run(program, None, small, Limits(steps=20))
    return [run.outcome for run in found if isinstance(run.outcome, Failed)]


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("procedure main(n: int) { assert {:id 'A'} n > 0; assert {:id 'B'} true; }", "A"),
        (
            """procedure P(x: int); requires {:id 'A'} true; requires {:id 'B'} x > 0;
            procedure main(n: int) { call P(n); }""",
            "main.B",
        ),
        ("procedure main(n: int) ensures {:id 'A'} true; ensures {:id 'B'} n > 0; { }", "B"),
        ("procedure main(n: int) { while (*) invariant {:id 'A'} n > 0; { } }", "A"),
    ],
)
def test_which_assertion_a_run_violates(text: str, id_: str) -> None:
    program = paddock.load(text.replace("'", '"'))
    name = {a.source: a.id for a in assertions_in(program)}
    found = {name[violated(program, failed)] for failed in runs(program)}
    assert found == {id_}


# --- verdicts -------------------------------------------------------------------------------------------------------


def check(text: str, **options: object) -> Result:
    return paddock.check(paddock.load(text), Options.of(**options))  # type: ignore[arg-type]


def verdicts(result: Result) -> dict[str, str]:
    return {a.id: a.verdict.value for a in result.assertions}


MIXED = """
var g: int; procedure P(x: int) modifies g; { g := x; assert {:id "p"} x < 3; }
procedure main(n: int) modifies g;
{
  var i: int;
  assert {:id "a"} n > 0;
  call P(n);
  assert {:id "b"} n > 0;
  assert {:id "c"} n == 1;
  while (i < n) { i := i + 1; assert {:id "d"} i != 77; }
}
procedure Unreached() { assert {:id "u"} false; }
"""


@pytest.mark.parametrize("engine", ["dag", "stratified", "eager"])
def test_every_assertion_gets_its_own_verdict(engine: str) -> None:
    result = check(MIXED, all_assertions=True, engine=engine, recursion_bound=3, deep_asserts=False)
    assert verdicts(result) == {"p": "bug", "a": "bug", "b": "proved", "c": "bug", "d": "bounded"}
    assert result.verdict is Verdict.BUG
    for assertion in result.assertions:
        assert bool(assertion.trace) == (assertion.verdict is Verdict.BUG)
        if assertion.trace:
            last = assertion.trace[-1]
            assert (last.kind, last.line, last.column) == ("fail", assertion.line, assertion.column)


def test_what_can_be_proved_is_not_merely_bounded() -> None:
    text = """
    procedure main(n: int)
    {
      var i: int;
      i := 0;
      assert {:id "a"} i == 0;
      while (i < n) { assert {:id "b"} i < 9; i := i + 1; }
    }
    """
    result = check(text, all_assertions=True, recursion_bound=3)
    assert (verdicts(result), result.verdict) == ({"a": "proved", "b": "bounded"}, Verdict.BOUNDED)
    result = check(text, all_assertions=True, recursion_bound=12)
    assert (verdicts(result), result.verdict) == ({"a": "proved", "b": "bug"}, Verdict.BUG)


def test_the_graph_is_not_built_again() -> None:
    once, every = check(MIXED, recursion_bound=3), check(MIXED, all_assertions=True, recursion_bound=3)
    # The loop is unrolled to the bound, and that is all there is to add.
    assert every.stats["instances"] <= once.stats["instances"] + 3


def test_without_all_assertions_the_first_bug_is_all_that_is_known() -> None:
    result = check(MIXED)
    assert sorted(verdicts(result).values()) == ["bug", *["unknown"] * 4]
    (failing,) = (a for a in result.assertions if a.verdict is Verdict.BUG)
    assert failing.trace == result.trace


def test_without_a_bug_all_have_the_verdict_of_the_program() -> None:
    text = "procedure main(n: int) { assert n == n; assert n < 0 || n >= 0; }"
    assert set(verdicts(check(text)).values()) == {"proved"}
    text = "procedure main(n: int) { var i: int; i := 0; assert i == 0; while (*) { i := i + 1; assert i < 7; } }"
    assert set(verdicts(check(text, recursion_bound=3)).values()) == {"bounded"}


def test_another_question_says_nothing_of_assertions() -> None:
    result = check("procedure main(n: int) { assert n > 0; assume false; }", goal="return")
    assert result.verdict is Verdict.PROVED
    assert set(verdicts(result).values()) == {"unknown"}


def test_bugs_that_were_found_outlive_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """procedure main(x: int) { assert {:id "easy"} x != 5; call r(x); }
        procedure r(n: int) { if (n < 40) { call r(n + 1); } assert {:id "deep"} n != 35; }"""
    time_ends_at_look(monkeypatch, 6)
    result = check(text, all_assertions=True, timeout=600, recursion_bound=100, strategy="single")
    assert result.verdict is Verdict.BUG
    assert verdicts(result) == {"easy": "bug", "deep": "unknown"}


def test_what_cannot_be_replayed_is_unknown_and_the_rest_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing_at_two(original: Program, prepared: Program, path: Path, world: World, counts: Counts) -> Run:
        run = replay(original, prepared, path, world, counts)
        if isinstance(run.outcome, Failed) and run.outcome.origin.line == 2:
            return replace(run, outcome=Undetermined("no idea"))
        return run

    monkeypatch.setattr(judging, "replay", failing_at_two)
    text = """var g: int; procedure P(x: int) modifies g; { g := x;
      assert {:id "a"} x > 0; }
    procedure main(x: int) modifies g; {
      call P(x);
      assert {:id "b"} x > 1;
      assert {:id "c"} x > 0; }
    """
    result = check(text, all_assertions=True)
    assert verdicts(result) == {"a": "unknown", "b": "bug", "c": "proved"}
    assert result.assertions[0].reason.endswith("cannot be replayed: no idea")
    assert result.verdict is Verdict.BUG
    result = check(text.replace("x > 1", "x > 0"), all_assertions=True)
    assert verdicts(result) == {"a": "unknown", "b": "proved", "c": "proved"}
    assert result.verdict is Verdict.UNKNOWN
    assert "no idea" in result.reason


def test_a_quantifier_that_the_model_leaves_open() -> None:
    text = """
    function f(x: int): int;
    procedure main(n: int)
    {
      assert {:id "a"} n > 0;
      assert {:id "b"} (forall x: int :: {f(x)} f(x) * f(x) != n * x);
      assert {:id "c"} n > 0;
    }
    """
    result = check(text, all_assertions=True)
    assert verdicts(result) == {"a": "bug", "b": "bug", "c": "proved"}
