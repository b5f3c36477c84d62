"""What a result means, in one sentence."""

from __future__ import annotations

from collections import Counter

from paddock.report.counterexample import TraceStep
from paddock.report.coverage import coverage_sentence
from paddock.report.details import Ground
from paddock.report.result import AssertionResult, Result, Verdict
from paddock.report.witnesses import REFUSED


def verdict_sentence(result: Result) -> str:
    """What the verdict means for this program, in one sentence."""
    if result.cover:
        return coverage_sentence(result, bounds_text(result))
    because = f" ({result.reason})" if result.reason else ""
    returns = result.goal == "return"
    if result.all_assertions and result.assertions:
        return _tally(result)
    match result.verdict:
        case Verdict.BUG if returns or not result.trace:
            return f"{result.entry} can {'return' if returns else 'fail'}{because}"
        case Verdict.BUG:
            last = result.trace[-1]
            return f"{place_text(last)}: {last.text or 'an assertion fails'}{because}"
        case Verdict.PROVED:
            return f"{result.entry} cannot return{because}" if returns else f"no assertion can fail{because}"
        case Verdict.BOUNDED:
            what = f"{result.entry} cannot return" if returns else "no assertion can fail"
            return f"{what} within {bounds_text(result)}{because}"
        case Verdict.UNKNOWN if result.reason.startswith(REFUSED):
            return result.reason
        case Verdict.UNKNOWN:
            covered = (
                f"; nothing was found up to recursion bound {result.bound}"
                if result.bound
                else "; no recursion bound was completed"
            )
            return f"{result.reason or 'no reason was given'}{covered}{_proved_anyway(result)}"


def bounds_text(result: Result) -> str:
    """The bounds within which a verdict holds."""
    recursion = [f"recursion bound {result.bound}"] if result.bound is not None or result.contexts is None else []
    if result.unwind is not None:
        recursion = [f"--unwind {result.unwind}"]
    count = result.contexts or 0
    contexts = [f"{count} round-robin context{'s'[: count > 1]} a thread"] if count else []
    return " and ".join(recursion + contexts)


def _proved_anyway(result: Result) -> str:
    """Of a check that gave out, what was proved until then."""
    proved = [a for a in result.assertions if a.verdict is Verdict.PROVED]
    if not proved:
        return ""
    regions = ", ".join(dict.fromkeys(a.region for a in proved if a.region))
    return f"; {len(proved)} of {len(result.assertions)} assertions proved{' in ' if regions else ''}{regions}"


def _tally(result: Result) -> str:
    """How many assertions have which verdict, and why nothing is known of some."""
    meaning = {
        Verdict.BUG: "can fail",
        Verdict.PROVED: "cannot fail",
        Verdict.BOUNDED: f"cannot fail within {bounds_text(result)}",
        Verdict.UNKNOWN: "unknown",
    }
    counts = Counter(assertion.verdict for assertion in result.assertions)
    parts = [f"{counts[verdict]} {words}" for verdict, words in meaning.items() if counts[verdict]]
    total = len(result.assertions)
    tally = f"of {total} assertion{'s' if total > 1 else ''}, {', '.join(parts)}"
    notes = [result.reason] if result.reason else []
    if result.independent:
        notes.insert(0, "each judged as if the others were not there")
    elif counts[Verdict.BUG] and total > 1:  # what is behind a failure might fail, too
        notes.insert(0, "each judged where those before it hold")
    if counts[Verdict.UNKNOWN]:
        notes.append(f"recursion bound {result.bound} was completed" if result.bound else "no bound was completed")
    return f"{tally} ({'; '.join(notes)})" if notes else tally


def place_text(step: TraceStep | AssertionResult | Ground) -> str:
    """Where something is, as compilers write it."""
    return f"{step.file}:{step.line}:{step.column}" if step.column else f"{step.file}:{step.line}"
