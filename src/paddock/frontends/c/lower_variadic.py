"""Functions with a variable number of arguments.

The arguments behind the last parameter are passed as the address of a new object, one slot for each. A `va_list` holds
the address of the next slot: it is a pointer, or a struct with a pointer, depending on the target.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.inputs import Inputs
from paddock.frontends.c.lower_blocks import Steps
from paddock.frontends.c.lower_places import MemoryPlace
from paddock.frontends.c.pointsto import VARIADIC_SLOT
from paddock.frontends.c.pointsto_tree import list_member
from paddock.ir.expr import Expr, Var


class Variadic(Inputs):
    """The lowering of variable arguments."""

    variadic_pointer: Var | None = None  # the parameter of this function that points to the first slot

    def variadic_block(self, function: t.Function, arguments: Sequence[tuple[t.Expression, tuple[Expr, ...]]]) -> Expr:
        """The address of a new object with the arguments behind the last parameter."""
        if not arguments:
            return self.numbers.address(0)
        node = self.pointsto.variadic(function)
        sizes = [_slots(self.layout.size(argument.type)) for argument, _ in arguments]
        block = self.blocks.temporary(self.memory.address_type, "arguments")
        self.allocate(block, self.numbers.address(sum(sizes)), heap=False)
        offset = 0
        for (argument, held), size in zip(arguments, sizes, strict=True):
            if not isinstance(argument.type, c.VoidType):
                self.store_all(MemoryPlace(self.numbers.addresses.moved(block, offset), node, argument.type), held)
            offset += size
        return block

    def list_position(self, list_: t.Expression) -> Steps[MemoryPlace]:
        """The place in a list of arguments where the address of the next slot is."""
        pointer: Expr = yield self.value(list_)
        assert isinstance(list_.type, c.PointerType)
        place = MemoryPlace(pointer, self.pointsto.target(list_), list_.type.target)
        member = list_member(list_.type.target, self.layout)
        if member is None:
            return place
        record, field = member
        part = self.member(place, record, field)
        assert isinstance(part, MemoryPlace)
        return part

    def variadic_argument(self, node: t.VariadicArgument) -> Steps[tuple[Expr, ...]]:
        position: MemoryPlace = yield self.list_position(node.list)
        slot = self.load(position)
        saved = self.blocks.temporary(slot.type, "slot")
        self.blocks.assign(saved, slot)
        self.store(position, self.numbers.addresses.moved(saved, _slots(self.layout.size(node.type))))
        target = self.pointsto.pointee(position.node)
        return self.load_all(MemoryPlace(saved, target, node.type))

    def start_list(self, list_: t.Expression) -> Steps[None]:
        """`va_start`."""
        position: MemoryPlace = yield self.list_position(list_)
        if self.variadic_pointer is None:
            raise self.shared.refuse("va_start in a function without variable arguments", list_.origin)
        self.store(position, self.variadic_pointer)

    def copy_list(self, to: t.Expression, source: t.Expression) -> Steps[None]:
        """`va_copy`."""
        target: MemoryPlace = yield self.list_position(to)
        mark = self.blocks.mark()
        origin: MemoryPlace = yield self.list_position(source)
        self.store(self.keep_place(target, mark), self.load(origin))


def _slots(size: int) -> int:
    """The bytes of as many slots as a value of some size needs."""
    return -(-max(size, 1) // VARIADIC_SLOT) * VARIADIC_SLOT
