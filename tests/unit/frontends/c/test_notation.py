"""CBMC's syntax as C: what becomes of a text, and where things stand in it afterwards."""

from __future__ import annotations

import pytest

from paddock.frontends.c.clang.notation import plain_c
from tests.unit.frontends.c.reading import error, sketched


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("x = a ==> b;", "x = a ?   b:__CPROVER_implied;"),
        ("f(a ==> b, c)", "f(a ?   b:__CPROVER_implied, c)"),
        ("(a ==> b ==> c)", "(a ?   b ?   c:__CPROVER_implied:__CPROVER_implied)"),
        ("a ? b ==> c : d;", "a ? b ?   c :__CPROVER_implied: d;"),
        ("((a ==> b) ==> c)", "((a ?   b:__CPROVER_implied) ?   c:__CPROVER_implied)"),
        ("__CPROVER_forall { int i; a }", "({__CPROVER_all;   int i; a ;})"),
        ("__CPROVER_exists\n{ int i; a}", "({__CPROVER_any;\n  int i; a;})"),
        ("#define I(a, b) a ==> b\nx;", "#define I(a, b) a ?   b:__CPROVER_implied\nx;"),
        ("#define I(a, b) a \\\n ==> b\nx;", "#define I(a, b) a \\\n ?   b:__CPROVER_implied\nx;"),
        ('"a ==> b" /* ==> */ // ==>\n', '"a ==> b" /* ==> */ // ==>\n'),
        ("__CPROVER_forall = 1; {", "__CPROVER_forall = 1; {"),
        ("a ==> b", "a ?   b"),
        (")}] a ==> b)", ")}] a ?   b:__CPROVER_implied)"),
    ],
)
def test_what_becomes_of_a_text(text: str, plain: str) -> None:
    assert plain_c(text.encode()).decode() == plain
    assert plain.count("\n") == text.count("\n")


def test_an_implication_is_a_truth_value() -> None:
    assert sketched("x = y ==> 5", "int x, y;") == "x = (int: (![y]?? || 5?)?)"


def test_what_clang_says_is_shown_with_the_line_that_was_written() -> None:
    shown = error("int f(int a) { return (a ==> a ? 1 : 2); }\n")
    assert "==> before ? without brackets is not supported" in shown and "1.c:1:" in shown
    assert "int f(int a) { return (a ==> a ? 1 : 2); }" in shown and "_Pragma" not in shown
    assert "undeclared" in error("int f(int a) { return a ==> b; }\n")
