"""Expressions of C: every construct, with the conversions that C makes on its own."""

from __future__ import annotations

import pytest

from paddock.frontends.c import tree as t
from paddock.frontends.c.types import ILP32, LP64
from paddock.frontends.c.walk import nodes_in
from tests.unit.frontends.c.reading import body, expression, read, sketch_statement, sketched

DECLARATIONS = """
struct inner { int i; };
struct s { int x; unsigned f : 3; struct inner in; union { int u; float v; }; int a[4]; struct s *next; };
enum e { A, B = -7, C };
_Bool b; char c; unsigned char uc; short h; int x, y; unsigned u; long l; float fl; double d;
int a[10], m[3][4], *p, **pp; char *q; void *v; struct s s, *ps; enum e en; enum g { G } eg;
struct deep { union { struct { short lo, hi; }; int all; }; } deep, *ds;
int g(int, char); int old(); int many(int, ...); int (*fp)(int, char); struct s make(void); void nothing(void);
"""


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        # reading, constants
        ("x", "x"),
        ("(x)", "x"),
        ("+x", "[x]"),
        ("x = 'a'", "x = 97"),
        ("x = B", "x = -7"),
        ("l = 4294967296", "l = 4294967296"),
        ("u = 0xffffffffu", "u = 4294967295"),
        ("d = 1.5e1", "d = 15.0"),
        ("fl = 0.1f", "fl = 0.10000000149011612"),
        ("x = sizeof s", "x = (int: 40)"),
        ("x = sizeof(m) / sizeof *m", "x = (int: (48 / 16))"),
        ("x = _Alignof(double)", "x = (int: 8)"),
        ("x = __builtin_offsetof(struct s, a[2])", "x = (int: 24)"),
        ("q = (char *) __func__", "q = (char *) 'f\\x00'&"),
        # conversions
        ("x = c", "x = (int: [c])"),
        ("c = x", "c = (char: [x])"),
        ("b = x", "b = [x]?"),
        ("b = p", "b = [p]?"),
        ("x = b", "x = (int: [b])"),
        ("d = x", "d = (double: [x])"),
        ("x = d", "x = (int: [d])"),
        ("fl = d", "fl = (float: [d])"),
        ("en = x", "en = (enum e: [x])"),
        ("x = en", "x = (int: [en])"),
        ("v = p", "v = (void *: [p])"),
        ("p = v", "p = (int *: [v])"),
        ("p = 0", "p = (int *: 0)"),
        ("p = (void *)0", "p = (int *: (void *) 0)"),
        ("l = (long) p", "l = (long) [p]"),
        ("p = (int *) l", "p = (int *) [l]"),
        ("(void) x", "(void) x"),
        ("x = (int) y", "x = (int) [y]"),
        ("c + c", "((int: [c]) + (int: [c]))"),
        ("uc << 1u", "((int: [uc]) << 1)"),
        ("x + u", "((unsigned int: [x]) + [u])"),
        ("x + l", "((long: [x]) + [l])"),
        ("u + l", "((long: [u]) + [l])"),
        ("fl + x", "([fl] + (float: [x]))"),
        ("fl * d", "((double: [fl]) * [d])"),
        ("-h", "-(int: [h])"),
        ("~uc", "~(int: [uc])"),
        ("en + 1", "((int: [en]) + 1)"),  # signed because of -7
        ("eg + 1", "((unsigned int: [eg]) + (unsigned int: 1))"),
        ("x < u", "((unsigned int: [x]) < [u])"),
        ("c == 1.0", "((double: [c]) == 1.0)"),
        ("s.f + x", "((int: [s.f]) + [x])"),
        # conditions
        ("!x", "![x]?"),
        ("x && p", "([x]? && [p]?)"),
        ("x < y || d", "(([x] < [y])? || [d]?)"),
        ("x ? y : c", "([x]? [y] : (int: [c]))"),
        ("x ? p : 0", "([x]? [p] : (int *: 0))"),
        ("x ? a : p", "([x]? a& : [p])"),
        ("x ? nothing() : nothing()", "([x]? nothing() : nothing())"),
        ("d ?: x", "({double first = [d]; ([first]? [first] : (double: [x]))})"),
        # pointers and members
        ("a[x]", "a&[[x]]"),
        ("x[a]", "a&[[x]]"),
        ("m[1][2]", "m&[1]&[2]"),
        ("*p", "*[p]"),
        ("**pp", "*[*[pp]]"),
        ("*&x", "x"),
        ("&*p", "[p]"),
        ("p = &a[3]", "p = &a&[3]"),
        ("p = a + 3", "p = (a& +> 3)"),
        ("p = x + p", "p = ([p] +> [x])"),
        ("p = p - l", "p = ([p] -> [l])"),
        ("l = p - a", "l = ([p] -> a&)"),
        ("p == a", "([p] == a&)"),
        ("p == 0", "([p] == (int *: 0))"),
        ("p != v", "((void *: [p]) != [v])"),
        ("s.in.i", "s.in.i"),
        ("ps->in.i", "*[ps].in.i"),
        ("(&s)->x", "s.x"),
        ("ps->next->x", "*[*[ps].next].x"),
        ("s.u", "s..u"),
        ("deep.hi = ds->hi", "deep...hi = [*[ds]...hi]"),
        ("make().x", "make().x"),
        ("s = *ps", "s = [*[ps]]"),
        ("x = s.a[1]", "x = [s.a&[1]]"),
        # updates
        ("x += c", "x := (old + (int: [c]))"),
        ("c += x", "c := (char: ((int: old) + [x]))"),
        ("x++", "x := (old + 1) was old"),
        ("--x", "x := (old - 1)"),
        ("c++", "c := (char: ((int: old) + 1)) was old"),
        ("p += 2", "p := (old +> 2)"),
        ("p--", "p := (old -> 1) was old"),
        ("x *= d", "x := (int: ((double: old) * [d]))"),
        ("u >>= l", "u := (old >> [l])"),
        ("s.f |= 1", "s.f := (unsigned int: ((int: old) | 1))"),
        ("b |= x", "b := ((int: old) | [x])?"),
        ("d++", "d := (old + (double: 1)) was old"),
        ("x = y = c", "x = y = (int: [c])"),
        ("x = (y, c)", "x = (int: (y, [c]))"),
        # calls
        ("g(c, x)", "g((int: [c]), (char: [x]))"),
        ("fp(x, c)", "[fp]([x], [c])"),
        ("(*fp)(x, c)", "[fp]([x], [c])"),
        ("(&g)(x, c)", "g([x], [c])"),
        ("(**g)(x, c)", "g([x], [c])"),
        ("fp = g", "fp = (int (*)(int, char): g)"),
        ("fp = &g", "fp = (int (*)(int, char): g)"),
        ("fp == g", "([fp] == (int (*)(int, char): g))"),
        ("old(c, fl)", "old((int: [c]), (double: [fl]))"),
        ("many(c, c, fl, a)", "many((int: [c]), (int: [c]), (double: [fl]), a&)"),
        ("unknown(x)", "unknown([x])"),
        # others
        ("x = ({ int t = 1; t + x; })", "x = ({int t = 1; ([t] + [x])})"),
        ("({ nothing(); })", "({nothing(); })"),
        ("ps = &(struct s){ .x = 1, .a = { [2] = 3 } }", "ps = &literal{.x = 1, .a[2] = 3}"),
        ("x = _Generic(d, double: 1, char *: 2)", "x = 1"),
        ("d = _Generic(x, int: d, char *: q)", "d = [d]"),
        ("x = __builtin_choose_expr(1, y, d)", "x = [y]"),
        ("x = __builtin_types_compatible_p(int, signed)", "x = 1"),
        ("x = __builtin_constant_p(y)", "x = 0"),
        ("__extension__ x", "x"),
        ("x = __atomic_load_n(p, 5)", "x = ({int * atomic = [p]; [*[atomic]]})"),
    ],
)
def test_meaning(text: str, meaning: str) -> None:
    assert sketched(text, DECLARATIONS) == meaning


