"""Hints from a path: they are followed where they fit, in order, and the run goes its own way elsewhere."""

from __future__ import annotations

from paddock.ir.expr import Scope, Var
from paddock.ir.types import INT
from paddock.trace.hints import HintedOracle, Hints
from paddock.trace.oracle import Why

X = Var("x", INT, Scope.LOCAL)


def test_hints_are_given_in_order_and_the_last_target_without_one() -> None:
    hints = Hints()
    hints.choice("P", "head", "body")
    hints.choice("P", "head", "elsewhere")
    oracle = HintedOracle(hints, lambda _: 7)
    assert [oracle.choose("P", "head", ("body", "done")) for _ in range(3)] == ["body", "done", "done"]
    assert oracle.choose("Q", "head", ("body", "done")) == "done"


def test_values_belong_to_a_procedure_a_variable_and_a_reason() -> None:
    hints = Hints()
    hints.value("P", "x", Why.HAVOC, 0)
    hints.value("P", "x", Why.HAVOC, None)  # nothing is known of it
    hints.value("P", "x", Why.HAVOC, 3)
    oracle = HintedOracle(hints, lambda _: 7)
    assert oracle.value("P", X, Why.UNINITIALISED) == 7
    assert [oracle.value("P", X, Why.HAVOC) for _ in range(3)] == [0, 3, 7]
