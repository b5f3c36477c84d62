"""Which globals threads share, and where there is one thread only."""

from __future__ import annotations

import pytest

from paddock.analysis.contexts import most_contexts, needs_no_bound
from paddock.analysis.sharing import Sharing
from paddock.frontends.boogie import Source, load
from paddock.ir.program import Program
from paddock.passes.registry import run_passes

HEAD = "var x, y: int; var {:thread_local} own: int; procedure W() { x := x + 1; } procedure R() { y := x; } "


def program_of(text: str) -> Program:
    return load([Source(HEAD + text)], check_modifies=False)


def shared(text: str) -> set[str]:
    return {v.name for v in Sharing(program_of(text)).shared}


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ("async call W();", set()),  # no other thread touches x
        ("async call W(); x := 0;", {"x"}),
        ("x := 0; async call W();", set()),  # before there was another thread
        ("async call W(); async call W();", {"x"}),
        ("while (*) { async call W(); }", {"x"}),
        ("async call R(); assume x > 0;", set()),  # both only read x
        ("async call R(); async call W();", {"x"}),
        ("async call W(); call R();", {"x"}),
        ("call R(); async call W();", set()),
        ("if (*) { async call W(); } else { x := 1; }", set()),
        ("par W() | R();", {"x"}),
        ("async call W(); havoc own; own := own + 1;", set()),
    ],
)
def test_shared_globals(main: str, expected: set[str]) -> None:
    assert shared("procedure main() { " + main + " }") == expected


def test_what_is_one_threads_own_is_not_shared() -> None:
    assert shared("procedure T() { own := 1; } procedure main() { async call T(); async call T(); own := 2; }") == set()


def test_a_thread_is_started_once_only_if_its_creator_is_run_once() -> None:
    text = "procedure S() { async call W(); } procedure main() { call S(); %s }"
    assert shared(text % "") == set()
    assert shared(text % "call S();") == {"x"}


def test_contracts_are_accesses() -> None:
    text = "procedure C() requires x > 0; { } procedure main() { async call W(); call C(); }"
    assert shared(text) == {"x"}


def test_where_the_entry_is_alone() -> None:
    sharing = Sharing(program_of("procedure main() { x := 0; x := 1; async call W(); x := 2; }"))
    assert sorted(sharing.alone) == [("anon0", 0), ("anon0", 1)]


def test_an_entry_that_calls_itself_is_nowhere_alone() -> None:
    text = "procedure main() { x := 0; if (*) { call main(); } async call W(); }"
    assert not Sharing(program_of(text)).alone
    assert shared(text) == {"x"}


def explicit(main: str) -> Program:
    return run_passes(program_of("procedure main() { " + main + " }"), ["explicit-yields"])


@pytest.mark.parametrize(
    ("main", "contexts"),
    [
        ("async call W(); x := 0;", 4),  # that of the thread; of the entry, before, after, and from `x := 0` on
        ("async call W(); async call R();", 5),
        ("while (*) { async call W(); }", None),
        ("async call W(); while (*) { x := 0; }", None),
        ("async call W(); if (*) { x := 0; x := 1; } else { x := 2; }", 5),
    ],
)
def test_how_many_contexts_there_are_at_most(main: str, contexts: int | None) -> None:
    assert most_contexts(explicit(main)) == contexts


def test_when_a_bound_is_in_nobodys_way() -> None:
    assert needs_no_bound(explicit("async call W();"), 1)
    assert not needs_no_bound(explicit("async call W(); x := 0;"), 3)
    assert needs_no_bound(explicit("async call W(); x := 0;"), 4)
    assert not needs_no_bound(explicit("while (*) { async call W(); }"), 100)


def test_threads_that_start_threads_take_more_rounds() -> None:
    text = "procedure A() { async call B(); yield; } procedure B() { } procedure main() { async call A(); yield; }"
    program = run_passes(program_of(text), ["explicit-yields"])
    assert not needs_no_bound(program, 2)
    assert needs_no_bound(program, 3)
