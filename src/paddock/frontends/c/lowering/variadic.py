"""Functions with a variable number of arguments.

The arguments behind the last parameter are passed as the address of a new object, one slot for each. A `va_list` holds
the address of the next slot: it is a pointer, or a struct with a pointer, depending on the target.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.lowering.access import Access
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.expressions import Expressions, Handlers
from paddock.frontends.c.lowering.marks import Marks
from paddock.frontends.c.lowering.objects import Objects
from paddock.frontends.c.lowering.places import MemoryPlace, Places
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.pointsto_classes import Classes
from paddock.frontends.c.pointsto_tables import VARIADIC_SLOT
from paddock.frontends.c.pointsto_tree import list_member
from paddock.frozen import mutable
from paddock.ir.expr import Expr, Var


@mutable
class Variadic:
    """Passes, lists and takes variable arguments."""

    expressions: Expressions
    access: Access
    places: Places
    objects: Objects
    blocks: Blocks
    marks: Marks
    numbers: Numbers
    layout: c.Layout
    pointsto: Classes
    pointer: Var | None = None  # the parameter of this function that points to the first slot

    def handlers(self) -> Handlers:
        return Handlers(values={t.VariadicArgument: self._argument})

    def block(self, function: t.Function, arguments: Sequence[tuple[t.Expression, tuple[Expr, ...]]]) -> Expr:
        """The address of a new object with the arguments behind the last parameter."""
        if not arguments:
            return self.numbers.address(0)
        node = self.pointsto.variadic(function)
        sizes = [_slots(self.layout.size(argument.type)) for argument, _ in arguments]
        block = self.blocks.locals.temporary(self.numbers.addresses.type, "arguments")
        self.objects.allocate(block, self.numbers.address(sum(sizes)), heap=False)
        offset = 0
        for (argument, held), size in zip(arguments, sizes, strict=True):
            if not isinstance(argument.type, c.VoidType):
                self.access.store_all(
                    MemoryPlace(self.numbers.addresses.moved(block, offset), node, argument.type), held
                )
            offset += size
        return block

    def _position(self, list_: t.Expression) -> Steps[MemoryPlace]:
        """The place in a list of arguments where the address of the next slot is."""
        pointer: Expr = yield self.expressions.value(list_)
        assert isinstance(list_.type, c.PointerType)
        place = MemoryPlace(pointer, self.pointsto.target(list_), list_.type.target)
        member = list_member(list_.type.target, self.layout)
        if member is None:
            return place
        record, field = member
        part = self.places.member(place, record, field)
        assert isinstance(part, MemoryPlace)
        return part

    def _argument(self, node: t.VariadicArgument) -> Steps[tuple[Expr, ...]]:
        position: MemoryPlace = yield self._position(node.list)
        slot = self.access.load(position)
        saved = self.blocks.locals.temporary(slot.type, "slot")
        self.blocks.assign(saved, slot)
        self.access.store(position, self.numbers.addresses.moved(saved, _slots(self.layout.size(node.type))))
        target = self.pointsto.pointee(position.node)
        return self.access.load_all(MemoryPlace(saved, target, node.type))

    def start_list(self, list_: t.Expression) -> Steps[None]:
        """`va_start`."""
        position: MemoryPlace = yield self._position(list_)
        if self.pointer is None:
            raise self.places.messages.refuse("va_start in a function without variable arguments", list_.origin)
        self.access.store(position, self.pointer)

    def copy_list(self, to: t.Expression, source: t.Expression) -> Steps[None]:
        """`va_copy`."""
        target: MemoryPlace = yield self._position(to)
        mark = self.marks.mark()
        origin: MemoryPlace = yield self._position(source)
        self.access.store(self.places.keep(target, mark), self.access.load(origin))


def _slots(size: int) -> int:
    """The bytes of as many slots as a value of some size needs."""
    return -(-max(size, 1) // VARIADIC_SLOT) * VARIADIC_SLOT
