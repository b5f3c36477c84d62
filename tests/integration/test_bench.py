"""The benchmarks measure what they say: limits, verdicts against what is known, what is asked for, counts."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

import paddock
from tests.integration.benchmarks import ROOT, bench

# From here on, what is under `bench/`, which the import above has made known.
# isort: split
from fig3 import c_program, exponent, factor, undecided
from implications import Row as ImplicationsRow
from implications import report as implications_report
from measure import CpuLimit, Limits, cpu_limit, measure, measure_all
from merging import Sizes, Task, report
from pthread import PROGRAM as PTHREAD_PROGRAM
from pthread import Run as PthreadRun
from pthread import report as pthread_report
from refinement import Row
from refinement import report as refinement_report
from regions import Run as RegionRun
from regions import report as regions_report
from sdv_results import Run, cpu_bar, instances_bar, merging_bar, solved_bar
from svcomp import Run as CRun
from tables import read_rows, write_header, write_row
from threads import program as driver_with_threads

RETURNS = "procedure {:entrypoint} main() { call P(); } procedure P() { }\n"
NEVER_RETURNS = "procedure {:entrypoint} main() { call P(); } procedure P() { assume false; }\n"

# A run as the table of results has it; tests change what they are about.
RUN = Run(
    config="dag",
    file="a.bpl",
    bound=1,
    limit_s=60,
    verdict="bounded",
    reason="cut off: calls of P",
    cpu_s=2.0,
    wall_s=2.5,
    peak_mb=90.0,
    instances=10,
    merged=3,
    queries=4,
    solver_s=0.5,
    merge_s=0.01,
    reference="bound",
    reference_bound=1,
    corral="bound",
    corral_cpu_s=20.0,
    corral_instances=12,
)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


# --- measuring -----------------------------------------------------------------------------------


def test_a_command_is_measured() -> None:
    done = measure(python("import sys; print('out'); print('error', file=sys.stderr); sys.exit(3)"), Limits(10, 1000))
    assert (done.status, done.out, done.error, done.timed_out) == (3, "out\n", "error\n", False)
    assert 0 < done.cpu_s < 10
    assert done.peak_mb > 1  # before it starts, a process is a copy of this one, whatever its size


def test_cpu_time_of_descendants_counts() -> None:
    busy = "import time\nwhile time.process_time() < 0.5: pass"
    done = measure(
        python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])"), Limits(10, 1000)
    )
    assert done.cpu_s >= 0.5


def test_a_command_is_stopped_when_its_cpu_time_is_up() -> None:
    done = measure(python("while True: pass"), Limits(1, 1000))
    assert done.timed_out
    assert done.cpu_s >= 1
    assert done.status != 0


def test_a_command_that_sleeps_is_stopped_and_charged_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("measure.WALL_FACTOR", 0.5)
    done = measure(python("import time; time.sleep(60)"), Limits(1, 1000))
    assert done.timed_out
    assert done.cpu_s == 1


def test_memory_is_limited() -> None:
    done = measure(python("bytearray(1 << 30)"), Limits(10, 500))
    assert done.status == 1
    assert "MemoryError" in done.error


def test_nothing_outlives_its_measurement() -> None:
    done = measure(["sh", "-c", "sleep 60 & echo $!"], Limits(10, 1000))
    assert _is_gone(int(done.out))


def test_what_runs_is_killed_when_nobody_wants_the_rest(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    sleeps = ["sh", "-c", f"echo $$ > {pid}.new; mv {pid}.new {pid}; sleep 60"]
    waits_for_it = ["sh", "-c", f"until [ -e {pid} ]; do sleep 0.1; done"]
    results = measure_all([sleeps, waits_for_it], Limits(10, 1000), jobs=2)
    assert next(results)[0] == 1
    results.close()  # type: ignore[attr-defined]
    assert _is_gone(int(pid.read_text()))


def _is_gone(pid: int) -> bool:
    """Whether a process ends soon: it takes a while until one that was killed is no more."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_commands_end_in_their_own_time(tmp_path: Path) -> None:
    late = ["sh", "-c", f"until [ -e {tmp_path}/early ]; do sleep 0.1; done; sleep 1"]
    early = ["touch", str(tmp_path / "early")]
    assert [n for n, _ in measure_all([late, early], Limits(10, 1000), jobs=2)] == [1, 0]
    assert [n for n, _ in measure_all([["true"]] * 3, Limits(10, 1000))] == [0, 1, 2]


