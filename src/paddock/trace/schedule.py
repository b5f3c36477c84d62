"""Who runs when in a program with threads. A run is a sequence of contexts: a thread runs from a switch to a switch.

Threads are numbered as they are started, from 0; that is the entry's.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Protocol

from paddock.frozen import field, mutable
from paddock.trace.oracle import Oracle

NEVER = 1 << 30  # a round that there is not


class Scheduler(Protocol):
    """Decides which thread runs. Each method gives the thread to go on with, or None if the run is over."""

    def started(self, creator: int) -> tuple[int, Oracle, int | None]:
        """A thread has started another: the number of that, who answers what it leaves open, and who goes on."""
        ...

    def yielded(self, thread: int) -> int | None:
        """A thread may be switched here."""
        ...

    def ended(self, thread: int) -> int | None:
        """A thread has returned from its procedure."""
        ...


@mutable
class ThreadScript:
    """What a thread does: who answers what it leaves open, the round in which it starts, the round in which it goes on
    at each `yield` that it comes to, and the threads that it starts, in order. One that `is_last` comes
    after all others in a round."""

    oracle: Oracle
    start: int = 1
    rounds: list[int] = field(default_factory=list)
    children: list[ThreadScript] = field(default_factory=list)
    is_last: bool = False


class RoundRobin:
    """Runs threads in rounds: in each, a thread comes after those that it has started, and these in the order in which
    they were. It follows scripts; what is missing there stops a thread for good."""

    def __init__(self, entry: ThreadScript) -> None:
        self._scripts = {0: entry}
        self._rounds = {0: entry.start}
        self._places: dict[int, tuple[float, ...]] = {0: ()}
        self._yields: dict[int, Iterator[int]] = {0: iter(entry.rounds)}
        self._started: dict[int, int] = {0: 0}

    def started(self, creator: int) -> tuple[int, Oracle, int | None]:
        script = self._scripts[creator]
        nth = self._started[creator]
        self._started[creator] += 1
        number = len(self._scripts)
        child = script.children[nth] if nth < len(script.children) else ThreadScript(script.oracle, NEVER)
        self._scripts[number] = child
        self._rounds[number] = child.start
        self._places[number] = (inf,) if child.is_last else (*self._places[creator], nth)
        self._yields[number] = iter(child.rounds)
        self._started[number] = 0
        return number, child.oracle, self._following()

    def yielded(self, thread: int) -> int | None:
        self._rounds[thread] = next(self._yields[thread], NEVER)
        return self._following()

    def ended(self, thread: int) -> int | None:
        self._rounds[thread] = NEVER
        return self._following()

    def _following(self) -> int | None:
        """The thread whose turn is next."""
        active = [thread for thread, round_ in self._rounds.items() if round_ < NEVER]
        return min(active, key=lambda thread: (self._rounds[thread], (*self._places[thread], inf)), default=None)
