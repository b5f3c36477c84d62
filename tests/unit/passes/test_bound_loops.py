"""Loops with a constant number of iterations are recognised, and no others."""

from __future__ import annotations

import pytest

from paddock.ir.expr import Lit
from paddock.ir.printer import program_text
from paddock.ir.program import Program, find_attribute
from paddock.passes.bound_loops import bound_loops
from paddock.passes.extract_loops import extract_loops
from paddock.passes.registry import run_passes
from tests.unit.passes.transforming import program, transformed

BIT_VECTORS = """
    function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8): bv8;
    function {:bvbuiltin "bvsub"} sub(a: bv8, b: bv8): bv8;
    function {:bvbuiltin "bvult"} ult(a: bv8, b: bv8): bool;
    function {:bvbuiltin "bvslt"} slt(a: bv8, b: bv8): bool;
"""


def marks_of(marked: Program) -> dict[str, int]:
    """The iterations of loop procedures that have a mark, by name."""
    found = {}
    for procedure in marked.procedures:
        attribute = find_attribute(procedure.attributes, "iterations")
        if attribute is not None:
            (count,) = attribute.params
            assert isinstance(count, Lit) and isinstance(count.value, int)
            assert find_attribute(procedure.attributes, "loop")
            found[procedure.name] = count.value
    return found


def marks(text: str) -> dict[str, int]:
    return marks_of(transformed(lambda p: bound_loops(run_passes(p, ["check-specs", "extract-loops"])), text))


def in_main(body: str, declarations: str = "") -> list[int]:
    """The marks of the loops in a body over i, j, k, n, t (int), p (bool) and b (bv8), inner loops first."""
    locals_ = "var i, j, k, t: int; var p: bool; var b: bv8; var m: [int]int;"
    return list(marks(f"{declarations} procedure main(n: int) modifies g; {{ {locals_} {body} }} var g: int;").values())


@pytest.mark.parametrize(
    ("body", "iterations"),
    [
        ("i := 0; while (i < 27) { i := i + 1; }", 27),
        ("i := 0; while (i <= 27) { i := i + 1; }", 28),
        ("i := 0; while (27 > i) { i := 1 + i; }", 27),
        ("i := 0; while (i != 27) { i := i + 1; }", 27),
        ("i := 27; while (i > 0) { i := i - 1; }", 27),
        ("i := 27; while (i >= 0) { i := i - 1; }", 28),
        ("i := -5; while (i < 5) { i := i + 3; }", 4),
        ("i := 1; while (i < 1000) { i := i * 2; }", 10),
        ("i := 5; while (i < 5) { i := i + 1; }", 0),
        ("i := 7; while (!(i == 0 || i > 9)) { i := i - 1; }", 7),
        ("i := 0; while (true) { i := i + 1; if (i >= 27) { break; } }", 26),
        ("i := 0; while (true) { if (i >= 27) { break; } i := i + 1; }", 27),
        ("i, j := 0, 10; while (i < j) { i, j := i + 1, j - 1; }", 5),
        ("i := 0; while (i < 27 && n > 0) { i := i + 1; }", 27),
        ("i := 0; while (n > 0 && i < 27) { i := i + 1; }", 27),
        ("i := 0; while (i < 27) { if (*) { break; } i := i + 1; }", 27),
        ("i := 0; while (i < 27) { if (n > i) { havoc t; } else { t := i; } i := i + 1; }", 27),
        ("i := 0; while (i < 27) { if (n > i) { i := i + 1; } else { i := i + 1; } }", 27),
        ("i := 0; while (i < 27) { t := i + 1; m[i] := t; i := t; }", 27),
        ("i := 0; while (i < 27) { assert i < n; call Other(); i := i + 1; }", 27),
        ("i := 0; while (i < 27) { i := i + 1; invariant_holds: assume i <= n; }", 27),
        ("g := 0; while (g < 27) { g := g + 1; }", 27),
        ("i := 0; havoc k; call Other(); while (i < 27) { i := i + 1; }", 27),
        ("i := 0; t := 27; while (i < t) { i := i + 1; }", 27),
        ("if (p) { i := 2; t := 5; } else { t := 5; i := 2; } while (i < t) { i := i + 1; }", 3),
        ("assume i == 3 && n == 9; while (i < n) { i := i + 1; }", 6),
        ("p := true; i := 0; while (p) { i := i + 1; p := i < 9; }", 9),
        ("i := 0; while (less(i, 9) == 1) { i := i + 1; }", 9),
        ("i := 0; while (i < LIMIT) { i := i + 1; }", 12),
        ("i := 0; while (i < 1000) { i := i + 1; }", 1000),
        ("b := 0bv8; while (ult(b, 27bv8)) { b := add(b, 1bv8); }", 27),
        ("b := 250bv8; while (slt(b, 5bv8)) { b := add(b, 1bv8); }", 11),
        ("b := 4bv8; while (b != 0bv8) { b := sub(b, 3bv8); }", 172),
    ],
)
def test_constant_loops(body: str, iterations: int) -> None:
    declarations = f"""
        {BIT_VECTORS}
        const LIMIT: int;
        axiom LIMIT == 12;
        function {{:inline}} less(a: int, b: int): int {{ if a < b then 1 else 0 }}
        procedure Other();
    """
    assert in_main(body, declarations) == [iterations]


