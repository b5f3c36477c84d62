"""First values of objects: zero where an initialiser says nothing, then its items in order."""

from __future__ import annotations

from dataclasses import replace

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.lower_blocks import Steps
from paddock.frontends.c.lower_places import Place, PlainPlace
from paddock.frontends.c.lower_values import Values
from paddock.frontends.c.text import string_text
from paddock.frontends.c.watching import Name, part_name
from paddock.ir.build import store
from paddock.ir.expr import Expr


class Initialisers(Values):
    """The lowering of initialisers."""

    def initialise(
        self, place: Place, initialiser: t.Initialiser, name: Name | None = None, *, is_zero: bool = False
    ) -> Steps[None]:
        if not is_zero and not self._is_covered(place, initialiser):
            self.make_zero(place)
        for item in initialiser.items:
            yield self._item(place, item, part_name(name, item.path))

    def _is_covered(self, place: Place, initialiser: t.Initialiser) -> bool:
        """Whether the items say everything about an object, so that nothing else is zero."""
        if initialiser.complete:
            return not isinstance(initialiser.items[0].value, t.StringLiteral)
        leaves = self.leaves.of(place.type)
        if any(leaf.dimensions for leaf in leaves) or any(self._is_union(leaf.path, place.type) for leaf in leaves):
            return False
        given = {tuple(s.index for s in item.path if isinstance(s, c.Field)) for item in initialiser.items}
        return all(any(leaf.key[: len(key)] == key for key in given) for leaf in leaves)

    def _is_union(self, path: tuple[tuple[c.RecordType, c.Field], ...], root: c.CType) -> bool:
        return isinstance(path[-1][1].type if path else root, c.RecordType)

    def _item(self, place: Place, item: t.InitialiserItem, name: Name | None) -> Steps[None]:
        part = self.part(place, item.path)
        if isinstance(item.value, t.StringLiteral):
            self.write_units(part, item.value, name)
            return
        mark = self.blocks.mark()
        held: tuple[Expr, ...] = yield self.values(item.value)
        self.store_all(self.keep_place(part, mark), held, name=name)

    def part(self, place: Place, path: tuple[c.Field | int, ...]) -> Place:
        """The part of an object that a path leads to."""
        for step in path:
            if isinstance(step, c.Field):
                place = self.member(place, place.type, step)
            else:
                place = self.element_number(place, step)
        return place

    def element_number(self, place: Place, n: int) -> Place:
        array = place.type
        assert isinstance(array, c.ArrayType | c.VariableArrayType)
        return replace(
            self.element(place, array.element, self.numbers.address(n), self.numbers.address_type), bounds=()
        )

    def write_units(self, place: Place, literal: t.StringLiteral, name: Name | None = None) -> None:
        """Write the units of a string to an array that is zero."""
        note = self.note_written(name, string_text(literal.units), place.type)
        array = place.type
        assert isinstance(array, c.ArrayType)
        units = literal.units if array.length is None else literal.units[: array.length]
        values = [self.numbers.literal(unit, array.element) for unit in units]
        zero = self.numbers.zero(array.element)
        if isinstance(place, PlainPlace):
            var = place.plain.variables[place.key]
            new: Expr = var
            for n, value in enumerate(values):
                if value is not zero:
                    part = self.element_number(place, n)
                    assert isinstance(part, PlainPlace) and part.index is not None
                    new = store(new, [part.index], value)
            if new is not var:
                self.blocks.assign(var, new, note)
            return
        origin = self.blocks.origin
        self.blocks.origin = origin if note is None else origin.noted(note)
        for n, value in enumerate(values):
            if value is not zero:
                self.store(self.element_number(place, n), value)
                self.blocks.origin = origin
        self.blocks.origin = origin
