"""The value of any expression: each kind of node is left to the service that knows it.

An expression is a pure term, with what it does on the way emitted before. Operands are evaluated from left to right,
and what a later one may change is saved. Services register *handlers* for the nodes they know, and ask here for the
value of an operand: so none of them needs to know the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.lowering.marks import Marks
from paddock.frontends.c.lowering.places import Place
from paddock.frontends.c.lowering.steps import Steps
from paddock.frozen import field, frozen
from paddock.ir.expr import Expr

Handler = Callable[[Any], Steps[Any]]
Table = Mapping[type[t.Expression], Handler]


@frozen
class Handlers:
    """What a service does for kinds of nodes: `values` of those whose value has any number of leaves, `scalars` of
    those that have one, `effects` where the value is not used, and `places`."""

    values: Table = field(default_factory=dict)
    scalars: Table = field(default_factory=dict)
    effects: Table = field(default_factory=dict)
    places: Table = field(default_factory=dict)


class Expressions:
    """Evaluates expressions with the handlers that services have registered."""

    def __init__(self, marks: Marks, numbers: Numbers) -> None:
        self.marks = marks
        self._numbers = numbers
        self._values: dict[type[t.Expression], Handler] = {}
        self._scalars: dict[type[t.Expression], Handler] = {}
        self._effects: dict[type[t.Expression], Handler] = {}
        self._places: dict[type[t.Expression], Handler] = {}

    def register(self, handlers: Handlers) -> None:
        """Leave kinds of nodes to a service. What it registers for `t.Expression` is for all other kinds."""
        self._values |= handlers.values
        self._scalars |= handlers.scalars
        self._effects |= handlers.effects
        self._places |= handlers.places

    def values(self, node: t.Expression) -> Steps[tuple[Expr, ...]]:
        """The value of an expression: those of its leaves; one for a scalar, none for void."""
        handler = self._values.get(type(node))
        return self._single(node) if handler is None else handler(node)

    def _single(self, node: t.Expression) -> Steps[tuple[Expr, ...]]:
        value: Expr = yield self._scalars[type(node)](node)
        return (value,)

    def value(self, node: t.Expression) -> Steps[Expr]:
        """The value of an expression of scalar type; 0 for void."""
        handler = self._scalars.get(type(node))
        return self._first(node) if handler is None else handler(node)

    def _first(self, node: t.Expression) -> Steps[Expr]:
        held: tuple[Expr, ...] = yield self._values[type(node)](node)
        return held[0] if held else self._numbers.zero(c.INT)

    def effects(self, node: t.Expression) -> Steps[None]:
        """Evaluate an expression whose value is not used."""
        handler = self._effects.get(type(node))
        return self.values(node) if handler is None else handler(node)  # type: ignore[return-value]

    def place(self, node: t.Expression) -> Steps[Place]:
        """The place that an expression is; for a value, a new object that holds it."""
        return self._places.get(type(node), self._places[t.Expression])(node)

    # --- several expressions -----------------------------------------------------------------------------------

    def both(self, left: t.Expression, right: t.Expression) -> Steps[tuple[Expr, Expr]]:
        """Two operands, the left one first; but what an update changes is read after all that the other one does."""
        if _is_old_value(left):
            b: Expr = yield self.value(right)
            a: Expr = yield self.value(left)
            return a, b
        a = yield self.value(left)
        mark = self.marks.mark()
        b = yield self.value(right)
        a, _ = self.marks.kept(a, mark)
        return a, b

    def all(self, nodes: Sequence[t.Expression]) -> Steps[list[tuple[Expr, ...]]]:
        """The values of arguments, from left to right."""
        done: list[tuple[Expr, ...]] = []
        for node in nodes:
            mark = self.marks.mark()
            held: tuple[Expr, ...] = yield self.values(node)
            if not self.marks.unchanged(mark):
                for n, earlier in enumerate(done):
                    kept = []
                    for value in earlier:
                        value, mark = self.marks.kept(value, mark)
                        kept.append(value)
                    done[n] = tuple(kept)
            done.append(held)
        return done

    def all_lasting(self, nodes: Sequence[t.Expression]) -> Steps[list[tuple[Expr, ...]]]:
        """The values of arguments, for what writes to memory: whatever it writes, these stay what they are."""
        held: list[tuple[Expr, ...]] = yield self.all(nodes)
        return [tuple(map(self.marks.lasting, values)) for values in held]


def nothing(node: t.Expression) -> Steps[None]:
    """The effects of an expression that has none."""
    return
    yield


def _is_old_value(node: t.Expression) -> bool:
    while isinstance(node, t.Conversion):
        node = node.operand
    return isinstance(node, t.OldValue)
