"""Measures what each part of Paddock is worth on programs with deep assertions: Fig. 11 of the deep-asserts paper.

    python bench/ablation.py [PROGRAM ...] [--limit 30] [--seeds 1] [--largest 200] [--only SI,DI+DA] [--out DIR]
    python bench/ablation.py FOLDER ... --files 'driver_1*' --files 'ssh*' --further '--data-model ilp32'
    python bench/ablation.py --from RESULTS.tsv [--out DIR]

The algorithms are stratified inlining (SI), DAG inlining (DI) and alternating search (AT), each with and without deep
assertions (DA), Houdini summaries (H) and variable abstraction (A). Once assertions are lifted, AT is no different from
the others (Lal and Qadeer, FMCAD 2014, §VI), so it has no DA. The programs are the drivers that `drivers.py` writes,
and whatever is named: files, or folders with a `verdicts.tsv`, of either kind that `sdv.py` reads. Every run is a
process of its own with a limit of CPU time and of memory. Ends with status 1 if a verdict contradicts what is known of
a program.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import product
from pathlib import Path

import plots
from checking import Answer, check_all
from drivers import write_suite
from measure import Limits
from sdv_results import CONCLUSIVE, NO_BUG, Task, read_tasks
from tables import read_rows, text_table

import paddock
from paddock.driver import loading, pipeline
from paddock.driver.plan import LIFTING, has_assertion
from paddock.ir.origin import InputError

ENGINES = {"SI": "stratified", "DI": "dag", "AT": "alternating"}
PARTS = {"DA": "--deep-asserts", "H": "--houdini", "A": "--refine=alg2"}
OFF = ("--no-deep-asserts", "--no-houdini", "--refine=none")


def configurations() -> dict[str, list[str]]:
    """The options of each algorithm, by its name in the table; everything that is not named is off."""
    found = {}
    for parts in product(*[(False, True)] * len(PARTS)):
        chosen = [part for part, is_on in zip(PARTS, reversed(parts), strict=True) if is_on]
        for name, engine in ENGINES.items():
            if not (name == "AT" and "DA" in chosen):
                options = [f"--engine={engine}", *OFF, *(PARTS[part] for part in chosen)]
                found["+".join([name, *chosen])] = options
    return found


@dataclass(frozen=True, slots=True)
class Run:
    """One algorithm on one program: a line of the results."""

    algorithm: str
    program: str
    expected: str  # bug or safe, empty if not known; up to the bound, if verdicts.tsv has one
    verdict: str  # bug, proved, bounded; or unknown, timeout, error
    reason: str
    limit_s: int
    cpu_s: float
    peak_mb: float
    houdini_s: float | None
    instances: int | None
    queries: int | None
    growth: float | None  # size of the program with deep assertions, in times of that without

    @property
    def name(self) -> str:
        return f"{self.program} {self.algorithm}"

    @property
    def is_contradicted(self) -> bool:
        return (self.verdict, self.expected) in (("bug", "safe"), ("proved", "bug"))

    @property
    def is_solved(self) -> bool:
        return self.verdict in CONCLUSIVE and not self.is_contradicted


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    options.out.mkdir(parents=True, exist_ok=True)
    runs = read_rows(options.results, Run) if options.results else _measured(options)
    if not runs:
        sys.exit("there are no results")
    print(report(runs))
    _draw(runs, options.out)
    return 1 if any(run.is_contradicted for run in runs) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure what each part of Paddock is worth.")
    add = parser.add_argument
    add("programs", nargs="*", type=Path, metavar="PROGRAM", help="a file, or a folder with a verdicts.tsv")
    add("--from", dest="results", type=Path, metavar="TSV", help="show earlier results again instead of measuring")
    add(
        "--files", action="append", metavar="GLOB", help="only drivers and files of folders with such names; repeatable"
    )
    add("--further", default="", metavar="OPTIONS", help="options of every check, as one word")
    add("--limit", type=int, default=30, metavar="S", help="CPU seconds a run (default: %(default)s)")
    add("--memory", type=int, default=4096, metavar="MB", help="address space of a run (default: %(default)s)")
    add(
        "--recursion-bound",
        type=int,
        default=4,
        metavar="R",
        help="where a verdicts.tsv has none (default: %(default)s)",
    )
    add("--seeds", type=int, default=1, metavar="N", help="drivers of each kind (default: %(default)s)")
    add(
        "--largest",
        type=int,
        default=200,
        metavar="N",
        help="procedures of a driver; 0 for none (default: %(default)s)",
    )
    add("--only", metavar="NAMES", help=f"algorithms, of {', '.join(configurations())} (default: all)")
    add("--jobs", type=int, default=1, metavar="N", help="runs at a time (default: %(default)s)")
    add("--out", type=Path, metavar="DIR", default=Path("build/bench/ablation"), help="default: %(default)s")
    add("--resume", action="store_true", help="keep what an earlier run has found out of the same checks")
    options = parser.parse_args()
    at_least_1 = ("limit", "memory", "recursion_bound", "seeds", "jobs")
    if wrong := [name for name in at_least_1 if getattr(options, name) < 1]:
        parser.error(f"--{wrong[0].replace('_', '-')} must be at least 1")
    known = configurations()
    names = options.only.split(",") if options.only else list(known)
    if unknown := [name for name in names if name not in known]:
        parser.error(f"there is no algorithm {unknown[0]}: choose from {', '.join(known)}")
    options.algorithms = {name: known[name] for name in names}
    return options


# --- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Program:
    """One of the set, with what is known of it."""

    path: Path
    expected: str
    recursion_bound: int
    growth: float | None


def programs(options: argparse.Namespace) -> Iterator[Program]:
    bound = options.recursion_bound
    drivers = options.out / "drivers"
    write_suite(drivers, options.seeds, options.largest)
    for path in (drivers, *options.programs):
        if path.is_dir():
            for task in _chosen(path, options.files or ["*"]):
                expected = "safe" if task.reference in NO_BUG else task.reference.replace("unknown", "")
                yield Program(task.path, expected, task.reference_bound or bound, growth(task.path))
        else:
            yield Program(path, "", bound, growth(path))


def _chosen(folder: Path, globs: Sequence[str]) -> list[Task]:
    tasks = ((task, str(task.path.relative_to(folder))) for task in read_tasks(folder))
    return [task for task, name in tasks if any(fnmatch(name, glob) for glob in globs)]


def _measured(options: argparse.Namespace) -> list[Run]:
    """Run every algorithm on every program, the algorithms one after the other: should the machine get slower in the
    course of an hour, then for all of them."""
    further = shlex.split(options.further)
    work = [
        (
            (program, name),
            (*further, f"--recursion-bound={program.recursion_bound}", *words, str(program.path)),
        )
        for program in programs(options)
        for name, words in options.algorithms.items()
    ]

    def row(job: tuple[Program, str], answer: Answer) -> Run:
        program, name = job
        known = {"program": program.path.name, "expected": program.expected, "growth": program.growth}
        return answer.row(Run, **known, algorithm=name, limit_s=options.limit)

    return check_all(work, row, Run, options.out, Limits(options.limit, options.memory), options.jobs, options.resume)


def growth(path: Path) -> float | None:
    """By how much lifting the assertions makes a program larger (Theorem 5.3), if it has some. What is asserted in C
    depends on options."""
    if not path.name.endswith(".bpl"):
        return None
    try:
        program = loading.load([loading.read_source(str(path))])
        before = pipeline.transform(program, ["merge-implementations", "check-specs", "extract-loops", "prune"])
        if not has_assertion(before):
            return None
        return round(_size(LIFTING(before)) / _size(before), 2)
    except InputError:
        return None


def _size(program: paddock.Program) -> int:
    """The number of statements and jumps."""
    return sum(len(b.statements) + 1 for p in program.procedures for i in p.implementations for b in i.blocks)


# --- showing -------------------------------------------------------------------------------------


def report(runs: Sequence[Run]) -> str:
    """The table of Fig. 11, and what contradicts what is known."""
    by_algorithm: dict[str, list[Run]] = {}
    for run in runs:
        by_algorithm.setdefault(run.algorithm, []).append(run)
    header = ["algorithm", "#TO", "#Bnd", "#Bugs", "#Proof", "#other", "Houd.", "bug", "no bug", "all", "instances"]
    rows = [(name, *_row(of)) for name, of in by_algorithm.items()]
    count = len({run.program for run in runs})
    note = (
        f"{count} programs. CPU seconds: of Houdini, of runs that found a bug, of those that found none, "
        "of all runs; instances: of the programs that were solved."
    )
    grown = sorted(set({run.program: run.growth for run in runs if run.growth is not None}.values()))
    sizes = f"With DA, programs are {grown[0]:g} to {grown[-1]:g} times as large." if grown else ""
    wrong = [f"{r.algorithm} says {r.verdict} of {r.program}, which is {r.expected}" for r in runs if r.is_contradicted]
    return "\n".join([text_table(header, rows) + note, sizes, *wrong])


def _row(runs: Sequence[Run]) -> tuple[object, ...]:
    counts = {verdict: sum(r.verdict == verdict for r in runs) for verdict in ("timeout", *CONCLUSIVE)}
    bugs, others = (sum((r.cpu_s for r in runs if r.verdict in of), 0.0) for of in (("bug",), ("bounded", "proved")))
    return (
        *(counts["timeout"], counts["bounded"], counts["bug"], counts["proved"], len(runs) - sum(counts.values())),
        *(sum((r.houdini_s or 0.0 for r in runs), 0.0), bugs, others, sum(r.cpu_s for r in runs)),
        sum(r.instances or 0 for r in runs if r.is_solved),
    )


def _draw(runs: Sequence[Run], out: Path) -> None:
    if not plots.are_possible():
        print(plots.HOW_TO_INSTALL, file=sys.stderr)
        return
    solved: dict[str, list[float]] = {run.algorithm: [] for run in runs}
    for run in runs:
        if run.is_solved:
            solved[run.algorithm].append(run.cpu_s)
    print("plots:", *plots.cactus(solved, max(r.limit_s for r in runs), out / "ablation"))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; what was measured is in results.tsv, show it with --from")
