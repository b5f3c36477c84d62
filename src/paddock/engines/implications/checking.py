"""Checks assertions in an order that makes use of what implies what (assertion-implications paper, §4.1).

An assertion that fails ends the execution, and each is judged on executions on which those before it hold. So what is
implied by those before it, one or several together, cannot fail at all. Forward, from the strongest, that is all there
is to do. Backward, from the weakest, an assertion is checked as if what implies it was not there: an execution on which
it fails violates that first, and shows a bug there.

If assertions are judged as if the others were not there, only what cannot fail tells of what it implies: where those
hold on all executions, so does this. What is implied by one that fails is checked itself, in any order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from paddock.engines.assertions import Findings, violated
from paddock.engines.implications.dai import Redundant, Search, redundant, sources_of
from paddock.engines.implications.unwinding import MOST_STEPS, TooManySteps, unwound
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.search import Question, opened, replays, stated, unbounded
from paddock.engines.judging import judging
from paddock.engines.outcome import Budget, Outcome, Statistics
from paddock.engines.scope import Scope
from paddock.frozen import frozen, replace
from paddock.ir.origin import AssertionId
from paddock.ir.program import Program
from paddock.passes.candidates import resolved
from paddock.passes.watch_assertions import watch_assertions, watches_in
from paddock.solvers.interface import TIME_LIMIT, Solver, Term
from paddock.solvers.ops import Op
from paddock.trace.run import Failed
from paddock.verdict import Verdict
from paddock.workers.limits import cpu_seconds

SHARE = 0.25  # of the time that is left, for implications
LEAST_QUESTIONS = 8
TOO_LARGE = f"unwound, the program has more than {MOST_STEPS:,} instructions: no implications were looked for"


@frozen
class Plan:
    """How to check assertions one by one: which implications to look for, and how, and the order of the checks."""

    search: Search
    order: str = "auto"
    jobs: int = 1  # processes that look for implications


def check_by_implications(
    original: Program,
    prepared: Program,
    question: Question,
    plan: Plan,
    solver: Solver,
    budget: Budget,
    findings: Findings,
    checker: AssertionChecker | None = None,
) -> tuple[Outcome, Statistics]:
    """A verdict for each assertion, in `findings`, with as few checks as implications allow, by one search for all of
    them, unless another checker is given."""
    checker = checker or Checker(original, prepared, question, solver, budget, findings)
    statistics = checker.statistics
    started = cpu_seconds()
    bounds = Bounds(prepared, question.recursion_bound, question.loop_bound, question.constant_loops)
    sources: list[AssertionId] = []
    found, everywhere = Redundant({}, {}), True
    try:
        ussa = unwound(resolved(prepared, ()), bounds)
        sources, everywhere = sources_of(ussa), not ussa.cut
        found = redundant(ussa, plan.search, solver, budget.share(SHARE), plan.jobs)
        statistics.steps = len(ussa.steps)
        statistics.implications = sum(map(len, (*found.earlier.values(), *found.later.values())))
    except TooManySteps:
        findings.warnings.append(TOO_LARGE)
    statistics.dai_s = cpu_seconds() - started
    order = dict.fromkeys((*sources, *checker.sources))
    checks = Checks(checker, order, found, everywhere, findings)
    outcome = checks.run(plan.order)
    if question.explains:
        findings.scope = checker.scope()
        for implied in (found.earlier, found.later):
            for weaker, stronger in implied.items():
                findings.implied[weaker] = tuple(dict.fromkeys((*findings.implied.get(weaker, ()), *stronger)))
    return outcome, statistics


class AssertionChecker(Protocol):
    """What checks single assertions of a program."""

    budget: Budget
    statistics: Statistics

    @property
    def independent(self) -> bool:
        """Whether assertions are judged as if the others were not there."""
        ...

    @property
    def sources(self) -> tuple[AssertionId, ...]:
        """The assertions that there are."""
        ...

    def scope(self) -> Scope | None:
        """What was looked at, if that is known."""
        ...

    def check(self, on: Collection[AssertionId], ignored: Collection[AssertionId] = ()) -> Outcome:
        """Whether one of some assertions can fail where all others hold, but for those that are ignored."""
        ...

    def cannot_fail(self, group: Sequence[AssertionId]) -> bool:
        """Whether assertions cannot fail at any bound. Those of a group count one after the other."""
        ...

    def violated(self, outcome: Outcome) -> AssertionId:
        """The assertion that an execution violates first, as the user wrote the program."""
        ...


class Checker:
    """One search that is asked of one assertion after the other. The rest is assumed to hold, or ignored."""

    def __init__(
        self,
        original: Program,
        prepared: Program,
        question: Question,
        solver: Solver,
        budget: Budget,
        findings: Findings,
    ) -> None:
        question = replace(question, all_assertions=True)
        watched = watch_assertions(prepared)
        asked = stated(original, watched, question, solver, budget)
        judge = judging(replays(original, question, findings), solver, budget)
        self.budget = budget
        self.independent = question.independent
        self._original = original
        self._engine = opened(asked.program, question, solver, judge, budget)
        self._first_bound = question.engine.first_bound(self._engine.bounds)
        named = self._engine.named

        def both(term: Term) -> tuple[Term, Term]:
            return term, solver.terms.app(Op.NOT, (term,))

        self._checked = {source: both(named(switch)) for source, switch in asked.switches.items()}
        self._watched = {source: both(named(watch)) for source, watch in watches_in(watched).items()}
        self.sources = tuple(asked.switches)
        self.statistics = self._engine.statistics

    def scope(self) -> Scope:
        """What the search has looked at."""
        return self._engine.scope()

    def check(self, on: Collection[AssertionId], ignored: Collection[AssertionId] = ()) -> Outcome:
        """Whether one of some assertions can fail where all others hold, but for those that are ignored: all, if they
        are independent."""
        self.statistics.checks += 1
        engine = self._engine
        engine.assumed = self._assuming(on, self._others(on) if self.independent else ignored)
        engine.completed = self.statistics.completed = None
        return engine.run(max(self._first_bound, self.statistics.bound))

    def cannot_fail(self, group: Sequence[AssertionId]) -> bool:
        """Whether assertions cannot fail at any bound. Those of a group count one after the other."""
        self._engine.assumed = self._assuming(group, self._others(group) if self.independent else ())
        return self._engine.is_safe()

    def _others(self, group: Collection[AssertionId]) -> list[AssertionId]:
        return [source for source in self.sources if source not in group]

    def violated(self, outcome: Outcome) -> AssertionId:
        """The assertion that an execution violates first, as the user wrote the program."""
        assert outcome.run is not None
        assert isinstance(outcome.run.outcome, Failed)
        return violated(self._original, outcome.run.outcome)

    def _assuming(self, on: Collection[AssertionId], ignored: Collection[AssertionId]) -> list[Term]:
        terms = []
        for source in self.sources:
            terms.append(self._checked[source][0 if source in on else 1])
            terms.append(self._watched[source][1 if source in ignored else 0])
        return terms


class Checks:
    """The checks of all assertions of a program, some of which are redundant: on all executions if `everywhere`, else
    on those within the bounds. What comes first in `sources` comes first in the program."""

    def __init__(
        self,
        checker: AssertionChecker,
        sources: Iterable[AssertionId],
        found: Redundant,
        everywhere: bool,
        findings: Findings,
    ) -> None:
        self.checker = checker
        self.findings = findings
        self.found = found
        self.everywhere = everywhere
        self.cut: dict[str, None] = {}
        self.bound: int | None = None
        # What implies comes first: from the strongest to the weakest.
        self.left = dict.fromkeys(sources)
        self.holding = 0  # of those that were checked

    def run(self, order: str) -> Outcome:
        findings = self.findings
        while self.left and not self.checker.budget.is_spent:
            backward = order == "backward" or (order == "auto" and len(findings.bugs) > self.holding)
            if backward:
                self._from_the_weakest(next(reversed(self.left)))
            else:
                self._from_the_strongest(next(iter(self.left)))
        if self.left:
            return Outcome(Verdict.UNKNOWN, self.bound, TIME_LIMIT)
        # What is implied within the bounds may be true beyond. To find out is worth as many questions as the checks.
        implied = [source for source in findings.bounded if findings.through[source]]
        most = max(LEAST_QUESTIONS, self.checker.statistics.checks)
        for source in list(unbounded(implied, self.checker.cannot_fail, most)):
            del findings.bounded[source]
            findings.proved[source] = None
        found = Verdict.BOUNDED if findings.bounded else Verdict.PROVED
        return Outcome(found, self.bound, cut=tuple(self.cut))

    def _from_the_strongest(self, source: AssertionId) -> None:
        if self.checker.independent:
            if self._follows(source):
                return
        elif source in self.found.earlier:
            self._holds(source, self.found.strongest_behind(source))
            return
        # What comes later and implies this one takes its place: if neither can fail, one question is enough for both.
        source = next((later for later in self.found.later.get(source, ()) if later in self.left), source)
        together = [w for w in self.left if source in self.found.later.get(w, ())]
        while source in self.left and not self.checker.budget.is_spent:
            weaker = [w for w in together if w in self.left]
            outcome = self.checker.check([source] if self.checker.independent else [source, *weaker])
            if outcome.verdict is Verdict.BUG:
                self._fails(outcome, source)
            elif self._is_decided(outcome, source):
                for implied in weaker:
                    self._holds(implied, (source,), outcome.verdict)

    def _follows(self, source: AssertionId) -> bool:
        """Note that an assertion cannot fail, if those that imply it together cannot, on any execution."""
        implying = self.found.earlier.get(source, ())
        proved, bounded = self.findings.proved, self.findings.bounded
        if not implying or not all(stronger in proved or stronger in bounded for stronger in implying):
            return False
        everywhere = self.everywhere and all(stronger in proved for stronger in implying)
        self._holds(source, implying, Verdict.PROVED if everywhere else Verdict.BOUNDED)
        return True

    def _from_the_weakest(self, source: AssertionId) -> None:
        if self.checker.independent:
            self._from_the_strongest(source)
            return
        implying = self.found.behind(source)
        while source in self.left and not self.checker.budget.is_spent:
            if any(stronger not in self.left for stronger in implying):
                self._holds(source, self.found.strongest_behind(source))
                return
            stronger = [s for s in (*implying, *self.found.later.get(source, ())) if s in self.left]
            outcome = self.checker.check([source], stronger)
            if outcome.verdict is Verdict.BUG:
                self._fails(outcome, source)
            else:
                self._is_decided(outcome, source)
                return

    def _fails(self, outcome: Outcome, asked: AssertionId) -> None:
        """Note which assertion fails on an execution that was found for another, or for this one."""
        failed = self.checker.violated(outcome)
        assert outcome.run is not None
        self.findings.bugs[failed] = outcome.run
        self.findings.through[failed] = () if failed == asked else (asked,)
        self.left.pop(failed, None)

    def _is_decided(self, outcome: Outcome, source: AssertionId) -> bool:
        """Note what is known of an assertion that was checked and for which there is no bug; whether it holds."""
        if outcome.verdict is Verdict.UNKNOWN:
            if outcome.reason != TIME_LIMIT:
                self.findings.undecided[source] = outcome.reason
                self.findings.through[source] = ()
                del self.left[source]
            return False
        self.holding += 1
        self.cut |= dict.fromkeys(outcome.cut)
        self.bound = outcome.bound if self.bound is None else self.bound
        self._holds(source, (), outcome.verdict)
        return True

    def _holds(self, source: AssertionId, through: tuple[AssertionId, ...], found: Verdict | None = None) -> None:
        if found is None:
            found = Verdict.PROVED if self.everywhere else Verdict.BOUNDED
        (self.findings.proved if found is Verdict.PROVED else self.findings.bounded)[source] = None
        self.findings.through[source] = through
        del self.left[source]
