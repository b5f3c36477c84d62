"""What users of CBMC expect: properties by their ids, labels that are errors, static objects with any value."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paddock.cli.main import main

PROGRAM = """
#include <assert.h>
extern int nondet_int(void);
int main(void) {
  int x = nondet_int(), y = 1;
  assert(x > 0);
  assert(x >= 0);
  assert(y == 1);
  return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return str(path)


def listed(program: str, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    assert main(["check", "--show-properties", "--format", "json", program]) == 0
    return {found["text"]: found["id"] for found in json.loads(capsys.readouterr().out)}


def test_properties_are_listed(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    ids = listed(program, capsys)
    assert list(ids) == ["x > 0", "x >= 0", "y == 1"]
    assert main(["check", "--show-properties", program]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == list(ids.values())


@pytest.mark.parametrize("engine", ["auto", "dag", "symbolic"])
def test_a_property_is_checked_alone(program: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    ids = listed(program, capsys)
    statuses = {text: main(["check", "--engine", engine, "--property", id_, program]) for text, id_ in ids.items()}
    # The second holds where the first does, which is assumed.
    assert statuses == {"x > 0": 1, "x >= 0": 0, "y == 1": 0}
    assert main(["check", "--engine", engine, "--property", ids["y == 1"], "--property", ids["x > 0"], program]) == 1


def test_a_property_that_is_not_there(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    id_ = listed(program, capsys)["y == 1"]
    assert main(["check", "--property", f"{id_}x", program]) == 2
    assert id_ in capsys.readouterr().err
    assert main(["check", "--all-assertions", "--independent", "--property", id_, program]) == 2


def verdict(text: str, tmp_path: Path, *options: str) -> int:
    path = tmp_path / "other.c"
    path.write_text(text)
    return main(["check", *options, str(path)])


LABEL = """
extern int nondet_int(void);
int main(void) { int x = nondet_int(); if (x == 7) goto %s; return 0; ERROR: return 1; OTHER: return 2; }
"""


def test_a_label_is_an_error(tmp_path: Path) -> None:
    assert verdict(LABEL % "ERROR", tmp_path) == 0
    assert verdict(LABEL % "ERROR", tmp_path, "--error-label", "ERROR") == 1
    assert verdict(LABEL % "OTHER", tmp_path, "--error-label", "ERROR") == 0


STATIC = """
#include <assert.h>
#include <string.h>
static int count = 3, *place = &count;
static const int limit = 3;
int main(void) { static int inner; char s[] = "a b"; assert(%s); return 0; }
"""


@pytest.mark.parametrize(
    ("condition", "status"),
    [("count == 3", 1), ("inner == 0", 1), ("limit == 3", 0), ("place == &count", 1), ('strtok(s, " ") == s', 0)],
)
def test_static_objects_have_any_value(condition: str, status: int, tmp_path: Path) -> None:
    assert verdict(STATIC % condition, tmp_path) == 0
    assert verdict(STATIC % condition, tmp_path, "--nondet-static") == status


LABELS = """
#include <assert.h>
int nondet_int(void);
int main(void) {
  int n = 0, m = 0;
again: while (nondet_int()) n++;
back: m++;
  if (nondet_int()) goto back;
  assert(n < 9 && m < 9);
}
"""


@pytest.mark.parametrize(
    ("loops", "status"),
    [("again:2,back:2", 0), ("main.again:9,back:2", 1), ("again:2,main.back:9", 1), ("main.0:2,6:2,back:2", 0)],
)
def test_loops_have_labels(loops: str, status: int, tmp_path: Path) -> None:
    single = ("--strategy", "single", "--engine", "symbolic")
    assert verdict(LABELS, tmp_path, "--unwind", "2", "--unwindset", loops, *single) == status
