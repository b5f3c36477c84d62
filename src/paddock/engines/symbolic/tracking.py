"""Takes note of what threads access while they are executed, which locks they hold then, and what they have waited for
(see `switches.py`)."""

from __future__ import annotations

from collections.abc import Iterable

from paddock.engines.symbolic.accesses import Access, Place
from paddock.engines.symbolic.cells import Cells, literals
from paddock.engines.symbolic.frames import Frame
from paddock.engines.symbolic.nodes import Node
from paddock.engines.symbolic.state import State, Variables
from paddock.engines.symbolic.switches import Accessed, Lineage, Point, Switches
from paddock.engines.symbolic.values import Values
from paddock.frozen import replace
from paddock.ir.expr import Expr, Var
from paddock.ir.program import Clause
from paddock.ir.stmt import Assume, Statement
from paddock.ir.threads import ENDED, is_bookkeeping
from paddock.ir.walk import variables
from paddock.solvers.sorts import BOOL, INT, BitVecSort


class Tracking:
    """The accesses of an execution, whose activations are in `frames`."""

    def __init__(self, frames: list[Frame], values: Values, switches: Switches) -> None:
        self._frames = frames
        self._values = values
        self.switches = switches
        ended = [g.var for g in switches.accesses.program.globals if is_bookkeeping(g, ENDED)]
        self._ended = ended[0] if ended else None
        self._running: list[Lineage] = []  # threads whose turns are being executed, the innermost last
        self._children: dict[Lineage, list[Lineage]] = {}
        self._numbers: dict[Lineage, Node | None] = {}  # of threads, as far as they are known

    # --- threads -----------------------------------------------------------------------------------

    def begin(self, thread: Lineage) -> None:
        """A turn of a thread begins."""
        self._running.append(thread)

    def end(self) -> None:
        self._running.pop()

    def child(self) -> Lineage:
        """A new thread, which the running one starts."""
        parent = self._running[-1]
        siblings = self._children.setdefault(parent, [])
        siblings.append(Lineage(parent, len(siblings)))
        return siblings[-1]

    def started(self, thread: Lineage, number: Node | None, state: State) -> None:
        """The running thread starts one, which has this number."""
        known = self._numbers.setdefault(thread, number)
        if known is not number or number is None or not number.is_literal:
            self._numbers[thread] = None
        state.step = replace(state.step, commits=True, is_beside=True)

    def waited(self, state: State, statement: Assume) -> None:
        """Which threads have ended for sure after an assumption."""
        if self._ended is None or not _is_wait(statement, self._ended):
            return
        cells = state.globals.get(self._ended)
        if not isinstance(cells, Cells):
            return
        joined = set(state.step.joined)
        for child in self._children.get(self._running[-1], ()):
            number = self._numbers.get(child)
            ended = None if number is None else cells.entries.get((number.data,))
            if isinstance(ended, Node) and self._holds(ended, state):
                joined.add(child.number)
        state.step = replace(state.step, joined=frozenset(joined))

    def _is_alone(self, state: State) -> bool:
        """Whether there is no other thread now."""
        if not state.step.is_beside:
            return True
        me = self._running[-1]
        others = [thread for children in self._children.values() for thread in children if thread is not me]
        if me.parent is not None:
            return False
        return all(t.parent is me and t.number in state.step.joined for t in others)

    def point(self) -> Point:
        """Where the running thread is, whatever iterations of loops it is in."""
        root = max(n for n, frame in enumerate(self._frames) if frame.is_root)
        return tuple((f.body.procedure.name, f.label) for f in self._frames[root:])

    # --- globals where a turn begins and ends --------------------------------------------------------

    def restricted(self, variables: Variables, condition: Node) -> Variables:
        """Globals without the alternatives that a condition excludes."""
        tracked = {v: value for v, value in variables.items() if v in self.switches.accesses.tracked}
        return {**variables, **self._values.states.restricted(tracked, condition)}

    # --- accesses ----------------------------------------------------------------------------------

    def statement(self, frame: Frame, state: State, statement: Statement) -> None:
        """A statement is about to be executed."""
        if kept := self.switches.accesses.bookkeeping(statement):
            state.step = replace(state.step, commits=True, changed=state.step.changed | kept)
        match statement:
            case Assume(condition) if state.step.is_beside and _is_wait(statement, self._ended):
                if not self._holds(self._term(frame, state, condition), state):
                    self.switches.wait(state.step)
        self._note(frame, state, self.switches.accesses.of(statement))

    def clauses(self, frame: Frame, state: State, clauses: Iterable[Clause]) -> None:
        self._note(frame, state, self.switches.accesses.reads(c.condition for c in clauses))

    def writes(self, frame: Frame, state: State, targets: Iterable[Var]) -> None:
        """Variables are about to get values that somebody else gives."""
        self._note(frame, state, self.switches.accesses.writes(targets))

    def _note(self, frame: Frame, state: State, accesses: Iterable[Access]) -> None:
        for access in accesses:
            index = None if access.index is None else [self._term(frame, state, i) for i in access.index]
            places = _places(access, index)
            if state.step.is_beside:
                self._noted(state, access.writes, places)
            if access.writes:
                self._lock(frame, state, access, index, places)

    def _term(self, frame: Frame, state: State, expr: Expr) -> Node:
        return self._values.memory.plain(self._values.evaluated(frame, state, expr))

    def _noted(self, state: State, writes: bool, places: list[Place]) -> None:
        thread, step = self._running[-1], state.step
        started = len(self._children.get(thread, ()))
        held = frozenset(p for p in step.held if not self.switches.is_broken(p))  # some may turn out to be no locks
        for place in places:
            self.switches.note(place, Accessed(thread, writes, held, started, step.joined), step)
        if writes:
            state.step = replace(step, written=step.written.union(places), changed=step.changed.union(places))

    # --- locks -------------------------------------------------------------------------------------

    def _lock(self, frame: Frame, state: State, access: Access, index: list[Node] | None, places: list[Place]) -> None:
        """A write may take a lock, or give it back, or show that a place is none."""
        held = state.step.held
        old = self._old(frame, state, access, index)
        new = None if access.value is None or old is None else self._term(frame, state, access.value)
        is_free = old is not None and self._is_zero(old, state)
        for place in places:
            if place in held:
                if len(places) > 1 or new is None or not _is_nonzero(new):
                    held -= {place}
                if len(places) > 1:
                    self.switches.no_lock(place)
            elif not is_free:
                if not self._is_alone(state):
                    self.switches.no_lock(place)
            elif len(places) == 1 and place[1] is not None and new is not None and _is_nonzero(new):
                held |= {place}
        held = frozenset(p for p in held if not self.switches.is_broken(p))
        if held != state.step.held:
            state.step = replace(state.step, held=held)

    def _old(self, frame: Frame, state: State, access: Access, index: list[Node] | None) -> Node | None:
        """What a place has been until now, if it is a truth value or a number."""
        if index is None:
            return None
        value = self._values.of(frame, state, access.var)
        if isinstance(value, Cells) and index:
            value = self._values.memory.read(value, tuple(index), lambda n: self._values.states.span(n, state.ranges))
        if not isinstance(value, Node) or not (value.sort in (BOOL, INT) or isinstance(value.sort, BitVecSort)):
            return None
        return value

    def _is_zero(self, node: Node, state: State) -> bool:
        if node.is_literal:
            return not node.data
        if isinstance(node.sort, BitVecSort) and self._values.states.span(node, state.ranges) == (0, 0):
            return True
        algebra = self._values.algebra
        is_zero = algebra.not_(node) if node.sort is BOOL else algebra.eq(node, algebra.number(0, node))
        return self._holds(is_zero, state)

    def _holds(self, condition: Node, state: State) -> bool:
        """Whether a condition is known to hold. What has been assumed is known part by part."""
        states = self._values.states
        return all(states.decided(part, state.ranges) is True for part in states.conjuncts(condition))


