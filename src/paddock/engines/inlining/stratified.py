"""Stratified inlining (Lal, Qadeer and Lahiri, CAV 2012), Fig. 2, on an inlining graph that may share instances.

The procedures inlined so far are checked with all open calls blocked (an error there is a bug) and with the
open calls replaced by their summaries (no error there is a proof, up to the calls that the bound blocks).
Otherwise the calls on the error path are inlined. The default summary of a call is part of its caller's
formula: the globals it may modify are arbitrary, its postconditions hold.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial

from paddock.engines.counterexample import ModelWorld, read_path
from paddock.engines.inlining.balance import Balance
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.graph import Edge, Node
from paddock.engines.inlining.growth import Growth
from paddock.engines.inlining.instances import Inlining
from paddock.engines.judging import Candidate, Judge
from paddock.engines.outcome import CONFIRMATION_EFFORT, Budget, Infeasible, Outcome, Rejected, Statistics, rejected
from paddock.engines.scope import Instance, Scope, whole_bodies
from paddock.frozen import frozen
from paddock.ir.expr import Var
from paddock.solvers.interface import EFFORT_LIMIT, TIME_LIMIT, Answer, Solver, Status, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL
from paddock.trace.path import Path
from paddock.trace.run import Run
from paddock.trace.values import Undecided
from paddock.verdict import Verdict


@frozen
class Choice:
    """What a round of a search inlines: the open calls on some error paths that the summaries allow (`trace`), those in
    the solver's core of why there is no error without them (`core`, which asks for no path), or, in the first rounds,
    those that are `both`: where few calls matter, that finds them; where many do, whole paths take fewer rounds.

    If open calls share instances early, then all those do that can, wanted or not: it takes no new instance, and less
    is left to the summaries."""

    calls: str = "trace"
    traces: int = 1  # each avoids the open calls on those before
    share_early: bool = True


@frozen
class Shortcuts:
    """Ways to end a search early. `whole` says at which bound, after which effort of the solver, everything is inlined
    before the next query; `is_ruled_out` whether it is known, after an effort, that there is no error at any bound."""

    whole: Callable[[int, float], bool] = lambda _bound, _effort: False
    is_ruled_out: Callable[[float], bool] = lambda _effort: False


FIRST_ROUNDS = 4

TYPESTATES = "the values of globals in each context suffice"


class StratifiedSearch:
    """One search, from the first query to the verdict."""

    def __init__(
        self,
        inlining: Inlining,
        bounds: Bounds,
        shortcuts: Shortcuts,
        judge: Judge,
        budget: Budget,
        choice: Choice,
    ) -> None:
        self.inlining = inlining
        self.bounds = bounds
        self.shortcuts = shortcuts
        self.judge = judge
        self.budget = budget
        self.choice = choice
        self.statistics = Statistics()
        self.completed: int | None = None
        self.assumed: Sequence[Term] = ()  # in every query, until it is changed
        self.speculate: Callable[[Inlining], Run | None] = lambda _: None  # what the last model suggests
        self.growth = Growth(inlining, bounds, self.statistics, budget, choice.share_early, self._allows)
        self.cut: list[Edge] = []  # calls that were cut off and behind which there might be an error

    def named(self, var: Var) -> Term:
        """The solver's constant for one of the program."""
        return self.inlining.templates.encoder.named(var)

    def run(self, first_bound: int = 1) -> Outcome:
        """The verdict, looking at executions within growing bounds. More may be asserted and the search run again."""
        answer = self._check(())
        if answer.status is Status.UNSAT:
            return Outcome(Verdict.PROVED, self.completed)
        if answer.has_model and (run := self.speculate(self.inlining)) is not None:
            return Outcome(Verdict.BUG, self.completed, run=run)
        for bound in range(first_bound, self.bounds.last + 1):
            self.statistics.bound = bound
            outcome = self._search(bound)
            if outcome is not None:
                return outcome
            self.completed = self.statistics.completed = bound
        return Outcome(Verdict.BOUNDED, self.completed, cut=tuple(dict.fromkeys(self._cut_procedures())))

    def _search(self, bound: int) -> Outcome | None:
        """Search within a bound; None if there is no error within it, but it cut something off."""
        is_whole = False
        balance = Balance(self.inlining.solver)
        while True:
            effort = self.inlining.solver.effort()
            if self.shortcuts.is_ruled_out(effort):
                return Outcome(Verdict.PROVED, self.completed, TYPESTATES)
            if not is_whole and self.shortcuts.whole(bound, effort):
                is_whole = True
                if not self.growth.inline_all(bound, self._report):
                    return Outcome(Verdict.UNKNOWN, self.completed, TIME_LIMIT)
            needed: Collection[Edge] = ()
            open_calls = self.inlining.open_calls()
            cut = [e for e in open_calls if not self._allows(e, bound)]
            wants_core = self.choice.calls == "core" or (
                self.choice.calls == "both" and self.growth.rounds < FIRST_ROUNDS
            )
            if len(cut) < len(open_calls) and (balance.is_due or wants_core):
                answer = self._check(open_calls)
                balance.asked()
                if answer.has_model:
                    outcome = self._violation(answer)
                    if outcome is None:
                        continue
                    # A candidate that the solver is not sure of and that leads nowhere proves nothing.
                    if answer.status is Status.SAT or outcome.verdict is Verdict.BUG:
                        return outcome
                elif answer.status is Status.UNKNOWN:
                    return Outcome(Verdict.UNKNOWN, self.completed, answer.reason)
                elif wants_core:
                    needed = dict.fromkeys(e for e in _in_core(self.inlining, open_calls) if self._allows(e, bound))
                    if needed and self.choice.calls == "core":
                        self.growth.inline_and_share(needed, bound)
                        continue
            answer = self._check(cut)
            if answer.status is Status.UNSAT:
                # A proof if there is no error even if what was cut off does anything that its summaries allow
                # (Corral, §4.2, "Computing proofs"). The solver's core need not be minimal, so it is asked once more.
                self.cut = _in_core(self.inlining, cut)
                return Outcome(Verdict.PROVED, self.completed) if not self.cut or self.is_safe() else None
            if not answer.has_model:
                return Outcome(Verdict.UNKNOWN, self.completed, answer.reason)
            if (run := self.speculate(self.inlining)) is not None:
                return Outcome(Verdict.BUG, self.completed, run=run)
            calls = self._calls_on_traces(cut) if len(cut) < len(open_calls) else []
            if calls:
                self.growth.inline_and_share([e for e in calls if e in needed] or calls, bound)
            elif (outcome := self._violation(answer)) is not None:
                return outcome

    def _calls_on_traces(self, cut: list[Edge]) -> list[Edge]:
        """The open calls on the error path of the solver's model and, if asked for, on further ones."""
        calls = self.inlining.paths.open_calls(self.inlining.root, self.inlining.solver.model())
        for _ in range(self.choice.traces - 1):
            if not calls or not self._check([*cut, *calls]).has_model:
                break
            calls += self.inlining.paths.open_calls(self.inlining.root, self.inlining.solver.model())
        return calls

    def _allows(self, edge: Edge, bound: int) -> bool:
        """Whether a call may be inlined at a bound."""
        return self.bounds.allow(edge, bound)

    def _cut_procedures(self) -> Iterator[str]:
        """The procedures whose calls had to be blocked. Not all of the solver's core need be among them; in particular,
        loops that have run to their end make no further call anyway."""
        others = [e for e in self.cut if not self.bounds.is_constant_loop(e.site.callee)]
        suffice = len(others) < len(self.cut) and self._check(others).status is Status.UNSAT
        return (edge.site.callee for edge in (others if suffice else self.cut))

    def is_safe(self, assumptions: Sequence[Term] = ()) -> bool:
        """Whether, under assumptions, there is no error even if open calls do anything that their summaries allow."""
        return self._check((), assumptions).status is Status.UNSAT

    def error_beyond(self, assumptions: Sequence[Term] = ()) -> Path | None:
        """The path to an error, under assumptions, if open calls do anything that their summaries allow."""
        if not self._check((), assumptions).has_model:
            return None
        try:
            return read_path(self.inlining, self.inlining.solver.model())
        except Undecided:
            return None

    def scope(self) -> Scope:
        """What the search has looked at so far: bodies that were inlined."""

        def instance(node: Node) -> Instance:
            callees = tuple(edge.target.number for edge in node.edges if edge.target is not None)
            return Instance(node.shape.procedure, callees, tuple(e.site.callee for e in node.edges if e.target is None))

        return whole_bodies(self.inlining.templates.program, tuple(map(instance, self.inlining.graph.nodes)))

    def _check(self, blocked: Iterable[Edge], further: Sequence[Term] = ()) -> Answer:
        if self.budget.is_spent:
            return Answer(Status.UNKNOWN, TIME_LIMIT)
        if self.budget.is_used_up(self.inlining.solver.effort()):
            return Answer(Status.UNKNOWN, EFFORT_LIMIT)
        self._report()
        assumptions = [*self.inlining.starting(), *self.inlining.blocking(blocked), *self.assumed, *further]
        started = time.process_time()
        answer = self.inlining.solver.check(assumptions, self.budget.remaining())
        self.statistics.solver_s += time.process_time() - started
        self.statistics.queries += 1
        return answer

    def _report(self) -> None:
        graph, statistics = self.inlining.graph, self.statistics
        statistics.instances, statistics.merged, statistics.open_calls = len(graph.nodes), graph.merged, len(graph.open)
        statistics.merge_s = self.inlining.merging.seconds
        self.budget.report(statistics)

    def _violation(self, answer: Answer) -> Outcome | None:
        """The bug that the solver's model shows, if the interpreter agrees; None if its path is not feasible after
        all, which has been asserted then."""
        model, program = self.inlining.solver.model(), self.inlining.templates.program
        try:
            path = read_path(self.inlining, model)
        except Undecided as undecided:
            return rejected(answer, Rejected(undecided.reason), self.completed)
        world = partial(ModelWorld, program, self.inlining.templates.encoder, model)
        match self.judge(Candidate(path, world, answer.status is Status.SAT)):
            case Run() as run:
                return Outcome(Verdict.BUG, self.completed, run=run)
            case Infeasible():
                _learn(self.inlining.solver, *self.inlining.paths.visits(self.inlining.root, model), self.budget)
                return None
            case Rejected() as why:
                return rejected(answer, why, self.completed)


