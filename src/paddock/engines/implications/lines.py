"""Numbers that were observed, of integers, signed bit-vectors and floats, and the lines that they are on.

A float is numbered by its place in the order of floats, in which -0 is before 0: what has the same number is the same
value, and what has a lower one is not greater. NaN has no place there; it is not ordered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paddock.ir.build import arith, bv_lit, eq, int_lit
from paddock.ir.expr import Expr, Lit, Op
from paddock.ir.types import Bv, Float, Type
from paddock.trace import floats

STEEPEST = 4  # slope of a linear relation


def line_through(xs: Sequence[int], ys: Sequence[int]) -> tuple[int, int] | None:
    """Slope and offset, if all points are on a line that is not too steep; three of them at least."""
    points = list(dict.fromkeys(zip(xs, ys, strict=True)))
    if len(points) < 3:
        return None
    (x0, y0), (x1, y1) = points[:2]
    if x0 == x1 or (y1 - y0) % (x1 - x0):
        return None
    slope = (y1 - y0) // (x1 - x0)
    if slope == 0 or abs(slope) > STEEPEST or any(y - y0 != slope * (x - x0) for x, y in points):
        return None
    return slope, y0 - slope * x0


def on_line(x: Expr, y: Expr, slope: int, offset: int) -> Expr:
    """That the integer `y` is `slope * x + offset`."""
    scaled: Expr = x if slope == 1 else arith(Op.MUL, int_lit(slope), x)
    return eq(y, arith(Op.ADD, scaled, int_lit(offset)) if offset else scaled)


def signed(value: int, type_: Type) -> int:
    """The number of a value."""
    match type_:
        case Bv(width) if width and value >> (width - 1):
            return value - (1 << width)
        case Float() if floats.sign_bit(value, type_):
            return -1 - floats.absolute(value, type_)
        case _:
            return value


def number(value: int, type_: Type) -> Expr:
    """The literal of a type with this number."""
    match type_:
        case Bv(width):
            return bv_lit(value, width)
        case Float():
            return Lit(value if value >= 0 else floats.neg(-1 - value, type_), type_)
        case _:
            return int_lit(value)


def are_ordered(values: Iterable[int], type_: Type) -> bool:
    """Whether an order of numbers is one of their values."""
    return not isinstance(type_, Float) or floats.nan(type_) not in values


def are_close(low: int, high: int, type_: Type, most: int) -> bool:
    """Whether two values differ by no more than a number."""
    if not isinstance(type_, Float):
        return high - low <= most
    ends = [lit.value for lit in (number(low, type_), number(high, type_)) if isinstance(lit, Lit)]
    if any(not isinstance(bits, int) or floats.is_infinite(bits, type_) for bits in ends):
        return False
    below, above = (floats.to_fraction(bits, type_) for bits in ends if isinstance(bits, int))
    return above - below <= most
