"""Objects of small trees: their first values, what they hold, and calls that change them."""

from __future__ import annotations

import pytest

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.lowering.places import MemoryPlace, PlainPlace
from paddock.ir.origin import InputError
from tests.unit.frontends.c.lowering.trees import (
    AT,
    address,
    assign,
    binary,
    evaluate,
    number,
    read,
    small,
    truth,
    use,
    variable,
)

X = variable("x")
POINTER = c.PointerType(c.INT)


def call(name: str, *arguments: t.Expression, result: c.CType = c.VOID) -> t.Call:
    return t.Call(result, AT, t.FunctionUse(c.FunctionType(result, (), False, False), AT, name), arguments)


def test_a_plain_array_is_zero_where_its_initialiser_says_nothing() -> None:
    array = variable("a", c.ArrayType(c.INT, 3))
    low = small()
    first = t.Initialiser((t.InitialiserItem((1,), number(5)),))
    low.done(low.low.initialisers.declare(array, first))
    assert low.emitted == ["start:", "a := constant.bv32.bv64.to.bv32(0bv32);", "a := a[1bv64 := 5bv32];"]


def test_an_object_without_an_initialiser_has_any_content() -> None:
    low = small()
    low.done(low.low.initialisers.declare(X, None))
    assert low.emitted == ["start:", "havoc x;"]


def test_an_allocated_object_is_as_far_from_the_next_as_its_size_says() -> None:
    program = small()
    low = program.low
    target = low.blocks.locals.temporary(low.numbers.addresses.type, "p")
    low.objects.allocate(target, low.numbers.address(20), heap=True)
    assert program.emitted[1] == "p.1 := memory#top;"
    assert program.emitted[-1] == "memory#top := bvadd.bv64.bv64(memory#top, 32bv64);"


def test_a_place_is_a_variable_or_an_address() -> None:
    y, p = variable("y"), variable("p", POINTER)
    low = small(t.Declare(AT, y, None), evaluate(assign(p, address(y)))).low
    assert isinstance(low.places.variable(X), PlainPlace)
    there = low.places.variable(y)
    assert isinstance(there, MemoryPlace) and there.is_variable


def test_a_place_is_kept_as_it_was() -> None:
    p = variable("p", POINTER)
    there = t.Dereference(c.INT, AT, read(p))
    low = small(evaluate(assign(there, number(1))))
    (held,) = low.low.variables.plain_variable(p).variables.values()
    place = MemoryPlace(held, low.low.pointsto.target(there.pointer), c.INT)
    mark = low.low.marks.mark()
    assert low.low.places.keep(place, mark) == place
    low.low.blocks.put(held, low.low.numbers.address(16))
    assert low.low.places.keep(place, mark) != place
    assert low.emitted == ["start:", "t.1 := p;", "p := 16bv64;"]


def test_a_function_without_a_body_may_change_what_its_argument_points_to() -> None:
    pass_x = evaluate(call("missing", address(X)))
    low = small(t.Declare(AT, X, None), pass_x, evaluate(assign(X, number(1))))
    low.done(low.low.statements.run(pass_x))
    assert low.emitted == ["start:", "call missing();"]
    declared = low.low.context.bodiless.procedures["missing"]
    assert [var.name for var in declared.modifies] == ["mem#x"]
    (warning,) = low.low.context.messages.warnings
    assert "the function missing has no body" in warning.message


def test_a_model_stands_in_for_a_function_of_the_library() -> None:
    low = small()
    assert low.done(low.low.expressions.value(call("abs", read(X), result=c.INT))) == (
        "(if bvslt.bv32.bv32(x, 0bv32) then bvneg.bv32(x) else x)"
    )


def test_quantifiers_go_through_all_values() -> None:
    i = variable("i")
    bounded = t.Logical(
        c.INT,
        AT,
        False,
        truth(binary(read(i), ">=", number(2))),
        truth(binary(read(i), "!=", read(X))),
    )
    natural = t.Logical(c.INT, AT, False, truth(binary(read(i), "<", number(0))), truth(bounded))
    low = small()
    text = low.value(t.Quantified(c.BOOL, AT, True, i, truth(natural)))
    assert text == "x != 0bv32 && x != 1bv32"


def test_what_is_not_supported_is_refused_or_may_do_anything() -> None:
    node = t.UnsupportedExpression(c.INT, AT, "a riddle", (use(X),))
    refusing, permissive = small(), small(unsupported="havoc")
    with pytest.raises(InputError, match="a riddle is not supported"):
        refusing.value(node)
    permissive.value(assign(X, number(1)))
    permissive.value(node)
    assert permissive.emitted[2:] == ["call anything#unsupported();", "havoc x;", "havoc any.1;"]
