"""The scalars that an object is made of: its leaves.

    struct { int n; struct { char c; float f[3]; } s[2]; }     n: int    s.c: char, 2 times    s.f: float, 2 × 3 times

A leaf is reached by members alone; the arrays on the way are its dimensions. A struct value is the tuple of the
values of its leaves, where one with dimensions is a map from the numbers of its elements. A union is one leaf: its
bits.
"""

from __future__ import annotations

from functools import cached_property

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import bits_type
from paddock.frozen import frozen, replace

LARGEST_PLAIN_UNION = 16  # bytes; larger ones are kept in memory

Step = tuple[c.RecordType, c.Field]


@frozen
class Dimension:
    """An array that a leaf is in. The length is not known if it is None, and that of a hidden variable if it is a
    name."""

    length: int | str | None
    stride: int  # bytes from one element to the next; 0 where the elements have a variable size
    element: c.CType


@frozen(caches=True)
class Leaf:
    """A scalar in an object, or as many of them as its dimensions say."""

    path: tuple[Step, ...]
    type: c.CType  # what is stored: for a bit-field, an integer as wide as it
    dimensions: tuple[Dimension, ...]
    bit_offset: int  # of the first one, from the start of the object

    @property
    def offset(self) -> int:
        return self.bit_offset // c.BYTE

    @cached_property
    def key(self) -> tuple[int, ...]:
        """What tells it from the other leaves of its object."""
        return tuple(field.index for _, field in self.path)

    @property
    def count(self) -> int | None:
        """How many there are; None if that is not known here."""
        count = 1
        for dimension in self.dimensions:
            if not isinstance(dimension.length, int):
                return None
            count *= dimension.length
        return count

    @property
    def is_bit_field(self) -> bool:
        return bool(self.path) and self.path[-1][1].bit_width is not None


def is_union_bits(type_: c.CType) -> bool:
    """Whether a leaf of this type is a whole union."""
    return isinstance(type_, c.IntType) and type_.rank == 0


def storage_type(field: c.Field) -> c.CType:
    """The type of what a member holds: that of a bit-field is as narrow as it says."""
    if field.bit_width is None or isinstance(field.type, c.BoolType):
        return field.type
    declared = field.type.underlying if isinstance(field.type, c.EnumType) else field.type
    assert isinstance(declared, c.IntType)
    return replace_width(declared, field.bit_width)


def leaf_name(base: str, leaf: Leaf) -> str:
    """What a leaf of something with a name is called."""
    return ".".join([base, *(f.name or str(f.index) for _, f in leaf.path)])


def replace_width(type_: c.IntType, width: int) -> c.IntType:
    return type_ if type_.width == width else c.IntType(type_.name, width, type_.signed, type_.rank)


class Leaves:
    """The leaves of types, each worked out once."""

    def __init__(self, layout: c.Layout) -> None:
        self.layout = layout
        self._of: dict[c.CType, tuple[Leaf, ...]] = {}
        self._plain: dict[c.CType, bool] = {}

    def of(self, type_: c.CType) -> tuple[Leaf, ...]:
        """The leaves of a type, in the order of their places."""
        if type_ not in self._of:
            self._of[type_] = tuple(self._walk(type_))
        return self._of[type_]

    def _walk(self, root: c.CType) -> list[Leaf]:
        found: list[Leaf] = []
        stack: list[tuple[Leaf, c.CType]] = [(Leaf((), root, (), 0), root)]
        while stack:
            leaf, type_ = stack.pop()
            match type_:
                case c.ArrayType(element, length):
                    inner = Dimension(length, self.stride(element), element)
                    stack.append((replace(leaf, dimensions=(*leaf.dimensions, inner)), element))
                case c.VariableArrayType(element, name):
                    inner = Dimension(name, self.stride(element), element)
                    stack.append((replace(leaf, dimensions=(*leaf.dimensions, inner)), element))
                case c.RecordType(union=False) if (definition := self.layout.definition(type_)) is not None:
                    for field in reversed(definition.fields):
                        path = (*leaf.path, (type_, field))
                        offset = leaf.bit_offset + field.bit_offset
                        stack.append((replace(leaf, path=path, bit_offset=offset), storage_type(field)))
                case c.RecordType() if (definition := self.layout.definition(type_)) is not None:
                    if definition.size:
                        found.append(replace(leaf, type=bits_type(definition.size * c.BYTE)))
                case _:
                    found.append(replace(leaf, type=type_))
        return found

    def stride(self, element: c.CType) -> int:
        """The size of an element of an array; 0 where it is known only at run time."""
        count = 1
        while isinstance(element, c.ArrayType):
            if element.length is None:
                return 0
            count *= element.length
            element = element.element
        return 0 if isinstance(element, c.VariableArrayType) else count * self.layout.size(element)

    def is_plain(self, type_: c.CType) -> bool:
        """Whether an object of this type can be kept in variables, one for each leaf."""
        if type_ not in self._plain:
            self._plain[type_] = all(
                c.is_scalar(leaf.type) and not self._has_large_union(leaf, type_) for leaf in self.of(type_)
            )
        return self._plain[type_]

    def _has_large_union(self, leaf: Leaf, root: c.CType) -> bool:
        """Whether a leaf is a union that is too large for one bit-vector, or has arrays in it, whose elements are
        reached by numbers that are not known."""
        reached = leaf.path[-1][1].type if leaf.path else root
        while isinstance(reached, c.ArrayType | c.VariableArrayType):
            reached = reached.element
        if not isinstance(reached, c.RecordType):
            return False
        stack: list[c.CType] = [reached]
        while stack:
            type_ = stack.pop()
            if isinstance(type_, c.ArrayType | c.VariableArrayType):
                return True
            if isinstance(type_, c.RecordType) and (definition := self.layout.definition(type_)) is not None:
                stack += [field.type for field in definition.fields]
        return self.layout.size(reached) > LARGEST_PLAIN_UNION
