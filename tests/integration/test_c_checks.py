"""The checks of C programs: each finds what it is about, and nothing where there is nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.driver import pipeline
from paddock.options import Options
from paddock.report.result import Result, Verdict

HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int nondet_int(void);
extern unsigned nondet_uint(void);
extern long nondet_long(void);
extern double nondet_double(void);
struct pair { int first; int rest[3]; };
static int global;
static int *leaked(void) { int local = 1; return &local; }
static int read(const int *p) { return *p; }
static int *last;
static int deeper(int n) { int *p = &n; return n > 0 ? deeper(n - 1) + *p : *p; }
static int *outer(int n) { return n > 0 ? outer(n - 1) : (last = &n); }
static void kept(int how) { int local = 1; if (how != 1) last = &local; local = *last; }
"""

# A check, what a program does that it must find, and nearly the same that is fine.
CASES = [
    ("bounds", "int a[4]; a[nondet_int() & 7] = 1;", "int a[4]; a[nondet_int() & 3] = 1;"),
    ("bounds", "int a[2][3]; a[1][nondet_uint() % 4] = 1;", "int a[2][3]; a[1][nondet_uint() % 3] = 1;"),
    ("bounds", "int *p = malloc(8); p[2] = 1;", "int *p = malloc(8); p[1] = 1;"),
    ("bounds", "int a[3], *p = a; p += 3; read(p);", "int a[3], *p = a; p += 3; read(p - 1);"),
    ("bounds", "int a[3], *p = a; read(p - 1);", "int a[3], *p = a + 1; read(p - 1);"),
    ("bounds", "struct pair s; s.rest[nondet_int() & 3] = 1;", "struct pair s; s.rest[2] = 1;"),
    (
        "bounds",
        "struct pair *s = malloc(sizeof *s); int *p = s->rest; p[3] = 1;",
        "struct pair *s = malloc(sizeof *s); int *p = s->rest; p[-1] = 1;",
    ),
    ("bounds", "int n = 3, a[n]; a[n] = 1;", "int n = 3, a[n]; a[n - 1] = 1;"),
    ("bounds", "char c[4]; memset(c, 0, 5);", "char c[4]; memset(c, 0, 4);"),
    ("bounds", 'char c[4]; strcpy(c, "four");', 'char c[5]; strcpy(c, "four");'),
    ("pointer", "int *p = 0; if (nondet_int()) p = &global; *p = 1;", "int *p = &global; *p = 1;"),
    ("pointer", "struct pair *s = 0; s->rest[1] = 1;", "struct pair t, *s = &t; s->rest[1] = 1;"),
    ("pointer", "int *p = (int *)4; *p = 1;", "int *p = (int *)4; p = &global; *p = 1;"),
    ("pointer", "int *p = malloc(4); free(p); *p = 1;", "int *p = malloc(4); *p = 1; free(p);"),
    ("pointer", "int *p = malloc(4); free(p); free(p);", "int *p = malloc(4); free(p); free(0);"),
    ("pointer", "int *p = malloc(8); free(p + 1);", "int *p = malloc(8); p++; free(p - 1);"),
    ("pointer", "free(&global);", "free(malloc(0));"),
    ("pointer", "*leaked() = 1;", "leaked();"),
    ("pointer", "int *p; { int x; p = &x; } *p = 1;", "int *p; { int x; p = &x; *p = 1; }"),
    # A new object of the same declaration is not the old one.
    (
        "pointer",
        "int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (p) read(p); p = &x; }",
        "int *p = 0; for (int i = 0; i < 2; i++) { int x = i; p = &x; read(p); }",
    ),
    ("pointer", "kept(0); kept(1);", "kept(0); kept(2);"),
    # Parameters are objects, too: in recursion each activation has its own.
    ("pointer", "outer(2); read(last);", "deeper(2);"),
    ("pointer", "int *p = (int *)nondet_long(); read(p);", "int *p = (int *)(long)&global; read(p);"),
    # What is read and dropped is read all the same; `&*p` and `sizeof *p` read nothing.
    ("pointer", "volatile int *p = 0; *p;", "volatile int *p = 0; &*p;"),
    ("pointer", "int *p = 0; (void)*p;", "int *p = 0; (void)p; sizeof *p;"),
    ("pointer", "struct pair *s = 0; s->first;", "struct pair *s = 0; &s->first;"),
    ("pointer", "struct pair *s = 0; *s;", "struct pair *s = 0; s->rest;"),
    ("pointer", "int *p = 0; global = (*p, 1);", "int *p = 0; p && *p;"),
    ("pointer", 'int *p = 0; printf("%d", *p);', 'int *p = 0; printf("%p", p);'),
    ("pointer", "int *p = 0; nondet_int() ? *p : 0;", "int *p = 0; p ? *p : 0;"),
    ("bounds", "int a[4]; a[nondet_int() & 7];", "int a[4]; a[nondet_int() & 3]; &a[4];"),
    # Jumps end objects, and let others begin.
    (
        "pointer",
        "int *p; { int x; p = &x; goto out; } out: *p = 1;",
        "int *p; { int x; p = &x; goto out; out: *p = 1; }",
    ),
    (
        "pointer",
        "int *p; switch (1) { int d; case 1: p = &d; break; } *p = 1;",
        "int *p; switch (1) { int d; case 1: p = &d; *p = 1; break; }",
    ),
    (
        "pointer",
        "int *p = 0, n = 1; again:; int a[n]; if (n > 1) *p = 1; p = a; if (n++ < 2) goto again;",
        "int *p = 0, n = 1; again:; int a[2]; if (n > 1) *p = 1; p = a; if (n++ < 2) goto again;",
    ),
    (
        "pointer",
        "int *p = 0, i = 0; goto in; while (i < 2) { int x; if (p) *p = 1; in: p = &x; i++; }",
        "int *p = 0, i = 0; goto in; while (i < 2) { int x; in: p = &x; *p = 1; i++; }",
    ),
    ("pointer", "int (*f)(const int *) = 0; f(&global);", "int (*f)(const int *) = read; f(&global);"),
    ("overflow", "int x = nondet_int(); x++;", "int x = nondet_int(); if (x < 2147483647) x++;"),
    ("overflow", "int x = nondet_int(); x = -x;", "unsigned x = nondet_uint(); x = -x;"),
    ("overflow", "int x = nondet_int(); x = x * 2;", "short x = nondet_int(); x = x * 2;"),
    ("overflow", "int x = nondet_int(); x = x / -1;", "int x = nondet_int() & 1; x = x / -1;"),
    ("overflow", "int x = nondet_int() & 31; x = 1 << x;", "int x = nondet_int() & 15; x = 1 << x;"),
    ("unsigned-overflow", "unsigned x = nondet_uint(); x--;", "unsigned x = nondet_uint(); if (x) x--;"),
    ("conversion", "int x = nondet_int(); char c = x;", "int x = nondet_int() & 127; char c = x;"),
    ("conversion", "int x = nondet_int(); unsigned u = x;", "int x = nondet_int() & 1; unsigned u = x;"),
    ("conversion", "double d = nondet_double(); int x = d;", "double d = 2147483647.5; int x = d;"),
    ("div-by-zero", "global = 1 / nondet_int();", "int x = nondet_int(); if (x) global = 1 / x;"),
    ("div-by-zero", "global = 1 % (nondet_int() & 1);", "global = 1.0 / 0.0 > 1;"),
    ("shift", "global = 1u << (nondet_int() & 32);", "global = 1u << (nondet_int() & 31);"),
    ("shift", "global = 1 >> nondet_int();", "global = -1 >> (nondet_int() & 1);"),
    ("shift", "global = (nondet_int() | -8) << 1;", "global = (nondet_int() & 7) << 1;"),
    ("leak", "malloc(1);", "free(malloc(1));"),
    ("leak", "void *p = malloc(1); if (nondet_int()) exit(0); free(p);", "void *p = malloc(1); free(p); exit(0);"),
]