def _is_wait(assumption: Assume, ended: Var | None) -> bool:
    """Whether an assumption waits for threads to end."""
    return ended is not None and ended in variables(assumption.condition)


def _is_nonzero(node: Node) -> bool:
    """Whether a value is a literal other than zero, or a choice between such."""
    return bool(node.data) if node.is_literal else bool(node.leaves) and all(literals(node))


def _places(access: Access, index: list[Node] | None) -> list[Place]:
    """The places that an access may be to."""
    if index is None:
        return [(access.var, None)]
    if all(i.is_literal for i in index):
        return [(access.var, tuple(i.data for i in index))]
    if len(index) == 1 and index[0].leaves:
        return [(access.var, (value,)) for value in literals(index[0])]
    return [(access.var, None)]


def unrestrict(end: State, before: Variables, tracked: Iterable[Var]) -> None:
    """Where a turn has left a tracked global as it was, all that it may have been comes back, the same at all ends."""
    changed: dict[Var, set[tuple[object, ...] | None]] = {}
    for var, key in end.step.changed:
        changed.setdefault(var, set()).add(key)
    for var in tracked:
        old, now = before.get(var), end.globals.get(var)
        keys = changed.get(var)
        if old is None or now is old or (keys is not None and None in keys):
            continue
        if keys is None:
            end.globals[var] = old
        elif isinstance(old, Cells) and isinstance(now, Cells):
            entries = {k: v if k in keys else old.entries.get(k, v) for k, v in now.entries.items()}
            end.globals[var] = Cells(now.base, entries, now.sort)
