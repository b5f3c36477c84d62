"""Expressions as C writes them."""

from __future__ import annotations

import pytest

from paddock.frontends.c.text import expression_text
from paddock.frontends.c.walk import children, nodes_in
from tests.unit.frontends.c.reading import body, expression
from tests.unit.frontends.c.test_expressions import DECLARATIONS


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "x = y = c",
        "x + y * 2 - (x - y)",
        "(x + y) * 2",
        "x - -y",
        "- -x",
        "!x && y || x < y",
        "x & 1 | y ^ 2",
        "x == 1 ? y : d > 0 ? x : y",
        "(x, y)[a]",
        "a[x + 1] = m[1][2]",
        "*p = **pp",
        "(*p)++",
        "*p++",
        "ps->next->in.i",
        "s.in.i += 2",
        "s.u",
        "ps->v",
        "make().x",
        "&s.x",
        "(long)p",
        "(char)(x + y)",
        "g(x, (y, c))",
        "(*fp)(x, c)",
        "--x",
        "x--",
        "p += 2",
        "x <<= 3",
        "u >>= 1",
        'q = "a\\n\\"b\\""',
        "fl = 0.5f",
        "d = 15.0",
        "p - a",
        "p + x",
        "many(x, a)",
    ],
)
def test_text(text: str) -> None:
    shown = {"(x, y)[a]": "a[x, y]", "(*fp)(x, c)": "fp(x, c)"}.get(text, text)
    assert expression_text(expression(text, DECLARATIONS)) == shown


def test_what_is_long_is_cut_short() -> None:
    assert expression_text(expression(f'q = "{"a" * 100}"', DECLARATIONS)) == f'q = "{"a" * 60}…"'
    assert expression_text(expression("x = ({ g(1, 2); x; })", DECLARATIONS)) == "x = ({…})"
    assert expression_text(expression("ps = &(struct s){ 1 }", DECLARATIONS)) == "ps = &(struct s){…}"


def test_a_long_text() -> None:
    text = " + ".join(["x"] * 2000)
    assert expression_text(expression(text, DECLARATIONS)) == text


def test_children_are_in_the_order_of_the_text() -> None:
    statements = body(
        """int x; int f(int a) {
             for (int i = 1; i < 2; i += 3) { x = a ? 4 : 5; do { x = 6; } while (a < 7); }
             switch (a) { case 8: return 9; }
             struct { int p, q; } s = { 10, 11 };
             if (a) { x = 12; } else { x = 13; }
             return ({ int y = 14; y + 15; });
           }"""
    )
    constants = [n.value for s in statements for n in nodes_in(s) if type(n).__name__ == "IntegerConstant"]  # type: ignore[union-attr]
    assert constants == [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15]
    assert all(children(s) for s in statements)
