"""Threads, executed in the order of the schedule (the lazy scheme of Inverso, Tomasco, Fischer, La Torre and
Parlato, Bounded model checking of multi-threaded C programs via lazy sequentialization, CAV 2014).

Threads have turns, in rounds: in each round a thread comes after those that it has started, and these in the order in
which they were. A turn goes from where the thread was left to a `yield`, chosen by a condition of its own at each; what
it leaves the globals as is what the next turn starts with. So nothing is guessed, and what is constant stays constant.
A thread may have been left at many points. Each keeps its variables by itself, and goes on by itself until it comes to
where another is; then they are merged, as paths are.

The program is one that `resumable.py` has made: blocks start where threads are switched.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from paddock.engines.symbolic.cells import Memory
from paddock.engines.symbolic.frames import Frame, Point, Stopped
from paddock.engines.symbolic.nodes import Node
from paddock.engines.symbolic.order import Key
from paddock.engines.symbolic.points import START, Points, leaves
from paddock.engines.symbolic.records import ActivationRecord, StartRecord, ThreadRecord, TurnRecord
from paddock.engines.symbolic.state import Guard, Ranges, State, Variables
from paddock.engines.symbolic.switches import FIRST, STARTED, Lineage, Step
from paddock.engines.symbolic.tracking import Tracking, unrestrict
from paddock.frozen import field, mutable, replace
from paddock.ir.expr import Var
from paddock.ir.program import Procedure, is_marked
from paddock.ir.stmt import Call
from paddock.ir.threads import SWITCH
from paddock.solvers.sorts import BOOL

if TYPE_CHECKING:
    from paddock.engines.symbolic.execution import Execution

_Where = tuple[tuple[Key, int], ...]  # by activation, the visit of a block and the statement
_LAST = (((inf,),),)  # a thread comes after those that it has started


@mutable
class _Thread:
    """A thread that may have been started: by whom and where, and the points where it was left, if it runs."""

    place: tuple[_Where, ...]
    procedure: Procedure
    record: ThreadRecord
    own: dict[Var, Node]  # its own globals where it starts
    lineage: Lineage
    left: Stopped | None = None


@mutable
class _Turn:
    """A turn of a thread: what it starts with, and what the globals are wherever it may end. If it is in the middle of
    another's, `creator` is the activation that has started the thread, with the globals of that thread's own."""

    thread: _Thread
    base: Guard
    globals: Variables
    ranges: Ranges
    active: dict[str, int]
    may_stop: bool
    creator: Frame | None = None
    own: Variables = field(default_factory=dict)
    ends: list[State] = field(default_factory=list)


class Again(Exception):
    """More switches matter than were looked at."""


class Threads:
    """The threads of an execution. Raises `Again` where it has to start over."""

    def __init__(self, execution: Execution, rounds: int, own: tuple[Var, ...], tracking: Tracking) -> None:
        self._execution = execution
        self._values = execution.values
        self._algebra = execution.values.algebra
        self._points = Points(execution.values)
        self._tracking = tracking
        self._rounds = rounds
        self._own = own
        self.round = 1
        self._threads: dict[tuple[_Where, ...], _Thread] = {}
        self._turns: list[_Turn] = []
        self._state: State | None = None  # between turns

    def run(self, entry: Procedure, state: State) -> ThreadRecord:
        """Give all threads their turns."""
        own = {var: self._values.memory.plain(self._values.global_input(var)) for var in self._own}
        main = _Thread((), entry, ThreadRecord(entry.name), own, Lineage(None, 0))
        self._threads[main.place] = main
        main.left = _unstarted(state.locals, self._algebra.true, FIRST)
        self._state = State(state.globals, {}, state.guard, state.ranges)
        for round_ in range(1, self._rounds + 1):
            self.round = round_
            for thread in sorted(self._threads.values(), key=lambda t: (*t.place, _LAST)):
                if thread.left is not None and self._state is not None:
                    self._turn(thread, self._state, is_main=thread is main)
                    self._execution.advance()
                    if self._tracking.switches.has_news:
                        raise Again
        return main.record

    # --- turns -----------------------------------------------------------------------------------

    def _turn(self, thread: _Thread, state: State, is_main: bool) -> None:
        """Start a turn at the points where a thread was left; none of them if it has ended or was not started."""
        left, thread.left = thread.left, None
        assert left is not None
        turn = self._begun(thread, state, may_stop=not (is_main and self.round == self._rounds))
        rest = state.guard
        for point in reversed(list(leaves(left))):
            # Later points first: those that meet on the way part last.
            guard = Guard(rest, point.condition, self._algebra)
            point.guard = None if guard.whole is self._algebra.false else guard
            rest = Guard(rest, self._algebra.not_(point.condition), self._algebra)
        if rest.whole is not self._algebra.false:
            turn.ends.append(State(dict(state.globals), {}, rest, dict(state.ranges)))
        start = left.points.pop(START, None)
        starts = None if start is None or start.guard is None else self._at(turn, start)
        inside = left if left.points else None
        if is_main and starts is not None:
            starts.globals.update(_starting(thread, self._values.memory))
            self._enter(thread, starts, inside, assumes=True)
        else:
            self._enter_thread(thread, starts, inside)

    def _begun(self, thread: _Thread, state: State, may_stop: bool = True) -> _Turn:
        execution = self._execution
        turn = _Turn(thread, state.guard, state.globals, state.ranges, execution.active, may_stop)
        execution.active = {}
        self._turns.append(turn)
        self._tracking.begin(thread.lineage)
        thread.record.turns.append(TurnRecord(self.round, ActivationRecord(thread.procedure.name)))
        return turn

    def _enter_thread(self, thread: _Thread, starts: State | None, inside: Stopped | None) -> None:
        """Go on inside a thread, and perhaps let it begin."""
        if starts is None:
            self._enter(thread, None, inside)
            return
        waits = self._algebra.input("waits", BOOL)
        thread.record.turns[-1].waits = waits
        waiting = Guard(starts.guard, waits, self._algebra)
        self._turns[-1].ends.append(State(dict(starts.globals), {}, waiting, dict(starts.ranges), starts.step))
        still = _unstarted(starts.locals, waiting.whole).points[START]
        starts.guard = Guard(starts.guard, self._algebra.not_(waits), self._algebra)
        starts.globals.update(_starting(thread, self._values.memory))
        self._enter(thread, starts, inside)
        self._execution.frames[-1].points[START] = still

    def _enter(self, thread: _Thread, starts: State | None, inside: Stopped | None, assumes: bool = False) -> None:
        record = thread.record.turns[-1].root
        self._execution.enter(thread.procedure, starts, record, None, inside, assumes=assumes)
        self._execution.frames[-1].is_root = True

    def ended(self, root: Frame, state: State | None) -> None:
        """A turn is over; `state` is where the thread has ended."""
        turn = self._turns.pop()
        self._tracking.end()
        self._execution.active = turn.active
        if state is not None:
            self._without_own(state)
            turn.ends.append(State(state.globals, {}, state.guard, state.ranges, state.step))
        if root.points:
            left = Stopped(root.points, root.old, root.record.initial, root.loops)
            before = turn.thread.left
            turn.thread.left = left if before is None else self._points.merged(before, left)
        after = None
        for end in turn.ends:
            unrestrict(end, turn.globals, self._tracking.switches.accesses.tracked)
        if turn.ends:
            after = self._values.states.merged(turn.ends, self._values.global_input)
        creator = turn.creator
        if creator is None:
            self._state = after
        elif after is None:
            creator.state = None
        else:
            assert creator.state is not None
            creator.state.globals = {**after.globals, **turn.own}
            creator.state.guard, creator.state.ranges = after.guard, after.ranges
            changed = creator.state.step.changed | after.step.changed
            creator.state.step = replace(creator.state.step, changed=changed)

    def _without_own(self, state: State) -> Variables:
        """Take the globals of a thread's own out of a state."""
        return {var: state.globals.pop(var) for var in self._own if var in state.globals}

    # --- statements ------------------------------------------------------------------------------

    def may_stop(self, frame: Frame, state: State) -> None:
        """Leave the thread where it is, or go on."""
        turn = self._turns[-1]
        if not state.step.is_beside:
            return
        point = self._tracking.point()
        if not self._tracking.switches.matters(point):
            state.step = self._tracking.switches.pass_over(state.step, point)
            return
        state.step = state.step.switched()
        if not turn.may_stop:
            return
        visit = frame.record.visits[-1]
        stops = visit.stops = self._algebra.input("stops", BOOL)
        left = state.copied()
        left.guard = Guard(state.guard, stops, self._algebra)
        own = self._without_own(left)
        step = replace(left.step, changed=frozenset())
        at = (frame.label, frame.iterations, left.locals, own, left.guard.whole, dict(left.ranges))
        frame.points[visit.key] = Point(*at, step=step)
        turn.ends.append(State(left.globals, {}, left.guard, left.ranges, left.step))
        state.guard = Guard(state.guard, self._algebra.not_(stops), self._algebra)

    def start(self, frame: Frame, state: State, k: int, call: Call, params: Variables) -> None:
        """Start a thread; it may have a turn at once."""
        execution = self._execution
        callee = execution.program.procedure_named[call.procedure]
        thread = self._thread(callee)
        visit = frame.record.visits[-1]
        visit.values[k] = thread.own
        number = params[callee.params[-1].var] if callee.params else None
        self._tracking.started(thread.lineage, number if isinstance(number, Node) else None, state)
        visit.threads[k] = StartRecord(thread.record, len(thread.record.turns))
        if not is_marked(call.attributes, SWITCH):
            new = _unstarted(params, state.guard.whole)
            thread.left = new if thread.left is None else self._points.merged(thread.left, new)
            return
        creators = self._without_own(state)
        turn = self._begun(thread, state)
        turn.creator, turn.own = frame, creators
        thread.record.turns[-1].is_first = True
        starts = State(dict(state.globals), dict(params), state.guard, dict(state.ranges), STARTED)
        self._enter_thread(thread, starts, None)

    def _thread(self, callee: Procedure) -> _Thread:
        """The thread that a statement starts in this visit of its block, whenever that is."""
        frames = self._execution.frames
        root = max(n for n, frame in enumerate(frames) if frame.is_root)
        where = tuple((f.record.visits[-1].key, f.statement) for f in frames[root:])
        place = (*self._turns[-1].thread.place, where)
        if place not in self._threads:
            own = {var: self._values.arbitrary(var) for var in self._own}
            self._threads[place] = _Thread(place, callee, ThreadRecord(callee.name), own, self._tracking.child())
        return self._threads[place]

    # --- activations that were left --------------------------------------------------------------

    def go_on_inside(self, frame: Frame, left: Stopped, is_new: bool) -> None:
        """Let an activation go on where it was left. Unless it `is_new`, its frame has one that starts, too."""
        frame.record.initial = left.initial
        frame.loops = left.loops
        if is_new:
            frame.old = left.old
        elif frame.body.uses_old:
            inside = self._points.condition(left)
            states, initial = self._values.states, self._values.global_input
            frame.old = states.merged_variables(inside, left.old, frame.old, initial)
        for key, point in left.points.items():
            if point.inside is not None:
                frame.wait_inside(key, point)
            elif point.guard is not None:
                frame.wait(point.label, point.iterations, self._at(self._turns[-1], point))

    def _at(self, turn: _Turn, point: Point) -> State:
        """The state in which a turn goes on at a point: of what the globals may be, what they are if it does."""
        assert point.guard is not None
        globals_ = {**self._tracking.restricted(turn.globals, point.condition), **point.own}
        return State(globals_, dict(point.locals), point.guard, {**turn.ranges, **point.ranges}, point.step)

    def around(self, point: Point, arriving: State | None) -> State:
        """The state of an activation that is inside of a call, or arrives at it."""
        guard = Guard(self._turns[-1].base, point.condition, self._algebra)
        if arriving is None:
            return State({}, dict(point.locals), guard)
        inside = State(arriving.globals, dict(point.locals), guard)
        return self._values.merged([inside, arriving], self._execution.frames[-1])

    def left_inside(self, caller: Frame, callee: Frame) -> None:
        """A thread was left inside of a call."""
        assert caller.state is not None
        inside = Stopped(callee.points, callee.old, callee.record.initial, callee.loops)
        condition = caller.state.guard.whole
        key = caller.record.visits[-1].key
        caller.points[key] = Point(
            caller.label, caller.iterations, dict(caller.state.locals), {}, condition, {}, inside
        )


def _unstarted(params: Variables, condition: Node, step: Step = STARTED) -> Stopped:
    """A thread that has not begun."""
    return Stopped({START: Point("", (), dict(params), {}, condition, {}, step=step)}, {}, {}, {})


def _starting(thread: _Thread, memory: Memory) -> Variables:
    """The globals of a thread's own where it starts."""
    return {var: memory.of(node) for var, node in thread.own.items()}
