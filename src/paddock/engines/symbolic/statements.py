"""What statements do to a state, but for calls of procedures that have a body and for threads."""

from __future__ import annotations

from collections.abc import Callable

from paddock.engines.symbolic.frames import Body, Frame
from paddock.engines.symbolic.nodes import Node
from paddock.engines.symbolic.records import ActivationRecord, Explored, Violation
from paddock.engines.symbolic.state import State, Value, Variables
from paddock.engines.symbolic.tracking import Tracking
from paddock.engines.symbolic.values import Values, assign
from paddock.ir.expr import Var
from paddock.ir.origin import Role
from paddock.ir.program import Clause, Procedure
from paddock.ir.stmt import Assert, Assign, Assume, Call, Havoc, Statement


class Statements:
    """Executes statements. Of a program with threads, `tracking` takes note of what they access, and violations have
    the current round."""

    def __init__(
        self, values: Values, explored: Explored, tracking: Tracking | None, current_round: Callable[[], int]
    ) -> None:
        self._values = values
        self._states = values.states
        self._explored = explored
        self._tracking = tracking
        self._current_round = current_round

    def execute(self, frame: Frame, state: State, k: int, statement: Statement) -> bool:
        """Execute the k-th statement of a block; False if nothing comes after it."""
        match statement:
            case Assume():
                return self._assume(frame, state, statement)
            case Assert(condition):
                return self._check(state, self._values.term(frame, state, condition), statement)
            case Assign(targets, values):
                new = [self._values.evaluated(frame, state, value) for value in values]
                for target, value in zip(targets, new, strict=True):
                    assign(state, target, value)
            case Havoc(targets):
                self._forget(frame, state, k, targets)
            case _:
                raise AssertionError(statement)
        return True

    def _assume(self, frame: Frame, state: State, statement: Assume) -> bool:
        goes_on = self._states.assume(state, self._values.term(frame, state, statement.condition))
        if goes_on and self._tracking is not None:
            self._tracking.waited(state, statement)
        return goes_on

    def assume_all(self, frame: Frame, state: State, clauses: tuple[Clause, ...]) -> bool:
        """Go on where all clauses hold; False if that is nowhere."""
        if self._tracking is not None:
            self._tracking.clauses(frame, state, clauses)
        return all(self._states.assume(state, self._values.term(frame, state, c.condition)) for c in clauses)

    def _check(self, state: State, condition: Node, statement: Assert) -> bool:
        decided = self._states.decided(condition, state.ranges)
        if decided is True:
            self._explored.decided += 1
            return True
        algebra = self._values.algebra
        fails = algebra.and_(state.guard.whole, algebra.not_(condition))
        if fails is not algebra.false:
            self._explored.violations.append(Violation(statement.origin.identity(), fails, self._current_round()))
        if statement.origin.role is Role.CANDIDATE:
            return True  # each of several candidates is looked at by itself; they are assumed behind them
        return self._states.assume(state, condition)

    def _forget(self, frame: Frame, state: State, k: int, targets: tuple[Var, ...]) -> None:
        """Make variables arbitrary."""
        values = frame.record.visits[-1].values.setdefault(k, {})
        for var in targets:
            values[var] = self._values.arbitrary(var)
            assign(state, var, self._values.memory.of(values[var]))

    # --- calls -----------------------------------------------------------------------------------

    def params(self, frame: Frame, state: State, callee: Procedure, call: Call) -> Variables:
        args = [self._values.evaluated(frame, state, a) for a in call.args]
        return {p.var: a for p, a in zip(callee.params, args, strict=True)}

    def started(self, state: State, callee: Procedure, params: Variables, call: Call) -> bool:
        """Assume what a thread requires where it is started."""
        after = State(state.globals, params, state.guard, state.ranges, state.step)
        if not self.assume_all(_activation(callee, state, call), after, callee.requires):
            return False
        state.guard, state.ranges, state.step = after.guard, after.ranges, after.step
        return True

    def without_body(
        self, frame: Frame, state: State, k: int, call: Call, callee: Procedure, params: Variables
    ) -> bool:
        """Everything that the callee may change becomes arbitrary, and so do its results."""
        inner = _activation(callee, state, call)
        after = State(state.globals, params, state.guard, state.ranges, state.step)
        if not self.assume_all(inner, after, callee.requires):
            return False
        if self._tracking is not None:
            self._tracking.writes(frame, after, callee.modifies)
        self._forget(frame, after, k, (*callee.modifies, *(r.var for r in callee.results)))
        if not self.assume_all(inner, after, callee.ensures):
            return False
        self.received(frame, after, call, [after.locals[r.var] for r in callee.results])
        return True

    def received(self, caller: Frame, after: State, call: Call, results: list[Value]) -> None:
        """Go on in the caller with what a call has changed."""
        state = caller.state
        assert state is not None
        state.globals, state.guard, state.ranges, state.step = after.globals, after.guard, after.ranges, after.step
        if self._tracking is not None:
            self._tracking.writes(caller, state, call.results)
        for target, value in zip(call.results, results, strict=True):
            assign(state, target, value)


def _activation(callee: Procedure, state: State, call: Call) -> Frame:
    """An activation in which nothing but the contract is looked at."""
    return Frame(Body(callee, {}, {}, ""), ActivationRecord(callee.name), dict(state.globals), call)
