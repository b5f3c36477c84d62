"""Coverage: a result whose assertions are goals, in the words of goals. What `fails` is reached, by the run that is its
counterexample; what is `proved` cannot be reached."""

from __future__ import annotations

import re
from collections import Counter

from paddock.frozen import replace
from paddock.report.counterexample import Counterexample
from paddock.report.result import AssertionResult, Result, Verdict

REACHED, UNREACHABLE, NOT_REACHED, UNKNOWN = "reached", "unreachable", "not reached", "unknown"
STATUS = {
    Verdict.BUG: REACHED,
    Verdict.UNKNOWN: UNKNOWN,
    Verdict.BOUNDED: NOT_REACHED,
    Verdict.PROVED: UNREACHABLE,
}
VERDICT = {status: verdict for verdict, status in STATUS.items()}
MANY = {"branch": "branches", "line": "lines", "assertion": "assertions"}


def as_coverage(result: Result) -> Result:
    """A result about goals: `proved` if each is known to be reached or not to be, `bounded` if some are not reached
    within bounds, else `unknown`. That a goal is reached is no bug."""
    verdicts = {goal.verdict for goal in result.assertions}
    if Verdict.UNKNOWN in verdicts or not (verdicts or result.verdict is Verdict.PROVED):
        verdict = Verdict.UNKNOWN
    else:
        verdict = Verdict.BOUNDED if Verdict.BOUNDED in verdicts else Verdict.PROVED
    reason = "" if verdict is Verdict.PROVED and result.assertions else result.reason
    return replace(result, verdict=verdict, counterexample=None, reason=reason)


def counts(result: Result) -> dict[str, int]:
    """How many goals have which status."""
    found = Counter(STATUS[goal.verdict] for goal in result.assertions)
    return {status: found[status] for status in STATUS.values()}


def inputs_text(counterexample: Counterexample | None) -> str:
    """The choices by which a goal is reached, in the order in which they were made."""
    choices = counterexample.choices if counterexample is not None else ()
    return ", ".join(f"{choice.name} = {choice.value.text}" for choice in choices)


def coverage_sentence(result: Result, bounds: str) -> str:
    """How many goals are reached, and what is known of the others."""
    many, total, found = MANY[result.cover], len(result.assertions), counts(result)
    if not total:
        return f"there are no {many} in what {result.entry} reaches"
    parts = [f"{found[REACHED]} of {total} {many} are reached ({100 * found[REACHED] / total:.1f} %)"]
    if found[UNREACHABLE]:
        parts.append(f"{found[UNREACHABLE]} cannot be")
    if found[NOT_REACHED]:
        parts.append(f"{found[NOT_REACHED]} not within {bounds}")
    if found[UNKNOWN]:
        parts.append(f"{found[UNKNOWN]} unknown")
    because = f" ({result.reason})" if result.reason else ""
    return ", ".join(parts) + because


def harness_file(folder: str, goal: str) -> str:
    """The file for the harness that reaches a goal, by the id of that."""
    return f"{folder}/{re.sub(r'[^A-Za-z0-9_.]+', '-', goal)}.c"


def by_place(goal: AssertionResult) -> tuple[str, int, int]:
    """The order in which goals are listed: that of the source."""
    return goal.file, goal.line, goal.column