def test_types_depend_on_the_data_model() -> None:
    assert sketched("u + l", DECLARATIONS, ILP32) == "((unsigned long: [u]) + (unsigned long: [l]))"
    assert sketched("x = sizeof p", DECLARATIONS, ILP32) == "x = (int: 4)"
    assert expression("sizeof p", DECLARATIONS, ILP32).type.name == "unsigned int"  # type: ignore[attr-defined]
    assert expression("p - p", DECLARATIONS, LP64).type.name == "long"  # type: ignore[attr-defined]


def test_a_null_pointer_is_no_integer() -> None:
    for text in ("p = 0", "p = (void *)0", "p = (int *)0", "p = 0L"):
        assignment = expression(text, DECLARATIONS)
        assert isinstance(assignment, t.Assignment) and isinstance(assignment.value, t.Conversion)
        kinds = {n.kind for n in nodes_in(assignment.value) if isinstance(n, t.Conversion)}
        assert assignment.value.kind in (t.ConversionKind.NULL, t.ConversionKind.SAME)
        assert t.ConversionKind.INT_TO_POINTER not in kinds
    pointer = expression("p = (int *)1", DECLARATIONS)
    assert isinstance(pointer, t.Assignment) and isinstance(pointer.value, t.Conversion)
    assert pointer.value.kind is t.ConversionKind.INT_TO_POINTER


