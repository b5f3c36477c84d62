from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from paddock.ir.origin import Role
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.ir.stmt import Assume
from paddock.passes.facts import facts
from paddock.passes.registry import run_passes
from tests.unit.passes.transforming import check_becomes, program, statements, transformed

EXAMPLES = Path(__file__).parents[3] / "examples"


def known(after: Program, procedure: str) -> list[str]:
    """What the pass has added to a procedure, in order."""
    added = [s for s in statements(after, procedure) if isinstance(s, Assume) and s.origin.role is Role.FACT]
    assert all([a.name for a in s.attributes] == ["facts"] for s in added)
    return [str(s.condition) for s in added]


def known_in(procedure: str, text: str) -> list[str]:
    return known(transformed(facts, text), procedure)


def at_return(body: str, declarations: str = "") -> list[str]:
    """What is known about the result r of a procedure with this body, where it returns to `main`."""
    text = f"""
        {declarations}
        procedure P(n: int) returns (r: int);
        implementation P(n: int) returns (r: int) {{ var i: int; var b: bool; {body} }}
        procedure main();
        implementation main()
        {{
          var n: int; var r: int;
          start: havoc n; call r := P(n + 0); assume r == r; return;
        }}
    """
    return known_in("main", text)


# --- the program of Fig. 2 -------------------------------------------------------------------------


