"""Initialisers: lists with and without inner braces, designators, strings (C11 6.7.9)."""

from __future__ import annotations

import pytest

from paddock.frontends.c.types import ArrayType
from tests.unit.frontends.c.reading import body, error, read, sketch, sketch_statement

DECLARATIONS = """
struct point { int x, y; };
struct s { int a[2]; struct point p; char c; };
struct outer { int n; union { struct { int u, v; }; float w; }; struct point q[2]; };
union both { int i; float f; struct point p; };
int k; struct point origin;
"""


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("int v = 1", "1"),
        ("int v = { 1 }", "1"),
        ("int v = {}", "{}"),
        ("double v = 1", "(double: 1)"),
        ("int v[3] = { 1, 2 }", "{[0] = 1, [1] = 2}"),
        ("int v[3] = { 0 }", "{[0] = 0}"),
        ("int v[] = { [2] = 1, 5, [0] = 4 }", "{[2] = 1, [3] = 5, [0] = 4}"),
        ("int v[6] = { [1 ... 3] = 7, 8 }", "{[1] = 7, [2] = 7, [3] = 7, [4] = 8}"),
        ("int v[2][2] = { 1, 2, 3 }", "{[0][0] = 1, [0][1] = 2, [1][0] = 3}"),
        ("int v[2][2] = { { 1 }, { 3 } }", "{[0][0] = 1, [1][0] = 3}"),
        ("int v[2][3] = { [1][1] = 5, 6 }", "{[1][1] = 5, [1][2] = 6}"),
        ("int v[3][2] = { [0 ... 1][1] = 5, 6 }", "{[0][1] = 5, [1][1] = 5, [2][0] = 6}"),
        ("struct s v = { 1, 2, 3, .p.y = 4, 'c' }", "{.a[0] = 1, .a[1] = 2, .p.x = 3, .p.y = 4, .c = (char: 99)}"),
        ("struct s v = { { 1 }, { .y = 2 } }", "{.a[0] = 1, .p.y = 2}"),
        ("struct s v = { .p = { 1, 2 }, 'x', .a[1] = 3 }", "{.p.x = 1, .p.y = 2, .c = (char: 120), .a[1] = 3}"),
        ("struct s v = { p: { 1 } }", "{.p.x = 1}"),
        ("struct point v[2] = { 1, 2, 3, 4 }", "{[0].x = 1, [0].y = 2, [1].x = 3, [1].y = 4}"),
        ("struct point v[3] = { [0 ... 1] = { 1, 2 } }", "{[0].x = 1, [0].y = 2, [1].x = 1, [1].y = 2}"),
        ("struct point v[3] = { [1].y = 1, 2 }", "{[1].y = 1, [2].x = 2}"),
        ("struct outer v = { 1, 2, 3, { { 4 } } }", "{.n = 1, ...u = 2, ...v = 3, .q[0].x = 4}"),
        ("struct outer v = { 1, .w = 2, 3 }", "{.n = 1, ..w = (float: 2), .q[0].x = 3}"),
        ("struct outer v = { .v = 2, 3 }", "{...v = 2, .q[0].x = 3}"),
        ("union both v = { 1 }", "{.i = 1}"),
        ("union both v = { .p = { 1, 2 } }", "{.p.x = 1, .p.y = 2}"),
        ("union both v[2] = { 1, 2 }", "{[0].i = 1, [1].i = 2}"),
        # values replaced by later ones
        ("int v[2] = { 1, [0] = 2 }", "{[0] = 2}"),
        ("struct s v = { .p = { 1, 2 }, .p = { .y = 3 } }", "{.p.y = 3}"),
        ("struct s v = { .p = { 1, 2 }, .p.y = 3 }", "{.p.x = 1, .p.y = 3}"),
        # more than there is room for
        ("int v[1] = { 1, 2, 3 }", "{[0] = 1}"),
        ("int v = { 1, 2 }", "1"),
        # strings
        ('char v[] = "ab"', r"'ab\x00'"),
        ('char v[5] = "ab"', r"'ab\x00'"),
        ('char v[2] = "ab"', "'ab'"),
        ('char v[] = { "ab" }', r"'ab\x00'"),
        ('char v[2][3] = { "a", "bc" }', r"{[0] = 'a\x00', [1] = 'bc\x00'}"),
        ('char *v[] = { "a", 0 }', r"{[0] = 'a\x00'&, [1] = (char *: 0)}"),
        ('struct { char t[4]; int n; } v = { "ab", 1 }', r"{.t = 'ab\x00', .n = 1}"),
        ("char v[2] = { 'a' }", "{[0] = (char: 97)}"),
        # others
        ("int *v = &k", "&k"),
        ("struct point *v = &(struct point){ 1, 2 }", "&literal"),
        ("int v = (1, 2) + sizeof(char[3])", "(int: ((unsigned long: (1, 2)) + 3))"),
        ("struct { } v = { }", "{}"),
        ("struct { int n; int t[]; } v = { 1, { 2, 3 } }", "{.n = 1, .t[0] = 2, .t[1] = 3}"),
    ],
)
def test_of_globals(text: str, meaning: str) -> None:
    unit = read(f"{DECLARATIONS} {text};")
    (made,) = (g for g in unit.globals if g.variable.name == "v")
    assert made.initialiser is not None
    assert sketch(made.initialiser) == meaning


def test_of_locals() -> None:
    statements = body(
        f"""{DECLARATIONS} void f(struct point p) {{
          struct point a = p, b[2] = {{ p, {{ p.x, k }} }};
          struct s c = {{ .p = p, k }}, d = {{ 1, 2, p }};
          struct point *e = (struct point[]) {{ p, origin }};
        }}"""
    )
    assert [sketch_statement(s) for s in statements] == [
        "struct point a = [p];",
        "struct point[2] b = {[0] = [p], [1].x = [p.x], [1].y = [k]};",
        "struct s c = {.p = [p], .c = (char: [k])};",
        "struct s d = {.a[0] = 1, .a[1] = 2, .p = [p]};",
        "struct point * e = literal{[0] = [p], [1] = [origin]}&;",
    ]


def test_a_list_completes_the_type_of_an_array() -> None:
    unit = read('int a[] = { [9] = 1 }; char b[] = "abc"; extern int c[]; int c[4]; int *p = c;')
    lengths = {g.variable.name: g.variable.type.length for g in unit.globals if isinstance(g.variable.type, ArrayType)}
    assert lengths == {"a": 10, "b": 4, "c": 4}


def test_a_large_list() -> None:
    unit = read(f"int a[8000] = {{ {', '.join(map(str, range(8000)))} }};")
    (made,) = unit.globals
    assert made.initialiser is not None
    assert [(i.path[0], sketch(i.value)) for i in made.initialiser.items[-2:]] == [(7998, "7998"), (7999, "7999")]


def test_designators_in_macros() -> None:
    assert sketch_initialiser("#define A 1\n#define B 2\nint v[4] = { [A ... B] = 3 };") == "{[1] = 3, [2] = 3}"
    assert sketch_initialiser("#define ONE(i) [i] = 3\nint v[4] = { ONE(2) };") == "{[2] = 3}"
    assert "inside of a macro" in error("#define MANY(i, j) [i ... j] = 3\nint v[4] = { MANY(1, 2) };")
    assert "inside of a macro" in error("#define ALL { [0 ... 1] = 3 }\nint v[4] = ALL;")


def sketch_initialiser(text: str) -> str:
    (made,) = read(text).globals
    assert made.initialiser is not None
    return sketch(made.initialiser)
