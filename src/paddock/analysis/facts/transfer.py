"""What statements do to what is known: each is turned once into steps that change a state.

Steps cost little, so that going over a procedure again costs little, when more is found out about its
callers or callees.
"""

from __future__ import annotations

from paddock.analysis.facts.conditions import Conditions
from paddock.analysis.facts.expressions import Expressions, Meaning, evaluate, is_static
from paddock.analysis.facts.state import State, Step, all_done
from paddock.analysis.facts.values import Interval, Value, is_constant, is_tracked
from paddock.ir.expr import Expr, Var
from paddock.ir.program import Program
from paddock.ir.stmt import Assert, Assign, Assume, Havoc, Statement


class Transfer:
    """Turns the statements of a program into steps. What axioms say of constants is known everywhere."""

    def __init__(self, program: Program) -> None:
        self.expressions = Expressions(program, _constants(program))
        self._conditions = Conditions(self.expressions)
        self._assigned: set[float] = set()

    @property
    def thresholds(self) -> list[float]:
        """The numbers that variables are assigned or compared with in the steps made so far, sorted."""
        return sorted(self._assigned | self._conditions.bounds)

    def assumption(self, condition: Expr) -> list[Step]:
        return self._conditions.steps(condition)

    def steps(self, statement: Statement) -> list[Step]:
        if isinstance(statement, Assume | Assert):  # most statements are
            return self._conditions.steps(statement.condition)
        match statement:
            case Assign(targets, values):
                pairs = zip(targets, values, strict=True)
                return self._assignment([(t, self.expressions.meaning(v)) for t, v in pairs if is_tracked(t.type)])
            case Havoc(targets):
                return [(State.assign, target, None) for target in targets if is_tracked(target.type)]
            case _:
                raise TypeError(f"what a {type(statement).__name__} does is not known from itself alone")

    def _assignment(self, meanings: list[tuple[Var, Meaning]]) -> list[Step]:
        targets = {target for target, _ in meanings}
        copies = [(target, source) for target, source in meanings if isinstance(source, Var) and source not in targets]
        simple = sum(is_static(meaning) for _, meaning in meanings) + len(copies)
        if len(meanings) > 1 and simple < len(meanings):
            return [(_assign_all, meanings, copies)]
        return [self._single(target, meaning) for target, meaning in meanings]

    def _single(self, target: Var, meaning: Meaning) -> Step:
        if isinstance(meaning, Var):
            return (State.assign_variable, target, meaning)
        if isinstance(meaning, Interval) and meaning.is_constant:
            self._assigned.add(meaning.lo)
        return (State.assign if is_static(meaning) else _assign, target, meaning)


def _assign(state: State, target: Var, meaning: Meaning) -> bool:
    return state.assign(target, evaluate(meaning, state))


def _assign_all(state: State, meanings: list[tuple[Var, Meaning]], copies: list[tuple[Var, Var]]) -> bool:
    """A parallel assignment in which what is assigned depends on the targets."""
    for target, value in [(target, evaluate(meaning, state)) for target, meaning in meanings]:
        state.assign(target, value)
    for target, source in copies:
        state.assign_variable(target, source)
    return True


def _constants(program: Program) -> dict[Var, Value]:
    """The constants that axioms give a value."""
    conditions = Conditions(Expressions(program, {}))
    state = State()
    for axiom in program.axioms:
        if not all_done(conditions.steps(axiom.condition), state):
            return {}  # the axioms contradict each other: there are no executions to know anything about
    return {var: value for var, value in state.values.items() if is_constant(value)}
