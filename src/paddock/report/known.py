"""What is known of a check from several who say something about it, and in what order: nothing is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from paddock.report.result import AssertionResult, Result, Verdict

DECIDED = (Verdict.PROVED, Verdict.BUG)
MOST_NAMED = 3  # regions


def with_known(result: Result, before: Result | None) -> Result:
    """A result of a check with all that was decided before, whoever decided it: nothing that is known is lost because
    the last to say something does not know it."""
    decided = {a.id: a for a in before.assertions if a.verdict in DECIDED} if before is not None else {}
    if before is None or all(a.verdict in DECIDED for a in result.assertions) or not decided:
        return result
    kept = tuple(a if a.verdict in DECIDED else decided.get(a.id, a) for a in result.assertions)
    result = replace(result, assertions=kept)
    if before.verdict is Verdict.BUG and result.verdict is not Verdict.BUG:
        return replace(result, verdict=Verdict.BUG, counterexample=before.counterexample)
    if result.verdict is not Verdict.BUG and all(a.verdict is Verdict.PROVED for a in kept):
        return replace(result, verdict=Verdict.PROVED, bound=None, reason=proofs(kept))
    return result


def proofs(assertions: Sequence[AssertionResult]) -> str:
    """Which regions suffice for a proof."""
    regions = list(dict.fromkeys(a.region for a in assertions if a.region))
    named = ", ".join(regions[:MOST_NAMED])
    rest = f" and {len(regions) - MOST_NAMED} more" if len(regions) > MOST_NAMED else ""
    whole = " and in the whole program" if any(not a.region for a in assertions) else ""
    return f"proved in {named}{rest}{whole}" if regions else ""


def given_up(known: Result, reason: str) -> Result:
    """What is known of a check that has ended before its time; if that is a proof, the reason does not matter."""
    return known if known.verdict is Verdict.PROVED else replace(known, reason=reason)
