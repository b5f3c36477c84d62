"""Many checks, several at a time, each within limits of its own; results are kept as they come."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from paddock.driver.suite_files import SuiteTask
from paddock.frozen import frozen
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.options import Options
from paddock.report.suite import COLUMNS, ERROR, Row, outcome, row_values, rows_from, tsv_line
from paddock.version import __version__
from paddock.workers.interface import Executor, Task

PATIENCE_S = 5.0  # how much longer than its limit a check may take to say so
# A check that sleeps uses no CPU time; this many times that limit, by the clock on the wall, is enough on a busy
# machine.
WALL_FACTOR = 12


@frozen
class Work:
    """A task with its options, and a digest that tells whether it is the one that an earlier row is about."""

    task: SuiteTask
    options: Options
    cpu: float | None
    digest: str


def work_for(tasks: Sequence[SuiteTask], given: Mapping[str, object], cpu: float | None = None) -> list[Work]:
    """The tasks with their options; those that are given on the command line count more. Raises `InputError`."""
    found = []
    for task in tasks:
        chosen = {**dict(task.options), **given}
        try:
            options = Options.of(**chosen)
        except InputError as error:
            raise InputError(
                [Diagnostic(f"task {task.name}: {d.message}", hint=d.hint) for d in error.diagnostics]
            ) from None
        limit = cpu if cpu is not None else task.cpu
        found.append(Work(task, options, limit, _digest(task, chosen, limit)))
    return found


def _digest(task: SuiteTask, options: Mapping[str, object], cpu: float | None) -> str:
    """What an answer depends on: the texts of the files, the options, the limit, and the version."""
    hashed = hashlib.sha256(repr((__version__, sorted(options.items()), cpu, task.expected)).encode())
    for file in task.files:
        try:
            hashed.update(hashlib.sha256(Path(file).read_bytes()).digest())
        except OSError:
            hashed.update(b"?")
    return hashed.hexdigest()[:16]


class ResultsFile:
    """A table on disk: each row is there as soon as it is known. With `resume`, what it had before is kept."""

    def __init__(self, path: str | None, resume: bool = False) -> None:
        self.kept: dict[str, Row] = {}
        self._path = path
        if path is None:
            return
        if resume and os.path.exists(path):
            self.kept = {row.name: row for row in read_rows(path)}
        self._write(tsv_line(COLUMNS) + "".join(tsv_line(row_values(row)) for row in self.kept.values()), "w")

    def add(self, row: Row) -> None:
        self._write(tsv_line(row_values(row)), "a")

    def _write(self, text: str, mode: str) -> None:
        if self._path is None:
            return
        try:
            with open(self._path, mode, encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError as error:
            raise InputError(Diagnostic(f"cannot write: {error.strerror}", Origin(self._path))) from None


def read_rows(path: str) -> tuple[Row, ...]:
    """The rows of a table on disk. Raises `InputError`."""
    try:
        return rows_from(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(Diagnostic(f"cannot read the file: {error.strerror}", Origin(path))) from None
    except ValueError as error:
        raise InputError(Diagnostic(str(error), Origin(path))) from None


def executor_for(name: str, jobs: int | None) -> Executor:
    """Whoever checks the tasks: processes here, or a Ray cluster. Raises `InputError`."""
    if name == "ray":
        from paddock.workers.cluster import RayCluster, RayUnavailable

        try:
            return RayCluster(None, jobs)
        except RayUnavailable as error:
            raise InputError(Diagnostic(f"--executor ray: {error}", hint="pip install 'paddock[ray]'")) from None
    from paddock.workers.processes import LocalProcesses

    return LocalProcesses(jobs or os.cpu_count() or 1, retries=0)


def run_suite(
    work: Sequence[Work], executor: Executor, results: ResultsFile, on_row: Callable[[Row, int], None]
) -> tuple[Row, ...]:
    """The rows of all tasks, in their order. Those that the results have already are not checked again; `on_row` gets
    each new one, and how many are left."""
    rows = {each.task.name: results.kept[each.task.name] for each in work if _is_known(each, results.kept)}
    left = [each for each in work if each.task.name not in rows]
    tickets: dict[int, Work] = {}
    waiting = list(reversed(left))
    done = 0
    while done < len(left):
        while waiting and executor.idle:
            each = waiting.pop()
            arguments = each.task.files, each.options, each.cpu
            tickets[executor.submit(Task(checked, arguments, _wall_limit(each)))] = each
        for ended in executor.ended():
            each = tickets.pop(ended.ticket)
            row = _row(each, ended.value, ended.problem)
            rows[row.name] = row
            results.add(row)
            done += 1
            on_row(row, len(left) - done)
    return tuple(rows[each.task.name] for each in work)


def _wall_limit(each: Work) -> float | None:
    """After how many seconds a check that does not end by itself is ended."""
    if each.options.limits.timeout is not None:
        return each.options.limits.timeout + PATIENCE_S
    return None if each.cpu is None else WALL_FACTOR * each.cpu + PATIENCE_S


def _is_known(each: Work, kept: Mapping[str, Row]) -> bool:
    row = kept.get(each.task.name)
    return row is not None and row.digest == each.digest


def _row(each: Work, value: Any, problem: str) -> Row:
    verdict, reason, cpu, wall, memory, stats = value or ("unknown", problem, 0.0, 0.0, 0.0, {})
    expected = each.task.expected
    judged = outcome(verdict, expected)
    return Row(each.task.name, verdict, expected, judged, reason, cpu, wall, memory, each.digest, stats)


def checked(
    files: Sequence[str], options: Options, cpu: float | None
) -> tuple[str, str, float, float, float, Mapping[str, int | float]]:
    """What a check comes to, and what it takes: verdict, reason, CPU and wall seconds, megabytes, statistics. It runs
    in a process of this one's own, which is ended where it does not end by itself."""
    import resource

    from paddock.driver import guard

    if cpu is not None:
        whole = max(1, round(cpu))
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 2))
    started = time.monotonic()
    stats: Mapping[str, int | float] = {}
    try:
        result = guard.check_files(list(files), options)
        answer, stats = (result.verdict.value, result.reason), dict(result.stats)
    except InputError as error:
        first = error.diagnostics[0]
        answer = ERROR, f"{first.origin}: {first.message}" if first.origin.file else first.message
    wall = time.monotonic() - started
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu_s = sum(each.ru_utime + each.ru_stime for each in used)
    return *answer, cpu_s, wall, max(each.ru_maxrss for each in used) / 1024, stats