def test_strings() -> None:
    assert sketched(r'q = "a\n\"\\" "b\0c\x7f" "\377"', DECLARATIONS) == r"""q = 'a\n"\\b\x00c\x7f\xff\x00'&"""
    assert sketched('q = "é"', DECLARATIONS) == r"q = '\xc3\xa9\x00'&"
    assert sketched('(void) L"aé€𝄞"') == "(void) (97, 233, 8364, 119070, 0)"
    assert sketched('(void) u"€𝄞"') == "(void) (8364, 55348, 56606, 0)"


def test_floating_constants() -> None:
    constant = expression("1e-45L")
    assert isinstance(constant, t.FloatConstant)
    assert constant.value != constant.value.from_float(1e-45)  # more precise than a double
    assert sketched("1e400") == "(1.0 / 0.0)"
    assert sketched("0x1.8p3") == "12.0"
    assert sketched("0.1f") == "0.10000000149011612"


def test_constants_inside_of_macros_and_where_they_are_shown() -> None:
    text = "#define N 3\n#define ADD(a, b) ((a) + (b) * N)\nint x;\nint f(void) {\n  return ADD(x, 2.5);\n}"
    (statement,) = body(text)
    assert sketch_statement(statement) == "Return (int: ((double: [x]) + (2.5 * (double: 3))));"
    assert all((n.origin.file, n.origin.line) == ("1.c", 5) for n in nodes_in(statement))


def test_columns_count_characters() -> None:
    (_, statement) = body('void f(void) { "éé"; f(); }')
    assert statement.origin.column == 22


def test_variable_arguments() -> None:
    text = """#include <stdarg.h>
    int f(int n, ...) {
      va_list l, k; va_start(l, n); va_copy(k, l); int x = va_arg(l, int); x = *va_arg(l, int *); va_end(l);
      return x;
    }
    int g(va_list l) { return va_arg(l, int); }"""
    wide = [sketch_statement(s) for s in body(text)]
    assert wide[2:] == [
        "__builtin_va_start(l&);",
        "__builtin_va_copy(k&, l&);",
        "int x = va_arg(l&, int);",
        "x = [*va_arg(l&, int *)];",
        "__builtin_va_end(l&);",
        "Return [x];",
    ]
    narrow = [sketch_statement(s) for s in body(text, model=ILP32)]
    assert narrow[3:6] == ["__builtin_va_copy(&k, &l);", "int x = va_arg(&l, int);", "x = [*va_arg(&l, int *)];"]
    assert sketch_statement(body(text, "g")[0]) == "Return va_arg([l], int);"
    assert sketch_statement(body(text, "g", ILP32)[0]) == "Return va_arg(&l, int);"


def test_arrays_of_variable_length() -> None:
    statements = body("int n; int f(int k, int p[k][k + 1]) { int a[n][2], (*q)[n] = a; return sizeof a + p[1][2]; }")
    assert [sketch_statement(s) for s in statements] == [
        "unsigned long p.length = (unsigned long: ([k] + 1));",
        "unsigned long p.length$1 = (unsigned long: [k]);",
        "unsigned long a.length = (unsigned long: [n]);",
        "int[*][2] a;",
        "unsigned long q.length = (unsigned long: [n]);",
        "int (*)[*] q = (int (*)[*]: a&);",
        "Return (int: (([a.length] * 8) + (unsigned long: [[p][1]&[2]])));",
    ]


