"""Runs `paddock check` on many programs, each in a process of its own; keeps every result as soon as it is there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from answers import answer
from measure import Limits, Measured, measure_all
from tables import write_header, write_row

CHECK = (sys.executable, "-m", "paddock", "check", "--format", "json")


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
    """What a check said and used. The verdict is `timeout` or `error` if it came to none."""

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
    results: Path,
    limits: Limits,
    jobs: int = 1,
    kept: Sequence[R] = (),
) -> list[R]:
    """The rows of all the work: of each job, what it takes after `paddock check`. They go to the file `results` as they
    come, after those that are kept from an earlier run."""
    rows = list(kept)
    with results.open("w", encoding="utf-8") as file:
        write_header(file, kind)
        for earlier in kept:
            write_row(file, earlier)
        commands = [(*CHECK, *arguments) for _, arguments in work]
        for done, (n, measured) in enumerate(measure_all(commands, limits, jobs), start=1):
            new = row(work[n][0], _answer(measured))
            rows.append(new)
            write_row(file, new)
            progress = f"[{done}/{len(work)}] {new.name}: {new.verdict}, {new.cpu_s:.1f} CPU s"
            print(progress, file=sys.stderr, flush=True)
    return rows


def _answer(measured: Measured) -> Answer:
    verdict, reason, stats = answer(measured)
    used = round(measured.cpu_s, 2), round(measured.wall_s, 2), round(measured.peak_mb, 1)
    return Answer(verdict, reason, stats, *used)
