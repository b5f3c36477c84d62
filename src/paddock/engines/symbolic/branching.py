"""Where an activation goes on at the end of a block: which branches may be taken, and which loops go on.

A loop goes on beyond its bound where it ends by itself: its exits were decided not to be taken, each time on other
values.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, islice

from paddock.engines.symbolic.depth import Depth
from paddock.engines.symbolic.exits import deciding, returning
from paddock.engines.symbolic.frames import Body, Exit, Frame
from paddock.engines.symbolic.nodes import Node
from paddock.engines.symbolic.order import next_iterations
from paddock.engines.symbolic.records import Cut
from paddock.engines.symbolic.rules import contradict
from paddock.engines.symbolic.state import Guard, State
from paddock.engines.symbolic.tracking import Tracking
from paddock.engines.symbolic.values import Values
from paddock.ir.expr import App, Expr, Op
from paddock.ir.stmt import Assume
from paddock.solvers.sorts import BOOL

_MOST_COMPARED = 64  # parts of a condition that are compared with those of another
_ASKED_AT = frozenset(2**n for n in range(1, 17))  # iterations before which the solver is asked whether they can be
_MOST_FREE = 100_000  # iterations of a loop that runs to its end by itself


class Branching:
    """Takes the branches of blocks. What a bound ends is noted in `cuts`."""

    def __init__(
        self,
        values: Values,
        depth: Depth,
        is_possible: Callable[[Node], bool],
        cuts: list[Cut],
        tracking: Tracking | None,
    ) -> None:
        self._values = values
        self._states = values.states
        self._algebra = values.algebra
        self._depth = depth
        self._is_possible = is_possible
        self._cuts = cuts
        self._tracking = tracking

    def branch(self, frame: Frame, state: State, targets: tuple[str, ...]) -> None:
        """Go on in each target whose first assumption may hold."""
        conditions = [self._first_condition(frame, state, t) for t in targets]
        decided = [self._states.decided(c, state.ranges) for c in conditions]
        self._note_exits(frame, state, targets, decided)
        possible = [(t, c) for t, c, d in zip(targets, conditions, decided, strict=True) if d is not False]
        algebra = self._algebra
        choosing: list[Node] = [algebra.true] * len(possible)
        if len(possible) > 1 and not self._exclude_each_other([c for _, c in possible]):
            rest = algebra.true
            for n in range(len(possible) - 1):
                here = algebra.input("choice", BOOL)
                choosing[n] = algebra.and_(rest, here)
                rest = algebra.and_(rest, algebra.not_(here))
            choosing[-1] = rest
        for n, (target, condition) in enumerate(possible):
            branch = state if n == len(possible) - 1 else state.copied()
            if choosing[n] is not algebra.true:
                branch.guard = Guard(branch.guard, choosing[n], algebra)
            if self._states.assume(branch, condition):
                taken = algebra.true if len(possible) == 1 else algebra.and_(choosing[n], condition)
                self._jump(frame, branch, target, taken)

    def _exclude_each_other(self, conditions: list[Node]) -> bool:
        parts = [list(islice(self._states.conjuncts(c), _MOST_COMPARED)) for c in conditions]
        return all(_contradict(a, b) for a, b in combinations(parts, 2))

    def _first_condition(self, frame: Frame, state: State, label: str) -> Node:
        """What a block assumes first."""
        statements = frame.body.blocks[label].statements
        if statements and isinstance(statements[0], Assume):
            if self._tracking is not None:
                self._tracking.statement(frame, state, statements[0])
            return self._values.term(frame, state, statements[0].condition)
        return self._algebra.true

    def _jump(self, frame: Frame, state: State, target: str, taken: Node) -> None:
        source = frame.body.places[frame.label]
        place = frame.body.places[target]
        iterations = next_iterations(source, place, target, frame.iterations)
        if place.heads and place.heads[-1] == target and iterations[-1]:
            loop = frame.loops.get((target, iterations[:-1]))
            if iterations[-1] in _ASKED_AT and not self._is_possible(state.guard.whole):
                return
            head = frame.body.blocks[target]
            goes_on = iterations[-1] < self._depth.iterations(head.origin)
            may_end = self._depth.constant_loops and not self._depth.keeps_to_its_bound(head.origin)
            if not goes_on and may_end and loop is not None and loop.progressed:
                goes_on = iterations[-1] < _MOST_FREE
            if loop is not None:
                loop.progressed = False
            if not goes_on:
                procedure = frame.body.procedure
                self._cuts.append(Cut(f"{procedure.name}/{target}", head.origin, True, state.guard.whole))
                return
        key = frame.wait(target, iterations, state)
        frame.record.visits[-1].next.append((key, taken))

    # --- loops that end by themselves ------------------------------------------------------------

    def _note_exits(self, frame: Frame, state: State, targets: tuple[str, ...], decided: list[bool | None]) -> None:
        """Note that the exit of a loop was decided not to be taken, if on other values than in the last iteration: such
        a loop ends by itself."""
        heads = frame.body.places[frame.label].heads
        for target, decision in zip(targets, decided, strict=True):
            outside = len(frame.body.places[target].heads)
            if decision is not False or outside >= len(heads) or target not in _returning(frame.body):
                continue
            for depth in range(outside, len(heads)):
                loop = frame.loops.setdefault((heads[depth], frame.iterations[:depth]), Exit())
                values = self._compared(frame, state, target) + self._deciding(frame, state, heads[depth])
                if loop.seen.get(frame.label) != values:
                    loop.seen[frame.label] = values
                    loop.progressed = True

    def _compared(self, frame: Frame, state: State, label: str) -> tuple[object, ...]:
        """The values that the first condition of a block is about."""
        first = frame.body.blocks[label].statements[0]
        assert isinstance(first, Assume)
        condition: Expr = first.condition
        while isinstance(condition, App) and condition.op is Op.NOT:
            condition = condition.args[0]
        parts = condition.args if isinstance(condition, App) else (condition,)
        return tuple([self._values.term(frame, state, p) for p in parts])

    def _deciding(self, frame: Frame, state: State, head: str) -> tuple[object, ...]:
        """The values of what the exits of a loop depend on."""
        body = frame.body
        if head not in body.deciding:
            body.deciding[head] = deciding(body.blocks, body.places, head)
        return tuple([self._values.term(frame, state, variable) for variable in body.deciding[head]])


def _returning(body: Body) -> frozenset[str]:
    """The blocks of a body from which it may return."""
    if body.returning is None:
        body.returning = returning(body.blocks)
    return body.returning


def _contradict(a: list[Node], b: list[Node]) -> bool:
    """Whether two conjunctions are seen not to hold together."""
    return any(contradict(x, y) for x in a for y in b)
