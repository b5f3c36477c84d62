"""The values that the concrete interpreter computes with, equality on them.

A value does not know its type; whoever holds one does. `bool`, `int` and `Fraction` (a real) are
themselves, a bit-vector is an unsigned `int`, a float its IEEE 754 bits with one NaN, a string or a
rounding mode a `str`. Maps, data and elements of uninterpreted sorts have classes of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import final

from paddock.frozen import field, frozen
from paddock.ir.expr import Binder, Var
from paddock.ir.program import Constructor
from paddock.ir.types import Type

Index = tuple["Value", ...]


class Undecided(Exception):
    """The value cannot be determined: a quantifier over too many values, an operator without a definition, …"""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@frozen
class SortValue:
    """One element of an uninterpreted sort; elements with different indices differ."""

    sort: Type
    index: int


@frozen(eq=False)
class DataValue:
    """A constructor applied to its fields."""

    constructor: Constructor
    fields: Index = ()
    # Kept because a list may be too long to be hashed by recursion. None: a lambda is in there.
    _hash: int | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            known = hash((self.constructor.name, self.fields))
        except Undecided:
            known = None
        object.__setattr__(self, "_hash", known)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataValue) and equal(self, other)

    def __hash__(self) -> int:
        if self._hash is None:
            raise Undecided("a value that holds a lambda is compared")
        return self._hash


@frozen(eq=False)
class MapValue:
    """A total map: `default`, but for finitely many entries.

    `size` is the number of index tuples there are, None when they are too many to list. With few
    indices two maps may be equal though their defaults differ, so equality looks at all of them.
    """

    default: Value
    entries: Mapping[Index, Value] = field(default_factory=dict)
    size: int | None = None

    def select(self, index: Index) -> Value:
        return self.entries.get(index, self.default)

    def store(self, index: Index, value: Value) -> MapValue:
        entries = dict(self.entries)
        if _surely_equal(value, self.default):
            entries.pop(index, None)
        else:
            entries[index] = value
        return MapValue(self.default, entries, self.size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MapValue | LambdaValue) and equal(self, other)

    def __hash__(self) -> int:
        if self.size is None:
            return hash((self.default, frozenset((i, v) for i, v in self.entries.items() if v != self.default)))
        # How often each value occurs does not depend on which of them is the default.
        count = Counter(self.entries.values())
        count[self.default] += self.size - len(self.entries)
        return hash(frozenset((value, n) for value, n in count.items() if n))


@frozen
class Env:
    """The state in which an expression is read. `old` has the globals as `old(…)` sees them."""

    globals: Mapping[str, Value | Later] = field(default_factory=dict)
    locals: Mapping[str, Value | Later] = field(default_factory=dict)
    old: Mapping[str, Value | Later] = field(default_factory=dict)
    bound: Mapping[Var, Value] = field(default_factory=dict)


@frozen(eq=False)
class LambdaValue:
    """A map given by a lambda and the state it was written in, but for finitely many entries.

    It can be selected from and stored to; whether it equals another map is undecided.
    """

    binder: Binder
    env: Env
    entries: Mapping[Index, Value] = field(default_factory=dict)

    def store(self, index: Index, value: Value) -> LambdaValue:
        return LambdaValue(self.binder, self.env, {**self.entries, index: value})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MapValue | LambdaValue) and equal(self, other)

    def __hash__(self) -> int:
        raise Undecided("a map given by a lambda is compared")


@final
class Regex:
    """A regular expression. Whether two have one language is not decided, unless they are one object."""

    __slots__ = ("args", "numbers", "op")

    def __init__(self, op: str, args: tuple[Regex | str, ...] = (), numbers: tuple[int, ...] = ()) -> None:
        self.op = op
        self.args = args
        self.numbers = numbers

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        raise Undecided("an equality of regular expressions")

    __hash__ = object.__hash__


Value = bool | int | Fraction | str | SortValue | DataValue | MapValue | LambdaValue | Regex


class Later:
    """A value that is made when it is first read, and the same from then on."""

    __slots__ = ("_make", "value")

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self.value: Value | None = None

    def force(self) -> Value:
        if self.value is None:
            self.value = self._make()
        return self.value


def map_of(default: Value, entries: Mapping[Index, Value], size: int | None = None) -> MapValue:
    """The map without the entries that only repeat the default."""
    return MapValue(default, {i: v for i, v in entries.items() if not _surely_equal(v, default)}, size)


def equal(a: Value, b: Value) -> bool:
    """Whether two values of one type are the same; raises `Undecided` when only a lambda could tell."""
    undecided = False
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[Value, Value]] = [(a, b)]
    while stack:
        x, y = stack.pop()
        if x is y:
            continue
        if isinstance(x, DataValue) and isinstance(y, DataValue):
            if x.constructor.name != y.constructor.name or (x._hash != y._hash and None not in (x._hash, y._hash)):
                return False
            # Fields may be shared, so that without this a small value would take exponential time.
            if (id(x), id(y)) not in seen:
                seen.add((id(x), id(y)))
                stack.extend(zip(x.fields, y.fields, strict=True))
        elif isinstance(x, MapValue) and isinstance(y, MapValue):
            listed = x.entries.keys() | y.entries.keys()
            stack.extend((x.select(i), y.select(i)) for i in listed)
            if x.size is None or len(listed) < x.size:
                stack.append((x.default, y.default))
        elif isinstance(x, LambdaValue) or isinstance(y, LambdaValue):
            undecided = True
        elif x != y:
            return False
    if undecided:
        raise Undecided("a map given by a lambda is compared")
    return True


def _surely_equal(a: Value, b: Value) -> bool:
    try:
        return equal(a, b)
    except Undecided:
        return False


def pointwise(operation: Callable[..., Value], maps: Sequence[Value]) -> MapValue:
    """The map that holds at each index what `operation` makes of the maps' values there."""
    known = [m for m in maps if isinstance(m, MapValue)]
    if len(known) < len(maps):
        raise Undecided("a map given by a lambda is used as a whole")
    listed = dict.fromkeys(i for m in known for i in m.entries)
    entries = {i: operation(*(m.select(i) for m in known)) for i in listed}
    return map_of(operation(*(m.default for m in known)), entries, known[0].size)