def _in_core(inlining: Inlining, blocked: Collection[Edge]) -> list[Edge]:
    """Those of the calls blocked in the last query that, in the solver's core, made it unsatisfiable."""
    core = set(inlining.solver.unsat_core() if blocked else ())
    return [e for e, term in zip(blocked, inlining.blocking(blocked), strict=True) if term in core]


def _learn(solver: Solver, visited: Sequence[Term], passed_by: Sequence[Term], budget: Budget) -> None:
    """Tell the solver of a path that is not feasible: of a few blocks that are never visited together, lest it
    finds all paths that visit them one by one, or else of just this path."""
    refuted = _refutation(solver, visited, budget)
    different = [solver.terms.app(Op.NOT, (block,)) for block in (visited if refuted is None else refuted)]
    if refuted is None:
        different += passed_by
    if len(different) < 2:
        different.append(solver.terms.literal(False, BOOL))
    solver.assert_(solver.terms.app(Op.OR, different))


def _refutation(solver: Solver, blocks: Sequence[Term], budget: Budget) -> Sequence[Term] | None:
    """A few blocks that are never visited together, out of these; None if the solver does not find any. Its core
    need not be minimal, so it is asked about the halves of it."""
    found: Sequence[Term] | None = None
    questions: list[Sequence[Term]] = [blocks]
    while questions:
        refuted = solver.refutation(questions.pop(), budget.remaining(), CONFIRMATION_EFFORT)
        if refuted is not None:
            found, middle = refuted, len(refuted) // 2
            questions = [refuted[:middle], refuted[middle:]] if middle else []
    return found
