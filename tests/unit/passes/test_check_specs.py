from __future__ import annotations

import pytest

import paddock
from paddock.ir.entry import entry_name
from paddock.ir.origin import InputError
from paddock.ir.stmt import Assert, Assume, Call
from paddock.passes.check_specs import check_specs
from tests.unit.passes.transforming import check_becomes, program, statements, transformed


def test_contract_of_a_procedure_with_a_body() -> None:
    check_becomes(
        check_specs,
        """
        var g: int;
        procedure P(x: int) returns (y: int);
          requires x > 0;
          free requires x > 1;
          modifies g;
          ensures y > x;
          free ensures y > 2;
          ensures g == old(g) + 1;
        implementation P(x: int) returns (y: int)
        {
          start: g := g + 1; goto a, b;
          a: y := x + 1; return;
          b: y := x + 2; return;
        }
        procedure main();
          modifies g;
        implementation main()
        {
          var r: int;
          start: call r := P(r + 1); return;
        }
        """,
        """
        var g: int;
        procedure P(x: int) returns (y: int);
          free requires x > 0;
          free requires x > 1;
          modifies g;
          free ensures y > x;
          free ensures y > 2;
          free ensures g == old(g) + 1;
        implementation P(x: int) returns (y: int)
        {
          start: g := g + 1; goto a, b;
          a: y := x + 1; assert y > x; assert g == old(g) + 1; return;
          b: y := x + 2; assert y > x; assert g == old(g) + 1; return;
        }
        procedure main();
          modifies g;
        implementation main()
        {
          var r: int;
          start: assert r + 1 > 0; call r := P(r + 1); return;
        }
        """,
    )


def test_contract_of_a_procedure_without_a_body() -> None:
    check_becomes(
        check_specs,
        """
        procedure P(x: int) returns (y: int);
          requires x > 0;
          ensures y > x;
        procedure main();
        implementation main() { var r: int; start: call r := P(3); return; }
        """,
        """
        procedure P(x: int) returns (y: int);
          free ensures y > x;
        procedure main();
        implementation main() { var r: int; start: assert 3 > 0; call r := P(3); return; }
        """,
    )


def test_free_call_does_not_check_preconditions() -> None:
    result = transformed(
        check_specs,
        """
        procedure P(x: int);
          requires x > 0;
        procedure main(y: int);
        implementation main(y: int) { start: free call P(y); return; }
        """,
    )
    (only,) = statements(result, "main")
    assert isinstance(only, Call)


def test_what_is_always_assumed_is_assumed_in_its_turn() -> None:
    result = transformed(
        check_specs,
        """
        procedure P(x: int) returns (y: int);
          requires x > 0;
          free requires {:always_assume} x > 1;
          free requires {:always_assume false} x > 2;
          requires x > 3;
          free ensures {:always_assume} y > 0;
          ensures y > 1;
        implementation P(x: int) returns (y: int) { start: return; }
        procedure main(x: int);
        implementation main(x: int) { var r: int; start: call r := P(x); return; }
        """,
    )
    at_call = [s for s in statements(result, "main") if isinstance(s, Assert | Assume)]
    assert [(type(s), str(s.condition)) for s in at_call] == [(Assert, "x > 0"), (Assume, "x > 1"), (Assert, "x > 3")]
    at_exit = [s for s in statements(result, "P") if isinstance(s, Assert | Assume)]
    assert [(type(s), str(s.condition)) for s in at_exit] == [(Assume, "y > 0"), (Assert, "y > 1")]


