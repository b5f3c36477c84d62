"""Numbers that were observed, of integers and of signed bit-vectors, and the lines that they are on."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.ir.build import arith, bv_lit, eq, int_lit
from paddock.ir.expr import Expr, Op
from paddock.ir.types import Bv, Type

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
    """A value as a signed number."""
    match type_:
        case Bv(width) if width and value >> (width - 1):
            return value - (1 << width)
        case _:
            return value


def number(value: int, type_: Type) -> Expr:
    """A literal of a type."""
    return bv_lit(value, type_.width) if isinstance(type_, Bv) else int_lit(value)
