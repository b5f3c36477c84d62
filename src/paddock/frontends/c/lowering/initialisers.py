"""First values of objects: zero where an initialiser says nothing, then its items in order."""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.lowering.access import Access
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.contents import Contents
from paddock.frontends.c.lowering.expressions import Expressions, Handlers
from paddock.frontends.c.lowering.lifetimes import Lifetimes
from paddock.frontends.c.lowering.marks import Marks
from paddock.frontends.c.lowering.notes import Name, Notes, part_name
from paddock.frontends.c.lowering.places import Place, Places, PlainPlace
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.memory_leaves import Leaves
from paddock.frontends.c.text import string_text
from paddock.frozen import frozen
from paddock.ir.build import store
from paddock.ir.expr import Expr


@frozen
class Initialisers:
    """Gives objects their first values."""

    expressions: Expressions
    access: Access
    places: Places
    contents: Contents
    lifetimes: Lifetimes
    blocks: Blocks
    marks: Marks
    notes: Notes
    numbers: Numbers
    leaves: Leaves

    def handlers(self) -> Handlers:
        return Handlers(places={t.CompoundLiteral: self._compound_literal})

    def _compound_literal(self, node: t.CompoundLiteral) -> Steps[Place]:
        self.lifetimes.declared(node.variable, is_initialised=True)
        place = self.places.variable(node.variable)
        yield self.initialise(place, node.initialiser)
        return place

    def declare(self, variable: t.Variable, initialiser: t.Initialiser | None) -> Steps[None]:
        """The declaration of a local object is reached."""
        self.lifetimes.declared(variable, is_initialised=initialiser is not None)
        if initialiser is not None:
            name = (variable.name, ()) if variable.name else None
            yield self.initialise(self.places.variable(variable), initialiser, name)

    def initialise(
        self, place: Place, initialiser: t.Initialiser, name: Name | None = None, *, is_zero: bool = False
    ) -> Steps[None]:
        """Give an object its first value; it may be known to be zero."""
        if not is_zero and not self._is_covered(place, initialiser):
            self.contents.make_zero(place)
        for item in initialiser.items:
            yield self._item(place, item, part_name(name, item.path))

    def _is_covered(self, place: Place, initialiser: t.Initialiser) -> bool:
        """Whether the items say everything about an object, so that nothing else is zero."""
        if initialiser.complete:
            return not isinstance(initialiser.items[0].value, t.StringLiteral)
        leaves = self.leaves.of(place.type)
        if any(leaf.dimensions for leaf in leaves) or any(_is_union(leaf.path, place.type) for leaf in leaves):
            return False
        given = {tuple(s.index for s in item.path if isinstance(s, c.Field)) for item in initialiser.items}
        return all(any(leaf.key[: len(key)] == key for key in given) for leaf in leaves)

    def _item(self, place: Place, item: t.InitialiserItem, name: Name | None) -> Steps[None]:
        part = self.places.part(place, item.path)
        if isinstance(item.value, t.StringLiteral):
            self.write_units(part, item.value, name)
            return
        mark = self.marks.mark()
        held: tuple[Expr, ...] = yield self.expressions.values(item.value)
        self.access.store_all(self.places.keep(part, mark), held, name=name)

    def write_units(self, place: Place, literal: t.StringLiteral, name: Name | None = None) -> None:
        """Write the units of a string to an array that is zero."""
        note = self.notes.written(name, string_text(literal.units), place.type)
        array = place.type
        assert isinstance(array, c.ArrayType)
        units = literal.units if array.length is None else literal.units[: array.length]
        values = [self.numbers.literal(unit, array.element) for unit in units]
        zero = self.numbers.zero(array.element)
        if isinstance(place, PlainPlace):
            var = place.variable
            new: Expr = var
            for n, value in enumerate(values):
                if value is not zero:
                    part = self.places.element_number(place, n)
                    assert isinstance(part, PlainPlace) and part.index is not None
                    new = store(new, [part.index], value)
            if new is not var:
                self.blocks.assign(var, new, note)
            return
        origin = self.blocks.origin
        self.blocks.origin = origin if note is None else origin.noted(note)
        for n, value in enumerate(values):
            if value is not zero:
                self.access.store(self.places.element_number(place, n), value)
                self.blocks.origin = origin
        self.blocks.origin = origin


def _is_union(path: tuple[tuple[c.RecordType, c.Field], ...], root: c.CType) -> bool:
    return isinstance(path[-1][1].type if path else root, c.RecordType)
