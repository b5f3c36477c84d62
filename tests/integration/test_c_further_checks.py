"""The checks pointer-overflow, nan, float-overflow, enum-range and uninitialised, and CBMC's pragmas: each where
something is wrong, and where nothing is. What CBMC has, it must say, too."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from paddock.cli.main import main

CBMC = os.environ.get("CBMC") or shutil.which("cbmc")

POINTERS = """\
#include <stdlib.h>
int nondet_int(void);
int main(void) {
  int a[4], i = nondet_int();
  struct { int m[3], rest[9]; } s;
  if (i < 0 || i > 4) return 0;
  int *end = a + i, *first = end - i;
  int *behind = end + 1;                 // bad
  int *before = first - 1;               // bad
  int *null = 0;
  null += i;                             // bad
  char *heap = malloc(10), *last = heap + 10;
  char *out = &heap[11];                 // bad
  int *member = &s.m[i];                 // bad
  last--;
  long far = nondet_int();
  int *wrapped = a + (far << 62);        // bad
  return first == behind;
}
"""
FLOATS = """\
float nondet_float(void);
double nondet_double(void);
unsigned __int128 wide(void);
int nondet_int(void);
int main(void) {
  float x = nondet_float();
  float same = x * 1.0f;
  if (!(x > 1.0f && x < 2.0f)) return 0;
  float sum = x + x, half = x / 2.0f, product = x * x;
  double d = nondet_double(), inf = 1e308;
  inf *= 10;                             // bad: float-overflow
  double lost = inf - inf;               // bad: nan
  double ratio = d / d;                  // bad: nan
  float narrow = d;                      // bad: float-overflow
  float small = (float)(double)x;
  float whole = nondet_int();
  float huge = wide();                   // bad: float-overflow
  double kept = lost + 1;
  return 0;
}
"""
ENUMS = """\
enum colour { RED, GREEN = 4, BLUE };
enum colour any(void);
int nondet_int(void);
int main(void) {
  enum colour fine = GREEN, given = any();
  int i = nondet_int();
  if (i == 4 || i == 5) fine = i;
  int n = fine;
  n = given;                             // bad
  n = (enum colour)i;                    // bad
  if (i != 0) return fine;
  return (enum colour)i;
}
"""
VALUES = """\
int nondet_int(void);
struct pair { int a, b; };
int scan(int *p);
int main(void) {
  int x, y, z, c = nondet_int();
  struct pair p;
  if (c) x = 1;
  if (c) y = x;
  p.a = 2;
  scan(&z);
  for (int i = 0; i < 2; i++) {
    int inner;
    if (i) c += inner;                   // bad
    inner = i;
  }
  struct pair q = p;
  c += p.a + z + q.a;
  c += p.b;                              // bad
  return x;                              // bad
}
"""
PRAGMAS = """\
int nondet_int(void);
int main(void) {
  int x = nondet_int(), y = nondet_int();
  int a = x + 1;                         // bad
#pragma CPROVER check push
#pragma CPROVER check disable "signed-overflow"
#pragma CPROVER check enable "div-by-zero"
  int b = x + 2;
  int c = 5 / y;                         // bad
# pragma CPROVER check pop
  int d = x + 3 + 5 / y;                 // bad
  return 0;
}
"""
CASES = {
    "pointer-overflow": POINTERS,
    "nan,float-overflow": FLOATS,
    "enum-range": ENUMS,
    "uninitialised": VALUES,
    "overflow": PRAGMAS,
}


def wrong_lines(text: str) -> set[int]:
    return {number for number, line in enumerate(text.splitlines(), 1) if "// bad" in line}


def violated(file: Path, checks: str, capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, str]]:
    main(["check", str(file), "--checks", checks, "--all-assertions", "--independent", *options, "--format", "json"])
    said = json.loads(capsys.readouterr().out)["assertions"]
    assert {a["verdict"] for a in said} <= {"bug", "proved"}
    return [a for a in said if a["verdict"] == "bug"]


@pytest.mark.parametrize("checks", CASES)
def test_each_place_that_is_wrong_and_no_other(checks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.c"
    file.write_text(CASES[checks])
    found = violated(file, checks, capsys)
    assert {a["line"] for a in found} == wrong_lines(CASES[checks])
    for assertion, line in ((a, CASES[checks].splitlines()[int(a["line"]) - 1]) for a in found):
        assert ":" not in line.partition("// bad")[2] or assertion["kind"] in line


def test_pragmas_that_say_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.c"
    for pragma, words in (
        ("pop", "no push"),
        ('disable "bonds"', "did you mean bounds"),
        ("disable bounds", "says push, pop"),
        ('enable "pointer-primitive"', "not supported"),
    ):
        file.write_text(f"int main(void) {{\n  #pragma CPROVER check {pragma}\n  return 0;\n}}\n")
        assert main(["check", str(file)]) == 2
        shown = capsys.readouterr().err
        assert "a.c:2:3: error:" in shown and words in shown and "\n    ^" in shown


# CBMC knows no `uninitialised`, adds 0 to null with a failure, and leaves conversions between floats alone.
@pytest.mark.skipif(CBMC is None, reason="CBMC is not installed")
@pytest.mark.parametrize("checks", [name for name in CASES if name != "uninitialised"])
def test_cbmc_agrees(checks: str, tmp_path: Path) -> None:
    flags = {
        "overflow": ["--signed-overflow-check"],
        "enum-range": ["--enum-range-check"],
        "pointer-overflow": ["--pointer-overflow-check"],
    }.get(checks, ["--nan-check", "--float-overflow-check"])
    assert CBMC is not None
    (tmp_path / "a.c").write_text(CASES[checks])
    command = [CBMC, "--no-standard-checks", *flags, "--json-ui", "--unwind", "3", str(tmp_path / "a.c")]
    shown = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    results = next(part["result"] for part in shown if "result" in part)
    failing = {int(r["sourceLocation"]["line"]) for r in results if r["status"] == "FAILURE"}
    expected = wrong_lines(CASES[checks])
    assert expected - failing <= {14, 17}, failing  # of floats: narrow and huge
    assert failing - expected <= {5, 7}, failing  # the result of any(), and a * that CBMC looks at for pointers
