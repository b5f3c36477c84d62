"""What a scheduler may ask of those who do its work, wherever they are: start tasks, wait for their ends, drop them.

A task is small, can be sent to another machine, and does no harm when it is done twice: one whose worker dies is
started again. Ends come in any order; whoever wants results that do not depend on it goes by the tickets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Protocol, Self

from paddock.frozen import frozen

RETRIES = 2  # how often a task is started again when its worker dies


@frozen
class Task:
    """A call of a function that stands at the top of a module, with arguments that can be pickled. It is ended when it
    takes longer than `time_limit` seconds; waiting for a worker does not count."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    time_limit: float | None = None


@frozen
class Ended:
    """The end of a task: the value that its function returned, or the problem that there was."""

    ticket: int
    value: Any = None
    problem: str = ""


class Executor(Protocol):
    """Does tasks, several at a time. What is still under way when it is closed is ended."""

    @property
    def idle(self) -> int:
        """How many more tasks could start at once."""
        ...

    def submit(self, task: Task) -> int:
        """Take on a task, to be done as soon as a worker is free; the first come first. Gives its ticket:
        they are numbered from 0."""
        ...

    def cancel(self, ticket: int) -> None:
        """Drop a task, whether it is under way or waiting. It is not reported any more."""
        ...

    def ended(self, timeout: float | None = None) -> list[Ended]:
        """The tasks that have ended since the last time, by their tickets. Waits for one if there is none yet, but no
        longer than `timeout` seconds, and not if nothing is under way."""
        ...

    def close(self) -> None:
        """Drop all tasks."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def run_all(executor: Executor, tasks: Iterable[Task]) -> list[Ended]:
    """The ends of tasks in the order of the tasks. Nothing else may be under way."""
    tickets = [executor.submit(task) for task in tasks]
    ends: dict[int, Ended] = {}
    while len(ends) < len(tickets):
        ends.update((ended.ticket, ended) for ended in executor.ended())
    return [ends[ticket] for ticket in tickets]
