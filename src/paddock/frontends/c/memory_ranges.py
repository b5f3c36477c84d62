"""Whole stretches of memory at once: zeroed, copied, made arbitrary.

    memset(p, 0, n)        mem := (lambda a: bv64 :: if a - p < n then 0 else mem[a])

A lambda says in one term what a loop would say in as many steps as there are bytes.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import choice, conjunction
from paddock.frontends.c.memory import Cell, Mode
from paddock.frontends.c.types import BYTE, BoolType, FloatType
from paddock.ir.build import binder, bv_lit, select
from paddock.ir.expr import Expr, Quantifier, Scope, Var
from paddock.ir.types import INT, Type


def zero_entry(cell: Cell, numbers: Numbers) -> Expr:
    """The entry of a map that stands for bytes that are all zero."""
    if cell.mode is Mode.TYPED:
        return numbers.zero(cell.type)
    return bv_lit(0, cell.size * BYTE)


def within(address: Expr, start: Expr, size: Expr, numbers: Numbers) -> Expr:
    """Whether an address lies in a stretch."""
    if address.type is INT:
        end = numbers.addresses.plus(start, size)
        below = numbers.addresses.less(address, end)
        return conjunction(numbers.addresses.at_most(start, address), below)
    # One comparison does: what lies before the start is as far behind it as can be.
    return numbers.addresses.less(numbers.addresses.minus(address, start), size)


def changed(map_: Expr, start: Expr, size: Expr, entry: Callable[[Expr], Expr], numbers: Numbers) -> Expr:
    """The map with other entries in a stretch; `entry` gives them by address."""
    bound = bound_address(numbers.type(numbers.address_type))
    inside = within(bound, start, size, numbers)
    return binder(Quantifier.LAMBDA, [bound], choice(inside, entry(bound), select(map_, bound)))


def filled(map_: Expr, start: Expr, size: Expr, entry: Expr, numbers: Numbers) -> Expr:
    """The map with one entry everywhere in a stretch."""
    return changed(map_, start, size, lambda _: entry, numbers)


def copied(map_: Expr, to: Expr, source: Expr, size: Expr, numbers: Numbers) -> Expr:
    """The map after a stretch of it has been copied to another place."""

    def entry(address: Expr) -> Expr:
        offset = numbers.addresses.minus(address, to)
        return select(map_, numbers.addresses.plus(source, offset))

    return changed(map_, to, size, entry, numbers)


def repeated_byte(byte: Expr, cell: Cell, numbers: Numbers) -> Expr:
    """The entry of a map that stands for bytes that are all the same (one is given as a bit-vector)."""
    width = cell.size * BYTE
    if cell.mode is Mode.TYPED and not isinstance(cell.type, BoolType | FloatType):
        width = numbers.width(cell.type)
    bits = byte
    for _ in range(1, -(-(cell.low + width) // BYTE)):
        bits = numbers.terms.concat(byte, bits)
    bits = numbers.terms.extract(bits, cell.low, width)
    return numbers.of_bits(bits, cell.type) if cell.mode is Mode.TYPED else bits


def bound_address(type_: Type) -> Var:
    return Var("a.0", type_, Scope.BOUND)
