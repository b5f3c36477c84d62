"""What is known where a region starts."""

from __future__ import annotations

import pytest

import paddock
from paddock.engines.regions.entry_facts import kept, steady_wheres
from paddock.engines.regions.extract import extracted
from paddock.ir.modref import mod_ref
from paddock.ir.printer import statement_text
from paddock.passes.registry import run_passes
from tests.unit.engines.regions.test_tree import hierarchy


def known(code: str, region: str = "main:LOOP") -> list[str]:
    """What is known at the head of the loop that is marked LOOP, in a program that starts with this code."""
    text = f"""
var g, h: int;
procedure main(n: int) modifies g, h; {{
  var i, x, y: int;
{code}
}}
procedure touch() modifies g; {{ g := 1; }}
"""
    line = next(k for k, words in enumerate(text.split("\n"), start=1) if "LOOP" in words)
    h = hierarchy(text)
    return [statement_text(s) for s in kept(h.program, h.regions[f"main:{line}"], mod_ref(h.program))]


USES = "assert x + y + n + g + h > i;"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x := 1; assume n > x;\n while (*) { /*LOOP*/ USES }", ["x := 1;", "assume n > x;"]),
        ("x := 1; assert n > x;\n while (*) { /*LOOP*/ USES }", ["x := 1;", "assume n > x;"]),
        # Written in the loop, or between.
        ("x := 1; y := 2;\n while (*) { /*LOOP*/ USES x := x + 1; }", ["y := 2;"]),
        ("x := 1; y := x; x := 3;\n while (*) { /*LOOP*/ USES }", ["x := 3;"]),
        ("x := 1; if (*) { x := 2; }\n while (*) { /*LOOP*/ USES }", []),
        ("assume x > 0; havoc x;\n while (*) { /*LOOP*/ USES }", []),
        # Parallel assignments take all values before.
        ("x, y := y, x;\n while (*) { /*LOOP*/ USES }", []),
        ("x := x + 1;\n while (*) { /*LOOP*/ USES }", []),
        # What callees write.
        ("g := 5; h := 6;\n while (*) { /*LOOP*/ USES call touch(); }", ["h := 6;"]),
        ("g := 5; h := 6; call touch();\n while (*) { /*LOOP*/ USES }", ["h := 6;"]),
        # Only on some ways to the loop.
        ("if (*) { assume x > 0; }\n while (*) { /*LOOP*/ USES }", []),
        # The loop around runs again, but sets x each time; y it changes after the inner loop.
        (
            "y := 1; h := 7;\n while (*) { x := 2; assume y > 0;\n while (*) { /*LOOP*/ USES } y := y - 1; }",
            ["h := 7;", "x := 2;", "assume y > 0;"],
        ),
        ("x := 2;\n while (*) { \n while (*) { /*LOOP*/ USES } x := 3; }", []),
        # What has nothing to do with the loop is left out, what has by way of others is not.
        ("h := 1; x := y; y := 4;\n while (*) { /*LOOP*/ assert i > 0; }", []),
        ("i := x; h := 1;\n while (*) { /*LOOP*/ assert i > 0; }", ["i := x;"]),
    ],
)
def test_what_is_kept(code: str, expected: list[str]) -> None:
    assert known(code.replace("USES", USES)) == expected


def test_where_clauses_that_always_hold() -> None:
    program = run_passes(
        paddock.load("""
const c: int;
var g: int where g > c;
var h: int where h > 0;
var k: int where k > g;
procedure main(p: int where p > 1) modifies g, h, k; {
  var x: int where x > 2;
  var y: int where y > 3;
  var z: int where z > x;
  havoc g, x, z, k;
  h := 1;
  call y := other();
}
procedure other() returns (r: int where r > 4);
"""),
        ["merge-implementations"],
    )
    found = {name: [str(c) for c in conditions] for name, conditions in steady_wheres(program).items()}
    assert found == {None: ["g > c"], "main": ["p > 1", "x > 2"], "other": ["r > 4"]}


def test_a_region_knows_that_a_float_may_be_no_number() -> None:
    text = """
function {:builtin "fp.eq"} equal(x: float24e8, y: float24e8): bool;
procedure main() {
  var x, zero: float24e8;
  zero := 0x0.0e0f24e8;
  x := zero / zero;
  while (*) { assert equal(x, x); }
}
"""
    options = paddock.Options.of(gamble=True, jobs=1, recursion_bound=2)
    assert paddock.check(paddock.load(text), options).verdict is paddock.Verdict.BUG


def test_globals_are_given_their_values_again() -> None:
    h = hierarchy("var g, h: int;\nprocedure main() modifies g; {\n g := h + 1;\nwhile (*) { assert g > h; } }")
    region = h.regions["main:4"]
    program = extracted(h.program, region, kept(h.program, region, mod_ref(h.program)))
    text = paddock.program_text(program)
    assert "g := h + 1;" in text and paddock.program_text(paddock.load(text)) == text
    assert paddock.check(program).verdict is paddock.Verdict.PROVED
