"""The examples are what they say they are."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import paddock

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("file", sorted(EXAMPLES.rglob("*.bpl")), ids=lambda f: f.name)
def test_an_example_prints_and_reads_back_to_itself(file: Path) -> None:
    program = paddock.load(file)
    assert paddock.load(paddock.program_text(program)) == program


@pytest.mark.parametrize("file", sorted(EXAMPLES.rglob("*.bpl")), ids=lambda f: f.name)
def test_an_example_has_the_verdict_it_says(file: Path) -> None:
    expected = re.search(r"^// Expected: (\w+)\.", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert expected
    assert paddock.check(paddock.load(file)).verdict == expected[1]


def generated(n: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, EXAMPLES / "fig2.py", n], capture_output=True, text=True, check=False)


def test_fig2_is_what_its_generator_writes() -> None:
    assert generated("3").stdout == (EXAMPLES / "fig2.bpl").read_text(encoding="utf-8")


def test_fig2_grows_linearly() -> None:
    # main and PN, and three procedures a level
    assert len(paddock.load(generated("40").stdout).procedures) == 3 * 40 + 2


@pytest.mark.parametrize("n", ["", "-1", "x"])
def test_the_generator_refuses_what_is_no_number(n: str) -> None:
    done = generated(n)
    assert done.returncode != 0
    assert done.stderr == "usage: fig2.py N\n"
