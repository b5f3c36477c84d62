"""What is known of a check, from the events so far: the one place where partial results are made. Nothing that was
decided is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from paddock.report import events
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
        self.result = replace(start, reason=READING)
        self._counts: Progress | None = None

    def add(self, event: Event) -> None:
        """Take an event into account."""
        result = self.result
        match event:
            case Loaded(files, stats):
                self.result = replace(result, files=files, stats=stats, reason=PREPARING)
            case Prepared(entry, goal, assertions, stats):
                stats = {**result.stats, **stats}
                self.result = replace(
                    result, entry=entry, goal=goal, assertions=assertions, stats=stats, reason=SEARCHING
                )
            case events.Warning(text, is_note=True):
                self.result = replace(result, notes=(*result.notes, text))
            case events.Warning(text):
                self.result = replace(result, warnings=(*result.warnings, text))
            case Progress(completed=bound) | BoundCompleted(bound):
                if isinstance(event, Progress):
                    self._counts = event
                if result.verdict is not Verdict.PROVED:
                    self.result = replace(result, bound=bound)
            case AssertionProved(assertion):
                self._decide((assertion,))
            case RegionProved(_, assertions, stats):
                self.result = replace(result, stats={**result.stats, **stats})
                self._decide(assertions)
            case BugFound(counterexample, assertion):
                if result.verdict is not Verdict.BUG:
                    self.result = replace(result, verdict=Verdict.BUG, counterexample=counterexample)
                self._decide(() if assertion is None else (assertion,))
            case Done(final):
                self.result = with_known(final, result)

    def given_up(self, reason: str, time_s: float) -> Result:
        """What is known of a check that has ended before its time. How far a search came says more than that it had
        begun. If there is a proof, the reason does not matter."""
        known = replace(self.result, time_s=time_s)
        if self._counts is not None:
            known = replace(known, stats={**known.stats, **self._counts.stats})
        else:
            reason = f"{reason} {known.reason}"
        return known if known.verdict is Verdict.PROVED else replace(known, reason=reason)

    def _decide(self, assertions: Sequence[AssertionResult]) -> None:
        """Take over verdicts of assertions; a bug stays one."""
        new = {a.id: a for a in assertions}
        judged = tuple(a if a.verdict is Verdict.BUG else new.get(a.id, a) for a in self.result.assertions)
        self.result = _proved_if_all_are(replace(self.result, assertions=judged))


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
