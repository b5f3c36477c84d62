"""Terms: hash-consed, and simplified when they are made.

A node is an operator of the solver's vocabulary applied to nodes, or a leaf. It also knows in which range its value is,
how many of its lowest bits are zero, and whether it is a choice between literals; all that is worked out from its
arguments when it is made, so nothing has to walk into a term.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction

from paddock.engines.symbolic.spans import FULL, Span, span_of
from paddock.ir import bitvectors
from paddock.ir.types import BOOL as BOOL_TYPE
from paddock.ir.types import INT as INT_TYPE
from paddock.ir.types import RMODE, Bv, Float, Type
from paddock.solvers.ops import Op, result_sort
from paddock.solvers.sorts import BOOL, INT, ROUNDING_MODE, BitVecSort, FloatSort, Sort
from paddock.solvers.values import canonical_nan, is_nan
from paddock.trace.builtins import Operation, operation
from paddock.trace.values import Undecided
from paddock.trace.world import World

_MOST_CASES = 64  # that choices on different conditions make together
MOST_LEAVES = 64  # of a choice between literals that operators are applied to one by one

_DEEPEST = 40  # rules inside of rules

Literal = bool | int | Fraction | str


class Leaf(Enum):
    """The kinds of nodes that are no operators of the solver's."""

    LITERAL = "literal"  # data: the value
    INPUT = "input"  # data: its name; each is different from all others
    NAMED = "named"  # data: a constant of the program
    CONST_ARRAY = "constant array"  # the element
    OPAQUE = "opaque"  # data: an expression of the program over the arguments, which only the encoder understands

    __hash__ = object.__hash__


class Node:
    """A term. Two that are made alike are one object."""

    __slots__ = ("args", "data", "leaves", "op", "sort", "span", "zeros")

    def __init__(self, op: Op | Leaf, args: tuple[Node, ...], data: object, sort: Sort) -> None:
        self.op = op
        self.args = args
        self.data = data
        self.sort = sort
        self.leaves = _leaves(op, args)
        self.span, self.zeros = span_of(self)

    @property
    def is_literal(self) -> bool:
        return self.op is Leaf.LITERAL

    @property
    def width(self) -> int:
        assert isinstance(self.sort, BitVecSort)
        return self.sort.width

    @property
    def value(self) -> int:
        """Of a literal that is a bit-vector or an integer."""
        assert isinstance(self.data, int)
        return self.data

    def __repr__(self) -> str:
        if not self.args:
            return f"<{self.data}>"
        return f"<{self.op.value} {' '.join('…' if a.args else str(a.data) for a in self.args)}>"


def _leaves(op: Op | Leaf, args: tuple[Node, ...]) -> int:
    """How many literals there are at the leaves of a choice; 0 if there is anything else, or if they are too many."""
    if op is Leaf.LITERAL:
        return 1
    if op is Op.ITE:
        _, then, otherwise = args
        both = then.leaves + otherwise.leaves
        return both if then.leaves and otherwise.leaves and both <= MOST_LEAVES else 0
    return 0


Rule = Callable[["Algebra", tuple[Node, ...], tuple[int, ...]], "Node | None"]


