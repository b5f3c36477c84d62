"""Tasks as processes on this machine: each task has one of its own, which ends with it.

So a task can be dropped at any time, whatever it is doing, and leaves nothing behind. The processes take no notice of
interrupts, which are for whoever started them, and end when that process does, however it ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Self

from paddock.workers.interface import RETRIES, Ended, Task

LOOK_EVERY_S = 0.1  # at the size of processes
TERMINATION_S = 0.3  # how long a process that is told to go may take to end what it has started itself

_SIGNALS = {signal.SIGINT, signal.SIGTERM, *({signal.SIGALRM, signal.SIGHUP} if hasattr(signal, "SIGALRM") else ())}
_PR_SET_PDEATHSIG = 1


@dataclass(slots=True)
class _Running:
    """A task in its process."""

    task: Task
    process: BaseProcess
    connection: Connection
    deadline: float
    deaths: int  # of earlier processes for this task


@dataclass(slots=True)
class _Waiting:
    ticket: int
    task: Task
    deaths: int = 0


@dataclass(slots=True)
class LocalProcesses:
    """An executor on this machine that does `jobs` tasks at a time. A process that is `too_large`, given its number, is
    ended."""

    jobs: int
    too_large: Callable[[int], bool] | None = None
    retries: int = RETRIES
    _running: dict[int, _Running] = field(default_factory=dict)
    _waiting: deque[_Waiting] = field(default_factory=deque)
    _ended: dict[int, Ended] = field(default_factory=dict)
    _tickets: int = 0

    @property
    def idle(self) -> int:
        return max(0, self.jobs - len(self._running) - len(self._waiting))

    def submit(self, task: Task) -> int:
        ticket = self._tickets
        self._tickets += 1
        self._waiting.append(_Waiting(ticket, task))
        self._start_waiting()
        return ticket

    def cancel(self, ticket: int) -> None:
        self._ended.pop(ticket, None)
        self._waiting = deque(w for w in self._waiting if w.ticket != ticket)
        if ticket in self._running:
            self._end([ticket])
            self._start_waiting()

    def ended(self, timeout: float | None = None) -> list[Ended]:
        until = math.inf if timeout is None else time.monotonic() + timeout
        while not self._ended and self._running:
            now = time.monotonic()
            self._look(max(0.0, min(until, self._next_deadline(now)) - now))
            self._start_waiting()
            if time.monotonic() >= until:
                break
        ended = [self._ended[ticket] for ticket in sorted(self._ended)]
        self._ended.clear()
        return ended

    def close(self) -> None:
        self._waiting.clear()
        self._ended.clear()
        self._end(list(self._running))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start_waiting(self) -> None:
        while self._waiting and len(self._running) < self.jobs:
            with _undisturbed():  # a process that nobody knows of would be lost
                self._start(self._waiting.popleft())

    def _start(self, waiting: _Waiting) -> None:
        task = waiting.task
        context = _context()
        receiver, sender = context.Pipe(duplex=False)
        # None of its own children are daemons, but it is one: Python ends it if nothing else does.
        process = context.Process(target=_work, args=(task, sender, os.getpid()), daemon=True)
        try:
            process.start()
        except OSError as error:  # too many processes, or too little memory for one more
            receiver.close()
            self._ended[waiting.ticket] = Ended(waiting.ticket, problem=f"cannot start a process: {error.strerror}")
            return
        finally:
            sender.close()
        deadline = math.inf if task.time_limit is None else time.monotonic() + task.time_limit
        self._running[waiting.ticket] = _Running(task, process, receiver, deadline, waiting.deaths)

    def _next_deadline(self, now: float) -> float:
        """When to look next, whether or not a process says something until then."""
        first = min((r.deadline for r in self._running.values()), default=math.inf)
        return first if self.too_large is None else min(first, now + LOOK_EVERY_S)

    def _look(self, seconds: float) -> None:
        """Wait for processes to say something, see what it is, and who has to go."""
        connections: list[object] = [r.connection for r in self._running.values()]
        spoken = {id(c) for c in wait(connections, None if seconds == math.inf else seconds)}  # type: ignore[arg-type]
        for ticket, running in list(self._running.items()):
            if id(running.connection) in spoken:
                self._hear(ticket, running)
            elif time.monotonic() >= running.deadline:
                self._end([ticket])
                self._ended[ticket] = Ended(ticket, problem="time limit")
            elif self.too_large is not None and running.process.pid and self.too_large(running.process.pid):
                self._end([ticket])
                self._ended[ticket] = Ended(ticket, problem="out of memory")

    def _hear(self, ticket: int, running: _Running) -> None:
        """Take the last words of a process; without any, its task starts again."""
        try:
            value, problem = running.connection.recv()
        except (EOFError, OSError):
            running.process.join(TERMINATION_S)
            cause = _cause_of_death(running.process.exitcode)
            self._end([ticket])
            if running.deaths < self.retries:
                self._waiting.appendleft(_Waiting(ticket, running.task, running.deaths + 1))
            else:
                times = running.deaths + 1
                self._ended[ticket] = Ended(ticket, problem=f"{cause}{f', {times} times' if times > 1 else ''}")
            return
        except Exception as error:  # what was sent cannot be read here
            value, problem = None, f"the result cannot be read: {error}"
        running.process.join(TERMINATION_S)
        self._end([ticket])
        self._ended[ticket] = Ended(ticket, value, problem)

    def _end(self, tickets: list[int]) -> None:
        """End the processes of tasks, all at a time, and see them gone."""
        for ticket in tickets:
            self._running[ticket].process.terminate()
        latest = time.monotonic() + TERMINATION_S
        for ticket in tickets:
            running = self._running[ticket]
            running.process.join(max(0.0, latest - time.monotonic()))
            if running.process.is_alive():
                running.process.kill()
                running.process.join()
            running.connection.close()
            with _undisturbed():
                running.process.close()
                del self._running[ticket]


def _context() -> ForkContext | SpawnContext:
    """How processes start: as copies of this one, which knows the program already, where the system can do that."""
    return multiprocessing.get_context("fork") if hasattr(os, "fork") else multiprocessing.get_context("spawn")


def _work(task: Task, connection: Connection, parent: int) -> None:
    """What the process of a task does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in _SIGNALS - {signal.SIGINT}:
        signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    die_with_parent(parent)
    try:
        words = task.function(*task.arguments), ""
    except MemoryError:
        words = None, "out of memory"
    except Exception as error:
        words = None, f"{type(error).__name__}: {error}"
    try:
        connection.send(words)
    except (BrokenPipeError, ConnectionResetError):
        pass  # nobody wants to know
    except Exception as error:
        connection.send((None, f"the result cannot be sent: {error}"))


def die_with_parent(parent: int | None = None) -> None:
    """Ask the system to end this process when its parent is gone, however that went; not all systems can. If the parent
    is known, it may be gone already."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if parent is not None and hasattr(os, "fork") and os.getppid() != parent:
        sys.exit(1)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Let signals wait."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _cause_of_death(status: int | None) -> str:
    """Why a process ended without a word."""
    if status is not None and status < 0:
        return f"the worker was ended by a signal: {signal.strsignal(-status)}"
    return f"the worker ended with status {status}"
