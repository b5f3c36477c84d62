"""Pointers from outside as values: which addresses they may be.

The points-to analysis puts all that such a pointer may point to in one class (`pointsto_outside.py`). It points to no
other object of the program, so its value must not be the address of one. To say so is cheap: where there are pointers
from outside, all objects of the program lie in one stretch of addresses, `PROGRAM`, and in it those that one of these
pointers may meet lie side by side, first those that live as long as the program. What is outside of the stretch is
null, memory of the pointer's own, or no memory at all. Of a few objects, those parts are named that have the type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import number
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import conjunction, disjunction, equal
from paddock.frontends.c.memory_space import ANY_LENGTH, Stretch
from paddock.frontends.c.pointsto_classes import Classes, MemoryClass
from paddock.frontends.c.views import CHARACTER, view_of
from paddock.frozen import field, frozen, mutable
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Expr

# Where objects lie if there are pointers from outside, by the size of pointers: addresses that no program writes down.
PROGRAM = {
    4: Stretch(0x8000_0000, 0x9000_0000, 0xC000_0000, 0xF000_0000),
    8: Stretch(1 << 62, 9 << 59, 3 << 61, 1 << 63),
}


MOST_POSITIONS = 16  # in objects that are looked at one by one


@frozen
class Placed:
    """An object with a constant address, and the classes of its parts."""

    address: int
    type: c.CType
    parts: frozenset[MemoryClass]


@frozen
class Span:
    """The addresses of objects that pointers to one class may meet: all, and those before `lasting` live as long as the
    program. `objects` are what lies there."""

    start: int
    lasting: int
    end: int
    objects: tuple[Placed, ...]


@mutable
class OutsidePointers:
    """Says of pointers from outside what they may be."""

    numbers: Numbers
    pointsto: Classes
    stretch: Stretch
    spans: dict[int, Span] = field(default_factory=dict)  # by the families that pointers from outside may meet
    made_at_run_time: set[int] = field(default_factory=set)  # families with objects that come to life at run time

    def may_be(self, pointer: Expr, class_: MemoryClass, target: c.CType, *, at_start: bool, top: Expr | None) -> Expr:
        """Where a pointer from outside to a class may point, if what it points to should be of a type. At the start of
        the program, only objects that live as long as it are there. `top` is the end of the objects that have come to
        life at run time, if they matter."""
        family = self.pointsto.family(class_)
        if class_ not in self.pointsto.arbitrary or class_ in self.pointsto.as_numbers:
            return TRUE
        allowed = self.is_apart(pointer)
        span = self.spans.get(family)
        if span is not None:
            allowed = disjunction(allowed, self._is_in(pointer, span, class_, target, at_start=at_start))
        if top is not None:
            below = self.numbers.addresses.less(pointer, top)
            allowed = disjunction(allowed, conjunction(self._from(pointer, self.stretch.run_time), below))
        return allowed

    def _is_in(self, pointer: Expr, span: Span, class_: MemoryClass, target: c.CType, *, at_start: bool) -> Expr:
        """A pointer to a class points to a part of some object that has the type of its target, or just behind it; or
        anywhere in an object that has no such part but may hold such a thing all the same."""
        layout, end = self.pointsto.layout, span.lasting if at_start else span.end
        parts: list[Expr] = []
        for placed in span.objects:
            if placed.address >= end or class_ not in placed.parts:
                continue
            offsets, size = positions(placed.type, target, layout), layout.known_size(placed.type) or ANY_LENGTH
            if offsets:
                parts += [equal(pointer, self.numbers.address(placed.address + offset)) for offset in offsets]
            elif may_hold(placed.type, target, layout):
                parts.append(self._between(pointer, placed.address, placed.address + size + 1))
            if len(parts) > MOST_POSITIONS:
                return self._between(pointer, span.start, end)
        nowhere: Expr = FALSE
        return reduce(disjunction, parts, nowhere)

    def cannot_meet(self, a: MemoryClass, b: MemoryClass) -> bool:
        """Whether pointers to two classes, one of them from outside, are equal only if they point to no object."""
        known = self.pointsto
        families = known.family(a), known.family(b)
        if families[0] == families[1] or a in known.as_numbers or b in known.as_numbers:
            return False
        return any(family in self.spans for family in families)

    def is_apart(self, pointer: Expr) -> Expr:
        """A pointer points to no object of the program."""
        value = number(pointer)
        if value is not None:
            return FALSE if self.stretch.start <= value < self.stretch.end else TRUE
        below = self.numbers.addresses.less(pointer, self.numbers.address(self.stretch.start))
        return disjunction(below, self._from(pointer, self.stretch.end))

    def _from(self, pointer: Expr, start: int) -> Expr:
        address = self.numbers.address(start)
        return self.numbers.addresses.at_least(pointer, address)

    def _between(self, pointer: Expr, start: int, end: int) -> Expr:
        if start == end:
            return FALSE
        below = self.numbers.addresses.less(pointer, self.numbers.address(end))
        return conjunction(self._from(pointer, start), below)


def may_hold(type_: c.CType, target: c.CType, layout: c.Layout) -> bool:
    """Whether something of a type may be in an object that was declared with another type and names no such part: not a
    number in an object of numbers of other types (C11 6.5, 7). Characters, pointers and unions may hold anything."""
    if not c.is_arithmetic(target) or view_of(target) is CHARACTER:
        return True
    leaves, stack = set(), [type_]
    while stack:
        part = stack.pop()
        if isinstance(part, c.ArrayType):
            stack.append(part.element)
            continue
        definition = layout.definition(part) if isinstance(part, c.RecordType) else None
        if isinstance(part, c.RecordType) and not part.union and definition is not None:
            stack += [member.type for member in definition.fields]
            continue
        leaves.add(view_of(part) if c.is_arithmetic(part) else CHARACTER)
    return CHARACTER in leaves or view_of(target) in leaves


def positions(type_: c.CType, target: c.CType, layout: c.Layout) -> list[int]:
    """Where in an object of a type there is something of another type, or just behind such a thing; nothing if that may
    be anywhere, or if there are many such places."""
    wanted = view_of(target)
    if wanted is CHARACTER or isinstance(wanted, c.VoidType | c.FunctionType):
        return []
    found: dict[int, None] = {}
    stack = [(type_, 0)]
    while stack:
        part, offset = stack.pop()
        if len(found) + len(stack) > 4 * MOST_POSITIONS or layout.known_size(part) is None:
            return []
        if isinstance(part, c.ArrayType):
            length, size = part.length or 0, layout.known_size(part.element) or 0
            if length > MOST_POSITIONS:
                return []
            stack += [(part.element, offset + n * size) for n in range(length)]
            continue
        if view_of(part) == wanted:
            found |= {offset: None, offset + (layout.known_size(part) or 0): None}
        definition = layout.definition(part) if isinstance(part, c.RecordType) else None
        if definition is not None:
            stack += [(member.type, offset + member.offset) for member in definition.fields]
    return sorted(found)


def families_of(
    pointsto: Classes, lasting: Iterable[t.Variable | t.StringLiteral], locals_: Iterable[t.Variable]
) -> Mapping[int, tuple[list[t.Variable | t.StringLiteral], list[t.Variable]]]:
    """The objects with constant addresses that pointers from outside may point to: those that live as long as the
    program, and the others."""
    families: dict[int, tuple[list[t.Variable | t.StringLiteral], list[t.Variable]]] = {}
    for class_ in sorted(pointsto.arbitrary, key=lambda class_: class_.number):
        families.setdefault(pointsto.family(class_), ([], []))
    for object_ in lasting:
        if (family := pointsto.family(parts_of(pointsto, object_)[0])) in families:
            families[family][0].append(object_)
    for variable in locals_:
        if (family := pointsto.family(pointsto.variable(variable))) in families:
            families[family][1].append(variable)
    return families


def parts_of(pointsto: Classes, object_: t.Variable | t.StringLiteral) -> list[MemoryClass]:
    """The classes of an object and of its parts, that of the whole first."""
    whole = pointsto.variable(object_) if isinstance(object_, t.Variable) else pointsto.location(object_)
    return whole.inside()