def test_python_code_can_be_limited() -> None:
    with pytest.raises(CpuLimit), cpu_limit(0.05):
        sum(iter(lambda: 1, 0))  # for ever


# --- drivers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdict", "bound", "reference", "reference_bound", "is_contradicted"),
    [
        ("bug", 1, "bound", 1, True),
        ("bug", 2, "bound", 1, False),  # deeper than anybody has looked
        ("bug", 1, "correct", 1, True),
        ("bug", 9, "correct", 1, True),
        ("bug", 1, "safe", None, True),
        ("bug", 1, "bug", 1, False),
        ("bug", 1, "unknown", 1, False),
        ("proved", 1, "bound", 1, False),
        ("proved", 1, "correct", 1, False),
        ("proved", 1, "bug", 1, True),
        ("proved", 1, "bug", None, True),
        ("bounded", 1, "bug", 1, True),
        ("bounded", 1, "bug", 2, False),
        ("bounded", 1, "bug", None, False),  # which may need a larger bound
        ("bounded", 1, "correct", 1, False),
        ("timeout", 1, "bug", 1, False),
        ("unknown", 1, "correct", 1, False),
    ],
)
def test_contradictions(
    verdict: str, bound: int, reference: str, reference_bound: int | None, is_contradicted: bool
) -> None:
    run = replace(RUN, verdict=verdict, bound=bound, reference=reference, reference_bound=reference_bound)
    assert run.is_contradicted == is_contradicted
    assert run.is_solved == (verdict in ("bug", "proved", "bounded") and not is_contradicted)


def test_cpu_seconds_against_corral() -> None:
    hard = replace(RUN, corral="timeout", corral_cpu_s=60.1, cpu_s=50.0)
    quick_failure = replace(RUN, verdict="error", cpu_s=0.1, corral_cpu_s=180.0)
    assert str(cpu_bar([RUN, hard])).endswith("2.0 / Corral's 20.0 = 0.10 (at most 0.2: met)")
    assert str(cpu_bar([RUN, quick_failure])).endswith("62.0 / Corral's 200.0 = 0.31 (at most 0.2: NOT MET)")
    assert cpu_bar([hard]) is None


def test_share_of_what_corral_did_not_solve() -> None:
    hard = replace(RUN, corral="timeout", corral_cpu_s=60.1)
    late = replace(hard, limit_s=100, cpu_s=70.0)
    wrong = replace(hard, verdict="bug")
    assert str(solved_bar([RUN, hard])).endswith("1 / 1 = 1.00 (at least 0.6: met)")
    assert str(solved_bar([hard, late, wrong, replace(hard, verdict="timeout")])).endswith(
        "1 / 4 = 0.25 (at least 0.6: NOT MET)"
    )
    assert solved_bar([RUN]) is None


def test_instances_of_the_tree_against_those_of_the_graph() -> None:
    other = replace(RUN, file="b.bpl", instances=20)
    tree = [replace(RUN, instances=30), replace(other, instances=60), replace(RUN, file="c.bpl", instances=999)]
    assert str(instances_bar([RUN, other], tree, "tree")).endswith("90 / 30 = 3.00 (at least 2.5: met)")
    unsolved = replace(RUN, verdict="timeout", instances=None)
    assert instances_bar([unsolved], tree, "tree") is None


def test_share_of_merging() -> None:
    other = replace(RUN, file="b.bpl", merge_s=0.05)
    assert str(merging_bar([RUN])).endswith("(most on a.bpl, 0.50): 0.01 / 2.0 = 0.50 (at most 1: met)")
    assert str(merging_bar([RUN, other])).endswith("(most on b.bpl, 2.50): 0.06 / 4.0 = 1.50 (at most 1: NOT MET)")
    assert merging_bar([replace(other, verdict="timeout")]) is None


def test_results_can_be_read_back(tmp_path: Path) -> None:
    runs = [RUN, replace(RUN, verdict="timeout", reason="", instances=None, corral="", corral_cpu_s=None)]
    with (tmp_path / "results.tsv").open("w") as file:
        write_header(file, Run)
        for run in runs:
            write_row(file, run)
    assert read_rows(tmp_path / "results.tsv", Run) == runs


