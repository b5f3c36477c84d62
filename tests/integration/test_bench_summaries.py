"""The benchmark of summaries measures what it says: second runs, edits, instances, conditions."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.integration.benchmarks import ROOT, bench

# From here on, what is under `bench/`, which the import above has made known.
# isort: split
from summaries import Run as SecondRun
from summaries import edited, is_wrong, options_of
from tables import read_tsv


@pytest.mark.slow
def test_second_runs_are_measured_with_edits(tmp_path: Path) -> None:
    done = bench("summaries.py", ROOT / "examples" / "recursive.bpl", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = read_tsv(tmp_path / "results.tsv")
    assert [row["run"] for row in rows][:3] == ["without", "first", "second"]
    assert {"keep", "change"} <= {row["run"] for row in rows}
    assert "verdicts are those without a store" in done.stdout


def test_edits_keep_or_change_one_assignment() -> None:
    text = "procedure P()\n{\n  x := 3;\n  y := x;\n}\n"
    assert edited(text, "change", Random(1), is_c=False) == text.replace("3", "4")
    kept = {edited(text, "keep", Random(n), is_c=False) for n in range(20)}
    assert kept == {text.replace("x := 3", "assume true; x := 3"), text.replace("y :=", "assume true; y :=")}
    assert edited("procedure P();", "keep", Random(1), is_c=False) is None


def test_callers_see_results_and_globals() -> None:
    text = "var {:x} g: int;\nprocedure P() returns (r: int)\n{\n  var l: int;\n  l := 1;\n  g := 2;\n  r := 3;\n}\n"
    seen = {edited(text, "caller", Random(n), is_c=False) for n in range(20)}
    assert seen == {text.replace("g := 2", "g := 3"), text.replace("r := 3", "r := 4")}
    c_text = "int f(void)\n{\n  x = 1;\n  return (7);\n}\n"
    assert edited(c_text, "caller", Random(1), is_c=True) == c_text.replace("7", "8")


def test_options_are_those_of_the_verdicts_beside_a_program(tmp_path: Path) -> None:
    (tmp_path / "verdicts.tsv").write_text("file\trecursion_bound\na.bpl\t1\n")
    assert options_of(tmp_path / "a.bpl", "dag", 2)[:2] == ("--goal", "return")
    assert options_of(tmp_path / "b.bpl", "dag", 2) == ("--engine", "dag", "--recursion-bound", "2")
    assert options_of(tmp_path / "c.c", "dag", 2) == ()


def test_a_verdict_that_a_store_changes_is_wrong() -> None:
    assert is_wrong(SecondRun("a", "keep", "bug", "proved", 1.0))
    assert not is_wrong(SecondRun("a", "keep", "bounded", "proved", 1.0))
    assert not is_wrong(SecondRun("a", "keep", "timeout", "proved", 1.0))


def test_instances_are_counted_with_and_without_summaries(tmp_path: Path) -> None:
    file = tmp_path / "two.bpl"
    file.write_text(
        "procedure Low(x: int) returns (r: int) { r := x + 1; }\n"
        "procedure High(x: int) returns (r: int) { call r := Low(x); r := r + 1; }\n"
        "procedure main(x: int, y: int)\n"
        "{ var r: int; call r := High(x); assert r > x; call r := High(y); assert r > y; }\n"
    )
    done = bench("summaries.py", "--instances", file, "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    row = next(line.split() for line in done.stdout.splitlines() if line.startswith("two.bpl"))
    assert row[1:3] == ["2", "2"]
    assert int(row[4]) < int(row[3])


def test_summaries_are_counted_with_and_without_implications(tmp_path: Path) -> None:
    file = ROOT / "tests" / "golden" / "summaries" / "example_5.bpl"
    done = bench("summaries.py", "--table-2", file, "--out", tmp_path, "--recursion-bound", "3")
    assert done.returncode == 0, done.stderr
    without, with_ = read_tsv(tmp_path / "table_2.tsv")
    assert without["status"] == with_["status"] == "made"
    assert 0 < int(with_["conditions"]) < int(without["conditions"])
    assert 0 < int(with_["comparisons"]) < int(without["comparisons"])
