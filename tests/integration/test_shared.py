"""Real programs, where a folder of them stands beside the repository: each prints and reads back to itself."""

from __future__ import annotations

from pathlib import Path

import pytest

import paddock
from paddock.ir.validate import check_valid

SHARED = Path(__file__).parents[3] / "shared"
FILES = sorted([*SHARED.glob("sdv/*.bpl"), *SHARED.glob("linux/*.bpl")], key=lambda f: (f.stat().st_size, f.name))
QUICK = 3  # how many of the smallest run by default


@pytest.mark.parametrize(
    "file",
    [pytest.param(f, marks=[pytest.mark.slow] if i >= QUICK else []) for i, f in enumerate(FILES)],
    ids=lambda f: f"{f.parent.name}/{f.name}",
)
def test_prints_and_reads_back_to_itself(file: Path) -> None:
    program = paddock.load(file)
    check_valid(program)
    assert paddock.load(paddock.program_text(program)) == program