@pytest.mark.parametrize(
    "body",
    [
        "while (i < 27) { i := i + 1; }",  # where does it start
        "i := 0; while (i < n) { i := i + 1; }",  # where does it end
        "i := 0; while (*) { i := i + 1; }",
        "i := 0; while (true) { i := i + 1; }",
        "i := 0; while (i < 27) { }",
        "i := 0; while (i < 27) { i := i; }",
        "i := 0; while (i < 27) { havoc i; }",
        "i := 0; while (i < 27) { i := i - 1; }",
        "i := 0; while (i < 27) { if (*) { i := i + 1; } }",
        "i := 0; while (i < 27) { i := i + n; }",
        "i := 0; while (i < 27) { call i := Next(i); }",
        "g := 0; while (g < 27) { g := g + 1; call Change(); }",
        "g := 27; i := 0; while (i < g) { i := i + 1; call Change(); }",
        "i := 0; while (i < 27 || n > 0) { i := i + 1; }",
        "i := 0; while (i < 27) { i := i + 1; if (*) { i := 0; } }",
        "i := 0; while (i != 27) { i := i + 2; }",
        "i := 0; while (i < 100000) { i := i + 1; }",
        "i := 0; call i := Next(i); while (i < 27) { i := i + 1; }",
        "g := 0; call Change(); while (g < 27) { g := g + 1; }",
        "if (p) { i := 0; } else { i := 1; } while (i < 27) { i := i + 1; }",
        "i := 0; while (m[i] < 27) { i := i + 1; }",
        "i := 2; while (i > 1) { i := i * i; }",
        "b := 0bv8; while (b != 27bv8) { b := add(b, 2bv8); }",
    ],
)
def test_other_loops(body: str) -> None:
    declarations = f"""
        {BIT_VECTORS}
        procedure Next(i: int) returns (j: int);
        procedure Change(); modifies g;
    """
    assert in_main(body, declarations) == []


def test_nested_loops_each_by_itself() -> None:
    inner = "j := 0; while (j < 3) { j := j + 1; }"
    assert in_main(f"i := 0; while (i < 5) {{ {inner} i := i + 1; }}") == [3, 5]
    assert in_main(f"i := 0; while (i < n) {{ {inner} i := i + 1; }}") == [3]
    assert in_main("i := 0; while (i < 5) { j := 0; while (j < n) { j := j + 1; } i := i + 1; }") == [5]


def test_an_inner_loop_whose_end_was_set_before_the_outer_one() -> None:
    body = "k := 3; i := 0; while (i < 5) { j := 0; while (j < k) { j := j + 1; } i := i + 1; CHANGE }"
    assert in_main(body.replace("CHANGE", "")) == [3, 5]
    assert in_main(body.replace("CHANGE", "k := k + 1;")) == [7, 5]
    assert in_main(body.replace("CHANGE", "k := k + n;")) == [3, 5]  # in the first iteration
    assert in_main(body.replace("k", "g").replace("CHANGE", "")) == [3, 5]
    assert in_main(body.replace("k", "g").replace("CHANGE", "havoc g;")) == [3, 5]


def test_an_inner_loop_that_depends_on_the_outer_one() -> None:
    assert in_main("i := 0; while (i < 5) { j := 0; while (j < i) { j := j + 1; } i := i + 1; }") == [4, 5]


def test_the_most_of_several_calls_counts() -> None:
    text = """
        procedure main(n: int) { call L(20); call L(FIRST); assume false; call L(-9); }
        procedure {:loop "main"} L(i: int) { if (i < 27) { call L(i + 1); } }
    """
    assert marks(text.replace("FIRST", "22")) == {"L": 7}
    assert marks(text.replace("FIRST", "0")) == {"L": 27}
    assert marks(text.replace("FIRST", "n")) == {"L": 7}


def test_ways_that_meet_before_the_loop() -> None:
    body = """
        start: goto few, many;
        few: i := 20; goto head;
        many: i := FIRST; goto head;
        head: goto body, end;
        body: assume i < 27; i := i + 1; goto head;
        end: return;
    """
    assert in_main(body.replace("FIRST", "20")) == [7]
    assert in_main(body.replace("FIRST", "0")) == []
    assert in_main(body.replace("FIRST", "n")) == []


