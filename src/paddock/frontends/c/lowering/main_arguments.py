"""The arguments of `main`: `argc` strings in objects of their own, an array of pointers to them, and a null pointer
behind the last one (C11 5.1.2.2.1).

A string has any content up to its end, which is at most `LONGEST - 1` bytes away; there is at least one, the name of
the program, and at most `MOST`.
"""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import choice, equal
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.objects import Objects
from paddock.frontends.c.memory import Cell, Memory, Mode
from paddock.frontends.c.memory_ranges import changed, filled, within, zero_entry
from paddock.frontends.c.pointsto_classes import Classes
from paddock.frontends.c.show import Note, Watch
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.frozen import frozen
from paddock.ir.build import FALSE, TRUE, select
from paddock.ir.expr import Expr, Var

LONGEST = 4096  # bytes of a string, with the zero at its end
MOST = 1 << 16


@frozen
class MainArguments:
    """Brings the arguments of `main` to life."""

    blocks: Blocks
    objects: Objects
    numbers: Numbers
    memory: Memory
    pointsto: Classes

    def begin(self, parameter: t.Variable, argc: Var, argv: Var) -> None:
        """The arguments come to life; `parameter` is `argv`, and the values are what is passed."""
        numbers, addresses = self.numbers, self.numbers.addresses
        self.blocks.assume(numbers.compare(B.GREATER_EQUAL, argc, numbers.literal(1, c.INT), c.INT))
        self.blocks.assume(numbers.compare(B.LESS_EQUAL, argc, numbers.literal(MOST, c.INT), c.INT))
        pointers = self.pointsto.pointee(self.pointsto.variable(parameter))
        cell = self.memory.cell(pointers)
        if cell is None or cell.mode is not Mode.TYPED:
            return
        count = numbers.convert(argc, c.INT, numbers.address_type)
        one_more = addresses.moved(count, 1)
        array = self.blocks.locals.temporary(addresses.type, "argv")
        size = self._times(one_more, numbers.model.pointer_size)
        self.objects.allocate(array, size, heap=False, name="argv", shown=c.ArrayType(c.PointerType(c.CHAR), None))
        self.blocks.assume(equal(argv, array))
        # The strings lie behind each other, as far apart as objects do.
        stride = max(self.objects.space.spacing, LONGEST)
        strings, length = self._strings(count, stride)
        self._point(cell, array, count, strings, stride)
        characters = self.memory.cell(self.pointsto.pointee(pointers))
        if characters is not None and characters.size == 1:
            self._end(characters, strings, length, stride)
        if self.objects.settings.tracks_objects:
            known = (self.objects.size, numbers.address(LONGEST)), (self.objects.live, TRUE), (self.objects.heap, FALSE)
            for map_, entry in known:
                self.blocks.assign(map_, filled(map_, strings, length, entry, numbers))

    def _times(self, count: Expr, size: int) -> Expr:
        return self.numbers.addresses.times(count, self.numbers.address(size))

    def _strings(self, count: Expr, stride: int) -> tuple[Var, Expr]:
        """Where the strings start that come to life, and the bytes that they take."""
        addresses, top = self.numbers.addresses, self.objects.globals.top
        strings = self.blocks.locals.temporary(addresses.type, "strings")
        length = self._times(count, stride)
        end = addresses.plus(top, length)
        type_ = c.ArrayType(c.ArrayType(c.CHAR, stride), None)
        shown = Watch("argv", top, type_, ((length, self.numbers.address_type),))
        self.blocks.assign(strings, top, self.objects.presentation.add(Note("allocate", watches=(shown,))))
        self.objects.move_top(end)
        return strings, length

    def _point(self, cell: Cell, array: Expr, count: Expr, strings: Expr, stride: int) -> None:
        """The elements of the array point to the strings, and the last one nowhere."""
        addresses, size = self.numbers.addresses, self.numbers.model.pointer_size

        def pointer(at: Expr) -> Expr:
            number = addresses.divided(addresses.minus(at, array), addresses.literal(size))
            string = addresses.plus(strings, self._times(number, stride))
            inside = within(at, array, self._times(count, size), self.numbers)
            return choice(inside, string, addresses.literal(0))

        length = self._times(addresses.moved(count, 1), size)
        self.blocks.assign(cell.map, changed(cell.map, array, length, pointer, self.numbers))

    def _end(self, characters: Cell, strings: Expr, length: Expr, stride: int) -> None:
        """Each string ends."""
        addresses, map_, zero = self.numbers.addresses, characters.map, zero_entry(characters, self.numbers)

        def character(at: Expr) -> Expr:
            offset = addresses.remainder(addresses.minus(at, strings), addresses.literal(stride))
            return choice(equal(offset, addresses.literal(LONGEST - 1)), zero, select(map_, at))

        self.blocks.assign(map_, changed(map_, strings, length, character, self.numbers))
