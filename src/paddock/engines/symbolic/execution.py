"""Executing a program symbolically up to a bound: which assertions can fail under which condition.

Blocks are visited in the order of `order.py`, each once for every iteration of the loops around it and every activation
of its procedure, with the states of all paths that lead there merged into one.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.engines.symbolic.branching import Branching
from paddock.engines.symbolic.depth import Depth, Effort
from paddock.engines.symbolic.frames import Bodies, Frame, Stopped
from paddock.engines.symbolic.nodes import Node
from paddock.engines.symbolic.records import ActivationRecord, Cut, Explored, VisitRecord
from paddock.engines.symbolic.state import State
from paddock.engines.symbolic.statements import Statements
from paddock.engines.symbolic.switches import Switches
from paddock.engines.symbolic.threads import Threads
from paddock.engines.symbolic.tracking import Tracking
from paddock.engines.symbolic.values import Values
from paddock.ir.entry import entry_name
from paddock.ir.program import Procedure, Program
from paddock.ir.stmt import Assume, Call, Return, Statement, Yield
from paddock.ir.threads import is_thread_local
from paddock.passes.resumable import rounds_of


class Execution:
    """One execution: the activations of procedures, and the blocks that are visited in them."""

    def __init__(
        self,
        program: Program,
        values: Values,
        depth: Depth,
        is_spent: Callable[[], bool],
        is_possible: Callable[[Node], bool],
        switches: Switches | None = None,
    ) -> None:
        self.program = program
        self.values = values
        self._depth = depth
        self.effort = Effort(depth.visits, is_spent)
        self._is_possible = is_possible
        self._bodies = Bodies(finds_old=switches is not None)
        self.frames: list[Frame] = []
        self.active: dict[str, int] = {}
        self.activations = 0
        self.explored = Explored(ActivationRecord(entry_name(program)), values.inputs)
        tracking = None if switches is None else Tracking(self.frames, values, switches)
        own = tuple(g.var for g in program.globals if is_thread_local(g))
        self._threads = None if tracking is None else Threads(self, rounds_of(program), own, tracking)
        self._statements = Statements(values, self.explored, tracking, self._round)
        self._branching = Branching(values, depth, is_possible, self.explored.cuts, tracking)
        self._tracking = tracking

    def run(self) -> Explored:
        """All of it. Raises `Spent` and `TooLarge`."""
        procedure = self.program.procedure_named[self.explored.root.procedure]
        state = State({}, {}, self.values.states.start)
        for parameter in procedure.params:
            state.locals[parameter.var] = self.values.global_input(parameter.var)
        if self._threads is None:
            self.enter(procedure, state, self.explored.root, None)
            self.advance()
        else:
            self.explored.entry = self._threads.run(procedure, state)
        return self.explored

    def advance(self) -> None:
        """Execute until there is nothing left to do."""
        while self.frames:
            frame = self.frames[-1]
            if frame.state is not None:
                self._go_on(frame, frame.state)
            elif frame.order:
                self._next_visit(frame)
            else:
                self._leave(frame)

    def _round(self) -> int:
        return 1 if self._threads is None else self._threads.round

    # --- activations -----------------------------------------------------------------------------

    def enter(
        self,
        procedure: Procedure,
        state: State | None,
        record: ActivationRecord,
        call: Call | None,
        left: Stopped | None = None,
        assumes: bool = True,
    ) -> None:
        """Start an activation in a state, if there is one, or go on where one was left, or both."""
        body = self._bodies.of(procedure)
        frame = Frame(body, record, {} if state is None else dict(state.globals), call)
        self.frames.append(frame)
        self.active[procedure.name] = self.active.get(procedure.name, 0) + 1
        self.activations += 1
        if left is not None:
            assert self._threads is not None
            self._threads.go_on_inside(frame, left, is_new=state is None)
        if state is not None and (not assumes or self._statements.assume_all(frame, state, procedure.requires)):
            place = body.places[body.entry]
            frame.wait(body.entry, (0,) * len(place.heads), state)

    def _leave(self, frame: Frame) -> None:
        self.frames.pop()
        procedure = frame.body.procedure
        self.active[procedure.name] -= 1
        state: State | None = None
        if frame.exits:
            state = self.values.merged(frame.exits, frame)
            if not self._statements.assume_all(frame, state, procedure.ensures):
                state = None
        if frame.call is None:
            if state is not None and procedure.name == self.explored.root.procedure:
                algebra = self.values.algebra
                self.explored.returned = algebra.or_(self.explored.returned or algebra.false, state.guard.whole)
            if self._threads is not None:
                self._threads.ended(frame, state)
            return
        caller = self.frames[-1]
        if frame.points and self._threads is not None:
            self._threads.left_inside(caller, frame)
        if state is None:
            caller.state = None
            return
        results = [self.values.of(frame, state, r.var) for r in procedure.results]
        self._statements.received(caller, state, frame.call, results)

    # --- visits ----------------------------------------------------------------------------------

    def _next_visit(self, frame: Frame) -> None:
        self.effort.visit()
        key, waiting, point = frame.next_visit()
        state = self.values.merged([s for s, _, _ in waiting], frame) if waiting else None
        if waiting:
            _, frame.label, frame.iterations = waiting[0]
        if point is not None and self._threads is not None:
            frame.label, frame.iterations = point.label, point.iterations
            frame.inside, frame.arriving = point.inside, state
            state = self._threads.around(point, state)
        # What a block assumes first has been assumed on the way there, but for the first block of a procedure.
        first = frame.body.blocks[frame.label].statements[:1]
        came_by_jump = frame.label != frame.body.entry or any(frame.iterations)
        frame.statement = 1 if came_by_jump and first and isinstance(first[0], Assume) else 0
        frame.state = state
        frame.record.visits.append(VisitRecord(frame.label, key))

    def _go_on(self, frame: Frame, state: State) -> None:
        """Execute statements until the block ends or a call starts an activation."""
        block = frame.body.blocks[frame.label]
        while frame.statement < len(block.statements):
            k = frame.statement
            frame.statement += 1
            if not self._execute(frame, state, k, block.statements[k]):
                frame.state = None
                return
            if self.frames[-1] is not frame:
                return
        frame.state = None
        if isinstance(block.transfer, Return):
            frame.exits.append(state)
        else:
            self._branching.branch(frame, state, block.transfer.targets)

    def _execute(self, frame: Frame, state: State, k: int, statement: Statement) -> bool:
        """Execute a statement; False if nothing comes after it."""
        if self._tracking is not None:
            self._tracking.statement(frame, state, statement)
        match statement:
            case Call(asynchronous=True):
                return self._start(frame, state, k, statement)
            case Call():
                return self._call(frame, state, k, statement)
            case Yield() if self._threads is not None:
                self._threads.may_stop(frame, state)
                return True
            case _:
                return self._statements.execute(frame, state, k, statement)

    def _call(self, frame: Frame, state: State, k: int, call: Call) -> bool:
        callee = self.program.procedure_named[call.procedure]
        left, frame.inside = frame.inside, None
        arriving = state if left is None else frame.arriving
        inner: State | None = None
        if arriving is not None:
            params = self._statements.params(frame, arriving, callee, call)
            if callee.body is None:
                return self._statements.without_body(frame, state, k, call, callee, params)
            inner = State(arriving.globals, params, arriving.guard, arriving.ranges, arriving.step)
            if self.active.get(callee.name, 0) and not self._is_possible(arriving.guard.whole):
                inner = None  # else recursion with several calls would go on everywhere, as often as the bound allows
            elif self.active.get(callee.name, 0) >= self._depth.activations(callee.name):
                self.explored.cuts.append(Cut(callee.name, callee.origin, False, arriving.guard.whole))
                inner = None
        if inner is None and left is None:
            return False
        record = frame.record.visits[-1].calls[k] = ActivationRecord(callee.name)
        self.enter(callee, inner, record, call, left)
        return True

    def _start(self, frame: Frame, state: State, k: int, call: Call) -> bool:
        """Start a thread."""
        assert self._threads is not None
        callee = self.program.procedure_named[call.procedure]
        params = self._statements.params(frame, state, callee, call)
        if not self._statements.started(state, callee, params, call):
            return False
        self._threads.start(frame, state, k, call, params)
        return True
