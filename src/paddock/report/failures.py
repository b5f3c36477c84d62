"""What a check found to be wrong: each violation once, with a name, a place and a run, as every report needs it."""

from __future__ import annotations

from paddock.frozen import frozen
from paddock.report.counterexample import Counterexample
from paddock.report.result import AssertionResult, Result, Verdict

RETURN = "return"  # the kind of what is found if it was asked whether the entry returns


@frozen
class Failure:
    """A violation. `id` stays when other parts of the program change, `kind` is that of the assertion."""

    id: str
    kind: str
    message: str
    file: str
    line: int
    column: int
    procedure: str
    counterexample: Counterexample


def failures(result: Result) -> tuple[Failure, ...]:
    """The violations of a result, in the order of the source; the one that is at the top alone if no assertion has
    it."""
    found = [_of_assertion(a, a.counterexample) for a in result.assertions if a.counterexample is not None]
    if not found and result.counterexample is not None and result.verdict is Verdict.BUG:
        found = [_of_run(result, result.counterexample)]
    return tuple(found)


def _of_assertion(assertion: AssertionResult, run: Counterexample) -> Failure:
    last = run.steps[-1] if run.steps else None
    text = last.text if last is not None and last.kind == "fail" else ""
    return Failure(
        assertion.id,
        assertion.kind,
        text or f"assertion fails: {assertion.text}",
        assertion.file,
        assertion.line,
        assertion.column,
        assertion.procedure,
        run,
    )


def _of_run(result: Result, run: Counterexample) -> Failure:
    """A violation of which no more is known than its run."""
    returns = result.goal == RETURN
    message = f"{result.entry} can return" if returns else "an assertion fails"
    kind = RETURN if returns else "assert"
    file = result.files[0] if result.files else ""
    if not run.steps:
        return Failure(f"{result.entry}.{kind}", kind, message, file, 0, 0, result.entry, run)
    last = run.steps[-1]
    text = message if returns else last.text or message
    return Failure(f"{result.entry}.{kind}", kind, text, last.file, last.line, last.column, last.procedure, run)
