"""What the pass `facts` learns from a condition that holds: steps that narrow down what is known.

A condition is taken apart into relations between variables and values. Where one of several things holds,
what is learnt is what all of them that are possible have in common.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from paddock.analysis.facts.expressions import Expressions, Meaning, evaluate, is_small, is_static
from paddock.analysis.facts.state import State, Step, all_done, join
from paddock.analysis.facts.values import (
    INFINITY,
    NONZERO,
    ZERO,
    Interval,
    Value,
    add,
    at_most,
    constant,
    equal,
    is_constant,
    known,
)
from paddock.frozen import frozen
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import App, Expr, Lit, Op, Var
from paddock.ir.types import BOOL, INT

_Literal = tuple[Expr, bool]  # an expression, and whether it holds or its negation does

_EQUALITIES = (Op.EQ, Op.NE, Op.IFF)
_ORDERS = (Op.LT, Op.LE, Op.GT, Op.GE)


class Conditions:
    """The steps for a program's conditions."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._steps: dict[Expr, list[Step]] = {}
        self.bounds: set[float] = set()  # the numbers that variables are compared with

    def steps(self, condition: Expr) -> list[Step]:
        """What to do where a condition holds."""
        if condition not in self._steps:
            steps: list[Step] = []
            for expr, holds in _flattened((condition, True), _conjuncts):
                expr = self._expressions.unfolded(expr)
                if is_small(expr):
                    steps += self._learning((expr, holds))
            self._steps[condition] = steps
        return self._steps[condition]

    def _learning(self, small: _Literal) -> list[Step]:
        return [step for expr, holds in _flattened(small, _conjuncts) for step in self._relation(expr, holds)]

    def _relation(self, expr: Expr, holds: bool) -> list[Step]:
        """The steps for a small expression that is no conjunction."""
        if isinstance(expr, App):
            op = expr.op
            if op in _EQUALITIES:
                related = self._same if (op is not Op.NE) is holds else self._different
                return related(self._side(expr.args[0]), self._side(expr.args[1]))
            if op in _ORDERS and expr.args[0].type is INT:
                # a < b is a + 1 <= b, and the negation of b <= a.
                gap = 1 if (op is Op.LT or op is Op.GT) is holds else 0
                low, high = expr.args if (op is Op.LT or op is Op.LE) is holds else reversed(expr.args)
                return self._ordered(self._side(low), self._side(high), gap)
            if op in (Op.AND, Op.OR, Op.IMPLIES):
                return self._one_of((expr, holds))
        meaning = self._expressions.meaning(expr)
        if isinstance(meaning, Var):
            return [(State.restrict, meaning, TRUE if holds else FALSE)]
        excluded = FALSE if holds else TRUE
        return [] if is_static(meaning) and meaning is not excluded else [(_is_not, meaning, excluded)]

    def _side(self, expr: Expr) -> _Side:
        meaning = self._expressions.meaning(expr)
        if isinstance(meaning, Var):
            return _Side(meaning, 0, meaning)
        match expr:
            case App(Op.ADD | Op.SUB as op, (a, b)) if expr.type is INT:
                var, summand = self._expressions.meaning(a), self._expressions.meaning(b)
                if isinstance(var, Var) and isinstance(summand, Interval) and summand.is_constant:
                    return _Side(var, int(summand.lo) if op is Op.ADD else -int(summand.lo), meaning)
        return _Side(None, 0, meaning)

    # --- relations -------------------------------------------------------------------------------

    def _same(self, a: _Side, b: _Side) -> list[Step]:
        for side, other in ((a, b), (b, a)):
            if side.var is not None and isinstance(other.meaning, Interval | Lit):
                return self._restricting(side, other.meaning)
        if a.var is not None and b.var is not None and a.offset == b.offset:
            return [(State.equate, a.var, b.var)]
        return [(_are_same, a, b)] if a.is_known and b.is_known else []

    def _different(self, a: _Side, b: _Side) -> list[Step]:
        for side, other in ((a, b), (b, a)):
            if side.var is not None and isinstance(other.meaning, Interval | Lit) and is_constant(other.meaning):
                excluded = side.value_of_variable(other.meaning)
                if excluded == ZERO:
                    return [(State.restrict, side.var, NONZERO)]
                return [] if excluded is None else [(State.exclude, side.var, excluded)]
        return [(_are_different, a, b)] if a.is_known and b.is_known else []

    def _ordered(self, a: _Side, b: _Side, gap: int) -> list[Step]:
        """a + gap <= b."""
        if a.var is not None and isinstance(b.meaning, Interval):
            return self._restricting(a, Interval(-INFINITY, b.meaning.hi - gap))
        if b.var is not None and isinstance(a.meaning, Interval):
            return self._restricting(b, Interval(a.meaning.lo + gap, INFINITY))
        return [(_are_ordered, (a, b), gap)] if a.is_known and b.is_known else []

    def _restricting(self, side: _Side, value: Value) -> list[Step]:
        """The variable of a side is such that the side has this value."""
        allowed = side.value_of_variable(value)
        if isinstance(allowed, Interval):
            self.bounds.update(bound for bound in (allowed.lo, allowed.hi) if abs(bound) != INFINITY)
        return [] if allowed is None else [(State.restrict, side.var, allowed)]

    def _one_of(self, disjunction: _Literal) -> list[Step]:
        ways = [self._learning(part) for part in _flattened(disjunction, _disjuncts)]
        # Where nothing is learnt from one of them, nothing is learnt from all.
        return [(_learn_one_of, ways, None)] if all(ways) else []


