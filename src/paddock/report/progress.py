"""A line on the terminal that says how far a search has come, written over and over again."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self, TextIO

from paddock.report.events import Event, Progress

INTERVAL_S = 0.1


class ProgressLine:
    """Shows counts as they come, if the stream is a terminal; leaves nothing behind."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream if stream is not None and stream.isatty() else None
        self._next = time.monotonic() + INTERVAL_S
        self._width = 0

    def show(self, event: Event) -> None:
        """Show an event of a check, if it has counts."""
        if self._stream is None or not isinstance(event, Progress) or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + INTERVAL_S
        line = _line(event)
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._stream is not None and self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()


def _line(progress: Progress) -> str:
    stats = progress.stats
    if not progress.bound and stats.get("houdini_queries"):
        return f"summaries: {stats['houdini_queries']} queries"
    counts = [stats.get(name, 0) for name in ("instances", "merged", "open_calls", "queries", "solver_s")]
    return (
        f"bound {progress.bound}, {counts[0]} instances, {counts[1]} merged, {counts[2]} open, "
        f"{counts[3]} queries, solver {counts[4]:.1f} s"
    )
