"""When to ask for an error without open calls: not more work on that than on looking for calls that matter.

A query with all open calls blocked finds a bug as soon as it is there, but as long as there is none the solver has to
refute all that has been inlined, again and again. A path through summaries that follows no open call is a bug as well,
so such a query can wait until the others have taken as much work as the last one of its kind.
"""

from __future__ import annotations

from paddock.solvers.interface import Solver

# What costs less, as the solver counts seconds, never waits.
LITTLE = 0.3
SHARE = 1.0  # of the work on one kind of query, in that on the other


class Balance:
    """Counts the work of a solver on queries without open calls, in one search at one bound."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._started = 0.0
        self._due = 0.0  # the effort from which the next one is due

    @property
    def is_due(self) -> bool:
        """Whether a query without open calls is due; if so, it starts now."""
        self._started = self._solver.effort()
        return self._started >= self._due

    def asked(self) -> None:
        """The query that has started is over."""
        now = self._solver.effort()
        took = now - self._started
        self._due = now + took / SHARE if took > LITTLE else 0.0
