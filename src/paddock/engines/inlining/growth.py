"""Growing the inlining graph: single calls with the iterations behind them, or all that a bound allows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.graph import Edge
from paddock.engines.inlining.instances import Inlining
from paddock.engines.outcome import Budget, Statistics


class Growth:
    """How the graph of a search grows. `allow` says which calls may be inlined at a bound."""

    def __init__(
        self,
        inlining: Inlining,
        bounds: Bounds,
        statistics: Statistics,
        budget: Budget,
        share_early: bool,
        allow: Callable[[Edge, int], bool],
    ) -> None:
        self._inlining = inlining
        self._bounds = bounds
        self._statistics = statistics
        self._budget = budget
        self._share_early = share_early
        self._allow = allow
        self.rounds = 0  # in which calls that matter were inlined

    def inline_and_share(self, calls: Iterable[Edge], bound: int) -> None:
        """Inline calls, and let others share what there is then."""
        self.rounds += 1
        self.inline(calls)
        if not self._share_early or not self._inlining.merging.shares:
            return
        started = time.process_time()
        self._inlining.share([e for e in self._inlining.open_calls() if e.may_share and self._allow(e, bound)])
        self._statistics.vc_s += time.process_time() - started

    def inline(self, calls: Iterable[Edge]) -> None:
        started = time.process_time()
        for edge in calls:
            self._inlining.inline(edge)
            for further in self._next_iterations(edge):
                self._inlining.inline(further)
        self._statistics.vc_s += time.process_time() - started

    def inline_all(self, bound: int, report: Callable[[], None]) -> bool:
        """Inline every call that the bound allows; False if time runs out."""
        while calls := [e for e in self._inlining.open_calls() if self._allow(e, bound)]:
            for edge in calls:
                if self._budget.is_spent:
                    return False
                self.inline([edge])
            report()
        if self._inlining.graph.merged:
            # Where instances are shared there may be many more paths than instances, all within this one formula.
            self._inlining.solver.decide_in_order()
        return True

    def _next_iterations(self, edge: Edge) -> Iterator[Edge]:
        """The open calls for as many further iterations as a loop has had, if it is one that may run to its end. To ask
        which of them matter, one by one, would take longer than to have up to twice as many as do."""
        loop = edge.site.callee
        if not self._bounds.is_constant_loop(loop):
            return
        for _ in range(edge.cost):
            assert edge.target is not None
            again = next((e for e in edge.target.edges if e.site.callee == loop), None)
            if again is None or again.target is not None or not self._allow(again, self._statistics.bound):
                return
            yield again
            edge = again
