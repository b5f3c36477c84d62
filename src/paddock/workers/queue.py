"""What executors have in common, wherever their workers are: tickets, a queue, limits of time, and how they are closed.

Only so many tasks are under way at a time, so that waiting for a worker does not count as time that a task takes.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections import deque
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from paddock.frozen import mutable
from paddock.workers.interface import Ended, Task

W = TypeVar("W")  # what an executor knows of a task that is under way


@mutable
class Waiting:
    """A task that waits for a worker; so many have died on it."""

    ticket: int
    task: Task
    deaths: int = 0


class Queue(ABC, Generic[W]):
    """An executor that does `jobs` tasks at a time, the first come first."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._running: dict[int, W] = {}  # by ticket, as all that follows
        self._deadlines: dict[int, float] = {}
        self._ended: dict[int, Ended] = {}
        self._waiting: deque[Waiting] = deque()
        self._tickets = 0

    @abstractmethod
    def _start(self, waiting: Waiting) -> None:
        """Take a task from the queue: it is running then, or has ended."""

    @abstractmethod
    def _look(self, seconds: float | None) -> None:
        """Wait for tasks to end, but no longer than that, and note what has come of them."""

    @abstractmethod
    def _drop(self, tickets: list[int]) -> None:
        """End tasks that are under way, at once and for good. They are not running any more."""

    @property
    def idle(self) -> int:
        return max(0, self.jobs - len(self._running) - len(self._waiting))

    def submit(self, task: Task) -> int:
        ticket = self._tickets
        self._tickets += 1
        self._waiting.append(Waiting(ticket, task))
        self._start_waiting()
        return ticket

    def cancel(self, ticket: int) -> None:
        self._ended.pop(ticket, None)
        self._waiting = deque(w for w in self._waiting if w.ticket != ticket)
        if ticket in self._running:
            self._drop([ticket])
            self._start_waiting()

    def ended(self, timeout: float | None = None) -> list[Ended]:
        until = math.inf if timeout is None else time.monotonic() + timeout
        while not self._ended and self._running:
            first = min([until, *(self._deadlines[ticket] for ticket in self._running)])
            self._look(None if first == math.inf else max(0.0, first - time.monotonic()))
            now = time.monotonic()
            self._give_up([ticket for ticket in self._running if now >= self._deadlines[ticket]], "time limit")
            self._start_waiting()
            if now >= until:
                break
        ended = [self._ended[ticket] for ticket in sorted(self._ended)]
        self._ended.clear()
        return ended

    def close(self) -> None:
        self._waiting.clear()
        self._ended.clear()
        self._drop(list(self._running))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start_waiting(self) -> None:
        while self._waiting and len(self._running) < self.jobs:
            waiting = self._waiting[0]
            limit = math.inf if waiting.task.time_limit is None else waiting.task.time_limit
            self._deadlines[waiting.ticket] = time.monotonic() + limit
            self._start(self._waiting.popleft())

    def _give_up(self, tickets: list[int], problem: str) -> None:
        self._drop(tickets)
        for ticket in tickets:
            self._note(ticket, problem=problem)

    def _note(self, ticket: int, value: Any = None, problem: str = "") -> None:
        """Keep the end of a task until it is asked for."""
        self._ended[ticket] = Ended(ticket, value, problem)
