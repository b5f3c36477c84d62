"""C programs whose assertions all hold, as a compiled program confirms, and fail when they are negated."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from paddock.driver import pipeline
from paddock.options import Options

PROGRAMS = Path(__file__).parent / "c_programs"
GCC = shutil.which("gcc")
SLOW = {"pointers.c", "unions_and_calls.c"}
FILES = [
    pytest.param(path, id=path.name, marks=[pytest.mark.slow] if path.name in SLOW else [])
    for path in sorted(PROGRAMS.glob("*.c"))
]


@pytest.mark.skipif(GCC is None, reason="gcc is not installed")
@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.c")), ids=lambda path: path.name)
def test_assertions_hold_when_the_program_runs(path: Path, tmp_path: Path) -> None:
    assert GCC is not None
    subprocess.run([GCC, "-w", "-fwrapv", "-o", tmp_path / "program", path], check=True)
    subprocess.run([tmp_path / "program"], check=True)


@pytest.mark.parametrize("path", FILES)
def test_assertions_are_proved(path: Path) -> None:
    result = pipeline.check_files([str(path)], Options.of(timeout=600))
    assert result.verdict == "proved", result.reason


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in sorted(PROGRAMS.glob("*.c")) if p.name not in SLOW], ids=lambda p: p.name)
def test_negated_assertions_fail(path: Path, tmp_path: Path) -> None:
    text = path.read_text()
    file = tmp_path / "negated.c"
    for start in list(re.finditer(r"\bassert\(", text))[::4]:
        end = closing(text, start.end() - 1)
        file.write_text(f"{text[: start.end()]}!({text[start.end() : end]}){text[end:]}")
        result = pipeline.check_files([str(file)], Options.of(timeout=600))
        assert result.verdict == "bug", text[start.start() : end + 1]
        assert result.trace[-1].line == text.count("\n", 0, start.start()) + 1


def closing(text: str, start: int) -> int:
    """Where the parenthesis is closed that is opened at the start."""
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if depth == 0:
            return position
    raise ValueError("a parenthesis is not closed")
