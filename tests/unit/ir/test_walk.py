"""Traversal: children and rebuild agree, walks are iterative, substitution never captures."""

from __future__ import annotations

import pytest

from paddock.ir.build import FALSE, TRUE, and_, arith, binder, eq, int_lit, ite, not_, old, select, store
from paddock.ir.expr import App, Attribute, Binder, Expr, Let, Op, Quantifier, Scope, Trigger, Var
from paddock.ir.types import BOOL, INT, Map
from paddock.ir.walk import children, map_attributes, rebuild, rewrite, substitute, subterms, variables

A, B = (Var(name, INT, Scope.LOCAL) for name in "ab")
X, Y = (Var(name, INT, Scope.BOUND) for name in "xy")
G = Var("g", INT, Scope.GLOBAL)
M = Var("m", Map((INT,), INT), Scope.LOCAL)
ONE = int_lit(1)

WITH_EVERYTHING = Binder(
    Quantifier.FORALL,
    (X, Y),
    ((Attribute("on_x", (A,)),), (Attribute("on_y", ("text",)),)),
    (Attribute("weight", (ONE, "text", B)),),
    (Trigger((select(M, X), select(M, Y))), Trigger((select(M, G),), False)),
    eq(X, Y),
    BOOL,
)
LET = Let((X, Y), (A, B), (Attribute("note", (X,)),), eq(X, Y), BOOL)
EXPRESSIONS = [A, ONE, eq(A, ONE), ite(TRUE, A, B), store(M, [A], B), WITH_EVERYTHING, LET]


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_rebuilding_with_the_same_children_changes_nothing(expr: Expr) -> None:
    assert rebuild(expr, children(expr)) is expr


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_rebuild_puts_every_child_in_its_place(expr: Expr) -> None:
    new = tuple(old(child) for child in children(expr))
    assert children(rebuild(expr, new)) == new


def test_children_of_a_binder_include_attributes_and_triggers() -> None:
    assert children(WITH_EVERYTHING) == (A, ONE, B, select(M, X), select(M, Y), select(M, G), eq(X, Y))


def test_attributes_keep_their_texts() -> None:
    attributes = (Attribute("a", ("text", A)), Attribute("b"))
    assert map_attributes(attributes, old) == (Attribute("a", ("text", old(A))), Attribute("b"))


def test_subterms_come_once_and_parents_first() -> None:
    shared = eq(A, ONE)
    terms = list(subterms([and_(shared, shared), shared]))
    assert sorted(map(str, terms)) == ["1", "a", "a == 1", "a == 1 && a == 1"]
    assert terms.index(shared) < terms.index(A)


def test_variables_leave_bound_ones_out() -> None:
    assert variables(WITH_EVERYTHING, G) == {A, B, M, G}


def test_rewrite_works_bottom_up() -> None:
    def negate_twice(e: Expr) -> Expr:
        return e.args[0].args[0] if _is_not(e) and _is_not(e.args[0]) else e  # type: ignore[attr-defined]

    def _is_not(e: Expr) -> bool:
        return isinstance(e, App) and e.op is Op.NOT

    b = Var("b", BOOL, Scope.LOCAL)
    assert rewrite(not_(not_(not_(not_(b)))), negate_twice) is b


def test_rewrite_shares_a_memo_among_roots() -> None:
    seen: list[Expr] = []

    def note(e: Expr) -> Expr:
        seen.append(e)
        return e

    memo: dict[Expr, Expr] = {}
    rewrite(eq(A, ONE), note, memo)
    rewrite(and_(eq(A, ONE), TRUE), note, memo)
    assert seen.count(A) == 1


def test_deep_terms_do_not_overflow() -> None:
    p, q = (Var(name, BOOL, Scope.LOCAL) for name in "pq")
    deep = and_(*[p] * 5_000)
    assert variables(deep) == {p}
    assert variables(substitute(deep, {p: q})) == {q}
    assert rewrite(deep, lambda e: e) is deep


def test_shared_terms_are_walked_once() -> None:
    # As a tree this term has 2**200 leaves.
    term: Expr = A
    for _ in range(200):
        term = arith(Op.ADD, term, term)
    assert len(list(subterms([term]))) == 201
    assert variables(substitute(term, {A: B})) == {B}


def test_substitution_is_simultaneous() -> None:
    assert substitute(eq(A, B), {A: B, B: A}) is eq(B, A)
    assert substitute(eq(A, B), {}) is eq(A, B)


def test_substitution_respects_shadowing() -> None:
    inner = binder(Quantifier.EXISTS, [X], eq(X, ONE))
    assert substitute(and_(eq(X, ONE), inner), {X: A}) is and_(eq(A, ONE), inner)


def test_substitution_renames_a_binder_that_would_capture() -> None:
    body = binder(Quantifier.FORALL, [X], eq(X, A), [Trigger((select(M, X),))])
    renamed = Var("x#1", INT, Scope.BOUND)
    expected = binder(
        Quantifier.FORALL, [renamed], eq(renamed, arith(Op.ADD, X, ONE)), [Trigger((select(M, renamed),))]
    )
    assert substitute(body, {A: arith(Op.ADD, X, ONE)}) is expected


def test_substitution_avoids_names_that_the_binder_already_uses() -> None:
    taken = Var("x#1", INT, Scope.BOUND)
    inner = binder(Quantifier.FORALL, [X, taken], and_(eq(X, taken), eq(A, ONE)))
    result = substitute(inner, {A: X})
    assert isinstance(result, Binder)
    assert result.vars == (Var("x#2", INT, Scope.BOUND), taken)


def test_substitution_renames_where_printing_would_capture() -> None:
    local_x = Var("x", INT, Scope.LOCAL)
    result = substitute(binder(Quantifier.FORALL, [X], eq(X, A)), {A: local_x})
    assert str(result) == "(forall x#1: int :: x#1 == x)"


def test_the_values_of_a_let_do_not_see_its_variables() -> None:
    let = Let((X,), (eq(X, ONE),), (), X, BOOL)
    result = substitute(let, {X: A})
    assert isinstance(result, Let)
    assert (result.values, result.body) == ((eq(A, ONE),), X)


def test_substitution_reaches_attributes_and_triggers() -> None:
    result = substitute(WITH_EVERYTHING, {A: G, B: ONE, M: store(M, [ONE], ONE)})
    assert variables(result) == {G, M}
    assert FALSE not in set(subterms([result]))
