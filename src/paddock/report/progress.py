"""A line on the terminal that says how far a search has come, written over and over again."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Protocol, Self, TextIO

INTERVAL_S = 0.1


class Counts(Protocol):
    """What a search counts."""

    bound: int
    instances: int
    merged: int
    open_calls: int
    queries: int
    solver_s: float
    houdini_queries: int


class ProgressLine:
    """Shows counts as they come, if the stream is a terminal; leaves nothing behind."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream if stream is not None and stream.isatty() else None
        self._next = time.monotonic() + INTERVAL_S
        self._width = 0

    def show(self, counts: Counts) -> None:
        if self._stream is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + INTERVAL_S
        line = (
            f"bound {counts.bound}, {counts.instances} instances, {counts.merged} merged, {counts.open_calls} open, "
            f"{counts.queries} queries, solver {counts.solver_s:.1f} s"
            if counts.bound or not counts.houdini_queries
            else f"summaries: {counts.houdini_queries} queries"
        )
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
