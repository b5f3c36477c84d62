"""The search of this engine: executions within growing bounds, a query for each, and the path of a model."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby

from paddock.engines.counterexample import ModelWorld
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.judging import Candidate, Judge
from paddock.engines.outcome import Budget, Executed, Infeasible, Outcome, Rejected, Statistics, rejected
from paddock.engines.scope import Scope
from paddock.engines.symbolic.accesses import Accesses
from paddock.engines.symbolic.cells import Memory
from paddock.engines.symbolic.compiled import Compiler
from paddock.engines.symbolic.encoding import Encoding
from paddock.engines.symbolic.execution import Depth, Execution, Spent, TooLarge
from paddock.engines.symbolic.nodes import Algebra, Node
from paddock.engines.symbolic.reading import Reading
from paddock.engines.symbolic.records import Cut, Explored, Violation, visited_in
from paddock.engines.symbolic.rules import RULES
from paddock.engines.symbolic.switches import Switches
from paddock.engines.symbolic.threads import Again
from paddock.ir.expr import Var
from paddock.ir.origin import Origin
from paddock.ir.program import Program
from paddock.ir.threads import has_threads
from paddock.solvers.interface import TIME_LIMIT, Answer, Solver, Status, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL
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
        self.statistics = Statistics()
        self._program = program
        self._goal = goal
        self._switches = Switches(Accesses(program)) if has_threads(program) else None
        self._solver = solver
        self._judge = judge
        self._budget = budget
        self._encoder = Encoder(program, solver.terms)
        for axiom in self._encoder.axioms():
            solver.assert_(axiom)
        self._algebra = Algebra(World(program), RULES)
        self._memory = Memory(self._algebra)
        self._compiler = Compiler(program, self._algebra, self._memory, self._encoder.sort)
        self._encoding = Encoding(self._encoder)
        self._explored: tuple[tuple[int, bool], Explored] | None = None  # at the last bound
        self._possible: dict[Node, bool] = {}  # what the solver was asked on the way
        self.assumed: Sequence[Term] = ()  # in every query, until it is changed

    def named(self, var: Var) -> Term:
        """The solver's constant for one of the program."""
        return self._encoder.named(var)

    def run(self, first_bound: int = 1) -> Outcome:
        """The verdict, looking at executions within growing bounds. More may be asserted and the search run again."""
        bound, outcome = first_bound, None
        while True:
            self.statistics.bound = bound
            try:
                for preview in _PREVIEWS if bound == 1 and self._previews else ():
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
                return Outcome(Verdict.BOUNDED, self.completed, cut=self._cut_calls(), cut_loops=self._cut_loops())
            bound = min(2 * bound, self.bounds.last)

    def is_safe(self, assumptions: Sequence[Term] = ()) -> bool:
        """Whether, under assumptions, there is no error within or beyond the last bound."""
        if self._explored is None:
            return False
        explored = self._explored[1]
        goals = [*(v.condition for v in self._violations(explored)), *(c.condition for c in explored.cuts)]
        return self._check(goals, assumptions).status is Status.UNSAT

    def error_beyond(self, assumptions: Sequence[Term] = ()) -> Path | None:
        """There is no path to an error behind what is cut off: what comes there is not known."""
        return None

    def scope(self) -> Scope:
        """What the last execution has visited."""
        if self._explored is None:
            return Scope(self._program, (), {})
        return visited_in(self._program, self._explored[1])

    # --- for proofs by induction ------------------------------------------------------------------

    def explore(self) -> Explored | None:
        """What there is within the last bound; None if that is too much."""
        try:
            return self._execution(self.bounds.last, self.bounds.constant_loops)
        except (Spent, TooLarge):
            return None

    def marked(self, conditions: Iterable[Node]) -> list[Term]:
        """Constants that say whether conditions hold: a model has their values at once."""
        marks: list[Term] = []
        for condition in conditions:
            marks.append(self._solver.terms.fresh("marked", BOOL))
            self._solver.assert_(self._solver.terms.app(Op.EQ, (marks[-1], self._encoding.term(condition))))
        return marks

    def ask(self, goals: Sequence[Term], holding: Iterable[Var]) -> Answer:
        """Whether one of some Boolean terms can be true, if constants of the program hold."""
        assumptions = [self.named(var) for var in sorted(holding, key=lambda v: v.name)]
        return self._asked(goals, assumptions) if goals else Answer(Status.UNSAT)

    def true_in_model(self, terms: Sequence[Term]) -> list[bool]:
        """Which of some Boolean terms are true in the model of the last answer."""
        return [value is True for value in self._solver.model().values(terms)]

    # --- searching -------------------------------------------------------------------------------

    @property
    def _previews(self) -> bool:
        """Whether a few iterations of constant loops are looked at first: where threads may be switched in them."""
        return self.bounds.constant_loops and self._switches is not None

    def _search(self, bound: int, completes: bool) -> Outcome | None:
        """Search within a bound; None if there is no error within it, but it cut something off."""
        explored = self._execution(bound, completes)
        # What fails in an early round is found without what comes later.
        for _, violations in groupby(self._violations(explored), lambda v: v.round):
            outcome = self._failing(explored, list(violations))
            if outcome is not None:
                return outcome
        if not self._cuts():
            return Outcome(Verdict.PROVED, self.completed)
        beyond = self._check([c.condition for c in explored.cuts])
        return Outcome(Verdict.PROVED, self.completed) if beyond.status is Status.UNSAT else None

    def _failing(self, explored: Explored, violations: list[Violation]) -> Outcome | None:
        """The outcome that some violations mean; None if none of them can be."""
        while True:
            answer = self._check([v.condition for v in violations])
            if answer.status is Status.UNSAT:
                return None
            if not answer.has_model:
                return Outcome(Verdict.UNKNOWN, self.completed, answer.reason)
            outcome = self._violated(explored, violations, answer)
            if outcome is not None:
                return outcome

    def _execution(self, bound: int, completes: bool) -> Explored:
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
                self._algebra,
                self._memory,
                self._compiler,
                self._encoder.sort,
                depth,
                self._is_spent,
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
            self.statistics.executed = Executed(
                execution.visits, self._algebra.size, found.decided, len(found.violations)
            )
            self.statistics.vc_s += time.process_time() - started
            self._budget.report(self.statistics)

    def _is_spent(self) -> bool:
        return self._budget.is_spent

    def _is_possible(self, condition: Node) -> bool:
        """Whether the solver does not exclude a condition."""
        # With threads, conditions have all schedules in them: to ask at each iteration takes longer than to go on.
        if condition is self._algebra.true or self._switches is not None:
            return True
        if condition not in self._possible:
            self._possible[condition] = self._check([condition]).status is not Status.UNSAT
        return self._possible[condition]

    def _violations(self, explored: Explored) -> list[Violation]:
        if self._goal != "return":
            return explored.violations
        return [] if explored.returned is None else [Violation(None, explored.returned)]

    def _cuts(self) -> list[Cut]:
        return [] if self._explored is None else self._explored[1].cuts

    def _cut_calls(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(c.where for c in self._cuts() if not c.is_loop))

    def _cut_loops(self) -> tuple[Origin, ...]:
        return tuple({c.where: c.origin for c in self._cuts() if c.is_loop}.values())

    def _check(self, goals: Sequence[Node], further: Sequence[Term] = ()) -> Answer:
        """Whether one of some conditions can be met."""
        if self._budget.is_spent:
            return Answer(Status.UNKNOWN, TIME_LIMIT)
        if all(goal is self._algebra.false for goal in goals):
            return Answer(Status.UNSAT)
        started = time.process_time()
        one = [self._encoding.term(goal) for goal in goals]
        self.statistics.vc_s += time.process_time() - started
        return self._asked(one, further)

    def _asked(self, goals: Sequence[Term], further: Sequence[Term]) -> Answer:
        """Whether one of some Boolean terms can be true."""
        if self._budget.is_spent:
            return Answer(Status.UNKNOWN, TIME_LIMIT)
        solver = self._solver
        asked = solver.terms.fresh("asked", BOOL)
        any_ = solver.terms.app(Op.OR, goals) if len(goals) > 1 else goals[0]
        solver.assert_(solver.terms.app(Op.IMPLIES, (asked, any_)))
        self._budget.report(self.statistics)
        started = time.process_time()
        answer = solver.check([asked, *self.assumed, *further], self._budget.remaining())
        self.statistics.solver_s += time.process_time() - started
        self.statistics.queries += 1
        return answer

    # --- counterexamples -------------------------------------------------------------------------

    def _violated(self, explored: Explored, violations: Sequence[Violation], answer: Answer) -> Outcome | None:
        """The bug that the solver's model shows, if the interpreter agrees; None if there are others to look at."""
        if answer.status is not Status.SAT and self._program.axioms:
            # A candidate that axioms may exclude; to look at its path alone is for programs without assertions.
            return Outcome(Verdict.UNKNOWN, self.completed, f"the solver does not know ({answer.reason})")
        model = self._solver.model()
        reading = Reading(self._program, self._encoding.frozen(), model)
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