def test_facts_that_were_found_before_are_used() -> None:
    body = "assume {:facts} n == 9 && j == 2; i := j; while (i < n) { i := i + 1; }"
    assert in_main(body) == [7]
    # They hold in every iteration, so that they do not end a loop.
    assert in_main("i := 0; while (*) { assume {:facts} i < 27; i := i + 1; }") == []


def test_an_old_mark_is_replaced() -> None:
    text = "procedure main(n: int) { var i: int; i := 0; while (i < n - n + 5) { i := i + 1; } }"
    text = program_text(extract_loops(program(text))).replace("{:loop", "{:iterations 1} {:loop")
    assert list(marks_of(program(text)).values()) == [1]
    assert list(marks_of(bound_loops(program(text))).values()) == []
    once = bound_loops(program(text.replace("n - n + 5", "5")))
    assert list(marks_of(once).values()) == [5]
    assert bound_loops(once) == once


def test_what_is_no_loop_procedure_stays_as_it_is() -> None:
    text = """
        procedure main(n: int) { var i: int; i := 0; while (i < 27) { i := i + 1; } call P(0); }
        procedure P(i: int) { if (i < 5) { call P(i + 1); } }
        procedure {:loop "Q"} Bodiless(i: int);
        procedure {:loop "Q"} Straight(i: int) { assume i < 5; }
        procedure {:loop "Q"} Cyclic(i: int) { head: goto head, again; again: call Cyclic(i); }
        procedure {:loop "Q"} Twice(i: int) { if (i < 5) { call Twice(i + 1); call Twice(i + 1); } }
    """
    before = program(text)
    assert bound_loops(before) == before


def test_a_long_loop() -> None:
    statements = "t := t + i; " * 3000
    assert in_main(f"i := 0; while (i < 9) {{ {statements} i := i + 1; }}") == [9]


def test_a_deep_nest_of_loops() -> None:
    counters = [f"v{n}" for n in range(40)]
    opening = "".join(f"{v} := 0; while ({v} < 2) {{ " for v in counters)
    closing = "".join(f"{v} := {v} + 1; }} " for v in reversed(counters))
    found = marks(f"procedure main() {{ var {', '.join(counters)}: int; {opening} {closing} }}")
    assert list(found.values()) == [2] * len(counters)


def test_loops_of_procedures_that_are_called_with_constants() -> None:
    text = """
        var limit: int;
        var names: [int]int;
        procedure {:entrypoint} main(n: int) modifies names, limit; {
          var i: int;
          names := names[3 := 1][4 := 1][5 := 1][6 := 0];
          limit := 12;
          call i := Length(names, 3);
          call Times(i + 8, n);
          call Global();
        }
        procedure Length(s: [int]int, start: int) returns (n: int) {
          n := 0;
          while (s[start + n] != 0) { n := n + 1; }
        }
        procedure Times(n: int, other: int) { var i, j: int; i := 0;
          while (i < n) { i := i + 1; }
          i := 0;
          while (i < other) { i := i + 1; }
        }
        procedure Global() { var i: int; i := 0; while (i < limit) { i := i + 1; } }
        procedure Unreached() { var i: int; i := 0; while (i < 9) { i := i + 1; } }
    """
    assert list(marks(text).values()) == [3, 11, 12, 9]


def test_branches_that_are_not_taken() -> None:
    body = """
        if (LIMIT > 5) { t := 10; } else { t := 20; }
        i := 0;
        while (i < t) { i := i + 1; }
        j := 0;
        while (j < i) { if (i == 10) { j := j + 2; } else { j := n; } }
    """
    assert in_main(body, "const LIMIT: int; axiom LIMIT == 12;") == [5, 10]


def test_what_a_recursive_procedure_leaves_is_not_known() -> None:
    text = """
        procedure {:entrypoint} main() { var i, n: int; call n := P(3); i := 0; while (i < n) { i := i + 1; } }
        procedure P(n: int) returns (r: int) { if (n == 0) { r := 1; } else { call r := P(n - 1); r := r + n; } }
    """
    assert marks(text) == {}


def test_a_chain_of_calls_that_is_too_long_to_follow() -> None:
    calls = "".join(f"procedure P{n}(k: int) {{ call P{n + 1}(k); }} " for n in range(1200))
    loops = "i := 0; while (i < k) { i := i + 1; } i := 0; while (i < 9) { i := i + 1; }"
    last = f"procedure P1200(k: int) {{ var i: int; {loops} }}"
    assert list(marks(f"procedure main() {{ call P0(12); }} {calls} {last}").values()) == [9]
