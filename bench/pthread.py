"""Measures Paddock on C tasks with POSIX threads of the software-verification competition.

    python bench/pthread.py [FOLDER] [--files GLOB ...] [--limit 60] [--contexts 2] [--deeper 6] [--cbmc COMMAND]
    python bench/pthread.py --growth [--limit 60]

Every task is a process of its own with a limit of CPU time and of memory. The tasks ask whether a call that reports an
error can be reached, on a machine of 32 bits. Where nothing fails within the contexts, `--deeper` looks again with
more, in what is left of the limit. Ends with status 1 if a verdict is wrong.

`--growth` measures a program of its own instead: N threads that each take a mutex, count and store, for 1 to 6 contexts
and for 2 to 6 threads, with each scheme: by turns (lazy) and round by round (rounds).
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from itertools import product
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from checking import Answer, check_all, check_one
from measure import Limits, measure_all
from realc import cbmc_verdict
from tables import read_tsv, text_table

FOLDER = Path(__file__).parents[2] / "shared" / "pthread"
OPTIONS = ("--data-model", "ilp32", "--checks", "unreach,assert")
SCHEMES = ("lazy", "rounds")
# For the machine that it runs on: it reads the headers of that for its models of threads.
CBMC = ("--no-standard-checks",)


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
    add("--deeper", type=int, metavar="K", help="where nothing fails, look again with so many contexts")
    add(
        "--cbmc", metavar="COMMAND", default=which("cbmc"), help="measure CBMC, too (default: cbmc, if it is installed)"
    )
    add("--growth", action="store_true", help="measure a program that grows with contexts and with threads instead")
    add("--out", type=Path, metavar="DIR", default=Path("build/bench/pthread"), help="for results")
    options = parser.parse_args()
    if min(options.limit, options.memory, options.contexts) < 1:
        parser.error("limits and contexts must be at least 1")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    if options.growth:
        print(growth(Limits(options.limit, options.memory)))
        return 0
    globs = options.files or ["*"]
    tasks = [
        r for r in read_tsv(options.folder / "verdicts.tsv") if any(fnmatch(Path(r["file"]).name, g) for g in globs)
    ]
    if not tasks:
        sys.exit("there are no such tasks")
    limits = Limits(options.limit, options.memory)

    def work(task: Mapping[str, str], contexts: int) -> tuple[tuple[str, str], tuple[str, ...]]:
        words = (*OPTIONS, "--contexts", str(contexts), str(options.folder / task["file"]))
        return (task["file"], task["expected"]), words

    def row(task: tuple[str, str], answer: Answer) -> Run:
        return answer.row(Run, file=task[0], expected=task[1])

    runs = check_all([work(t, options.contexts) for t in tasks], row, Run, options.out, limits)
    for n, run in enumerate(runs):
        left = int(limits.cpu_s - run.cpu_s)
        if options.deeper and run.verdict == "bounded" and left > 0:
            again = replace(limits, cpu_s=left)
            (deeper,) = check_all([work(tasks[n], options.deeper)], row, Run, options.out / "deeper", again)
            found = deeper if deeper.verdict in ("bug", "bounded", "proved") else run
            runs[n] = replace(found, cpu_s=round(run.cpu_s + deeper.cpu_s, 2))
    theirs: dict[str, tuple[object, ...]] = {}
    if options.cbmc:
        of_task = [(*shlex.split(options.cbmc), *CBMC, "--unwind", "8", str(options.folder / t["file"])) for t in tasks]
        for n, measured in measure_all(of_task, limits, 1):
            # Without its models, which it says by the way, threads are never started.
            verdict = "error" if "preprocessing failed" in measured.out else cbmc_verdict(measured)
            theirs[tasks[n]["file"]] = (verdict, round(measured.cpu_s, 1))
    print(report(runs, theirs))
    return 1 if any(run.grade == "WRONG" for run in runs) else 0


PROGRAM = """\
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count, last;

void *worker(void *argument) {
  int me = *(int *)argument;
  last = me;
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], 0, worker, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  assert(count == THREADS && last >= 0 && last < THREADS);
  return 0;
}
"""


def growth(limits: Limits) -> str:
    """A table of how time and the formula grow with contexts of 3 threads, and with threads of 2 contexts."""
    cases = [("contexts", k, k, 3) for k in range(1, 7)] + [("threads", n, 2, n) for n in range(2, 7)]
    rows: list[tuple[object, ...]] = []
    with TemporaryDirectory() as scratch:
        file = Path(scratch) / "grows.c"
        file.write_text(PROGRAM, encoding="utf-8")
        by_scheme = [("--engine", "symbolic", "--tune", f"scheme={scheme}") for scheme in SCHEMES]
        for (scheme, words), (what, number, contexts, threads) in product(zip(SCHEMES, by_scheme, strict=True), cases):
            more = ("-D", f"THREADS={threads}", "--contexts", str(contexts), str(file))
            said = check_one((*words, *more), limits)
            counted = (said.stats.get(name) for name in ("instances", "terms", "queries"))
            rows.append((scheme, what, number, said.verdict, said.cpu_s, said.peak_mb, *counted))
    return text_table("scheme grows N verdict CPU_s peak_MB instances terms queries".split(), rows)


def report(runs: Sequence[Run], theirs: Mapping[str, tuple[object, ...]] | None = None) -> str:
    """A table of the tasks, and how many bugs were found and how many safe tasks were right."""
    others = theirs or {}
    table = text_table(
        [
            "file",
            "expected",
            "verdict",
            "grade",
            "CPU_s",
            "peak_MB",
            *(["CBMC", "CBMC_CPU_s"] if others else []),
            "note",
        ],
        [
            (
                *(r.file, r.expected, r.verdict, r.grade, r.cpu_s, r.peak_mb),
                *(others.get(r.file, ("", "")) if others else ()),
                r.reason[:60],
            )
            for r in runs
        ],
    )
    lines = [table]
    for expected in ("bug", "safe"):
        grades = Counter(run.grade for run in runs if run.expected == expected)
        lines.append(f"{expected}: " + ", ".join(f"{count} {grade}" for grade, count in sorted(grades.items())))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
