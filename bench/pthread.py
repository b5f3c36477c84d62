"""Measures Paddock on C tasks with POSIX threads of the software-verification competition.

    python bench/pthread.py [FOLDER] [--files GLOB ...] [--limit 60] [--contexts 2] [--out DIR]

Every task is a process of its own with a limit of CPU time and of memory. The tasks ask whether a call that reports an
error can be reached, on a machine of 32 bits. Ends with status 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from checking import Answer, check_all
from measure import Limits
from tables import read_tsv, text_table

FOLDER = Path(__file__).parents[2] / "shared" / "pthread"
OPTIONS = ("--data-model", "ilp32", "--checks", "unreach,assert")


@dataclass(frozen=True, slots=True)
class Run:
    """A task with what Paddock said: a line of the results."""

    file: str
    expected: str  # bug or safe
    verdict: str  # bug, proved, bounded; or unknown, timeout, error
    reason: str
    cpu_s: float
    peak_mb: float

    @property
    def name(self) -> str:
        return self.file

    @property
    def grade(self) -> str:
        """How the verdict compares with what is known; no bug within bounds misses the bug of a task that has one."""
        match self.verdict, self.expected:
            case ("bug", "bug") | ("proved" | "bounded", "safe"):
                return "right"
            case ("bug", "safe") | ("proved", "bug"):
                return "WRONG"
            case "bounded", _:
                return "missed"
            case _:
                return "unknown"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure Paddock on C tasks with POSIX threads.")
    add = parser.add_argument
    add("folder", nargs="?", type=Path, default=FOLDER, help="has the tasks and a verdicts.tsv (default: %(default)s)")
    add("--files", action="append", metavar="GLOB", help="only files with such names; may be repeated")
    add("--limit", type=int, default=60, metavar="S", help="CPU seconds a task (default: %(default)s)")
    add("--memory", type=int, default=4096, metavar="MB", help="address space of a run (default: %(default)s)")
    add("--contexts", type=int, default=2, metavar="K", help="contexts of each thread (default: %(default)s)")
    add("--out", type=Path, metavar="DIR", default=Path("build/bench/pthread"), help="for results")
    options = parser.parse_args()
    if min(options.limit, options.memory, options.contexts) < 1:
        parser.error("limits and contexts must be at least 1")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    options.out.mkdir(parents=True, exist_ok=True)
    globs = options.files or ["*"]
    tasks = [
        r for r in read_tsv(options.folder / "verdicts.tsv") if any(fnmatch(Path(r["file"]).name, g) for g in globs)
    ]
    if not tasks:
        sys.exit("there are no such tasks")
    words = (*OPTIONS, "--contexts", str(options.contexts))
    work = [((t["file"], t["expected"]), (*words, str(options.folder / t["file"]))) for t in tasks]

    def row(task: tuple[str, str], answer: Answer) -> Run:
        return answer.row(Run, file=task[0], expected=task[1])

    runs = check_all(work, row, Run, options.out / "results.tsv", Limits(options.limit, options.memory))
    print(report(runs))
    return 1 if any(run.grade == "WRONG" for run in runs) else 0


def report(runs: Sequence[Run]) -> str:
    """A table of the tasks, and how many bugs were found and how many safe tasks were right."""
    table = text_table(
        "file expected verdict grade CPU_s peak_MB note".split(),
        [(r.file, r.expected, r.verdict, r.grade, r.cpu_s, r.peak_mb, r.reason[:60]) for r in runs],
    )
    lines = [table]
    for expected in ("bug", "safe"):
        grades = Counter(run.grade for run in runs if run.expected == expected)
        lines.append(f"{expected}: " + ", ".join(f"{count} {grade}" for grade, count in sorted(grades.items())))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
