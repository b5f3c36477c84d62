"""Statements and local declarations of C."""

from __future__ import annotations

import pytest

from paddock.frontends.c import tree as t
from paddock.frontends.c.clang.places import parts_of_for
from paddock.frontends.c.walk import nodes_in
from tests.unit.frontends.c.reading import body, error, read, sketch, sketch_statement

DECLARATIONS = "int x, y; unsigned u; void g(void); "


def sketched(text: str, declarations: str = DECLARATIONS) -> str:
    return " ".join(map(sketch_statement, body(f"{declarations} void f(void) {{ {text} }}")))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("if (x) g();", "If [x]? g();;"),
        ("if (x < 1) g(); else { x = 1; y = 2; }", "If ([x] < 1)? g(); { x = 1; y = 2; };"),
        ("if (x) ; else g();", "If [x]? {  } g();;"),
        ("while (x) { x--; }", "While [x]? { x := (old - 1) was old; };"),
        ("do g(); while (x != y);", "DoWhile g(); ([x] != [y])?;"),
        ("for (;;) break;", "For ; ; : Break;"),
        ("for (x = 0;;) break;", "For x = 0;; ; : Break;"),
        ("for (; x;) continue;", "For ; [x]?; : Continue;"),
        ("for (;; x++) ;", "For ; ; x := (old + 1) was old: {  }"),
        ("for (x = 0; x; ) ;", "For x = 0;; [x]?; : {  }"),
        ("for (x = 0; ; g()) ;", "For x = 0;; ; g(): {  }"),
        ("for (; x; g()) ;", "For ; [x]?; g(): {  }"),
        ("for (int i = 0, j = 1; i < j; i++, j--) g();", None),
        ("for (; x /* ; */ ; g(/* ) */)) { if (';') g(); }", "For ; [x]?; g(): { If 59? g();; }"),
        ("for (; ({ g(); x; });) ;", "For ; ({g(); [x]})?; : {  }"),
        (
            "switch (x) { case 1: case 2: g(); break; default: x = 3; }",
            "Switch [x] { case 1: case 2: g(); Break; Default; x = 3; };",
        ),
        ("switch (u) case -1: g();", "Switch [u] { case 4294967295: g(); };"),
        ("switch (x) { case 'a' ... 'z': ; case 1u << 31: ; }", "Switch [x] { case 97 ... 122: case -2147483648: };"),
        ("switch ((char) x) { case 300: ; }", "Switch (int: (char) [x]) { case 300: };"),
        ("again: if (x) goto again; goto *(&&again);", "again: If [x]? goto again;; goto *&&again;"),
        ("{ __label__ l; l: goto l; } { __label__ l; l: goto l; }", "{ l: goto l; } { l$2: goto l$2; }"),
        ("if (x) l: g(); goto l;", "If [x]? { l: g(); }; goto l;"),
        ("{ { ; } g(); }", "{ {  } g(); }"),
        ("{ return; }", "{ Return; }"),
        ("return g();", "g(); Return;"),
        ("__attribute__((unused)) int z = 1; ;", "int z = 1;"),
        ("switch (x) { case 1: __attribute__((fallthrough)); case 2: ; }", "Switch [x] { case 1: case 2: };"),
        ('asm volatile("" : : : "memory");', ""),
        ('__asm__("nop");', "<inline assembly>;"),
        ('l: __asm__ __volatile__ goto ("nop" : : : : l);', "l: <inline assembly with goto>;"),
        ('__asm__("" : "=r"(x));', "<inline assembly>;"),
        ("int x = 1; { int x = 2; y = x; } y = x;", "int x$1 = 1; { int x$2 = 2; y = [x$2]; } y = [x$1];"),
        ("int g = 1; g++;", "int g$1 = 1; g$1 := (old + 1) was old;"),
        ("int z = z + 1;", "int z = ([z] + 1);"),
        ("struct s { int a; } s, *p = &s;", "struct s s; struct s * p = &s;"),
        ("extern int e; e = 1;", "e = 1;"),
        ("int h(int); h(1);", "h(1);"),
        ('_Static_assert(1, ""); typedef int i; i z;', "int z;"),
    ],
)
def test_meaning(text: str, meaning: str | None) -> None:
    if meaning is None:
        meaning = "For int i = 0; int j = 1;; ([i] < [j])?; (i := (old + 1) was old, j := (old - 1) was old): g();"
    assert sketched(text) == meaning


def test_the_result_is_converted_to_the_type_of_the_function() -> None:
    assert sketch_statement(body("char f(int x) { return x; }")[0]) == "Return (char: [x]);"
    assert sketch_statement(body("int f(int x) { return; }")[0]) == "Return;"


