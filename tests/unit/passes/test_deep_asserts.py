from __future__ import annotations

from paddock.ir.origin import Copy
from paddock.ir.stmt import Assert
from paddock.passes.deep_asserts import deep_asserts
from tests.unit.passes.transforming import check_becomes, statements, transformed


def test_a_call_that_fails_is_a_jump() -> None:
    check_becomes(
        deep_asserts,
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
          var P.x: int;
          start:   goto start#1, start#2;
          start#1: P.x := 1; goto P;
          start#2: call P(1); P.x := 2; goto P;
          P:       goto P.start;
          P.start: assert P.x > 0; assume false; return;
        }
        procedure P(x: int);
          modifies g;
        implementation P(x: int) { start: assume x > 0; g := x; return; }
        """,
    )


def test_variables_are_renamed_apart_and_old_is_kept() -> None:
    """`r` is a local of one procedure and a global for the other; `x` is a bound variable, too."""
    result = check_becomes(
        deep_asserts,
        """
        var r: int;
        procedure main();
          modifies r;
        implementation main() { var P.x: int; start: call P.x := P(P.x); return; }
        procedure P(x: int) returns (y: int);
          modifies r;
        implementation P(x: int) returns (y: int)
        {
          var z: int;
          start: r := r + z; assert (forall P.y: int :: P.y > y + x) || old(r) == r; return;
        }
        """,
        """
        var r: int;
        procedure main();
          modifies r;
        implementation main()
        {
          var P.x: int;
          var P.x#1: int;
          var P.y#1: int;
          var P.z: int;
          var P.old_r: int;
          start:   P.x#1 := P.x; goto P;
          P:       havoc P.y#1, P.z; P.old_r := r; goto P.start;
          P.start: r := r + P.z; assert (forall P.y: int :: P.y > P.y#1 + P.x#1) || P.old_r == r; assume false; return;
        }
        procedure P(x: int) returns (y: int);
          modifies r;
        implementation P(x: int) returns (y: int)
        {
          var z: int;
          start: r := r + z; assume (forall P.y: int :: P.y > y + x) || old(r) == r; return;
        }
        """,
    )
    body = result.procedure_named["main"].implementations[0]
    copies = [d.origin.copied for d in body.locals]
    assert copies == [None, Copy("P", "x"), Copy("P", "y"), Copy("P", "z"), None]
    assert [b.origin.copied for b in body.blocks] == [None, Copy("P"), Copy("P", "start")]


def test_recursion_is_a_procedure_that_leads_to_the_failure() -> None:
    check_becomes(
        deep_asserts,
        """
        procedure main();
        implementation main() { start: call P(3); return; }
        procedure {:SIextraRecBound 2} P(n: int);
        implementation P(n: int) { start: assert n > 0; call P(n - 1); return; }
        """,
        """
        procedure main();
        implementation main()
        {
          var P.n: int;
          start:   P.n := 3; goto P;
          P:       call P.n := main_loop_P(P.n); goto P#2;
          P#2:     goto P.start;
          P.start: assert P.n > 0; assume false; return;
        }
        procedure {:recursion "P"} {:SIextraRecBound 2} main_loop_P(in_P.n: int) returns (P.n: int);
        implementation main_loop_P(in_P.n: int) returns (P.n: int)
        {
          enter: P.n := in_P.n; goto P, done;
          P:     goto P#1;
          P#1:   goto P.start#1;
          P.start#1: assume P.n > 0; P.n := P.n - 1; goto again;
          again: call P.n := main_loop_P(P.n); return;
          done:  return;
        }
        procedure {:SIextraRecBound 2} P(n: int);
        implementation P(n: int) { start: assume n > 0; call P(n - 1); return; }
        """,
    )


def test_procedures_that_call_each_other_have_one_way_in() -> None:
    result = transformed(
        deep_asserts,
        """
        procedure main();
        implementation main() { start: goto a, b; a: call Even(8); return; b: call Odd(8); return; }
        procedure Even(n: int);
        implementation Even(n: int) { start: assert n >= 0; call Odd(n - 1); return; }
        procedure Odd(n: int);
        implementation Odd(n: int) { start: call Even(n - 1); return; }
        """,
    )
    loops = [p for p in result.procedures if p.name.startswith("main_loop")]
    assert [[str(a.params) for a in p.attributes] for p in loops] == [["('Even', 'Odd')"]]
    assert sum(isinstance(s, Assert) for s in statements(result, "main")) == 1


def test_an_entry_that_is_called_gets_another_one_in_front() -> None:
    result = transformed(
        deep_asserts,
        "procedure main(n: int); implementation main(n: int) { start: assert n > 0; call main(n - 1); return; }",
    )
    assert [p.name for p in result.procedures if any(isinstance(s, Assert) for s in statements(result, p.name))] == [
        "main_entry"
    ]


def test_several_implementations_are_merged() -> None:
    result = transformed(
        deep_asserts,
        """
        procedure main();
        implementation main() { start: call P(); return; }
        procedure P();
        implementation P() { start: assert false; return; }
        implementation P() { start: return; }
        """,
    )
    assert sum(isinstance(s, Assert) for s in statements(result, "main")) == 1