def fig2(n: int) -> Program:
    spec = importlib.util.spec_from_file_location("fig2", EXAMPLES / "fig2.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return program(module.program(n))


def test_fig2() -> None:
    after = facts(fig2(3))
    for i in range(4):
        assert known(after, f"P{i}")[0] == f"g == {i}"


def test_fig2_for_large_n() -> None:
    after = facts(fig2(200))
    assert known(after, "P200") == ["g == 200"]


# --- where facts stand -----------------------------------------------------------------------------


def test_the_example() -> None:
    check_becomes(
        facts,
        """
        var g: int;
        procedure main(); modifies g;
        implementation main() { start: g := 0; call P(); return; }
        procedure P(); modifies g;
        implementation P()
        {
          start: goto left, right;
          left: g := g + 1; goto end;
          right: g := g + 1; goto end;
          end: assert g == 1; return;
        }
        """,
        """
        var g: int;
        procedure main(); modifies g;
        implementation main() { start: g := 0; call P(); assume {:facts} g == 1; return; }
        procedure P(); modifies g;
        implementation P()
        {
          start: assume {:facts} g == 0; goto left, right;
          left: g := g + 1; goto end;
          right: g := g + 1; goto end;
          end: assume {:facts} g == 1; assert g == 1; return;
        }
        """,
    )


def test_at_joins_only_what_was_assigned_in_between_and_is_used_later() -> None:
    text = """
        procedure main();
        implementation main()
        {
          var same, changed, unused: int;
          start: same, changed, unused := 1, 1, 1; goto a, b;
          a: changed := 2; unused := 2; goto end;
          b: goto end;
          end: assert same + changed > 0; return;
        }
    """
    assert known_in("main", text) == ["changed >= 1 && changed <= 2"]


def test_globals_of_callees_only() -> None:
    text = """
        var g, h: int;
        procedure main(); modifies g, h;
        implementation main() { start: g := 1; h := 2; call P(); return; }
        procedure P();
        implementation P() { start: call Q(); return; }
        procedure Q();
        implementation Q() { start: assume h > 0; return; }
    """
    after = transformed(facts, text)
    assert known(after, "P") == ["h == 2"]
    assert known(after, "main") == []


def test_contracts_are_not_repeated() -> None:
    text = """
        var g: int;
        procedure main(); modifies g;
        implementation main() { var r: int; start: call r := P(1); assume r > 0; return; }
        procedure P(n: int) returns (r: int);
          free requires n == 1;
          modifies g;
          free ensures g == 5;
          ensures r >= 0;
        implementation P(n: int) returns (r: int) { start: g := 5; havoc r; assume n == n; return; }
    """
    after = transformed(facts, text)
    assert known(after, "P") == known(after, "main") == []


def test_an_entry_block_in_a_cycle() -> None:
    text = """
        procedure main();
        implementation main() { start: call P(3); return; }
        procedure P(n: int);
        implementation P(n: int) { var i: int; head: i := n; goto head, end; end: assume i == n; return; }
    """
    after = transformed(facts, text)
    first, *_ = after.procedure_named["P"].implementations[0].blocks
    assert [str(s.condition) for s in first.statements if isinstance(s, Assume)] == ["n == 3"]
    assert first.successors == ("head",)


def test_several_implementations() -> None:
    text = """
        var g: int;
        procedure main(); modifies g;
        implementation main() { start: g := 1; call P(); return; }
        procedure P(); modifies g;
        implementation P() { start: g := g + 1; return; }
        implementation P() { start: g := g + 2; return; }
    """
    after = transformed(facts, text)
    assert known(after, "P") == ["g == 1", "g == 1"]
    assert known(after, "main") == ["g >= 2 && g <= 3"]


def test_nothing_is_known_of_procedures_that_are_never_reached() -> None:
    text = """
        procedure main();
        implementation main() { var x: int; start: x := 1; goto a; a: assume x == 2; call P(x); return; }
        procedure P(n: int);
        implementation P(n: int) { start: assume n == n; return; }
    """
    assert known_in("P", text) == []


def test_a_call_that_does_not_return() -> None:
    text = """
        procedure main();
        implementation main() { start: call P(0); call P(1); return; }
        procedure P(n: int);
        implementation P(n: int) { start: call P(n); return; }
    """
    assert known_in("main", text) == ["false"]


def test_hidden_globals_are_not_mentioned() -> None:
    text = """
        var g: int; var h: int;
        procedure main(); modifies g, h;
        implementation main() { start: g := 1; h := 2; call P(7); return; }
        procedure P(g: int);
        implementation P(g: int) { start: assume g == h; call Q(); return; }
        procedure Q();
        implementation Q() { start: assume g == 1; return; }
    """
    assert known_in("P", text) == ["g == 7 && h == 2"]


@pytest.mark.parametrize("statement", ["async call P();", "par P() | P();", "yield;"])
def test_programs_with_threads_stay_as_they_are(statement: str) -> None:
    before = program(f"""
        var g: int;
        procedure main(); modifies g;
        implementation main() {{ start: g := 0; {statement} return; }}
        procedure P(); modifies g;
        implementation P() {{ start: g := 1; return; }}
    """)
    assert facts(before) is before


# --- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("r := 7; return;", "r == 7"),
        ("r := -7; return;", "r == -7"),
        ("assume 1 <= n && n < 4; r := n; return;", "r >= 1 && r <= 3"),
        ("assume n > 1; r := n + 2; return;", "r >= 4"),
        ("assume !(n > 1); r := 2 * n; return;", "r <= 2"),
        ("assume n != 0; r := n; return;", "r != 0"),
        ("assume n >= 0; assume n != 0; r := n; return;", "r >= 1"),
        ("assume n == 3 || n == 5; r := n; return;", "r >= 3 && r <= 5"),
        ("assume n > 2; assume n > 0 ==> n == 5; r := n; return;", "r == 5"),
        ("r := n mod 4; return;", "r >= 0 && r <= 3"),
        ("assume -7 <= n && n <= 7; r := n div 2; return;", "r >= -4 && r <= 3"),
        ("assume -7 <= n && n <= 7; r := n div -2; return;", "r >= -3 && r <= 4"),
        ("assume 0 <= n && n <= 1; r := if n < 2 then 5 else n; return;", "r == 5"),
        ("r := if n < 2 then 5 else 6; return;", "r >= 5 && r <= 6"),
        ("assume n + 1 == 5; r := n; return;", "r == 4"),
        ("assume 0 <= n && n <= 9; i := 5; assume i < n; r := n; return;", "r >= 6 && r <= 9"),
        ("b := n > 3; assume b; r := 1; return;", "r == 1"),
        ("b := false; goto a, c; a: assume b; r := 1; return; c: r := 2; return;", "r == 2"),
        ("r := twice(3); return;", "r == 6"),
        ("assume positive(n); r := n; return;", "r >= 1"),
        ("r := c; return;", "r == 12"),
        ("r := 1; assert n == 3; r := n; return;", "r == 3"),
        ("i := 3; r := i; havoc i; return;", "r == 3"),
    ],
)
def test_integers(body: str, expected: str) -> None:
    functions = """
        const c: int; axiom c == twice(6);
        function twice(n: int): int { n + n }
        function positive(n: int): bool { 0 < n && n < n + 1 }
    """
    assert at_return(body, functions) == [expected]


@pytest.mark.parametrize(
    "body",
    [
        "r := n; havoc r; return;",
        "r := n div n; return;",
        "r := 5 div 0; return;",
        "assume n > 0 || b; r := n; return;",
        "assume n == 0; r := 0 - i; return;",
        "r := 3; goto a, c; a: return; c: havoc r; return;",
    ],
)
def test_unknown(body: str) -> None:
    assert at_return(body) == []


def test_other_types() -> None:
    text = """
        type T;
        var r: real; var v: bv8; var b: bool; var t, u: T; var m: [int]int; var f: float24e8;
        procedure main(); modifies r, v, b, t, u, m, f;
        implementation main()
        {
          start: r, v, b, t := 1.5, 3bv8, false, u; m[0] := 1; f := 0x1.0e0f24e8; call P(); return;
        }
        procedure P();
        implementation P() { start: assume r == r && v == v && b && t == u && m == m && f == f; return; }
    """
    assert known_in("P", text) == ["r == 1.5 && v == 3bv8 && !b && t == u"]


