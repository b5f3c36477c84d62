"""What is new in a search, as events: each bound, each bug and each proof once."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.driver.verdicts import counted
from paddock.engines.outcome import Statistics
from paddock.options import Options
from paddock.report import events
from paddock.report.counterexample import Counterexample
from paddock.report.events import AssertionProved, BoundCompleted, BugFound, Emit, Progress
from paddock.report.result import AssertionResult, Verdict


class Announcer:
    """Emits what is new."""

    def __init__(self, options: Options, emit: Emit) -> None:
        self._options = options
        self._emit = emit
        self._bound = 0
        self._announced: set[tuple[str, Verdict]] = set()  # assertions, by their ids
        self._warnings = 0
        self._has_bug = False

    def go_on(self, options: Options) -> None:
        """What was announced stays so in a search with other options."""
        self._options = options

    def progress(self, statistics: Statistics, procedures: int | None = None) -> None:
        """The counts of a search, of a program with so many procedures."""
        stats = {} if procedures is None else {"procedures": procedures}
        counts = {**stats, **counted(statistics, self._options)}
        self._emit(Progress(statistics.bound, statistics.completed, counts))
        if statistics.completed is not None and statistics.completed > self._bound:
            self._bound = statistics.completed
            self._emit(BoundCompleted(self._bound))

    def findings(
        self, assertions: Sequence[AssertionResult], first: Counterexample | None, warnings: Sequence[str]
    ) -> None:
        """What is known of assertions, the first counterexample, and all warnings of the search so far."""
        for warning in warnings[self._warnings :]:
            self._emit(events.Warning(warning))
        self._warnings = len(warnings)
        for assertion in assertions:
            key = assertion.id, assertion.verdict
            if key in self._announced:
                continue
            self._announced.add(key)
            if assertion.verdict is Verdict.PROVED:
                self._emit(AssertionProved(assertion))
            elif assertion.counterexample is not None:
                is_first = first is not None and first.steps is assertion.counterexample.steps
                self._bug(BugFound(first if first and is_first else assertion.counterexample, assertion))
        if first is not None and not self._has_bug:
            self._bug(BugFound(first))

    def _bug(self, found: BugFound) -> None:
        self._has_bug = True
        self._emit(found)
