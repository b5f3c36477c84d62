"""Proofs for any number of iterations with invariants among candidates: what is proved, and that nothing wrong is."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.driver.pipeline import check_files
from paddock.options import Options
from paddock.report.result import Result, Verdict

SAFE = {
    "low bits": "unsigned x = 5; while (input()) x += 8; assert((x & 5) == 5);",
    "together": "unsigned n = input(), x = n, y = 0; while (x > 0) { x--; y++; } assert(y == n);",
    "twice": "int n = input(), s = 0, i; if (n > 900 || n < 0) return 0; for (i = 0; i < n; i++) s += 2;"
    " assert(s == 2 * n);",
    "range": "unsigned x = 0; while (x < 0x0fffffff) x++; assert(x % 2);",
    "under a condition": "unsigned x = 0, y = input(); while (x < 99) if (y % 2 == 0) x += 2; else x++;"
    " assert(x % 2 == y % 2);",
    "states": "int state = 10, seen = 0; while (input()) {"
    " if (state == 10) { if (seen == 0) seen = 1; state = input() ? 10 : 20; }"
    " else if (state == 20) { if (seen == 1) seen = 2; state = 30; }"
    " else if (state == 30) { assert(seen == 2); state = 30; } }",
    "elements": "int a[9000], i, n = input(); for (i = 0; i < 9000; i++) a[i] = n;"
    " for (i = 0; i < 9000; i++) assert(a[i] == n);",
}
WRONG = {
    "low bits": "unsigned x = 5; while (input()) x += 8; assert(x != 5 + 8 * 100);",
    "range": "unsigned n = input(), x = n; while (x < 0x0fffffff) x++; assert(n > 7 || x % 2 == 0);",
    "states": "int state = 10, n = 0; while (input()) { if (state == 10) state = 20; else if (state == 20)"
    " { n++; state = 10; } assert(n != 50); }",
    "elements": "int a[9000], i; for (i = 0; i < 9000; i++) a[i] = i == 8000 ? 41 : 42;"
    " for (i = 0; i < 9000; i++) assert(a[i] == 42);",
    "overflow": "unsigned n = input(), s = 0, i; for (i = 0; i < n; i++) s += 2; assert(s >= i);",
}


def checked(tmp_path: Path, body: str) -> Result:
    file = tmp_path / "program.c"
    file.write_text(f"#include <assert.h>\nint input(void);\nint main(void) {{ {body} return 0; }}\n")
    return check_files([str(file)], Options.of(unwind=3, checks=("assert",)))


@pytest.mark.parametrize("name", SAFE)
def test_safe_programs_are_proved(tmp_path: Path, name: str) -> None:
    result = checked(tmp_path, SAFE[name])
    assert (result.verdict, result.reason) == (Verdict.PROVED, "by induction over 1 iteration of loops")
    assert result.stats["queries"]


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_are_not_proved(tmp_path: Path, name: str) -> None:
    assert checked(tmp_path, WRONG[name]).verdict in (Verdict.BOUNDED, Verdict.BUG)


def test_loops_that_end_by_themselves_do_where_the_bound_cut_them_off(tmp_path: Path) -> None:
    sums = "int n = input(), s = 0, i; for (i = 0; i < 40; i++) s += n & 1;"
    assert checked(tmp_path, f"{sums} assert(s == 0 || s == 40);").verdict is Verdict.PROVED
    found = checked(tmp_path, f"{sums} assert(s != 40);")
    assert found.verdict is Verdict.BUG
    assert found.counterexample is not None


@pytest.mark.slow
def test_the_only_execution_is_run_to_its_end(tmp_path: Path) -> None:
    counts = "int i, s = 0; for (i = 0; i < 12000; i++) s = (s * 7 + i) % 1000;"
    assert checked(tmp_path, f"{counts} assert(s < 0);").verdict is Verdict.BUG


def test_a_bug_behind_a_million_iterations_is_found(tmp_path: Path) -> None:
    counts = "unsigned x = 0, y = 0; while (x < 1000000) { if (x < 500000) y++; else y--; x++; }"
    found = checked(tmp_path, f"{counts} assert(y != 0);")
    assert found.verdict is Verdict.BUG
    assert found.counterexample is not None
    (many,) = [step for step in found.counterexample.steps if step.kind == "iterations"]
    assert many.text == "… 999,993 more iterations"
