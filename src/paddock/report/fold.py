"""What is known of a check, from the events so far: the one place where partial results are made. Nothing that was
decided is taken back."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frozen import replace
from paddock.report import events
from paddock.report.coverage import as_coverage
from paddock.report.events import (
    AssertionProved,
    BoundCompleted,
    BugFound,
    Done,
    Event,
    Loaded,
    Prepared,
    Progress,
    RegionProved,
)
from paddock.report.result import AssertionResult, Result, Verdict

DECIDED = (Verdict.PROVED, Verdict.BUG)
MOST_NAMED = 3  # regions

READING, PREPARING, SEARCHING = "while reading the program", "while preparing the program", "while searching"


class Fold:
    """The result of a check as far as it is known. It starts with what the options say of it."""

    def __init__(self, start: Result) -> None:
        self._known = replace(start, reason=READING)  # but for the assertions
        self._assertions: dict[str, AssertionResult] = {}  # by id
        self._counts: Progress | None = None
        self._final: Result | None = None

    @property
    def result(self) -> Result:
        """What is known now."""
        known = self._final
        if known is None:
            known = _proved_if_all_are(replace(self._known, assertions=tuple(self._assertions.values())))
        return as_coverage(known) if known.cover else known

    def add(self, event: Event) -> None:
        """Take an event into account."""
        known = self._known
        match event:
            case Loaded(files, stats, data_model):
                self._known = replace(known, files=files, stats=stats, data_model=data_model, reason=PREPARING)
            case Prepared(entry, goal, assertions, stats):
                stats = {**known.stats, **stats}
                self._known = replace(known, entry=entry, goal=goal, stats=stats, reason=SEARCHING)
                self._assertions = {a.id: a for a in assertions}
            case events.Warning(text, is_note=True):
                self._known = replace(known, notes=(*known.notes, text))
            case events.Warning(text):
                self._known = replace(known, warnings=(*known.warnings, text))
            case Progress(completed=bound) | BoundCompleted(bound):
                self._known = replace(known, bound=bound)
                self._counts = event if isinstance(event, Progress) else self._counts
            case AssertionProved(assertion):
                self._decide(assertion)
            case RegionProved(_, assertions, stats):
                self._known = replace(known, stats={**known.stats, **stats})
                for assertion in assertions:
                    self._decide(assertion)
            case BugFound(counterexample, violated):
                if known.verdict is not Verdict.BUG:
                    self._known = replace(known, verdict=Verdict.BUG, counterexample=counterexample)
                if violated is not None:
                    self._decide(violated)
            case Done(final):
                self._final = with_known(final, self.result)

    def given_up(self, reason: str, time_s: float) -> Result:
        """What is known of a check that has ended before its time. How far a search came says more than that it had
        begun. If there is a proof, the reason does not matter."""
        known = replace(self.result, time_s=time_s)
        if self._counts is not None:
            known = replace(known, stats={**known.stats, **self._counts.stats})
        else:
            reason = f"{reason} {known.reason}"
        return known if known.verdict is Verdict.PROVED else replace(known, reason=reason)

    def _decide(self, assertion: AssertionResult) -> None:
        """Take over the verdict on an assertion; a bug stays one."""
        known = self._assertions.get(assertion.id)
        if known is not None and known.verdict is not Verdict.BUG:
            self._assertions[assertion.id] = assertion


def with_known(result: Result, before: Result) -> Result:
    """A result of a check with all that was decided before, whoever decided it: nothing that is known is lost because
    the last to say something does not know it."""
    decided = {a.id: a for a in before.assertions if a.verdict in DECIDED}
    if all(a.verdict in DECIDED for a in result.assertions) or not decided:
        return result
    kept = tuple(a if a.verdict in DECIDED else decided.get(a.id, a) for a in result.assertions)
    result = replace(result, assertions=kept)
    if before.verdict is Verdict.BUG and result.verdict is not Verdict.BUG:
        return replace(result, verdict=Verdict.BUG, counterexample=before.counterexample)
    return _proved_if_all_are(result)


def _proved_if_all_are(result: Result) -> Result:
    """A result with a proof if there is one for each assertion."""
    proved = all(a.verdict is Verdict.PROVED for a in result.assertions)
    if not proved or not result.assertions or result.verdict is Verdict.BUG:
        return result
    return replace(result, verdict=Verdict.PROVED, bound=None, reason=proofs(result.assertions))


def proofs(assertions: Sequence[AssertionResult]) -> str:
    """Which regions suffice for a proof."""
    regions = list(dict.fromkeys(a.region for a in assertions if a.region))
    named = ", ".join(regions[:MOST_NAMED])
    rest = f" and {len(regions) - MOST_NAMED} more" if len(regions) > MOST_NAMED else ""
    whole = " and in the whole program" if any(not a.region for a in assertions) else ""
    return f"proved in {named}{rest}{whole}" if regions else ""
