"""Tasks on a Ray cluster, for those who outgrow a machine: one of its own on this machine, or one that runs already.

Ray is an optional dependency. It starts a task again whose worker dies; here there is only what it does not do: limits
of time, and a queue, so that waiting for a worker does not count.
"""

from __future__ import annotations

import importlib
import logging
import math
import os
import time
from collections import deque
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from paddock.workers.interface import RETRIES, Ended, Task


class RayUnavailable(Exception):
    """Ray is not installed, or there is no cluster at that address."""


@dataclass(slots=True)
class _Running:
    ticket: int
    deadline: float


class RayCluster:
    """An executor on a Ray cluster: that at the address or, without one, a new one on this machine. It does `jobs`
    tasks at a time; if that is not said, as many as there are processors. Raises `RayUnavailable`."""

    def __init__(self, address: str | None = None, jobs: int | None = None, retries: int = RETRIES) -> None:
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns of its own next version
        try:
            ray: Any = importlib.import_module("ray")
        except ImportError:
            raise RayUnavailable("Ray is not installed") from None
        self._ray = ray
        try:
            ray.init(
                address=address,
                num_cpus=jobs if address is None else None,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except Exception as error:
            raise RayUnavailable(f"there is no Ray cluster at {address}: {_first_line(error)}") from None
        self.jobs = jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._work = ray.remote(num_cpus=1, max_retries=retries, retry_exceptions=False)(_work)
        self._running: dict[Any, _Running] = {}  # by Ray's reference to the result
        self._waiting: deque[tuple[int, Task]] = deque()
        self._ended: dict[int, Ended] = {}
        self._tickets = 0

    @property
    def idle(self) -> int:
        return max(0, self.jobs - len(self._running) - len(self._waiting))

    def submit(self, task: Task) -> int:
        ticket = self._tickets
        self._tickets += 1
        self._waiting.append((ticket, task))
        self._start_waiting()
        return ticket

    def cancel(self, ticket: int) -> None:
        self._ended.pop(ticket, None)
        self._waiting = deque(w for w in self._waiting if w[0] != ticket)
        for reference in [r for r, running in self._running.items() if running.ticket == ticket]:
            self._drop(reference)
        self._start_waiting()

    def ended(self, timeout: float | None = None) -> list[Ended]:
        until = math.inf if timeout is None else time.monotonic() + timeout
        while not self._ended and self._running:
            first = min([until, *(running.deadline for running in self._running.values())])
            seconds = None if first == math.inf else max(0.0, first - time.monotonic())
            done, _ = self._ray.wait(list(self._running), num_returns=1, timeout=seconds)
            for reference in done:
                self._hear(reference)
            now = time.monotonic()
            for reference in [r for r, running in self._running.items() if now >= running.deadline]:
                ticket = self._running[reference].ticket
                self._drop(reference)
                self._ended[ticket] = Ended(ticket, problem="time limit")
            self._start_waiting()
            if now >= until:
                break
        ended = [self._ended[ticket] for ticket in sorted(self._ended)]
        self._ended.clear()
        return ended

    def close(self) -> None:
        self._waiting.clear()
        self._ended.clear()
        for reference in list(self._running):
            self._drop(reference)
        self._ray.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start_waiting(self) -> None:
        while self._waiting and len(self._running) < self.jobs:
            ticket, task = self._waiting.popleft()
            limit = math.inf if task.time_limit is None else task.time_limit
            self._running[self._work.remote(task)] = _Running(ticket, time.monotonic() + limit)

    def _hear(self, reference: Any) -> None:
        ticket = self._running.pop(reference).ticket
        try:
            value, problem = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            value, problem = None, f"the worker was lost: {_first_line(error)}"
        self._ended[ticket] = Ended(ticket, value, problem)

    def _drop(self, reference: Any) -> None:
        """End a task, at once and for good."""
        del self._running[reference]
        self._ray.cancel(reference, force=True)


def _work(task: Task) -> tuple[Any, str]:
    """What a worker does: gives the value, or the problem."""
    try:
        return task.function(*task.arguments), ""
    except MemoryError:
        return None, "out of memory"
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