# Boogie 2.4.1 reports each that is a bug, as an error, but for what it does not know: {:always_assume}.
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("procedure f(x: int) free requires x > 0; requires x > 0; {} procedure main(x: int) { call f(x); }", "bug"),
        ("procedure f(x: int) requires x > 0; free requires x > 0; {} procedure main(x: int) { call f(x); }", "bug"),
        ("procedure f(x: int); free requires x > 0; procedure main(x: int) { call f(x); assert x > 0; }", "bug"),
        ("procedure f(x: int); requires x > 0; procedure main(x: int) { free call f(x); assert x > 0; }", "bug"),
        ("procedure f(x: int) requires x > 0; {} procedure main(x: int) { free call f(x); assert x > 0; }", "no bug"),
        ("procedure main() returns (r: int) free ensures r > 0; ensures r > 0; { r := 0; }", "bug"),
        ("procedure main() returns (r: int) ensures r > 0; free ensures r > 0; { r := 0; }", "bug"),
        (
            (
                "procedure f() returns (r: int) free ensures r > 0; ensures r > 0; { r := 0; }"
                "procedure main() { var r: int; call r := f(); }"
            ),
            "bug",
        ),
        (
            (
                "procedure f() returns (r: int) free ensures r > 0; ensures r >= 0; { r := 0; }"
                "procedure main() { var r: int; call r := f(); assert false; }"
            ),
            "no bug",
        ),
        (
            (
                "procedure f(x: int) free requires {:always_assume} x > 0; requires x > 0; {}"
                "procedure main(x: int) { call f(x); }"
            ),
            "no bug",
        ),
        ("procedure main(x: int) { while (*) free invariant x > 0; invariant x > 0; { } }", "bug"),
        ("procedure main(x: int) { while (*) free invariant x > 0; invariant x >= -9; { assert x > 0; } }", "bug"),
        ("procedure main(x: int) { while (*) free invariant x > 0; { assert x > 0; } assert x > 0; }", "no bug"),
    ],
)
@pytest.mark.parametrize("deep", [True, False])
def test_free_clauses_hide_nothing(text: str, verdict: str, deep: bool) -> None:
    result = paddock.check(paddock.load(text), paddock.Options.of(deep_asserts=deep, facts=deep))
    assert (result.verdict is paddock.Verdict.BUG) == (verdict == "bug")


def test_parallel_and_asynchronous_calls_are_checked() -> None:
    result = transformed(
        check_specs,
        """
        procedure P(x: int);
          requires x > 0;
        procedure main(y: int);
        implementation main(y: int) { start: par P(1) | P(2); async call P(3); return; }
        """,
    )
    assert [str(s.condition) for s in statements(result, "main") if isinstance(s, Assert)] == [
        "1 > 0",
        "2 > 0",
        "3 > 0",
    ]


def test_preconditions_of_the_entry_are_assumed() -> None:
    result = transformed(
        check_specs,
        """
        procedure {:entrypoint} start(x: int);
          requires x > 0;
        implementation start(x: int) { a: goto b, c; b: call start(x - 1); return; c: return; }
        """,
    )
    assert entry_name(result) == "start"
    assert all(c.free for c in result.procedure_named["start"].requires)
    assert [str(s.condition) for s in statements(result, "start") if isinstance(s, Assert)] == ["x - 1 > 0"]


def test_where_clauses_of_locals_parameters_and_results() -> None:
    check_becomes(
        check_specs,
        """
        procedure main(a: int where a > 0) returns (r: int where r > a);
        implementation main(a: int) returns (r: int)
        {
          var t: int where t > r;
          var u: int;
          start: havoc u, t, r; goto start, end;
          end: return;
        }
        """,
        """
        procedure main(a: int) returns (r: int);
        implementation main(a: int) returns (r: int)
        {
          var t: int;
          var u: int;
          start#1: assume a > 0; assume r > a; assume t > r; goto start;
          start: havoc u, t, r; assume t > r; assume r > a; goto start, end;
          end: return;
        }
        """,
    )


def test_where_clauses_of_globals() -> None:
    check_becomes(
        check_specs,
        """
        var g: int where g > 0;
        var h: int where h > g;
        procedure P();
          modifies h;
          ensures h > 2;
        procedure Q() returns (r: int where r > g);
        procedure R();
          modifies g;
        implementation R() { start: havoc g; g := 0 - 1; return; }
        procedure main();
          modifies g, h;
        implementation main() { var t: int; start: call P(); call t := Q(); call R(); return; }
        """,
        """
        var g: int;
        var h: int;
        procedure P();
          modifies h;
          free ensures h > g;
          free ensures h > 2;
        procedure Q() returns (r: int);
          free ensures r > g;
        procedure R();
          modifies g;
        implementation R() { start: havoc g; assume g > 0; g := 0 - 1; return; }
        procedure main();
          modifies g, h;
        implementation main()
        {
          var t: int;
          start: assume g > 0; assume h > g; call P(); call t := Q(); call R(); return;
        }
        """,
    )


