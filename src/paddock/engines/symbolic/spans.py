"""The range of a bit-vector's values, and how many of its lowest bits are zero, from those of its parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from paddock.solvers.ops import Op
from paddock.solvers.sorts import BitVecSort

if TYPE_CHECKING:
    from paddock.engines.symbolic.nodes import Node

Span = tuple[int, int]  # the least and the greatest value, unsigned

FULL: Span = (0, -1)  # of what is no bit-vector: nothing is known


def span_of(node: Node) -> tuple[Span, int]:
    """The span and the trailing zeros of a node that is being made."""
    if not isinstance(node.sort, BitVecSort):
        return FULL, 0
    width = node.sort.width
    if node.is_literal:
        value = node.value
        return (value, value), trailing_zeros(value, width)
    span = combined(node, [a.span for a in node.args])
    return span, min(_zeros(node), width)


def combined(node: Node, spans: list[Span]) -> Span:
    """The span of a bit-vector whose arguments have these spans."""
    top = (1 << node.width) - 1
    rule = _SPANS.get(node.op) if isinstance(node.op, Op) else None
    if rule is None:
        return (0, top)
    low, high = rule(node, top, spans)
    return (low, high) if 0 <= low <= high <= top else (0, top)


def trailing_zeros(value: int, width: int) -> int:
    return (value & -value).bit_length() - 1 if value else width


def _add(node: Node, top: int, spans: list[Span]) -> Span:
    low, high = sum(s[0] for s in spans), sum(s[1] for s in spans)
    # All sums wrap round, as where a constant is taken away, or none does.
    return (low - top - 1, high - top - 1) if low > top and len(spans) == 2 else (low, high)


def _sub(node: Node, top: int, spans: list[Span]) -> Span:
    (a, b), (c, d) = spans
    return (a - d, b - c)


def _mul(node: Node, top: int, spans: list[Span]) -> Span:
    low = high = 1
    for a, b in spans:
        low, high = low * a, high * b
    return (low, high)


def _and(node: Node, top: int, spans: list[Span]) -> Span:
    return (0, min(s[1] for s in spans))


def _or(node: Node, top: int, spans: list[Span]) -> Span:
    return (max(s[0] for s in spans), (1 << max(s[1] for s in spans).bit_length()) - 1)


def _sign_extend(node: Node, top: int, spans: list[Span]) -> Span:
    (low, high), half = spans[0], 1 << (node.args[0].width - 1)
    if high < half:
        return (low, high)
    more = top + 1 - 2 * half
    return (low + more, high + more) if low >= half else (0, top)


def _extract(node: Node, top: int, spans: list[Span]) -> Span:
    last, first = cast(tuple[int, int], node.data)
    low, high = spans[0]
    if low >> (last + 1) != high >> (last + 1):
        return (0, top)
    return (low >> first & top, high >> first & top)


def _concat(node: Node, top: int, spans: list[Span]) -> Span:
    low = high = 0
    for part, (a, b) in zip(node.args, spans, strict=True):
        low, high = low << part.width | a, high << part.width | b
    return (low, high)


def _shl(node: Node, top: int, spans: list[Span]) -> Span:
    by, most = spans[1]
    return (spans[0][0] << by, spans[0][1] << by) if by == most and by < node.width else (0, top)


def _lshr(node: Node, top: int, spans: list[Span]) -> Span:
    by, most = spans[1]
    return (spans[0][0] >> min(most, node.width), spans[0][1] >> min(by, node.width))


def _udiv(node: Node, top: int, spans: list[Span]) -> Span:
    least, most = spans[1]
    return (spans[0][0] // most, spans[0][1] // least) if least else (0, top)


def _urem(node: Node, top: int, spans: list[Span]) -> Span:
    least, most = spans[1]
    return (0, min(spans[0][1], most - 1)) if least else (0, spans[0][1])


def _ite(node: Node, top: int, spans: list[Span]) -> Span:
    (a, b), (c, d) = spans[1:]
    return (min(a, c), max(b, d))


_SPANS: dict[Op, Callable[[Node, int, list[Span]], Span]] = {
    Op.BVADD: _add,
    Op.BVSUB: _sub,
    Op.BVMUL: _mul,
    Op.BVAND: _and,
    Op.BVOR: _or,
    Op.BVXOR: lambda node, top, spans: (0, _or(node, top, spans)[1]),
    Op.ZERO_EXTEND: lambda node, top, spans: spans[0],
    Op.SIGN_EXTEND: _sign_extend,
    Op.EXTRACT: _extract,
    Op.CONCAT: _concat,
    Op.BVSHL: _shl,
    Op.BVLSHR: _lshr,
    Op.BVUDIV: _udiv,
    Op.BVUREM: _urem,
    Op.ITE: _ite,
}


# A choice tells no more of its range than its parts do, and there may be many below it.
LOOKED_INTO = frozenset(_SPANS) - {Op.ITE}


def _zeros(node: Node) -> int:
    args = node.args
    match node.op:
        case Op.BVADD | Op.BVSUB | Op.BVOR | Op.BVXOR:
            return min(a.zeros for a in args)
        case Op.BVMUL:
            return sum(a.zeros for a in args)
        case Op.BVAND:
            return max(a.zeros for a in args)
        case Op.ITE:
            return min(args[1].zeros, args[2].zeros)
        case Op.BVSHL if args[1].is_literal:
            return args[0].zeros + args[1].value
        case Op.ZERO_EXTEND | Op.SIGN_EXTEND:
            return args[0].zeros if args[0].zeros < args[0].width else node.width
        case Op.CONCAT:
            last = args[-1]
            return last.zeros if last.zeros < last.width else last.zeros + args[-2].zeros
        case _:
            return 0
