"""The points where a thread was left, when there are several ways to have come there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from paddock.engines.symbolic.frames import Point, Stopped
from paddock.engines.symbolic.nodes import Node
from paddock.engines.symbolic.order import Key
from paddock.engines.symbolic.values import Values

START: Key = ()  # the key of the point where a thread has not begun


def leaves(left: Stopped) -> Iterator[Point]:
    """The points where the innermost activation was left, in the order of their keys."""
    stack = [left.points[key] for key in sorted(left.points, reverse=True)]
    while stack:
        point = stack.pop()
        if point.inside is None:
            yield point
        else:
            inner = point.inside.points
            stack += [inner[key] for key in sorted(inner, reverse=True)]


class Points:
    """Operations on the points of an execution."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._algebra = values.algebra
        self._variables = values.states.merged_variables

    def condition(self, left: Stopped) -> Node:
        """The condition under which an activation has begun and was left."""
        condition = self._algebra.false
        for point in leaves(left):
            if point is not left.points.get(START):
                condition = self._algebra.or_(condition, point.condition)
        return condition

    def merged(self, one: Stopped, other: Stopped) -> Stopped:
        """An activation that was left in one of two turns."""
        begun = [left for left in (one, other) if any(key is not START for key in left.points)]
        stack = [(one, other, self.condition(other))] if len(begun) == 2 else []
        if len(begun) < 2:
            first = begun[0] if begun else one
            stack.append((first, other if first is one else one, self._algebra.false))
        result = stack[0][0]
        while stack:
            into, new, chooses = stack.pop()
            if chooses is not self._algebra.false:
                into.old = self._variables(chooses, new.old, into.old, self._values.global_input)
            for key, point in new.points.items():
                known = into.points.setdefault(key, point)
                if known is point:
                    continue
                initial = partial(self._values.initial, into.initial)
                known.locals = self._variables(point.condition, point.locals, known.locals, initial)
                known.own = self._variables(point.condition, point.own, known.own, self._values.global_input)
                known.ranges = {}
                known.step = known.step.merged(point.step)
                known.condition = self._algebra.or_(known.condition, point.condition)
                if known.inside is not None and point.inside is not None:
                    stack.append((known.inside, point.inside, point.condition))
        return result
