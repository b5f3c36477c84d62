"""Measures Paddock on C tasks of the software-verification competition, category by category, beside CBMC.

    python bench/svcomp.py [FOLDER] [--category NAME ...] [--files GLOB ...] [--limit 60] [--options OPTIONS] [--resume]

Every task is a process of its own with a limit of CPU time and of memory. The tasks ask whether a call that reports an
error can be reached, on a machine of 32 bits; loops and recursion are cut off where `cbmc --unwind 10` cuts them off.
Ends with status 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path

from checking import Answer, check_all
from measure import Limits
from tables import read_tsv, text_table

FOLDER = Path(__file__).parents[2] / "shared" / "svcomp"
OPTIONS = ("--data-model", "ilp32", "--checks", "unreach", "--unwind", "10", "--recursion-bound", "11")


@dataclass(frozen=True, slots=True)
class Task:
    """A file, what is known of it, and how CBMC did: `right`, `missed` (no bug within the bound) or `timeout`."""

    category: str
    file: str  # below the folder
    expected: str  # bug or safe
    cbmc: str
    cbmc_cpu_s: float


@dataclass(frozen=True, slots=True)
class Run:
    """A task with what Paddock said: a line of the results."""

    category: str
    file: str
    options: str
    limit_s: int
    verdict: str  # bug, proved, bounded; or unknown, timeout, error
    reason: str
    cpu_s: float
    wall_s: float
    peak_mb: float
    instances: int | None
    queries: int | None
    solver_s: float | None
    parse_s: float | None
    expected: str
    cbmc: str
    cbmc_cpu_s: float

    @property
    def name(self) -> str:
        return self.file

    @property
    def grade(self) -> str:
        """How the verdict compares with what is known, in the words that CBMC's are judged by: no bug within the bound
        is right for a safe task, and misses the bug of another."""
        match self.verdict, self.expected:
            case ("bug", "bug") | ("proved" | "bounded", "safe"):
                return "right"
            case ("bug", "safe") | ("proved", "bug"):
                return "wrong"
            case "bounded", _:
                return "missed"
            case _:
                return "unknown"


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    runs = _measured(options)
    if not runs:
        sys.exit("there are no such tasks")
    print(report(runs))
    return 1 if any(run.grade == "wrong" for run in runs) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure Paddock on tasks of the software-verification competition.")
    add = parser.add_argument
    add("folder", nargs="?", type=Path, default=FOLDER, help="has the tasks and a verdicts.tsv (default: %(default)s)")
    add("--category", action="append", metavar="NAME", help="only this category; may be repeated")
    add("--files", action="append", metavar="GLOB", help="only files with such names; may be repeated")
    add("--limit", type=int, default=60, metavar="S", help="CPU seconds a task (default: %(default)s)")
    add("--memory", type=int, default=4096, metavar="MB", help="address space of a run (default: %(default)s)")
    add("--options", default="", metavar="OPTIONS", help=f"of `paddock check`, after {' '.join(OPTIONS)}")
    add("--jobs", type=int, default=1, metavar="N", help="runs at a time (default: %(default)s)")
    add(
        "--out", type=Path, metavar="DIR", default=Path("build/bench/svcomp"), help="for results (default: %(default)s)"
    )
    add("--resume", action="store_true", help="keep what an earlier run has found out of the same checks")
    options = parser.parse_args()
    if min(options.limit, options.memory, options.jobs) < 1:
        parser.error("limits and jobs must be at least 1")
    return options


def _measured(options: argparse.Namespace) -> list[Run]:
    tasks = [t for t in _tasks(options.folder) if _is_wanted(t, options.category, options.files or ["*"])]
    words = " ".join((*OPTIONS, *shlex.split(options.options)))
    work = [(task, (*shlex.split(words), str(options.folder / task.file))) for task in tasks]

    def row(task: Task, answer: Answer) -> Run:
        return answer.row(Run, **asdict(task), options=words, limit_s=options.limit)

    limits = Limits(options.limit, options.memory)
    return check_all(work, row, Run, options.out, limits, options.jobs, options.resume)


def _tasks(folder: Path) -> list[Task]:
    return [
        Task(row["category"], row["file"], row["expected"], row["cbmc_unwind10"], float(row["cbmc_cpu_s"]))
        for row in read_tsv(folder / "verdicts.tsv")
    ]


def _is_wanted(task: Task, categories: Sequence[str] | None, globs: Iterable[str]) -> bool:
    if categories is not None and task.category not in categories:
        return False
    return any(fnmatch(Path(task.file).name, glob) for glob in globs)


def report(runs: Sequence[Run]) -> str:
    """A table a category, and one of all categories."""
    categories: dict[str, list[Run]] = {}
    for run in runs:
        categories.setdefault(run.category, []).append(run)
    parts = [f"{name}\n{'=' * len(name)}\n{_table(group)}" for name, group in categories.items()]
    return "\n".join([*parts, _summary(categories)])


def _table(runs: Sequence[Run]) -> str:
    header = "file expected verdict grade CPU_s peak_MB instances queries solver_s parse_s CBMC CBMC_CPU_s note".split()
    rows = [
        (
            *(Path(run.file).name, run.expected, run.verdict, run.grade.upper() if run.grade == "wrong" else run.grade),
            *(run.cpu_s, run.peak_mb, run.instances, run.queries, run.solver_s, run.parse_s, run.cbmc, run.cbmc_cpu_s),
            run.reason if run.grade == "unknown" else "",
        )
        for run in runs
    ]
    return text_table(header, rows)


def _summary(categories: dict[str, list[Run]]) -> str:
    header = "category tasks right wrong missed unknown error CPU_s CBMC_right CBMC_CPU_s".split()
    groups = [*categories.items(), ("all", [run for runs in categories.values() for run in runs])]
    rows = [
        (
            *(name, len(runs), *(sum(run.grade == grade for run in runs) for grade in ("right", "wrong", "missed"))),
            sum(run.grade == "unknown" and run.verdict != "error" for run in runs),
            sum(run.verdict == "error" for run in runs),
            sum(run.cpu_s for run in runs),
            sum(run.cbmc == "right" for run in runs),
            sum(run.cbmc_cpu_s for run in runs),
        )
        for name, runs in groups
    ]
    note = "right: the bug of a task that has one, no bug within the bound of one that has none"
    return f"{text_table(header, rows)}{note}\n"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; go on with --resume")
