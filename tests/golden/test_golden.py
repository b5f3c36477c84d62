"""Runs every `.bpl` and `.c` file here with the arguments in its first lines and compares with the `.expect` file
beside it.

    // RUN: transform --pass extract-loops

The file's name is added at the end. Expected are standard output, then standard error and the exit status where there
is something to say, for one such line after the other. `pytest --update` rewrites the expectations; read
the difference before you commit it.
"""

from __future__ import annotations

import re
import shlex
from itertools import takewhile
from pathlib import Path

import pytest

import paddock
from paddock.cli.main import main
from paddock.ir.validate import check_valid

HERE = Path(__file__).parent
PATHS = sorted(path for ending in ("*.bpl", "*.c") for path in HERE.rglob(ending))
# What is in a folder `slow` is.
CASES = [pytest.param(p, marks=[pytest.mark.slow] if p.parent.name == "slow" else []) for p in PATHS]
RUN = "// RUN: "


def commands(case: Path) -> list[list[str]]:
    """The arguments that a case asks for, without its own name."""
    lines = takewhile(lambda line: line.startswith(RUN), case.read_text(encoding="utf-8").split("\n"))
    found = [shlex.split(line.removeprefix(RUN)) for line in lines]
    assert found, f"the first line of {case} must start with {RUN}"
    return found


def run(case: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line prints for a case, and its exit status."""
    return "".join(run_command([*command, case.name], capsys) for command in commands(case))


def run_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    status = main(arguments)
    out, err = capsys.readouterr()
    if err:
        out += f"--- standard error\n{err}"
    # What a check took is not what these tests are about.
    out = re.sub(r"(^entry \w+, engine \w+), .*\d s$", r"\1, ...", out, flags=re.MULTILINE)
    return out + f"--- exit status {status}\n"


@pytest.mark.parametrize("case", CASES, ids=[str(p.relative_to(HERE)) for p in PATHS])
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
    [c for c in PATHS if commands(c)[0][0] == "transform" and c.parent.name != "errors"],
    ids=lambda c: str(c.relative_to(HERE)),
)
def test_what_transform_prints_is_valid_and_reads_back_to_itself(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*commands(case)[0], str(case)]) == 0
    text = capsys.readouterr().out
    program = paddock.load(text)
    check_valid(program)
    assert paddock.program_text(program) == text


def test_every_expectation_has_its_case() -> None:
    assert not [e for e in HERE.rglob("*.expect") if not e.with_suffix("").exists()]
