"""Random places and values of C programs about memory: the many ways to name one and the same byte.

An object is reached by its name, through pointers to it, to its members and elements, through casts to characters, to
its first member, to other records of the same layout and to other integers (gcc -fno-strict-aliasing). Names of file
scope end in `@`, which stands for the number of the program where many are compiled as one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.property.c_layouts import (
    BOOL,
    DOUBLE,
    FLOAT,
    INTEGERS,
    Array,
    Leaf,
    Member,
    Pointer,
    Record,
    Scalar,
    Type,
    arranged,
    base,
    has_pointers,
    leaves,
    raw_bytes,
)

MAX_LEAVES = 10


@dataclass(frozen=True)
class Object:
    """An object that a program may use here.

    `style` says how its parts are reached: `direct` by their names, `cast` only through casts of its address, `any`.
    What is `lasting` outlives all pointers that may point to it.
    """

    text: str
    type: Type
    addressed: bool = True
    lasting: bool = True
    style: str = "any"


class Places:
    """The types and objects of a program under construction, and random expressions over them."""

    def __init__(self, chance: random.Random, features: frozenset[str]) -> None:
        self.chance = chance
        self.features = features
        self.records: list[Record] = []
        self.objects: list[Object] = []
        self.inputs: list[str] = []
        self.scalar_targets: dict[str, Object] = {}
        self.touched: list[Object] = []
        self._count = 0

    def has(self, feature: str) -> bool:
        return feature in self.features

    def fresh(self, start: str) -> str:
        self._count += 1
        return f"{start}{self._count}"

    @contextmanager
    def block(self) -> Iterator[None]:
        """Objects that are declared in here are not seen afterwards."""
        before = list(self.objects)
        yield
        self.objects = before

    # Types.

    def integer_type(self) -> Scalar:
        return self.chance.choice(INTEGERS)

    def scalar_type(self) -> Scalar:
        r = self.chance.random()
        if self.has("float") and r < 0.15:
            return self.chance.choice([FLOAT, DOUBLE])
        return BOOL if r > 0.95 else self.integer_type()

    def make_records(self, count: int) -> None:
        if self.has("union") and self.chance.random() < 0.4:
            self.records += self._struct_in_union()
        if self.has("pointer") and self.chance.random() < 0.5:
            tag = f"{self.fresh('S')}@"
            members = [Member("a", Pointer(f"struct {tag}")), Member("b", self.integer_type())]
            self.records.append(Record("struct", tag, tuple(self.chance.sample(members, 2))))
        for _ in range(count):
            tag = f"{self.fresh('S')}@"
            is_union = self.has("union") and self.chance.random() < 0.45
            record = self._union(tag) if is_union else self._struct(tag)
            if len(list(leaves(record))) <= MAX_LEAVES:
                self.records.append(record)
        if not self.records:
            int_ = Scalar("int", 4)
            self.records.append(Record("struct", "S0@", (Member("a", int_), Member("b", int_))))

    def _struct_in_union(self) -> list[Record]:
        """A small struct and a union with it, without arrays: objects of these are kept in variables if they can."""
        scalar, count = self.chance.choice([t for t in INTEGERS if t.size < 8]), self.chance.randint(1, 2)
        struct = Record("struct", f"{self.fresh('S')}@", tuple(Member(n, scalar) for n in "ab"[:count]))
        same_size = [t for t in INTEGERS if t.size == struct.size]
        members = [Member("x", struct), Member("y", self.chance.choice(same_size))]
        return [struct, Record("union", f"{self.fresh('S')}@", tuple(self.chance.sample(members, 2)))]

    def _struct(self, tag: str) -> Record:
        members: list[Member] = []
        for name in "abcd"[: self.chance.choice([1, 2, 2, 3, 3, 4])]:
            r = self.chance.random()
            if self.has("pointer") and r < 0.2:
                own = self.chance.random() < 0.6
                members.append(Member(name, Pointer(f"struct {tag}" if own else self.integer_type().name)))
            elif self.has("bits") and r < 0.5:
                type_ = self.chance.choice([t for t in INTEGERS if t.size in (1, 4)])
                members.append(Member(name, type_, self.chance.randint(1, 8 * type_.size - 1)))
            else:
                members.append(Member(name, self._member_type(self.records)))
        return Record("struct", tag, tuple(members))

    def _union(self, tag: str) -> Record:
        """Without pointers, which no other member may spoil, and without padding, which has no value."""
        solid = [r for r in self.records if not has_pointers(r) and _is_solid(r)]
        types = [self._member_type(solid) for _ in range(self.chance.choice([2, 2, 3]))]
        types = [t if t != BOOL else Scalar("int", 4) for t in types]
        return Record("union", tag, tuple(Member(n, t) for n, t in zip("xyz", types, strict=False)))

    def _member_type(self, records: list[Record]) -> Type:
        r = self.chance.random()
        if records and r < 0.35:
            record = self.chance.choice(records)
            return Array(record, 2) if r < 0.08 else record
        if r < 0.6:
            scalar = self.integer_type()
            counts = [2, 4, 8] if scalar.size == 1 else [2, 4] if scalar.size < 8 else [2]
            return arranged(Array(scalar, self.chance.choice(counts)), self.chance)
        return self.scalar_type()

    # Objects.

    def declare(self, object_: Object) -> Object:
        self.objects.append(object_)
        return object_

    def some_object(self, of: Type | None = None, addressed: bool = False, lasting: bool = False) -> Object | None:
        fits = [
            o
            for o in self.objects
            if (of is None or o.type == of) and (o.addressed or not addressed) and (o.lasting or not lasting)
        ]
        return self.chance.choice(fits) if fits else None

    def scalar_target(self, name: str) -> Object:
        """A global for pointers to a scalar to point to, if there is nothing better."""
        if name not in self.scalar_targets:
            scalar = next(t for t in INTEGERS if t.name == name)
            self.scalar_targets[name] = Object(f"t_{name.replace(' ', '_')}@", scalar)
        return self.scalar_targets[name]

    # Places.

    def place(self, of: Object | None = None, kind: str = "integer", addressed: bool = False) -> tuple[str, Leaf]:
        """A place with a scalar of a kind, however it is reached."""
        candidates = [of] if of else self.objects
        found = [
            (object_, leaf)
            for object_ in candidates
            if object_.addressed or not addressed
            for leaf in leaves(object_.type)
            if isinstance(leaf.type, Scalar) and leaf.type.kind == kind and not (addressed and leaf.bits)
        ]
        if not found:
            if of is not None:
                return self.place(None, kind, addressed)
            target = self.scalar_target("int")
            return target.text, Leaf("", target.type, 0)  # type: ignore[arg-type]
        object_, leaf = self.chance.choice(found)
        self.touched.append(object_)
        return self.reach(object_, leaf), leaf

    def reach(self, object_: Object, leaf: Leaf) -> str:
        """A way to name a leaf of an object."""
        ways = [self._directly(object_, leaf)]
        record = base(object_.type)
        can_cast = object_.addressed and not (isinstance(record, Record) and record.has_bit_fields)
        if can_cast and (object_.style == "cast" or (object_.style == "any" and self.chance.random() < 0.35)):
            ways = list(self._by_casts(object_, leaf))
        return self.chance.choice(ways)

    def _directly(self, object_: Object, leaf: Leaf) -> str:
        path = leaf.path
        if "[" in path and self.chance.random() < 0.3:
            index = f"{self.chance.choice(self._small_values())} & 1"
            path = re.sub(r"\[\d+\]", f"[{index}]", path, count=1)
        if object_.addressed and self.chance.random() < 0.25:
            if path.startswith("."):
                return f"(&{object_.text})->{path[1:]}"
            if not path:
                return f"(*&{object_.text})"
        if path.endswith("]") and "&" not in path and self.chance.random() < 0.2:
            array, index = path[:-1].rsplit("[", 1)
            if object_.addressed:
                return f"(*({object_.text}{array} + {index}))"
        return object_.text + path

    def _small_values(self) -> list[str]:
        """Expressions that are easily evaluated, to be indices."""
        plain = [o.text for o in self.objects if isinstance(o.type, Scalar) and o.type.kind == "integer"]
        return [*plain, *self.inputs, "1", "3"]

    def _by_casts(self, object_: Object, leaf: Leaf) -> Iterator[str]:
        name, at = leaf.type.name, leaf.offset
        yield f"(*({name} *)((char *)&{object_.text} + {at}))"
        if at % leaf.type.size == 0:
            yield f"(({name} *)&{object_.text})[{at // leaf.type.size}]"
        if at == 0:
            yield f"(*({name} *)&{object_.text})"
            yield f"(*({name} *)(void *)&{object_.text})"
        for record in self.records:
            if self._is_view(record, object_.type):
                for other in leaves(record):
                    if other.offset == at and other.type == leaf.type:
                        yield f"(({record.name} *)&{object_.text})->{other.path[1:]}"

    @staticmethod
    def _is_view(record: Record, type_: Type) -> bool:
        """Whether an object of a type may be taken for that record."""
        if record == type_ or record.has_bit_fields or has_pointers(record):
            return False
        return record.size <= type_.size and record.align <= type_.align

    def punned(self, for_writing: bool) -> tuple[str, Scalar] | None:
        """A place in an object that is taken for an integer of any type, if there is one."""
        for _ in range(6):
            object_ = self.some_object(addressed=True)
            if object_ is None:
                return None
            scalar = self.integer_type()
            raw = raw_bytes(object_.type, for_writing)
            if object_.type.align < scalar.size:
                continue
            starts = [n for n in sorted(raw) if n % scalar.size == 0 and set(range(n, n + scalar.size)) <= raw]
            if starts:
                at = self.chance.choice(starts)
                if self.chance.random() < 0.5:
                    return f"(({scalar.name} *)&{object_.text})[{at // scalar.size}]", scalar
                return f"(*({scalar.name} *)((char *)&{object_.text} + {at}))", scalar
        return None

    # Values: expressions without side effects, whose arithmetic is unsigned where it could overflow.

    def constant(self) -> str:
        r = self.chance
        return r.choice(
            [
                str(r.randint(0, 9)),
                str(r.randint(0, 9)),
                str(r.randint(-200, 300)),
                f"{r.getrandbits(r.choice([16, 32]))}u",
                "'a'",
                "-1",
            ]
        )

    def read(self) -> str:
        """The value of some integer."""
        if self.inputs and self.chance.random() < 0.5:
            return self.chance.choice(self.inputs)
        if self.has("pun") and self.chance.random() < 0.2 and (pun := self.punned(for_writing=False)):
            return pun[0]
        return self.place()[0]

    def value(self, depth: int = 2) -> str:
        r = self.chance
        if depth <= 0 or r.random() < 0.3:
            return self.read() if r.random() < 0.6 else self.constant()
        a, b = self.value(depth - 1), self.value(depth - 1)
        match r.randrange(10):
            case 0 | 1 | 2:
                wide = r.choice(["unsigned", "unsigned", "unsigned long"])
                return f"(({wide})({a}) {r.choice(['+', '-', '^', '&', '|'])} ({wide})({b}))"
            case 3:
                return f"({a} {r.choice(['<', '<=', '>', '>=', '==', '!='])} {b})"
            case 4:
                return (
                    f"((int)({a}) >> {r.randint(0, 31)})"
                    if r.random() < 0.5
                    else f"((unsigned)({a}) << {r.randint(0, 31)})"
                )
            case 5 | 6:
                return f"({self.integer_type().name})({a})"
            case 7:
                return f"({a} {r.choice(['&&', '||'])} {b})"
            case 8:
                return f"({a} ? {b} : {self.value(depth - 1)})"
            case _:
                if self.inputs:
                    return f"(~({a}))"
                return f"((unsigned)({a}) {r.choice(['*', '/', '%'])} {r.randint(1, 9)}u)"


def _is_solid(record: Record) -> bool:
    """Whether there is no padding in a record, and nothing but numbers."""
    if record.has_bit_fields or any(leaf.type == BOOL for leaf in leaves(record)):
        return False
    return len(raw_bytes(record, for_writing=False)) == record.size
