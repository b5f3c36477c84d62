"""Tasks as processes on this machine: each task has one of its own, which ends with it.

So a task can be dropped at any time, whatever it is doing, and leaves nothing behind. The processes take no notice of
interrupts, which are for whoever started them, and end when that process does, however it ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any

from paddock.workers.interface import RETRIES, Task
from paddock.workers.queue import Queue, Waiting

LOOK_EVERY_S = 0.1  # at the size of processes
TERMINATION_S = 0.3  # how long a process that is told to go may take to end what it has started itself

_SIGNALS = {signal.SIGINT, signal.SIGTERM, *({signal.SIGALRM, signal.SIGHUP} if hasattr(signal, "SIGALRM") else ())}
_PR_SET_PDEATHSIG = 1
_OUT_OF_CPU_TIME = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else None  # (`ulimit -t`) which happens every time


@dataclass(slots=True)
class _Running:
    """A task in its process."""

    waited: Waiting
    process: BaseProcess
    connection: Connection


@dataclass(frozen=True, slots=True)
class _Said:
    """What a task says while it is under way."""

    value: Any


class LocalProcesses(Queue[_Running]):
    """An executor on this machine that does `jobs` tasks at a time. A process that is `too_large`, given its number, is
    ended. If there is somebody to `hear` it, tasks may say something on their way: their functions get one more
    argument, a function to say it with. What they have said counts, however they end."""

    def __init__(
        self,
        jobs: int,
        too_large: Callable[[int], bool] | None = None,
        retries: int = RETRIES,
        hear: Callable[[Any], None] | None = None,
    ) -> None:
        super().__init__(jobs)
        self._too_large = too_large
        self._hear = hear
        self._retries = retries

    def _start(self, waiting: Waiting) -> None:
        context = _context()
        with _undisturbed():  # a process that nobody knows of would be lost
            receiver, sender = context.Pipe(duplex=False)
            # None of its own children are daemons, but it is one: Python ends it if nothing else does.
            about = (waiting.task, sender, os.getpid(), self._hear is not None)
            process = context.Process(target=_work, args=about, daemon=True)
            try:
                process.start()
            except OSError as error:  # too many processes, or too little memory for one more
                receiver.close()
                self._note(waiting.ticket, problem=f"cannot start a process: {error.strerror}")
                return
            finally:
                sender.close()
            self._running[waiting.ticket] = _Running(waiting, process, receiver)

    def _look(self, seconds: float | None) -> None:
        if self._too_large is not None:
            seconds = LOOK_EVERY_S if seconds is None else min(seconds, LOOK_EVERY_S)
        connections: list[object] = [running.connection for running in self._running.values()]
        spoken = {id(connection) for connection in wait(connections, seconds)}  # type: ignore[arg-type]
        for ticket, running in list(self._running.items()):
            if id(running.connection) in spoken:
                self._take(ticket, running)
            elif self._too_large is not None and running.process.pid and self._too_large(running.process.pid):
                self._give_up([ticket], "out of memory")

    def _take(self, ticket: int, running: _Running) -> None:
        """Take what a process says. If it ends without last words, its task starts again."""
        try:
            words = running.connection.recv()
        except (EOFError, OSError):
            running.process.join(TERMINATION_S)
            status = running.process.exitcode
            cause = _cause_of_death(status)
            self._drop([ticket])
            running.waited.deaths += 1
            times = running.waited.deaths
            if times <= self._retries and status != _OUT_OF_CPU_TIME:
                self._waiting.appendleft(running.waited)
            else:
                self._note(ticket, problem=f"{cause}{f', {times} times' if times > 1 else ''}")
            return
        except Exception as error:  # what was sent cannot be read here
            words = None, f"the result cannot be read: {error}"
        if isinstance(words, _Said):
            assert self._hear is not None
            self._hear(words.value)
            return
        value, problem = words
        running.process.join(TERMINATION_S)
        self._drop([ticket])
        self._note(ticket, value, problem)

    def _drop(self, tickets: list[int]) -> None:
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


def cpu_seconds() -> float:
    """What this process has taken so far, with all its children that have ended."""
    return sum(os.times()[:4])


def _context() -> ForkContext | SpawnContext:
    """How processes start: as copies of this one, which knows the program already, where the system can do that."""
    return multiprocessing.get_context("fork") if hasattr(os, "fork") else multiprocessing.get_context("spawn")


def _work(task: Task, connection: Connection, parent: int, is_heard: bool) -> None:
    """What the process of a task does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in _SIGNALS - {signal.SIGINT}:
        signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    die_with_parent(parent)
    telling = (lambda value: connection.send(_Said(value)),) if is_heard else ()
    try:
        words = task.function(*task.arguments, *telling), ""
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
