"""Constructors for expressions that work out the type. They build just what is asked for: no simplifying."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from paddock.ir.expr import App, Attributes, Binder, Expr, Lit, Op, Quantifier, Trigger, Var
from paddock.ir.types import BOOL, INT, REAL, Bv, Map

TRUE = Lit(True, BOOL)
FALSE = Lit(False, BOOL)


def int_lit(value: int) -> Expr:
    """An integer; a negative one is a negated literal, as in Boogie."""
    return Lit(value, INT) if value >= 0 else neg(Lit(-value, INT))


def real_lit(value: Fraction) -> Expr:
    """A real with a finite decimal expansion, or a quotient of two such."""
    if value < 0:
        return neg(real_lit(-value))
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest == 1:
        return Lit(value, REAL)
    numerator, denominator = Lit(Fraction(value.numerator), REAL), Lit(Fraction(value.denominator), REAL)
    return App(Op.RDIV, (numerator, denominator), REAL)


def bv_lit(value: int, width: int) -> Lit:
    return Lit(value % (1 << width), Bv(width))


def not_(e: Expr) -> Expr:
    return App(Op.NOT, (e,), BOOL)


def neg(e: Expr) -> Expr:
    return App(Op.NEG, (e,), e.type)


def _chain(op: Op, parts: Sequence[Expr], unit: Expr) -> Expr:
    if not parts:
        return unit
    result = parts[0]
    for part in parts[1:]:
        result = App(op, (result, part), BOOL)
    return result


def and_(*conjuncts: Expr) -> Expr:
    """The conjunction, nested to the left; `true` for none."""
    return _chain(Op.AND, conjuncts, TRUE)


def or_(*disjuncts: Expr) -> Expr:
    """The disjunction, nested to the left; `false` for none."""
    return _chain(Op.OR, disjuncts, FALSE)


def implies(a: Expr, b: Expr) -> Expr:
    return App(Op.IMPLIES, (a, b), BOOL)


def compare(op: Op, a: Expr, b: Expr) -> Expr:
    """A relation: `==`, `!=`, `<`, `<=`, `>`, `>=` or `<==>`."""
    return App(op, (a, b), BOOL)


def eq(a: Expr, b: Expr) -> Expr:
    return App(Op.EQ, (a, b), BOOL)


def ne(a: Expr, b: Expr) -> Expr:
    return App(Op.NE, (a, b), BOOL)


def arith(op: Op, a: Expr, b: Expr) -> Expr:
    """`+`, `-`, `*`, `div`, `mod`, `/` or `**`; integers divided by `/` give a real."""
    return App(op, (a, b), REAL if op is Op.RDIV and a.type is INT else a.type)


def ite(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    return App(Op.ITE, (condition, then, otherwise), then.type)


def select(map_: Expr, *indices: Expr) -> Expr:
    assert isinstance(map_.type, Map)
    return App(Op.SELECT, (map_, *indices), map_.type.range)


def store(map_: Expr, indices: Sequence[Expr], value: Expr) -> Expr:
    return App(Op.STORE, (map_, *indices, value), map_.type)


def old(e: Expr) -> Expr:
    return App(Op.OLD, (e,), e.type)


def binder(
    kind: Quantifier,
    vars_: Sequence[Var],
    body: Expr,
    triggers: Sequence[Trigger] = (),
    attributes: Attributes = (),
) -> Expr:
    """A quantifier or lambda whose variables have no attributes."""
    variables = tuple(vars_)
    type_ = Map(tuple(v.type for v in variables), body.type) if kind is Quantifier.LAMBDA else BOOL
    return Binder(kind, variables, ((),) * len(variables), attributes, tuple(triggers), body, type_)
