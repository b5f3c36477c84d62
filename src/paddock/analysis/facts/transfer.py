"""What statements do to what is known: each is turned once into steps that change a state.

Steps cost little, so that going over a procedure again costs little, when more is found out about its
callers or callees.
"""

from __future__ import annotations

from paddock.analysis.facts.cells import Cells, Place
from paddock.analysis.facts.conditions import Conditions
from paddock.analysis.facts.expressions import Expressions, Meaning, evaluate, is_static
from paddock.analysis.facts.state import State, Step, all_done
from paddock.analysis.facts.values import Interval, Value, is_constant, is_tracked
from paddock.ir.expr import Expr, Var
from paddock.ir.program import Program
from paddock.ir.stmt import Assert, Assign, Assume, Havoc, Statement


class Transfer:
    """Turns the statements of a program into steps. What axioms say of constants is known everywhere. With `cells`, so
    is what is stored in maps."""

    def __init__(self, program: Program, cells: Cells | None = None) -> None:
        self._cells = cells
        self.expressions = Expressions(program, _constants(program), cells)
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
        return self._changes(statement) + self._changes_of_cells(statement)

    def _changes_of_cells(self, statement: Statement) -> list[Step]:
        """What a statement that changes variables does to cells."""
        cells = self._cells
        if cells is None:
            return []
        match statement:
            case Assign((target,), (Var() as source,)):
                return [(_copy_cells, cells, (target, source))]
            case Assign((target,), (value,)) if (written := cells.written(target, value)) is not None:
                place, element = written
                return [(_store, (cells, place), self.expressions.meaning(element))]
            case Assign() | Havoc():
                return [(_forget_cells, cells, target) for target in statement.targets]
            case _:
                return []

    def _changes(self, statement: Statement) -> list[Step]:
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


def _copy_cells(state: State, cells: Cells, names: tuple[Var, Var]) -> bool:
    cells.copy(state, *names)
    return True


def _forget_cells(state: State, cells: Cells, changed: Var) -> bool:
    cells.forget(state, changed)
    return True


def _store(state: State, at: tuple[Cells, Place], meaning: Meaning) -> bool:
    cells, place = at
    cells.store(state, place, evaluate(meaning, state))
    return True


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
