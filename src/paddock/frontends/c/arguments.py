"""The arguments of `main`: `argc` strings in objects of their own, an array of pointers to them, and a null pointer
behind the last one (C11 5.1.2.2.1).

A string has any content up to its end, which is at most `LONGEST - 1` bytes away; there is at least one, the name of
the program, and at most `MOST`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import choice, equal
from paddock.frontends.c.memory import Mode
from paddock.frontends.c.memory_ranges import changed, filled, within, zero_entry
from paddock.frontends.c.show import Note, Watch
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import FALSE, TRUE, select
from paddock.ir.expr import Expr, Var

if TYPE_CHECKING:
    from paddock.frontends.c.lower_functions import FunctionLowering

LONGEST = 4096  # bytes of a string, with the zero at its end
MOST = 1 << 16


def has_arguments(function: t.Function) -> bool:
    """Whether a function is `main(int argc, char **argv, …)`."""
    match [parameter.type for parameter in function.parameters]:
        case [c.IntType() as count, c.PointerType(c.PointerType()), *_]:
            return function.name == "main" and count is c.INT
        case _:
            return False


def begin_arguments(low: FunctionLowering, parameter: t.Variable, argc: Var, argv: Var) -> None:
    """Bring the arguments of `main` to life; `parameter` is `argv`, and the values are what is passed."""
    numbers, blocks, type_ = low.numbers, low.blocks, low.numbers.address_type

    def times(count: Expr, size: int) -> Expr:
        return numbers.addresses.times(count, numbers.address(size))

    def minus(a: Expr, b: Expr) -> Expr:
        return numbers.addresses.minus(a, b)

    low.assume(numbers.compare(B.GREATER_EQUAL, argc, numbers.literal(1, c.INT), c.INT))
    low.assume(numbers.compare(B.LESS_EQUAL, argc, numbers.literal(MOST, c.INT), c.INT))
    pointers = low.pointsto.pointee(low.pointsto.variable(parameter))
    cell = low.memory.cell(pointers)
    if cell is None or cell.mode is not Mode.TYPED:
        return
    size = low.layout.model.pointer_size
    count = numbers.convert(argc, c.INT, type_)
    one_more = numbers.addresses.plus(count, numbers.address(1))
    array = blocks.temporary(low.memory.address_type, "argv")
    low.allocate(array, times(one_more, size), heap=False, name="argv", shown=c.ArrayType(c.PointerType(c.CHAR), None))
    low.assume(equal(argv, array))

    # The strings lie behind each other, as far apart as objects do.
    stride = max(low.memory.spacing, LONGEST)
    strings, top = blocks.temporary(low.memory.address_type, "strings"), low.shared.top
    length = times(count, stride)
    end = numbers.addresses.plus(top, length)
    shown = Watch("argv", top, c.ArrayType(c.ArrayType(c.CHAR, stride), None), ((length, type_),))
    blocks.assign(strings, top, low.shared.presentation.add(Note("allocate", watches=(shown,))))
    low.move_top(end)

    def pointer(at: Expr) -> Expr:
        number = numbers.addresses.divided(minus(at, array), numbers.address(size))
        string = numbers.addresses.plus(strings, times(number, stride))
        return choice(within(at, array, times(count, size), numbers), string, numbers.address(0))

    blocks.assign(cell.map, changed(cell.map, array, times(one_more, size), pointer, numbers))
    characters = low.memory.cell(low.pointsto.pointee(pointers))
    if characters is not None and characters.size == 1:
        map_, zero, last = characters.map, zero_entry(characters, numbers), numbers.address(LONGEST - 1)

        def character(at: Expr) -> Expr:
            offset = numbers.addresses.remainder(minus(at, strings), numbers.address(stride))
            return choice(equal(offset, last), zero, select(map_, at))

        blocks.assign(map_, changed(map_, strings, length, character, numbers))
    if low.settings.tracks_objects:
        for known, entry in (
            (low.object_size, numbers.address(LONGEST)),
            (low.object_live, TRUE),
            (low.object_heap, FALSE),
        ):
            blocks.assign(known, filled(known, strings, length, entry, numbers))