def test_with_and_without_free_postconditions(tmp_path: Path) -> None:
    (tmp_path / "verdicts.tsv").write_text("file\texpected\none.bpl\tsafe\n")
    text = "var g: int; procedure main() { call P(); assume g < 0; } procedure P(); modifies g; free ensures g > 0; "
    (tmp_path / "one.bpl").write_text(text + "implementation P() { havoc g; }")
    out = tmp_path / "out"
    done = bench("sdv.py", tmp_path, "--config", "dag=--engine dag", "--limit", "20", "--out", out, "--inv", "both")
    assert done.returncode == 1  # without what is not true it returns
    runs = {run.config: run.verdict for run in read_rows(out / "results.tsv", Run)}
    assert runs == {"dag+Inv": "proved", "dag-Inv": "bug"}


def test_a_folder_is_measured(tmp_path: Path) -> None:
    columns = ["file recursion_bound reference corral_di corral_cpu_s corral_instances second"]
    known = ["right.bpl 1 bug bug 20.0 2 bug", "wrong.bpl 1 bug timeout 60.1 - bug", "absent.bpl 1 bound bound 5.0 9 -"]
    table = "".join("\t".join(line.split()) + "\n" for line in columns + known)
    (tmp_path / "verdicts.tsv").write_text(table)
    (tmp_path / "right.bpl").write_text(RETURNS)
    (tmp_path / "wrong.bpl").write_text(NEVER_RETURNS)
    out = tmp_path / "out"
    done = bench("sdv.py", tmp_path, "--config", "mine=--engine dag", "--limit", "20", "--out", out, "--jobs", "2")
    assert done.returncode == 1, done.stderr  # since one verdict contradicts what is known
    runs = {run.file: run for run in read_rows(out / "results.tsv", Run)}
    assert {file: run.verdict for file, run in runs.items()} == {
        "right.bpl": "bug",
        "wrong.bpl": "proved",
        "absent.bpl": "error",
    }
    assert runs["right.bpl"].instances == 2
    assert "No such file" in runs["absent.bpl"].reason
    marked = [line.split()[0] for line in done.stdout.splitlines() if line.endswith("CONTRADICTS what is known")]
    assert marked == ["wrong"]
    assert "mine: solved in 20 CPU s of those that Corral did not solve in 60: 0 / 1 = 0.00" in done.stdout

    again = bench("sdv.py", "--from", out / "results.tsv", "--out", tmp_path / "again")
    assert again.returncode == 1
    assert again.stdout.split("plots:")[0] == done.stdout.split("plots:")[0]
    has_plots = find_spec("matplotlib") is not None
    for stem in ("cactus", "scatter-mine-Corral"):
        for ending in (".svg", ".png"):
            assert (tmp_path / "again" / (stem + ending)).exists() == has_plots
    assert ("pip install '.[plots]'" in again.stderr) != has_plots


def test_other_tables_of_verdicts_are_read(tmp_path: Path) -> None:
    (tmp_path / "verdicts.tsv").write_text("file\texpected\tdriver\nsafe.bpl\tsafe\tx\nbug.bpl\tbug\ty\n")
    (tmp_path / "safe.bpl").write_text(NEVER_RETURNS)
    out = tmp_path / "out"
    done = bench("sdv.py", tmp_path, "--config", "mine=--engine dag", "--files", "s*", "--out", out)
    assert done.returncode == 0, done.stderr
    (run,) = read_rows(out / "results.tsv", Run)
    assert (run.file, run.verdict, run.reference, run.reference_bound) == ("safe.bpl", "proved", "safe", None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either a folder or --from"),
        (["x", "--from", "y"], "give either a folder or --from"),
        (["x", "--config", "dag"], "NAME=OPTIONS"),
        (["x", "--limit", "0"], "at least 1"),
        (["no/such/folder"], "cannot read no/such/folder/verdicts.tsv: No such file or directory"),
        (["--from", __file__], "does not hold results of this benchmark"),
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = bench("sdv.py", *arguments, "--out", tmp_path)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr


# --- tasks in C ----------------------------------------------------------------------------------

REPORTS = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);\n"


