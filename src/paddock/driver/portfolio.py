"""One check in several processes (`--jobs N`): a portfolio of ways to search, or the assertions divided among them.

Of a portfolio, the first that knows the verdict ends the others. With `--all-assertions`, each process looks at some of
the assertions, and assumes the others, on executions on which those hold. A worker that is lost loses time, never a
verdict: its search starts again, and if that does not help, it is done here, or others know the verdict anyway.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from paddock.driver.executors import executor_of
from paddock.driver.strategies import side_by_side
from paddock.frontends.source import Source
from paddock.frozen import frozen, replace
from paddock.ir.program import Program
from paddock.options import Options
from paddock.report.events import AssertionProved, BugFound, Emit, Event, Progress, ignore
from paddock.report.result import Result, Verdict
from paddock.workers.interface import Task

# Checks a program that was read from sources, with options, and emits events.
Check = Callable[[Program, list[Source], Options, Emit], Result]

# From the worst to the best.
SEVERITY = (Verdict.BUG, Verdict.UNKNOWN, Verdict.BOUNDED, Verdict.PROVED)


@frozen
class SideBySide:
    """A program to be checked in several processes, and who gets the events."""

    check: Check
    given: Program
    sources: Sequence[Source]
    options: Options
    remaining: float | None  # seconds
    emit: Emit

    def raced(self) -> Result:
        """The result of the way that is first to know the verdict; else of the first way that has one."""
        options = self._own_options
        ways = side_by_side(self.given, options, self._jobs)
        of_first = (Progress, BugFound, AssertionProved)  # the others say much the same
        results = self._run([own for _, own in ways], of_first, (), _is_answer)
        if not results:
            return self.check(self.given, list(self.sources), ways[0][1], self.emit)
        number, result = next(((n, r) for n, r in results.items() if _is_answer(r)), min(results.items()))
        return replace(result, strategy=ways[number][0])

    def divided(self, ids: Sequence[str]) -> Result:
        """The result for assertions of which each process looks at some."""
        groups = [tuple(ids[n :: self._jobs]) for n in range(min(self._jobs, len(ids)))]
        ways = [self._own_options.changed(jobs=None, properties=group) for group in groups]
        results = self._run(ways, (Progress,), (BugFound, AssertionProved), lambda _: False)
        for number, options in enumerate(ways):
            if number not in results:
                results[number] = self.check(self.given, list(self.sources), options, self.emit)
        return _joined([results[n] for n in range(len(ways))], ids)

    @property
    def _jobs(self) -> int:
        return self.options.limits.jobs or 1

    @property
    def _own_options(self) -> Options:
        return self.options.changed(timeout=self.remaining)

    def _run(
        self,
        ways: Sequence[Options],
        of_first: tuple[type[Event], ...],
        of_all: tuple[type[Event], ...],
        is_enough: Callable[[Result], bool],
    ) -> dict[int, Result]:
        """The results of checks until one is enough, by their numbers. Events are handed on: some of the first check,
        some of all."""

        def received(message: tuple[int, Event]) -> None:
            number, event = message
            if isinstance(event, of_all) or (number == 0 and isinstance(event, of_first)):
                self.emit(event)

        is_local = self.options.regions.executor == "local"
        check = checked_aloud if is_local else checked_silently
        results: dict[int, Result] = {}
        with executor_of(self.options, os.cpu_count() or 1, received if is_local else None) as executor:
            for number, options in enumerate(ways):
                own = (number,) if is_local else ()
                executor.submit(Task(check, (self.check, self.given, list(self.sources), options, *own)))
            left = len(ways)
            while left and not any(map(is_enough, results.values())):
                ended = executor.ended()
                left -= len(ended)
                results |= {end.ticket: end.value for end in ended if end.value is not None}
        return dict(sorted(results.items()))


def checked_aloud(
    check: Check, given: Program, sources: list[Source], options: Options, number: int, send: Callable[[object], None]
) -> Result:
    """The result of one check, which says with each event which one it is."""
    return check(given, sources, options, lambda event: send((number, event)))


def checked_silently(check: Check, given: Program, sources: list[Source], options: Options) -> Result:
    """The result of one check, perhaps on another machine."""
    return check(given, sources, options, ignore)


def _is_answer(result: Result) -> bool:
    """Whether no other way is needed."""
    return result.verdict is not Verdict.UNKNOWN and (
        not result.all_assertions or all(a.verdict is not Verdict.UNKNOWN for a in result.assertions)
    )


def _joined(results: Sequence[Result], ids: Sequence[str]) -> Result:
    """The result for all assertions, from results for some of them each."""
    decided = {a.id: a for result in results for a in result.assertions}
    worst = min(results, key=lambda result: SEVERITY.index(result.verdict))
    first = next((decided[id_].counterexample for id_ in ids if decided[id_].counterexample is not None), None)
    bounds = [result.bound for result in results if result.verdict is not Verdict.PROVED]
    stats: dict[str, int | float] = {}
    for result in results:
        stats = _added(stats, result.stats)
    return replace(
        worst,
        bound=None if None in bounds else min((b for b in bounds if b is not None), default=worst.bound),
        assertions=tuple(decided[id_] for id_ in ids),
        counterexample=first or worst.counterexample,
        stats={**stats, "procedures": worst.stats.get("procedures", 0)},
        warnings=tuple(dict.fromkeys(w for result in results for w in result.warnings)),
        notes=tuple(dict.fromkeys(n for result in results for n in result.notes)),
        strategy=f"{len(results)} processes",
    )


def _added(some: Mapping[str, int | float], more: Mapping[str, int | float]) -> dict[str, int | float]:
    return {name: some.get(name, 0) + more.get(name, 0) for name in {**some, **more}}
