"""SMT-LIB's bit-vector functions on unsigned integers: `function` finds one by its name.

Each function in the tables takes the width of its operands first. Results are reduced to that width
by whoever applies `ARITHMETIC`, so the functions there may return any integer with the right bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from paddock.ir.types import Bv, Type


def signed(value: int, width: int) -> int:
    """Two's complement."""
    return value - (1 << width) if width and value >> (width - 1) else value


def _udiv(w: int, a: int, b: int) -> int:
    return a // b if b else -1


def _urem(_: int, a: int, b: int) -> int:
    return a % b if b else a


def _sdiv(w: int, a: int, b: int) -> int:
    x, y = signed(a, w), signed(b, w)
    if y == 0:
        return 1 if x < 0 else -1
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _srem(w: int, a: int, b: int) -> int:
    x, y = signed(a, w), signed(b, w)
    if y == 0:
        return x
    remainder = abs(x) % abs(y)
    return -remainder if x < 0 else remainder


def _smod(w: int, a: int, b: int) -> int:
    x, y = signed(a, w), signed(b, w)
    return x % y if y else x


def _shl(w: int, a: int, b: int) -> int:
    return a << b if b < w else 0


def _lshr(w: int, a: int, b: int) -> int:
    return a >> b if b < w else 0


def _ashr(w: int, a: int, b: int) -> int:
    return signed(a, w) >> min(b, w)


def rotate_left(w: int, a: int, by: int) -> int:
    by %= max(w, 1)
    return a << by | a >> (w - by)


ARITHMETIC: Mapping[str, Callable[..., int]] = {
    "bvnot": lambda w, a: ~a,
    "bvneg": lambda w, a: -a,
    "bvnand": lambda w, a, b: ~(a & b),
    "bvnor": lambda w, a, b: ~(a | b),
    "bvsub": lambda w, a, b: a - b,
    "bvudiv": _udiv,
    "bvurem": _urem,
    "bvsdiv": _sdiv,
    "bvsrem": _srem,
    "bvsmod": _smod,
    "bvshl": _shl,
    "bvlshr": _lshr,
    "bvashr": _ashr,
    "ext_rotate_left": rotate_left,
    "ext_rotate_right": lambda w, a, b: rotate_left(w, a, -b),
}

# These may have more than two operands.
ASSOCIATIVE: Mapping[str, Callable[[int, int, int], int]] = {
    "bvand": lambda w, a, b: a & b,
    "bvor": lambda w, a, b: a | b,
    "bvxor": lambda w, a, b: a ^ b,
    "bvxnor": lambda w, a, b: ~(a ^ b),
    "bvadd": lambda w, a, b: a + b,
    "bvmul": lambda w, a, b: a * b,
}


def _fits(value: int, w: int) -> bool:
    """Whether a signed number has a two's complement of this width."""
    return -(1 << w) <= 2 * value < 1 << w


PREDICATES: Mapping[str, Callable[..., bool]] = {
    "bvult": lambda w, a, b: a < b,
    "bvule": lambda w, a, b: a <= b,
    "bvugt": lambda w, a, b: a > b,
    "bvuge": lambda w, a, b: a >= b,
    "bvslt": lambda w, a, b: signed(a, w) < signed(b, w),
    "bvsle": lambda w, a, b: signed(a, w) <= signed(b, w),
    "bvsgt": lambda w, a, b: signed(a, w) > signed(b, w),
    "bvsge": lambda w, a, b: signed(a, w) >= signed(b, w),
    # Whether the operation overflows.
    "bvnego": lambda w, a: not _fits(-signed(a, w), w),
    "bvuaddo": lambda w, a, b: a + b >= 1 << w,
    "bvsaddo": lambda w, a, b: not _fits(signed(a, w) + signed(b, w), w),
    "bvusubo": lambda w, a, b: a < b,
    "bvssubo": lambda w, a, b: not _fits(signed(a, w) - signed(b, w), w),
    "bvumulo": lambda w, a, b: a * b >= 1 << w,
    "bvsmulo": lambda w, a, b: not _fits(signed(a, w) * signed(b, w), w),
    "bvsdivo": lambda w, a, b: signed(b, w) == -1 and not _fits(-signed(a, w), w),
}


def function(name: str, indices: Sequence[int], params: Sequence[Type], result: Type) -> Callable[..., int] | None:
    """The function `name`, or `(_ name indices…)`, of SMT-LIB on arguments of these types; None if there is none that
    is about bit-vectors. Booleans and integers stand for themselves."""
    width = next((t.width for t in params if isinstance(t, Bv)), None)
    if name in ("int2bv", "nat2bv", "int_to_bv"):
        size = indices[0] if indices else result.width if isinstance(result, Bv) else None
        return None if size is None else lambda a: a % (1 << size)
    if width is None:
        return None
    return _indexed(name, indices, width) if indices else _plain(name, width, params)


def _plain(name: str, width: int, params: Sequence[Type]) -> Callable[..., int] | None:
    size = 1 << width
    if name in ARITHMETIC:
        operation = ARITHMETIC[name]
        return lambda *args: operation(width, *args) % size
    if name in ASSOCIATIVE:
        binary = ASSOCIATIVE[name]
        return lambda *args: reduce(lambda a, b: binary(width, a, b) % size, args)
    if name in PREDICATES:
        predicate = PREDICATES[name]
        return lambda *args: predicate(width, *args)
    match name:
        case "bvcomp":
            return lambda a, b: int(a == b)
        case "bvredor":
            return lambda a: int(a != 0)
        case "bvredand":
            return lambda a: int(a == size - 1)
        case "concat":
            widths = [t.width for t in params if isinstance(t, Bv)]
            return lambda *args: reduce(lambda a, b: a << b[1] | b[0], zip(args, widths, strict=True), 0)
        case "bv2nat" | "bv2int" | "ubv_to_int":
            return lambda a: a
        case "sbv_to_int":
            return lambda a: signed(a, width)
        case _:
            return None


def _indexed(name: str, indices: Sequence[int], width: int) -> Callable[..., int] | None:
    match name, indices:
        case "extract", (high, low):
            return lambda a: a >> low & (1 << (high - low + 1)) - 1
        case "zero_extend", (_,):
            return lambda a: a
        case "sign_extend", (by,):
            return lambda a: signed(a, width) % (1 << (width + by))
        case (("rotate_left" | "rotate_right"), (by,)):
            shift = by if name == "rotate_left" else -by
            return lambda a: rotate_left(width, a, shift) % (1 << width)
        case "repeat", (times,):
            return lambda a: reduce(lambda done, _: done << width | a, range(times), 0)
        case _:
            return None
