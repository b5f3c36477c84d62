"""C's operators on integers, in both forms that terms for them have, against arithmetic done by Python."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction

import pytest

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.bitvectors import BitVectors
from paddock.frontends.c.arithmetic.integers import Integers, limits, wrapped
from paddock.frontends.c.arithmetic.mathematical import Mathematical
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import Terms
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.expr import Expr, Lit, Scope, Var
from paddock.ir.program import Program
from paddock.trace.evaluate import evaluate
from paddock.trace.values import Env
from paddock.trace.world import World

SIGNED, UNSIGNED = c.SIGNED_CHAR, c.UNSIGNED_CHAR
FORMS = (BitVectors, Mathematical)


def _towards_zero(a: int, b: int) -> int:
    return int(Fraction(a, b))


EXACT: dict[B, Callable[[int, int], int]] = {
    B.ADD: operator.add,
    B.SUBTRACT: operator.sub,
    B.MULTIPLY: operator.mul,
    B.DIVIDE: _towards_zero,
    B.REMAINDER: lambda a, b: a - b * _towards_zero(a, b),
    B.AND: operator.and_,
    B.OR: operator.or_,
    B.XOR: operator.xor,
}
RELATIONS = {B.LESS: operator.lt, B.LESS_EQUAL: operator.le, B.GREATER: operator.gt, B.GREATER_EQUAL: operator.ge}


def samples(type_: c.IntType) -> list[int]:
    low, high = limits(type_)
    return sorted({low, low + 1, -1 if type_.signed else 2, 0, 1, 3, high - 1, high})


def value(term: Expr, integers: Integers, type_: c.IntType, **known: int) -> int | bool:
    """The value of a term, as a number of the type."""
    functions = integers.terms.functions.declared
    env = Env(
        locals={name: number % 256 if isinstance(integers, BitVectors) else number for name, number in known.items()}
    )
    found = evaluate(term, env, World(Program(functions=functions)))
    assert isinstance(found, int)
    return found if isinstance(found, bool) else wrapped(found, type_)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("type_", [SIGNED, UNSIGNED], ids=str)
def test_operators(form: type[Integers], type_: c.IntType) -> None:
    integers = form(Terms())
    x, y = (Var(name, integers.type(type_.width), Scope.LOCAL) for name in "xy")
    for op, exact in EXACT.items():
        for a in samples(type_):
            for b in samples(type_):
                if b == 0 and op in (B.DIVIDE, B.REMAINDER):
                    continue
                wanted = exact(a, b)
                fits = limits(type_)[0] <= wanted <= limits(type_)[1]
                if op not in (B.AND, B.OR, B.XOR, B.REMAINDER):
                    holds = integers.does_not_overflow(op, x, y, type_)
                    assert value(holds, integers, type_, x=a, y=b) is fits, (op, a, b)
                if fits or not type_.signed or form is BitVectors:
                    assert value(integers.binary(op, x, y, type_), integers, type_, x=a, y=b) == wrapped(wanted, type_)
                    assert _constant(integers, op, a, b, type_) == wrapped(wanted, type_), (op, a, b)


def _constant(integers: Integers, op: B, a: int, b: int, type_: c.IntType) -> int | bool:
    """An operator on two literals."""
    term = integers.binary(op, integers.literal(a, type_), integers.literal(b, type_), type_)
    return value(term, integers, type_)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("type_", [SIGNED, UNSIGNED], ids=str)
def test_relations(form: type[Integers], type_: c.IntType) -> None:
    integers = form(Terms())
    x, y = (Var(name, integers.type(type_.width), Scope.LOCAL) for name in "xy")
    for op, relation in RELATIONS.items():
        for a in samples(type_):
            for b in samples(type_):
                assert value(integers.compare(op, x, y, type_), integers, type_, x=a, y=b) is relation(a, b)
                constants = integers.compare(op, integers.literal(a, type_), integers.literal(b, type_), type_)
                assert constants is Lit(relation(a, b), constants.type)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("source", [SIGNED, UNSIGNED], ids=str)
@pytest.mark.parametrize("target", [SIGNED, UNSIGNED, c.SHORT, c.UNSIGNED_SHORT], ids=str)
def test_conversions_wrap_around(form: type[Integers], source: c.IntType, target: c.IntType) -> None:
    integers = form(Terms())
    x = Var("x", integers.type(source.width), Scope.LOCAL)
    for a in samples(source):
        assert value(integers.convert(x, source, target), integers, target, x=a) == wrapped(a, target)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("type_", [SIGNED, UNSIGNED], ids=str)
def test_bits_and_back(form: type[Integers], type_: c.IntType) -> None:
    integers = form(Terms())
    x = Var("x", integers.type(type_.width), Scope.LOCAL)
    for a in samples(type_):
        assert value(integers.of_bits(integers.bits(x, type_), type_), integers, type_, x=a) == a
        assert value(integers.complement(x, type_), integers, type_, x=a) == wrapped(~a, type_)


@pytest.mark.parametrize("form", FORMS)
def test_addresses(form: type[Integers]) -> None:
    numbers = Numbers(c.LP64, form(Terms()))
    addresses = numbers.addresses
    start, four = addresses.literal(4096), addresses.literal(4)
    assert addresses.moved(start, 8) is addresses.literal(4104)
    assert addresses.element(start, numbers.offset(numbers.literal(-2, c.INT), c.INT), four) is addresses.literal(4088)
    assert addresses.element(start, four, four, backwards=True) is addresses.literal(4080)
    p = Var("p", addresses.type, Scope.LOCAL)
    down = addresses.rounded_down(p, 16)
    world = World(Program(functions=numbers.terms.functions.declared))
    assert evaluate(down, Env(locals={"p": 4111}), world) == 4096


@pytest.mark.parametrize("form", FORMS)
def test_an_integer_as_a_float_is_the_nearest_one(form: type[Integers]) -> None:
    numbers = Numbers(c.LP64, form(Terms()))
    odd = numbers.literal((1 << 24) + 1, c.INT)
    assert numbers.convert(odd, c.INT, c.FLOAT) is numbers.floats.literal(Fraction(1 << 24), c.FLOAT)
    assert numbers.convert(numbers.literal(-1, c.INT), c.INT, c.FLOAT) is numbers.floats.literal(Fraction(-1), c.FLOAT)
