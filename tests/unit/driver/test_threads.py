"""Checks of programs with threads: verdicts, their bounds, and Corral's procedures for threads."""

from __future__ import annotations

import pytest

from paddock.driver.pipeline import as_searched, check
from paddock.frontends.boogie import Source, load
from paddock.ir.origin import InputError
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.ir.validate import check_valid
from paddock.options import Options
from paddock.report.result import Result, Verdict

CORRAL = """
procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure corral_yield();
procedure corral_getThreadID() returns (t: %(type)s);
procedure corral_getChildThreadID() returns (t: %(type)s);
procedure corral_thread_join(t: %(type)s);
procedure corral_thread_join_all();
var x, y: int;
"""


def program_of(text: str, type_: str = "int") -> Program:
    return load([Source(CORRAL % {"type": type_} + text)], check_modifies=False)


def checked(text: str, type_: str = "int", **options: object) -> Result:
    return check(program_of(text, type_), Options.of(**options))  # type: ignore[arg-type]


def test_what_no_schedule_violates_is_bounded_by_contexts() -> None:
    text = "procedure t() { x := 1; } procedure main() { x := 0; async call t(); assert x <= 1; }"
    result = checked(text)
    assert (result.verdict, result.contexts) == (Verdict.BOUNDED, 2)
    assert [a.verdict for a in result.assertions] == [Verdict.BOUNDED]


def test_enough_contexts_are_a_proof() -> None:
    text = "procedure t() { x := 1; } procedure main() { x := 0; async call t(); assert x <= 1; }"
    result = checked(text, contexts=4)
    assert (result.verdict, result.contexts) == (Verdict.PROVED, None)


def test_threads_that_share_nothing_are_proved() -> None:
    text = "procedure t() { y := 1; assert y == 1; } procedure main() { async call t(); x := 0; assert x == 0; }"
    assert checked(text, contexts=1).verdict is Verdict.PROVED


def test_a_program_that_starts_no_thread_is_sequential() -> None:
    text = "procedure t() { x := 1; } procedure main() { x := 0; yield; assert x == 0; }"
    assert checked(text, contexts=1).verdict is Verdict.PROVED
    assert not as_searched(program_of(text), Options()).procedure_named.keys() & {"main_rounds"}


@pytest.mark.parametrize(("contexts", "verdict"), [(1, Verdict.BOUNDED), (2, Verdict.BOUNDED), (3, Verdict.BUG)])
def test_what_takes_three_rounds(contexts: int, verdict: Verdict) -> None:
    text = """
    procedure t() { x := 1; assume x == 2; x := 3; assume x == 4; assert false; }
    procedure main() { x := 0; async call t(); assume x == 1; x := 2; assume x == 3; x := 4; }
    """
    assert checked(text, contexts=contexts).verdict is verdict


def test_threads_are_switched_at_yield_only_where_there_is_one() -> None:
    text = "procedure t() { assert x == y; } procedure main() { x := 0; y := 0; async call t(); x := 1; %s y := 1; %s }"
    assert checked(text % ("", "yield;")).verdict is Verdict.BOUNDED
    assert checked(text % ("", "yield;"), contexts=3).verdict is Verdict.PROVED  # there are no more switches
    assert checked(text % ("yield;", "yield;"), contexts=3).verdict is Verdict.BUG
    assert checked(text % ("call corral_yield();", "")).verdict is Verdict.BUG
    assert checked(text % ("", "yield;"), preemptive=True).verdict is Verdict.BUG
    assert checked(text % ("", "")).verdict is Verdict.BUG
    assert checked(text % ("", ""), preemptive=False).verdict is Verdict.PROVED


def test_a_thread_that_is_blocked_stops_nobody_else() -> None:
    text = "procedure t() { assume y > 0; } procedure main() { y := 0; x := 0; async call t(); x := 1; assert x == 0; }"
    assert checked(text).verdict is Verdict.BUG
    text = "procedure t() { x := 1; assume false; } procedure main() { x := 0; async call t(); assert x == 0; }"
    assert checked(text).verdict is Verdict.BUG


