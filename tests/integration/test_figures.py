"""`python -m bench`: every figure's program works, on a few small inputs, and the pages name all of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from tests.integration.benchmarks import ROOT, bench

# From here on, what is under `bench/`, which the import above has made known.
# isort: split
import verifiers
from figures import FIGURES, Figure, fast_arguments

PAGE = (ROOT / "docs" / "evaluation" / "index.md").read_text(encoding="utf-8")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "bench", *map(str, arguments)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=600)


def table_of(text: str) -> bool:
    return re.search(r"^-{3,}( +-+)+$", text, re.MULTILINE) is not None


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_fast(figure: Figure, tmp_path: Path) -> None:
    """Each figure's program, in this process: most of what a new one would take is the time to start."""
    if figure.program == "verifiers.py" and not any(map(which, verifiers.KNOWN)):
        pytest.skip("none of the other verifiers is installed")
    done = bench(figure.program, *fast_arguments(figure, tmp_path), "--out", tmp_path / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    assert table_of(done.stdout)
    assert list((tmp_path / "out").rglob("*.tsv"))


def test_a_figure_by_its_name(tmp_path: Path) -> None:
    done = run("dag-17", "--fast", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("DAG inlining, Figs. 4 and 17") and "\nHow it differs: " in done.stdout
    assert table_of(done.stdout) and list((tmp_path / "dag-17").glob("*.tsv"))


def test_the_pages_name_all_of_them() -> None:
    assert re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE) == [figure.name for figure in FIGURES]
    assert [line.split()[0] for line in run().stdout.splitlines()] == [figure.name for figure in FIGURES]


def test_unknown_figures() -> None:
    assert run("dag-99").returncode == 2
