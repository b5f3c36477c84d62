"""Calls of assertion wrappers as assertions: what is a wrapper, what is none, and what comes of the calls."""

from __future__ import annotations

from pathlib import Path

import pytest

import paddock
from paddock.ir.printer import expr_text
from paddock.ir.stmt import Assert, Assign, Assume, Call
from paddock.options import Options
from paddock.passes.assertion_wrappers import assertion_wrappers, summarised
from tests.unit.passes.transforming import program, statements, transformed

CALL = "procedure main(x: int, y: int) { call check(x > 0, y); }"

WRAPPERS = {
    "asserts": ("procedure check(b: bool, m: int) { assert b; }", "x > 0"),
    "reports an error": (
        """
        procedure check(b: bool, m: int) { if (!b) { call error(); } }
        procedure error() { assert false; }
        """,
        "x > 0",
    ),
    "through another": (
        """
        procedure check(b: bool, m: int) { call inner(m, b); }
        procedure inner(m: int, b: bool) { assert b; }
        """,
        "x > 0",
    ),
    "with a local": (
        "procedure check(b: bool, m: int) { var ok: bool; ok := b && m > 3; assert ok; }",
        "x > 0 && y > 3",
    ),
    "on a condition": (
        "procedure check(b: bool, m: int) { if (m > 3) { assert b; } }",
        "y > 3 ==> x > 0",
    ),
    "with gotos": (
        """
        procedure check(b: bool, m: int) {
          goto good, bad;
          good: assume b; return;
          bad: assume !b; assert false; assume false;
        }
        """,
        "x > 0",
    ),
    "after a message": (
        """
        procedure print(m: int);
        var printed: int;
        procedure check(b: bool, m: int) modifies printed; { if (!b) { printed := m; call print(m); assert false; } }
        """,
        "x > 0",
    ),
    "of a global": ("var g: int; procedure check(b: bool, m: int) { assert b || m == g; }", "x > 0 || y == g"),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_call_of_a_wrapper_is_an_assertion(name: str) -> None:
    text, condition = WRAPPERS[name]
    modifies = " modifies printed;" if "printed" in text else ""
    after = transformed(assertion_wrappers, text + CALL.replace(" {", modifies + " {", 1))
    (found,) = list(statements(after, "main"))
    assert isinstance(found, Assert)
    assert expr_text(found.condition) == condition
    assert found.origin.line == (text + CALL).count("\n") + 1


NO_WRAPPERS = {
    "nothing about its parameters": "var g: int; procedure check(b: bool, m: int) { assert g > 0; }",
    "no assertion": "procedure check(b: bool, m: int) { assume b; }",
    "never returns": "procedure check(b: bool, m: int) { assert b && false; assert false; }",
    "writes a global": "var g: int; procedure check(b: bool, m: int) modifies g; { g := m; assert b; }",
    "assumes": "procedure check(b: bool, m: int) { assume m > 0; assert b; }",
    "chooses": "procedure check(b: bool, m: int) { if (*) { assert b; } }",
    "overlapping branches": """
        procedure check(b: bool, m: int) {
          goto one, two;
          one: assume m > 0; assert b; return;
          two: assume m > 1; return;
        }""",
    "a loop": "procedure check(b: bool, m: int) { var i: int; i := 0; while (i < m) { assert b; i := i + 1; } }",
    "recursive": "procedure check(b: bool, m: int) { assert b; call check(b, m - 1); }",
    "a precondition": "procedure check(b: bool, m: int) requires m > 0; { assert b; }",
    "a postcondition": "procedure check(b: bool, m: int) ensures m > 0; { assert b; }",
    "a local that is not set": "procedure check(b: bool, m: int) { var c: bool; assert b || c; }",
    "an input before it returns": "procedure get(); procedure check(b: bool, m: int) { assert b; call get(); }",
    "old": "var g: int; procedure check(b: bool, m: int) { assert b || old(g) == m; }",
    "a where clause of a local": "procedure check(b: bool, m: int) { var c: int where false; assert b; }",
}


@pytest.mark.parametrize("name", NO_WRAPPERS)
def test_what_does_more_is_no_wrapper(name: str) -> None:
    text = NO_WRAPPERS[name]
    modifies = " modifies g;" if "modifies" in text else ""
    before = program(text + CALL.replace(" {", modifies + " {", 1))
    assert assertion_wrappers(before) is before


def test_results_are_constants_or_parameters() -> None:
    after = transformed(
        assertion_wrappers,
        """
        procedure check(n: int) returns (r: int, one: int) { if (n < 0) { assert false; } r, one := n, 1; }
        procedure main(x: int) returns (y: int, z: int) { call y, z := check(x); call y, z := check(y + 1); }
        """,
    )
    first, given, second, again = statements(after, "main")
    assert isinstance(first, Assert) and isinstance(second, Assert)
    assert isinstance(given, Assign) and isinstance(again, Assign)
    assert [expr_text(v) for v in again.values] == ["y + 1", "1"]
    computing = "procedure half(n: int) returns (r: int) { assert n > 0; r := n div 2; } procedure main() { }"
    assert "half" not in summarised(program(computing))


def test_several_assertions_of_a_wrapper_come_in_its_order() -> None:
    text = """
    procedure limits(i: int, low: int, high: int) { assert i >= low; assert i <= high; }
    procedure main(x: int) { call limits(x, 0, 9); call limits(x, 2, 9); }
    """
    result = paddock.check(paddock.load(text), Options.of(all_assertions=True))
    assert [(a.text, a.verdict.value) for a in result.assertions] == [
        ("x >= 0", "bug"),
        ("x <= 9", "bug"),
        ("x >= 2", "bug"),
        ("x <= 9", "proved"),
    ]
    assert len({a.id for a in result.assertions}) == 4


def test_what_is_assumed_of_parameters_is_assumed_at_the_call() -> None:
    text = """
    procedure check(n: int where 0 <= n && n <= 9, b: bool) { assert b; }
    procedure main(x: int) { call check(x, x >= 0); }
    """
    after = transformed(assertion_wrappers, text)
    assert [type(s) for s in statements(after, "main")] == [Assume, Assert]
    assert paddock.check(paddock.load(text)).verdict.value == "proved"


def test_threads_and_shadowing() -> None:
    after = transformed(
        assertion_wrappers,
        """
        var g: int;
        procedure check(n: int) { assert n < g; }
        procedure main() { var g: int; async call check(1); call check(g); }
        """,
    )
    start, found = statements(after, "main")
    assert isinstance(start, Call) and isinstance(found, Assert)
    assert expr_text(found.condition) == "g#1 < g"


C_WRAPPERS = {
    "SV-COMP": "void check(int c) { if (!c) { ERROR: reach_error(); abort(); } return; }",
    "old SV-COMP": "void check(int c) { if (!(c)) { ERROR: __VERIFIER_error(); } return; }",
    "assert": "static void check(int c) { assert(c); }",
    "conditional": "void check(int c) { !c ? reach_error() : (void)0; }",
    "early return": "void check(int c) { if (c) return; reach_error(); }",
    "goto": "void check(int c) { if (!c) goto error; return; error: reach_error(); }",
    "truth value": "int check(_Bool c) { if (!c) reach_error(); return c; }",
    "wide": "void check(long c) { if (c == 0) { reach_error(); } }",
    "message": 'void check(int c) { if (!c) { printf("it fails\\n"); reach_error(); } }',
    "switch": "void check(int c) { switch (c) { case 0: reach_error(); } }",
    "another": """static void fail(void) { assert(0); } static void inner(int c) { if (!c) fail(); }
    void check(int c) { inner(c); }""",
}


@pytest.mark.parametrize(("name", "integers"), [*((name, "bits") for name in C_WRAPPERS), ("truth value", "math")])
def test_a_call_of_a_wrapper_in_c_is_an_assertion(name: str, integers: str, tmp_path: Path) -> None:
    text = f"""
    #include <assert.h>
    #include <stdio.h>
    #include <stdlib.h>
    extern void reach_error(void);
    extern void __VERIFIER_error(void);
    extern int nondet_int(void);
    {C_WRAPPERS[name]}
    int main(void) {{
      int x = nondet_int();
      check(x < 7 || x > 5);
      check(x != 4); check(x != 3);
      return 0;
    }}
    """
    (tmp_path / "wrapped.c").write_text(text)
    options = Options.of(all_assertions=True, integers=integers)
    result = paddock.check(paddock.load(tmp_path / "wrapped.c", options=options), options)
    first = text[: text.index("check(x < 7")].count("\n") + 1
    found = [(a.line - first, a.column, a.text, a.verdict.value) for a in result.assertions]
    assert found == [
        (0, 7, "x < 7 || x > 5", "proved"),
        (1, 7, "x != 4", "bug"),
        (1, 22, "x != 3", "bug"),
    ]
    last = result.assertions[1].trace[-1]
    shown = {name: value.text for name, value in last.values.items()}
    assert (last.kind, last.line, shown) == ("fail", first + 1, {"x": "4"})


def test_the_text_of_a_wrapper_of_several_parameters_is_the_call(tmp_path: Path) -> None:
    text = """
    extern void reach_error(void); extern int nondet_int(void);
    void equal(int a, int b, const char *message) { if (a != b) reach_error(); }
    int main(void) { int x = nondet_int(); equal(x, 7, "x"); equal(x + 1, 8, "x"); return 0; }
    """
    (tmp_path / "equal.c").write_text(text)
    result = paddock.check(paddock.load(tmp_path / "equal.c"), Options.of(all_assertions=True))
    assert [a.text for a in result.assertions] == ['equal(x, 7, "x")', 'equal(x + 1, 8, "x")']
    assert [a.verdict.value for a in result.assertions] == ["bug", "proved"]