@pytest.mark.parametrize("type_", ["int", "bv32", "Tid"])
def test_numbers_of_threads(type_: str) -> None:
    text = """
    type Tid; type Key = %(type)s; var mark: [Key]bool;
    procedure t() { var me: Key; call me := corral_getThreadID(); mark[me] := true; }
    procedure main()
    {
      var me, one, two: Key;
      call me := corral_getThreadID();
      async call t();
      call one := corral_getChildThreadID();
      mark[one] := false;
      async call t();
      call two := corral_getChildThreadID();
      assert one != two && me != one && me != two;
      call corral_thread_join(one);
      assert mark[one];
    }
    """
    result = checked(text % {"type": type_}, type_)
    assert [a.verdict for a in result.assertions] == [Verdict.UNKNOWN, Verdict.BUG]  # main may unmark it after t
    ordered = text.replace("mark[one] := false;", "")
    assert checked(ordered % {"type": type_}, type_).verdict is Verdict.BOUNDED


def test_waiting_for_all_threads() -> None:
    text = """
    procedure t() { call corral_atomic_begin(); x := x + 1; call corral_atomic_end(); }
    procedure main() { x := 0; async call t(); async call t(); %s assert x == 2; }
    """
    assert checked(text % "call corral_thread_join_all();", contexts=3).verdict is Verdict.BOUNDED
    assert checked(text % "").verdict is Verdict.BUG


def test_an_atomic_section_across_procedures() -> None:
    text = """
    procedure lock() { call corral_atomic_begin(); }
    procedure t() { call lock(); x := 1; x := 0; call corral_atomic_end(); %s }
    procedure main() { x := 0; async call t(); assert x == 0; }
    """
    assert checked(text % "", contexts=3).verdict is Verdict.BOUNDED
    assert checked(text % "x := 1;").verdict is Verdict.BUG


def test_a_section_that_only_some_callers_are_in() -> None:
    text = """
    procedure twice() { x := x + 1; x := x + 1; }
    procedure t() { call corral_atomic_begin(); call twice(); call corral_atomic_end(); %s }
    procedure main() { x := 0; async call t(); assert x == 0 || x == 2; }
    """
    assert checked(text % "", contexts=3).verdict is Verdict.BOUNDED
    assert checked(text % "call twice();").verdict is Verdict.BUG


def test_procedures_without_bodies_in_threads() -> None:
    text = """
    procedure grow() returns (r: int); modifies x; ensures x > old(x) && r == old(x);
    procedure t() { var r: int; call r := grow(); assert r >= 0; }
    procedure main() { var r: int; x := 0; async call t(); async call grow(); call r := grow(); assert r %s 0; }
    """
    assert checked(text % ">=", contexts=2).verdict is Verdict.BOUNDED
    result = checked(text % "==", contexts=2)
    assert result.verdict is Verdict.BUG


@pytest.mark.parametrize(
    "declaration", ["procedure corral_getThreadID();", "procedure corral_getThreadID() returns (t: bool);"]
)
def test_declarations_that_do_not_fit(declaration: str) -> None:
    text = declaration + " procedure corral_getChildThreadID() returns (t: int); procedure t() { } "
    text += "procedure main() { var b: bool; var i: int; async call t(); call %s corral_getThreadID(); "
    text += "call i := corral_getChildThreadID(); }"
    program = load([Source(text % ("" if "returns" not in declaration else "b :="))], check_modifies=False)
    with pytest.raises(InputError, match="corral_get"):
        check(program, Options())


def test_whether_the_entry_returns_is_asked_of_programs_without_threads() -> None:
    with pytest.raises(InputError, match="--goal return"):
        checked("procedure t() { } procedure main() { async call t(); }", goal="return")


def test_the_sequential_program_can_be_printed_and_read() -> None:
    text = "procedure t(n: int) { x := x + n; } procedure main() { x := 0; par t(1) | t(2); assert x < 4; }"
    searched = as_searched(program_of(text), Options.of(facts=False))
    check_valid(searched)
    assert load([Source(program_text(searched))]) == searched


@pytest.mark.parametrize("contexts", [0, -1])
def test_there_is_at_least_one_context(contexts: int) -> None:
    with pytest.raises(InputError, match="--contexts"):
        Options.of(contexts=contexts)


def test_switches_are_counted() -> None:
    text = "procedure t() { x := 1; y := 2; y := 3; } procedure main() { async call t(); assert x == 1; }"
    stats = checked(text).stats
    assert (stats["switch_points"], stats["switch_points_saved"]) == (1, 3)
