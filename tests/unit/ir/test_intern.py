"""Terms are hash-consed: one object per meaning, gone when nothing needs it."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref
from dataclasses import FrozenInstanceError, replace

import pytest

from paddock.ir.build import FALSE, TRUE, and_, eq, int_lit
from paddock.ir.expr import App, Expr, Fn, Lit, Op, Scope, Var
from paddock.ir.types import BOOL, INT, Bv, Map, Named

X = Var("x", INT, Scope.LOCAL)


def test_terms_built_alike_are_one_object() -> None:
    assert Map((INT, Bv(8)), BOOL) is Map((INT, Bv(8)), BOOL)
    assert eq(X, int_lit(3)) is App(Op.EQ, (Var("x", INT, Scope.LOCAL), Lit(3, INT)), BOOL)


def test_named_arguments_do_not_matter() -> None:
    assert Var(name="x", type=INT, scope=Scope.LOCAL) is X
    assert Var("x", scope=Scope.LOCAL, type=INT) is X


@pytest.mark.parametrize(
    "other",
    [
        Var("y", INT, Scope.LOCAL),
        Var("x", BOOL, Scope.LOCAL),
        Var("x", INT, Scope.GLOBAL),
        Named("x", ()),
        Fn("x"),
    ],
)
def test_terms_that_differ_are_different(other: object) -> None:
    assert other is not X
    assert other != X


def test_true_and_one_are_different_literals() -> None:
    assert Lit(True, BOOL) is TRUE
    assert Lit(1, INT) is not TRUE


def test_terms_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        X.name = "y"  # type: ignore[misc]


def test_copies_are_the_term_itself() -> None:
    term = and_(eq(X, int_lit(1)), TRUE)
    assert copy.copy(term) is term
    assert copy.deepcopy(term) is term
    assert pickle.loads(pickle.dumps(term)) is term
    assert replace(X, name="y") is Var("y", INT, Scope.LOCAL)


def test_unused_terms_are_forgotten() -> None:
    term = and_(Var("only here", BOOL, Scope.LOCAL), FALSE)
    ghost = weakref.ref(term)
    del term
    gc.collect()
    assert ghost() is None


def test_threads_agree_on_terms() -> None:
    start = threading.Barrier(8)
    found: list[list[Expr]] = []

    def build() -> None:
        start.wait()
        found.append([Var(f"shared{n}", INT, Scope.LOCAL) for n in range(2000)])

    threads = [threading.Thread(target=build) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(a is b for terms in found for a, b in zip(terms, found[0], strict=True))
