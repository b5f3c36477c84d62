"""The values of variables and expressions in the states of an execution."""

from __future__ import annotations

from collections.abc import Callable

from paddock.engines.symbolic.cells import Memory
from paddock.engines.symbolic.compiled import Compiler, Context
from paddock.engines.symbolic.frames import Frame
from paddock.engines.symbolic.nodes import Algebra, Node
from paddock.engines.symbolic.state import State, States, Value
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.types import Type
from paddock.solvers.sorts import Sort


class Values:
    """What variables and expressions are, in a state of an activation. `inputs` are the globals at the start."""

    def __init__(self, algebra: Algebra, memory: Memory, compiler: Compiler, sort: Callable[[Type], Sort]) -> None:
        self.algebra = algebra
        self.memory = memory
        self.states = States(algebra, memory)
        self.inputs: dict[Var, Node] = {}
        self._compiler = compiler
        self._sort = sort

    def arbitrary(self, var: Var) -> Node:
        """A new value of which nothing is known, for a variable."""
        return self.algebra.input(var.name, self._sort(var.type))

    def of(self, frame: Frame, state: State, var: Var) -> Value:
        value = (state.globals if var.scope is Scope.GLOBAL else state.locals).get(var)
        return self._at_start(frame, var) if value is None else value

    def global_input(self, var: Var) -> Value:
        """The value of a global when the program started."""
        return self.initial(self.inputs, var)

    def initial(self, known: dict[Var, Node], var: Var) -> Value:
        """The value of a variable before anything was assigned to it."""
        if var not in known:
            known[var] = self.arbitrary(var)
        return self.memory.of(known[var])

    def _at_start(self, frame: Frame, var: Var) -> Value:
        return self.initial(self.inputs if var.scope is Scope.GLOBAL else frame.record.initial, var)

    def merged(self, states: list[State], frame: Frame) -> State:
        """One state of an activation for several."""
        return self.states.merged(states, lambda v: self._at_start(frame, v))

    def evaluated(self, frame: Frame, state: State, expr: Expr) -> Value:
        return self._compiler.run(expr, self._context(frame, state))

    def term(self, frame: Frame, state: State, expr: Expr) -> Node:
        return self._compiler.term(expr, self._context(frame, state))

    def _context(self, frame: Frame, state: State) -> Context:
        def before(var: Var) -> Value:
            value = frame.old.get(var)
            return self.global_input(var) if value is None else value

        return Context(
            lambda var: self.of(frame, state, var), before, lambda node: self.states.span(node, state.ranges)
        )


def assign(state: State, var: Var, value: Value) -> None:
    (state.globals if var.scope is Scope.GLOBAL else state.locals)[var] = value
