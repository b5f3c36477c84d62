from __future__ import annotations

from paddock.passes.merge_implementations import merge_implementations
from tests.unit.passes.transforming import check_becomes, program


def test_labels_and_locals_are_renamed_apart() -> None:
    check_becomes(
        merge_implementations,
        """
        var g: int;
        procedure P(a: int) returns (r: int);
          modifies g;
        implementation {:entrypoint} {:x} P(a: int) returns (r: int)
        {
          var t: int;
          var u: bool;
          start: t := a; u := true; goto start, choose;
          choose: r := t; return;
        }
        implementation P(b: int) returns (q: int)
        {
          var t: bool where t;
          start: havoc t; q := b; goto end;
          end: return;
        }
        implementation {:x} P(a: int) returns (r: int)
        {
          var t#1: int;
          start: t#1 := 3; g := 4; return;
        }
        """,
        """
        var g: int;
        procedure P(a: int) returns (r: int);
          modifies g;
        implementation {:entrypoint} {:x} P(a: int) returns (r: int)
        {
          var t: int;
          var u: bool;
          var t#1: bool where t#1;
          var t#1#1: int;
          choose#1: goto start, start#1, start#2;
          start: t := a; u := true; goto start, choose;
          choose: r := t; return;
          start#1: havoc t#1; r := a; goto end;
          end: return;
          start#2: t#1#1 := 3; g := 4; return;
        }
        """,
    )


def test_a_local_does_not_come_to_shadow_a_global_or_to_be_captured() -> None:
    check_becomes(
        merge_implementations,
        """
        var g: int;
        procedure P();
          modifies g;
        implementation P() { var g: bool; var k: int; a: g := true; return; }
        implementation P() { b: g := 1; assume (forall k: int :: k > g); return; }
        """,
        """
        var g: int;
        procedure P();
          modifies g;
        implementation P()
        {
          var g#1: bool;
          var k#1: int;
          choose: goto a, b;
          a: g#1 := true; return;
          b: g := 1; assume (forall k: int :: k > g); return;
        }
        """,
    )


def test_a_program_with_single_implementations_is_unchanged() -> None:
    before = program("procedure P(); implementation P() { a: return; } procedure Q();")
    assert merge_implementations(before) is before
