"""`--cover`: inputs that reach each branch, line or assertion, and what is said of those that nothing reaches."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from paddock.cli.main import main

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schema" / "check.json").read_text())

C_PROGRAM = """\
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int sign(int x) {
  if (x < 0)
    return -1;
  return x > 0;
}
void never(void) { assert(0); }
int main(void) {
  int x = __VERIFIER_nondet_int(), n = 0;
  while (n < 2)
    n++;
  switch (sign(x)) {
  case 1:
    assert(x != 7);
    if (x == 7)
      n = 5;
    break;
  case 2:
    n = 3;
  }
  if (0)
    n = 4;
  return n;
}
"""
BOOGIE = """\
procedure main(x: int) returns (y: int)
  ensures y >= 0;
{
  y := x;
  if (x < 0) {
    call y := P(x);
  }
  assert y >= 0;
  if (y < 0) { goto a, b; }
  return;
a: assert false;
b: y := 0;
}
procedure P(x: int) returns (y: int)
  requires x < 5;
{
  y := -x;
}
"""
LOOP = """\
int main(void) {
  unsigned n = 0;
  while (n != 77) n++;
  if (n == 77) n = 1;
  return 0;
}
"""


def covered(
    text: str, name: str, criterion: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> dict[str, Any]:
    (folder / name).write_text(text)
    main(["check", str(folder / name), "--cover", criterion, *options, "--format", "json"])
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(said, SCHEMA)
    assert said["cover"] == criterion and not said["assertions"]
    for goal in said["goals"]:  # each that is reached has a run that ends there
        assert (goal["status"] == "reached") == bool(goal["trace"])
        assert not goal["trace"] or goal["trace"][-1]["kind"] == "fail"
    return said


def statuses(said: dict[str, Any]) -> list[tuple[int, str, str]]:
    return [(g["line"], g["text"], g["status"]) for g in sorted(said["goals"], key=lambda g: (g["line"], g["column"]))]


def test_branches_of_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = covered(C_PROGRAM, "a.c", "branch", tmp_path, capsys)
    assert said["verdict"] == "proved"
    assert statuses(said) == [
        (3, "sign is entered", "reached"),
        (4, "x < 0", "reached"),
        (4, "x >= 0", "reached"),
        (9, "main is entered", "reached"),
        (11, "n < 2", "reached"),
        (11, "n >= 2", "reached"),
        (13, "sign(x) is no other case", "reached"),
        (14, "sign(x) == 1", "reached"),
        (16, "x == 7", "unreachable"),
        (16, "x != 7", "reached"),
        (19, "sign(x) == 2", "unreachable"),
        (22, "!(0)", "reached"),
        (22, "0", "unreachable"),
    ]


def test_lines_of_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = covered(C_PROGRAM, "a.c", "line", tmp_path, capsys)
    lines = {line: status for line, _, status in statuses(said)}
    assert {line for line, status in lines.items() if status == "unreachable"} == {17, 20, 23}
    assert {line for line, status in lines.items() if status == "reached"} == {
        4,
        5,
        6,
        10,
        11,
        12,
        13,
        15,
        16,
        18,
        22,
        24,
    }
    assert next(g["text"] for g in said["goals"] if g["line"] == 12) == "n++;"


def test_assertions_of_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = covered(C_PROGRAM, "a.c", "assertion", tmp_path, capsys, "--checks", "assert,overflow")
    assert (15, "x != 7", "reached") in statuses(said)
    main(["check", str(tmp_path / "a.c"), "--all-assertions", "--checks", "assert,overflow", "--format", "json"])
    assertions = json.loads(capsys.readouterr().out)["assertions"]
    assert {g["id"] for g in said["goals"]} == {a["id"] for a in assertions}


@pytest.mark.parametrize("engine", ["dag", "stratified", "symbolic", "alternating"])
def test_boogie(engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = covered(BOOGIE, "a.bpl", "branch", tmp_path, capsys, "--engine", engine)
    assert statuses(said) == [
        (1, "main is entered", "reached"),
        (5, "x < 0", "reached"),
        (5, "!(x < 0)", "reached"),
        (9, "y < 0", "unreachable"),
        (9, "!(y < 0)", "reached"),
        (11, "goto a", "unreachable"),
        (12, "goto b", "unreachable"),
        (14, "P is entered", "reached"),
    ]
    said = covered(BOOGIE, "a.bpl", "assertion", tmp_path, capsys, "--engine", engine)
    assert [(line, status) for line, _, status in statuses(said)] == [
        (2, "reached"),
        (6, "reached"),
        (8, "reached"),
        (11, "unreachable"),
    ]


def test_a_bound_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--unwind", "3", "--strategy", "single", "--engine", "symbolic")
    said = covered(LOOP, "a.c", "branch", tmp_path, capsys, *options)
    assert said["verdict"] == "bounded"
    assert [g["status"] for g in said["goals"] if g["line"] == 4] == ["not reached"] * 2
    assert main(["check", str(tmp_path / "a.c"), "--cover", "branch", *options]) == 0
    assert "2 of 5 branches are reached (40.0 %), 3 not within --unwind 3" in capsys.readouterr().out


def test_a_report_can_be_shown_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    covered(BOOGIE, "a.bpl", "line", tmp_path, capsys)
    main(
        ["check", str(tmp_path / "a.bpl"), "--cover", "line", "--format", "json", "--output", str(tmp_path / "r.json")]
    )
    main(["report", str(tmp_path / "r.json")])
    shown = capsys.readouterr().out
    assert "unreachable" in shown and "coverage: 8 of 11 lines are reached" in shown


def test_what_cannot_be_combined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(LOOP)
    for other in ("--all-assertions", "--vacuity", "--gamble", "--unwinding-assertions", "--format=html"):
        assert main(["check", str(tmp_path / "a.c"), "--cover", "line", other]) == 2
        assert "--cover" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("gcov") is None, reason="gcov is not installed")
def test_harnesses_reach_their_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = covered(C_PROGRAM, "a.c", "line", tmp_path, capsys, "--harness", str(tmp_path / "goals"))
    written = {file.name for file in (tmp_path / "goals").iterdir()}
    assert written == {f"{g['id']}.c" for g in said["goals"] if g["status"] == "reached"}
    for line, function in ((5, "sign"), (18, "main")):
        harness = tmp_path / "goals" / f"{function}.line.{line}.c"
        assert "a.c" in harness.read_text()
        for old in tmp_path.glob("*.gc*"):
            old.unlink()
        build = ["gcc", "--coverage", "a.c", str(harness), "-o", "goal"]
        subprocess.run(build, cwd=tmp_path, check=True)
        subprocess.run(["./goal"], cwd=tmp_path, check=False)
        shown = subprocess.run(["gcov", "-t", "goal-a.gcda"], cwd=tmp_path, check=True, capture_output=True, text=True)
        counted = next(row for row in shown.stdout.splitlines() if f"{line}:" in row.split(":")[1] + ":")
        assert counted.split(":")[0].strip() not in ("-", "#####"), shown.stdout