def test_huge_numbers_are_only_bounded() -> None:
    squares = "r := r * r; " * 20
    assert at_return(f"r := 3; {squares} return;") == [f"r >= {1 << 256}"]


# --- equalities ------------------------------------------------------------------------------------


def test_equalities_survive_joins() -> None:
    text = """
        procedure main();
        implementation main()
        {
          var x, y, z: int;
          start: havoc x; goto a, b;
          a: y := x; z := y; goto end;
          b: z := x; y := z; goto end;
          end: assert x == y && y == z; return;
        }
    """
    assert known_in("main", text) == ["y == x && z == x"]


def test_equalities_by_constants() -> None:
    text = """
        procedure main();
        implementation main()
        {
          var x, y, z: int;
          start: goto a, b, c;
          a: x, y := 0, 0; goto end;
          b: x, y := 1, 1; goto end;
          c: havoc x; assume 0 <= x && x <= 1; y := x; goto end;
          end: assert x == y; return;
        }
    """
    assert known_in("main", text) == ["x >= 0 && x <= 1 && y == x"]


def test_an_assignment_ends_an_equality() -> None:
    text = """
        procedure main();
        implementation main()
        {
          var x, y: int;
          start: y := x; goto a, b;
          a: x := x + 1; goto end;
          b: goto end;
          end: assert x == y; return;
        }
    """
    assert known_in("main", text) == []


def test_equalities_at_calls_and_returns() -> None:
    text = """
        var g: int;
        procedure main(); modifies g;
        implementation main() { var x, y: int; start: havoc x; call y := P(x, x, g); assert x == y; return; }
        procedure P(a: int, b: int, c: int) returns (r: int);
        implementation P(a: int, b: int, c: int) returns (r: int) { start: r := a; assume a == b && c == g; return; }
    """
    after = transformed(facts, text)
    assert known(after, "P") == ["b == a && g == c"]
    assert known(after, "main") == ["y == x"]


def test_what_a_callee_finds_out_about_an_argument() -> None:
    text = """
        procedure main();
        implementation main() { var x, y: int; start: call y := P(x); assert x == y; call y := P(x); return; }
        procedure P(n: int) returns (r: int);
        implementation P(n: int) returns (r: int) { start: assume n > 0; r := n; return; }
    """
    assert known_in("main", text) == ["y == x && y >= 1", "y == x"]


def test_results_are_not_equal_to_arguments_that_the_call_changes() -> None:
    text = """
        var g: int;
        procedure main(); modifies g;
        implementation main()
        {
          var x, y, z: int;
          start: havoc x; y := x; call x := P(x, x); assert x == y; call z := P(g, g); assert z == g; return;
        }
        procedure P(a: int, b: int) returns (r: int); modifies g;
        implementation P(a: int, b: int) returns (r: int) { start: havoc g; r := a; return; }
    """
    assert known_in("main", text) == ["x == y"]


def test_a_result_that_overwrites_a_global_is_not_what_the_callee_made_of_it() -> None:
    text = """
        var g: int;
        procedure main(); modifies g;
        implementation main() { var x: int; start: call x, g := P(); assert x == g; return; }
        procedure P() returns (r: int, s: int); modifies g;
        implementation P() returns (r: int, s: int) { start: havoc g, s; r := g; return; }
    """
    assert known_in("main", text) == []


# --- procedures ------------------------------------------------------------------------------------


def test_what_differs_among_calls() -> None:
    text = """
        procedure main();
        implementation main() { start: call P(1, 5, true); call P(3, 5, false); return; }
        procedure P(x: int, y: int, b: bool);
        implementation P(x: int, y: int, b: bool) { start: assume x < y || b; return; }
    """
    assert known_in("P", text) == ["x >= 1 && x <= 3 && y == 5"]


def test_globals_keep_their_values_over_calls_that_do_not_change_them() -> None:
    text = """
        var g, h, k: int;
        procedure main(); modifies g, h, k;
        implementation main() { start: g, h, k := 1, 2, 3; call P(); call Q(); return; }
        procedure P(); modifies h, k; free ensures k == old(k);
        implementation P() { start: havoc h, k; return; }
        procedure Q();
        implementation Q() { start: assume g + h + k > 0; return; }
    """
    assert known_in("Q", text) == ["g == 1 && k == 3"]


def test_an_old_value_of_another_variable_preserves_nothing() -> None:
    text = """
        var g, h: int;
        procedure main(); modifies g, h;
        implementation main() { start: g, h := 1, 2; call P(); call Q(); return; }
        procedure P(); modifies g, h; free ensures g == old(h);
        procedure Q();
        implementation Q() { start: assume g == h; return; }
    """
    assert known_in("Q", text) == []


