"""Warnings for what holds for want of executions: assertions that nothing reaches, as where assumptions contradict each
other. A second check asks of each assertion whether it is reached."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE
from paddock.ir.program import Implementation, Program
from paddock.ir.stmt import Assert, Block, Return
from paddock.options import Options
from paddock.options.groups import Dependence
from paddock.report.result import AssertionResult, Result, Verdict
from paddock.report.sentence import place_text

# Contracts stay as they are, and that a bound suffices is no reason to warn.
NOT_ASKED = ("requires", "ensures", "unwinding")
CAUSE_S = 5.0  # for finding out why nothing is reached
LEAST_S = 0.5  # that must be left of the time limit
NO_TIME = "--vacuity: there was no time left to look for assertions that no execution reaches"
NOTHING = "no execution reaches any assertion"
ASSUMPTIONS = "do assumptions contradict each other?"
AXIOMS = "the axioms contradict each other"


@frozen
class Checking:
    """What the second look needs: the program, and how to check it with other options, or another one."""

    again: Callable[[Options], Result]
    program: Callable[[], Program]
    other: Callable[[Program, Options], Result]


def warned(result: Result, options: Options, checking: Checking) -> Result:
    """A result without a bug, with warnings for assertions that no execution reaches."""
    if result.verdict not in (Verdict.PROVED, Verdict.BOUNDED) or result.goal != "assertion" or not result.assertions:
        return result
    timeout = options.limits.timeout
    left = None if timeout is None else timeout - result.time_s
    if left is not None and left < LEAST_S:
        return replace(result, warnings=(*result.warnings, NO_TIME))
    second = checking.again(_asking(options, left))
    open_ = {_key(a) for a in second.assertions if a.verdict is not Verdict.PROVED}
    known = {_key(a) for a in second.assertions}
    vacuous = [a for a in result.assertions if _key(a) in known - open_ and a.kind not in NOT_ASKED]
    warnings_ = [f"{place_text(a)}: no execution reaches this assertion: {a.text}" for a in vacuous]
    if vacuous and len(vacuous) == len(result.assertions):
        warnings_.append(f"{NOTHING}: {_cause(result.entry, checking)}")
    spent = result.time_s + second.time_s
    return replace(result, warnings=(*result.warnings, *warnings_), time_s=spent)


def _cause(entry: str, checking: Checking) -> str:
    """Why nothing is reached: an entry that does nothing but fail is not, either, for the axioms or for them and what
    is required of its inputs."""
    program = checking.program()
    procedure = program.procedure_named[entry]
    fails = Implementation((), (Block("fails", (Assert(FALSE),), Return()),))
    for requires, cause in (((), AXIOMS), (procedure.requires, f"no input is what {entry} requires")):
        stub = replace(procedure, requires=requires, ensures=(), implementations=(fails,))
        found = checking.other(replace(program, procedures=(stub,)), Options.of(entry=entry, timeout=CAUSE_S))
        if found.verdict is Verdict.PROVED:
            return cause
    return ASSUMPTIONS


def _asking(options: Options, timeout: float | None) -> Options:
    """The options of the second check: nothing that depends on the conditions of assertions, or keeps what it finds."""
    asked = replace(options, dependence=Dependence())
    task = {"vacuity": False, "cover": "assertion", "all_assertions": False, "independent": False, "properties": ()}
    return asked.changed(**task, timeout=timeout, harness=None, store=None, unwinding_assertions=False)


def _key(assertion: AssertionResult) -> tuple[str, int, int, str, str]:
    """What stays of an assertion where its condition does not."""
    return assertion.file, assertion.line, assertion.column, assertion.kind, assertion.procedure
