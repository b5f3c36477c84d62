from __future__ import annotations

from paddock.ir.build import TRUE
from paddock.ir.origin import Role
from paddock.ir.stmt import Assert, Assume
from paddock.passes.check_specs import check_specs
from paddock.passes.error_bit import can_fail_if
from paddock.passes.extract_loops import extract_loops
from paddock.passes.switch_assertions import switch_assertions, switches_in
from tests.unit.passes.transforming import check_becomes, program, statements, transformed


def test_each_assertion_has_a_switch_and_each_procedure_knows_what_is_below_it() -> None:
    check_becomes(
        switch_assertions,
        """
        procedure P(x: int);
        implementation P(x: int) { start: assert x > 0; assert x > 1; return; }
        procedure Safe();
        implementation Safe() { start: return; }
        procedure main();
        implementation main() { start: call P(3); call Safe(); assert false; return; }
        """,
        """
        const check_P: bool;
        const check_P#1: bool;
        const check_main: bool;
        const fails_P: bool;
        const fails_main: bool;
        axiom fails_P ==> check_P || check_P#1;
        axiom fails_main ==> check_main || fails_P;
        procedure {:can_fail fails_P} P(x: int);
        implementation P(x: int)
        {
          start: assume x > 0 || check_P; assert x > 0; assume x > 1 || check_P#1; assert x > 1; return;
        }
        procedure Safe();
        implementation Safe() { start: return; }
        procedure {:can_fail fails_main} main();
        implementation main()
        {
          start: call P(3); call Safe(); assume false || check_main; assert false; return;
        }
        """,
    )


def test_procedures_that_call_each_other_fail_together() -> None:
    switched = switch_assertions(
        program(
            """
            procedure Even(n: int);
            implementation Even(n: int) { start: call Odd(n - 1); return; }
            procedure Odd(n: int);
            implementation Odd(n: int) { start: assert n > 0; call Even(n - 1); return; }
            procedure main();
            implementation main() { start: call Even(4); return; }
            """
        )
    )
    can_fail = {p.name: can_fail_if(p) for p in switched.procedures}
    assert can_fail["Even"] is can_fail["Odd"] is not TRUE
    assert can_fail["main"] is not can_fail["Odd"]


def test_copies_of_an_assertion_share_a_switch() -> None:
    text = """
        procedure P() returns (y: int);
          ensures y > 0;
        implementation P() returns (y: int) { start: goto a, b; a: y := 1; return; b: y := 2; return; }
        procedure main(n: int)
        {
          var y: int;
          while (*) { assert n > 0; }
          call y := P();
        }
        """
    after = transformed(lambda p: switch_assertions(extract_loops(check_specs(p))), text)
    found = [s for p in after.procedures for s in statements(after, p.name) if isinstance(s, Assert)]
    assert len(found) == 4
    assert len([c for c in after.constants if c.name.startswith("check_")]) == 2


def test_the_preconditions_of_a_call_and_those_of_another_have_switches_of_their_own() -> None:
    switched = switch_assertions(
        program(
            """
            procedure P(x: int); requires x > 0; requires x > 1; free requires x > 2;
            procedure main();
            implementation main() { start: call P(3); call P(4); return; }
            """
        )
    )
    assert len(switches_in(switched)) == 4
    assert {s.role for s in switches_in(switched)} == {"requires"}


def test_names_that_are_taken_and_where_the_assumptions_come_from() -> None:
    result = transformed(
        switch_assertions,
        """
        const check_main: int;
        procedure main();
        implementation main() { var fails_main: int; start: assert fails_main == check_main; return; }
        """,
    )
    assert [c.name for c in result.constants] == ["check_main", "check_main#1", "fails_main#1"]
    assumption = next(s for s in statements(result, "main") if isinstance(s, Assume))
    assert (assumption.origin.line, assumption.origin.role) == (4, Role.SWITCH)
