"""Pointers that are moved: the check `pointer-overflow`."""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import conjunction, disjunction, equal, negation
from paddock.frontends.c.lowering.objects import Objects
from paddock.frontends.c.text import expression_text
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import select
from paddock.ir.expr import Expr

NAME = "pointer-overflow"


def check_moved(objects: Objects, pointer: Expr, moved: Expr, by: tuple[Expr, Expr], node: t.Expression) -> None:
    """A pointer moves by so many elements of a size: inside of the object that it points into, or just behind it. Null
    may stay where it is."""
    if NAME not in objects.settings.checks:
        return
    numbers, addresses = objects.numbers, objects.numbers.addresses
    start, text, null = objects.start(pointer), expression_text(node), objects.numbers.address(0)
    not_null = disjunction(negation(equal(start, null)), equal(moved, pointer))
    objects.checks.check(f"null {NAME}", not_null, f"null pointer moves in {text}", node.origin)
    signed = numbers.model.difference_type
    count, size = (numbers.convert(factor, numbers.address_type, signed) for factor in by)
    fits = numbers.integers.does_not_overflow(B.MULTIPLY, count, size, signed)
    inside = addresses.at_most(addresses.minus(moved, start), select(objects.size, start))
    stays = disjunction(equal(start, null), conjunction(fits, inside))
    objects.checks.check(NAME, stays, f"{text} is outside of its object", node.origin)


def check_index(objects: Objects, array: c.CType, number: Expr, node: t.Index) -> None:
    """An index is that of an element of an array, or just behind the last one."""
    length = array.length if isinstance(array, c.ArrayType) else None
    if length is None or NAME not in objects.settings.checks:
        return
    addresses = objects.numbers.addresses
    inside = addresses.at_most(objects.numbers.offset(number, node.index.type), addresses.literal(length))
    objects.checks.check(NAME, inside, f"{expression_text(node)} is outside of its array", node.origin)