def test_tasks_in_c_are_measured_beside_cbmc(tmp_path: Path) -> None:
    columns = ["category file expected cbmc_unwind10 cbmc_cpu_s"]
    known = [
        "some some/bug.c bug right 0.1",
        "some some/mistaken.c bug timeout 60.0",
        "other other/absent.c safe right 1.0",
    ]
    table = "".join("\t".join(line.split()) + "\n" for line in columns + known)
    (tmp_path / "verdicts.tsv").write_text(table)
    (tmp_path / "some").mkdir()
    bug = "int main(void) { if (__VERIFIER_nondet_int() == 3) __VERIFIER_error(); return 0; }\n"
    (tmp_path / "some" / "bug.c").write_text(REPORTS + bug)
    (tmp_path / "some" / "mistaken.c").write_text(REPORTS + "int main(void) { return sizeof(long) - 4; }\n")
    arguments = [tmp_path, "--category", "some", "--limit", "20", "--out", tmp_path / "out"]
    done = bench("svcomp.py", *arguments, "--files", "b*")
    assert done.returncode == 0, done.stderr
    done = bench("svcomp.py", *arguments, "--resume")
    assert done.returncode == 1, done.stderr  # since one verdict is wrong, if the table is right
    assert done.stderr.startswith("[2/2] some/mistaken.c: proved")  # and nothing of the other one
    cells = [line.split() for line in done.stdout.splitlines()]
    grades = {row[0]: row[1:4] for row in cells if row and row[0].endswith(".c")}
    assert grades == {"bug.c": ["bug", "bug", "right"], "mistaken.c": ["bug", "proved", "WRONG"]}
    (summary,) = [row for row in cells if row[:1] == ["all"]]
    assert summary[1:7] == ["2", "1", "1", "0", "0", "0"]
    assert summary[8:] == ["1", "60.1"]


@pytest.mark.parametrize(
    ("verdict", "expected", "grade"),
    [
        ("bug", "bug", "right"),
        ("bug", "safe", "wrong"),
        ("proved", "safe", "right"),
        ("proved", "bug", "wrong"),
        ("bounded", "safe", "right"),
        ("bounded", "bug", "missed"),
        ("unknown", "safe", "unknown"),
        ("timeout", "bug", "unknown"),
        ("error", "safe", "unknown"),
    ],
)
def test_grades(verdict: str, expected: str, grade: str) -> None:
    used = (1.0, 1.0, 50.0, 3, 4, 0.5, 0.1)
    assert CRun("some", "a.c", "", 60, verdict, "", *used, expected, "right", 0.1).grade == grade


