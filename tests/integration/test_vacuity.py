"""`--vacuity`: what holds for want of executions is said to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paddock.cli.main import main

BOOGIE = """\
var g: int;
procedure main(x: int) modifies g; {
  assume x > 3;
  if (x < 2) { assert x == 100; }
  assert x > 2;
  while (g < x) { g := g + 1; assert g <= x; }
}
"""
C_PROGRAM = """\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void mine(int c) { assert(c); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 5);
  if (x == 2)
    mine(x > 9);
  mine(x > 4);
  if (x < 0)
    assert(x == 3);
  return 0;
}
"""


def warned(text: str, name: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[int]:
    """The lines that warnings are about; 0 for one that is about all."""
    (folder / name).write_text(text)
    arguments = ["check", str(folder / name), "--vacuity", *options, "--format", "json"]
    main(arguments)
    said = json.loads(capsys.readouterr().out)
    assert all("no execution reaches" in warning for warning in said["warnings"]), said["warnings"]
    return [int(w.split(":")[1]) if w.startswith(str(folder)) else 0 for w in said["warnings"]]


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--all-assertions",),
        ("--all-assertions", "--independent"),
        ("--all-assertions", "--implications", "--tune", "threshold=5"),
        ("--engine", "stratified"),
        ("--engine", "alternating"),
        ("--no-deep-asserts", "--no-facts"),
    ],
    ids=" ".join,
)
def test_boogie(options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert warned(BOOGIE, "a.bpl", tmp_path, capsys, *options) == [4]


def test_calls_of_functions_that_assert_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert warned(C_PROGRAM, "a.c", tmp_path, capsys) == [9, 12]


def test_contradictions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing = BOOGIE.replace("x > 3", "x > 3 && x < 3")
    assert warned(nothing, "a.bpl", tmp_path, capsys) == [4, 5, 6, 0]
    axioms = "const c: int; axiom c > 1; axiom c < 1;\nprocedure main() {\n  assert c == 5;\n}\n"
    assert warned(axioms, "b.bpl", tmp_path, capsys) == [3, 0]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "const c: int; axiom c > 1; axiom c < 1; procedure main() { assert c == 5; }",
            "the axioms contradict each other",
        ),
        ("procedure main(x: int) requires x > 1; requires x < 1; { assert x == 5; }", "no input is what main requires"),
        ("procedure main(x: int) { assume x > 1 && x < 1; assert x == 5; }", "do assumptions contradict each other?"),
    ],
)
def test_why_nothing_is_reached(text: str, cause: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.bpl").write_text(text)
    main(["check", str(tmp_path / "a.bpl"), "--vacuity"])
    assert f"warning: no execution reaches any assertion: {cause}\n" in capsys.readouterr().out


def test_bugs_and_what_is_beyond_a_bound_are_no_reason_to_warn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert warned(BOOGIE.replace("assert x > 2", "assert x > 9"), "a.bpl", tmp_path, capsys) == []
    late = (
        "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; }\n if (i == 50) { assert n >= 0; } }"
    )
    assert warned(late, "b.bpl", tmp_path, capsys, "--recursion-bound", "3", "--no-facts") == []
    assert warned(late, "b.bpl", tmp_path, capsys, "--unwind", "2", "--unwinding-assertions") == []


def test_an_assertion_of_the_macro_is_reached_where_it_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    holds = C_PROGRAM.replace("assert(x == 3);", "assert(x < 9);\n  assert(x > 1);")
    assert warned(holds, "a.c", tmp_path, capsys) == [9, 12]


def test_not_with_a_witness(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(C_PROGRAM)
    assert main(["check", str(tmp_path / "a.c"), "--vacuity", "--witness", "w.yml"]) == 2
