"""Types of C with their layout on x86-64: what random programs about memory need to know to stay within an object."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Scalar:
    """An arithmetic type."""

    name: str
    size: int
    kind: str = "integer"  # or "float", "bool"

    @property
    def align(self) -> int:
        return self.size

    def declare(self, name: str) -> str:
        return f"{self.name} {name}"


@dataclass(frozen=True)
class Pointer:
    """A pointer to a scalar or a record; the record by its name, which may be the one that the pointer is in."""

    target: str
    size: int = 8
    align: int = 8

    @property
    def name(self) -> str:
        return f"{self.target} *"

    def declare(self, name: str) -> str:
        return f"{self.target} *{name}"


@dataclass(frozen=True)
class Array:
    """An array; the number of its elements is a power of two, so that an index is easily made to fit."""

    element: Scalar | Pointer | Record | Array
    count: int

    @property
    def size(self) -> int:
        return self.count * self.element.size

    @property
    def align(self) -> int:
        return self.element.align

    def declare(self, name: str) -> str:
        return self.element.declare(f"{name}[{self.count}]")


@dataclass(frozen=True)
class Member:
    """A member of a record, a bit-field if it has a number of bits."""

    name: str
    type: Type
    bits: int | None = None

    def declare(self) -> str:
        return self.type.declare(self.name) + (f" : {self.bits}" if self.bits else "")


@dataclass(frozen=True)
class Record:
    """A struct or a union."""

    keyword: str
    tag: str
    members: tuple[Member, ...]

    @property
    def name(self) -> str:
        return f"{self.keyword} {self.tag}"

    @property
    def has_bit_fields(self) -> bool:
        """Whether there is one in it, at any depth: where it lies is not known here."""
        return any(m.bits or (isinstance(r := base(m.type), Record) and r.has_bit_fields) for m in self.members)

    @cached_property
    def align(self) -> int:
        return max(m.type.align for m in self.members)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        found, at = [], 0
        for member in self.members:
            at = 0 if self.keyword == "union" else -(-at // member.type.align) * member.type.align
            found.append(at)
            at += member.type.size
        return tuple(found)

    @cached_property
    def size(self) -> int:
        """Not of those with bit-fields."""
        end = max(at + m.type.size for at, m in zip(self.offsets, self.members, strict=True))
        return -(-end // self.align) * self.align

    def declare(self, name: str) -> str:
        return f"{self.name} {name}"

    def definition(self) -> str:
        return f"{self.name} {{ {' '.join(m.declare() + ';' for m in self.members)} }};"


Type = Scalar | Pointer | Array | Record


@dataclass(frozen=True)
class Leaf:
    """A scalar or a pointer in an object: how to get there, and where it is."""

    path: str
    type: Scalar | Pointer
    offset: int
    bits: int | None = None
    in_union: bool = False


def base(type_: Type) -> Scalar | Pointer | Record:
    """The type of the elements of an array, any other type itself."""
    while isinstance(type_, Array):
        type_ = type_.element
    return type_


def arranged(array: Array, chance: random.Random) -> Array:
    """An array, or two of them as the rows of another one."""
    return Array(array, 2) if array.size <= 16 and chance.random() < 0.3 else array


def leaves(type_: Type, path: str = "", offset: int = 0, in_union: bool = False) -> Iterator[Leaf]:
    """All scalars and pointers in an object; the offsets are meaningless where there are bit-fields."""
    match type_:
        case Array(element, count):
            for n in range(count):
                yield from leaves(element, f"{path}[{n}]", offset + n * element.size, in_union)
        case Record(keyword, _, members):
            places = [0] * len(members) if type_.has_bit_fields else type_.offsets
            for member, at in zip(members, places, strict=True):
                deeper = f"{path}.{member.name}"
                if member.bits:
                    assert isinstance(member.type, Scalar)
                    yield Leaf(deeper, member.type, 0, member.bits)
                else:
                    yield from leaves(member.type, deeper, offset + at, in_union or keyword == "union")
        case _:
            yield Leaf(path, type_, offset, None, in_union)


def parts(type_: Type, path: str = "") -> Iterator[tuple[str, Type]]:
    """All objects in an object, with itself and with whole arrays."""
    yield path, type_
    match type_:
        case Array(element, count):
            for n in range(count):
                yield from parts(element, f"{path}[{n}]")
        case Record(_, _, members):
            for member in members:
                if not member.bits:
                    yield from parts(member.type, f"{path}.{member.name}")


def has_pointers(type_: Type) -> bool:
    return any(isinstance(leaf.type, Pointer) for leaf in leaves(type_))


def raw_bytes(type_: Type, for_writing: bool) -> frozenset[int]:
    """The bytes of an object that may be read, or written, as bytes: no padding is read, and only integers are
    written, since not everything is a pointer, a `_Bool` or one and the same NaN."""
    if isinstance(r := base(type_), Record) and r.has_bit_fields:
        return frozenset()
    good: set[int] = set()
    bad: set[int] = set()
    for leaf in leaves(type_):
        within = range(leaf.offset, leaf.offset + leaf.type.size)
        is_integer = isinstance(leaf.type, Scalar) and leaf.type.kind == "integer"
        good |= set(within)
        if not is_integer and (for_writing or isinstance(leaf.type, Pointer)):
            bad |= set(within)
    return frozenset(good - bad)


def initialiser(type_: Type, chance: random.Random) -> str:
    """A random initialiser, which leaves out some of what is last; all pointers are null."""
    match type_:
        case Array(element, count):
            return f"{{{', '.join(initialiser(element, chance) for _ in range(chance.randint(1, count)))}}}"
        case Record(keyword, _, members):
            some = members[:1] if keyword == "union" else members[: chance.randint(1, len(members))]
            return f"{{{', '.join(initialiser(m.type, chance) for m in some)}}}"
        case Pointer():
            return "0"
        case _:
            return str(chance.randint(0, 9))


CHAR_TYPES = [Scalar("char", 1), Scalar("signed char", 1), Scalar("unsigned char", 1)]
INTEGERS = [
    *CHAR_TYPES,
    Scalar("short", 2),
    Scalar("unsigned short", 2),
    Scalar("int", 4),
    Scalar("unsigned", 4),
    Scalar("long", 8),
    Scalar("unsigned long", 8),
]
BOOL = Scalar("_Bool", 1, "bool")
FLOAT, DOUBLE = Scalar("float", 4, "float"), Scalar("double", 8, "float")
LONG_DOUBLE = Scalar("long double", 16, "float")