def checked(body: str, checks: str, folder: Path, **options: object) -> Result:
    file = folder / "program.c"
    file.write_text(f"{HEAD}int main(void) {{\n{body}\nreturn 0; }}\n")
    return pipeline.check_files([str(file)], Options.of(checks=(checks,), timeout=600, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("model", ["lp64", pytest.param("ilp32", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("kind", "bad", "good"), CASES, ids=[f"{n}-{kind}" for n, (kind, _, _) in enumerate(CASES)])
def test_a_check_finds_what_it_is_about(kind: str, bad: str, good: str, model: str, tmp_path: Path) -> None:
    result = checked(bad, kind, tmp_path, data_model=model)
    assert result.verdict is Verdict.BUG, result.reason
    (failed,) = [a for a in result.assertions if a.verdict is Verdict.BUG]
    assert failed.kind == kind
    if kind != "leak":
        assert failed.line > HEAD.count("\n") or failed.procedure in ("read", "kept", "strcpy")
    assert checked(good, kind, tmp_path, data_model=model).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("text", "is_null"),
    [
        ("int *p = 0; *p = 1;", True),
        ("struct pair *s = 0; s->rest[1] = 1;", True),
        ("int *p = 0; read(&p[3]);", False),
        ("int *p = (int *)4; *p = 1;", False),
        ("struct pair *s = (struct pair *)8; s->first = 1;", False),
    ],
)
def test_a_pointer_is_called_null_only_if_it_is(text: str, is_null: bool, tmp_path: Path) -> None:
    result = checked(text, "pointer", tmp_path)
    assert result.trace[-1].text.startswith("null pointer" if is_null else "dangling pointer")


def test_what_is_not_asked_for_is_not_checked(tmp_path: Path) -> None:
    all_of_them = "\n".join(f"if (nondet_int()) {{ {bad} }}" for _, bad, _ in CASES)
    assert checked(all_of_them, "assert", tmp_path).verdict is Verdict.PROVED


ABOUT_NUMBERS = [case for case in CASES if case[0] not in ("bounds", "pointer", "leak")]


@pytest.mark.parametrize(
    ("kind", "bad", "good"),
    [pytest.param(*case, marks=pytest.mark.slow if n % 3 else ()) for n, case in enumerate(ABOUT_NUMBERS)],
)
def test_checks_of_numbers_with_integers_of_mathematics(kind: str, bad: str, good: str, tmp_path: Path) -> None:
    assert checked(bad, kind, tmp_path, integers="math").verdict is Verdict.BUG
    assert checked(good, kind, tmp_path, integers="math").verdict is Verdict.PROVED


@pytest.mark.parametrize("update", ["x++", "--x", "x += y", "a[y] -= 2 * y", "x <<= y"])
def test_an_update_is_shown_as_it_is_written(update: str, tmp_path: Path) -> None:
    body = f"int x = nondet_int(), y = nondet_int() & 1, a[2] = {{x, x}}; {update};"
    result = checked(body, "overflow", tmp_path)
    assert [a.text for a in result.assertions if a.verdict is Verdict.BUG] == [f"overflow in {update}"]


def test_errors_are_told_from_assertions(tmp_path: Path) -> None:
    body = (
        "extern void reach_error(void); extern void __VERIFIER_assert(int); __VERIFIER_assert(!global); reach_error();"
    )
    result = checked(body, "unreach", tmp_path)
    assert [a.kind for a in result.assertions if a.verdict is Verdict.BUG] == ["unreach"]
    result = checked(body.replace("!", ""), "unreach", tmp_path)
    assert result.verdict is Verdict.PROVED, "an assertion that is not checked ends the execution"
    assert checked(body.replace("!", ""), "assert", tmp_path).verdict is Verdict.BUG
