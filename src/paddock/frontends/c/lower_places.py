"""Places: C's lvalues, how they are read and written, scalars and whole structs.

A place is either in the IR variables of a plain variable or in memory, at an address. What is read is a pure term;
what is written is an assignment to an IR variable, or of a map with one more entry.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import entry, equal
from paddock.frontends.c.checks import Checks
from paddock.frontends.c.lower_blocks import ALWAYS, Mark, Steps
from paddock.frontends.c.lower_context import Plain
from paddock.frontends.c.memory import Cell
from paddock.frontends.c.memory_leaves import Dimension, Leaf, is_union_bits, storage_type
from paddock.frontends.c.memory_ranges import bound_address, changed, zero_entry
from paddock.frontends.c.pointsto_classes import MemoryClass
from paddock.frontends.c.watching import Given, Name, part_name
from paddock.ir.build import binder, bv_lit, select, store
from paddock.ir.expr import Expr, Lit, Quantifier, Var
from paddock.ir.origin import InputError
from paddock.ir.stmt import Assume, Havoc
from paddock.ir.types import Bv, Float, Map

Kind = t.ConversionKind

FEW_SCALARS = 16  # an object with more is filled by one term for each of its maps


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """Something at an address, in the maps of a class."""

    address: Expr
    node: MemoryClass
    type: c.CType
    field: c.Field | None = None  # if it is a bit-field
    bounds: tuple[tuple[Expr, Expr], ...] = ()
    is_variable: bool = False  # part of a variable, not of whatever a pointer points to


Place = PlainPlace | MemoryPlace


class Places(Checks):
    """The lowering of places."""

    @abstractmethod
    def value(self, node: t.Expression) -> Steps[Expr]:
        """The value of an expression of scalar type."""

    @abstractmethod
    def values(self, node: t.Expression) -> Steps[tuple[Expr, ...]]:
        """The value of an expression: those of its leaves; one for a scalar, none for void."""

    @abstractmethod
    def initialise(
        self, place: Place, initialiser: t.Initialiser, name: Name | None = None, *, is_zero: bool = False
    ) -> Steps[None]:
        """Give an object its first value; it may be known to be zero."""

    @abstractmethod
    def declared(self, variable: t.Variable, *, is_initialised: bool) -> None:
        """The declaration of a local object, or its compound literal, is reached."""

    # --- finding places --------------------------------------------------------------------------------------

    def place(self, node: t.Expression) -> Steps[Place]:
        match node:
            case t.VariableUse(variable=variable):
                return self.variable_place(variable)
            case t.CompoundLiteral(variable=variable, initialiser=initialiser):
                self.declared(variable, is_initialised=True)
                place = self.variable_place(variable)
                yield self.initialise(place, initialiser)
                return place
            case t.StringLiteral():
                return MemoryPlace(self.shared.string_address(node), self.pointsto.location(node), node.type)
            case t.Dereference(pointer=t.Conversion(kind=Kind.DECAY, operand=array)):
                outer: Place = yield self.place(array)
                return self.element(outer, node.type, self.numbers.address(0), self.numbers.address_type)
            case t.Dereference(pointer=pointer):
                address: Expr = yield self.value(pointer)
                return MemoryPlace(address, self.pointsto.target(pointer), node.type)
            case t.Index(pointer=t.Conversion(kind=Kind.DECAY, operand=array), index=index):
                outer = yield self.place(array)
                mark = self.blocks.mark()
                number: Expr = yield self.value(index)
                self.indices[index] = number
                return self.element(self.keep_place(outer, mark), node.type, number, index.type)
            case t.Index(pointer=pointer, index=index):
                address = yield self.value(pointer)
                mark = self.blocks.mark()
                number = yield self.value(index)
                self.indices[index] = number
                address, _ = self.blocks.kept(address, mark)
                offset, size = self.numbers.offset(number, index.type), self.size_of(node.type)
                moved = self.numbers.addresses.element(address, offset, size)
                return MemoryPlace(moved, self.pointsto.target(pointer), node.type)
            case t.Member(record=record, field=field):
                outer = yield self.place(record)
                return self.member(outer, record.type, field)
            case _:
                held: tuple[Expr, ...] = yield self.values(node)
                return self.temporary_place(node, held)

    def variable_place(self, variable: t.Variable) -> Place:
        if self.shared.is_plain(variable):
            return PlainPlace(self.plain_variable(variable), variable.type)
        address = self.address_of(variable)
        return MemoryPlace(address, self.pointsto.variable(variable), variable.type, is_variable=True)

    def temporary_place(self, node: t.Expression, held: Sequence[Expr]) -> Place:
        """A new object that holds the value of an expression; a plain one, unless a pointer to a part of it is made."""
        type_ = node.type
        place: Place = PlainPlace(self.new_plain("value.1", type_, self.blocks.origin), type_)
        if node in self.pointsto.values_in_memory:
            address = self.blocks.temporary(self.memory.address_type, "value")
            self.allocate(address, self.size_of(type_), heap=False, shown=type_)
            place = MemoryPlace(address, self.pointsto.target(node), type_, is_variable=True)
        self.store_all(place, held)
        return place

    def size_of(self, type_: c.CType) -> Expr:
        """The size of a type, in bytes, also of arrays of variable length."""
        factors: list[Expr] = []
        while isinstance(type_, c.ArrayType | c.VariableArrayType):
            if isinstance(type_, c.VariableArrayType):
                factors.append(self.length(type_.length))
            else:
                factors.append(self.numbers.address(type_.length or 0))
            type_ = type_.element
        known = isinstance(type_, c.RecordType) and self.layout.definition(type_) is None
        size = self.numbers.address(1 if known else self.layout.size(type_))
        for factor in factors:
            size = self.numbers.addresses.times(factor, size)
        return size

    def element(self, place: Place, element: c.CType, number: Expr, type_: c.CType) -> Place:
        """The element of an array with a number."""
        numbers = self.numbers
        array = place.type
        length: Expr | None = None
        if isinstance(array, c.VariableArrayType):
            length = self.length(array.length)
        elif isinstance(array, c.ArrayType) and array.length is not None:
            length = numbers.address(array.length)
        index = numbers.offset(number, type_)
        bounds = (
            (*place.bounds, (index, length)) if length is not None and self._has_fixed_length(place) else place.bounds
        )
        if isinstance(place, MemoryPlace):
            address = numbers.addresses.element(place.address, index, self.size_of(element))
            return replace(place, address=address, type=element, bounds=bounds)
        assert place.bits is None, "unions with arrays are kept in memory"
        if place.index is not None:
            assert length is not None
            outer = numbers.addresses.times(place.index, length)
            index = numbers.addresses.plus(outer, index)
        return replace(place, index=index, type=element, bounds=bounds)

    def _has_fixed_length(self, place: Place) -> bool:
        """Whether the declared length of an array is what it has: a last member of length 0 or 1 may be longer."""
        array = place.type
        return not (isinstance(place, MemoryPlace) and isinstance(array, c.ArrayType) and (array.length or 0) <= 1)

    def member(self, place: Place, record: c.CType, field: c.Field) -> Place:
        assert isinstance(record, c.RecordType)
        bit_field = field if field.bit_width is not None else None
        if isinstance(place, MemoryPlace):
            node = self._seen(self.pointsto.field(place.node, record, field))
            address = self.numbers.addresses.moved(place.address, field.offset)
            return replace(place, address=address, node=node, type=field.type, field=bit_field)
        if record.union or place.bits is not None:
            return replace(place, bits=(place.bits or 0) + field.bit_offset, type=field.type, field=bit_field)
        return replace(place, key=(*place.key, field.index), type=field.type, field=bit_field)

    def keep_place(self, place: Place, mark: Mark) -> Place:
        """A place as it was at a mark, whatever has been emitted since."""
        bounds = []
        for index, length in place.bounds:
            kept, mark = self.blocks.kept(index, mark)
            bounds.append((kept, length))
        if isinstance(place, MemoryPlace):
            address, _ = self.blocks.kept(place.address, mark)
            return replace(place, address=address, bounds=tuple(bounds))
        if place.index is None:
            return place
        index, _ = self.blocks.kept(place.index, mark)
        return replace(place, index=index, bounds=tuple(bounds))

    def _frozen_place(self, place: Place, changing: Container[Var]) -> Place:
        """A place as it is now, although some variables change before it is used."""
        if isinstance(place, MemoryPlace):
            return replace(place, address=self.blocks.frozen(place.address, changing))
        return place if place.index is None else replace(place, index=self.blocks.frozen(place.index, changing))

    # --- scalars ---------------------------------------------------------------------------------------------

    def load(self, place: Place, node: t.Expression | None = None) -> Expr:
        """The scalar at a place; `node` is the expression that reads it, for checks and notes."""
        if node is not None:
            self.check_place(place, node)
        value = self._loaded(place)
        if node is not None:
            self.note_read(node, value)
        return value

    def _loaded(self, place: Place) -> Expr:
        if isinstance(place, PlainPlace):
            value, stored = self._plain_leaf(place), self._stored_type(place)
            if place.bits is not None:
                return self._union_part(place, value)
            if place.index is not None:
                self._assume_in_range(value, stored)
            return value if stored is place.type else self.numbers.convert(value, stored, place.type)
        cell = self._cell(place)
        value = self.memory.load(cell, place.address, place.type, place.field)
        self._assume_in_range(value, place.type)
        return value

    def check_place(self, place: Place, node: t.Expression) -> None:
        """The checks of an access to a place."""
        pointer = place.address if isinstance(place, MemoryPlace) and not place.is_variable else None
        if self.settings.tracks_objects:
            self.check_access(place.bounds, pointer, self.size_of(place.type), node)

    def _assume_in_range(self, value: Expr, type_: c.CType) -> None:
        condition = self.numbers.in_range(value, type_)
        if condition is not None:
            self.blocks.emit(Assume(condition, ALWAYS, self.blocks.origin))

    def store(self, place: Place, value: Expr, node: t.Expression | None = None, name: Name | None = None) -> None:
        """Write a scalar; `node` is the expression that does, for checks, and `name` what the place is called, for
        notes."""
        if node is not None:
            self.check_place(place, node)
        if isinstance(place, MemoryPlace):
            cell = self._cell(place)
            new = self.memory.stored(cell, place.address, place.type, value, place.field, self.bits_of)
            self.blocks.assign(cell.map, new, self._note_store(place, value, name))
            return
        var, stored = place.plain.variables[place.key], self._stored_type(place)
        goes_there = place.index is None and place.bits is None and self.blocks.is_fresh_result(value)
        given = self.given_by(value, var) if goes_there else None
        note = self._note_store(place, var if goes_there else value, name, given)
        if place.bits is not None:
            value = self._with_union_part(place, value)
        elif stored is not place.type:
            value = self.numbers.convert(value, place.type, stored)
        self.blocks.assign(var, value if place.index is None else store(var, [place.index], value), note)

    def _note_store(self, place: Place, value: Expr, name: Name | None, given: Given | None = None) -> int | None:
        if place.field is not None and name is not None:
            narrow = storage_type(place.field)
            value = self.numbers.convert(self.numbers.convert(value, place.type, narrow), narrow, place.type)
        return self.note_written(name, value, place.type, given)

    def bits_of(self, value: Expr, type_: c.CType) -> Expr:
        """What memory holds for a value; solvers know the way back from bits to floats only."""
        if not isinstance(type_, c.FloatType):
            return self.numbers.bits(value, type_)
        assert isinstance(value.type, Float)
        width = value.type.significand + value.type.exponent
        if isinstance(value, Lit):
            return self.numbers.floats.padded(bv_lit(int(value.value), width), type_)
        raw = self.blocks.temporary(Bv(width), "bits")
        self.blocks.emit(Havoc((raw,), origin=self.blocks.origin))
        self.assume(equal(self.terms.float_of_bits(raw, value.type), value))
        return self.numbers.floats.padded(raw, type_)

    def _plain_leaf(self, place: PlainPlace) -> Expr:
        var = place.plain.variables[place.key]
        return var if place.index is None else select(var, place.index)

    def _stored_type(self, place: PlainPlace) -> c.CType:
        return place.type if place.field is None else storage_type(place.field)

    def _union_part(self, place: PlainPlace, whole: Expr) -> Expr:
        stored, low, numbers = self._stored_type(place), place.bits or 0, self.numbers
        bits = numbers.bits(whole, place.plain.types[place.key])
        if isinstance(stored, c.BoolType) and place.field is not None:
            bit = self.terms.extend(self.terms.extract(bits, low, 1), c.BYTE, signed=False)
            return numbers.of_bits(bit, stored)
        value = numbers.of_bits(self.terms.extract(bits, low, self._storage_width(stored)), stored)
        return value if stored is place.type else numbers.convert(value, stored, place.type)

    def _with_union_part(self, place: PlainPlace, value: Expr) -> Expr:
        stored, numbers, whole = self._stored_type(place), self.numbers, self._plain_leaf(place)
        union = place.plain.types[place.key]
        if stored is not place.type:
            value = numbers.convert(value, place.type, stored)
        part = self.bits_of(value, stored)
        if isinstance(stored, c.BoolType) and place.field is not None:
            part = self.terms.extract(part, 0, 1)
        return numbers.of_bits(self.terms.replace_bits(numbers.bits(whole, union), place.bits or 0, part), union)

    def _storage_width(self, type_: c.CType) -> int:
        return (
            self.numbers.width(type_)
            if c.is_integer(type_) and type_ is not c.BOOL
            else self.layout.size(type_) * c.BYTE
        )

    def _cell(self, place: MemoryPlace) -> Cell:
        cell = self.memory.cell(place.node)
        if cell is None and isinstance(place.type, c.UnsupportedType):
            raise self.shared.refuse(f"the type {place.type.name} is not supported in memory", self.blocks.origin)
        if cell is None:
            raise self._unseen()
        return cell

    def _seen(self, class_: MemoryClass | None) -> MemoryClass:
        if class_ is None:
            raise self._unseen()
        return class_

    def _unseen(self) -> InputError:
        message = "memory is used here in a way that the analysis of pointers has not seen"
        return self.shared.refuse(message, self.blocks.origin)

    # --- structs ---------------------------------------------------------------------------------------------

    def load_all(self, place: Place, node: t.Expression | None = None) -> tuple[Expr, ...]:
        """The value at a place: those of its leaves."""
        if c.is_scalar(place.type):
            return (self.load(place, node),)
        if node is not None:
            self.check_place(place, node)
        return tuple(self._load_leaf(place, leaf) for leaf in self.leaves.of(place.type))

    def store_all(
        self, place: Place, held: Sequence[Expr], node: t.Expression | None = None, name: Name | None = None
    ) -> None:
        if c.is_scalar(place.type):
            self.store(place, held[0], node, name)
            return
        if node is not None:
            self.check_place(place, node)
        leaves = self.leaves.of(place.type)
        place, held = self._frozen(place, leaves, held)
        for leaf, value in zip(leaves, held, strict=True):
            is_union = is_union_bits(leaf.type)
            self._store_leaf(place, leaf, value, None if is_union else part_name(name, [f for _, f in leaf.path]))

    def _frozen(self, place: Place, leaves: Sequence[Leaf], held: Sequence[Expr]) -> tuple[Place, list[Expr]]:
        """A place and what its leaves get, as they are now: they do not depend on the leaves that are written first."""
        changing: dict[Var, None] = {}
        values = []
        for leaf, value in zip(leaves, held, strict=True):
            values.append(self.blocks.frozen(value, changing))
            changing |= dict.fromkeys(self._variable_of(place, leaf))
        several = len(leaves) > 1 or any(leaf.dimensions for leaf in leaves)
        return self._frozen_place(place, changing) if several else place, values

    def _variable_of(self, place: Place, leaf: Leaf) -> list[Var]:
        """The variable that changes when a leaf of an object is written."""
        part = self.leaf_place(place, leaf)
        if isinstance(part, PlainPlace):
            return [part.plain.variables[part.key]]
        cell = self.memory.cell(part.node)
        return [] if cell is None else [cell.map]

    def leaf_place(self, place: Place, leaf: Leaf) -> Place:
        """The place of a leaf in an object; of one with dimensions, of its first element."""
        field = leaf.path[-1][1] if leaf.is_bit_field else None
        # The value of a leaf that is a bit-field has the narrow type already.
        narrow = field and c.Field(field.name, leaf.type, field.index, field.bit_offset, field.bit_width)
        if isinstance(place, PlainPlace) and place.bits is not None:
            return replace(place, bits=place.bits + leaf.bit_offset, type=leaf.type, field=narrow)
        if isinstance(place, MemoryPlace):
            address = self.numbers.addresses.moved(place.address, leaf.offset)
            return MemoryPlace(address, self._seen(self.pointsto.leaf(place.node, leaf)), leaf.type, narrow)
        return replace(place, key=(*place.key, *leaf.key), type=leaf.type, field=None)

    def _load_leaf(self, place: Place, leaf: Leaf) -> Expr:
        part = self.leaf_place(place, leaf)
        if not leaf.dimensions:
            return self.load(part)
        if isinstance(part, PlainPlace) and part.index is None:
            return part.plain.variables[part.key]
        bound = bound_address(self.memory.address_type)
        if isinstance(part, PlainPlace):
            assert part.index is not None
            return binder(
                Quantifier.LAMBDA, [bound], select(part.plain.variables[part.key], self._inner(part, leaf, bound))
            )
        cell = self._cell(part)
        # The elements may be written one after the other, to where the address is read from.
        address = self._leaf_address(self.blocks.lasting(part.address), leaf.dimensions, bound)
        return binder(Quantifier.LAMBDA, [bound], self.memory.load(cell, address, leaf.type, part.field))

    def _inner(self, part: PlainPlace, leaf: Leaf, number: Expr) -> Expr:
        """The number of an element of a leaf in the whole variable."""
        assert part.index is not None and leaf.count is not None
        start = self.numbers.addresses.times(part.index, self.numbers.address(leaf.count))
        return self.numbers.addresses.plus(start, number)

    def _leaf_address(self, start: Expr, dimensions: Sequence[Dimension], number: Expr) -> Expr:
        """The address of an element of a leaf, by its number."""
        numbers = self.numbers
        address = start
        for n, dimension in enumerate(dimensions):
            inner = 1
            for below in dimensions[n + 1 :]:
                assert isinstance(below.length, int)
                inner *= below.length
            index = numbers.addresses.divided(number, numbers.address(inner)) if inner > 1 else number
            if n > 0:
                assert isinstance(dimension.length, int)
                index = numbers.addresses.remainder(index, numbers.address(dimension.length))
            offset = numbers.addresses.times(index, numbers.address(dimension.stride))
            address = numbers.addresses.plus(address, offset)
        return address

    def _store_leaf(self, place: Place, leaf: Leaf, value: Expr, name: Name | None = None) -> None:
        part = self.leaf_place(place, leaf)
        if not leaf.dimensions:
            self.store(part, value, name=name)
            return
        numbers = self.numbers
        if isinstance(part, PlainPlace):
            var = part.plain.variables[part.key]
            if part.index is None:
                self.blocks.assign(var, value)
                return
            start = self._inner(part, leaf, numbers.address(0))
            self.blocks.assign(
                var,
                changed(
                    var,
                    start,
                    numbers.address(leaf.count or 0),
                    lambda at: entry(value, numbers.addresses.minus(at, start)),
                    numbers,
                ),
            )
            return
        for n in range(leaf.count or 0):
            element = self._leaf_address(part.address, leaf.dimensions, numbers.address(n))
            self.store(replace(part, address=element), entry(value, numbers.address(n)))

    # --- whole objects ---------------------------------------------------------------------------------------

    def make_arbitrary(self, place: MemoryPlace) -> None:
        """An object in memory has any content."""
        for leaf, part in self.few_scalars(place) or ():
            any_ = self.arbitrary(leaf.type)
            self.blocks.emit(Havoc((any_,), origin=self.blocks.origin))
            self.store(part, any_)
        if self.few_scalars(place) is None:
            for cell in self.memory.cells_below(place.node):
                fresh = self.blocks.temporary(cell.map.type, "any")
                self.blocks.emit(Havoc((fresh,), origin=self.blocks.origin))
                self._fill(place, cell, fresh)

    def make_zero(self, place: Place) -> None:
        """An object is all zero."""
        if isinstance(place, PlainPlace):
            for leaf in self.leaves.of(place.type):
                self._store_leaf(place, leaf, self.zero_leaf(leaf))
            return
        for leaf, part in self.few_scalars(place) or ():
            self.store(part, self.numbers.zero(leaf.type))
        if self.few_scalars(place) is None:
            for cell in self.memory.cells_below(place.node):
                constant = zero_entry(cell, self.numbers)
                self._fill(place, cell, constant)

    def zero_leaf(self, leaf: Leaf) -> Expr:
        """What a plain variable for a leaf holds when it is all zero."""
        zero, type_ = self.numbers.zero(leaf.type), self.shared.leaf_type(leaf)
        return self.terms.functions.constant_map(zero, type_) if isinstance(type_, Map) else zero

    def _fill(self, place: MemoryPlace, cell: Cell, source: Expr) -> None:
        """Give the entries of a map that belong to an object those of another map, or one value."""

        def filler(address: Expr) -> Expr:
            return select(source, address) if isinstance(source.type, Map) else source

        new = changed(cell.map, place.address, self.size_of(place.type), filler, self.numbers)
        self.blocks.assign(cell.map, new)

    def is_copied_by_leaves(self, place: MemoryPlace) -> bool:
        """Whether an object is copied one scalar after the other: it has few, and all are ones that something
        accesses."""
        scalars = self.few_scalars(place)
        return scalars is not None and len(scalars) == sum(leaf.count or 0 for leaf in self.leaves.of(place.type))

    def few_scalars(self, place: MemoryPlace) -> list[tuple[Leaf, Place]] | None:
        """The scalars of an object that anything reads or writes, one by one; None if there are too many."""
        leaves = self.leaves.of(place.type)
        if sum(FEW_SCALARS + 1 if leaf.count is None else leaf.count for leaf in leaves) > FEW_SCALARS:
            return None
        scalars: list[tuple[Leaf, Place]] = []
        cells: set[Cell] = set()
        for leaf in leaves:
            node = self.pointsto.leaf(place.node, leaf)
            cell = self.memory.cell(node) if node is not None else None
            if node is None or (cell is not None and not self._fits(cell, leaf)):
                return None
            if cell is not None:
                cells.add(cell)
                part = self.leaf_place(place, leaf)
                assert isinstance(part, MemoryPlace)
                for n in range(leaf.count or 0):
                    address = self._leaf_address(part.address, leaf.dimensions, self.numbers.address(n))
                    scalars.append((leaf, replace(part, address=address)))
        if not cells.issuperset(self.memory.cells_below(place.node)):
            return None
        return scalars

    def _fits(self, cell: Cell, leaf: Leaf) -> bool:
        """Whether the values of a leaf are entries of a map, or bytes."""
        steps = (leaf.offset, *(dimension.stride for dimension in leaf.dimensions))
        return self.memory.holds(cell, leaf.type) and all(step % cell.size == 0 for step in steps)


def is_place(node: t.Expression) -> bool:
    """Whether an expression is a place and not a value."""
    while isinstance(node, t.Member):
        node = node.record
    return isinstance(node, t.VariableUse | t.Dereference | t.Index | t.StringLiteral | t.CompoundLiteral)