def test_procedures_without_bodies() -> None:
    text = """
        var g: int;
        procedure main(); modifies g;
        implementation main() { var x, y: int; start: g := 1; havoc x; call y := P(x); call Q(x, y, g); return; }
        procedure P(n: int) returns (r: int); modifies g; ensures r == n && g >= 3; free ensures g <= 4;
        procedure Q(x: int, y: int, z: int);
        implementation Q(x: int, y: int, z: int) { start: assume x == y && z == 3; return; }
    """
    assert known_in("Q", text) == ["y == x && z >= 3 && z <= 4"]


def test_loops_and_recursion_are_widened_to_constants_of_the_program() -> None:
    text = """
        procedure main();
        implementation main()
        {
          var i: int; var r: int;
          start: i := 0; goto head;
          head: goto body, done;
          body: assume i < 100; i := i + 1; goto head;
          done: assume !(i < 100); call r := Down(i); assert r == 0; return;
        }
        procedure Down(n: int) returns (r: int);
        implementation Down(n: int) returns (r: int)
        {
          start: goto more, enough;
          more: assume n > 0; call r := Down(n - 1); return;
          enough: assume n <= 0; r := n; return;
        }
    """
    after = transformed(facts, text)
    assert known(after, "main") == ["i >= 0 && i <= 100", "r == 0"]
    assert known(after, "Down") == ["n >= 0 && n <= 100", "r == 0"]


def test_loops_without_a_bound() -> None:
    text = """
        procedure main();
        implementation main()
        {
          var i, j: int;
          start: i, j := 0, 0; goto head;
          head: goto body, done;
          body: i := i + 1; j := j - 2; goto head;
          done: assert i >= j; return;
        }
    """
    assert known_in("main", text) == ["i >= 0 && j <= 0"]


def test_loops_that_are_entered_in_several_places() -> None:
    text = """
        procedure main();
        implementation main()
        {
          var i: int;
          start: i := 0; goto a, b;
          a: i := i + 1; goto b;
          b: i := i + 1; goto a, end;
          end: assert i > 0; return;
        }
    """
    assert known_in("main", text) == ["i >= 0", "i >= 0"]


def test_after_the_other_passes() -> None:
    text = """
        var g: int;
        procedure main(); modifies g;
        implementation main()
        {
          var i: int;
          g := 0; i := 0;
          while (i < 10) { call Step(); i := i + 1; }
          assert g >= 0;
        }
        procedure Step(); requires g >= 0; modifies g; ensures g >= 0;
        implementation Step() { g := g + 1; }
    """
    prepared = run_passes(program(text), ["merge-implementations", "check-specs", "extract-loops", "prune"])
    after = facts(prepared)
    loop = next(name for name in after.procedure_named if name.startswith("main_loop"))
    assert known(after, loop)[0] == "in_i >= 0 && in_i <= 10 && g >= 0"


# --- size ------------------------------------------------------------------------------------------


def test_deep_expressions_and_long_programs() -> None:
    n = 2_000
    deep = " + ".join(["r"] * n)
    conjunction = " && ".join(["n > 0"] * n)
    alternating = "".join("(n > 1 && (n < 9 || " for _ in range(500)) + "true" + "))" * 500
    blocks = "".join(f"goto l{i}; l{i}: i := i + 1; " for i in range(1500))
    assert at_return(f"r := 1; i := {deep}; assume {conjunction}; assume {alternating}; {blocks} r := n; return;") == [
        "r >= 2"
    ]


def test_shared_expressions_do_not_grow() -> None:
    doubling = "".join(f"function f{i}(n: int): int {{ f{i + 1}(n) + f{i + 1}(n) }} " for i in range(60))
    nested = "f58(" * 40 + "r" + ")" * 40
    text = f"{doubling} function f60(n: int): int {{ n }}"
    assert at_return(f"r := 1; i := f0(r); i := {nested}; r := 2; return;", text) == ["r == 2"]


def test_deep_call_chains() -> None:
    n = 1200
    chain = "".join(
        f"procedure P{i}(n: int) returns (r: int); implementation P{i}(n: int) returns (r: int)"
        f"{{ start: call r := P{i + 1}(n + 1); r := r + 1; return; }}"
        for i in range(n)
    )
    text = f"""
        {chain}
        procedure P{n}(n: int) returns (r: int);
        implementation P{n}(n: int) returns (r: int) {{ start: r := n; return; }}
        procedure main();
        implementation main() {{ var r: int; start: call r := P0(0); assert r == {2 * n}; return; }}
    """
    assert known(facts(program(text)), "main") == [f"r == {2 * n}"]


def test_the_result_is_the_same_every_time() -> None:
    before = fig2(20)
    assert program_text(facts(before)) == program_text(facts(before))
