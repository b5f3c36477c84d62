"""The content of whole objects: zero, arbitrary, or the few scalars that anything reads or writes in them."""

from __future__ import annotations

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.lowering.access import Access
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.context import leaf_type
from paddock.frontends.c.lowering.places import MemoryPlace, Place, Places, PlainPlace
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.memory import Cell, Memory, Mode
from paddock.frontends.c.memory_leaves import Leaf, Leaves
from paddock.frontends.c.memory_ranges import changed, zero_entry
from paddock.frontends.c.pointsto_classes import Classes
from paddock.frozen import frozen, replace
from paddock.ir.build import select
from paddock.ir.expr import Expr
from paddock.ir.types import Map

FEW_SCALARS = 16  # an object with more is filled by one term for each of its maps


@frozen
class Contents:
    """Fills objects."""

    blocks: Blocks
    access: Access
    places: Places
    variables: Variables
    numbers: Numbers
    memory: Memory
    leaves: Leaves
    pointsto: Classes

    def make_arbitrary(self, place: MemoryPlace) -> None:
        """An object in memory has any content."""
        scalars = self._filling_scalars(place)
        for leaf, part in scalars or ():
            self.access.store(part, self.variables.arbitrary(leaf.type))
        if scalars is None:
            for cell in self.memory.cells_below(place.node):
                fresh = self.blocks.locals.temporary(cell.map.type, "any")
                self.blocks.havoc(fresh)
                self._fill(place, cell, fresh)

    def make_zero(self, place: Place) -> None:
        """An object is all zero."""
        if isinstance(place, PlainPlace):
            for leaf in self.leaves.of(place.type):
                self.access.store_leaf(place, leaf, self._zero(leaf))
            return
        scalars = self._filling_scalars(place)
        for leaf, part in scalars or ():
            self.access.store(part, self.numbers.zero(leaf.type))
        if scalars is None:
            for cell in self.memory.cells_below(place.node):
                self._fill(place, cell, zero_entry(cell, self.numbers))

    def _zero(self, leaf: Leaf) -> Expr:
        """What a plain variable for a leaf holds when it is all zero."""
        zero, type_ = self.numbers.zero(leaf.type), leaf_type(leaf, self.numbers)
        return self.numbers.terms.functions.constant_map(zero, type_) if isinstance(type_, Map) else zero

    def _fill(self, place: MemoryPlace, cell: Cell, source: Expr) -> None:
        """Give the entries of a map that belong to an object those of another map, or one value."""

        def filler(address: Expr) -> Expr:
            return select(source, address) if isinstance(source.type, Map) else source

        new = changed(cell.map, place.address, self.places.size_of(place.type), filler, self.numbers)
        self.blocks.assign(cell.map, new)

    def is_copied_by_leaves(self, place: MemoryPlace) -> bool:
        """Whether an object is copied one scalar after the other: it has few, and all are ones that something
        accesses."""
        scalars = self._filling_scalars(place)
        return scalars is not None and len(scalars) == sum(leaf.count or 0 for leaf in self.leaves.of(place.type))

    def _filling_scalars(self, place: MemoryPlace) -> list[tuple[Leaf, MemoryPlace]] | None:
        """The scalars of an object if they are few, and all that can be seen of it: no padding is read as bytes."""
        return None if self._shows_padding(place) else self.few_scalars(place)

    def _shows_padding(self, place: MemoryPlace) -> bool:
        if not any(cell.mode is Mode.BYTES or cell.node.collapsed for cell in self.memory.cells_below(place.node)):
            return False
        layout, held = self.pointsto.layout, 0
        for leaf in self.leaves.of(place.type):
            bits = self.numbers.width(leaf.type) if leaf.is_bit_field else layout.size(leaf.type) * c.BYTE
            held += (leaf.count or 0) * bits
        return held < (layout.known_size(place.type) or 0) * c.BYTE

    def few_scalars(self, place: MemoryPlace) -> list[tuple[Leaf, MemoryPlace]] | None:
        """The scalars of an object that anything reads or writes, one by one; None if there are too many."""
        leaves = self.leaves.of(place.type)
        if sum(FEW_SCALARS + 1 if leaf.count is None else leaf.count for leaf in leaves) > FEW_SCALARS:
            return None
        scalars: list[tuple[Leaf, MemoryPlace]] = []
        cells: set[Cell] = set()
        for leaf in leaves:
            node = self.pointsto.members.leaf(place.node, leaf)
            cell = self.memory.cell(node) if node is not None else None
            if node is None or (cell is not None and not self._fits(cell, leaf)):
                return None
            if cell is not None:
                cells.add(cell)
                part = self.places.leaf(place, leaf)
                assert isinstance(part, MemoryPlace)
                for n in range(leaf.count or 0):
                    address = self.places.leaf_address(part.address, leaf.dimensions, self.numbers.address(n))
                    scalars.append((leaf, replace(part, address=address)))
        if not cells.issuperset(self.memory.cells_below(place.node)):
            return None
        return scalars

    def _fits(self, cell: Cell, leaf: Leaf) -> bool:
        """Whether the values of a leaf are entries of a map, or bytes."""
        steps = (leaf.offset, *(dimension.stride for dimension in leaf.dimensions))
        return self.memory.holds(cell, leaf.type) and all(step % cell.size == 0 for step in steps)
