"""The places that expressions are: variables, what pointers point to, elements, members; and objects for values."""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.lowering.access import Access
from paddock.frontends.c.lowering.constants import ConstantAddresses
from paddock.frontends.c.lowering.expressions import Expressions, Handlers, nothing
from paddock.frontends.c.lowering.marks import Marks
from paddock.frontends.c.lowering.moves import check_index, check_moved
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.objects import Objects
from paddock.frontends.c.lowering.places import MemoryPlace, Place, Places, PlainPlace, is_place
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.pointsto_classes import Classes
from paddock.frozen import frozen
from paddock.ir.expr import Expr

Kind = t.ConversionKind


@frozen
class Lvalues:
    """Finds the places of expressions."""

    expressions: Expressions
    access: Access
    places: Places
    objects: Objects
    variables: Variables
    constants: ConstantAddresses
    marks: Marks
    notes: Notes
    numbers: Numbers
    pointsto: Classes

    def handlers(self) -> Handlers:
        return Handlers(
            values={t.Member: self._member_values},
            effects={
                **dict.fromkeys((t.VariableUse, t.FunctionUse, t.StringLiteral), nothing),
                **dict.fromkeys((t.Dereference, t.Index, t.Member, t.CompoundLiteral), self._dropped),
            },
            places={
                t.VariableUse: self._variable,
                t.StringLiteral: self._string,
                t.Dereference: self._dereference,
                t.Index: self._index,
                t.Member: self._member,
                t.Expression: self._temporary,
            },
        )

    def _variable(self, node: t.VariableUse) -> Steps[Place]:
        return self.places.variable(node.variable)
        yield

    def _string(self, node: t.StringLiteral) -> Steps[Place]:
        return MemoryPlace(self.constants.string(node), self.pointsto.location(node), node.type)
        yield

    def _dereference(self, node: t.Dereference) -> Steps[Place]:
        match node.pointer:
            case t.Conversion(kind=Kind.DECAY, operand=array):
                outer: Place = yield self.expressions.place(array)
                return self.places.element(outer, node.type, self.numbers.address(0), self.numbers.address_type)
            case pointer:
                address: Expr = yield self.expressions.value(pointer)
                return MemoryPlace(address, self.pointsto.target(pointer), node.type, pointer=address)

    def _index(self, node: t.Index) -> Steps[Place]:
        index = node.index
        match node.pointer:
            case t.Conversion(kind=Kind.DECAY, operand=array):
                outer: Place = yield self.expressions.place(array)
                mark = self.marks.mark()
                number: Expr = yield self.expressions.value(index)
                self.notes.indices[index] = number
                check_index(self.objects, array.type, number, node)
                return self.places.element(self.places.keep(outer, mark), node.type, number, index.type)
            case pointer:
                address, number = yield self.expressions.both(pointer, index)
                self.notes.indices[index] = number
                offset, size = self.numbers.offset(number, index.type), self.places.size_of(node.type)
                moved = self.numbers.addresses.element(address, offset, size)
                check_moved(self.objects, address, moved, (offset, size), node)
                return MemoryPlace(moved, self.pointsto.target(pointer), node.type, pointer=address)

    def _member(self, node: t.Member) -> Steps[Place]:
        outer: Place = yield self.expressions.place(node.record)
        return self.places.member(outer, node.record.type, node.field)

    def _member_values(self, node: t.Member) -> Steps[tuple[Expr, ...]]:
        place: Place = yield self.expressions.place(node)
        return self.access.load_all(place)

    def _temporary(self, node: t.Expression) -> Steps[Place]:
        """A new object that holds the value of an expression; a plain one, unless a pointer to a part of it is made."""
        held: tuple[Expr, ...] = yield self.expressions.values(node)
        type_ = node.type
        place: Place = PlainPlace(self.variables.new_plain("value.1", type_, self.marks.blocks.origin), type_)
        if node in self.pointsto.values_in_memory:
            address = self.marks.blocks.locals.temporary(self.numbers.addresses.type, "value")
            self.objects.allocate(address, self.places.size_of(type_), heap=False, shown=type_)
            place = MemoryPlace(address, self.pointsto.target(node), type_, is_variable=True)
        self.access.store_all(place, held)
        return place

    def _dropped(self, node: t.Expression) -> Steps[None]:
        """What is read and dropped is read all the same."""
        if not is_place(node):
            yield self.expressions.values(node)
            return
        place: Place = yield self.expressions.place(node)
        if c.is_scalar(node.type) or isinstance(node.type, c.RecordType):
            self.access.check(place, node)
