"""Deadlocks of Boogie programs: found where there are some, and only there."""

from __future__ import annotations

import pytest

from paddock.driver.pipeline import check
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.result import Result, Verdict

HEAD = """
var a: bool; var b: bool; var x: int;
procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure corral_getChildThreadID() returns (t: int);
procedure corral_thread_join(t: int);
procedure corral_thread_join_all();
procedure TakeA() { call corral_atomic_begin(); assume !a; a := true; call corral_atomic_end(); }
procedure TakeB() { call corral_atomic_begin(); assume !b; b := true; call corral_atomic_end(); }
"""
START = "procedure {:entrypoint} main() { var t: int; a := false; b := false; x := 0; "


def checked(text: str, **options: object) -> Result:
    program = load([Source(HEAD + text, "p.bpl")], check_modifies=False)
    return check(program, Options.of(checks=("deadlock",), **options))


AB = "procedure f() { call TakeA(); call TakeB(); b := false; a := false; }"
BA = "procedure g() { call TakeB(); call TakeA(); a := false; b := false; }"
BOTH = START + "async call f(); async call g(); }"
BLOCKED = {
    "ABBA": AB + BA + BOTH,
    "lock that is never given back": "procedure f() { call TakeA(); }" + START + "a := true; async call f(); }",
    "join": "procedure f() { call TakeA(); }"
    + START
    + "call TakeA(); async call f(); call t := corral_getChildThreadID(); call corral_thread_join(t); }",
    "join all": "procedure f() { call TakeA(); }"
    + START
    + "call TakeA(); async call f(); call corral_thread_join_all(); }",
    "nobody sets it": "procedure f() { assume x == 1; } " + START + "async call f(); }",
    "thread that is also called": AB + BA + START + "call f(); async call f(); async call g(); }",
    "at yields": "procedure f() { yield; assume !a; a := true; yield; assume !b; b := true; }"
    "procedure g() { yield; assume !b; b := true; yield; assume !a; a := true; }" + BOTH,
}
FREE = {
    "same order": AB + AB.replace("f()", "g()", 1) + BOTH,
    "lock that is given back": "procedure f() { call TakeA(); }" + START + "a := true; async call f(); a := false; }",
    "join": "procedure f() { call TakeA(); a := false; }"
    + START
    + "call TakeA(); async call f(); a := false; call t := corral_getChildThreadID(); call corral_thread_join(t); }",
    "join all": "procedure f() { x := 1; }" + START + "async call f(); call corral_thread_join_all(); call TakeA(); }",
    "somebody sets it": "procedure f() { assume x == 1; } " + START + "async call f(); x := 1; }",
    "handshake": "procedure f() { assume x == 1; x := 2; } " + START + "async call f(); x := 1; assume x == 2; }",
    "before there are threads": "procedure f() { x := 1; } " + START + "havoc x; assume x == 5; async call f(); }",
    "of a local": "procedure f() { var y: int; assume y == 5; x := y; } " + START + "async call f(); x := 1; }",
    "after a write in a section": "procedure f() { call corral_atomic_begin(); x := 7; assume x == 1; "
    "call corral_atomic_end(); }" + START + "async call f(); x := 1; }",
    "branch": "procedure f() { if (x == 1) { x := 2; } } " + START + "async call f(); x := 1; }",
}


@pytest.mark.parametrize("engine", ["dag", "symbolic"])
@pytest.mark.parametrize("name", BLOCKED)
def test_all_threads_are_blocked(name: str, engine: str) -> None:
    result = checked(BLOCKED[name], engine=engine)
    assert result.verdict is Verdict.BUG
    assert result.trace[-1].text.startswith("deadlock check fails")


@pytest.mark.parametrize("engine", ["dag", "symbolic"])
@pytest.mark.parametrize("name", FREE)
def test_some_thread_can_go_on(name: str, engine: str) -> None:
    assert checked(FREE[name], engine=engine).verdict in (Verdict.BOUNDED, Verdict.PROVED)


def test_without_the_check_a_blocked_thread_is_none_of_its_business() -> None:
    program = load([Source(HEAD + BLOCKED["ABBA"], "p.bpl")], check_modifies=False)
    assert check(program, Options.of()).verdict in (Verdict.BOUNDED, Verdict.PROVED)


def test_par_is_refused() -> None:
    with pytest.raises(InputError, match="'par' is not supported with the check for deadlocks"):
        checked(AB + BA + START + "par f() | g(); }")
