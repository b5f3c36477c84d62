"""Reading and writing places: scalars, and whole structs leaf by leaf.

What is read is a pure term, or where threads may change it meanwhile, a variable that keeps it; what is written is an
assignment to an IR variable, or of a map with one more entry.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.addresses import Addresses
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import entry, equal
from paddock.frontends.c.lowering.blocks import ALWAYS, Blocks
from paddock.frontends.c.lowering.marks import Marks
from paddock.frontends.c.lowering.notes import Given, Name, Notes, part_name
from paddock.frontends.c.lowering.objects import Objects
from paddock.frontends.c.lowering.places import MemoryPlace, Place, Places, PlainPlace
from paddock.frontends.c.lowering.races import Races
from paddock.frontends.c.memory import Cell, Memory
from paddock.frontends.c.memory_leaves import Leaf, Leaves, is_union_bits, storage_type
from paddock.frontends.c.memory_ranges import bound_address, changed
from paddock.frontends.c.text import expression_text
from paddock.frozen import frozen, replace
from paddock.ir.build import binder, bv_lit, select, store
from paddock.ir.expr import Expr, Lit, Quantifier, Scope, Var
from paddock.ir.stmt import Assume
from paddock.ir.types import Bv, Float
from paddock.ir.walk import variables


@frozen
class Access:
    """Reads and writes places."""

    blocks: Blocks
    marks: Marks
    notes: Notes
    objects: Objects
    places: Places
    numbers: Numbers
    memory: Memory
    leaves: Leaves
    races: Races | None = None  # with threads: then each load of what they may share is a statement of its own

    def check(self, place: Place, node: t.Expression) -> None:
        """The checks of an access to a place."""
        if not self.objects.settings.tracks_objects:
            return
        text = expression_text(node)
        self.objects.check_indices(place.bounds, text, node.origin)
        if isinstance(place, MemoryPlace) and not place.is_variable:
            size = self.places.size_of(place.type)
            self.objects.check_pointer(place.address, size, text, node.origin, place.pointer)

    # --- scalars ---------------------------------------------------------------------------------------------

    def load(self, place: Place, node: t.Expression | None = None) -> Expr:
        """The scalar at a place; `node` is the expression that reads it, for checks and notes."""
        if node is not None:
            self.check(place, node)
            if isinstance(place, PlainPlace):
                self.objects.initialised.check_read(place.variable, node)
        value = self._loaded(place, node)
        if node is not None:
            self.notes.read(node, value)
        return value

    def _loaded(self, place: Place, node: t.Expression | None) -> Expr:
        if isinstance(place, PlainPlace):
            value, stored = self._apart(_held(place), place, node), _stored_type(place)
            if place.bits is not None:
                return self._union_part(place, value)
            if place.index is not None:
                _assume_in_range(self.blocks, self.numbers, value, stored)
            return value if stored is place.type else self.numbers.convert(value, stored, place.type)
        cell = self._cell(place)
        value = self._apart(self.memory.load(cell, place.address, place.type, place.field), place, node)
        _assume_in_range(self.blocks, self.numbers, value, place.type)
        return value

    def _apart(self, value: Expr, place: Place, node: t.Expression | None) -> Expr:
        """What is loaded, kept if others may change it meanwhile: each load in C is one, however often its value is
        used, and two loads are two."""
        if self.races is None or all(v.scope is not Scope.GLOBAL for v in variables(value)):
            return value
        self.races.at(place, self.places.size_of(place.type), writes=False)
        kept = self.blocks.locals.temporary(value.type, "read")
        is_shown = node is not None and (not isinstance(place, PlainPlace) or _stored_type(place) is place.type)
        name = self.notes.name_of(node) if node is not None and is_shown else None
        self.blocks.assign(kept, value, self.notes.written(name, value, place.type))
        return kept

    def store(self, place: Place, value: Expr, node: t.Expression | None = None, name: Name | None = None) -> None:
        """Write a scalar; `node` is the expression that does, for checks, and `name` what the place is called, for
        notes."""
        if node is not None:
            self.check(place, node)
        if self.races is not None:
            self.races.at(place, self.places.size_of(place.type), writes=True)
        if isinstance(place, MemoryPlace):
            cell = self._cell(place)
            new = self.memory.stored(cell, place.address, place.type, value, place.field, self._bits_of)
            self.blocks.assign(cell.map, new, self._note(place, value, name))
            return
        var, stored = place.variable, _stored_type(place)
        goes_there = place.index is None and place.bits is None and self.blocks.is_fresh_result(value)
        given = self.notes.given_by(value, var) if goes_there else None
        note = self._note(place, var if goes_there else value, name, given)
        if place.bits is not None:
            value = self._with_union_part(place, value)
        elif stored is not place.type:
            value = self.numbers.convert(value, place.type, stored)
        self.blocks.assign(var, value if place.index is None else store(var, [place.index], value), note)
        self.objects.initialised.write(var)

    def _note(self, place: Place, value: Expr, name: Name | None, given: Given | None = None) -> int | None:
        if place.field is not None and name is not None:
            narrow = storage_type(place.field)
            value = self.numbers.convert(self.numbers.convert(value, place.type, narrow), narrow, place.type)
        return self.notes.written(name, value, place.type, given)

    def _bits_of(self, value: Expr, type_: c.CType) -> Expr:
        """What memory holds for a value; solvers know the way back from bits to floats only."""
        if not isinstance(type_, c.FloatType):
            return self.numbers.bits(value, type_)
        assert isinstance(value.type, Float)
        width = value.type.significand + value.type.exponent
        if isinstance(value, Lit):
            return self.numbers.floats.padded(bv_lit(int(value.value), width), type_)
        raw = self.blocks.locals.temporary(Bv(width), "bits")
        self.blocks.havoc(raw)
        self.blocks.assume(equal(self.numbers.terms.float_of_bits(raw, value.type), value))
        return self.numbers.floats.padded(raw, type_)

    def _cell(self, place: MemoryPlace) -> Cell:
        cell = self.memory.cell(place.node)
        if cell is None and isinstance(place.type, c.UnsupportedType):
            message = f"the type {place.type.name} is not supported in memory"
            raise self.places.messages.refuse(message, self.blocks.origin)
        if cell is None:
            raise self.places.unseen()
        return cell

    # --- parts of unions ---------------------------------------------------------------------------------------

    def _union_part(self, place: PlainPlace, whole: Expr) -> Expr:
        stored, low, numbers, terms = _stored_type(place), place.bits or 0, self.numbers, self.numbers.terms
        bits = numbers.bits(whole, place.plain.types[place.key])
        if isinstance(stored, c.BoolType) and place.field is not None:
            bit = terms.extend(terms.extract(bits, low, 1), c.BYTE, signed=False)
            return numbers.of_bits(bit, stored)
        value = numbers.of_bits(terms.extract(bits, low, _storage_width(stored, self.numbers, self.leaves)), stored)
        return value if stored is place.type else numbers.convert(value, stored, place.type)

    def _with_union_part(self, place: PlainPlace, value: Expr) -> Expr:
        stored, numbers, terms, whole = _stored_type(place), self.numbers, self.numbers.terms, _held(place)
        union = place.plain.types[place.key]
        if stored is not place.type:
            value = numbers.convert(value, place.type, stored)
        part = self._bits_of(value, stored)
        if isinstance(stored, c.BoolType) and place.field is not None:
            part = terms.extract(part, 0, 1)
        return numbers.of_bits(terms.replace_bits(numbers.bits(whole, union), place.bits or 0, part), union)

    # --- structs ---------------------------------------------------------------------------------------------

    def load_all(self, place: Place, node: t.Expression | None = None) -> tuple[Expr, ...]:
        """The value at a place: those of its leaves."""
        if c.is_scalar(place.type):
            return (self.load(place, node),)
        if node is not None:
            self.check(place, node)
        return tuple(self._load_leaf(place, leaf) for leaf in self.leaves.of(place.type))

    def store_all(
        self, place: Place, held: Sequence[Expr], node: t.Expression | None = None, name: Name | None = None
    ) -> None:
        if c.is_scalar(place.type):
            self.store(place, held[0], node, name)
            return
        if node is not None:
            self.check(place, node)
        leaves = self.leaves.of(place.type)
        place, held = self._frozen(place, leaves, held)
        for leaf, value in zip(leaves, held, strict=True):
            is_union = is_union_bits(leaf.type)
            self.store_leaf(place, leaf, value, None if is_union else part_name(name, [f for _, f in leaf.path]))

    def _frozen(self, place: Place, leaves: Sequence[Leaf], held: Sequence[Expr]) -> tuple[Place, list[Expr]]:
        """A place and what its leaves get, as they are now: they do not depend on the leaves that are written first."""
        changing: dict[Var, None] = {}
        values = []
        for leaf, value in zip(leaves, held, strict=True):
            values.append(self.marks.frozen(value, changing))
            changing |= dict.fromkeys(self._variable_of(place, leaf))
        several = len(leaves) > 1 or any(leaf.dimensions for leaf in leaves)
        return self.places.frozen(place, changing) if several else place, values

    def _variable_of(self, place: Place, leaf: Leaf) -> list[Var]:
        """The variable that changes when a leaf of an object is written."""
        part = self.places.leaf(place, leaf)
        if isinstance(part, PlainPlace):
            return [part.variable]
        cell = self.memory.cell(part.node)
        return [] if cell is None else [cell.map]

    def _load_leaf(self, place: Place, leaf: Leaf) -> Expr:
        part = self.places.leaf(place, leaf)
        if not leaf.dimensions:
            return self.load(part)
        if isinstance(part, PlainPlace) and part.index is None:
            return part.variable
        bound = bound_address(self.numbers.addresses.type)
        if isinstance(part, PlainPlace):
            number = _inner(part, leaf, self.numbers.addresses, bound)
            return binder(Quantifier.LAMBDA, [bound], select(part.variable, number))
        cell = self._cell(part)
        # The elements may be written one after the other, to where the address is read from.
        address = self.places.leaf_address(self.marks.lasting(part.address), leaf.dimensions, bound)
        return binder(Quantifier.LAMBDA, [bound], self.memory.load(cell, address, leaf.type, part.field))

    def store_leaf(self, place: Place, leaf: Leaf, value: Expr, name: Name | None = None) -> None:
        """Write a leaf of an object; one with dimensions, from a map from the numbers of its elements."""
        part = self.places.leaf(place, leaf)
        addresses = self.numbers.addresses
        if not leaf.dimensions:
            self.store(part, value, name=name)
        elif isinstance(part, PlainPlace) and part.index is None:
            self.blocks.assign(part.variable, value)
        elif isinstance(part, PlainPlace):
            start, count = _inner(part, leaf, addresses, addresses.literal(0)), addresses.literal(leaf.count or 0)

            def element(at: Expr) -> Expr:
                return entry(value, addresses.minus(at, start))

            self.blocks.assign(part.variable, changed(part.variable, start, count, element, self.numbers))
        else:
            for n in range(leaf.count or 0):
                address = self.places.leaf_address(part.address, leaf.dimensions, addresses.literal(n))
                self.store(replace(part, address=address), entry(value, addresses.literal(n)))


def _held(place: PlainPlace) -> Expr:
    """What the IR variable of a place holds there."""
    return place.variable if place.index is None else select(place.variable, place.index)


def _inner(part: PlainPlace, leaf: Leaf, addresses: Addresses, number: Expr) -> Expr:
    """The number of an element of a leaf in the whole variable."""
    assert part.index is not None and leaf.count is not None
    return addresses.plus(addresses.times(part.index, addresses.literal(leaf.count)), number)


def _stored_type(place: PlainPlace) -> c.CType:
    return place.type if place.field is None else storage_type(place.field)


def _storage_width(type_: c.CType, numbers: Numbers, leaves: Leaves) -> int:
    if c.is_integer(type_) and type_ is not c.BOOL:
        return numbers.width(type_)
    return leaves.layout.size(type_) * c.BYTE


def _assume_in_range(blocks: Blocks, numbers: Numbers, value: Expr, type_: c.CType) -> None:
    condition = numbers.in_range(value, type_)
    if condition is not None:
        blocks.emit(Assume(condition, ALWAYS, blocks.origin))