class Algebra:
    """Makes the nodes of one execution. `rules` simplify, by operator."""

    def __init__(self, world: World, rules: dict[Op, Rule]) -> None:
        self._table: dict[tuple[object, ...], Node] = {}
        self._rules = rules
        self._world = _Exact(world.program)
        self._folding: dict[tuple[object, ...], Operation | None] = {}
        self.joined: dict[tuple[Node, ...], Node] = {}  # bits of choices, joined
        self._inputs = 0
        self.array_terms = 0  # of the nodes, those that read or write an array
        self._depth = 0
        self.true = self.literal(True, BOOL)
        self.false = self.literal(False, BOOL)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self._table)

    def made(self, op: Op | Leaf, args: tuple[Node, ...], data: object, sort: Sort) -> Node:
        """The node as it is, without simplifying. A literal's type is part of its key: 1 is not `True`."""
        key = (op, args, data, type(data), sort)
        node = self._table.get(key)
        if node is None:
            node = self._table[key] = Node(op, args, data, sort)
            self.array_terms += op is Op.SELECT or op is Op.STORE
        return node

    def literal(self, value: Literal, sort: Sort) -> Node:
        if isinstance(sort, FloatSort) and isinstance(value, int) and is_nan(value, sort):
            value = canonical_nan(sort)
        return self.made(Leaf.LITERAL, (), value, sort)

    def number(self, value: int, like: Node) -> Node:
        """A literal of another node's sort; a bit-vector is reduced to its width."""
        if isinstance(like.sort, BitVecSort):
            value %= 1 << like.sort.width
        return self.literal(value, like.sort)

    def truth(self, value: bool) -> Node:
        return self.true if value else self.false

    def input(self, name: str, sort: Sort) -> Node:
        """A new input."""
        self._inputs += 1
        return self.made(Leaf.INPUT, (), f"{name}#{self._inputs}", sort)

    def app(self, op: Op, args: tuple[Node, ...], indices: tuple[int, ...] = ()) -> Node:
        """An operator applied to arguments, simplified."""
        if op is Op.EQ and args[0] is args[1]:
            return self.true
        if all(a.op is Leaf.LITERAL for a in args):
            if op is Op.EQ and len(args) == 2:
                return self.false  # each value has one literal
            folded = self._folded(op, args, indices)
            if folded is not None:
                return folded
        rule = self._rules.get(op)
        # Rules make other terms in turn; terms may be nested deeper than Python's stack.
        if rule is not None and self._depth < _DEEPEST:
            self._depth += 1
            try:
                simpler = rule(self, args, indices)
            finally:
                self._depth -= 1
            if simpler is not None:
                return simpler
        shared = self._by_cases(op, args, indices)
        if shared is not None:
            return shared
        return self.made(op, args, indices, result_sort(op, [a.sort for a in args], indices))

    def not_(self, a: Node) -> Node:
        return self.app(Op.NOT, (a,))

    def and_(self, a: Node, b: Node) -> Node:
        return self.app(Op.AND, (a, b))

    def or_(self, a: Node, b: Node) -> Node:
        return self.app(Op.OR, (a, b))

    def eq(self, a: Node, b: Node) -> Node:
        return self.app(Op.EQ, (a, b))

    def ite(self, condition: Node, then: Node, otherwise: Node) -> Node:
        return self.app(Op.ITE, (condition, then, otherwise))

    def _by_cases(self, op: Op, args: tuple[Node, ...], indices: tuple[int, ...]) -> Node | None:
        """An operator on choices between literals as a choice between what it gives, if they are few."""
        if op is Op.ITE or not args or not all(a.leaves for a in args):
            return None
        choices = [a for a in args if a.leaves > 1]
        condition = choices[0].args[0] if choices else self.true
        others = math.prod(a.leaves for a in choices if a.args[0] is not condition)
        if not choices or (others > 1 and others * max(a.leaves for a in choices) > _MOST_CASES):
            return None

        def case(n: int) -> Node:
            return self.app(
                op, tuple([a.args[n] if a.leaves > 1 and a.args[0] is condition else a for a in args]), indices
            )

        return self.ite(condition, case(1), case(2))

    def _folded(self, op: Op, args: tuple[Node, ...], indices: tuple[int, ...]) -> Node | None:
        """The value of an operator on literals; None if that is not known."""
        sorts = tuple([a.sort for a in args])
        key = (op, indices, sorts)
        if key not in self._folding:
            self._folding[key] = _operation(op, indices, sorts)
        function = self._folding[key]
        if function is None:
            return None
        try:
            value = function(self._world, tuple([a.data for a in args]))  # type: ignore[misc]
        except Undecided:
            return None
        if not isinstance(value, bool | int | Fraction | str):
            return None
        return self.literal(value, result_sort(op, sorts, indices))


class _Exact(World):
    """A world that knows only what SMT-LIB fixes."""

    def division_by_zero(self, op: str, numerator: int | Fraction) -> int:
        raise Undecided("a division by zero")

    def unspecified(self, op: str, args: object, params: Sequence[Type], type_: Type) -> int:
        raise Undecided(op)


def _type(sort: Sort) -> Type | None:
    match sort:
        case BitVecSort(width):
            return Bv(width)
        case FloatSort(exponent, significand):
            return Float(significand, exponent)
        case _:
            basic: dict[Sort, Type] = {BOOL: BOOL_TYPE, INT: INT_TYPE, ROUNDING_MODE: RMODE}
            return basic.get(sort)


def _operation(op: Op, indices: tuple[int, ...], sorts: tuple[Sort, ...]) -> Operation | None:
    """What computes an operator on values; None if it is to be left to the solver."""
    types, result = [_type(s) for s in sorts], _type(result_sort(op, sorts, indices))
    if op is Op.ITE or result is None or None in types:
        return None
    known = [t for t in types if t is not None]
    numbers = bitvectors.function(op.value, indices, known, result)
    if numbers is not None and not any(isinstance(t, Float) for t in (*known, result)):
        return lambda _, args: numbers(*args)
    text = f"(_ {op.value} {' '.join(map(str, indices))})" if indices else op.value
    try:
        return operation(text, known, result)
    except Undecided:
        return None


__all__ = ["FULL", "Algebra", "Leaf", "Literal", "Node", "Rule", "Span"]
