"""What the search asks of the solver: whether conditions of an execution can be met, and what a model says of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from paddock.engines.outcome import Budget, Statistics
from paddock.engines.symbolic.encoding import Encoding
from paddock.engines.symbolic.nodes import Algebra, Node
from paddock.frozen import replace
from paddock.solvers.interface import EFFORT_LIMIT, TIME_LIMIT, Answer, Solver, Status, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL


class Queries:
    """Questions to one solver, which are counted. `assumed` is in every one, until it is changed."""

    def __init__(self, solver: Solver, encoding: Encoding, algebra: Algebra, budget: Budget) -> None:
        self.solver = solver
        self.encoding = encoding
        self._algebra = algebra
        self._budget = budget
        self.statistics = Statistics()
        self.assumed: Sequence[Term] = ()
        self._possible: dict[Node, bool] = {}  # what was asked on the way

    def marked(self, conditions: Iterable[Node]) -> list[Term]:
        """Constants that say whether conditions hold: a model has their values at once."""
        marks: list[Term] = []
        for condition in conditions:
            marks.append(self.solver.terms.fresh("marked", BOOL))
            self.solver.assert_(self.solver.terms.app(Op.EQ, (marks[-1], self.encoding.term(condition))))
        return marks

    def true_in_model(self, terms: Sequence[Term]) -> list[bool]:
        """Which of some Boolean terms are true in the model of the last answer."""
        return [value is True for value in self.solver.model().values(terms)]

    def is_possible(self, condition: Node) -> bool:
        """Whether the solver does not exclude a condition."""
        if condition is self._algebra.true:
            return True
        if condition not in self._possible:
            self._possible[condition] = self.check([condition]).status is not Status.UNSAT
        return self._possible[condition]

    def check(self, goals: Sequence[Node], further: Sequence[Term] = ()) -> Answer:
        """Whether one of some conditions can be met."""
        if self._budget.is_spent:
            return Answer(Status.UNKNOWN, TIME_LIMIT)
        if all(goal is self._algebra.false for goal in goals):
            return Answer(Status.UNSAT)
        started = time.process_time()
        one = [self.encoding.term(goal) for goal in goals]
        self.statistics.vc_s += time.process_time() - started
        return self.ask(one, further)

    def ask(self, goals: Sequence[Term], further: Sequence[Term]) -> Answer:
        """Whether one of some Boolean terms can be true."""
        if self._budget.is_spent:
            return Answer(Status.UNKNOWN, TIME_LIMIT)
        solver = self.solver
        if self._budget.is_used_up(solver.effort()):
            return Answer(Status.UNKNOWN, EFFORT_LIMIT)
        asked = solver.terms.fresh("asked", BOOL)
        any_ = solver.terms.app(Op.OR, goals) if len(goals) > 1 else goals[0]
        solver.assert_(solver.terms.app(Op.IMPLIES, (asked, any_)))
        self._budget.report(self.statistics)
        started = time.process_time()
        answer = solver.check([asked, *self.assumed, *further], self._budget.remaining())
        self.statistics.solver_s += time.process_time() - started
        self.statistics.queries += 1
        self.statistics.executed = replace(self.statistics.executed, effort=solver.effort())
        return answer
