"""What solvers may take to find summaries, as they count seconds: so what is found does not depend on the machine.

A time limit that the user has set is kept as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.engines.outcome import Budget
from paddock.solvers.interface import EFFORT_LIMIT, TIME_LIMIT, Answer, Solver, Status, Term

LEAST = 0.01  # of a question, however easy: to ask takes time, too


class Work:
    """An amount of work, part of another amount or not; without a limit if `most` is None."""

    def __init__(self, budget: Budget, most: float | None = None, within: Work | None = None) -> None:
        self.budget = budget
        self._most = most
        self._within = within
        self._used = 0.0

    @property
    def left(self) -> float | None:
        """What may still be taken; never negative."""
        own = None if self._most is None else max(0.0, self._most - self._used)
        outer = None if self._within is None else self._within.left
        return min((left for left in (own, outer) if left is not None), default=None)

    @property
    def is_spent(self) -> bool:
        return self.left == 0.0 or self.budget.is_spent

    def share(self, part: float) -> Work:
        """An amount of its own that is part of what is left."""
        left = self.left
        return Work(self.budget, None if left is None else left * part, self)

    def ask(self, solver: Solver, assumptions: Sequence[Term] = ()) -> Answer:
        """What a solver answers, whose questions should have limits of their own."""
        if self.is_spent:
            return Answer(Status.UNKNOWN, TIME_LIMIT if self.budget.is_spent else EFFORT_LIMIT)
        before = solver.effort()
        answer = solver.check(assumptions, self.budget.remaining())
        self.take(solver.effort() - before)
        return answer

    def take(self, effort: float) -> None:
        """Note what was taken."""
        self._used += max(LEAST, effort)
        if self._within is not None:
            self._within.take(effort)
