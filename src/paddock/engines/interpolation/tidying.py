"""Comparisons of sums as a person writes them: `-3 + r + -2 * x >= 0` is `r >= 2 * x + 3`."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from paddock.ir.build import arith, compare, int_lit, not_
from paddock.ir.expr import App, Expr, Lit, Op
from paddock.ir.types import INT, Float

MOST_STEPS = 200

_TURNED = {Op.LT: Op.GT, Op.LE: Op.GE, Op.GT: Op.LT, Op.GE: Op.LE, Op.EQ: Op.EQ, Op.NE: Op.NE}


_OPPOSITE: Mapping[object, Op] = {Op.EQ: Op.NE, Op.NE: Op.EQ, Op.LT: Op.GE, Op.GE: Op.LT, Op.GT: Op.LE, Op.LE: Op.GT}


def negated(atom: Expr) -> Expr:
    """The negation of a condition, without a negation where a comparison has an opposite."""
    match atom:
        case App(Op() as op, (left, right)) if op in _OPPOSITE and not isinstance(left.type, Float):
            return compare(_OPPOSITE[op], left, right)
        case _:
            return not_(atom)


def tidy(op: Op, left: Expr, right: Expr) -> Expr:
    """A comparison of two integers, in which each of what is added up is on the side where it is positive."""
    counted = _difference(left, right)
    if counted is None:
        return compare(op, left, right)
    terms, constant = counted
    divisor = gcd(*terms.values())
    if divisor > 1 and constant % divisor == 0:
        terms, constant = {term: n // divisor for term, n in terms.items()}, constant // divisor
    if next(iter(terms.values()), 1) < 0:  # what comes first stays on the left
        terms, constant, op = {term: -n for term, n in terms.items()}, -constant, _TURNED[op]
    more = _sum({term: n for term, n in terms.items() if n > 0}, 0)
    less = {term: -n for term, n in terms.items() if n < 0}
    if less and constant > 0:
        return compare(op, arith(Op.ADD, more, int_lit(constant)), _sum(less, 0))
    return compare(op, more, _sum(less, -constant))


def _difference(left: Expr, right: Expr) -> tuple[dict[Expr, int], int] | None:
    """What stands on two sides as one sum of multiples and a constant; None if it is not of integers."""
    terms: dict[Expr, int] = {}
    constant = steps = 0
    stack = [(right, -1), (left, 1)]
    while stack:
        node, factor = stack.pop()
        steps += 1
        if node.type is not INT or steps > MOST_STEPS:
            return None
        match node:
            case Lit(int(value)):
                constant += factor * value
            case App(Op.NEG, (part,)):
                stack.append((part, -factor))
            case App(Op.ADD, (a, b)):
                stack += [(b, factor), (a, factor)]
            case App(Op.SUB, (a, b)):
                stack += [(b, -factor), (a, factor)]
            case App(Op.MUL, (a, b)) if (number := _number(a)) is not None:
                stack.append((b, factor * number))
            case App(Op.MUL, (a, b)) if (number := _number(b)) is not None:
                stack.append((a, factor * number))
            case _:
                terms[node] = terms.get(node, 0) + factor
    return {term: n for term, n in terms.items() if n}, constant


def _number(expr: Expr) -> int | None:
    match expr:
        case Lit(int(value)) if expr.type is INT:
            return value
        case App(Op.NEG, (Lit(int(value)),)) if expr.type is INT:
            return -value
        case _:
            return None


def _sum(terms: Mapping[Expr, int], constant: int) -> Expr:
    found: Expr | None = None
    for term, n in terms.items():
        part = term if n == 1 else arith(Op.MUL, int_lit(n), term)
        found = part if found is None else arith(Op.ADD, found, part)
    if found is None:
        return int_lit(constant)
    if constant == 0:
        return found
    return arith(Op.ADD if constant > 0 else Op.SUB, found, int_lit(abs(constant)))
