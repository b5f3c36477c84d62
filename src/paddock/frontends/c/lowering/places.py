"""Places: C's lvalues, and the parts that they have.

A place is either in the IR variables of a plain variable or in memory, at an address.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.lowering.context import Plain
from paddock.frontends.c.lowering.marks import Mark, Marks
from paddock.frontends.c.lowering.messages import Messages
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.memory_leaves import Dimension, Leaf
from paddock.frontends.c.pointsto_classes import Classes, MemoryClass
from paddock.frozen import frozen, replace
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import InputError


@frozen
class PlainPlace:
    """A part of a plain variable. `index` is the number of the element, over all arrays on the way; `bits` is where a
    part of a union starts in it; `bounds` are the indices and what they must stay below."""

    plain: Plain
    type: c.CType
    key: tuple[int, ...] = ()
    index: Expr | None = None
    bits: int | None = None
    field: c.Field | None = None  # if it is a bit-field
    bounds: tuple[tuple[Expr, Expr], ...] = ()

    @property
    def variable(self) -> Var:
        """The IR variable that it is in."""
        return self.plain.variables[self.key]


@frozen
class MemoryPlace:
    """Something at an address, in the maps of a class."""

    address: Expr
    node: MemoryClass
    type: c.CType
    field: c.Field | None = None  # if it is a bit-field
    bounds: tuple[tuple[Expr, Expr], ...] = ()
    is_variable: bool = False  # part of a variable, not of whatever a pointer points to
    pointer: Expr | None = None  # by which the object is reached that it is a part of, if that is known


Place = PlainPlace | MemoryPlace


@frozen
class Places:
    """Finds the places of variables and of parts of objects."""

    variables: Variables
    marks: Marks
    numbers: Numbers
    layout: c.Layout
    pointsto: Classes
    messages: Messages

    def variable(self, variable: t.Variable) -> Place:
        if self.variables.is_plain(variable):
            return PlainPlace(self.variables.plain_variable(variable), variable.type)
        address = self.variables.address_of(variable)
        return MemoryPlace(address, self.pointsto.variable(variable), variable.type, is_variable=True)

    def in_memory(self, variable: t.Variable) -> MemoryPlace:
        """The place of a variable that has an address."""
        place = self.variable(variable)
        assert isinstance(place, MemoryPlace)
        return place

    def size_of(self, type_: c.CType) -> Expr:
        """The size of a type, in bytes, also of arrays of variable length."""
        factors: list[Expr] = []
        while isinstance(type_, c.ArrayType | c.VariableArrayType):
            if isinstance(type_, c.VariableArrayType):
                factors.append(self.variables.length(type_.length))
            else:
                factors.append(self.numbers.address(type_.length or 0))
            type_ = type_.element
        is_opaque = isinstance(type_, c.RecordType) and self.layout.definition(type_) is None
        size = self.numbers.address(1 if is_opaque else self.layout.size(type_))
        for factor in factors:
            size = self.numbers.addresses.times(factor, size)
        return size

    # --- parts -------------------------------------------------------------------------------------------------

    def element(self, place: Place, element: c.CType, number: Expr, type_: c.CType) -> Place:
        """The element of an array with a number."""
        numbers = self.numbers
        array = place.type
        length: Expr | None = None
        if isinstance(array, c.VariableArrayType):
            length = self.variables.length(array.length)
        elif isinstance(array, c.ArrayType) and array.length is not None:
            length = numbers.address(array.length)
        index = numbers.offset(number, type_)
        bounds = place.bounds
        if length is not None and _has_fixed_length(place):
            bounds = (*bounds, (index, length))
        if isinstance(place, MemoryPlace):
            address = numbers.addresses.element(place.address, index, self.size_of(element))
            return replace(place, address=address, type=element, bounds=bounds)
        assert place.bits is None, "unions with arrays are kept in memory"
        if place.index is not None:
            assert length is not None
            index = numbers.addresses.plus(numbers.addresses.times(place.index, length), index)
        return replace(place, index=index, type=element, bounds=bounds)

    def element_number(self, place: Place, n: int) -> Place:
        """An element of an array, which it has."""
        array = place.type
        assert isinstance(array, c.ArrayType | c.VariableArrayType)
        element = self.element(place, array.element, self.numbers.address(n), self.numbers.address_type)
        return replace(element, bounds=())

    def member(self, place: Place, record: c.CType, field: c.Field) -> Place:
        assert isinstance(record, c.RecordType)
        bit_field = field if field.bit_width is not None else None
        if isinstance(place, MemoryPlace):
            node = self._seen(self.pointsto.members.field(place.node, record, field))
            address = self.numbers.addresses.moved(place.address, field.offset)
            return replace(place, address=address, node=node, type=field.type, field=bit_field)
        if record.union or place.bits is not None:
            return replace(place, bits=(place.bits or 0) + field.bit_offset, type=field.type, field=bit_field)
        return replace(place, key=(*place.key, field.index), type=field.type, field=bit_field)

    def part(self, place: Place, path: tuple[c.Field | int, ...]) -> Place:
        """The part of an object that a path leads to."""
        for step in path:
            if isinstance(step, c.Field):
                place = self.member(place, place.type, step)
            else:
                place = self.element_number(place, step)
        return place

    def leaf(self, place: Place, leaf: Leaf) -> Place:
        """The place of a leaf in an object; of one with dimensions, of its first element."""
        field = leaf.path[-1][1] if leaf.is_bit_field else None
        # The value of a leaf that is a bit-field has the narrow type already.
        narrow = field and c.Field(field.name, leaf.type, field.index, field.bit_offset, field.bit_width)
        if isinstance(place, PlainPlace) and place.bits is not None:
            return replace(place, bits=place.bits + leaf.bit_offset, type=leaf.type, field=narrow)
        if isinstance(place, MemoryPlace):
            address = self.numbers.addresses.moved(place.address, leaf.offset)
            return MemoryPlace(address, self._seen(self.pointsto.members.leaf(place.node, leaf)), leaf.type, narrow)
        return replace(place, key=(*place.key, *leaf.key), type=leaf.type, field=None)

    def leaf_address(self, start: Expr, dimensions: Sequence[Dimension], number: Expr) -> Expr:
        """The address of an element of a leaf, by its number."""
        addresses = self.numbers.addresses
        address = start
        for n, dimension in enumerate(dimensions):
            inner = 1
            for below in dimensions[n + 1 :]:
                assert isinstance(below.length, int)
                inner *= below.length
            index = addresses.divided(number, addresses.literal(inner)) if inner > 1 else number
            if n > 0:
                assert isinstance(dimension.length, int)
                index = addresses.remainder(index, addresses.literal(dimension.length))
            offset = addresses.times(index, addresses.literal(dimension.stride))
            address = addresses.plus(address, offset)
        return address

    # --- places as they were -----------------------------------------------------------------------------------

    def keep(self, place: Place, mark: Mark) -> Place:
        """A place as it was at a mark, whatever has been emitted since."""
        bounds = []
        for index, length in place.bounds:
            kept, mark = self.marks.kept(index, mark)
            bounds.append((kept, length))
        if isinstance(place, MemoryPlace):
            pointer = place.pointer
            if pointer is not None and pointer is not place.address and self.marks.may_differ(pointer, mark):
                pointer = None
            address, _ = self.marks.kept(place.address, mark)
            pointer = address if place.pointer is place.address else pointer
            return replace(place, address=address, bounds=tuple(bounds), pointer=pointer)
        if place.index is None:
            return place
        index, _ = self.marks.kept(place.index, mark)
        return replace(place, index=index, bounds=tuple(bounds))

    def frozen(self, place: Place, changing: Container[Var]) -> Place:
        """A place as it is now, although some variables change before it is used."""
        if isinstance(place, MemoryPlace):
            return replace(place, address=self.marks.frozen(place.address, changing))
        return place if place.index is None else replace(place, index=self.marks.frozen(place.index, changing))

    # --- errors ------------------------------------------------------------------------------------------------

    def _seen(self, class_: MemoryClass | None) -> MemoryClass:
        if class_ is None:
            raise self.unseen()
        return class_

    def unseen(self) -> InputError:
        """The error for memory that the analysis of pointers knows nothing of."""
        message = "memory is used here in a way that the analysis of pointers has not seen"
        return self.messages.refuse(message, self.marks.blocks.origin)


def _has_fixed_length(place: Place) -> bool:
    """Whether the declared length of an array is what it has: a last member of length 0 or 1 may be longer."""
    array = place.type
    return not (isinstance(place, MemoryPlace) and isinstance(array, c.ArrayType) and (array.length or 0) <= 1)


def is_place(node: t.Expression) -> bool:
    """Whether an expression is a place and not a value."""
    while isinstance(node, t.Member):
        node = node.record
    return isinstance(node, t.VariableUse | t.Dereference | t.Index | t.StringLiteral | t.CompoundLiteral)
