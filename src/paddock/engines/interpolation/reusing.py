"""Assertions are checked each in a search of its own, with the summaries of the proofs before (assertion-implications
paper, §4.2): in an order that implications suggest, or in that of the program.

Searches are in the program without recursion that a bound comes down to, so that proofs within it leave summaries for
the next: first with calls beyond the bound left open, for a proof at every bound, then with those cut off. What holds
where they are open holds where they are cut off.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from paddock.engines.assertions import Findings, violated
from paddock.engines.implications.checking import Checks
from paddock.engines.implications.dai import Redundant
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.search import Question, stated
from paddock.engines.interpolation.one_by_one import Searches
from paddock.engines.interpolation.unrolling import unrolled
from paddock.engines.outcome import Budget, Outcome, Statistics
from paddock.engines.scope import Scope
from paddock.frozen import replace
from paddock.ir.origin import AssertionId
from paddock.ir.program import Program
from paddock.solvers.interface import Solver
from paddock.trace.run import Failed
from paddock.verdict import Verdict


class ReusingChecker:
    """Checks single assertions on executions on which the others hold, with the summaries of the proofs before."""

    independent = False

    def __init__(
        self, original: Program, prepared: Program, question: Question, solver: Solver, budget: Budget
    ) -> None:
        question = replace(question, all_assertions=True, explains=False)
        asked = stated(original, prepared, question, solver, budget)
        bounds = Bounds(asked.program, question.recursion_bound, question.loop_bound, question.constant_loops)
        self.budget = budget
        self.statistics = Statistics()
        self.sources = tuple(asked.switches)
        self._original = original
        self._bound = bounds.last
        cut, left_open = (unrolled(asked.program, bounds, bounds.last, leave_open=open_) for open_ in (False, True))
        # A program that is too large within the bound is searched as it is.
        self._cut = () if cut is None else tuple(sorted(cut.cut))
        programs = [program for program in (left_open if self._cut else None, cut) if program is not None]
        self._searches = [
            Searches(original, replace(asked, program=program), question, solver, budget, n + 1 < len(programs))
            for n, program in enumerate([unrolled_.program for unrolled_ in programs] or [asked.program])
        ]

    def scope(self) -> Scope | None:
        """Nothing is said of what was looked at."""
        return None

    def check(self, on: Collection[AssertionId], ignored: Collection[AssertionId] = ()) -> Outcome:
        """Whether one of some assertions can fail where all others hold; none is ignored."""
        assert not ignored
        self.statistics.checks += 1
        last = self._searches[-1]
        for searches in self._searches[:-1]:
            outcome = self._step(searches, on)
            for name, conditions in searches.known.items():
                last.known.setdefault(name, {}).update(conditions)
            if outcome.verdict is Verdict.PROVED:
                return outcome
        outcome = self._step(last, on)
        if outcome.verdict is Verdict.PROVED and self._cut:
            return Outcome(Verdict.BOUNDED, self._bound, cut=self._cut)
        return outcome

    def cannot_fail(self, group: Sequence[AssertionId]) -> bool:
        """Whether assertions cannot fail at any bound. Those of a group count one after the other."""
        return self._step(self._searches[0], group).verdict is Verdict.PROVED

    def violated(self, outcome: Outcome) -> AssertionId:
        """The assertion that an execution violates first, as the user wrote the program."""
        assert outcome.run is not None
        assert isinstance(outcome.run.outcome, Failed)
        return violated(self._original, outcome.run.outcome)

    def _step(self, searches: Searches, on: Collection[AssertionId]) -> Outcome:
        step = searches.step(tuple(on))
        self.statistics.instances += step.instances
        self.statistics.queries += step.queries
        self.budget.report(self.statistics)
        return step.outcome


def check_with_summaries(
    original: Program, prepared: Program, question: Question, solver: Solver, budget: Budget, findings: Findings
) -> tuple[Outcome, Statistics]:
    """A verdict for each assertion, in `findings`, each with the summaries of the proofs before."""
    checker = ReusingChecker(original, prepared, question, solver, budget)
    outcome = Checks(checker, checker.sources, Redundant({}, {}), True, findings).run("forward")
    return outcome, checker.statistics
