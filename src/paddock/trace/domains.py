"""Which values a type has: how many, all of them where they are few, a first one, a few to try."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from paddock.ir.program import Constructor, Datatype, Program
from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Map, Named, Type, parts
from paddock.trace import floats
from paddock.trace.values import DataValue, MapValue, SortValue, Undecided, Value, map_of

_MANY = 1 << 32  # no map that is ever built lists as many indices: as good as infinitely many
_MODES = tuple(dict.fromkeys(floats.ROUNDING_MODES.values()))


class Domains:
    """The values of a program's types; `universes` says how many elements an uninterpreted sort has
    (infinitely many if it does not)."""

    def __init__(self, program: Program, universes: Mapping[Type, int] | None = None) -> None:
        self._universes = dict(universes or {})
        self._datatypes: dict[Type, Datatype] = {d.type: d for d in program.datatypes}
        self._sizes: dict[Type, int | None] = {}
        self._values: dict[Type, tuple[Value, ...]] = {}
        self._first: dict[Type, Value] = {}

    def size(self, type_: Type) -> int | None:
        """How many values there are; None for infinitely many, or so many that it makes no difference."""
        if type_ not in self._sizes:
            for part in self._parts_first(type_):
                self._sizes[part] = self._count(part)
        return self._sizes[type_]

    def index_size(self, type_: Map) -> int | None:
        """How many index tuples a map of this type has."""
        return _limited([self.size(t) for t in type_.domain])

    def values(self, type_: Type) -> tuple[Value, ...]:
        """All values of a type that has finitely many; ask `size` first."""
        if type_ not in self._values:
            for part in self._parts_first(type_):
                if self.size(part) is not None and part not in self._values:
                    self._values[part] = tuple(self._enumerate(part))
        return self._values[type_]

    def first(self, type_: Type) -> Value:
        """Some value: 0, false, the empty string, a map of such, the smallest datum."""
        maps: list[Map] = []
        while isinstance(type_, Map):
            maps.append(type_)
            type_ = type_.range
        value = self._first_of(type_)
        for map_ in reversed(maps):
            value = MapValue(value, size=self.index_size(map_))
        return value

    def distinct(self, type_: Type) -> Iterator[Value]:
        """Different values, as many as there are or as one likes."""
        size = self.size(type_)
        if isinstance(type_, Bv):
            yield from range(1 << type_.width)
        elif size is not None and size <= 1 << 16:
            yield from self.values(type_)
        else:
            n = 0
            while True:
                yield self._numbered(type_, n)
                n += 1

    def samples(self, type_: Type) -> Sequence[Value]:
        """A few values that often tell a false statement from a true one."""
        size = self.size(type_)
        if size is not None and size <= 8:
            return self.values(type_)
        if type_ is INT:
            return (0, 1, -1, 2)
        if type_ is REAL:
            return (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2))
        if type_ is STRING:
            return ("", "a")
        if isinstance(type_, Bv):
            return (0, 1, (1 << type_.width) - 1, 1 << (type_.width - 1))
        if isinstance(type_, Float):
            return (0, floats.nan(type_))
        if isinstance(type_, Named) and type_ not in self._datatypes:
            return tuple(SortValue(type_, i) for i in range(3))
        return (self.first(type_),)

    def constructors(self, type_: Type) -> tuple[Constructor, ...]:
        """A datatype's constructors; none for other types."""
        datatype = self._datatypes.get(type_)
        return datatype.constructors if datatype else ()

    def _components(self, type_: Type) -> Iterator[Type]:
        yield from parts(type_)
        for constructor in self.constructors(type_):
            for field in constructor.fields:
                yield field.var.type

    def _parts_first(self, root: Type) -> list[Type]:
        """All types that `root` is made of, `root` last; of types that contain each other one comes first."""
        order: list[Type] = []
        seen = {root}
        stack = [(root, self._components(root))]
        while stack:
            type_, rest = stack[-1]
            part = next(rest, None)
            if part is None:
                order.append(type_)
                stack.pop()
            elif part not in seen:
                seen.add(part)
                stack.append((part, self._components(part)))
        return order

    def _count(self, type_: Type) -> int | None:
        # A part that is not counted yet contains this type, so it is infinite.
        known = self._sizes.get
        match type_:
            case Bv(width):
                return 1 << width if width < 32 else None
            case Float(significand, exponent):
                if significand + exponent > 32:
                    return None
                return (1 << floats.width(type_)) - 2 * ((1 << (significand - 1)) - 1) + 1
            case Map(domain, range_):
                return _power(known(range_), _limited([known(t) for t in domain]))
            case Named() if type_ in self._datatypes:
                total = 0
                for constructor in self.constructors(type_):
                    size = _limited([known(f.var.type) for f in constructor.fields])
                    if size is None:
                        return None
                    total += size
                return total if total < _MANY else None
            case Named():
                return self._universes.get(type_)
            case _:
                return 2 if type_ is BOOL else len(_MODES) if type_ is RMODE else None

    def _enumerate(self, type_: Type) -> Iterator[Value]:
        known = self._values
        match type_:
            case Bv(width):
                yield from range(1 << width)
            case Float():
                yield from (b for b in range(1 << floats.width(type_)) if floats.canonical(b, type_) == b)
            case Map(domain, range_):
                size = self.index_size(type_)
                if len(known[range_]) == 1:
                    yield MapValue(known[range_][0], size=size)
                    return
                indices = list(product(*(known[t] for t in domain)))
                for elements in product(known[range_], repeat=len(indices)):
                    yield map_of(elements[0], dict(zip(indices, elements, strict=True)), size)
            case Named() if type_ in self._datatypes:
                for constructor in self.constructors(type_):
                    for fields in product(*(known[f.var.type] for f in constructor.fields)):
                        yield DataValue(constructor, fields)
            case Named():
                yield from (SortValue(type_, i) for i in range(self._universes[type_]))
            case _:
                yield from (False, True) if type_ is BOOL else _MODES

    def _first_of(self, type_: Type) -> Value:
        match type_:
            case Bv() | Float():
                return 0
            case Named() if type_ in self._datatypes:
                if not self._first:
                    self._find_first_data()
                if type_ not in self._first:
                    raise Undecided(f"the datatype {type_} has no finite values")
                return self._first[type_]
            case Named():
                return SortValue(type_, 0)
            case _ if type_ in _FIRST_BASIC:
                return _FIRST_BASIC[type_]
            case _:
                raise Undecided(f"values of type {type_}")

    def _find_first_data(self) -> None:
        """The smallest datum of each datatype: found in rounds, each from those of the rounds before."""
        waiting = dict(self._datatypes)
        while waiting:
            ready = {t: c for t, d in waiting.items() for c in reversed(d.constructors) if self._has_firsts(c)}
            if not ready:
                return
            new = {t: DataValue(c, tuple(self.first(f.var.type) for f in c.fields)) for t, c in ready.items()}
            self._first.update(new)
            for type_ in ready:
                del waiting[type_]

    def _has_firsts(self, constructor: Constructor) -> bool:
        for field in constructor.fields:
            type_ = field.var.type
            while isinstance(type_, Map):
                type_ = type_.range
            if type_ in self._datatypes and type_ not in self._first:
                return False
        return True

    def _numbered(self, type_: Type, n: int) -> Value:
        match type_:
            case Map():
                raise Undecided("different values of a map type")
            case Named() if type_ not in self._datatypes:
                return SortValue(type_, n)
            case _ if type_ is INT or isinstance(type_, Float):
                return n
            case _ if type_ is REAL:
                return Fraction(n)
            case _ if type_ is STRING:
                return str(n)
            case _:
                raise Undecided(f"different values of type {type_}")


_FIRST_BASIC: Mapping[Type, Value] = {BOOL: False, INT: 0, REAL: Fraction(0), RMODE: "RNE", STRING: ""}


def _limited(sizes: list[int | None]) -> int | None:
    finite = [s for s in sizes if s is not None]
    total = prod(finite)
    return total if len(finite) == len(sizes) and total < _MANY else None


def _power(base: int | None, exponent: int | None) -> int | None:
    if base == 1:
        return 1
    if base is None or exponent is None or exponent * (base.bit_length() - 1) > 32:
        return None
    total = int(base**exponent)
    return total if total < _MANY else None
