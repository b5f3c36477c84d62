"""What held of the elements of maps in all runs that were observed: of single ones, and of all in a range.

    a[2] == 4    a[i] <= n    (forall k: int :: 0 <= k && k < i ==> a[k] == 2 * k)

Ranges start at 0, or at a negative index that all runs have written, and end at a variable or at the last such index:
programs do not say which part of a map they use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from paddock.engines.implications.lines import line_through, number, on_line, signed
from paddock.frozen import frozen
from paddock.ir.build import and_, arith, binder, compare, eq, implies, int_lit, not_, select
from paddock.ir.expr import Expr, Op, Quantifier, Scope, Trigger, Var
from paddock.ir.names import FreshNames
from paddock.ir.types import BOOL, INT, Map, Type
from paddock.ir.walk import variables
from paddock.trace.values import MapValue

MOST_INDICES = 4  # constants at which single elements are looked at
LONGEST = 100  # range whose elements are looked at

# What a map was in each sample, if it was known: a map that nothing has read yet is not.
Seen = Sequence[MapValue | None]
# The order on elements of a type, which is a function of the program for bit-vectors.
AtMost = Callable[[Expr, Expr], Expr]


def single_elements(maps: Mapping[Var, Seen], numbers: Mapping[Expr, Sequence[int]]) -> dict[Expr, list[int]]:
    """Elements that all runs have written, at constants and at variables, with their values."""
    found: dict[Expr, list[int]] = {}
    for map_, seen in maps.items():
        index, element = _types(map_)
        values = [value for value in seen if value is not None]
        if len(values) < len(seen):
            continue
        for key in _common_keys(values)[:MOST_INDICES]:
            found[select(map_, number(key, index))] = _read(values, [key] * len(values), element)
        for term, at in numbers.items():
            if term.type is index and all((key,) in value.entries for key, value in zip(at, values, strict=True)):
                found[select(map_, term)] = _read(values, at, element)
    return found


def all_elements(maps: Mapping[Var, Seen], numbers: Mapping[Expr, Sequence[int]], at_most: AtMost) -> Iterator[Expr]:
    """What held of all elements in a range of integers; in an empty range, that is anything."""
    k = Var(FreshNames(v.name for v in variables(*maps, *numbers))("k"), INT, Scope.BOUND)
    for map_, values in maps.items():
        index, element = _types(map_)
        if index is not INT:
            continue
        for scope in _ranges(k, values, numbers):
            yield from _of_range(map_, element, scope, values, at_most)


@frozen
class _Range:
    """Indices `k` from a number up to a term, which is not among them and had these values."""

    k: Var
    low: int
    high: Expr
    highs: Sequence[int]

    def holds(self, property_: Callable[[Expr], Expr], map_: Var, last: int = 0) -> Expr:
        """That all indices have a property; `last` is how many of the last ones do not count."""
        k = self.k
        end = arith(Op.ADD, k, int_lit(last)) if last else k
        inside = and_(compare(Op.LE, int_lit(self.low), k), compare(Op.LT, end, self.high))
        trigger = Trigger((select(map_, k),))
        return binder(Quantifier.FORALL, [k], implies(inside, property_(k)), [trigger])


def _ranges(k: Var, seen: Seen, numbers: Mapping[Expr, Sequence[int]]) -> Iterator[_Range]:
    values = [value for value in seen if value is not None]
    if not values:
        return
    for term, highs in numbers.items():
        is_length = 0 <= min(highs) < max(highs) <= LONGEST
        is_known = all(value is not None or not high for value, high in zip(seen, highs, strict=True))
        if term.type is INT and is_length and is_known:
            yield _Range(k, 0, term, highs)
    if len(values) == len(seen) and (common := _common_keys(values)):
        low, high = min(0, common[0]), common[-1] + 1
        if low + 1 < high <= low + LONGEST:
            yield _Range(k, low, int_lit(high), [high] * len(values))


def _of_range(map_: Var, element: Type, scope: _Range, values: Seen, at_most: AtMost) -> Iterator[Expr]:
    rows = [
        _read([value] * (high - scope.low), range(scope.low, high), element)
        for value, high in zip(values, scope.highs, strict=True)
        if value is not None
    ]
    keys = [key for row in rows for key in range(scope.low, scope.low + len(row))]
    seen = [v for row in rows for v in row]

    def at(k: Expr) -> Expr:
        return select(map_, k)

    low, high = min(seen), max(seen)
    if element is BOOL:
        if low == high:
            yield scope.holds(at if low else lambda k: not_(at(k)), map_)
        return
    if low == high:
        yield scope.holds(lambda k: eq(at(k), number(low, element)), map_)
        return
    line = line_through(keys, seen)
    if line is not None and element is INT:
        slope, offset = line
        yield scope.holds(lambda k: on_line(k, at(k), slope, offset), map_)
    if any(len(row) > 1 for row in rows) and all(row == sorted(row) for row in rows):
        yield scope.holds(lambda k: at_most(at(k), at(arith(Op.ADD, k, int_lit(1)))), map_, last=1)
    yield scope.holds(lambda k: at_most(number(low, element), at(k)), map_)
    yield scope.holds(lambda k: at_most(at(k), number(high, element)), map_)
    if element is INT and line is None:
        if all(k <= v for k, v in zip(keys, seen, strict=True)):
            yield scope.holds(lambda k: at_most(k, at(k)), map_)
        if all(v <= k for k, v in zip(keys, seen, strict=True)):
            yield scope.holds(lambda k: at_most(at(k), k), map_)


def _types(map_: Var) -> tuple[Type, Type]:
    assert isinstance(map_.type, Map)
    return map_.type.domain[0], map_.type.range


def _keys(value: MapValue) -> list[int]:
    return [key for (key,) in value.entries if isinstance(key, int)]


def _common_keys(values: Sequence[MapValue]) -> list[int]:
    common = set(_keys(values[0])).intersection(*map(_keys, values[1:]))
    return sorted(common)


def _read(values: Sequence[MapValue], keys: Sequence[int], element: Type) -> list[int]:
    read = (value.select((key,)) for value, key in zip(values, keys, strict=True))
    return [signed(v, element) for v in read if isinstance(v, int)]