def test_arrays_of_variable_length_by_name_and_in_casts() -> None:
    statements = body("int f(int n, void *v) { typedef int t[n]; n = sizeof(t); t a; return ((int (*)[n]) v)[0][1]; }")
    assert [sketch_statement(s) for s in statements] == [
        "unsigned long t.length = (unsigned long: [n]);",
        "n = (int: ([t.length] * 4));",
        "int[*] a;",
        "Return [({unsigned long cast.length = (unsigned long: [n]); (int (*)[*]) [v]})[0]&[1]];",
    ]


def test_sizeof_the_name_of_a_type_of_variable_length() -> None:
    declarations = "#define L long\n#define S(n) sizeof(int[n])\nint n; struct s { int x, y; };"
    for text, meaning in (
        ("sizeof(int[n])", "((unsigned long: [n]) * 4)"),
        ("sizeof(const unsigned char[n++][3])", "((unsigned long: n := (old + 1) was old) * ((unsigned long: 3) * 1))"),
        ("sizeof (struct s[2][n])", "((unsigned long: 2) * ((unsigned long: [n]) * 8))"),
        ("sizeof(struct s *[n])", "((unsigned long: [n]) * 8)"),
        ("sizeof(long double[n])", "((unsigned long: [n]) * 16)"),
        ("sizeof(int (*)[n++])", "8"),
    ):
        assert sketched(text, declarations) == meaning
    for text in ("sizeof(L[n])", "S(n)", "sizeof(__typeof__(int[n]))", "sizeof(struct { int a[3]; }[n])"):
        assert sketched(text, declarations) == f"<expression '{text}'>"
    assert sketched("sizeof(int (*[n])[n])", declarations) == "<expression 'sizeof(int (*[n])[n])'>"


def test_sizeof_evaluates_an_array_of_variable_length_that_does_something() -> None:
    statements = body(
        "int f(int n, int i) { int a[2][n], (*p)[n]; n = sizeof a[i]; n = sizeof *p; return sizeof a[i++]; }"
    )
    assert [sketch_statement(s) for s in statements][-3:] == [
        "n = (int: ([a.length] * 4));",
        "n = (int: ([p.length] * 4));",
        "Return (int: (a&[i := (old + 1) was old], ([a.length] * 4)));",
    ]


def test_parameters_declared_in_the_old_style() -> None:
    unit = read("int f(a, b) char a; float b; { return a + b; } int g(void) { return f(1, 2.0); }")
    f, g = unit.functions
    assert [str(p.type) for p in f.parameters] == ["char", "float"]
    assert g.body is not None
    assert sketch_statement(g.body.statements[0]) == "Return f(1, 2.0);"


def test_what_is_not_supported_is_named() -> None:
    assert sketched("__real__ z", "_Complex double z;") == "<expression '__real__ z'>"
    assert sketched("z + z", "_Complex double z;") == "<+ of _Complex double and _Complex double>"
    assert sketched("(union u) 1", "union u { int x; };") == "<conversion from int to union u>"


@pytest.mark.parametrize(
    "text",
    [
        " + ".join(["x"] * 4000),
        " = ".join(["x"] * 2000),
        "(" * 2000 + "x" + ")" * 2000,
        "- " * 2000 + "x",
        "a[" * 2000 + "0" + "]" * 2000,
        "g(" * 2000 + "x" + ")" * 2000,
        " : ".join(["x ? x"] * 2000) + " : x",
    ],
    ids=["sum", "assignments", "parentheses", "signs", "elements", "calls", "choices"],
)
def test_what_is_nested_thousands_deep(text: str) -> None:
    unit = read(f"int x, a[3]; int g(int); int f(void) {{ return {text}; }}")
    function = unit.function("f")
    assert function is not None and function.body is not None
    uses = sum(isinstance(node, t.VariableUse) for node in nodes_in(function.body))
    assert uses == text.count("x") + text.count("a")
