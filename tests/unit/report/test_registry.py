"""Formats of reports are found by themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paddock.cli.main import main
from paddock.report.formats import check
from paddock.report.registry import formats, rendered, summary
from paddock.report.result import Result, Verdict

PAGE = Path(__file__).parents[3] / "docs" / "reports.md"
COMMANDS = ("check", "suite", "implications", "regions", "summaries")
PROVED = Result(("a.bpl",), "main", "assertion", Verdict.PROVED, "dag")


def test_the_formats_there_are() -> None:
    assert formats("check")[0] == "text"
    assert {"harness", "json"} < set(formats("check"))
    assert formats("implications") == ("text", "dot", "json", "strongest", "svg")
    assert formats("regions") == ("text", "dot", "json", "svg")
    assert formats("summaries") == ("text", "json")


@pytest.mark.parametrize("command", COMMANDS)
def test_each_says_what_it_is(command: str) -> None:
    for name in formats(command):
        assert summary(command, name)[-1] in ".:", name


def test_the_documents_list_them() -> None:
    rows = re.findall(r"^\| `paddock (\S+)` \| `(\S+)` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(command, name, summary(command, name)) for command in COMMANDS for name in formats(command)]


def test_no_counterexample_no_harness() -> None:
    assert rendered("check", "harness", PROVED) == "/* proved: no assertion can fail */\n"


def test_a_format_is_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One more file, and the command line has one more format: in its choices, its help and its completion."""
    (tmp_path / "very_short.py").write_text(
        '"""A word."""\n\n\ndef render(result, _paint):\n    return result.verdict\n'
    )
    monkeypatch.setattr(check, "__path__", [*check.__path__, str(tmp_path)])
    program = tmp_path / "a.bpl"
    program.write_text("procedure main(x: int) { assert x == x; }")
    assert main(["check", str(program), "--format", "very-short"]) == 0
    assert capsys.readouterr().out == "proved"
    main(["check", "--help"])
    assert "very-short" in capsys.readouterr().out
    main(["completion", "bash"])
    assert "very-short" in capsys.readouterr().out
    assert summary("check", "very-short") == "A word."
