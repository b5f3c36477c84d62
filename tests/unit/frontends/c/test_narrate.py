"""A run of a C program as a report has it: types, values before and after, the call stack, what was chosen."""

from __future__ import annotations

import pytest

import paddock

PROGRAM = """\
#include <assert.h>
#include <stdlib.h>
int getchar(void);
int __VERIFIER_nondet_int(void);
unsigned char outside(int);
struct pair { int first; _Bool second; } pair;
int a[3];
enum colour { RED, GREEN } colour = GREEN;
int next(int n) { int r = n; r = r + 1; return r; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int *p = malloc(4);
  if (!p) return 0;
  unsigned char c = outside(3);
  if (x != -5 || c != 200) return 1;
  a[1] = 4;
  a[1] = x;
  pair.second = 1;
  colour = RED;
  x = next(x);
  assert(x != -4 || getchar() != 'A');
}
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> paddock.Counterexample:
    file = tmp_path_factory.mktemp("c") / "a.c"
    file.write_text(PROGRAM)
    options = paddock.Options.of(timeout=600, malloc_may_fail=True)
    result = paddock.check(paddock.load(file, options=options), options)
    assert result.verdict is paddock.Verdict.BUG
    assert result.counterexample is not None
    return result.counterexample


def test_values_are_typed_and_known_before_they_change(found: paddock.Counterexample) -> None:
    changed = {}
    for step in found.steps:
        for name, value in step.values.items():
            if name in step.before:
                changed.setdefault(name, []).append((value.type, step.before[name].data, value.data, step.line))
    assert changed["a[1]"] == [("int", 0, 4, 16), ("int", 4, -5, 17)]
    assert changed["pair.second"] == [("_Bool", False, True, 18)]
    assert changed["r"] == [("int", -5, -4, 9)]
    assert changed["x"] == [("int", -5, -4, 20)]
    ((type_, before, after, _),) = changed["colour"]
    assert (type_, before, after) == ("enum colour", 1, 0)


def test_the_call_stack(found: paddock.Counterexample) -> None:
    inner = next(step for step in found.steps if step.procedure == "next")
    assert [(a.procedure, a.line) for a in found.stack(inner)] == [("main", 0), ("next", 20)]
    assert [a.procedure for a in found.stack(found.steps[-1])] == ["main"]


def test_choices(found: paddock.Counterexample) -> None:
    chosen = {(c.kind, c.name): (c.value.type, c.value.data, c.line) for c in found.choices}
    assert chosen["result", "__VERIFIER_nondet_int()"] == ("int", -5, 11)
    assert chosen["input", "getchar()"] == ("int", 65, 21)
    assert chosen["allocation", "malloc()"] == ("_Bool", False, 12)
    assert chosen["result", "outside()"] == ("unsigned char", 200, 14)
