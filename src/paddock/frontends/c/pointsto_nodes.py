"""Classes of memory: the union-find structure of the points-to analysis.

Steensgaard, "Points-to Analysis in Almost Linear Time" (POPL 1996), with members kept apart as in Lattner's data
structure analysis: a class stands for places that some pointer may reach alike; the class of a struct has one class
for each member. A class that is used as two different structs, or walked over byte by byte, is *collapsed*: its
members are one class.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from math import gcd

from paddock.frontends.c import types as c
from paddock.frontends.c.views import without_dimensions

ANY_LENGTH = 1 << 64  # bytes that are copied or filled, if nothing is known


class Node:
    """A class of places. Only what `Nodes.find` returns is to be looked at: the others have joined it."""

    __slots__ = (
        "accesses",
        "calls",
        "collapsed",
        "containers",
        "declared",
        "extent",
        "fields",
        "forward",
        "functions",
        "grain",
        "holds_integers",
        "holds_pointers",
        "holds_words",
        "is_dynamic",
        "is_static",
        "name",
        "number",
        "pointee",
        "reach",
        "record",
        "span",
        "views",
        "walked",
        "written",
    )

    def __init__(self, number: int, name: str) -> None:
        self.number = number  # in the order in which they are made
        self.name = name
        self.forward: Node | None = None
        self.record: c.RecordType | None = None  # what it is used as, if that is a struct
        self.fields: dict[int, Node] = {}
        self.containers: list[Node] = []  # the structs of which it is a member
        self.declared: c.CType | None = None  # of a member: its type, without dimensions
        self.extent: int | None = None  # of a member: its size in bytes, if it has one
        self.pointee: Node | None = None  # what pointers in these places point to
        self.collapsed = False
        self.accesses: dict[Hashable, int] = {}  # as what it is read and written, and the sizes in bytes
        self.views: dict[Hashable, None] = {}  # the types as which it is used, as `view_of` distinguishes them
        self.written = False  # something is, or may be, stored in these places
        # The types of elements over which pointers to it move, and whether some do freely: not only over those of an
        # array that is named there, which says how far they may go.
        self.walked: dict[c.CType, bool] = {}
        self.reach = 0  # how many bytes are copied or filled at once, at most
        self.span = 0  # the greatest common divisor of how many bytes are copied or filled at once
        self.grain = 0  # the greatest common divisor of all offsets within a collapsed class
        self.functions: dict[str, None] = {}
        self.calls: list[object] = []
        self.holds_pointers = False
        self.holds_integers = False
        self.holds_words = False  # integers as long as a pointer, or bytes
        self.is_static = False  # there is an object that lives as long as the program
        self.is_dynamic = False  # there is an object that comes to life at run time

    def __repr__(self) -> str:
        return f"<class {self.name} {self.number}>"


class Nodes:
    """All classes of a program."""

    def __init__(self, layout: c.Layout) -> None:
        self.layout = layout
        self._all: list[Node] = []

    def new(self, name: str) -> Node:
        node = Node(len(self._all), name)
        self._all.append(node)
        return node

    def roots(self) -> Iterator[Node]:
        """The classes that have not joined another, in the order in which they were made."""
        return (node for node in list(self._all) if node.forward is None)

    def find(self, node: Node) -> Node:
        """The class that a class has become part of."""
        root = node
        while root.forward is not None:
            root = root.forward
        while node.forward is not None:
            node.forward, node = root, node.forward
        return root

    def pointee(self, node: Node) -> Node:
        """What pointers in a class point to."""
        node = self.find(node)
        if node.pointee is None:
            node.pointee = self.new(f"{node.name}.target")
        return self.find(node.pointee)

    def as_record(self, node: Node, record: c.RecordType) -> Node:
        """The class of structs of a type, where objects of a class are used as such; one that has collapsed if they are
        also used as something else."""
        node = self.find(node)
        if record.union or node.collapsed:
            return node
        if node.record is None:
            node.record = record
        while node.record is not None and node.record is not record:
            first = struct_it_begins_with(node.record, self.layout)
            if first is None or not _begins_with(node.record, record, self.layout):
                self.collapse(node)
                return self.find(node)
            node, inner = self.field(node, node.record, first), without_dimensions(first.type)
            if node.record is None and not node.collapsed and isinstance(inner, c.RecordType):
                node.record = inner
        return node

    def is_object(self, node: Node, type_: c.CType) -> None:
        """There are objects of a type in a class."""
        type_ = without_dimensions(type_)
        if isinstance(type_, c.RecordType) and self.layout.definition(type_) is not None:
            self.as_record(node, type_)

    def access(self, node: Node, type_: c.CType, kind: Hashable, bit_field: c.Field | None) -> None:
        """A scalar of a type is read or written, which lies in memory as values of a kind do."""
        node = self.find(node)
        if bit_field is not None:
            node.accesses[("bits", bit_field.bit_offset % c.BYTE, kind)] = 0
        else:
            node.accesses[kind] = self.layout.size(type_)
        if isinstance(type_, c.PointerType):
            node.holds_pointers = True
        else:
            node.holds_integers = True
            # Whoever copies a pointer without saying so takes it for one number, or for bytes.
            node.holds_words |= self.layout.size(type_) in (1, self.layout.model.pointer_size)

    def step(self, node: Node, element: c.CType, distance: int, *, freely: bool) -> None:
        """Pointers to a class move over elements of a type, by multiples of a number of bytes."""
        node, element = self.find(node), without_dimensions(element)
        node.walked[element] = freely or node.walked.get(element, False)
        node.grain = gcd(node.grain, distance)

    def pointers_go_as_numbers(self, *, are_made: bool) -> bool:
        """Whether a pointer may get from one class to another as a number: one is read there, or numbers are made of
        pointers elsewhere, and one there is taken for a pointer."""
        carriers = sum(node.holds_pointers and node.holds_words for node in self.roots())
        return carriers > 1 or (carriers == 1 and are_made)

    def field(self, node: Node, record: c.RecordType, field: c.Field) -> Node:
        """The class of a member. The members of a union share the class of the union."""
        node = self.as_record(node, record)
        if node.record is not record:
            if not record.union:
                self._note_offsets(node, record)
            return node
        child = node.fields.get(field.index)
        if child is None:
            child = self.new(f"{record.key}.{field.name}" if field.name else f"{record.key}.{field.index}")
            child.containers.append(node)
            child.declared = without_dimensions(field.type)
            child.extent = extent_of(field.type, self.layout)
            node.fields[field.index] = child
        return self.find(child)

    def first_leaf(self, node: Node) -> Node | None:
        """The class of the scalar at the address of a struct; None if it begins with something else."""
        node = self.find(node)
        while node.record is not None:
            definition = self.layout.definition(node.record)
            if definition is None or not definition.fields or definition.fields[0].bit_width is not None:
                return None
            node = self.field(node, node.record, definition.fields[0])
        return node

    def hand_down_accesses(self, node: Node, first: Node) -> None:
        """Whoever reads and writes a struct as a scalar does so with its first one."""
        first.accesses.update(node.accesses)
        first.views.update((view, None) for view in node.views if not isinstance(view, c.RecordType))
        node.views = {}
        first.written |= node.written
        node.accesses = {}
        first.holds_pointers |= node.holds_pointers
        first.holds_integers |= node.holds_integers
        first.holds_words |= node.holds_words
        if node.pointee is not None:
            self.unify(node.pointee, self.pointee(first))

    def inside(self, node: Node) -> dict[Node, None]:
        """A class and those of its members."""
        return self._closure([node], over_pointers=False)

    def reachable(self, nodes: Iterable[Node]) -> dict[Node, None]:
        """The classes that can be reached from some by members and pointers."""
        return self._closure(nodes, over_pointers=True)

    def _closure(self, nodes: Iterable[Node], *, over_pointers: bool) -> dict[Node, None]:
        found: dict[Node, None] = {}
        stack = list(nodes)
        while stack:
            node = self.find(stack.pop())
            if node not in found:
                found[node] = None
                stack += node.fields.values()
                if over_pointers and node.pointee is not None:
                    stack.append(node.pointee)
        return found

    # --- joining -------------------------------------------------------------------------------------------

    def unify(self, a: Node, b: Node) -> None:
        """Make two classes one, and with them all that follows."""
        waiting = [(a, b)]
        while waiting:
            a, b = (self.find(node) for node in waiting.pop())
            if a is b:
                continue
            if b.number < a.number:
                a, b = b, a
            self._join(a, b, waiting)

    def _join(self, a: Node, b: Node, waiting: list[tuple[Node, Node]]) -> None:
        """Let `b` become part of `a`."""
        differ = a.record is not None and b.record is not None and a.record is not b.record
        if a.collapsed or b.collapsed or differ:
            waiting += [(a, child) for node in (a, b) for child in self._opened(node)]
            a.collapsed = True
        elif a.record is None:
            a.record, a.fields = b.record, b.fields
        else:
            for index, child in b.fields.items():
                if index in a.fields:
                    waiting.append((a.fields[index], child))
                else:
                    a.fields[index] = child
        b.forward = a
        a.accesses.update(b.accesses)
        a.views.update(b.views)
        a.walked.update({type_: freely or a.walked.get(type_, False) for type_, freely in b.walked.items()})
        a.functions.update(b.functions)
        a.calls += b.calls
        a.containers += b.containers
        a.grain = gcd(a.grain, b.grain)
        a.reach = max(a.reach, b.reach)
        a.span = gcd(a.span, b.span)
        a.declared = a.declared or b.declared
        a.extent = min((e for e in (a.extent, b.extent) if e is not None), default=None)
        for flag in ("holds_pointers", "holds_integers", "holds_words", "is_static", "is_dynamic", "written"):
            setattr(a, flag, getattr(a, flag) or getattr(b, flag))
        if b.pointee is not None:
            if a.pointee is not None:
                waiting.append((a.pointee, b.pointee))
            else:
                a.pointee = b.pointee

    def collapse(self, node: Node) -> None:
        """Make a class one with those of its members."""
        node = self.find(node)
        if node.collapsed:
            return
        children = list(self._opened(node))
        node.collapsed = True
        for child in children:
            self.unify(node, child)

    def check_use(self, node: Node) -> bool:
        """Collapse a class if it is used in ways that do not fit."""
        if node.record is not None:
            if is_cut(node, self.layout) or any(type_ is not node.record for type_ in node.walked):
                self.collapse_outermost(node)
                return True
            if node.accesses:
                first = self.first_leaf(node)
                if first is None or (first.accesses and first.accesses.keys() != node.accesses.keys()):
                    self.collapse(node)
                    return True
                self.hand_down_accesses(node, first)
                return True
        return False

    def collapse_outermost(self, node: Node) -> None:
        """Collapse all structs that a class is part of, and itself: a pointer leaves the member that it points to."""
        seen: set[Node] = set()
        stack = [node]
        while stack:
            inner = self.find(stack.pop())
            if inner in seen:
                continue
            seen.add(inner)
            stack += inner.containers
            inner.containers = []
            self.collapse(inner)

    def _opened(self, node: Node) -> Iterable[Node]:
        """The members of a class that is about to collapse; where they lie is noted in its grain."""
        if node.record is not None:
            self._note_offsets(node, node.record)
        children = list(node.fields.values())
        node.record, node.fields = None, {}
        return children

    def _note_offsets(self, node: Node, record: c.RecordType) -> None:
        """A class is used as a struct and as something else: its scalars lie where the struct has members."""
        definition = self.layout.definition(record)
        if definition is not None:
            node.grain = gcd(node.grain, definition.size, *(f.offset for f in definition.fields))


def extent_of(type_: c.CType, layout: c.Layout) -> int | None:
    try:
        return layout.size(type_)
    except ValueError:
        return None


def _begins_with(outer: c.RecordType, record: c.RecordType, layout: c.Layout) -> bool:
    """Whether a struct begins with another one: both have the same address."""
    inner: c.CType = outer
    while inner is not record:
        first = struct_it_begins_with(inner, layout)
        if first is None:
            return False
        inner = without_dimensions(first.type)
    return True


def struct_it_begins_with(record: c.CType, layout: c.Layout) -> c.Field | None:
    """The first member of a struct, if that is a struct."""
    definition = layout.definition(record) if isinstance(record, c.RecordType) else None
    if definition is None or not definition.fields or definition.fields[0].offset:
        return None
    inner = without_dimensions(definition.fields[0].type)
    return definition.fields[0] if isinstance(inner, c.RecordType) and not inner.union else None


def is_cut(node: Node, layout: c.Layout) -> bool:
    """Whether structs may be copied or filled in part."""
    definition = layout.definition(node.record) if node.record is not None else None
    return definition is not None and definition.size > 0 and node.span % definition.size != 0
