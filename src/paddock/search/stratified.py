"""Stratified inlining (Lal, Qadeer and Lahiri, CAV 2012), Fig. 2, on an inlining graph that may share instances.

The procedures inlined so far are checked with all open calls blocked (an error there is a bug) and with the
open calls replaced by their summaries (no error there is a proof, up to the calls that the bound blocks).
Otherwise the calls on the error path are inlined. The default summary of a call is part of its caller's
formula: the globals it may modify are arbitrary, its postconditions hold.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from paddock.search.bounds import Bounds
from paddock.search.counterexample import ModelWorld, read_path
from paddock.search.graph import Edge
from paddock.search.inlining import Inlining
from paddock.search.outcome import Budget, Found, Outcome, Statistics
from paddock.solvers.interface import TIME_LIMIT, Answer, Status
from paddock.trace.path import Path
from paddock.trace.run import Run
from paddock.trace.values import Undecided
from paddock.trace.world import World

# Runs a counterexample; gives the run if it violates the property, else the reason why it does not.
Judge = Callable[[Path, World], Run | str]


class StratifiedSearch:
    """One search, from the first query to the verdict.

    At a bound for which `whole` says so, everything is inlined before the first query.
    """

    def __init__(
        self, inlining: Inlining, bounds: Bounds, whole: Callable[[int], bool], judge: Judge, budget: Budget
    ) -> None:
        self.inlining = inlining
        self.solver = inlining.solver
        self.bounds = bounds
        self.whole = whole
        self.judge = judge
        self.budget = budget
        self.statistics = Statistics()
        self.completed: int | None = None

    def run(self, first_bound: int = 1) -> Outcome:
        """The verdict, looking at executions within growing bounds."""
        for bound in range(first_bound, self.bounds.last + 1):
            self.statistics.bound = bound
            outcome = self._search(bound)
            if outcome is not None:
                return outcome
            self.completed = bound
        cut = dict.fromkeys(e.site.callee for e in self.inlining.graph.open)
        return Outcome(Found.BOUNDED, self.completed, cut=tuple(cut))

    def _search(self, bound: int) -> Outcome | None:
        """Search within a bound; None if there is no error within it, but it cut something off."""
        graph = self.inlining.graph
        if self.whole(bound) and not self._inline_all(bound):
            return Outcome(Found.UNKNOWN, self.completed, TIME_LIMIT)
        while True:
            cut = [e for e in graph.open if not self.bounds.allow(e, bound)]
            if len(cut) < len(graph.open):
                answer = self._check(graph.open)
                if answer.has_model:
                    outcome = self._violation()
                    # A candidate that the solver is not sure of and that leads nowhere proves nothing.
                    if answer.status is Status.SAT or outcome.found is Found.BUG:
                        return outcome
                elif answer.status is Status.UNKNOWN:
                    return Outcome(Found.UNKNOWN, self.completed, answer.reason)
            answer = self._check(cut)
            if answer.status is Status.UNSAT:
                return Outcome(Found.PROVED, self.completed) if self._is_proof(cut) else None
            if not answer.has_model:
                return Outcome(Found.UNKNOWN, self.completed, answer.reason)
            calls = self.inlining.open_calls_on(self.solver.model())
            if not calls:
                return self._violation()
            self._inline(calls)

    def _is_proof(self, cut: list[Edge]) -> bool:
        """Whether there is no error even if the calls that were cut off do anything that their summaries allow
        (Corral, §4.2, "Computing proofs"). The solver's core need not be minimal, so it is asked once more."""
        if not cut or not self.solver.unsat_core():
            return True
        return self._check(()).status is Status.UNSAT

    def _check(self, blocked: Iterable[Edge]) -> Answer:
        if self.budget.is_spent:
            return Answer(Status.UNKNOWN, TIME_LIMIT)
        self._report()
        assumptions = self.inlining.blocking(blocked)
        started = time.process_time()
        answer = self.solver.check(assumptions, self.budget.remaining())
        self.statistics.solver_s += time.process_time() - started
        self.statistics.queries += 1
        return answer

    def _inline(self, calls: Iterable[Edge]) -> None:
        started = time.process_time()
        for edge in calls:
            self.inlining.inline(edge)
        self.statistics.vc_s += time.process_time() - started

    def _inline_all(self, bound: int) -> bool:
        """Inline every call that the bound allows; False if time runs out."""
        graph = self.inlining.graph
        while calls := [e for e in graph.open if self.bounds.allow(e, bound)]:
            for edge in calls:
                if self.budget.is_spent:
                    return False
                self._inline([edge])
            self._report()
        return True

    def _report(self) -> None:
        graph, statistics = self.inlining.graph, self.statistics
        statistics.instances, statistics.merged, statistics.open = len(graph.nodes), graph.merged, len(graph.open)
        self.budget.report(statistics)

    def _violation(self) -> Outcome:
        """The bug that the solver's model shows, if the interpreter agrees."""
        model = self.solver.model()
        try:
            judged = self.judge(read_path(self.inlining, model), ModelWorld(self.inlining, model))
        except Undecided as undecided:
            judged = undecided.reason
        if isinstance(judged, str):
            reason = f"the solver found an execution that cannot be replayed: {judged}"
            return Outcome(Found.UNKNOWN, self.completed, reason)
        return Outcome(Found.BUG, self.completed, run=judged)
