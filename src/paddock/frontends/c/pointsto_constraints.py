"""What accesses and assignments say about classes of memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import gcd

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.memory_leaves import Leaf, is_union_bits, storage_type
from paddock.frontends.c.pointsto_nodes import ANY_LENGTH, Node
from paddock.frontends.c.pointsto_tables import Tables
from paddock.frontends.c.pointsto_tree import (
    before_pointer_conversions,
    divisor_of,
    may_point,
    unconverted,
)
from paddock.frontends.c.views import CHARACTER, view_of, without_dimensions
from paddock.frozen import frozen


@frozen
class Constraints:
    """Notes accesses, and unifies what values flow between; `kind` says as what values of a type lie in memory."""

    tables: Tables
    kind: Callable[[c.CType], Hashable]

    def access(self, node: Node, type_: c.CType, bit_field: c.Field | None = None) -> None:
        """Note that a scalar of a type is read or written."""
        self.tables.nodes.access(
            node, type_, self.kind(type_ if bit_field is None else storage_type(bit_field)), bit_field
        )
        if bit_field is None:
            self.tables.nodes.find(node).views[view_of(type_)] = None

    def access_leaf(self, node: Node, leaf: Leaf) -> Node:
        node = self.tables.leaf(node, leaf)
        self.access(node, leaf.type, leaf.path[-1][1] if leaf.is_bit_field else None)
        return node

    def load(self, node: t.Expression, place: Node, bit_field: c.Field | None = None) -> None:
        """The value of an expression is what lies at a place."""
        match node.type:
            case c.PointerType():
                self.access(place, node.type)
                self.tables.targets[node] = self.tables.nodes.pointee(place)
            case c.RecordType():
                for leaf in self.tables.leaves.of(node.type):
                    self.access_leaf(place, leaf)
                self.tables.targets[node] = self.tables.nodes.find(place)
            case _ if c.is_scalar(node.type):
                self.access(place, node.type, bit_field)

    def assign(self, place: Node, type_: c.CType, value: t.Expression, bit_field: c.Field | None = None) -> None:
        """A value is written to a place. It may be of another type if it is an argument of a call through a pointer."""
        self.tables.nodes.find(place).written = True
        match type_:
            case c.PointerType():
                self.access(place, type_)
                if may_point(value.type):
                    self.tables.nodes.unify(self.tables.nodes.pointee(place), self.tables.target(value))
                elif c.is_integer(value.type):
                    self.tables.nodes.unify(self.tables.nodes.pointee(place), self.tables.exposed_places())
            case c.RecordType():
                self.same(type_, place, self.tables.target(value))
            case c.ArrayType(element):  # a string
                self.access(place, element)
                self.step(place, element)
            case _ if c.is_scalar(type_):
                self.access(place, type_, bit_field)
                if isinstance(value.type, c.PointerType):
                    self.tables.to_integers.append(self.tables.target(value))

    def same(self, type_: c.CType, a: Node, b: Node) -> None:
        """Two values of a type flow to the same places: pointers by their targets, structs by their places."""
        if isinstance(type_, c.PointerType):
            self.tables.nodes.unify(a, b)
        elif isinstance(type_, c.RecordType):
            for leaf in self.tables.leaves.of(type_):
                one, other = self.access_leaf(a, leaf), self.access_leaf(b, leaf)
                if not c.is_arithmetic(leaf.type) or is_union_bits(leaf.type):
                    self.tables.nodes.unify(self.tables.nodes.pointee(one), self.tables.nodes.pointee(other))

    def initialise(self, place: Node, type_: c.CType, initialiser: t.Initialiser) -> None:
        for item in initialiser.items:
            part, part_type, last = place, type_, None
            for step in item.path:
                if isinstance(step, c.Field):
                    assert isinstance(part_type, c.RecordType)
                    part, part_type = self.tables.nodes.field(part, part_type, step), step.type
                    last = step
                else:
                    assert isinstance(part_type, c.ArrayType | c.VariableArrayType)
                    part_type, last = part_type.element, None
                    self.step(part, part_type, step)
            bit_field = last if last is not None and last.bit_width is not None else None
            self.assign(part, part_type, item.value, bit_field)

    def move(self, node: Node, element: c.CType, index: t.Expression, *, freely: bool) -> None:
        """A pointer to a class moves over elements of a type; freely if they are not those of an array that is named
        there, which says how far it may go."""
        index = unconverted(index)
        count = index.value if isinstance(index, t.IntegerConstant) else 1
        self.step(node, element, count, freely=freely and count != 0)

    def step(self, node: Node, element: c.CType, count: int = 1, *, freely: bool = False) -> None:
        """As many elements of a type lie between places of a class."""
        self.tables.nodes.step(node, element, self.tables.leaves.stride(element) * count, freely=freely)

    def use_whole(self, pointer: t.Expression) -> Hashable:
        """What a pointer points to is used as what the type of the pointer says; the view of that, if it is one."""
        node, pointer = self.tables.target(pointer), before_pointer_conversions(pointer)
        if not isinstance(pointer.type, c.PointerType):
            return None
        view = view_of(without_dimensions(pointer.type.target))
        if view is not CHARACTER and not isinstance(view, c.VoidType | c.FunctionType):
            node.views[view] = None
        return view

    def access_bytes(self, pointer: t.Expression, length: t.Expression) -> None:
        """As many bytes are read or written from a pointer up, perhaps more than what it points to has."""
        if not isinstance(pointer.type, c.PointerType):
            return
        node, length = self.tables.target(pointer), unconverted(length)
        node.reach = max(node.reach, length.value if isinstance(length, t.IntegerConstant) else ANY_LENGTH)
        node.span = gcd(node.span, divisor_of(length))
        pointer = before_pointer_conversions(pointer)
        if isinstance(pointer.type, c.PointerType):
            self.tables.nodes.is_object(node, pointer.type.target)
