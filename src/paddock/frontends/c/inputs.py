"""What an execution gets from outside, as terms: what arguments of the first function point to, what functions without
a body return and write. A harness feeds these values back to a compiled program.
"""

from __future__ import annotations

from paddock.frontends.c import types as c
from paddock.frontends.c.lower_places import MemoryPlace
from paddock.frontends.c.lower_values import Values
from paddock.frontends.c.pointsto_classes import MemoryClass
from paddock.frontends.c.show import Reached
from paddock.ir.expr import Expr

DEEPEST = 3  # pointers on the way to what is told
MOST_SCALARS = 256
ELEMENTS = 16  # of an array of scalars of unknown length


class Inputs(Values):
    """Finds out what pointers from outside reach."""

    def reached(
        self, pointer: Expr, node: MemoryClass, target: c.CType, depth: int = DEEPEST, argument: int | None = None
    ) -> list[Reached]:
        """The scalars that can be reached from a pointer to a type, over some more pointers."""
        found: list[Reached] = []
        stack = [(pointer, node, target, depth)]
        while stack and len(found) < MOST_SCALARS:
            start, node, type_, depth = stack.pop(0)
            if isinstance(type_, c.VoidType | c.FunctionType | c.UnsupportedType) or not self._has_size(type_):
                continue
            size = self.layout.size(type_)
            for n in range(ELEMENTS if c.is_scalar(type_) and argument is None else 1):
                place = MemoryPlace(self.numbers.addresses.moved(start, n * size), node, type_)
                for leaf, part in self.few_scalars(place) or ():
                    assert isinstance(part, MemoryPlace)
                    if part.field is not None:
                        continue
                    cell = self.memory.cell(part.node)
                    assert cell is not None
                    value = self.memory.load(cell, part.address, part.type)
                    found.append(Reached(start, part.address, leaf.type, value, argument))
                    if depth > 1 and isinstance(leaf.type, c.PointerType):
                        stack.append((value, self.pointsto.pointee(part.node), leaf.type.target, depth - 1))
        return found[:MOST_SCALARS]

    def _has_size(self, type_: c.CType) -> bool:
        try:
            return self.layout.size(type_) > 0
        except ValueError:
            return False
