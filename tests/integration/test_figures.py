"""`python -m bench`: every figure's program works, on a few small inputs, and the pages name all of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.benchmarks import ROOT

# From here on, what is under `bench/`, which the import above has made known.
# isort: split
from figures import FIGURES, Figure

PAGE = (ROOT / "docs" / "evaluation" / "index.md").read_text(encoding="utf-8")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "bench", *map(str, arguments)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=600)


QUICK = ("dag-17", "corral-6", "corral-9", "implications-1")  # the others take more than a few seconds


@pytest.mark.parametrize(
    "figure",
    [pytest.param(f, marks=() if f.name in QUICK else pytest.mark.slow) for f in FIGURES],
    ids=lambda figure: figure.name,
)
def test_fast(figure: Figure, tmp_path: Path) -> None:
    done = run(figure.name, "--fast", "--out", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert figure.what in done.stdout and "How it differs: " in done.stdout
    assert re.search(r"^-{3,}( +-+)+$", done.stdout, re.MULTILINE), "there is a table"
    assert list((tmp_path / figure.name).glob("*.tsv"))


def test_the_pages_name_all_of_them() -> None:
    assert re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE) == [figure.name for figure in FIGURES]
    assert [line.split()[0] for line in run().stdout.splitlines()] == [figure.name for figure in FIGURES]


def test_unknown_figures() -> None:
    assert run("dag-99").returncode == 2
