"""Stratified inlining (Lal, Qadeer and Lahiri, CAV 2012), Fig. 2, on an inlining graph that may share instances.

The procedures inlined so far are checked with all open calls blocked (an error there is a bug) and with the
open calls replaced by their summaries (no error there is a proof, up to the calls that the bound blocks).
Otherwise the calls on the error path are inlined. The default summary of a call is part of its caller's
formula: the globals it may modify are arbitrary, its postconditions hold.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from paddock.ir.expr import Lit
from paddock.ir.program import Program, find_attribute
from paddock.search.counterexample import ModelWorld, read_path
from paddock.search.graph import Edge
from paddock.search.inlining import Inlining
from paddock.search.merging import Strategy
from paddock.search.outcome import Budget, Found, Outcome, Statistics
from paddock.solvers.interface import Answer, Solver, Status
from paddock.trace.path import Path
from paddock.trace.run import Run
from paddock.trace.world import World

# Runs a counterexample; gives the run if it violates the property, or the reason why it does not.
Judge = Callable[[Path, World], Run | str]


class Bounds:
    """How many activations of a procedure may be on the stack: the bound in question, and what the program adds."""

    def __init__(self, program: Program, most: int, loops: int) -> None:
        self.most = most
        self.loops = loops
        self._extra = {p.name: extra for p in program.procedures if (extra := _extra_recursion(p.attributes))}
        self._is_loop = {p.name for p in program.procedures if find_attribute(p.attributes, "loop")}

    def allows(self, edge: Edge, bound: int) -> bool:
        callee = edge.site.callee
        limit = min(bound, self.loops) if callee in self._is_loop else min(bound, self.most)
        return edge.cost <= limit + self._extra.get(callee, 0)

    @property
    def last(self) -> int:
        return max(self.most, self.loops) if self._is_loop else self.most


class StratifiedSearch:
    """One search, from the first query to the verdict."""

    def __init__(
        self,
        program: Program,
        entry: str,
        solver: Solver,
        strategy: Strategy,
        bounds: Bounds,
        budget: Budget,
        judge: Judge,
    ) -> None:
        self.program = program
        self.solver = solver
        self.bounds = bounds
        self.budget = budget
        self.judge = judge
        self.statistics = Statistics()
        started = time.process_time()
        self.inlining = Inlining(program, entry, solver, strategy)
        self.statistics.vc_s = time.process_time() - started
        self.completed: int | None = None

    def run(self) -> Outcome:
        for bound in range(1, self.bounds.last + 1):
            self.statistics.bound = bound
            outcome = self._search(bound)
            if outcome is not None:
                return outcome
            self.completed = bound
        cut = dict.fromkeys(e.site.callee for e in self.inlining.graph.open)
        return Outcome(Found.BOUNDED, self.completed, cut=tuple(cut))

    def _search(self, bound: int) -> Outcome | None:
        """Search up to a bound; None if there is no error up to it, but it cut something off."""
        graph = self.inlining.graph
        while True:
            answer = self._check(graph.open)
            if answer.has_model:
                outcome = self._violation()
                if answer.status is Status.SAT or outcome.found is Found.BUG:
                    return outcome
            elif answer.status is Status.UNKNOWN:
                return self._unknown(answer)
            cut = [e for e in graph.open if not self.bounds.allows(e, bound)]
            answer = self._check(cut)
            if answer.status is Status.UNSAT:
                return None if cut and self.solver.unsat_core() else Outcome(Found.PROVED, self.completed)
            if not answer.has_model:
                return self._unknown(answer)
            calls = self.inlining.open_calls_on(self.solver.model())
            if not calls:
                # Only a candidate that the solver is not sure of gets here a second time.
                return self._violation()
            self._inline(calls)

    def _check(self, blocked: Iterable[Edge]) -> Answer:
        if self.budget.is_spent:
            return Answer(Status.UNKNOWN, "time limit")
        self._report()
        assumptions = self.inlining.blocking(blocked)
        started = time.process_time()
        answer = self.solver.check(assumptions, self.budget.remaining())
        self.statistics.solver_s += time.process_time() - started
        self.statistics.queries += 1
        return answer

    def _inline(self, calls: list[Edge]) -> None:
        started = time.process_time()
        for edge in calls:
            self.inlining.inline(edge)
        self.statistics.vc_s += time.process_time() - started

    def _report(self) -> None:
        graph, statistics = self.inlining.graph, self.statistics
        statistics.instances, statistics.merged, statistics.open = len(graph.nodes), graph.merged, len(graph.open)
        self.budget.report(statistics)

    def _violation(self) -> Outcome:
        """The bug that the solver's model shows, if the interpreter agrees."""
        model = self.solver.model()
        judged = self.judge(read_path(self.inlining, model), ModelWorld(self.program, self.inlining, model))
        if isinstance(judged, str):
            reason = f"the solver found an execution that cannot be replayed: {judged}"
            return Outcome(Found.UNKNOWN, self.completed, reason)
        return Outcome(Found.BUG, self.completed, run=judged)

    def _unknown(self, answer: Answer) -> Outcome:
        return Outcome(Found.UNKNOWN, self.completed, answer.reason)


def _extra_recursion(attributes: tuple) -> int:  # type: ignore[type-arg]
    attribute = find_attribute(attributes, "SIextraRecBound")
    match attribute.params if attribute else ():
        case (Lit(int(extra)),):
            return extra
        case _:
            return 0
