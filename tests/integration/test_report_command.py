"""`paddock report`: a result that was written as JSON, in other forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from paddock.cli.main import main
from paddock.report.formats.check.json import json_object
from paddock.report.reading import UnreadableReport, result_from
from paddock.report.registry import formats

EXAMPLES = Path(__file__).parents[2] / "examples"
CHECKS: list[tuple[str, ...]] = [
    ("lock_bug.bpl",),
    ("sum.bpl", "--recursion-bound", "2"),
    ("heap.bpl", "--all-assertions"),
    ("concurrent/lost_update_bug.bpl",),
    ("average.c",),
]


@pytest.mark.parametrize("check", CHECKS, ids=" ".join)
def test_all_forms_are_those_of_the_check(
    check: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = tmp_path / "result.json"
    name, *options = check
    main(["check", str(EXAMPLES / name), *options, "--format", "json", "--output", str(result)])
    written = result.read_text(encoding="utf-8")
    assert json_object(result_from(written)) == json.loads(written)
    for form in formats("check"):
        if form != "harness":
            assert main(["report", str(result), "--format", form]) == 0
            assert capsys.readouterr().out


def damaged(change: str) -> str:
    """A report in which one thing is wrong."""
    said: dict[str, Any] = {
        "schema": "check",
        "schema_version": 1,
        "version": "1",
        "files": [],
        "entry": "main",
        "goal": "assertion",
        "verdict": "proved",
        "bound": None,
        "contexts": None,
        "reason": "",
        "time_s": 1.0,
        "engine": "dag",
        "stats": {},
        "assertions": [],
        "trace": [],
        "activations": [],
        "choices": [],
        "warnings": [],
        "notes": [],
        "all_assertions": False,
        "independent": False,
    }
    exec(change, {"said": said})
    return json.dumps(said)


def test_what_is_not_damaged_is_read() -> None:
    assert result_from(damaged("")).entry == "main"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1]",
        "[" * 100_000,
        "{}",
        damaged("said['schema'] = 'regions'"),
        damaged("said['schema_version'] = 7"),
        damaged("del said['files']"),
        damaged("said['verdict'] = 'perhaps'"),
        damaged("said['stats'] = 3"),
        damaged("said['assertions'] = [1]"),
        damaged("said['trace'] = [{}]"),
    ],
    ids=lambda text: text[:40],
)
def test_other_texts_are_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnreadableReport):
        result_from(text)
    file = tmp_path / "a.json"
    file.write_text(text)
    assert main(["report", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"{file}: error: ")


def test_the_result_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(damaged(""))
    assert main(["report", str(file), "-o", str(file)]) == 2
