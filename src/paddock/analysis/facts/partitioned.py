"""What is known where executions are, kept apart by the values of a few globals: property simulation.

As in ESP (Das, Lerner and Seigle, PLDI 2002): the *typestate*, the globals that only ever get constants and each
other's values, tells contexts and states apart. What is known of all other variables is joined where the typestate is
the same. A procedure is gone over once for each typestate in which it is called, and its callers go on with each one in
which it returns. So `locked` and `status == 0` stay together where a lock was taken, whatever happens in between.

The analysis is about all executions, however deep they call. The work is limited by counting states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from paddock.analysis.facts.calls import at_entry, at_exit, returned_from
from paddock.analysis.facts.cells import Cells
from paddock.analysis.facts.graph import Concurrent, Flow, FlowGraph, Segment
from paddock.analysis.facts.state import State, Widening, all_done, join
from paddock.analysis.facts.values import Value, is_constant, is_tracked
from paddock.ir.expr import App, Expr, Lit, Op, Var
from paddock.ir.program import Program
from paddock.ir.stmt import Assign, Havoc, Statement
from paddock.ir.types import BOOL

# The value of each global of the typestate, None where it is not known.
Typestate = tuple[Value | None, ...]


class TooManyStates(Exception):
    """The work is not worth it."""


def cannot_return(program: Program, most_states: int, typestate: Sequence[Var] | None = None) -> bool | None:
    """Whether it is known that the entry of a program never returns; None if there are more states than that. What is
    known depends on the globals that are the typestate; whether it is true does not."""
    chosen = finite_globals(program) if typestate is None else typestate
    try:
        return not _Simulation(FlowGraph(program, Cells()), chosen, most_states).exits()
    except Concurrent:
        return False
    except TooManyStates:
        return None


def finite_globals(program: Program) -> tuple[Var, ...]:
    """The globals that a body only ever assigns constants, truth values and the values of variables."""
    others: set[Var] = set()
    for procedure in program.procedures:
        if not procedure.implementations:
            others.update(procedure.modifies)
        for implementation in procedure.implementations:
            for block in implementation.blocks:
                for statement in block.statements:
                    others.update(_computed(statement))
    return tuple(g.var for g in program.globals if is_tracked(g.var.type) and g.var not in others)


def _computed(statement: Statement) -> Iterator[Var]:
    """What a statement gives values that are neither constants nor those of other variables."""
    match statement:
        case Havoc(targets):
            yield from targets
        case Assign(targets, values):
            yield from (target for target, value in zip(targets, values, strict=True) if not _is_simple(value))


def _is_simple(value: Expr) -> bool:
    match value:
        case Lit() | Var() | App(Op.NEG, (Lit(),)):
            return True
        case _:
            return value.type is BOOL


class _Context:
    """A procedure that is called in a typestate: what is known at its start, at its segments and where it returns, by
    the typestate there; and the places that go on when it returns."""

    def __init__(self, flow: Flow, number: int) -> None:
        self.flow = flow
        self.number = number
        self.entry: State | None = None
        self.states: dict[int, dict[Typestate, State]] = {}
        self.exits: dict[Typestate, State] = {}
        self.callers: dict[tuple[_Context, int], None] = {}
        self.waiting: list[int] = []  # a heap of segments whose states are to be gone over
        self.is_waiting = False


class _Simulation:
    def __init__(self, graph: FlowGraph, typestate: Sequence[Var], most_states: int) -> None:
        self._graph = graph
        self._typestate = typestate
        self._left = most_states
        self._contexts: dict[tuple[str, Typestate], _Context] = {}
        self._widenings: dict[tuple[object, ...], Widening] = {}
        self._waiting: list[tuple[int, int, _Context]] = []  # callees first

    def exits(self) -> dict[Typestate, State]:
        """What is known where the entry returns, by typestate. Raises `TooManyStates`."""
        entry = self._entered(self._graph.flows[self._graph.entry], State())
        while self._waiting:
            _, _, context = heappop(self._waiting)
            context.is_waiting = False
            self._go_over(context)
        return entry.exits

    def _of(self, state: State) -> Typestate:
        values = (state.values.get(var) for var in self._typestate)
        return tuple([value if is_constant(value) else None for value in values])

    def _entered(self, flow: Flow, state: State) -> _Context:
        """The context in which a procedure is entered, in which all that is known there holds."""
        key = (flow.summary.procedure.name, self._of(state))
        context = self._contexts.get(key)
        if context is None:
            context = self._contexts[key] = _Context(flow, len(self._contexts))
        old = context.entry
        new = state if old is None else join(old, state, self._widening((context, "entry")))
        if new is not old:
            context.entry = new
            context.states[0] = {key[1]: new}
            self._wait(context, 0)
        return context

    def _wait(self, context: _Context, segment: int) -> None:
        if segment not in context.waiting:
            heappush(context.waiting, segment)
        if not context.is_waiting:
            context.is_waiting = True
            heappush(self._waiting, (context.flow.order, context.number, context))

    def _go_over(self, context: _Context) -> None:
        """Bring all segments of a context up to date."""
        while context.waiting:
            index = heappop(context.waiting)
            segment = context.flow.segments[index]
            for state in list(context.states[index].values()):
                for before in self._after_return(context, segment, state):
                    self._left -= 1
                    if self._left < 0:
                        raise TooManyStates
                    after = before.copy() if segment.steps else before
                    if all_done(segment.steps, after):
                        self._go_on(context, segment, after)

    def _after_return(self, context: _Context, segment: Segment, state: State) -> Iterator[State]:
        """What may be known before the steps of a segment: after each way in which the call before it returns."""
        site = segment.returned
        if site is None:
            yield state
            return
        callee = self._entered(self._graph.flows[site.callee.procedure.name], at_entry(state, site))
        callee.callers[context, segment.index] = None
        for exit_ in list(callee.exits.values()):
            after = state.copy()
            if returned_from(after, site, exit_):
                yield after

    def _go_on(self, context: _Context, segment: Segment, state: State) -> None:
        if segment.returns:
            self._return(context, at_exit(state, context.flow.summary))
        typestate = self._of(state)
        for target in segment.targets:
            there = context.states.setdefault(target.index, {})
            old = there.get(typestate)
            widening = self._widening((context, target.index, typestate)) if target.is_head else None
            new = state if old is None else join(old, state, widening)
            if new is not old:
                there[typestate] = new
                self._wait(context, target.index)

    def _return(self, context: _Context, state: State) -> None:
        typestate = self._of(state)
        old = context.exits.get(typestate)
        new = state if old is None else join(old, state, self._widening((context, "exit", typestate)))
        if new is not old:
            context.exits[typestate] = new
            for caller, segment in context.callers:
                self._wait(caller, segment)

    def _widening(self, place: tuple[object, ...]) -> Widening:
        if place not in self._widenings:
            self._widenings[place] = Widening(self._graph.thresholds)
        return self._widenings[place]
