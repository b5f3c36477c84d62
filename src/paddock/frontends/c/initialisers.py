"""Initialisers in braces, resolved to the parts of the object that they give values to (C11 6.7.9).

A list may leave out inner braces, name members and elements, and jump back and forth:

    struct { int a[2]; struct p { int x, y; } q; } s = { 1, 2, 3, .q.y = 4 };

becomes `a[0] = 1, a[1] = 2, q.x = 3, q.y = 4`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from paddock.frontends.c.conversions import convert, value
from paddock.frontends.c.tree import Expression, Initialiser, InitialiserItem, StringLiteral
from paddock.frontends.c.types import ArrayType, CType, Field, IntType, Layout, RecordType, is_aggregate
from paddock.frozen import frozen, mutable, replace
from paddock.ir.origin import Origin

Path = tuple[Field | int, ...]


@frozen(eq=False)
class Braces:
    """A list in braces as it is written."""

    items: tuple[BracedItem, ...]
    origin: Origin


@frozen(eq=False)
class BracedItem:
    """A value in a list, with the members (by name) and elements (one or several) that stand before its `=`."""

    designators: tuple[str | range, ...]
    value: Expression | Braces


def resolve(type: CType, written: Expression | Braces, layout: Layout) -> Initialiser:
    """What an initialiser means for an object of this type."""
    whole = _whole(type, written)
    if whole is not None:
        return Initialiser((InitialiserItem((), _fitting(whole, type)),), complete=True)
    if isinstance(written, Expression) or not is_aggregate(type):
        return Initialiser(())  # an empty list, and so zero
    return Initialiser(tuple(_items(type, written, layout)))


def _whole(type: CType, written: Expression | Braces) -> Expression | None:
    """The expression that gives a value to all of an object, if there is one: perhaps in braces."""
    current = written
    while isinstance(current, Braces):
        if is_aggregate(type):
            first = current.items[0] if len(current.items) == 1 else None
            single = first.value if first and not first.designators else None
            return single if isinstance(single, Expression) and _is_string_for(single, type) else None
        if not current.items:
            return None
        current = current.items[0].value
    return current


def _is_string_for(expression: Expression, type: CType) -> bool:
    """Is it a string literal that fills an array of characters?"""
    return (
        isinstance(expression, StringLiteral)
        and isinstance(type, ArrayType)
        and isinstance(type.element, IntType)
        and isinstance(expression.type, ArrayType)
        and isinstance(expression.type.element, IntType)
        and expression.type.element.width == type.element.width
    )


def _fitting(expression: Expression, type: CType) -> Expression:
    """The value for a part of this type."""
    if _is_string_for(expression, type):
        assert isinstance(expression, StringLiteral) and isinstance(type, ArrayType)
        units = expression.units[: type.length] if type.length is not None else expression.units
        return replace(expression, type=ArrayType(type.element, len(units)), units=units)
    return convert(expression, type)


def _fills(expression: Expression, type: CType) -> bool:
    """Does an expression without braces give a value to all of a part of this type?"""
    if isinstance(type, ArrayType):
        return _is_string_for(expression, type)
    return not isinstance(type, RecordType) or value(expression).type is type


class _Walk:
    """A list and the part of its object that the next value is for: the innermost of a stack of arrays and records.

    The bottom of the stack is the object of the list itself, each level above it one whose braces were left out.
    """

    def __init__(self, type: CType, path: Path, braces: Braces, layout: Layout) -> None:
        self.items = _expanded(braces)
        self._layout = layout
        self._levels: list[_Level] = [_Level(type, path, self._parts(type))]

    def _parts(self, type: CType) -> tuple[Field, ...] | int | None:
        """The fields of a record; the number of elements of an array, None if it is not limited."""
        match type:
            case ArrayType(_, length):
                return length
            case RecordType():
                definition = self._layout.definition(type)
                return definition.fields if definition else ()
            case _:
                return None

    def _enter(self, type: CType, path: Path) -> None:
        self._levels.append(_Level(type, path, self._parts(type)))

    def go_to(self, designators: tuple[str | int, ...]) -> None:
        """Go where the designators say."""
        del self._levels[1:]
        for number, designator in enumerate(designators):
            if number:
                self._enter(*self.part())
            if isinstance(designator, int):
                self._levels[-1].position = designator
                continue
            record = self._levels[-1].type
            assert isinstance(record, RecordType)
            *anonymous, member = member_path(record, designator, self._layout)
            for field in anonymous:
                self._levels[-1].position = field.index
                self._enter(*self.part())
            self._levels[-1].position = member.index

    def find_part_for(self, expression: Expression | Braces) -> bool:
        """Go on to the part that a value without designators is for; false if nothing is left."""
        while self._levels[-1].is_full():
            if len(self._levels) == 1:
                return False
            self._levels.pop()
            self._levels[-1].position += 1
        return self.descend_for(expression)

    def descend_for(self, expression: Expression | Braces) -> bool:
        """Go to the first part of the current part that a value fills as a whole; false if there is none."""
        while isinstance(expression, Expression) and not _fills(expression, self.part()[0]):
            self._enter(*self.part())
            if self._levels[-1].is_full():
                self._levels.pop()
                return False
        return True

    def part(self) -> tuple[CType, Path]:
        """The type of the current part and the way to it."""
        return self._levels[-1].part()

    def step(self) -> None:
        self._levels[-1].position += 1


@mutable
class _Level:
    """An array or record, and the position in it."""

    type: CType
    path: Path
    parts: tuple[Field, ...] | int | None
    position: int = 0

    def is_full(self) -> bool:
        match self.parts:
            case None:
                return False
            case int(count):
                return self.position >= count
            case fields:
                # Only one member of a union gets a value: the first, or the one that is named.
                union = isinstance(self.type, RecordType) and self.type.union
                return self.position >= len(fields) or (union and self.position > 0)

    def part(self) -> tuple[CType, Path]:
        if isinstance(self.parts, tuple):
            field = self.parts[self.position]
            return field.type, (*self.path, field)
        assert isinstance(self.type, ArrayType)
        return self.type.element, (*self.path, self.position)


def _items(type: CType, braces: Braces, layout: Layout) -> Iterator[InitialiserItem]:
    """The values in the order in which they are written, without those that a later one replaces as a whole."""
    found: dict[Path, InitialiserItem] = {}
    touched: set[Path] = set()  # the parts of which something has a value
    walks = [_Walk(type, (), braces, layout)]
    while walks:
        walk = walks[-1]
        item = next(walk.items, None)
        if item is None:
            walks.pop()
            continue
        designators, written = item
        if designators:
            walk.go_to(designators)
        if not (walk.descend_for(written) if designators else walk.find_part_for(written)):
            continue  # there is no room for it: clang has warned
        part, path = walk.part()
        walk.step()
        if path in touched:
            found = {p: i for p, i in found.items() if p[: len(path)] != path}
        touched |= {path[:length] for length in range(1, len(path) + 1)}
        whole = _whole(part, written)
        if whole is not None:
            found[path] = InitialiserItem(path, _fitting(whole, part))
        elif isinstance(written, Braces) and is_aggregate(part):
            walks.append(_Walk(part, path, written, layout))
    return iter(found.values())


def _expanded(braces: Braces) -> Iterator[tuple[tuple[str | int, ...], Expression | Braces]]:
    """The items of a list, those that name several elements once for each of them."""
    for item in braces.items:
        choices: list[Sequence[str | int]] = [[d] if isinstance(d, str) else d for d in item.designators]
        for designators in product(*choices):
            yield designators, item.value


def member_path(record: RecordType, name: str, layout: Layout) -> list[Field]:
    """The way to a member: the anonymous structs and unions that it is in, then the member itself."""
    candidates: list[tuple[RecordType, list[Field]]] = [(record, [])]
    for current, way in candidates:  # grows while it is walked
        definition = layout.definition(current)
        for field in definition.fields if definition else ():
            if field.name == name:
                return [*way, field]
            if not field.name and isinstance(field.type, RecordType):
                candidates.append((field.type, [*way, field]))
    raise KeyError(name)