def test_statements_have_their_places() -> None:
    unit = read("int f(int x) {\n  if (x)\n    return 1;\n  return 0;\n}\n")
    (function,) = unit.functions
    assert function.body is not None
    origins = [n.origin for n in nodes_in(function.body) if isinstance(n, t.Statement)]
    assert [(o.file, o.line, o.column) for o in origins] == [
        ("1.c", n, c) for n, c in ((1, 14), (2, 3), (3, 5), (4, 3))
    ]
    assert (function.body.end.line, function.body.end.column) == (5, 1)
    assert (function.origin.line, function.origin.column) == (1, 5)


def test_loops_that_macros_make() -> None:
    macros = """
    #define FOREVER for (;;)
    #define COUNT(i, n) for ((i) = 0; (i) < (n); (i)++)
    #define UNTIL(c) for (; !(c); )
    #define TWICE(c) UNTIL(c) UNTIL(c)
    #define PASS(s) s
    """
    assert sketched("FOREVER g();", macros + DECLARATIONS) == "For ; ; : g();"
    assert sketched("UNTIL(x) g();", macros + DECLARATIONS) == "For ; ![x]??; : g();"
    assert sketched("PASS(for (; x; ) g();)", macros + DECLARATIONS) == "For ; [x]?; : g();"
    assert sketched("COUNT(x, 3) ;", macros + DECLARATIONS).startswith("For x = 0;; ([x] < 3)?; x := ")
    # Both loops of a definition begin with `for`: which is which is not known.
    assert "<for loop without some of its parts" in sketched(
        "DIFFERENT(x) g();", macros + DECLARATIONS + "\n#define DIFFERENT(c) for (; c; ) for (;; c++)\n"
    )


@pytest.mark.parametrize(
    ("text", "present"),
    [
        ("for(;;)", [False, False, False]),
        ("for (a; b; c) {", [True, True, True]),
        ('for ( /* x */ ; f(a;b), ")" ; ) x;', [False, True, False]),
        ("for (int i = (1); // ;\n ; i++)", [True, False, True]),
    ],
)
def test_parts_of_for(text: str, present: list[bool]) -> None:
    assert parts_of_for(text.encode(), 0) == present


def test_static_locals_are_global() -> None:
    unit = read(
        "int f(void) { static int n = 3; static int m; return n++ + m; } int g(void) { static int n; return n; }"
    )
    assert [(g.variable.unique, g.variable.name, g.variable.storage) for g in unit.globals] == [
        ("f.n", "n", t.Storage.STATIC_LOCAL),
        ("f.m", "m", t.Storage.STATIC_LOCAL),
        ("g.n", "n", t.Storage.STATIC_LOCAL),
    ]
    assert [sketch(g.initialiser) if g.initialiser else None for g in unit.globals] == ["3", None, None]


def test_attributes_that_change_what_a_program_does_are_refused() -> None:
    assert error("void c(int *); void f(void) {\n  int x __attribute__((__cleanup__(c)));\n}") == (
        "1.c:2:7: error: attribute 'cleanup' of 'x' is not supported\n"
        "    int x __attribute__((__cleanup__(c)));\n"
        "        ^"
    )
    macro = "#define AUTO __attribute__((cleanup(c)))\nvoid c(int *); void f(void) { AUTO int x; }"
    assert "attribute 'cleanup' of 'x' is not supported" in error(macro)
    assert "'ifunc' of 'late' is not" in error(
        'void *g(void) { return 0; } __attribute__((ifunc("g"))) void late(void);int main(void) { late(); return 0; }'
    )


def test_functions_that_do_not_return() -> None:
    unit = read(
        """#define DEAD __attribute__((__noreturn__))
        _Noreturn void a(void); void b(void) DEAD; __attribute__((noreturn)) void c(void); void d(void);
        void f(void) { a(); b(); c(); d(); }"""
    )
    assert {f.name: f.no_return for f in unit.functions} == {"f": False, "a": True, "b": True, "c": True, "d": False}


def test_statements_nested_thousands_deep() -> None:
    deep = 2000
    for text in (
        " else ".join(f"if (x == {n}) y = {n};" for n in range(deep)),
        "{" * deep + "y = x;" + "}" * deep,
        "switch (x) { " + " ".join(f"case {n}:" for n in range(deep)) + " y = x; }",
    ):
        (statement,) = body(f"int x, y; void f(void) {{ {text} }}")
        counted = sum(isinstance(n, t.If | t.Block | t.Case) for n in nodes_in(statement))
        assert counted >= deep
