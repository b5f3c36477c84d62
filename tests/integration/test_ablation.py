"""What is measured about deep assertions: growth on Fig. 1 of the paper, generated drivers, the table of algorithms."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.integration.benchmarks import ROOT, bench

sys.path.append(str(ROOT / "examples"))

import ablation
import fig1 as fig1_growth
from deep_asserts import program as fig1
from drivers import Driver, suite

from paddock import Options, Result, Verdict, check
from paddock.cli.main import main
from paddock.frontends.boogie import load
from paddock.frontends.source import Source


def checked(n: int, engine: str, deep_asserts: bool) -> Result:
    """The program of Fig. 1. Facts are off: they alone prove it."""
    options = Options.of(engine=engine, deep_asserts=deep_asserts, facts=False, recursion_bound=3)
    return check(load([Source(fig1(n))]), options)


@pytest.mark.parametrize("engine", ["stratified", "dag"])
def test_without_lifting_instances_double_with_each_procedure_of_the_chain(engine: str) -> None:
    results = [checked(n, engine, deep_asserts=False) for n in range(1, 5)]
    assert all(r.verdict is Verdict.BOUNDED for r in results)
    assert all(b.stats["instances"] == 2 * a.stats["instances"] for a, b in pairwise(results))


@pytest.mark.parametrize("engine", ["stratified", "dag"])
def test_with_lifting_instances_do_not_grow(engine: str) -> None:
    """§III of the paper: only `Open` need be inlined, and here the loop."""
    results = [checked(n, engine, deep_asserts=True) for n in (5, 10, 20, 40, 80)]
    assert all(r.verdict is Verdict.PROVED for r in results)
    assert all(r.stats["instances"] <= 5 for r in results)


def test_from_the_assertion_up_instances_are_shared() -> None:
    """§II: exponential in the paper, where each path of callers is gone up on its own."""
    results = [checked(n, "alternating", deep_asserts=False) for n in (5, 6, 7, 8)]
    assert all(r.verdict is Verdict.PROVED for r in results)
    assert {b.stats["instances"] - a.stats["instances"] for a, b in pairwise(results)} == {1}


def test_growth_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = fig1_growth.CONFIGURATIONS
    monkeypatch.setattr(fig1_growth, "CONFIGURATIONS", {name: every[name] for name in ("SI", "AT", "DI+DA")})
    done = bench("fig1.py", "--most", "1", "--limit", "20", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[2:6]]
    assert [(row[0], row[2]) for row in rows] == [
        *(("SI", "bounded"), ("AT", "proved"), ("DI+DA", "proved"), ("AT+Pre", "proved")),
    ]


def test_drivers_are_programs_and_twins_differ_in_the_bug_alone() -> None:
    drivers = suite(seeds=2, largest=60)
    assert len({d.name for d in drivers}) == len(drivers)
    for bug, fixed in zip(drivers[::2], drivers[1::2], strict=True):
        texts = [d.text() for d in (bug, fixed)]
        assert texts == [d.text() for d in (bug, fixed)]
        programs = [load([Source(text)]) for text in texts]
        assert all(len(p.procedures) == bug.size.procedures for p in programs)
        changed = [a.name for a, b in zip(programs[0].procedures, programs[1].procedures, strict=True) if a != b]
        assert len(changed) == 1
        assert (bug.expected, fixed.expected) == ("bug", "safe")


@pytest.mark.slow
@pytest.mark.parametrize("driver", suite(seeds=2, largest=30), ids=lambda d: d.name)
def test_drivers_are_what_they_say(driver: Driver) -> None:
    result = check(load([Source(driver.text())]), Options.of(deep_asserts=True, recursion_bound=4))
    assert (result.verdict == "bug") == (driver.expected == "bug")


ALGORITHM_RUN = ablation.Run("SI", "a.bpl", "bug", "bug", "", 30, 2.0, 90.0, None, 10, 4, 1.4)


def test_the_table_of_algorithms() -> None:
    runs = [
        ALGORITHM_RUN,
        replace(ALGORITHM_RUN, program="b.bpl", expected="safe", verdict="bounded", cpu_s=3.0, growth=1.6),
        replace(ALGORITHM_RUN, program="c.bpl", verdict="timeout", instances=None, cpu_s=30.0),
        replace(ALGORITHM_RUN, algorithm="SI+DA+H", houdini_s=0.5, verdict="proved"),
        replace(ALGORITHM_RUN, algorithm="SI+DA+H", program="b.bpl", expected="safe", verdict="unknown", growth=1.6),
    ]
    shown = ablation.report(runs)
    lines = [line.split() for line in shown.splitlines()]
    assert lines[2] == ["SI", "1", "1", "1", "0", "0", "0.0", "2.0", "3.0", "35.0", "20"]
    assert lines[3] == ["SI+DA+H", "0", "0", "0", "1", "1", "0.5", "0.0", "2.0", "4.0", "0"]
    assert "1.4 to 1.6 times as large" in shown
    assert "SI+DA+H says proved of a.bpl, which is bug" in shown


def test_every_combination_is_an_algorithm() -> None:
    known = ablation.configurations()
    assert len(known) == 20
    assert known["AT+H"] == ["--engine=alternating", "--no-deep-asserts", "--no-houdini", "--refine=none", "--houdini"]
    for words in known.values():
        assert main(["check", *words, "--help"]) == 0


def test_algorithms_are_measured(tmp_path: Path) -> None:
    (tmp_path / "p.bpl").write_text("procedure main(x: int) { call P(x); } procedure P(x: int) { assert x > 0; }")
    (tmp_path / "verdicts.tsv").write_text("file\texpected\np.bpl\tbug\n")
    words = ["--largest", "0", "--only", "SI,DI+DA", "--limit", "20", "--out", tmp_path / "out"]
    done = bench("ablation.py", tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert [line.split()[:6] for line in done.stdout.splitlines()[2:4]] == [
        ["SI", "0", "0", "1", "0", "0"],
        ["DI+DA", "0", "0", "1", "0", "0"],
    ]
    again = bench("ablation.py", "--from", tmp_path / "out" / "results.tsv", "--out", tmp_path / "out")
    assert again.stdout == done.stdout


def test_programs_of_folders(tmp_path: Path) -> None:
    """Of either kind of table; at the bound of the table, if it has one."""
    asserting = "procedure main() { call P(); } procedure P() { assert false; }"
    returning = "procedure {:entrypoint} main(x: int) { assume {:OldAssert} x > 0; }"
    for name, text in (("a", asserting), ("b", returning), ("c", returning), ("d", returning)):
        (tmp_path / f"{name}.bpl").write_text(text)
    rows = ["b.bpl 1 bug", "x.c 1 bug", "c.bpl 2 bound", "y.c 1 bug", "d.bpl 3 unknown"]
    header = ["file", "recursion_bound", "reference", "corral_di", "corral_cpu_s", "corral_instances"]
    lines = [header, *([*row.split(), "timeout", "60.0", "-"] for row in rows)]
    (tmp_path / "verdicts.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
    named = [tmp_path, tmp_path / "a.bpl"]
    globs = ["?.bpl", "driver_024_lock*"]
    options = Namespace(out=tmp_path / "out", recursion_bound=4, seeds=1, largest=36, files=globs, programs=named)
    bug, fixed, *others = ablation.programs(options)
    assert [(p.path.name, p.expected, p.recursion_bound) for p in (bug, fixed)] == [
        ("driver_024_lock_0_bug.bpl", "bug", 4),
        ("driver_024_lock_0_fixed.bpl", "safe", 4),
    ]
    assert [(p.path.name, p.expected, p.recursion_bound) for p in others] == [
        *(("b.bpl", "bug", 1), ("c.bpl", "safe", 2), ("d.bpl", "", 3), ("a.bpl", "", 4)),
    ]
    assert [p.growth is None for p in (bug, fixed, *others)] == [False, False, True, True, True, False]