# --- growth --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_growth_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fig3.TOOLS", ("dag", "dag-undecided", "stratified-undecided", "eager-nofacts"))
    done = bench("fig3.py", "--most", "2", "--limit", "20", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    sizes = {row[0]: (row[2], *row[5:]) for row in rows if row[1:2] == ["2"] and row[0] != "CBMC"}
    # 3N + 2 nodes of a DAG, 2^(N + 2) - 2 of a tree; one call less than nodes, and in the DAG P1 and P2 are shared.
    # With facts the entry is all that is needed, unless they do not decide the assertion.
    graph, tree = ("proved", "8", "17"), ("proved", "14", "27")
    assert sizes == {
        "dag": ("proved", "1", "1"),
        "dag-undecided": graph,
        "stratified-undecided": tree,
        "eager-nofacts": tree,
    }
    assert "dag: CPU time at N = 500: NOT MET, not proved" in done.stdout
    assert "dag-undecided: CPU time at N = 400: NOT MET, not proved" in done.stdout


def test_the_fit_finds_the_exponent() -> None:
    assert exponent([(n, 7 * n**1.5) for n in (50, 100, 400)]) == pytest.approx(1.5)
    assert factor([(n, 7 * 1.5**n) for n in (2, 4, 8)]) == pytest.approx(1.5)


def test_facts_do_not_decide_the_other_program() -> None:
    assert "assert f(g) == f(40);" in undecided(40)
    assert "assert g ==" not in undecided(40)


def test_the_c_program_has_the_same_procedures() -> None:
    text = c_program(40)
    assert text.count("static void") == 3 * 40 + 1
    assert text.count("P40();") == 2
    assert "__CPROVER_assert(g == 40" in text


# --- merging -------------------------------------------------------------------------------------


def test_strategies_are_compared(tmp_path: Path) -> None:
    done = bench("merging.py", ROOT / "examples" / "fig2.bpl", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    row = next(line.split() for line in done.stdout.splitlines() if line.startswith("fig2.bpl"))
    tree, opt, first, maxc, random, randompick = map(int, row[1:])
    assert tree == 2 ** (3 + 2) - 2
    assert opt == first == maxc == randompick == 3 * 3 + 2
    assert opt <= random <= tree
    assert "FIRST: 0.0% above OPT on average (at most 10%: met)" in done.stdout


@pytest.mark.parametrize("bound", [1, 2, 4])
@pytest.mark.parametrize("file", ["fig2.bpl", "recursive.bpl", "lock.bpl"])
def test_the_tree_is_counted_as_it_would_be_built(file: str, bound: int) -> None:
    task = Task(ROOT / "examples" / file, bound, data_disjointness=False)
    assert task.size("tree", limit_s=20, seeds=1) == len(task.grown(lambda graph, edge: None).nodes)


def test_time_runs_out(tmp_path: Path) -> None:
    levels = [f"procedure P{i}() {{ call P{i + 1}(); call P{i + 1}(); }}" for i in range(40)]
    (tmp_path / "deep.bpl").write_text(
        "\n".join(["procedure main() { call P0(); }", *levels, "procedure P40() { }"]), encoding="utf-8"
    )
    task = Task(tmp_path / "deep.bpl", 1, data_disjointness=False)
    assert task.size("tree", limit_s=20, seeds=1) == 2**41
    assert task.size("first", limit_s=0.2, seeds=1) is None


def test_deviations_are_averaged_where_both_ended() -> None:
    rows = [
        Sizes("a", 100, 10, 11, None, 20, 10),
        Sizes("b", 10**12, 10, 13, 10, None, 10),
        Sizes("c", 100, None, 50, 50, 50, 50),
    ]
    text = report(rows)
    assert text.splitlines()[-3].split()[-6:] == ["-", "-", "+20.0%", "+0.0%", "+100.0%", "+0.0%"]
    assert "1.0e+12" in text
    assert text.splitlines()[-1] == "FIRST: 20.0% above OPT on average (at most 10%: NOT MET)"


# --- refinement ------------------------------------------------------------------------------------


def test_refinements_are_compared(tmp_path: Path) -> None:
    done = bench("refinement.py", "--sizes", "10", "--seeds", "1", "--repeat", "1", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = read_rows(tmp_path / "results.tsv", Row)
    assert rows
    assert all(row.program == "driver-10-0" and 1 <= row.needed <= row.undecided <= 11 for row in rows)
    assert all(row.storm_calls == row.undecided and row.alg1_calls == row.alg2_calls for row in rows)
    assert "alg2: no path where at most 2 of at least 200 suffice" in done.stdout


def test_spurious_paths_are_taken_from_files(tmp_path: Path) -> None:
    done = bench("refinement.py", ROOT / "examples" / "heap.bpl", "--repeat", "1", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    assert [(row.program, row.needed) for row in read_rows(tmp_path / "results.tsv", Row)] == [("heap.bpl", 1)] * 2
    wrong = bench("refinement.py", tmp_path / "absent.bpl", "--out", tmp_path)
    assert wrong.returncode == 1
    assert "cannot read the file" in wrong.stderr


def test_calls_are_compared_where_few_variables_suffice_among_many() -> None:
    few = Row("a", 0, 200, 2, 200, 25, 20, 4, 4.0, 0.5, 0.1, 0.1)
    many = replace(few, needed=3, alg2_calls=900)
    small = replace(few, undecided=199, alg2_calls=900)
    lines = refinement_report([few, many, small]).splitlines()
    assert lines[-1].endswith("(1 paths), 200 calls of storm / 20 = 10.0 (at least 10: met)")
    assert lines[-4] == "storm: 40.0 times the CPU seconds of alg2"
    assert refinement_report([replace(few, alg2_calls=21)]).endswith("= 9.5 (at least 10: NOT MET)")


IMPLIED = """
int nondet(void);
int main(void) {
    int i = 0, s = 0, n = nondet();
    if (n < 0 || n > 2) return 0;
    while (i < n) { s += 2; i++; }
    return s;
}
"""


def test_implications_are_measured_in_every_way(tmp_path: Path) -> None:
    program = tmp_path / "p.c"
    program.write_text(IMPLIED)
    out = tmp_path / "out"
    done = bench("implications.py", program, "--ways", "with,alone,one,once", "--per-point", "3", "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verdicts that differ: 0" in done.stdout
    (row,) = read_rows(out / "results.tsv", ImplicationsRow)
    assert row.checks < row.asserts
    assert row.implications
    assert row.steps
    assert all(float(spent) >= 0 for spent in (row.with_s, row.alone_s, row.one_s, row.once_s))


def test_implications_must_pay_where_there_are_many_assertions() -> None:
    row = ImplicationsRow("p.c", 10, 101, 5, "auto", 96, 1.0, "3.0", "4.0", "", "", 0, 0)
    assert implications_report([row])[1]
    assert implications_report([replace(row, alone_s="4.0+")])[1]
    assert not implications_report([replace(row, alone_s="2.0")])[1]
    assert not implications_report([replace(row, with_s="3.0+")])[1]
    assert not implications_report([replace(row, different=1)])[1]
    assert implications_report([replace(row, asserts=100, alone_s="2.0")])[1]


# --- regions ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_gambling_is_measured(tmp_path: Path) -> None:
    (tmp_path / "one.knowledge").write_text("int x = 1;\n")
    (tmp_path / "one.assert").write_text('__CPROVER_assert(x == 1, "postcondition");\n')
    arguments = [tmp_path, "--limit", "20", "--out", tmp_path / "out", "--structures", "Single 1", "--every", "3"]
    done = bench("regions.py", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = [line.split() for line in done.stdout.splitlines() if line.startswith("small")]
    assert row[1:] == ["1/1", "of", "1"]
    assert done.stdout.count(": met") == 3
    assert "[1/" not in bench("regions.py", *arguments, "--resume").stderr
    assert bench("regions.py", tmp_path / "out", "--out", tmp_path / "out").returncode == 1


def test_the_bars_of_gambling() -> None:
    def run(config: str, verdict: str, cpu_s: float, structure: str = "Single 1", hit: int | None = 0) -> RegionRun:
        bounds = "none" if structure == "Baseline" else "large"
        return RegionRun("one", structure, bounds, config, 60, verdict, "", cpu_s, cpu_s, hit)

    fine = [run("plain", "proved", 2.0), run("gamble", "proved", 2.4)]
    assert regions_report(fine)[1]
    assert "misses cost 1.20 times as much, in sum over 1 cases" in regions_report(fine)[0]
    assert not regions_report([fine[0], run("gamble", "proved", 2.8)])[1]
    assert regions_report([fine[0], run("gamble", "proved", 2.8, hit=1)])[1]
    assert not regions_report([fine[0], run("gamble", "timeout", 60.0)])[1]
    base = [run(config, "proved", 1.0, "Baseline") for config in ("plain", "gamble")]
    missed = [run(config, "bounded", 9.0) for config in ("plain", "gamble")]
    assert "one-Single1-large" in regions_report([*base, *missed])[0]
    assert not regions_report([*base, *missed])[1] and regions_report(missed)[1]


def test_verdicts_on_tasks_with_threads_are_graded() -> None:
    grades = {
        (verdict, expected): PthreadRun("a.i", expected, verdict, "", 1.0, 1.0).grade
        for verdict in ("bug", "proved", "bounded", "timeout")
        for expected in ("bug", "safe")
    }
    assert [known for known, grade in grades.items() if grade == "right"] == [
        ("bug", "bug"),
        ("proved", "safe"),
        ("bounded", "safe"),
    ]
    assert [known for known, grade in grades.items() if grade == "WRONG"] == [("bug", "safe"), ("proved", "bug")]
    runs = [PthreadRun("a.i", "bug", "bounded", "", 1.0, 1.0), PthreadRun("b.i", "safe", "bounded", "", 1.0, 1.0)]
    assert pthread_report(runs).splitlines()[-2:] == ["bug: 1 missed", "safe: 1 right"]
    beside = pthread_report(runs, {"a.i": ("bug", 2.5)})
    assert "CBMC" in beside and "2.5" in beside and "CBMC" not in pthread_report(runs)


def test_the_program_with_threads_that_grows_is_correct(tmp_path: Path) -> None:
    options = paddock.Options.of(definitions=("THREADS=2",))
    for text, verdict in (
        (PTHREAD_PROGRAM, "bounded"),
        (PTHREAD_PROGRAM.replace("pthread_mutex_lock(&mutex);", ""), "bug"),
    ):
        (file := tmp_path / "grows.c").write_text(text, encoding="utf-8")
        assert paddock.check(paddock.load(file, options=options), options).verdict == verdict


def test_the_driver_with_threads_grows_and_is_correct() -> None:
    small, large = (paddock.load(driver_with_threads(n, n)) for n in (1, 3))
    assert len(large.procedures) == len(small.procedures) + 2
    assert paddock.check(large, paddock.Options.of(contexts=1)).verdict == "bounded"
