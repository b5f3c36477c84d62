"""Activations while they are executed, and as a thread leaves them where it is switched."""

from __future__ import annotations

from heapq import heappop, heappush

from paddock.engines.symbolic.nodes import Node
from paddock.engines.symbolic.order import Key, Place, key_of, places
from paddock.engines.symbolic.records import ActivationRecord
from paddock.engines.symbolic.state import Guard, Ranges, State, Variables
from paddock.engines.symbolic.switches import FIRST, Step
from paddock.frozen import field, mutable
from paddock.ir.expr import App, Op, Var
from paddock.ir.program import Procedure
from paddock.ir.rewriting import expressions_in
from paddock.ir.stmt import Block, Call
from paddock.ir.walk import subterms

Loops = dict[tuple[str, tuple[int, ...]], "Exit"]
Waiting = list[tuple[State, str, tuple[int, ...]]]


@mutable
class Body:
    """A procedure that is executed, with the places of its blocks."""

    procedure: Procedure
    blocks: dict[str, Block]
    places: dict[str, Place]
    entry: str
    uses_old: bool = False  # the globals as they were when it started
    returning: frozenset[str] | None = None  # the blocks from which it may return, once somebody asks
    deciding: dict[str, tuple[Var, ...]] = field(default_factory=dict)  # what exits of loops depend on, by their heads


class Bodies:
    """The bodies of procedures. Whether one mentions `old` is found out only if somebody needs it."""

    def __init__(self, finds_old: bool) -> None:
        self._finds_old = finds_old
        self._known: dict[str, Body] = {}

    def of(self, procedure: Procedure) -> Body:
        body = self._known.get(procedure.name)
        if body is None:
            assert procedure.body is not None
            blocks = {b.label: b for b in procedure.body.blocks}
            entry = procedure.body.blocks[0].label
            graph = {label: b.successors for label, b in blocks.items()}
            terms = subterms(expressions_in(procedure)) if self._finds_old else ()
            uses_old = any(isinstance(e, App) and e.op is Op.OLD for e in terms)
            body = self._known[procedure.name] = Body(procedure, blocks, places(graph, entry), entry, uses_old)
        return body


@mutable
class Exit:
    """How the exits of a loop were decided in its last iterations: by which block, on which values."""

    seen: dict[str, tuple[object, ...]] = field(default_factory=dict)
    progressed: bool = False


@mutable
class Point:
    """Where a thread has left an activation: a block that starts with a `yield`, or with a call that it is `inside`.
    The `condition` is that under which it is there. `guard` is that of its next turn."""

    label: str
    iterations: tuple[int, ...]
    locals: Variables
    own: Variables  # globals of the thread
    condition: Node
    ranges: Ranges
    inside: Stopped | None = None
    guard: Guard | None = None
    step: Step = FIRST


@mutable
class Stopped:
    """An activation that a thread has left at one of several points. What it had at its start is the same for all."""

    points: dict[Key, Point]
    old: Variables
    initial: dict[Var, Node]
    loops: Loops


@mutable
class Frame:
    """An activation that is being executed. `visit`, `statement` and `state` are where it is, if it is anywhere.

    Of a thread, `resumed` are points inside of calls where it goes on, and `points` are those where it has been left.
    In a visit that starts with such a call, it is `inside` that, or `arriving` before it.
    """

    body: Body
    record: ActivationRecord
    old: Variables
    call: Call | None
    waiting: dict[Key, Waiting] = field(default_factory=dict)
    order: list[Key] = field(default_factory=list)
    exits: list[State] = field(default_factory=list)
    loops: Loops = field(default_factory=dict)
    label: str = ""
    iterations: tuple[int, ...] = ()
    statement: int = 0
    state: State | None = None
    is_root: bool = False  # of a thread
    resumed: dict[Key, Point] = field(default_factory=dict)
    points: dict[Key, Point] = field(default_factory=dict)
    inside: Stopped | None = None
    arriving: State | None = None

    def wait(self, label: str, iterations: tuple[int, ...], state: State) -> Key:
        """Have a block visited in a state, merged with all others that come there."""
        key = key_of(self.body.places[label], iterations)
        self._waiting_at(key).append((state, label, iterations))
        return key

    def wait_inside(self, key: Key, point: Point) -> None:
        """Go on inside of a call that a block starts with."""
        self.resumed[key] = point
        self._waiting_at(key)

    def _waiting_at(self, key: Key) -> Waiting:
        if key not in self.waiting:
            self.waiting[key] = []
            heappush(self.order, key)
        return self.waiting[key]

    def next_visit(self) -> tuple[Key, Waiting, Point | None]:
        """The visit that comes first, the states that wait for it, and the point where a thread goes on in it."""
        key = heappop(self.order)
        return key, self.waiting.pop(key), self.resumed.pop(key, None)
