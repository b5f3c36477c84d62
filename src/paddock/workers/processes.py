"""Tasks as processes on this machine: each task has one of its own, which ends with it.

So a task can be dropped at any time, whatever it is doing, and leaves nothing behind. The processes take no notice of
interrupts, which are for whoever started them, and end when that process does, however it ends.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import wait
from typing import Any

from paddock.frozen import frozen, mutable
from paddock.workers.interface import RETRIES, Task
from paddock.workers.queue import Queue, Waiting
from paddock.workers.supervisor import OUT_OF_CPU_TIME, TERMINATION_S, Child, Send, end, undisturbed

LOOK_EVERY_S = 0.1  # at the size of processes


@mutable
class _Running:
    """A task in its process."""

    waited: Waiting
    child: Child


@frozen
class _Message:
    """What a task says while it is under way."""

    value: Any


class LocalProcesses(Queue[_Running]):
    """An executor on this machine that does `jobs` tasks at a time. A process that is `too_large`, given its number, is
    ended. With `on_message`, tasks may send messages on their way: their functions get one more
    argument, a function to send them with. What was sent counts, however they end."""

    def __init__(
        self,
        jobs: int,
        too_large: Callable[[int], bool] | None = None,
        retries: int = RETRIES,
        on_message: Callable[[Any], None] | None = None,
    ) -> None:
        super().__init__(jobs)
        self._too_large = too_large
        self._on_message = on_message
        self._retries = retries

    def _start(self, waiting: Waiting) -> None:
        with undisturbed():  # a process that is not registered would be lost
            try:
                child = Child(partial(_work, waiting.task, self._on_message is not None))
            except OSError as error:  # too many processes, or too little memory for one more
                self._note(waiting.ticket, problem=f"cannot start a process: {error.strerror}")
            else:
                self._running[waiting.ticket] = _Running(waiting, child)

    def _look(self, seconds: float | None) -> None:
        if self._too_large is not None:
            seconds = LOOK_EVERY_S if seconds is None else min(seconds, LOOK_EVERY_S)
        connections: list[object] = [running.child.connection for running in self._running.values()]
        spoken = {id(connection) for connection in wait(connections, seconds)}  # type: ignore[arg-type]
        for ticket, running in list(self._running.items()):
            if id(running.child.connection) in spoken:
                self._take(ticket, running)
            elif self._too_large is not None and self._too_large(running.child.pid):
                self._give_up([ticket], "out of memory")

    def _take(self, ticket: int, running: _Running) -> None:
        """Take what a process says. If it ends without a result, its task starts again."""
        try:
            messages = running.child.receive()
        except (EOFError, OSError):
            running.child.wait(TERMINATION_S)
            status = running.child.status
            cause = _cause_of_death(status)
            self._drop([ticket])
            running.waited.deaths += 1
            times = running.waited.deaths
            if times <= self._retries and status != OUT_OF_CPU_TIME:
                self._waiting.appendleft(running.waited)
            else:
                self._note(ticket, problem=f"{cause}{f', {times} times' if times > 1 else ''}")
            return
        except Exception as error:  # what was sent cannot be read here
            messages = [(None, f"the result cannot be read: {error}")]
        for message in messages:
            if isinstance(message, _Message):
                assert self._on_message is not None
                self._on_message(message.value)
            else:
                value, problem = message
                running.child.wait(TERMINATION_S)
                self._drop([ticket])
                self._note(ticket, value, problem)

    def _drop(self, tickets: list[int]) -> None:
        end([self._running[ticket].child for ticket in tickets])
        for ticket in tickets:
            del self._running[ticket]


def _work(task: Task, may_send: bool, send: Send) -> None:
    """What the process of a task does."""
    sending = (lambda value: send(_Message(value)),) if may_send else ()
    try:
        message = task.function(*task.arguments, *sending), ""
    except MemoryError:
        message = None, "out of memory"
    except Exception as error:
        message = None, f"{type(error).__name__}: {error}"
    try:
        send(message)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the parent is gone
    except Exception as error:
        send((None, f"the result cannot be sent: {error}"))


def _cause_of_death(status: int | None) -> str:
    """Why a process ended without a word."""
    if status is not None and status < 0:
        return f"the worker was ended by a signal: {signal.strsignal(-status)}"
    return f"the worker ended with status {status}"
