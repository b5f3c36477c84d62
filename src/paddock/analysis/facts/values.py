"""What the pass `facts` may know of one value: an interval of integers, perhaps without 0, or one literal.

An integer has an `Interval`; a value of any other type that is tracked is known only as the literal it is
equal to. `None` stands for a value of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeGuard

from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Lit
from paddock.ir.types import BOOL, INT, REAL, Bv, Named, Type

INFINITY = float("inf")
_LARGEST = 1 << 256  # products grow without end; larger bounds are not worth their digits


class Interval(NamedTuple):
    """The integers from `lo` to `hi`, either of which may be infinite; with `nonzero`, except 0.

    `nonzero` is set only where 0 lies strictly between the bounds: equal sets are equal intervals.
    """

    lo: float  # an int or an infinity: never rounded
    hi: float
    nonzero: bool = False

    @property
    def is_constant(self) -> bool:
        return self.lo == self.hi


Value = Interval | Lit

ANY_INTEGER = Interval(-INFINITY, INFINITY)
NONZERO = Interval(-INFINITY, INFINITY, True)
ZERO = Interval(0, 0)


def is_tracked(type_: Type) -> bool:
    """Whether variables of a type are worth knowing about. Maps and floats are not."""
    return type_ is INT or type_ is BOOL or type_ is REAL or isinstance(type_, Bv | Named)


def interval(lo: float, hi: float, nonzero: bool = False) -> Interval | None:
    """The interval in its one form; None if it is empty. Bounds that are too large are loosened."""
    if nonzero:
        if lo == 0:
            lo = 1
        if hi == 0:
            hi = -1
        nonzero = lo < 0 < hi
    return _loosened(lo, hi, nonzero) if lo <= hi else None


def constant(value: int) -> Interval:
    return _loosened(value, value, False)


def _loosened(lo: float, hi: float, nonzero: bool) -> Interval:
    if abs(lo) > _LARGEST:
        lo = _LARGEST if lo > 0 else -INFINITY
    if abs(hi) > _LARGEST:
        hi = -_LARGEST if hi < 0 else INFINITY
    return Interval(lo, hi, nonzero)


def is_constant(value: Value | None) -> TypeGuard[Value]:
    return value is not None and (isinstance(value, Lit) or value.lo == value.hi)


def excludes_zero(value: Interval) -> bool:
    return value.nonzero or value.lo > 0 or value.hi < 0


# --- the lattice -----------------------------------------------------------------------------------


def meet(a: Value, b: Value) -> Value | None:
    """What both say, `a` itself if that is no more than `a`; None if they contradict each other."""
    if isinstance(a, Lit) or isinstance(b, Lit):
        return a if a is b else None
    lo = a.lo if a.lo >= b.lo else b.lo
    hi = a.hi if a.hi <= b.hi else b.hi
    nonzero = a.nonzero or b.nonzero
    if lo == a.lo and hi == a.hi and nonzero == a.nonzero:
        return a
    met = interval(lo, hi, nonzero)
    if met == b:
        return b  # the same object, so that it is quick to see that nothing is new
    return a if met == a else met


def hull(a: Value, b: Value | None) -> Value | None:
    """What holds of both, `a` itself if that is no less than `a`; None if that is nothing."""
    if b is None or isinstance(a, Lit) or isinstance(b, Lit):
        return a if a is b else None
    lo = a.lo if a.lo <= b.lo else b.lo
    hi = a.hi if a.hi >= b.hi else b.hi
    nonzero = lo < 0 < hi and excludes_zero(a) and excludes_zero(b)
    if lo == a.lo and hi == a.hi and nonzero == a.nonzero:
        return a
    return known(Interval(lo, hi, nonzero))


def known(value: Interval) -> Interval | None:
    """The interval, or None if it is that of all integers."""
    return None if value == ANY_INTEGER else value


# --- integers --------------------------------------------------------------------------------------

Binary = Callable[[Value | None, Value | None], Value | None]


def _numbers(f: Callable[[Interval, Interval], Interval | None]) -> Binary:
    """The function on values that does `f` to intervals and knows nothing of anything else."""

    def apply(a: Value | None, b: Value | None) -> Value | None:
        if isinstance(a, Interval) and isinstance(b, Interval):
            result = f(a, b)
            return known(result) if result is not None else None
        return None

    return apply


def _sum(a: float, b: float) -> float:
    # Python would round a large integer to add it to an infinity.
    if a in (INFINITY, -INFINITY):
        return a
    return b if b in (INFINITY, -INFINITY) else a + b


def _product(a: float, b: float) -> float:
    if a == 0 or b == 0:
        return 0
    if abs(a) == INFINITY or abs(b) == INFINITY:
        return INFINITY if (a > 0) == (b > 0) else -INFINITY
    return a * b


@_numbers
def add(a: Interval, b: Interval) -> Interval | None:
    return interval(_sum(a.lo, b.lo), _sum(a.hi, b.hi))


@_numbers
def subtract(a: Interval, b: Interval) -> Interval | None:
    return interval(_sum(a.lo, -b.hi), _sum(a.hi, -b.lo))


@_numbers
def multiply(a: Interval, b: Interval) -> Interval | None:
    corners = [_product(x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return interval(min(corners), max(corners), excludes_zero(a) and excludes_zero(b))


@_numbers
def divide(a: Interval, b: Interval) -> Interval | None:
    """Euclidean division by a constant other than 0, which is monotonic."""
    if not b.is_constant or b.lo == 0:
        return None
    ends = [_quotient(a.lo, b.lo), _quotient(a.hi, b.lo)]
    return interval(min(ends), max(ends))


def _quotient(a: float, b: float) -> float:
    if abs(a) == INFINITY:
        return a if b > 0 else -a
    return a // b if b > 0 else -(a // -b)


def remainder(a: Value | None, b: Value | None) -> Value | None:
    """Euclidean remainder by a constant other than 0: never negative, whatever is divided."""
    if not isinstance(b, Interval) or not b.is_constant or b.lo == 0:
        return None
    size = abs(b.lo)
    if isinstance(a, Interval):
        if a.is_constant:
            return interval(a.lo % size, a.lo % size)
        if a.lo >= 0 and a.hi < size:
            return a
    return interval(0, size - 1)


def negate(a: Value | None) -> Value | None:
    return interval(-a.hi, -a.lo, a.nonzero) if isinstance(a, Interval) else None


# --- truth -----------------------------------------------------------------------------------------


def truth(value: bool) -> Lit:
    return TRUE if value else FALSE


def opposite(a: Value | None) -> Value | None:
    if a is TRUE:
        return FALSE
    return TRUE if a is FALSE else None


def both(a: Value | None, b: Value | None) -> Value | None:
    if a is FALSE or b is FALSE:
        return FALSE
    return TRUE if a is TRUE and b is TRUE else None


def either(a: Value | None, b: Value | None) -> Value | None:
    return opposite(both(opposite(a), opposite(b)))


def implication(a: Value | None, b: Value | None) -> Value | None:
    return either(opposite(a), b)


def equal(a: Value | None, b: Value | None) -> Value | None:
    if a is None or b is None:
        return None
    if meet(a, b) is None:
        return FALSE
    return TRUE if a == b and is_constant(a) else None


def different(a: Value | None, b: Value | None) -> Value | None:
    return opposite(equal(a, b))


def at_most(a: Value | None, b: Value | None) -> Value | None:
    if isinstance(a, Interval) and isinstance(b, Interval):
        if a.hi <= b.lo:
            return TRUE
        if a.lo > b.hi:
            return FALSE
    return None


def less(a: Value | None, b: Value | None) -> Value | None:
    return opposite(at_most(b, a))
