from __future__ import annotations

from dataclasses import replace

from paddock.ir.program import Program
from paddock.passes.last_iteration import failing_last
from tests.unit.passes.transforming import check_becomes


def peeled(program: Program) -> Program:
    procedures = (
        replace(p, implementations=tuple(failing_last(i, p.name, "test") for i in p.implementations))
        for p in program.procedures
    )
    return replace(program, procedures=tuple(procedures))


def test_complete_iterations_come_before_the_last() -> None:
    check_becomes(
        peeled,
        """
        procedure P(x: int) returns (y: int);
        implementation P(x: int) returns (y: int)
        {
          start: y := x; goto head;
          head:  assert y > 0; goto body, end;
          body:  y := y - 1; goto head;
          end:   return;
        }
        """,
        """
        procedure P(x: int) returns (y: int);
        implementation P(x: int) returns (y: int)
        {
          start:  y := x; goto head;
          head:   goto head#1, head#2;
          head#1: assume y > 0; goto body#1;
          body#1: y := y - 1; goto head;
          head#2: assert y > 0; goto body, end;
          body:   y := y - 1; assume false; return;
          end:    return;
        }
        """,
    )


def test_a_block_is_copied_for_each_loop_around_it() -> None:
    check_becomes(
        peeled,
        """
        var g: int;
        procedure P();
          modifies g;
        implementation P()
        {
          outer: goto inner;
          inner: assert g > 0; goto inner, outer, end;
          end:   return;
        }
        """,
        """
        var g: int;
        procedure P();
          modifies g;
        implementation P()
        {
          outer:   goto outer#1, outer#2;
          outer#1: goto inner#1;
          inner#1: assume g > 0; goto inner#1, outer;
          outer#2: goto inner;
          inner:   goto inner#2, inner#3;
          inner#2: assume g > 0; goto inner;
          inner#3: assert g > 0; goto end;
          end:     return;
        }
        """,
    )


def test_loops_without_assertions_stay() -> None:
    text = """
        procedure P();
        implementation P() { start: goto head; head: goto body, end; body: goto head; end: assert true; return; }
        """
    check_becomes(peeled, text, text)


def test_a_loop_that_is_entered_in_two_places_is_split_first() -> None:
    check_becomes(
        peeled,
        """
        procedure P();
        implementation P() { start: goto a, b; a: assert true; goto b; b: goto a, end; end: return; }
        """,
        """
        procedure P();
        implementation P()
        {
          start: goto a, b#1;
          a:     goto a#1, a#2;
          a#1:   assume true; goto b#2;
          b#2:   goto a;
          a#2:   assert true; goto b;
          b:     goto end;
          end:   return;
          b#1:   goto a, end;
        }
        """,
    )
