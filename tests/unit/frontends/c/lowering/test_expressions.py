"""Expressions of small trees, each kind by the service that knows it."""

from __future__ import annotations

import pytest

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.bitvectors import BitVectors
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import Terms
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.demand import OnDemand
from paddock.frontends.c.lowering.expressions import Expressions, Handlers
from paddock.frontends.c.lowering.locals import Locals
from paddock.frontends.c.lowering.marks import Marks
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.steps import Steps, run
from paddock.frontends.c.show import Presentation
from paddock.ir.build import int_lit
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.printer import expr_text
from paddock.ir.types import BOOL, INT
from tests.unit.frontends.c.lowering.trees import (
    AT,
    address,
    assign,
    binary,
    element,
    evaluate,
    increment,
    number,
    read,
    small,
    truth,
    variable,
)

COUNT = Var("count", INT, Scope.GLOBAL)


class Alone:
    """`&&`, `||` and `?:` without any other service: operands are variables, and calls that count."""

    def __init__(self) -> None:
        self.blocks = Blocks(Locals(()))
        self.blocks.open("start")
        marks = Marks(self.blocks)
        numbers = Numbers(c.LP64, BitVectors(Terms()))
        notes = Notes(self.blocks, marks, Presentation(t.Unit(c.LP64).layout, {}))
        self.expressions = Expressions(marks, numbers)
        self.expressions.register(Handlers(scalars={t.VariableUse: self._variable, t.Call: self._call}))
        self.expressions.register(OnDemand(self.expressions, self.blocks, marks, notes, numbers).handlers())

    def _variable(self, node: t.VariableUse) -> Steps[Expr]:
        return Var(node.variable.name, BOOL, Scope.LOCAL)
        yield

    def _call(self, node: t.Call) -> Steps[Expr]:
        self.blocks.assign(COUNT, int_lit(1))
        return Var("called", BOOL, Scope.LOCAL)
        yield


def operand(name: str) -> t.Expression:
    return t.VariableUse(c.BOOL, AT, variable(name, c.BOOL))


CALL = t.Call(c.BOOL, AT, t.FunctionUse(c.VOID, AT, "f"), ())


@pytest.mark.parametrize(("conjunction", "text"), [(True, "a && b"), (False, "a || b")])
def test_an_operand_that_does_nothing_costs_no_branch(conjunction: bool, text: str) -> None:
    alone = Alone()
    node = t.Logical(c.BOOL, AT, conjunction, operand("a"), operand("b"))
    assert expr_text(run(alone.expressions.value(node))) == text
    assert len(alone.blocks.made) == 1


def test_an_operand_that_does_something_is_evaluated_on_demand() -> None:
    alone = Alone()
    node = t.Logical(c.BOOL, AT, True, operand("a"), CALL)
    assert expr_text(run(alone.expressions.value(node))) == "and.1"
    assert [block.label for block in alone.blocks.made] == ["start", "demanded.0", "skipped.0", "join.0"]


def test_a_choice_is_a_term_unless_one_of_its_sides_does_something() -> None:
    alone = Alone()
    pure = t.Conditional(c.BOOL, AT, operand("a"), operand("b"), operand("d"))
    assert expr_text(run(alone.expressions.value(pure))) == "(if a then b else d)"
    busy = t.Conditional(c.BOOL, AT, operand("a"), CALL, operand("d"))
    assert expr_text(run(alone.expressions.value(busy))) == "chosen.1"
    assert len(alone.blocks.made) == 4


def test_operators_and_conversions() -> None:
    x = variable("x")
    low = small()
    assert low.value(binary(read(x), "+", number(3))) == "bvadd.bv32.bv32(x, 3bv32)"
    assert low.value(binary(number(2), "*", number(3))) == "6bv32"
    wide = t.Conversion(c.LONG_LONG, AT, t.ConversionKind.INTEGRAL, read(x))
    assert low.value(wide) == "sign_extend.bv32.bv64(x)"
    assert low.value(truth(read(x))) == "x != 0bv32"
    assert low.emitted == ["start:"]


def test_what_a_later_operand_changes_is_saved() -> None:
    x = variable("x")
    low = small()
    assert low.value(binary(read(x), "+", increment(x))) == "bvadd.bv32.bv32(t.1, old.1)"
    assert low.emitted == ["start:", "t.1 := x;", "old.1 := x;", "x := bvadd.bv32.bv32(old.1, 1bv32);"]


def test_an_assignment_is_worth_what_is_assigned() -> None:
    x, y = variable("x"), variable("y")
    low = small()
    assert low.value(assign(x, assign(y, number(1)))) == "x"
    assert low.emitted == ["start:", "y := 1bv32;", "x := y;"]


def test_elements_of_a_plain_array_are_entries_of_a_map() -> None:
    a, i = variable("a", c.ArrayType(c.INT, 4)), variable("i")
    low = small()
    assert low.value(read(element(a, read(i)))) == "a[sign_extend.bv32.bv64(i)]"
    low.value(assign(element(a, number(2)), number(7)))
    assert low.emitted[-1] == "a := a[2bv64 := 7bv32];"


def test_a_variable_whose_address_is_taken_lies_in_memory() -> None:
    x, p = variable("x"), variable("p", c.PointerType(c.INT))
    there = t.Dereference(c.INT, AT, read(p))
    low = small(t.Declare(AT, x, None), evaluate(assign(p, address(x))), evaluate(assign(there, number(5))))
    assert low.value(address(x)) == "4096bv64"
    low.value(assign(x, number(1)))
    assert low.emitted[-1] == "mem#x := mem#x[4096bv64 := 1bv32];"


def test_checks_are_emitted_if_they_are_asked_for() -> None:
    x = variable("x")
    division = binary(number(1), "/", read(x))
    asked, silent = small(checks="div-by-zero"), small()
    asked.value(division)
    silent.value(division)
    assert len(asked.emitted) == 2 and "division by zero in 1 / x" in asked.emitted[1]
    assert silent.emitted == ["start:"]


def test_a_long_chain_does_not_deepen_the_stack() -> None:
    x = variable("x")
    node = read(x)
    for _ in range(5000):
        node = binary(node, "^", number(1))
    low = small()
    run(low.low.expressions.value(node))