@frozen
class _Side:
    """One side of a relation: `var + offset` where it has that form, and its meaning."""

    var: Var | None
    offset: int
    meaning: Meaning

    @property
    def is_known(self) -> bool:
        """Whether anything can be known about it."""
        return self.meaning is not None

    def value(self, state: State) -> Value | None:
        return evaluate(self.meaning, state)

    def value_of_variable(self, value: Value) -> Value | None:
        """What the variable is if the side has this value; None if it can be anything."""
        if isinstance(value, Lit):
            return value
        return known(value) if self.offset == 0 else add(value, constant(-self.offset))

    def restrict(self, state: State, value: Value | None) -> bool:
        allowed = None if self.var is None or value is None else self.value_of_variable(value)
        return self.var is None or allowed is None or state.restrict(self.var, allowed)

    def exclude(self, state: State, value: Value | None) -> bool:
        excluded = None if self.var is None or value is None else self.value_of_variable(value)
        return self.var is None or not is_constant(excluded) or state.exclude(self.var, excluded)

    def distance(self, other: _Side, state: State) -> int | None:
        """By how much the other is larger, where both are about equal variables."""
        if self.var is None or other.var is None or not state.are_equal(self.var, other.var):
            return None
        return other.offset - self.offset


# --- steps -----------------------------------------------------------------------------------------


def _is_not(state: State, meaning: Meaning, excluded: Lit) -> bool:
    return evaluate(meaning, state) is not excluded


def _are_same(state: State, a: _Side, b: _Side) -> bool:
    one, other = a.value(state), b.value(state)
    return equal(one, other) is not FALSE and a.restrict(state, other) and b.restrict(state, one)


def _are_different(state: State, a: _Side, b: _Side) -> bool:
    one, other = a.value(state), b.value(state)
    if equal(one, other) is TRUE or a.distance(b, state) == 0:
        return False
    return a.exclude(state, other) and b.exclude(state, one)


def _are_ordered(state: State, sides: tuple[_Side, _Side], gap: int) -> bool:
    a, b = sides
    low, high = add(a.value(state), constant(gap)), b.value(state)
    distance = a.distance(b, state)
    if at_most(low, high) is FALSE or (distance is not None and distance < gap):
        return False
    if isinstance(low, Interval) and not b.restrict(state, Interval(low.lo, INFINITY)):
        return False
    return not isinstance(high, Interval) or a.restrict(state, Interval(-INFINITY, high.hi - gap))


def _learn_one_of(state: State, ways: list[list[Step]], _: None) -> bool:
    possible = []
    for steps in ways:
        way = state.copy()
        if all_done(steps, way):
            possible.append(way)
    if not possible:
        return False
    common = reduce(join, possible)
    state.values, state.classes = common.values, common.classes
    return True


# --- taking conditions apart -----------------------------------------------------------------------


def _flattened(root: _Literal, parts_of: Callable[[_Literal], list[_Literal] | None]) -> list[_Literal]:
    """The parts of the parts of … a conjunction or disjunction, in order, each once."""
    parts = parts_of(root)
    if parts is None:
        return [root]
    leaves: list[_Literal] = []
    stack = parts[::-1]
    seen = set(parts)
    while stack:
        literal = stack.pop()
        parts = parts_of(literal)
        if parts is None:
            leaves.append(literal)
            continue
        fresh = [part for part in parts if part not in seen]
        seen.update(fresh)
        stack += reversed(fresh)
    return leaves


def _conjuncts(literal: _Literal) -> list[_Literal] | None:
    """The parts of a conjunction, or of what is one in other words; None if it is none."""
    expr, holds = literal
    if not isinstance(expr, App):
        return [] if expr is (TRUE if holds else FALSE) else None
    op, args = expr.op, expr.args
    if op is Op.NOT:
        return [(args[0], not holds)]
    if (op is Op.AND and holds) or (op is Op.OR and not holds):
        return [(args[0], holds), (args[1], holds)]
    if op is Op.IMPLIES and not holds:
        return [(args[0], True), (args[1], False)]
    if op in _EQUALITIES and args[0].type is BOOL:
        for side, other in ((args[0], args[1]), (args[1], args[0])):
            if isinstance(side, Lit):
                return [(other, ((side is TRUE) is (op is not Op.NE)) is holds)]
    return None


def _disjuncts(literal: _Literal) -> list[_Literal] | None:
    parts = _conjuncts((literal[0], not literal[1]))
    return None if parts is None else [(expr, not holds) for expr, holds in parts]
