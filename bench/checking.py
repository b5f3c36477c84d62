"""Runs `paddock check` on many programs as a suite, as `paddock suite` does: each check in a process of its own, within
limits. Every result is kept as soon as it is there, so that a measurement that was interrupted can go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from measure import Limits
from tables import write_header, write_row

from paddock.cli.arguments import build_parser, named_options
from paddock.driver.guard import CPU_LIMIT
from paddock.driver.suite import ResultsFile, executor_for, run_suite, work_for
from paddock.driver.suite_files import SuiteTask
from paddock.report.suite import Row as SuiteRow

RESULTS = "results.tsv"  # the rows of a benchmark
SUITE = "suite.tsv"  # what `paddock suite --results` would keep


class Row(Protocol):
    """A line of the results."""

    @property
    def name(self) -> str: ...

    @property
    def verdict(self) -> str: ...

    @property
    def cpu_s(self) -> float: ...


R = TypeVar("R", bound=Row)
J = TypeVar("J")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a check said and used. The verdict is `timeout` or `error` if it came to none. One that used up its time is
    charged the whole limit at least: of the processes that it did not live to wait for, the use is not known."""

    verdict: str
    reason: str
    stats: Mapping[str, Any]
    cpu_s: float
    wall_s: float
    peak_mb: float

    def row(self, kind: type[R], **known: object) -> R:
        """A row with what is known beside: its other columns are what was said and used, statistics among it."""
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        columns = [field.name for field in fields(cast("Any", kind)) if field.name not in known]
        return kind(**known, **{name: said.get(name, self.stats.get(name)) for name in columns})


def check_all(
    work: Sequence[tuple[J, Sequence[str]]],
    row: Callable[[J, Answer], R],
    kind: type[R],
    out: Path,
    limits: Limits,
    jobs: int = 1,
    resume: bool = False,
) -> list[R]:
    """The rows of all the work, in its order: of each job, what it takes after `paddock check`. They go to a table in
    the folder `out` as they come; with `resume`, what an earlier run has found out of the same checks is kept."""
    out.mkdir(parents=True, exist_ok=True)
    tasks = [_task(words, limits) for _, words in work]
    jobs_of: dict[str, list[J]] = {}
    for task, (job, _) in zip(tasks, work, strict=True):
        jobs_of.setdefault(task.name, []).append(job)
    checks = work_for(list({task.name: task for task in tasks}.values()), {})
    with (out / RESULTS).open("w", encoding="utf-8") as file:
        write_header(file, kind)

        def on_row(found: SuiteRow, left: int) -> None:
            for job in jobs_of[found.name]:
                new = row(job, _answer(found, limits))
                write_row(file, new)
                progress = f"[{len(checks) - left}/{len(checks)}] {new.name}: {new.verdict}, {new.cpu_s:.1f} CPU s"
                print(progress, file=sys.stderr, flush=True)

        with executor_for("local", jobs) as executor:
            found = run_suite(checks, executor, ResultsFile(str(out / SUITE), resume), on_row)
    by_name = {each.name: _answer(each, limits) for each in found}
    rows = [row(job, by_name[task.name]) for task, (job, _) in zip(tasks, work, strict=True)]
    with (out / RESULTS).open("w", encoding="utf-8") as file:  # once more, with what was kept, and in order
        write_header(file, kind)
        for new in rows:
            write_row(file, new)
    return rows


def check_one(words: Sequence[str], limits: Limits) -> Answer:
    """What `paddock check` says with these words."""
    with executor_for("local", 1) as executor:
        (found,) = run_suite(
            work_for([_task(words, limits)], {}), executor, ResultsFile(None), lambda _row, _left: None
        )
    return _answer(found, limits)


def _task(words: Sequence[str], limits: Limits) -> SuiteTask:
    """A check as the command line would do it."""
    parser, _ = build_parser(("check",))
    args = parser.parse_args(["check", *words])
    options = {"memory": limits.memory_mb} | named_options(args)
    return SuiteTask(" ".join(words), tuple(args.files), tuple(sorted(options.items())), cpu=limits.cpu_s)


def _answer(found: SuiteRow, limits: Limits) -> Answer:
    was_ended = found.wall_s == 0  # from outside, at the limit of wall time: nothing else is known
    is_late = was_ended or found.reason == CPU_LIMIT or found.cpu_s >= limits.cpu_s
    cpu_s = max(found.cpu_s, float(limits.cpu_s)) if is_late else found.cpu_s
    used = round(cpu_s, 2), round(found.wall_s, 2), round(found.memory_mb, 1)
    if is_late:
        return Answer("timeout", "", {}, *used)
    return Answer(found.verdict, found.reason, found.stats, *used)
