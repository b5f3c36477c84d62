from __future__ import annotations

import pytest

from paddock.ir.origin import Copy, InputError
from paddock.passes.registry import run_passes
from paddock.passes.split_failures import split_failures
from tests.unit.passes.transforming import check_becomes, program, transformed


def test_a_call_returns_or_is_the_last() -> None:
    result = check_becomes(
        split_failures,
        """
        var g: int;
        procedure main();
          modifies g;
        implementation main() { start: call P(1); call P(2); return; }
        procedure P(x: int);
          modifies g;
        implementation P(x: int) { start: assert x > 0; g := x; return; }
        """,
        """
        var g: int;
        procedure main();
          modifies g;
        implementation main()
        {
          start:   goto start#1, start#2;
          start#1: call P_fails(1); return;
          start#2: call P(1); call P_fails(2); return;
        }
        procedure P(x: int);
          modifies g;
        implementation P(x: int) { start: assume x > 0; g := x; return; }
        procedure P_fails(x: int);
          modifies g;
        implementation P_fails(x: int) { start: assert x > 0; assume false; return; }
        """,
    )
    assert result.procedure_named["P_fails"].origin.copied == Copy("P")


def test_what_leads_nowhere_is_left_out() -> None:
    check_becomes(
        split_failures,
        """
        procedure main();
        implementation main()
        {
          var r: int;
          start: goto a, b; a: call r := P(); goto c; b: call Q(); goto c; c: return;
        }
        procedure P() returns (r: int);
        implementation P() returns (r: int)
        {
          start: goto a, b;
          a: r := 1; assert r > 0; r := 2; goto stuck, end;
          b: r := 3; goto end;
          stuck: assert r == 2; assume false; return;
          end: r := 4; return;
        }
        procedure Q();
        implementation Q() { start: goto a, b; a: assume false; return; b: return; }
        """,
        """
        procedure main();
        implementation main() { var r: int; start: goto a; a: call P_fails(); return; }
        procedure P() returns (r: int);
        implementation P() returns (r: int)
        {
          start: goto a, b;
          a: r := 1; assume r > 0; r := 2; goto end;
          b: r := 3; goto end;
          end: r := 4; return;
        }
        procedure P_fails();
        implementation P_fails()
        {
          var r: int;
          start: goto a;
          a: r := 1; assert r > 0; r := 2; goto stuck;
          stuck: assert r == 2; assume false; return;
        }
        procedure Q();
        implementation Q() { start: goto a, b; a: assume false; return; b: return; }
        """,
    )


def test_contracts_become_assertions_and_assumptions() -> None:
    check_becomes(
        split_failures,
        """
        var g: int;
        procedure main();
          modifies g;
        implementation main() { var r: int; start: call r := P(1); return; }
        procedure P(x: int) returns (r: int);
          modifies g;
          free requires g == 0;
          free ensures r > 1;
          ensures r > x + old(g);
        implementation P(x: int) returns (r: int) { start: g := 1; r := x; return; }
        """,
        """
        var g: int;
        procedure main();
          modifies g;
        implementation main() { var r: int; start: call P_fails(1); return; }
        procedure P(x: int) returns (r: int);
          modifies g;
          free requires g == 0;
          free ensures r > 1;
          free ensures r > x + old(g);
        implementation P(x: int) returns (r: int)
        {
          start: g := 1; r := x; assume r > x + old(g); return;
        }
        procedure P_fails(x: int);
          modifies g;
        implementation P_fails(x: int)
        {
          var r: int;
          start: assume g == 0; g := 1; r := x; assert r > x + old(g); assume false; return;
        }
        """,
    )


LOOP = """
    procedure main();
    implementation main()
    {
      var i: int;
      start: i := 3; goto head;
      head: assert i > 0; goto body, end;
      body: i := i - 1; goto head;
      end: return;
    }
"""


def test_complete_iterations_do_not_fail() -> None:
    split = split_failures(run_passes(program(LOOP), ["extract-loops"]))
    assert [p.name for p in split.procedures] == ["main", "main_loop_head"]


def test_the_mark_of_a_loop_can_be_anyones() -> None:
    """What is read may have a `{:loop}` of its own: it is a procedure like any other."""
    result = transformed(
        split_failures,
        """
        procedure main();
        implementation main() { start: call P(); return; }
        procedure {:loop "main", "start"} P();
        implementation P() { start: assert false; return; }
        """,
    )
    assert "P_fails" in result.procedure_named


def test_nothing_changes_without_assertions() -> None:
    text = "procedure main(); implementation main() { start: call P(); return; } procedure P();"
    result = transformed(split_failures, text)
    assert [p.name for p in result.procedures] == ["main", "P"]


@pytest.mark.parametrize("statement", ["async call P();", "par P() | P();", "yield;"])
def test_threads_are_refused(statement: str) -> None:
    text = f"procedure main();\nimplementation main() {{ start: {statement} return; }}\nprocedure P();"
    with pytest.raises(InputError, match=r"test.bpl:2:.*without threads"):
        split_failures(program(text))
