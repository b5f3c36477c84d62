"""A portfolio of ways to search one program, side by side (`--jobs N`), each in a process of its own.

The first that knows the verdict ends the others. A worker that is lost loses time, never a verdict: its search starts
again, and if that does not help, the others go on. If all are lost, the program is searched here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from paddock.driver.executors import executor_of
from paddock.driver.strategies import side_by_side
from paddock.frontends.source import Source
from paddock.frozen import frozen, replace
from paddock.ir.program import Program
from paddock.options import Options
from paddock.report.events import Done, Emit, Event, Loaded, ignore
from paddock.report.result import Result, Verdict
from paddock.workers.interface import Executor, Task

# Checks a program that was read from sources, with options, and emits events.
Check = Callable[[Program, list[Source], Options, Emit], Result]


@frozen
class Portfolio:
    """A program to be checked in several ways, and who gets the events."""

    check: Check
    given: Program
    sources: Sequence[Source]
    options: Options
    remaining: float | None  # seconds
    emit: Emit

    def result(self) -> Result:
        """The result of the way that is first to know the verdict; else of the first way, if it has one."""
        options = self.options.changed(timeout=self.remaining)
        ways = side_by_side(self.given, options, options.limits.jobs or 1)
        is_local = options.regions.executor == "local"
        with executor_of(options, os.cpu_count() or 1, self._received if is_local else None) as executor:
            results = self._run(executor, ways, is_local)
        if not results:
            return self.check(self.given, list(self.sources), ways[0][1], self._handed_on)
        number, result = next(((n, r) for n, r in results.items() if _is_answer(r)), min(results.items()))
        return replace(result, strategy=ways[number][0])

    def _run(self, executor: Executor, ways: Sequence[tuple[str, Options]], is_local: bool) -> dict[int, Result]:
        """The results of all ways until one is an answer, by their numbers."""
        check = checked_aloud if is_local else checked_silently
        for number, (_, options) in enumerate(ways):
            own = (number,) if is_local else ()
            executor.submit(Task(check, (self.check, self.given, list(self.sources), options, *own)))
        results: dict[int, Result] = {}
        left = len(ways)
        while left and not any(map(_is_answer, results.values())):
            ended = executor.ended()
            left -= len(ended)
            results |= {end.ticket: end.value for end in ended if end.value is not None}
        return dict(sorted(results.items()))

    def _received(self, message: tuple[int, Event]) -> None:
        """Hand on what the first way says; the others say much the same."""
        number, event = message
        if number == 0:
            self._handed_on(event)

    def _handed_on(self, event: Event) -> None:
        """Hand on an event, but for those that are ours: what was read, and the end."""
        if not isinstance(event, Loaded | Done):
            self.emit(event)


def checked_aloud(
    check: Check, given: Program, sources: list[Source], options: Options, number: int, send: Callable[[object], None]
) -> Result:
    """The result of one way, which says with each event which way it is."""
    return check(given, sources, options, lambda event: send((number, event)))


def checked_silently(check: Check, given: Program, sources: list[Source], options: Options) -> Result:
    """The result of one way, perhaps on another machine."""
    return check(given, sources, options, ignore)


def _is_answer(result: Result) -> bool:
    """Whether no other way is needed."""
    return result.verdict is not Verdict.UNKNOWN and (
        not result.all_assertions or all(a.verdict is not Verdict.UNKNOWN for a in result.assertions)
    )
