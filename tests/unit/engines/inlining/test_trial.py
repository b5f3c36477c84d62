"""A recursive program that leaves nothing open is run; whatever it leaves open is for the search."""

from __future__ import annotations

import pytest

import paddock
from paddock.driver.plan import preparation
from paddock.engines.assertions import Findings
from paddock.engines.inlining.trial import tried
from paddock.engines.outcome import Outcome
from paddock.ir.program import Program
from paddock.passes.mark_entry import MarkEntry
from paddock.verdict import Verdict

FIB = """
    procedure fib(n: int) returns (r: int)
    {
      var a, b: int;
      if (n < 2) { r := n; return; }
      call a := fib(n - 1);
      call b := fib(n - 2);
      r := a + b;
    }
"""


def program(body: str, more: str = "") -> Program:
    return MarkEntry()(paddock.load(f"{FIB} {more} procedure main() {{ var r, x: int; {body} }}"))


def trial(body: str, more: str = "", goal: str = "assertion", bound: int = 20) -> Outcome | None:
    original = program(body, more)
    return tried(original, preparation()(original), goal, bound, Findings())


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("call r := fib(12); assert r == 144;", Verdict.PROVED),
        ("call r := fib(12); assert r == 145;", Verdict.BUG),
        ("call r := fib(12); havoc x; assert r == 144;", Verdict.PROVED),  # it is not read
        ("call r := fib(12); assume r == 1; assert false;", Verdict.PROVED),
    ],
)
def test_the_only_execution_gives_the_answer(body: str, found: Verdict) -> None:
    outcome = trial(body)
    assert outcome is not None
    assert outcome.verdict is found
    assert (outcome.run is not None) == (found is Verdict.BUG)


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("havoc x; call r := fib(x); assert r > 0;", ""),
        ("if (*) { call r := fib(3); } assert true;", ""),
        ("call r := fib(3 div 0); assert r > 0;", ""),
        ("call r := fib(c); assert r > 0;", "const c: int;"),
        ("call r := fib(f(1)); assert r > 0;", "function f(n: int): int;"),
        ("call r := fib(3); assert r == 7;", "axiom false;"),
        ("x := 0; while (x < 3) { x := x + 1; } call r := fib(x); assert r == 2;", ""),
    ],
)
def test_what_is_open_is_for_the_search(body: str, more: str) -> None:
    assert trial(body, more) is None


def test_the_bound_is_kept() -> None:
    assert trial("call r := fib(8); assert false;", bound=7) is None
    assert trial("call r := fib(8); assert false;", bound=8) is not None


def test_a_program_without_recursion_is_for_the_search() -> None:
    assert trial("assert false;") is None


def test_whether_the_entry_returns() -> None:
    for body, found in [("call r := fib(5);", Verdict.BUG), ("call r := fib(5); assume false;", Verdict.PROVED)]:
        outcome = trial(body, goal="return")
        assert outcome is not None
        assert outcome.verdict is found


def test_behind_a_bug_the_search_goes_on() -> None:
    original = program("call r := fib(5); assert r == 4; assert r == 5;")
    assert tried(original, preparation()(original), "assertion", 20) is None
    result = paddock.check(original, paddock.Options.of(recursion_bound=20, all_assertions=True))
    assert [a.verdict.value for a in result.assertions] == ["bug", "proved"]


def test_check_tries_first() -> None:
    result = paddock.check(program("call r := fib(16); assert r != 987;"), paddock.Options.of(recursion_bound=20))
    assert result.verdict.value == "bug"
    assert result.stats["queries"] == 0
    assert result.trace
    assert [a.verdict.value for a in result.assertions] == ["bug"]
