"""Tasks on a Ray cluster, for those who outgrow a machine: one of its own on this machine, or one that runs already.

Ray is an optional dependency. It starts a task again whose worker dies. Each running task is known by Ray's reference
to its result.
"""

from __future__ import annotations

import importlib
import logging
import os
import socket
import sys
from contextlib import redirect_stdout
from typing import Any
from urllib.parse import urlsplit

from paddock.workers.interface import RETRIES, Task
from paddock.workers.queue import Queue, Waiting

CONNECTION_S = 10.0  # how long a connection may take


class RayUnavailable(Exception):
    """Ray is not installed, or there is no cluster at that address."""


class RayCluster(Queue[Any]):
    """An executor on a Ray cluster: that at the address or, without one, a new one on this machine. It does `jobs`
    tasks at a time; by default, as many as there are processors. Raises `RayUnavailable`."""

    def __init__(self, address: str | None = None, jobs: int | None = None, retries: int = RETRIES) -> None:
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns of its own next version
        os.environ.setdefault("RAY_worker_niceness", "0")  # time limits are meant for workers that get their share
        try:
            ray: Any = importlib.import_module("ray")
        except ImportError:
            raise RayUnavailable("Ray is not installed") from None
        self._ray = ray
        try:
            _require_somebody_at(address)
            ray.init(
                address=address,
                num_cpus=jobs if address is None else None,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except Exception as error:
            where = "Ray does not start" if address is None else f"there is no Ray cluster at {address}"
            raise RayUnavailable(f"{where}: {_first_line(error)}") from None
        # Whatever its settings, Ray prints it when a worker dies; where results are printed is no place for that.
        self._aside = redirect_stdout(sys.stderr)
        self._aside.__enter__()
        super().__init__(jobs or max(1, int(ray.cluster_resources().get("CPU", 1))))
        self._work = ray.remote(num_cpus=1, max_retries=retries, retry_exceptions=False)(_work)

    def close(self) -> None:
        super().close()
        self._ray.shutdown()
        self._aside.__exit__(None, None, None)

    def _start(self, waiting: Waiting) -> None:
        self._running[waiting.ticket] = self._work.remote(waiting.task)

    def _look(self, seconds: float | None) -> None:
        done, _ = self._ray.wait(list(self._running.values()), num_returns=1, timeout=seconds)
        for ticket in [t for t, reference in self._running.items() if reference in done]:
            try:
                value, problem = self._ray.get(self._running.pop(ticket))
            except self._ray.exceptions.RayError as error:
                value, problem = None, f"the worker was lost: {_first_line(error)}"
            self._note(ticket, value, problem)

    def _drop(self, tickets: list[int]) -> None:
        for ticket in tickets:
            self._ray.cancel(self._running.pop(ticket), force=True)


def _work(task: Task) -> tuple[Any, str]:
    """What a worker does: gives the value, or the problem."""
    try:
        return task.function(*task.arguments), ""
    except MemoryError:
        return None, "out of memory"
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def _require_somebody_at(address: str | None) -> None:
    """Raises an error at once if nothing listens at an address `host:port`, for which Ray would wait for minutes."""
    place = urlsplit(f"//{(address or '').rpartition('//')[2]}")
    if place.hostname and place.port:
        with socket.create_connection((place.hostname, place.port), CONNECTION_S):
            pass


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
