"""CBMC's implications and quantifiers: verdicts, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.driver import pipeline
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.result import Verdict

HEAD = """
extern int nondet_int(void);
void *malloc(unsigned long);
#define SIZE 6
#define ALL(i, P) __CPROVER_forall { int i; 0 <= i && i < SIZE ==> (P) }
static int a[SIZE], called;
static int f(int x) { called++; return x; }
"""
# A condition that always holds and one that may fail; a[i] is i, and x is arbitrary.
CASES = [
    ("0 ==> 0 ==> 0", "(0 ==> 0) ==> 0"),
    ("(x > 3 ==> x > 2) == 1", "x > 2 ==> x > 3"),
    ("0 || 1 ==> 1", "1 ==> 0 || 0"),
    ("(1 ==> 5) == 1", "(1 ==> 5) == 5"),
    ("(0 ==> f(1), called == 0)", "(x ==> f(1), called == 0)"),
    ("ALL(i, a[i] == i)", "ALL(i, a[i] < 5)"),
    (
        "__CPROVER_exists { int i; 0 <= i && i < 6 && a[i] == 4 }",
        "__CPROVER_exists { int i; 0 < i && i < 6 && !a[i] }",
    ),
    (
        "__CPROVER_forall { int i; i < 0 || i >= 6 || a[i] == i }",
        "__CPROVER_forall { int i; i < 0 || i > 3 || i - x }",
    ),
    ("__CPROVER_forall { int i; !(0 <= i && SIZE > i) || a[i] >= 0 }", "__CPROVER_exists { int i; i == 3 && i != 3 }"),
    ("ALL(i, ALL(j, i <= j ==> a[i] <= a[j]))", "ALL(i, ALL(j, i <= j ==> a[i] < a[j]))"),
    (
        "ALL(i, __CPROVER_forall { int j; i <= j && j < SIZE - 1 ==> a[j + 1] > a[i] })",
        "ALL(i, __CPROVER_exists { int j; i < j && j < SIZE && a[j] > a[i] })",
    ),
    (
        "__CPROVER_forall { int i; i < sizeof a / sizeof a[0] ==> a[i] == i }",
        "__CPROVER_forall { int i; i < sizeof a / sizeof a[0] ==> a[i] != 5 }",
    ),
    ("__CPROVER_exists { unsigned char c; c == 200 }", "__CPROVER_forall { unsigned char c; c < 255 }"),
    ("__CPROVER_exists { signed char c; c == -100 }", "__CPROVER_exists { signed char c; c == 200 }"),
    ("__CPROVER_forall { _Bool b; b == 0 || b == 1 }", "__CPROVER_forall { _Bool b; b }"),
    (
        "__CPROVER_forall { int i; -3 <= i && i <= -1 ==> i < 0 }",
        "__CPROVER_forall { int i; -3 <= i && i <= 0 ==> i < 0 }",
    ),
    ("__CPROVER_forall { unsigned i; i < 4u ==> p[i] == i }", "__CPROVER_forall { unsigned i; i <= 4u ==> p[i] == i }"),
    ("__CPROVER_forall { int i; i > 5 && i < 3 ==> 0 }", "__CPROVER_exists { int i; i > 5 && i < 3 }"),
]


def check(condition: str, tmp_path: Path, *checks: str) -> Verdict:
    path = tmp_path / "a.c"
    path.write_text(
        HEAD + "int main(void) {\n  int x = nondet_int(), *p = malloc(20);\n"
        "  for (int i = 0; i < SIZE; i++) a[i] = i;\n"
        "  __CPROVER_assume(__CPROVER_forall { int k; 0 <= k && k < 4 ==> p[k] == k });\n"
        f'  __CPROVER_assert({condition}, "");\n}}\n'
    )
    return pipeline.check_files([str(path)], Options.of(checks=checks or ("assert",))).verdict


@pytest.mark.parametrize(("holds", "fails"), CASES, ids=[holds[:60] for holds, _ in CASES])
def test_verdicts(holds: str, fails: str, tmp_path: Path) -> None:
    assert check(holds, tmp_path) is Verdict.PROVED
    assert check(fails, tmp_path) is Verdict.BUG


@pytest.mark.parametrize(
    "condition",
    [
        "__CPROVER_forall { int i; a[i] == i }",
        "__CPROVER_forall { int i; 0 <= i && i < x ==> a[i] == i }",
        "__CPROVER_exists { int i; 0 <= i && a[i] == i }",
        "__CPROVER_forall { int i; 0 <= i || i < 10 ==> a[i] == i }",
        "__CPROVER_exists { int i; 0 <= i && i < 10 && f(i) }",
        "__CPROVER_forall { int i; 0 <= i && i < 10 ==> (a[i] = 1) }",
        "__CPROVER_forall { float y; y == y }",
        "__CPROVER_forall { unsigned i; (unsigned char)i < 4 ==> a[i] == i }",
        "__CPROVER_forall { int i; int j; i == j }",
        "__CPROVER_exists { x == 1 }",
    ],
)
def test_what_has_no_bounds_or_does_something_is_refused(condition: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        check(condition, tmp_path)
    first = caught.value.diagnostics[0]
    assert first.origin.line == 12 and ("not supported" in first.message or "quantifier" in first.message)


def test_what_a_quantifier_reads_is_checked(tmp_path: Path) -> None:
    assert check("ALL(i, a[i] == i)", tmp_path, "assert", "bounds", "pointer") is Verdict.PROVED
    assert check("ALL(i, a[i + 1] || 1)", tmp_path, "bounds") is Verdict.BUG
