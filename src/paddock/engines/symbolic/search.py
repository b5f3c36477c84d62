"""The search of this engine: executions within growing bounds, a query for each, and the path of a model."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby

from paddock.engines.counterexample import ModelWorld
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.judging import Candidate, Judge
from paddock.engines.outcome import Budget, Executed, Infeasible, Outcome, Rejected, rejected
from paddock.engines.scope import Scope
from paddock.engines.symbolic.accesses import Accesses
from paddock.engines.symbolic.cells import Memory
from paddock.engines.symbolic.compiled import Compiler
from paddock.engines.symbolic.depth import Depth, Spent, TooLarge
from paddock.engines.symbolic.encoding import Encoding
from paddock.engines.symbolic.execution import Execution
from paddock.engines.symbolic.nodes import Algebra, Node
from paddock.engines.symbolic.queries import Queries
from paddock.engines.symbolic.reading import Reading
from paddock.engines.symbolic.records import Explored, Violation, visited_in
from paddock.engines.symbolic.rules import RULES
from paddock.engines.symbolic.switches import Switches
from paddock.engines.symbolic.threads import Again
from paddock.engines.symbolic.values import Values
from paddock.ir.expr import Var
from paddock.ir.program import Program
from paddock.ir.threads import has_threads
from paddock.solvers.interface import TIME_LIMIT, Answer, Solver, Status, Term
from paddock.trace.path import Path
from paddock.trace.run import Run
from paddock.trace.values import Undecided
from paddock.trace.world import World
from paddock.vc.encode import Encoder
from paddock.verdict import Verdict

_PREVIEWS = (2, 3)  # the bounds of first looks at loops that would run to their end


class SymbolicSearch:
    """One search, from the first execution to the verdict. Bounds are doubled."""

    def __init__(
        self, program: Program, bounds: Bounds, goal: str, solver: Solver, judge: Judge, budget: Budget
    ) -> None:
        self.bounds = bounds
        self.completed: int | None = None
        self._program = program
        self._goal = goal
        self._judge = judge
        self._encoder = Encoder(program, solver.terms)
        for axiom in self._encoder.axioms():
            solver.assert_(axiom)
        algebra = Algebra(World(program), RULES)
        self.queries = Queries(solver, Encoding(self._encoder), algebra, budget)
        self.statistics = self.queries.statistics
        self._executions = _Executions(program, bounds, self._encoder, algebra, self.queries, budget)

    @property
    def assumed(self) -> Sequence[Term]:
        """What is assumed in every query, until it is changed."""
        return self.queries.assumed

    @assumed.setter
    def assumed(self, assumptions: Sequence[Term]) -> None:
        self.queries.assumed = assumptions

    def named(self, var: Var) -> Term:
        """The solver's constant for one of the program."""
        return self._encoder.named(var)

    def run(self, first_bound: int = 1) -> Outcome:
        """The verdict, looking at executions within growing bounds. More may be asserted and the search run again."""
        bound, outcome = first_bound, None
        while True:
            self.statistics.bound = bound
            try:
                for preview in _PREVIEWS if bound == 1 and self._executions.previews else ():
                    outcome = outcome or self._search(min(preview, self.bounds.last), completes=False)
                if outcome is None:
                    outcome = self._search(bound, self.bounds.constant_loops)
            except Spent:
                outcome = Outcome(Verdict.UNKNOWN, self.completed, TIME_LIMIT)
            except TooLarge:
                outcome = Outcome(Verdict.UNKNOWN, self.completed, "there are too many steps")
            if outcome is not None:
                return outcome
            self.completed = self.statistics.completed = bound
            if bound >= self.bounds.last:
                cuts = self._executions.last
                assert cuts is not None
                return Outcome(Verdict.BOUNDED, self.completed, cut=cuts.cut_calls(), cut_loops=cuts.cut_loops())
            bound = min(2 * bound, self.bounds.last)

    def is_safe(self, assumptions: Sequence[Term] = ()) -> bool:
        """Whether, under assumptions, there is no error within or beyond the last bound."""
        explored = self._executions.last
        if explored is None:
            return False
        goals = [*(v.condition for v in self._violations(explored)), *(c.condition for c in explored.cuts)]
        return self.queries.check(goals, assumptions).status is Status.UNSAT

    def error_beyond(self, assumptions: Sequence[Term] = ()) -> Path | None:
        """There is no path to an error behind what is cut off: what comes there is not known."""
        return None

    def scope(self) -> Scope:
        """What the last execution has visited."""
        explored = self._executions.last
        return Scope(self._program, (), {}) if explored is None else visited_in(self._program, explored)

    # --- for proofs by induction ------------------------------------------------------------------

    def explore(self) -> Explored | None:
        """What there is within the last bound; None if that is too much."""
        try:
            return self._executions.within(self.bounds.last, self.bounds.constant_loops)
        except (Spent, TooLarge):
            return None

    def ask(self, goals: Sequence[Term], holding: Iterable[Var]) -> Answer:
        """Whether one of some Boolean terms can be true, if constants of the program hold."""
        assumptions = [self.named(var) for var in sorted(holding, key=lambda v: v.name)]
        return self.queries.ask(goals, assumptions) if goals else Answer(Status.UNSAT)

    # --- searching -------------------------------------------------------------------------------

    def _search(self, bound: int, completes: bool) -> Outcome | None:
        """Search within a bound; None if there is no error within it, but it cut something off."""
        explored = self._executions.within(bound, completes)
        # What fails in an early round is found without what comes later.
        for _, violations in groupby(self._violations(explored), lambda v: v.round):
            outcome = self._failing(explored, list(violations))
            if outcome is not None:
                return outcome
        if not explored.cuts:
            return Outcome(Verdict.PROVED, self.completed)
        beyond = self.queries.check([c.condition for c in explored.cuts])
        return Outcome(Verdict.PROVED, self.completed) if beyond.status is Status.UNSAT else None

    def _failing(self, explored: Explored, violations: list[Violation]) -> Outcome | None:
        """The outcome that some violations mean; None if none of them can be."""
        while True:
            answer = self.queries.check([v.condition for v in violations])
            if answer.status is Status.UNSAT:
                return None
            if not answer.has_model:
                return Outcome(Verdict.UNKNOWN, self.completed, answer.reason)
            outcome = self._violated(explored, violations, answer)
            if outcome is not None:
                return outcome

    def _violations(self, explored: Explored) -> list[Violation]:
        if self._goal != "return":
            return explored.violations
        return [] if explored.returned is None else [Violation(None, explored.returned)]

    # --- counterexamples -------------------------------------------------------------------------

    def _violated(self, explored: Explored, violations: Sequence[Violation], answer: Answer) -> Outcome | None:
        """The bug that the solver's model shows, if the interpreter agrees; None if there are others to look at."""
        if answer.status is not Status.SAT and self._program.axioms:
            # A candidate that axioms may exclude; to look at its path alone is for programs without assertions.
            return Outcome(Verdict.UNKNOWN, self.completed, f"the solver does not know ({answer.reason})")
        model = self.queries.solver.model()
        reading = Reading(self._program, self.queries.encoding.frozen(), model)
        try:
            path = reading.path(explored, violations)
        except Undecided as undecided:
            return rejected(answer, Rejected(undecided.reason), self.completed)
        world = partial(ModelWorld, self._program, self._encoder, model)
        match self._judge(Candidate(path, world, is_sure=True)):
            case Run() as run:
                return Outcome(Verdict.BUG, self.completed, run=run)
            case Rejected() as why:
                return rejected(answer, why, self.completed)
            case Infeasible():
                raise AssertionError("only a doubtful candidate is looked at again")


