"""What an execution gets from outside: which addresses pointers from there may be, and what they reach, as terms.

Arguments of the first function come from outside, and what functions without a body return and write. A harness feeds
these values back to a compiled program.
"""

from __future__ import annotations

from collections.abc import Iterable

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.contents import Contents
from paddock.frontends.c.lowering.context import GlobalVariables
from paddock.frontends.c.lowering.outside import OutsidePointers
from paddock.frontends.c.lowering.places import MemoryPlace
from paddock.frontends.c.memory import Memory
from paddock.frontends.c.memory_leaves import Leaf
from paddock.frontends.c.pointsto_classes import Classes, MemoryClass
from paddock.frontends.c.show import Reached
from paddock.frozen import frozen
from paddock.ir.expr import Expr

DEEPEST = 3  # pointers on the way to what is shown
MOST_SCALARS = 256
ELEMENTS = 16  # of an array of scalars of unknown length


@frozen
class Inputs:
    """Says where pointers from outside may point, and finds out what they reach."""

    blocks: Blocks
    contents: Contents
    numbers: Numbers
    memory: Memory
    pointsto: Classes
    globals: GlobalVariables
    outside: OutsidePointers | None

    def pointer(self, pointer: Expr, class_: MemoryClass, type_: c.CType, *, at_start: bool = False) -> None:
        """A pointer to a class, of a type, comes from outside."""
        outside = self.outside
        if outside is not None and isinstance(type_, c.PointerType):
            needs_top = not at_start and outside.pointsto.family(class_) in outside.made_at_run_time
            top = self.globals.top if needs_top else None
            self.blocks.assume(outside.may_be(pointer, class_, type_.target, at_start=at_start, top=top))

    def pointers(
        self, class_: MemoryClass, leaves: Iterable[Leaf], held: Iterable[Expr], *, at_start: bool = False
    ) -> None:
        """What is held by the leaves of an object of a class comes from outside."""
        for leaf, value in zip(leaves, held, strict=True):
            place = self.pointsto.members.leaf(class_, leaf) if isinstance(leaf.type, c.PointerType) else None
            if place is not None and not leaf.dimensions:
                self.pointer(value, self.pointsto.pointee(place), leaf.type, at_start=at_start)

    def reached(
        self, pointer: Expr, node: MemoryClass, target: c.CType, depth: int = DEEPEST, argument: int | None = None
    ) -> list[Reached]:
        """The scalars that can be reached from a pointer to a type, over some more pointers."""
        found: list[Reached] = []
        stack = [(pointer, node, target, depth)]
        while stack and len(found) < MOST_SCALARS:
            start, node, type_, depth = stack.pop(0)
            if isinstance(type_, c.VoidType | c.FunctionType | c.UnsupportedType):
                continue
            size = self.pointsto.layout.known_size(type_)
            if not size:
                continue
            for n in range(ELEMENTS if c.is_scalar(type_) and argument is None else 1):
                place = MemoryPlace(self.numbers.addresses.moved(start, n * size), node, type_)
                for leaf, part in self.contents.few_scalars(place) or ():
                    if part.field is not None:
                        continue
                    cell = self.memory.cell(part.node)
                    assert cell is not None
                    value = self.memory.load(cell, part.address, part.type)
                    found.append(Reached(start, part.address, leaf.type, value, argument))
                    if depth > 1 and isinstance(leaf.type, c.PointerType):
                        stack.append((value, self.pointsto.pointee(part.node), leaf.type.target, depth - 1))
        return found[:MOST_SCALARS]