def test_where_of_a_global_holds_only_where_the_program_starts() -> None:
    check_becomes(
        check_specs,
        """
        var g: int where g > 0;
        procedure main(n: int) returns (r: int);
          requires n > 0;
          modifies g;
        implementation main(n: int) returns (r: int) { start: g := 0 - 1; call r := main(n - 1); return; }
        """,
        """
        var g: int;
        procedure main(n: int) returns (r: int);
          free requires n > 0;
          modifies g;
        implementation main(n: int) returns (r: int)
        {
          start: g := 0 - 1; assert n - 1 > 0; call r := main(n - 1); return;
        }
        procedure main_entry(n: int) returns (r: int);
          modifies g;
        implementation {:entrypoint} main_entry(n: int) returns (r: int)
        {
          start: assume g > 0; free call r := main(n); return;
        }
        """,
    )


def test_a_local_that_would_capture_a_global_is_renamed() -> None:
    check_becomes(
        check_specs,
        """
        var g: int;
        const c: int;
        procedure P(x: int);
          requires (forall g#1: int :: g#1 > g) && x < c;
        procedure main(c: int);
        implementation main(c: int) { var g: bool; start: g := true; call P(c); return; }
        """,
        """
        var g: int;
        const c: int;
        procedure P(x: int);
        procedure main(c#1: int);
        implementation main(c#1: int)
        {
          var g#2: bool;
          start: g#2 := true; assert (forall g#1: int :: g#1 > g) && c#1 < c; call P(c#1); return;
        }
        """,
    )


def test_an_argument_is_not_captured_by_a_quantifier() -> None:
    result = transformed(
        check_specs,
        """
        procedure P(x: int);
          requires (forall y: int :: y > x);
        procedure main(y: int);
        implementation main(y: int) { start: call P(y); return; }
        """,
    )
    check = next(statements(result, "main"))
    assert isinstance(check, Assert)
    assert str(check.condition) == "(forall y#1: int :: y#1 > y)"


def test_origins_and_attributes() -> None:
    result = transformed(
        check_specs,
        """
        procedure P(x: int) returns (y: int);
          requires {:msg "positive"} {:about x} x > 0;
          ensures {:id 7} y > 0;
        implementation P(x: int) returns (y: int) { start: y := 1; return; }
        procedure main();
        implementation main()
        {
          var z: int;
          start: call z := P(3); return;
        }
        """,
    )
    at_call = next(statements(result, "main"))
    assert isinstance(at_call, Assert)
    assert [(a.name, [str(p) for p in a.params]) for a in at_call.attributes] == [
        ("msg", ["positive"]),
        ("about", ["3"]),
    ]
    assert (at_call.origin.line, str(at_call.origin.provenance)) == (10, "requires of P")
    *_, at_exit = statements(result, "P")
    assert isinstance(at_exit, Assert)
    assert [a.name for a in at_exit.attributes] == ["id"]
    assert (at_exit.origin.line, str(at_exit.origin.provenance)) == (4, "ensures of P at exit")


def test_several_preconditions_of_one_call_are_told_apart() -> None:
    result = transformed(
        check_specs,
        """
        procedure P(x: int);
          free requires x > 0;
          requires x > 1;
          requires x > 2;
        procedure main();
        implementation main() { start: call P(3); return; }
        """,
    )
    made_by = [str(s.origin.provenance) for s in statements(result, "main") if isinstance(s, Assert)]
    assert made_by == ["requires 2 of P", "requires 3 of P"]


def test_every_implementation_is_checked() -> None:
    result = transformed(
        check_specs,
        """
        procedure P() returns (y: int);
          ensures y > 0;
        implementation P() returns (y: int) { start: y := 1; return; }
        implementation P() returns (y: int) { start: y := 2; return; }
        """,
    )
    assert sum(isinstance(s, Assert) for s in statements(result, "P")) == 2


def test_a_program_without_contracts_is_unchanged() -> None:
    before = program("procedure P(); free ensures true; implementation P() { a: return; }")
    assert check_specs(before) is before
    once = check_specs(program("procedure P(); ensures true; implementation P() { a: return; }"))
    assert check_specs(once) is once


def test_where_of_a_global_needs_an_entry() -> None:
    with pytest.raises(InputError, match="nowhere to start"):
        check_specs(program("var g: int where g > 0; procedure P(); implementation P() { a: return; }"))
