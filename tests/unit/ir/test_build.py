"""The constructors work out types and build what they are asked for."""

from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.ir.build import (
    FALSE,
    TRUE,
    and_,
    arith,
    binder,
    bv_lit,
    compare,
    implies,
    int_lit,
    ite,
    ne,
    neg,
    old,
    or_,
    real_lit,
    select,
    store,
)
from paddock.ir.expr import App, Expr, Lit, Op, Quantifier, Scope, Var
from paddock.ir.types import BOOL, INT, REAL, Bv, Map

P, Q, R = (Var(name, BOOL, Scope.LOCAL) for name in "pqr")
I = Var("i", INT, Scope.LOCAL)  # noqa: E741
M = Var("m", Map((INT, BOOL), REAL), Scope.LOCAL)
X = Var("x", INT, Scope.BOUND)


def test_negative_numbers_are_negated_literals() -> None:
    assert int_lit(-5) is neg(Lit(5, INT))
    assert int_lit(0) is Lit(0, INT)
    assert real_lit(Fraction(-1, 2)) is neg(Lit(Fraction(1, 2), REAL))


def test_reals_without_finite_decimals_are_quotients() -> None:
    assert str(real_lit(Fraction(1, 3))) == "1.0 / 3.0"
    assert str(real_lit(Fraction(7, 40))) == "0.175"


def test_bit_vectors_wrap_around() -> None:
    assert bv_lit(-1, 8) is Lit(255, Bv(8))
    assert bv_lit(256, 8) is Lit(0, Bv(8))


def test_chains_nest_to_the_left_and_have_units() -> None:
    assert and_(P, Q, R) is App(Op.AND, (App(Op.AND, (P, Q), BOOL), R), BOOL)
    assert or_(P, Q, R) is App(Op.OR, (App(Op.OR, (P, Q), BOOL), R), BOOL)
    assert (and_(), or_(), and_(P), or_(P)) == (TRUE, FALSE, P, P)


@pytest.mark.parametrize(
    ("expr", "type_"),
    [
        (implies(P, Q), BOOL),
        (compare(Op.LE, I, I), BOOL),
        (ne(M, M), BOOL),
        (arith(Op.ADD, I, I), INT),
        (arith(Op.RDIV, I, I), REAL),
        (arith(Op.RDIV, real_lit(Fraction(1)), real_lit(Fraction(2))), REAL),
        (ite(P, I, I), INT),
        (select(M, I, P), REAL),
        (store(M, [I, P], real_lit(Fraction(1))), M.type),
        (old(M), M.type),
        (binder(Quantifier.FORALL, [X], TRUE), BOOL),
        (binder(Quantifier.LAMBDA, [X], real_lit(Fraction(1))), Map((INT,), REAL)),
    ],
    ids=str,
)
def test_types(expr: Expr, type_: object) -> None:
    assert expr.type is type_
