"""What a function without a body does not change: literals, `const` objects, objects whose address it cannot know.

Each case is a function with a variable or a literal in the same class of memory as one that `missing` does change.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.cli.arguments import build_parser, options_in
from paddock.driver import pipeline

HEAD = """
#include <assert.h>
#include <string.h>
typedef int row[2];
typedef const int fixed;
struct pair { int *first, *second; };
struct number { int value; };
int nondet_int(void);
void missing(const void *p);
void other(int *p);
void missing_pair(struct pair p);
void missing_number(unsigned long n);
void missing_variadic(int n, ...);
int *result(void);
int *known;
const row table = {1, 2};
fixed single = 7;
const volatile int timer = 1;
const struct number record = {3};
static int *hidden;
static int global;
static void clear(int *q) { *q = 0; }
static void clear_first(int *q, int n) { if (n > 1) { clear(q + 1 - 1); } }
static void pass_on(int *q) { missing(q); }
static int *same(int *q) { return q; }
"""

# `x` is handed out, and `p` points to `x` or to `y`: what makes `y` known outside, and what does not.
KNOWN = {
    "argument": "missing(&y);",
    "pointer": "int *q = &y; missing(q);",
    "parameter": "pass_on(&y);",
    "returned": "missing(same(&y));",
    "either": "missing(p);",
    "assigned": "int *q; missing(q = &y);",
    "moved": "int *q = &y; q++; q--; missing(q);",
    "comma": "missing((x++, &y));",
    "statements": "missing(({ x++; &y; }));",
    "conditional": "missing(x ? &x : &y);",
    "memset": "missing(memset(&y, 0, sizeof y));",
    "in_memory": "int *q = &y, **r = &q; missing(r);",
    "copied": "int *q = &y, *r; memcpy(&r, &q, sizeof r); missing(r);",
    "struct": "struct pair pair = {&x, &y}; missing_pair(pair);",
    "member": "struct pair pair; pair.second = &y; missing_pair(pair);",
    "literal": "missing_pair((struct pair){&x, &y});",
    "array": "int *q[2] = {&x, &y}; missing(q);",
    "global": "known = &y;",
    "number": "missing_number((unsigned long)&y);",
    "variadic": "missing_variadic(1, &y);",
    "compared": "int *q = result(); if (q == &y) { missing(q); }",
    "pointer_to_function": "void (*f)(int *) = x ? other : pass_on; f(&y);",
    "static_pointer": "hidden = &y; missing(hidden);",
}
INSIDE = {
    "read": "*p = 0;",
    "null": "if (!p || p == 0) { return; }",
    "helper": "clear(&y);",
    "helpers": "clear_first(&y, x);",
    "filled": "memset(&y, 0, sizeof y);",
    "walked": "int *q = &y; q += 1; q -= 1; *q = 0;",
    "kept": "static int *q; q = &y; *q = 0;",
    "copied": "int z = 0; memcpy(&y, &z, sizeof y);",
}
# What is asserted of an object that cannot be changed, and how it is handed out: a mixed class, or one of its own.
UNCHANGED = {
    "literal": ('const char *s = "abc"; missing(s);', "s[0] == 'a'"),
    "mixed_literal": ('char b[] = "xyz"; const char *s = x ? "abc" : b; missing(s);', "s == b || s[2] == 'c'"),
    "wide": ('const int *s = x ? L"abc" : p; missing(s);', "s == p || s[2] == L'c'"),
    "table": ("const int *s = x ? table : p; missing(s);", "table[0] == 1 && table[1] == 2"),
    "typedef": ("const int *s = x ? &single : p; missing(s);", "single == 7"),
    "struct": ("missing(&record);", "record.value == 3"),
    "local": ("const int c[2] = {x, 5}, *s = x ? c : p; missing(s);", "c[0] == 0 && c[1] == 5"),
}
CHANGED = {
    "mixed_buffer": ('char b[] = "xyz"; const char *s = x ? "abc" : b; missing(s);', "b[0] == 'x'"),
    "volatile": ("const int *s = x ? (const int *)&timer : p; missing(s);", "timer == 1"),
    "behind_const": ("int z = 0; int *const c = &z; missing(&c);", "z == 0"),
    "const_parameter": ("int z[2] = {0, 0}; const int *s = z; missing(s);", "z[1] == 0"),
}


def function(name: str, body: str, condition: str) -> str:
    start = "int x = 0, y = 0; int *p = nondet_int() ? &x : &y;"
    return f"void {name}(void) {{\n  {start}\n  {body}\n  missing(&x);\n  assert({condition});\n}}\n"


def verdicts(tmp_path: Path, cases: dict[str, tuple[str, str]]) -> dict[str, str]:
    """What becomes of the assertion of each case, by name."""
    path = tmp_path / "spared.c"
    calls = "".join(f"  if (nondet_int()) {name}_();\n" for name in cases)
    bodies = "".join(function(f"{name}_", *case) for name, case in cases.items())
    path.write_text(f"{HEAD}{bodies}int main(void) {{\n{calls}  return 0;\n}}\n", encoding="utf-8")
    parser, _ = build_parser(["check"])
    arguments = parser.parse_args(["check", "--all-assertions", "--independent", "--timeout", "600", str(path)])
    found = pipeline.check_files([str(path)], options_in(arguments))
    by_line = {a.line: a.verdict for a in found.assertions}
    lines = path.read_text(encoding="utf-8").splitlines()
    starts = {name: lines.index(f"void {name}_(void) {{") + 5 for name in cases}
    return {name: by_line[line] for name, line in starts.items()}


@pytest.mark.parametrize(
    ("body", "condition"),
    [*((body, "y == 0") for body in KNOWN.values()), *CHANGED.values()],
    ids=[*(f"known-{name}" for name in KNOWN), *(f"changed-{name}" for name in CHANGED)],
)
def test_what_may_be_changed(tmp_path: Path, body: str, condition: str) -> None:
    assert verdicts(tmp_path, {"case": (body, condition)}) == {"case": "bug"}


def test_what_stays(tmp_path: Path) -> None:
    cases = {f"inside_{name}": (body, "y == 0") for name, body in INSIDE.items()} | UNCHANGED
    assert verdicts(tmp_path, cases) == dict.fromkeys(cases, "proved")
