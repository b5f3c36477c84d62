"""How far a check has come, while it runs: a line on the terminal that is written over and over again or, where
somebody else reads, a line every ten seconds."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self, TextIO

from paddock.report.events import AssertionProved, BugFound, Event, Loaded, Prepared, Progress

INTERVAL_S = 0.1
SELDOM_S = 10.0  # between lines that stay
VARIABLE = "PADDOCK_PROGRESS"  # of the environment: `no` turns it off


class ProgressLine:
    """Shows what is being done, for how long, and counts. Leaves nothing behind on a terminal."""

    def __init__(self, stream: TextIO | None, environ: Mapping[str, str] | None = None) -> None:
        self._stream = None if (environ or {}).get(VARIABLE) == "no" else stream
        self._is_terminal = stream is not None and stream.isatty()
        self._started = time.monotonic()
        self._next = self._started + (INTERVAL_S if self._is_terminal else SELDOM_S)
        self._width = 0
        self._doing = "reading the program"
        self._bugs = self._proofs = 0

    def show(self, event: Event) -> None:
        """Take an event of a check into account, and show what is known if it is time to."""
        match event:
            case Loaded():
                self._doing = "preparing the program"
            case Prepared():
                self._doing = "searching"
            case Progress():
                self._doing = _counts(event)
            case BugFound():
                self._bugs += 1
            case AssertionProved():
                self._proofs += 1
        now = time.monotonic()
        if self._stream is None or now < self._next:
            return
        line = self._line(now - self._started)
        if self._is_terminal:
            self._next = now + INTERVAL_S
            self._stream.write("\r" + line.ljust(self._width))
            self._width = len(line)
        else:
            self._next = now + SELDOM_S
            self._stream.write(line + "\n")
        self._stream.flush()

    def _line(self, seconds: float) -> str:
        found = [f"{n} {what}" for n, what in ((self._bugs, "failing"), (self._proofs, "proved")) if n]
        return f"{seconds:.0f} s: {', '.join([*found, self._doing])}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._stream is not None and self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()


def _counts(progress: Progress) -> str:
    stats = progress.stats
    if not progress.bound and stats.get("houdini_queries"):
        return f"summaries: {stats['houdini_queries']} queries"
    counts = [stats.get(name, 0) for name in ("instances", "merged", "open_calls", "queries", "solver_s")]
    return (
        f"bound {progress.bound}, {counts[0]} instances, {counts[1]} merged, {counts[2]} open, "
        f"{counts[3]} queries, solver {counts[4]:.1f} s"
    )
