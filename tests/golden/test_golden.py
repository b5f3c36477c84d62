"""Runs every `.bpl` file here with the arguments in its first line and compares with the `.expect` file beside it.

    // RUN: transform --pass extract-loops

The file's name is added at the end. Expected are standard output, then standard error and the exit status where there
is something to say. `pytest --update` rewrites the expectations; read the difference before you commit it.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import paddock
from paddock.cli import main
from paddock.ir.validate import check_valid

HERE = Path(__file__).parent
CASES = sorted(HERE.rglob("*.bpl"))
RUN = "// RUN: "


def arguments(case: Path) -> list[str]:
    """The arguments that a case asks for, without its own name."""
    first = case.read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith(RUN), f"the first line of {case} must start with {RUN}"
    return shlex.split(first.removeprefix(RUN))


def run(case: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line prints for a case, and its exit status."""
    status = main([*arguments(case), case.name])
    out, err = capsys.readouterr()
    if err:
        out += f"--- standard error\n{err}"
    # What a check took is not what these tests are about.
    out = re.sub(r"(^entry \w+, engine \w+), .*\d s$", r"\1, ...", out, flags=re.MULTILINE)
    return out + f"--- exit status {status}\n"


@pytest.mark.parametrize("case", CASES, ids=lambda c: str(c.relative_to(HERE)))
def test_golden(
    case: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(case.parent)  # so that messages name the file alone
    actual = run(case, capsys)
    expect = case.with_name(case.name + ".expect")
    if request.config.getoption("--update"):
        expect.write_text(actual, encoding="utf-8")
    assert expect.exists(), "no expectation yet: run pytest --update and read what it wrote"
    assert actual == expect.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "case",
    [c for c in CASES if arguments(c)[0] == "transform" and c.parent.name != "errors"],
    ids=lambda c: str(c.relative_to(HERE)),
)
def test_what_transform_prints_is_valid_and_reads_back_to_itself(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments(case), str(case)]) == 0
    text = capsys.readouterr().out
    program = paddock.load(text)
    check_valid(program)
    assert paddock.program_text(program) == text


def test_every_expectation_has_its_case() -> None:
    assert not [e for e in HERE.rglob("*.expect") if not e.with_suffix("").exists()]
