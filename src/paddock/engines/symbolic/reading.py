"""Reading the path that a model takes through an execution, turn by turn where there are threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paddock.engines.counterexample import ModelValues
from paddock.engines.symbolic.encoding import Encoding
from paddock.engines.symbolic.nodes import Node
from paddock.engines.symbolic.order import Key
from paddock.engines.symbolic.records import (
    ActivationRecord,
    Explored,
    StartRecord,
    TurnRecord,
    Violation,
    VisitRecord,
)
from paddock.frozen import field, mutable
from paddock.ir.expr import Var
from paddock.ir.program import Program
from paddock.solvers.interface import Model
from paddock.trace.path import Activation, Path, Visit
from paddock.trace.values import Value


@mutable
class _Left:
    """Where a thread is in an activation: the visit, and its key."""

    activation: Activation
    visit: Visit
    key: Key


@mutable
class _Cursor:
    """Where a turn is in an activation. If it `goes_on`, what its block starts with has been done."""

    record: ActivationRecord
    activation: Activation
    at: VisitRecord
    visit: Visit
    goes_on: bool = False


@mutable
class _Started:
    """A thread to read: who has started it, and where that is noted."""

    start: StartRecord
    activation: Activation
    by: tuple[Visit, int] | None = None
    left: list[_Left] = field(default_factory=list)
    has_begun: bool = False


class Reading:
    """Reads the path of a model."""

    def __init__(self, program: Program, encoding: Encoding, model: Model) -> None:
        self._encoding = encoding
        self._model = model
        self._values = ModelValues(program, model)
        self._threads: list[_Started] = []

    def path(self, explored: Explored, violations: Sequence[Violation]) -> Path:
        """The path to the first violation that the model has."""
        holds = self._holding([v.condition for v in violations])
        fails = next((v.source for v, held in zip(violations, holds, strict=True) if held), None)
        root = Activation(explored.root.procedure)
        if explored.entry is None:
            self._follow(explored.root, root)
        else:
            self._threads = [_Started(StartRecord(explored.entry, 0), root)]
        while self._threads:
            self._read_thread(self._threads.pop())
        return Path(root, self._read(explored.inputs), fails)

    # --- activations -----------------------------------------------------------------------------

    def _follow(self, record: ActivationRecord, activation: Activation) -> None:
        """Read an activation and all that it calls, none of which is left."""
        stack = [(record, activation)]
        while stack:
            record, activation = stack.pop()
            activation.initial = self._read(record.initial)
            for at in self._visited(record):
                visit = Visit(at.label)
                activation.visits.append(visit)
                stack += self._fill(at, visit)

    def _fill(self, at: VisitRecord, visit: Visit) -> list[tuple[ActivationRecord, Activation]]:
        """Fill in a visit; returns the activations it calls, which are still empty."""
        called: list[tuple[ActivationRecord, Activation]] = []
        visit.values = {k: self._read(values) for k, values in at.values.items()}
        for k, inner in at.calls.items():
            if k not in visit.calls:
                visit.calls[k] = Activation(inner.procedure)
                called.append((inner, visit.calls[k]))
        for k, start in at.threads.items():
            self._threads.append(_Started(start, Activation(start.thread.procedure), (visit, k)))
        return called

    def _visited(self, record: ActivationRecord) -> Iterator[VisitRecord]:
        """The visits of an activation, one after the other, as far as the path goes."""
        visits = {v.key: v for v in record.visits}
        visit = record.visits[0] if record.visits else None
        while visit is not None:
            yield visit
            visit = self._next(visit, visits)

    def _next(self, visit: VisitRecord, visits: dict[Key, VisitRecord]) -> VisitRecord | None:
        following = [(visits.get(key), condition) for key, condition in visit.next]
        return next((v for v, condition in following if v is not None and self._holds(condition)), None)

    # --- threads ---------------------------------------------------------------------------------

    def _read_thread(self, thread: _Started) -> None:
        """Read a thread, turn by turn."""
        turns = thread.start.thread.turns[thread.start.first :]
        for n, turn in enumerate(turns):
            if turn.is_first and n > 0:
                continue  # that of a thread that was started elsewhere
            if thread.has_begun and not thread.left:
                return
            self._read_turn(thread, turn)

    def _read_turn(self, thread: _Started, turn: TurnRecord) -> None:
        if thread.has_begun:
            cursors = self._resumed(thread, turn)
        elif turn.waits is not None and self._holds(turn.waits):
            return
        else:
            thread.has_begun = True
            if thread.by is not None:
                visit, k = thread.by
                visit.rounds[k], visit.calls[k] = turn.round, thread.activation
            cursors = self._entered(turn.root, thread.activation)
        thread.left = self._run(cursors, turn.round)

    def _resumed(self, thread: _Started, turn: TurnRecord) -> list[_Cursor]:
        """The activations where a thread goes on, the innermost last."""
        cursors: list[_Cursor] = []
        record: ActivationRecord | None = turn.root
        for left in thread.left:
            at = None if record is None else next((v for v in record.visits if v.key == left.key), None)
            if record is None or at is None:
                return []  # behind the violation there is nothing to read
            cursors.append(_Cursor(record, left.activation, at, left.visit, goes_on=True))
            record = at.calls.get(0)
        cursors[-1].goes_on = False
        return cursors

    def _entered(self, record: ActivationRecord, activation: Activation) -> list[_Cursor]:
        """An activation from its start."""
        activation.initial = self._read(record.initial)
        start = min(record.visits, key=lambda v: v.key, default=None)
        if start is None:
            return []
        activation.visits.append(Visit(start.label))
        return [_Cursor(record, activation, start, activation.visits[-1])]

    def _run(self, cursors: list[_Cursor], round_: int) -> list[_Left]:
        """Read a turn to its end: where the thread is left, if it is."""
        while cursors:
            cursor = cursors[-1]
            at, visit = cursor.at, cursor.visit
            if not cursor.goes_on:
                cursor.goes_on = True
                if at.stops is not None and self._holds(at.stops):
                    return [_Left(c.activation, c.visit, c.at.key) for c in cursors]
                if 0 not in at.threads:
                    visit.rounds[0] = round_
                if 0 in at.calls:
                    visit.calls[0] = Activation(at.calls[0].procedure)
                    cursors += self._entered(at.calls[0], visit.calls[0])
                    continue
            for record, activation in self._fill(at, visit):
                self._follow(record, activation)
            following = self._next(at, {v.key: v for v in cursor.record.visits})
            if following is None:
                cursors.pop()
                continue
            cursor.at, cursor.goes_on = following, False
            cursor.visit = Visit(following.label)
            cursor.activation.visits.append(cursor.visit)
        return []

    # --- values ----------------------------------------------------------------------------------

    def _holds(self, condition: Node) -> bool:
        return bool(condition.data) if condition.is_literal else self._holding([condition])[0]

    def _holding(self, conditions: Sequence[Node]) -> list[bool]:
        terms = [self._encoding.term(c) for c in conditions]
        return [value is True for value in self._model.values(terms)]

    def _read(self, nodes: dict[Var, Node]) -> dict[Var, Value]:
        terms = [self._encoding.term(node) for node in nodes.values()]
        return dict(zip(nodes, self._values.of(terms, [v.type for v in nodes]), strict=True))
