"""`paddock diff`: which procedures of a new version break what the proof of an old one needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.cli.main import main

OLD = """
var g: int;
procedure Low(x: int) returns (r: int) modifies g;
{
  g := g + 1;
  if (x > 0) { r := x; } else { r := 1; }
}
procedure Middle(x: int) returns (r: int) modifies g;
{
  call r := Low(x);
  r := r + 1;
}
procedure Unused() { }
procedure main(x: int) modifies g;
{
  var r: int;
  call r := Middle(x * x);
  assert r != 0;
}
"""


def differ(tmp_path: Path, capsys: pytest.CaptureFixture[str], *edits: tuple[str, str]) -> tuple[int, list[str]]:
    new = OLD
    for before, after in edits:
        assert before in new
        new = new.replace(before, after)
    old_file, new_file = tmp_path / "old.bpl", tmp_path / "new.bpl"
    old_file.write_text(OLD)
    new_file.write_text(new)
    status = main(["diff", str(old_file), str(new_file)])
    return status, capsys.readouterr().out.splitlines()


SAME = "all procedures do what the proof needs of them"


def test_nothing_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert differ(tmp_path, capsys) == (0, [SAME])


def test_a_change_that_no_caller_notices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert differ(tmp_path, capsys, ("g + 1", "g + 2"), ("r := 1", "r := 7")) == (0, ["Low: changed", SAME])


def test_the_procedure_that_changed_is_blamed_with_a_witness(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = differ(tmp_path, capsys, ("r := r + 1", "r := r - 1"))
    assert status == 1
    assert lines[0] == "Middle: changed"
    assert lines[1].startswith("Middle: need not ensure ")
    assert ", r = 0" in lines[1]
    assert all(line.startswith("Middle") for line in lines)


def test_a_change_in_the_entry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = differ(tmp_path, capsys, ("assert r != 0", "assert r != 5"))
    assert status == 1
    assert lines[1].startswith("main: an assertion may fail")


def test_what_is_new_and_what_is_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = differ(tmp_path, capsys, ("procedure Unused() { }", "procedure More() { }"))
    assert (status, lines) == (0, ["More: new", "Unused: removed", SAME])


def test_an_old_version_with_a_bug(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bug.bpl"
    file.write_text(OLD.replace("r != 0", "r != 5"))
    assert main(["diff", str(file), str(file)]) == 3
    assert "there is no proof with summaries to compare with" in capsys.readouterr().out


def test_within_a_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """
    procedure Count(n: int) returns (r: int) { if (n > 0) { call r := Count(n - 1); r := r + 1; } else { r := 0; } }
    procedure main(n: int) { var r: int; call r := Count(n); assert r <= 2; }
    """
    old, new = tmp_path / "old.bpl", tmp_path / "new.bpl"
    old.write_text(text)
    new.write_text(text.replace("r := 0", "r := 1"))
    assert main(["diff", str(old), str(old), "--recursion-bound", "3"]) == 0
    assert main(["diff", str(old), str(new), "--recursion-bound", "3"]) == 1
    assert "Count#3: need not ensure" in capsys.readouterr().out


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(tmp_path / "a.bpl"), str(tmp_path / "b.bpl")]) == 2
    assert "Traceback" not in capsys.readouterr().err
