"""Pointers from outside as values: which addresses they may be.

The points-to analysis puts all that such a pointer may point to in one class (`pointsto_outside.py`). It points to no
other object of the program, so its value must not be the address of one. To say so is cheap: where there are pointers
from outside, all objects of the program lie in one stretch of addresses, `PROGRAM`, and in it those that one of these
pointers may meet lie side by side, first those that live as long as the program. What is outside of the stretch is
null, memory of the pointer's own, or no memory at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from paddock.c import tree as t
from paddock.c.lower_numbers import Numbers, number
from paddock.c.lower_terms import conjunction, disjunction
from paddock.c.memory import Stretch
from paddock.c.pointsto_classes import Classes, MemoryClass
from paddock.c.tree import BinaryOperator as B
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Expr

# Where objects lie if there are pointers from outside, by the size of pointers: addresses that no program writes down.
PROGRAM = {
    4: Stretch(0x8000_0000, 0x9000_0000, 0xC000_0000, 0xF000_0000),
    8: Stretch(1 << 62, 9 << 59, 3 << 61, 1 << 63),
}


@dataclass(frozen=True, slots=True)
class Span:
    """The addresses of objects that pointers to one class may meet: all, and those before `lasting` live as long as the
    program."""

    start: int
    lasting: int
    end: int


@dataclass(slots=True)
class OutsidePointers:
    """Says of pointers from outside what they may be."""

    numbers: Numbers
    pointsto: Classes
    stretch: Stretch
    spans: dict[int, Span] = field(default_factory=dict)  # by family
    made_at_run_time: set[int] = field(default_factory=set)  # families with objects that come to life at run time

    def may_be(self, pointer: Expr, class_: MemoryClass, *, at_start: bool, top: Expr | None) -> Expr:
        """Where a pointer from outside to a class may point. At the start of the program, only objects that live as
        long as it are there. `top` is the end of the objects that have come to life at run time, if they matter."""
        family = self.pointsto.family(class_)
        if class_ not in self.pointsto.arbitrary or class_ in self.pointsto.as_numbers:
            return TRUE
        allowed = self.is_apart(pointer)
        span = self.spans.get(family)
        if span is not None:
            allowed = disjunction(allowed, self._between(pointer, span.start, span.lasting if at_start else span.end))
        if top is not None:
            below = self.numbers.whole_compare(B.LESS, pointer, top, self.numbers.address_type)
            allowed = disjunction(allowed, conjunction(self._from(pointer, self.stretch.run_time), below))
        return allowed

    def cannot_meet(self, a: MemoryClass, b: MemoryClass) -> bool:
        """Whether pointers to two classes, one of them from outside, are equal only if they point to no object."""
        known = self.pointsto
        if known.family(a) == known.family(b) or a in known.as_numbers or b in known.as_numbers:
            return False
        return a in known.arbitrary or b in known.arbitrary

    def is_apart(self, pointer: Expr) -> Expr:
        """A pointer points to no object of the program."""
        value = number(pointer)
        if value is not None:
            return FALSE if self.stretch.start <= value < self.stretch.end else TRUE
        type_ = self.numbers.address_type
        below = self.numbers.whole_compare(B.LESS, pointer, self.numbers.address(self.stretch.start), type_)
        return disjunction(below, self._from(pointer, self.stretch.end))

    def _from(self, pointer: Expr, start: int) -> Expr:
        address = self.numbers.address(start)
        return self.numbers.whole_compare(B.GREATER_EQUAL, pointer, address, self.numbers.address_type)

    def _between(self, pointer: Expr, start: int, end: int) -> Expr:
        if start == end:
            return FALSE
        below = self.numbers.whole_compare(B.LESS, pointer, self.numbers.address(end), self.numbers.address_type)
        return conjunction(self._from(pointer, start), below)


def families_of(
    pointsto: Classes, lasting: Iterable[t.Variable | t.StringLiteral], locals_: Iterable[t.Variable]
) -> Mapping[int, tuple[list[t.Variable | t.StringLiteral], list[t.Variable]]]:
    """The objects with constant addresses that pointers from outside may point to: those that live as long as the
    program, and the others."""
    families: dict[int, tuple[list[t.Variable | t.StringLiteral], list[t.Variable]]] = {}
    for class_ in sorted(pointsto.arbitrary, key=lambda class_: class_.number):
        families.setdefault(pointsto.family(class_), ([], []))
    for object_ in lasting:
        class_ = pointsto.variable(object_) if isinstance(object_, t.Variable) else pointsto.location(object_)
        if (family := pointsto.family(class_)) in families:
            families[family][0].append(object_)
    for variable in locals_:
        if (family := pointsto.family(pointsto.variable(variable))) in families:
            families[family][1].append(variable)
    return families
