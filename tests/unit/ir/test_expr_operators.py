"""Boogie's operators as Python's."""

from __future__ import annotations

import pytest

from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.types import BOOL, INT, Map

x, y = Var("x", INT, Scope.LOCAL), Var("y", INT, Scope.LOCAL)
b = Var("b", BOOL, Scope.LOCAL)
m = Var("m", Map((INT, INT), BOOL), Scope.GLOBAL)


@pytest.mark.parametrize(
    ("built", "text"),
    [
        (x + 1, "x + 1"),
        (1 + x, "1 + x"),
        (x - y, "x - y"),
        (2 - x, "2 - x"),
        (x * y // 3 % 4, "x * y div 3 mod 4"),
        (3 * x, "3 * x"),
        (-x + -2, "-x + -2"),
        (x < y, "x < y"),
        ((x <= 1) & (y > 2) | (y >= x), "x <= 1 && y > 2 || y >= x"),
        (~b, "!b"),
        (b.implies(x.equals(y)), "b ==> x == y"),
        (x.differs(3), "x != 3"),
        (b.equals(True), "b == true"),
        (m[x, 2], "m[x, 2]"),
    ],
)
def test_what_is_built(built: Expr, text: str) -> None:
    assert str(built).replace("(", "").replace(")", "") == text


def test_equality_is_identity_and_elements_are_those_of_maps() -> None:
    assert (x + 1) == (x + 1)
    assert (x + 1) is (x + 1)
    with pytest.raises(TypeError, match="x is no map"):
        x[1]
    with pytest.raises(TypeError, match="no elements"):
        list(m)
