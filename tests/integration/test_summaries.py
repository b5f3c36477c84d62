"""`paddock summaries` and `--candidates` on the command line, when things go well and when they do not."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import paddock
from paddock.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
LOCK = str(EXAMPLES / "lock.bpl")
# Facts are off: they would prove this by themselves.
PLAIN = ["--no-facts", "--no-deep-asserts", "--format", "json"]


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_summaries_go_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "summaries.bpl"
    assert main(["summaries", LOCK, "-o", str(out)]) == 0
    assert capsys.readouterr() == ("", "")
    program = paddock.load(out)
    assert [p.name for p in program.procedures][:3] == ["Acquire", "Release", "Serve"]
    assert paddock.program_text(program) == out.read_text(encoding="utf-8")


def test_without_time_there_are_none_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summaries", LOCK, "--tune", "houdini-timeout=1e-9"]) == 0
    out, err = capsys.readouterr()
    assert "ensures" not in out
    assert err == "the time limit was reached: not all candidates were looked at\n"


def test_a_solver_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summaries", LOCK, "--solver", "no-such-solver"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")


def test_the_other_solver_finds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("cvc5")
    main(["summaries", LOCK])
    expected = capsys.readouterr().out
    main(["summaries", LOCK, "--solver", "cvc5"])
    assert capsys.readouterr().out == expected


def test_candidates_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "ensures locked ==> old(locked);")
    assert main(["summaries", LOCK, "--candidates", "-"]) == 0
    assert "free ensures err || (locked ==> old(locked));" in capsys.readouterr().out


def test_standard_input_is_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--houdini", "--candidates", "-", "-"]) == 2
    assert "standard input can be read only once" in capsys.readouterr().err


def test_a_report_says_what_summaries_were_good_for(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(EXAMPLES / "deep_asserts.bpl")
    assert main(["check", "--recursion-bound", "1", *PLAIN, file]) == 0
    without = json.loads(capsys.readouterr().out)
    assert main(["check", "--recursion-bound", "1", "--houdini", *PLAIN, file]) == 0
    with_ = json.loads(capsys.readouterr().out)
    assert (without["verdict"], with_["verdict"]) == ("bounded", "proved")
    assert with_["reason"] == "the summaries that Houdini inferred suffice"
    assert with_["stats"]["candidates"] > with_["stats"]["summaries"] > 0
    assert with_["stats"]["houdini_queries"] > 0
    assert "summaries" not in without["stats"]


def test_the_same_summaries_every_time(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = set()
    for _ in range(3):
        assert main(["summaries", str(EXAMPLES / "deep_asserts.bpl")]) == 0
        outputs.add(capsys.readouterr().out)
    assert len(outputs) == 1
