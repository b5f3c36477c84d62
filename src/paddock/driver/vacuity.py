"""Warnings for what holds for want of executions: assertions that nothing reaches, as where assumptions contradict each
other. A second check asks of each assertion whether it is reached."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frozen import replace
from paddock.options import Options
from paddock.options.groups import Dependence
from paddock.report.result import AssertionResult, Result, Verdict
from paddock.report.sentence import place_text

# Contracts stay as they are, and that a bound suffices is no reason to warn.
NOT_ASKED = ("requires", "ensures", "unwinding")
LEAST_S = 0.5  # that must be left of the time limit
NO_TIME = "--vacuity: there was no time left to look for assertions that no execution reaches"
NOTHING = "no execution reaches any assertion: do assumptions, axioms or preconditions contradict each other?"


def warned(result: Result, options: Options, check: Callable[[Options], Result]) -> Result:
    """A result without a bug, with warnings for assertions that no execution reaches. `check` checks the same program
    with other options."""
    if result.verdict not in (Verdict.PROVED, Verdict.BOUNDED) or result.goal != "assertion" or not result.assertions:
        return result
    timeout = options.limits.timeout
    left = None if timeout is None else timeout - result.time_s
    if left is not None and left < LEAST_S:
        return replace(result, warnings=(*result.warnings, NO_TIME))
    second = check(_asking(options, left))
    open_ = {_key(a) for a in second.assertions if a.verdict is not Verdict.PROVED}
    known = {_key(a) for a in second.assertions}
    vacuous = [a for a in result.assertions if _key(a) in known - open_ and a.kind not in NOT_ASKED]
    warnings_ = [f"{place_text(a)}: no execution reaches this assertion: {a.text}" for a in vacuous]
    if vacuous and len(vacuous) == len(result.assertions):
        warnings_.append(NOTHING)
    spent = result.time_s + second.time_s
    return replace(result, warnings=(*result.warnings, *warnings_), time_s=spent)


def _asking(options: Options, timeout: float | None) -> Options:
    """The options of the second check: nothing that depends on the conditions of assertions, or keeps what it finds."""
    asked = replace(options, dependence=Dependence())
    task = {"vacuity": False, "cover": "assertion", "all_assertions": False, "independent": False, "properties": ()}
    return asked.changed(**task, timeout=timeout, harness=None, store=None, unwinding_assertions=False)


def _key(assertion: AssertionResult) -> tuple[str, int, int, str, str]:
    """What stays of an assertion where its condition does not."""
    return assertion.file, assertion.line, assertion.column, assertion.kind, assertion.procedure
