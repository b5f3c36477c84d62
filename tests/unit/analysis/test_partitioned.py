"""The values of globals in each context: what they show, and where they give up."""

from __future__ import annotations

import pytest

from paddock.analysis.facts.partitioned import cannot_return, finite_globals
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import with_entry
from paddock.ir.program import Program
from paddock.passes.registry import run_passes

# A lock is taken or not, and a status says which. In between, something else happens.
LOCK = """
var locked: bool; var count: int; var failed: bool;
procedure acquire() returns (status: int) modifies locked;
{ if (*) { locked := true; status := 0; } else { status := 0 - 1; } }
procedure release() modifies locked, failed;
{ if (!locked) { failed := true; } locked := false; }
procedure work(n: int) modifies count;
{ count := count + n; if (n > 0) { call work(n - 1); } }
procedure main() modifies locked, count, failed;
{
  var status: int;
  locked := false; failed := false;
  call status := acquire();
  call work(7);
  if (status == 0) { call release(); }
  assume failed;
}
"""


def program(text: str) -> Program:
    loaded = with_entry(load([Source(text)]), "main")
    return run_passes(loaded, ["merge-implementations", "check-specs", "extract-loops", "prune"])


def test_typestate_and_status_stay_together() -> None:
    assert cannot_return(program(LOCK), 1000)


@pytest.mark.parametrize(
    ("wrong", "instead"),
    [
        ("status := 0 - 1;", "status := 0;"),  # the status does not say it
        ("if (status == 0)", "if (status <= 0)"),
        ("call work(7);", "call release();"),  # released twice
        ("locked := true;", ""),
    ],
)
def test_what_is_possible_is_not_ruled_out(wrong: str, instead: str) -> None:
    assert not cannot_return(program(LOCK.replace(wrong, instead)), 1000)


def test_without_the_typestate_nothing_is_known() -> None:
    assert not cannot_return(program(LOCK), 1000, ())


def test_globals_with_few_values() -> None:
    text = """
    var few: int; var copied: int; var truth: bool; var counted: int; var any: int; var given: int; var map: [int]int;
    procedure outside(); modifies given;
    procedure main() modifies few, copied, truth, counted, any, given, map;
    {
      few := 1; few := -2; copied := few; truth := few < copied; counted := counted + 1; havoc any; map[0] := 1;
      call outside();
    }
    """
    assert [var.name for var in finite_globals(program(text))] == ["few", "copied", "truth"]


def test_recursion_comes_to_an_end() -> None:
    text = """
    var state: int;
    procedure P(n: int) modifies state;
    { if (state == 0) { state := 1; } else { state := 0; } if (*) { call P(n + 1); } }
    procedure main() modifies state; { state := 0; call P(0); assume state == 2; }
    """
    assert cannot_return(program(text), 1000)
    assert not cannot_return(program(text.replace("state == 2", "state == 1")), 1000)


def test_loops_come_to_an_end() -> None:
    text = """
    var state: int;
    procedure main() modifies state;
    { var i: int; state := 0; i := 0; while (*) { i := i + 1; state := 1 - state; } assume i < 0; }
    """
    assert cannot_return(program(text), 1000)


def test_too_many_states_are_given_up() -> None:
    assert cannot_return(program(LOCK), 10) is None


def test_threads_are_given_up() -> None:
    text = "procedure P() {} procedure main() { async call P(); assume false; }"
    loaded = with_entry(load([Source(text)]), "main")
    assert not cannot_return(run_passes(loaded, ["merge-implementations"]), 1000)


# An interrupt level is kept in memory: the address of a local is passed, and read behind the call.
LEVELS = """
var level: int; var memory: [int]int; var next: int;
procedure fresh() returns (p: int); modifies next;
procedure raise(p: int) modifies level, memory; { var q: int; q := p; memory[q] := level; level := 2; }
procedure other(p: int) modifies memory; { memory[p] := 7; }
procedure main() modifies level, memory, next;
{
  var p, q, old_level: int;
  level := 0;
  call p := fresh();
  call raise(p);
  old_level := memory[p];
  call q := fresh();
  call other(q);
  level := old_level;
  assume level != 0;
}
"""


def test_what_a_callee_leaves_in_memory() -> None:
    assert cannot_return(program(LEVELS), 1000)


@pytest.mark.parametrize(
    ("wrong", "instead"),
    [
        ("old_level := memory[p];\n  call q := fresh();\n  call other(q);", "call other(q); old_level := memory[p];"),
        ("old_level := memory[p];", "old_level := memory[q];"),
        ("call raise(p);", "call raise(p); call p := fresh();"),
        ("call raise(p);", "call raise(p); havoc memory;"),
        ("call raise(p);", "call raise(p); memory[q] := 1;"),
        ("q := p;", "q := p + 1;"),
    ],
)
def test_what_may_be_overwritten_is_not_known(wrong: str, instead: str) -> None:
    changed = LEVELS.replace(wrong, instead)
    assert changed != LEVELS
    assert not cannot_return(program(changed), 1000)


def test_an_index_has_several_names() -> None:
    text = LEVELS.replace("old_level := memory[p];", "q := p; old_level := memory[q];")
    assert cannot_return(program(text), 1000)
