"""Whether a run of the original program shows what a question asks for."""

from __future__ import annotations

from paddock.trace.run import Failed, Outcome, Returned


def is_reached(outcome: Outcome, goal: str) -> bool:
    """Whether a run of the original program shows what the question asks for."""
    return isinstance(outcome, Returned if goal == "return" else Failed)
