"""What is printed as JSON is what the published schemas say, and nothing more."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from paddock.cli.main import main
from paddock.report.json_text import SCHEMA_VERSION
from paddock.report.registry import formats

jsonschema = pytest.importorskip("jsonschema", reason="the package jsonschema is not installed")

ROOT = Path(__file__).parents[2]
SCHEMAS = {
    file.stem: json.loads(file.read_text(encoding="utf-8")) for file in (ROOT / "docs" / "schema").glob("*.json")
}

CHOICES = """
procedure External(x: int) returns (y: real);
procedure main(b: bv8) {
  var m: [int]bool; var s: string; var y: real; var z: int;
  havoc m; call y := External(3);
  goto A, B;
  A: assume m[1]; assert y > 0.5 || z == 123456789012345678901234567890;
  B: assert b != 3bv8;
}
"""
C_PROGRAM = """
#include <assert.h>
#include <stdlib.h>
int getchar(void);
struct s { int x; double d; } g;
int outside(void);
static int twice(int n) { return 2 * n; }
int main(int argc, char **argv) {
  struct s *p = malloc(sizeof *p);
  p->x = getchar(); p->d = 0.5;
  g = *p;
  assert(twice(g.x) != 2 || outside() != 'a');
}
"""
LOOPS = """
procedure main(n: int) {
  var i: int;
  i := 0;
  while (i < n) { i := i + 1; assert i > 0; }
  assert i < 3 || n > 5;
  assert n < 0 || i == n;
}
"""
PROGRAMS = {"choices.bpl": CHOICES, "program.c": C_PROGRAM, "loops.bpl": LOOPS}
CHECKS = [
    ("choices.bpl",),
    ("choices.bpl", "--all-assertions"),
    ("choices.bpl", "--goal", "return"),
    (str(ROOT / "examples" / "concurrent" / "lost_update_bug.bpl"),),
    ("program.c",),
    ("program.c", "--checks", "all", "--all-assertions", "--independent"),
    ("program.c", "--tune", "integers=math", "--explain"),
    ("loops.bpl", "--recursion-bound", "2"),
    ("loops.bpl", "--all-assertions", "--implications", "--explain"),
    ("loops.bpl", "--all-assertions", "--gamble", "--jobs", "1"),
    ("loops.bpl", "--houdini", "-v"),
    ("loops.bpl", "--refine", "alg2", "--engine", "stratified"),
]


def strict(schema: Any) -> Any:
    """A schema that allows no keys but those that it describes."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: strict(part) for key, part in schema.items()}
    return {**parts, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else parts


def validate(report: dict[str, Any]) -> None:
    schema = strict(SCHEMAS[report["schema"]])
    jsonschema.Draft202012Validator(schema).validate(report)
    assert report["schema_version"] == SCHEMA_VERSION


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    main([*arguments, "--format", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_there_is_a_schema_for_each_command_that_prints_json() -> None:
    commands = ("check", "implications", "regions", "summaries")
    assert {command for command in commands if "json" in formats(command)} == set(SCHEMAS)
    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("arguments", CHECKS, ids=" ".join)
@pytest.mark.usefixtures("folder")
def test_checks(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    report = printed(capsys, "check", *arguments)
    validate(report)
    for run in (report, *report["assertions"]):
        assert all(0 <= step["activation"] < len(run["activations"]) for step in run["trace"])
        assert all(choice["step"] <= len(run["trace"]) for choice in run["choices"])


@pytest.mark.usefixtures("folder")
def test_a_check_that_gives_up(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("paddock.driver.searching.open_solver", interrupted)
    report = printed(capsys, "check", "loops.bpl")
    assert (report["verdict"], report["reason"]) == ("unknown", "interrupted")
    validate(report)


@pytest.mark.usefixtures("folder")
def test_implications(capsys: pytest.CaptureFixture[str]) -> None:
    report = printed(capsys, "implications", "loops.bpl")
    validate(report)
    validate(printed(capsys, "implications", "loops.bpl", "--of", report["assertions"][0]["id"]))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("file", PROGRAMS)
def test_regions(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    validate(printed(capsys, "regions", file))


@pytest.mark.usefixtures("folder")
def test_summaries(capsys: pytest.CaptureFixture[str]) -> None:
    report = printed(capsys, "summaries", "loops.bpl")
    validate(report)
    (loop,) = report["summaries"]
    assert (loop["kind"], loop["line"]) == ("loop", 5)
    assert loop["ensures"] and all(f"free ensures {condition};" in report["boogie"] for condition in loop["ensures"])


@pytest.mark.usefixtures("folder")
def test_the_schema_refuses_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    report = printed(capsys, "check", "choices.bpl")
    for path, value in (
        (("verdict",), "perhaps"),
        (("trace", 0, "line"), "one"),
        (("trace", 0, "values"), {"x": 1}),
        (("choices", 0, "kind"), "guess"),
        (("more",), 1),
    ):
        wrong = copy.deepcopy(report)
        at: Any = wrong
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
        with pytest.raises(jsonschema.ValidationError):
            validate(wrong)
