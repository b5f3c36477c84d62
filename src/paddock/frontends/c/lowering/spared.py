"""What no function without a body changes: string literals, `const` objects, and objects whose address stays inside.

Such a function may change all that is in a class of memory that its arguments reach. Where a class has objects that it
cannot change, they keep what they hold:

    mem := (lambda a :: if a is in such an object then mem[a] else fresh[a])

A class that has no others is not changed at all.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import choice, disjunction
from paddock.frontends.c.lowering.constants import ConstantAddresses
from paddock.frontends.c.lowering.outside import parts_of
from paddock.frontends.c.memory import Cell
from paddock.frontends.c.memory_ranges import bound_address, within
from paddock.frontends.c.pointsto_classes import Classes, MemoryClass
from paddock.ir.build import FALSE, binder, select
from paddock.ir.expr import Expr, Quantifier

Object = t.Variable | t.StringLiteral


def is_unchangeable(object_: Object) -> bool:
    """Whether C forbids to change an object (6.4.5, 6.7.3)."""
    return isinstance(object_, t.StringLiteral) or (object_.const and not object_.volatile)


class Spared:
    """The objects with constant addresses that functions without a body do not change, by classes of memory.

    `objects` are all that have constant addresses, those of `inside` are not known outside, and classes of `others` may
    have objects with other addresses.
    """

    def __init__(
        self,
        constants: ConstantAddresses,
        numbers: Numbers,
        pointsto: Classes,
        objects: Iterable[Object],
        inside: Container[t.Variable],
        others: Iterable[MemoryClass],
    ) -> None:
        self._constants, self._numbers, self._layout = constants, numbers, pointsto.layout
        self._kept: dict[MemoryClass, list[Object]] = {}
        self._changed = set(others)
        for object_ in objects:
            is_kept = is_unchangeable(object_) or object_ in inside
            for class_ in parts_of(pointsto, object_):
                if is_kept:
                    self._kept.setdefault(class_, []).append(object_)
                else:
                    self._changed.add(class_)

    def has_only(self, cell: Cell) -> bool:
        """Whether nothing else is in a class."""
        return cell.node in self._kept and cell.node not in self._changed

    def has_some(self, cell: Cell) -> bool:
        """Whether there are such objects in a class."""
        return cell.node in self._kept

    def after(self, cell: Cell, fresh: Expr) -> Expr:
        """The map of a class, with fresh entries for all that may change."""
        numbers = self._numbers
        bound = bound_address(numbers.addresses.type)
        is_kept: Expr = FALSE
        for start, end in self._ranges(self._kept[cell.node]):
            inside = within(bound, numbers.address(start), numbers.address(end - start), numbers)
            is_kept = disjunction(is_kept, inside)
        return binder(Quantifier.LAMBDA, [bound], choice(is_kept, select(cell.map, bound), select(fresh, bound)))

    def _ranges(self, objects: Sequence[Object]) -> list[tuple[int, int]]:
        """Where objects lie, each up to where the next one may start; those side by side are one."""
        ranges = list[tuple[int, int]]()
        spacing = self._constants.space.spacing
        for start, size in sorted((self._constants.number(o), self._layout.known_size(o.type) or 0) for o in objects):
            end = start + -(-size // spacing) * spacing
            if ranges and ranges[-1][1] == start:
                ranges[-1] = ranges[-1][0], end
            elif size:
                ranges.append((start, end))
        return ranges
