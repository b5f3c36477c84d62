"""What an execution leaves behind: the visits from which the path of a model is read, what can fail, and where a bound
ended it."""

from __future__ import annotations

from paddock.engines.scope import Instance, Scope
from paddock.engines.symbolic.nodes import Node
from paddock.engines.symbolic.order import Key
from paddock.frozen import field, frozen, mutable
from paddock.ir.expr import Var
from paddock.ir.origin import AssertionId, Origin
from paddock.ir.program import Program


@mutable
class VisitRecord:
    """A visit of a block: its key, what was arbitrary there, what it called, the threads that it started, and the
    visits that may come next, with the condition for each. `stops` is the condition under which the thread is switched
    where the block starts."""

    label: str
    key: Key
    values: dict[int, dict[Var, Node]] = field(default_factory=dict)
    calls: dict[int, ActivationRecord] = field(default_factory=dict)
    threads: dict[int, StartRecord] = field(default_factory=dict)
    next: list[tuple[Key, Node]] = field(default_factory=list)
    stops: Node | None = None


@mutable
class ActivationRecord:
    """An activation of a procedure, or what one turn of a thread does of it; `initial` has the values of its variables
    at the start, as far as they matter."""

    procedure: str
    visits: list[VisitRecord] = field(default_factory=list)
    initial: dict[Var, Node] = field(default_factory=dict)


@mutable
class TurnRecord:
    """A turn of a thread: its round, what it does, and the condition under which a thread that has not begun still does
    not. One that `is_first` is that in which a new thread runs before its creator goes on."""

    round: int
    root: ActivationRecord
    waits: Node | None = None
    is_first: bool = False


@mutable
class ThreadRecord:
    """A thread that may have been started: its turns."""

    procedure: str
    turns: list[TurnRecord] = field(default_factory=list)


@frozen
class StartRecord:
    """The start of a thread, of which the turns from `first` on are."""

    thread: ThreadRecord
    first: int


@frozen
class Violation:
    """An assertion and the condition under which it is the first that fails; of a program with threads, the round."""

    source: AssertionId | None
    condition: Node
    round: int = 1


@frozen
class Cut:
    """Where the bound ends the execution: a procedure that would be called, or a loop that would go on."""

    where: str
    origin: Origin
    is_loop: bool
    condition: Node


@mutable
class Explored:
    """All that an execution up to a bound has found. `entry` is the first of its threads, if it has several."""

    root: ActivationRecord
    inputs: dict[Var, Node]
    violations: list[Violation] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    decided: int = 0  # assertions that were seen to hold without a question
    returned: Node | None = None  # the condition under which the entry returns
    entry: ThreadRecord | None = None

    def cut_calls(self) -> tuple[str, ...]:
        """The procedures that would be called beyond the bound."""
        return tuple(dict.fromkeys(c.where for c in self.cuts if not c.is_loop))

    def cut_loops(self) -> tuple[Origin, ...]:
        """Where loops are that would go on beyond the bound."""
        return tuple({c.where: c.origin for c in self.cuts if c.is_loop}.values())


def visited_in(program: Program, explored: Explored) -> Scope:
    """The part of a program that an execution has visited."""
    roots = [explored.root] if explored.entry is None else [turn.root for turn in explored.entry.turns]
    order: list[ActivationRecord] = []
    number: dict[int, int] = {}
    callees: list[tuple[int, ...]] = []
    visited: dict[str, set[str]] = {}

    def numbered(record: ActivationRecord) -> int:
        if id(record) not in number:
            number[id(record)] = len(order)
            order.append(record)
        return number[id(record)]

    for root in roots:
        numbered(root)
    for record in order:  # which grows
        visited.setdefault(record.procedure, set()).update(visit.label for visit in record.visits)
        called = [callee for visit in record.visits for callee in visit.calls.values()]
        started = [s.thread.turns[s.first :] for visit in record.visits for s in visit.threads.values()]
        called += [turn.root for turns in started for turn in turns]
        callees.append(tuple(dict.fromkeys(map(numbered, called))))
    instances = tuple(Instance(r.procedure, below) for r, below in zip(order, callees, strict=True))
    return Scope(program, instances, {name: frozenset(labels) for name, labels in visited.items()})