class _Executions:
    """Executions of one program within bounds; the last one is kept."""

    def __init__(
        self, program: Program, bounds: Bounds, encoder: Encoder, algebra: Algebra, queries: Queries, budget: Budget
    ) -> None:
        self.bounds = bounds
        self.statistics = queries.statistics
        self._queries = queries
        self._program = program
        self._encoder = encoder
        self._budget = budget
        self._algebra = algebra
        self._memory = Memory(algebra)
        self._compiler = Compiler(program, algebra, self._memory, encoder.sort)
        self._switches = Switches(Accesses(program)) if has_threads(program) else None
        self._explored: tuple[tuple[int, bool], Explored] | None = None  # at the last bound

    @property
    def last(self) -> Explored | None:
        return None if self._explored is None else self._explored[1]

    @property
    def previews(self) -> bool:
        """Whether a few iterations of constant loops are looked at first: where threads may be switched in them."""
        return self.bounds.constant_loops and self._switches is not None

    def within(self, bound: int, completes: bool) -> Explored:
        """What there is within a bound. Raises `Spent` and `TooLarge`."""
        if self._explored is not None and self._explored[0] == (bound, completes):
            return self._explored[1]
        started = time.process_time()
        activations = partial(self.bounds.activations, bound=bound)
        iterations = partial(self.bounds.iterations, bound=bound)
        depth = Depth(activations, iterations, completes, self.bounds.visits, self.bounds.keeps_to_its_bound)
        while True:
            if self._switches is not None:
                self._switches.begin()
            execution = Execution(
                self._program,
                Values(self._algebra, self._memory, self._compiler, self._encoder.sort),
                depth,
                lambda: self._budget.is_spent,
                self._is_possible,
                self._switches,
            )
            try:
                explored = self._executed(execution, started)
                break
            except Again:
                assert self._switches is not None
                self._switches.restart()
        self._explored = ((bound, completes), explored)
        return explored

    def _executed(self, execution: Execution, started: float) -> Explored:
        try:
            return execution.run()
        finally:
            found = execution.explored
            self.statistics.instances = execution.activations
            made = self._algebra.size, self._algebra.array_terms
            effort = self._queries.solver.effort()
            checks = found.decided, len(found.violations)
            self.statistics.executed = Executed(execution.effort.visits, *made, *checks, effort)
            self.statistics.vc_s += time.process_time() - started
            self._budget.report(self.statistics)

    def _is_possible(self, condition: Node) -> bool:
        # With threads, conditions have all schedules in them: to ask at each iteration takes longer than to go on.
        return self._switches is not None or self._queries.is_possible(condition)
