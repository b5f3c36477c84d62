"""Simplification: what an operator on terms is in simpler terms, if it is.

Comparisons are turned into `bvult`, `bvslt` and `=` and their negations, so that a condition and its opposite are seen
to be that. Constants in sums are gathered on the right, since a pointer is an object plus offsets.
"""

from __future__ import annotations

from typing import cast

from paddock.engines.symbolic.nodes import Algebra, Leaf, Node, Rule
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, BitVecSort

Args = tuple[Node, ...]
Indices = tuple[int, ...]


# --- Booleans --------------------------------------------------------------------------------------


def opposite(a: Node, b: Node) -> bool:
    """Whether one is the other's negation."""
    return (a.op is Op.NOT and a.args[0] is b) or (b.op is Op.NOT and b.args[0] is a)


def contradict(a: Node, b: Node) -> bool:
    """Whether two conditions are seen not to hold together: opposites, or a term that equals two literals."""
    if opposite(a, b):
        return True
    if a.op is not Op.EQ or b.op is not Op.EQ or a.args[0] is not b.args[0]:
        return False
    one, other = a.args[1], b.args[1]
    return one.is_literal and other.is_literal and one is not other


def _not(_: Algebra, args: Args, __: Indices) -> Node | None:
    [a] = args
    return a.args[0] if a.op is Op.NOT else None


def _and(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    return _junction(algebra, args, algebra.true, algebra.false, Op.AND, Op.OR)


def _or(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    return _junction(algebra, args, algebra.false, algebra.true, Op.OR, Op.AND)


def _junction(algebra: Algebra, args: Args, unit: Node, zero: Node, op: Op, dual: Op) -> Node | None:
    if len(args) != 2:
        result = unit
        for arg in args:
            result = algebra.app(op, (result, arg))
        return result
    a, b = args
    if a is unit or a is b:
        return b
    if b is unit:
        return a
    if a is zero or b is zero or opposite(a, b):
        return zero
    if op is Op.AND and contradict(a, b):
        return zero
    for one, other in ((a, b), (b, a)):
        if other.op is dual:
            if one in other.args:
                return one
            for part, rest in (other.args, other.args[::-1]):
                if opposite(one, part):
                    return algebra.app(op, (one, rest))
        if other.op is op and any(opposite(one, part) for part in other.args):
            return zero
        if other.op is op and one in other.args:
            return other
    return None


def _implies(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    return algebra.or_(algebra.not_(args[0]), args[1])


def _xor(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    return algebra.not_(algebra.eq(*args)) if len(args) == 2 else None


def _distinct(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    return algebra.not_(algebra.eq(*args)) if len(args) == 2 else None


def _ite(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    condition, then, otherwise = args
    if condition is algebra.true or then is otherwise:
        return then
    if condition is algebra.false:
        return otherwise
    if condition.op is Op.NOT:
        return algebra.ite(condition.args[0], otherwise, then)
    if then.op is Op.ITE and then.args[0] is condition:
        return algebra.ite(condition, then.args[1], otherwise)
    if otherwise.op is Op.ITE and otherwise.args[0] is condition:
        return algebra.ite(condition, then, otherwise.args[2])
    return _boolean_ite(algebra, condition, then, otherwise) if then.sort is BOOL else None


def _boolean_ite(algebra: Algebra, condition: Node, then: Node, otherwise: Node) -> Node | None:
    if then.is_literal:
        return algebra.or_(condition, otherwise) if then.data else algebra.and_(algebra.not_(condition), otherwise)
    if otherwise.is_literal:
        return algebra.or_(algebra.not_(condition), then) if otherwise.data else algebra.and_(condition, then)
    return None


def _eq(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    if len(args) != 2:
        return None
    a, b = args
    if a is b:
        return algebra.true
    if a.is_literal:
        a, b = b, a
    if a.sort is BOOL:
        if b.is_literal:
            return a if b.data else algebra.not_(a)
        return algebra.false if opposite(a, b) else None
    if isinstance(a.sort, BitVecSort):
        return _equal_vectors(algebra, a, b) or (algebra.made(Op.EQ, (a, b), (), BOOL) if args[0].is_literal else None)
    return None


def _equal_vectors(algebra: Algebra, a: Node, b: Node) -> Node | None:
    (low, high), (least, most) = a.span, b.span
    if high < least or most < low:
        return algebra.false
    if not b.is_literal:
        base, other = (t.args[0] if _is_offset(t) else t for t in (a, b))
        return algebra.false if base is other else None  # plus different constants
    value = b.value
    if value & ((1 << a.zeros) - 1):
        return algebra.false
    match a.op:
        case Op.BVADD if a.args[1].is_literal:
            return algebra.eq(a.args[0], algebra.number(value - a.args[1].value, a))
        case Op.ZERO_EXTEND:
            return algebra.eq(a.args[0], algebra.number(value, a.args[0]))
        case Op.SIGN_EXTEND:
            inner = algebra.number(value, a.args[0])
            same = algebra.app(Op.SIGN_EXTEND, (inner,), a.data)  # type: ignore[arg-type]
            return algebra.eq(a.args[0], inner) if same is b else algebra.false
        case _:
            return None


def _is_offset(a: Node) -> bool:
    """Whether this is another term plus a constant that is not zero."""
    return a.op is Op.BVADD and len(a.args) == 2 and a.args[1].is_literal


# --- comparisons -----------------------------------------------------------------------------------


def _ult(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    a, b = args
    if a is b:
        return algebra.false
    decided = less(a.span, b.span)
    if decided is not None:
        return algebra.truth(decided)
    if b.is_literal and b.value == 1:
        return algebra.eq(a, algebra.number(0, a))
    for one, other in ((a, b), (b, a)):
        if one.op is Op.ZERO_EXTEND and other.span[1] < 1 << one.args[0].width:
            narrow = _narrowed(algebra, other, one.args[0])
            if narrow is not None:
                return algebra.app(Op.BVULT, (one.args[0], narrow) if one is a else (narrow, one.args[0]))
    return None


def _narrowed(algebra: Algebra, a: Node, like: Node) -> Node | None:
    """A term that fits into the width of another, in that width."""
    if a.is_literal:
        return algebra.number(a.value, like)
    return a.args[0] if a.op is Op.ZERO_EXTEND and a.args[0].width == like.width else None


def _slt(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    a, b = args
    if a is b:
        return algebra.false
    half = 1 << (a.width - 1)
    if a.span[1] < half and b.span[1] < half:
        return algebra.app(Op.BVULT, (a, b))
    decided = less(signed_span(a.span, half), signed_span(b.span, half))
    if decided is not None:
        return algebra.truth(decided)
    for one, other in ((a, b), (b, a)):
        if one.op is Op.SIGN_EXTEND and other.is_literal:
            inner = algebra.number(other.value, one.args[0])
            if algebra.app(Op.SIGN_EXTEND, (inner,), one.data) is other:  # type: ignore[arg-type]
                return algebra.app(Op.BVSLT, (one.args[0], inner) if one is a else (inner, one.args[0]))
    return None


def signed_span(span: tuple[int, int], half: int) -> tuple[int, int]:
    """A span as of two's complement."""
    low, high = span
    if low >= half:
        return (low - 2 * half, high - 2 * half)
    return (low, high) if high < half else (-half, half - 1)


def less(a: tuple[int, int], b: tuple[int, int]) -> bool | None:
    """Whether all values of one span are less than all of another, or none is."""
    if a[1] < b[0]:
        return True
    return False if a[0] >= b[1] else None


def _turned(op: Op, swapped: bool, negated: bool) -> Rule:
    """A comparison in terms of another."""

    def rule(algebra: Algebra, args: Args, _: Indices) -> Node:
        a, b = args
        made = algebra.app(op, (b, a) if swapped else (a, b))
        return algebra.not_(made) if negated else made

    return rule


# --- arithmetic ------------------------------------------------------------------------------------


def _add(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    if len(args) != 2:
        return None
    a, b = args
    if a.is_literal:
        return algebra.app(Op.BVADD, (b, a))
    if b.is_literal:
        if b.value == 0:
            return a
        if _is_offset(a):
            return algebra.app(Op.BVADD, (a.args[0], algebra.number(a.args[1].value + b.value, a)))
        return None
    if _is_offset(a):
        return algebra.app(Op.BVADD, (algebra.app(Op.BVADD, (a.args[0], b)), a.args[1]))
    if _is_offset(b):
        return algebra.app(Op.BVADD, (algebra.app(Op.BVADD, (a, b.args[0])), b.args[1]))
    return None


def _sub(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    a, b = args
    if b.is_literal:
        return algebra.app(Op.BVADD, (a, algebra.number(-b.value, b)))
    if a is b:
        return algebra.number(0, a)
    if _is_offset(a):
        return algebra.app(Op.BVADD, (algebra.app(Op.BVSUB, (a.args[0], b)), a.args[1]))
    if _is_offset(b):
        return algebra.app(Op.BVSUB, (algebra.app(Op.BVSUB, (a, b.args[0])), b.args[1]))
    if a.op is Op.BVADD and b in a.args:
        return a.args[1] if a.args[0] is b else a.args[0]
    return None


def _mul(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    if len(args) != 2:
        return None
    a, b = args
    if a.is_literal:
        return algebra.app(Op.BVMUL, (b, a))
    if not b.is_literal:
        return None
    if b.value in (0, 1):
        return a if b.value else b
    if _is_offset(a):
        more = algebra.number(a.args[1].value * b.value, a)
        return algebra.app(Op.BVADD, (algebra.app(Op.BVMUL, (a.args[0], b)), more))
    if a.op is Op.BVMUL and a.args[1].is_literal:
        return algebra.app(Op.BVMUL, (a.args[0], algebra.number(a.args[1].value * b.value, a)))
    return None


def masked(algebra: Algebra, a: Node, mask: int, span: tuple[int, int]) -> Node | None:
    """`a & mask`, where the value of `a` is in a span."""
    low, high = span
    first = (mask & -mask).bit_length() - 1
    if mask + (1 << first) == 1 << a.width and low >> first == high >> first:
        return algebra.number(low >> first << first, a)
    ones = (mask + 1).bit_length() - 1
    return a if mask + 1 == 1 << ones and high <= mask else None


def _bvand(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    if len(args) != 2:
        return None
    a, b = args
    if a.is_literal:
        return algebra.app(Op.BVAND, (b, a))
    if a is b:
        return a
    if not b.is_literal:
        return None
    if b.value == 0:
        return b
    if a.op is Op.BVAND and len(a.args) == 2 and a.args[1].is_literal:
        return algebra.app(Op.BVAND, (a.args[0], algebra.number(a.args[1].value & b.value, a)))
    # Where the mask clears the lowest bits only, a constant without those bits can as well be added afterwards.
    cleared = (b.value & -b.value) - 1
    if _is_offset(a) and a.args[1].value & cleared == 0 and b.value | cleared == (1 << a.width) - 1:
        return algebra.app(Op.BVADD, (algebra.app(Op.BVAND, (a.args[0], b)), a.args[1]))
    return masked(algebra, a, b.value, a.span)


def _bvor(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    if len(args) != 2:
        return None
    a, b = args
    if a is b:
        return a
    for one, other in ((a, b), (b, a)):
        if one.is_literal and one.value == 0:
            return other
        if one.is_literal and one.value == (1 << one.width) - 1:
            return one
    return None


def _bvxor(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    if len(args) != 2:
        return None
    a, b = args
    if a is b:
        return algebra.number(0, a)
    for one, other in ((a, b), (b, a)):
        if one.is_literal and one.value == 0:
            return other
    return None


def _shift(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    a, b = args
    return a if b.is_literal and b.value == 0 else None


def _shl(algebra: Algebra, args: Args, indices: Indices) -> Node | None:
    a, b = args
    if b.is_literal and b.value < a.width:
        return algebra.app(Op.BVMUL, (a, algebra.number(1 << b.value, a)))
    return _shift(algebra, args, indices)


def _ashr(algebra: Algebra, args: Args, indices: Indices) -> Node | None:
    if args[0].span[1] < 1 << (args[0].width - 1):
        return algebra.app(Op.BVLSHR, args)
    return _shift(algebra, args, indices)


def _lshr(algebra: Algebra, args: Args, indices: Indices) -> Node | None:
    a, b = args
    if b.is_literal and a.op is Op.BVMUL and b.value < a.width and _is_exact(a) and a.args[1].value == 1 << b.value:
        return a.args[0]
    return _shift(algebra, args, indices)


def _udiv(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    a, b = args
    if b.is_literal and b.value and b.value & (b.value - 1) == 0:
        return algebra.app(Op.BVLSHR, (a, algebra.number(b.value.bit_length() - 1, b)))
    return None


def _urem(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    a, b = args
    if b.is_literal and b.value and b.value & (b.value - 1) == 0:
        return algebra.app(Op.BVAND, (a, algebra.number(b.value - 1, b)))
    return None


def _unsigned(op: Op) -> Rule:
    """A division of what is not negative."""

    def rule(algebra: Algebra, args: Args, _: Indices) -> Node | None:
        half = 1 << (args[0].width - 1)
        return algebra.app(op, args) if all(a.span[1] < half for a in args) else None

    return rule


# --- widths ----------------------------------------------------------------------------------------


_PIECES = (Leaf.LITERAL, Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.CONCAT, Op.EXTRACT)


def _extract(algebra: Algebra, args: Args, indices: Indices) -> Node | None:
    [a], (last, first) = args, indices
    if first == 0 and last == a.width - 1:
        return a
    match a.op:
        case Op.EXTRACT:
            low = _pair(a)[1]
            return algebra.app(Op.EXTRACT, a.args, (last + low, first + low))
        case Op.CONCAT if len(a.args) == 2:
            upper, lower = a.args
            if first >= lower.width:
                return algebra.app(Op.EXTRACT, (upper,), (last - lower.width, first - lower.width))
            return algebra.app(Op.EXTRACT, (lower,), indices) if last < lower.width else None
        case Op.ZERO_EXTEND | Op.SIGN_EXTEND if last < a.args[0].width:
            return algebra.app(Op.EXTRACT, a.args, indices)
        case Op.ZERO_EXTEND if first >= a.args[0].width:
            return algebra.literal(0, BitVecSort(last - first + 1))
        case Op.ZERO_EXTEND | Op.SIGN_EXTEND if first == 0:
            return algebra.app(a.op, a.args, (last + 1 - a.args[0].width,))
        case Op.BVAND | Op.BVOR | Op.BVXOR if all(p.op in _PIECES for p in a.args):
            return algebra.app(a.op, tuple([algebra.app(Op.EXTRACT, (p,), indices) for p in a.args]))
        case Op.BVADD | Op.BVSUB | Op.BVMUL if first == 0 and any(p.is_literal for p in a.args):
            return algebra.app(a.op, tuple([algebra.app(Op.EXTRACT, (p,), indices) for p in a.args]))
        case _:
            return None


def _zero_extend(algebra: Algebra, args: Args, indices: Indices) -> Node | None:
    [a], [by] = args, indices
    if by == 0:
        return a
    if a.op in (Op.BVADD, Op.BVMUL) and _is_exact(a):
        return algebra.app(a.op, tuple([algebra.app(Op.ZERO_EXTEND, (p,), indices) for p in a.args]))
    return algebra.app(Op.ZERO_EXTEND, a.args, (by + a.data[0],)) if a.op is Op.ZERO_EXTEND else None  # type: ignore[index]


def _is_exact(a: Node) -> bool:
    """Whether a sum or a product with a constant never wraps round."""
    if len(a.args) != 2 or not a.args[1].is_literal:
        return False
    part, constant = a.args[0].span[1], a.args[1].value
    return (part + constant if a.op is Op.BVADD else part * constant) < 1 << a.width


def _sign_extend(algebra: Algebra, args: Args, indices: Indices) -> Node | None:
    [a], [by] = args, indices
    if by == 0:
        return a
    if a.op is Op.SIGN_EXTEND:
        return algebra.app(Op.SIGN_EXTEND, a.args, (by + a.data[0],))  # type: ignore[index]
    return algebra.app(Op.ZERO_EXTEND, args, indices) if a.span[1] < 1 << (a.width - 1) else None


def _concat(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    if len(args) != 2:
        return None
    a, b = args
    if a.is_literal and a.value == 0:
        return algebra.app(Op.ZERO_EXTEND, (b,), (a.width,))
    if b.op is Op.CONCAT and len(b.args) == 2:
        return algebra.app(Op.CONCAT, (algebra.app(Op.CONCAT, (a, b.args[0])), b.args[1]))
    if a.op is Op.ITE and b.op is Op.ITE and a.args[0] is b.args[0]:
        # Choices share parts, so that the same pairs come up again and again.
        known = algebra.joined.get(args)
        if known is None:
            parts = [algebra.app(Op.CONCAT, (x, y)) for x, y in zip(a.args[1:], b.args[1:], strict=True)]
            known = algebra.joined[args] = algebra.ite(a.args[0], *parts)
        return known
    joined = _joined(algebra, a, b)
    if joined is None and a.op is Op.CONCAT and len(a.args) == 2:
        joined = _joined(algebra, a.args[1], b)
        return None if joined is None else algebra.app(Op.CONCAT, (a.args[0], joined))
    return joined


def _pair(extract: Node) -> tuple[int, int]:
    return cast(tuple[int, int], extract.data)


def _joined(algebra: Algebra, a: Node, b: Node) -> Node | None:
    """Two pieces of a term that are next to each other, as one."""
    extended = a.op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND)
    piece = a.args[0] if extended else a
    whole, (last, first) = (piece.args[0], _pair(piece)) if piece.op is Op.EXTRACT else (piece, (piece.width - 1, 0))
    if b.op is not Op.EXTRACT or b.args[0] is not whole or _pair(b)[0] + 1 != first:
        return None
    joined = algebra.app(Op.EXTRACT, (whole,), (last, _pair(b)[1]))
    return algebra.app(a.op, (joined,), a.data) if extended else joined  # type: ignore[arg-type]


# --- integers --------------------------------------------------------------------------------------


def _int_add(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    if len(args) != 2:
        return None
    a, b = args
    if a.is_literal:
        return algebra.app(Op.ADD, (b, a))
    if not b.is_literal:
        return None
    if b.data == 0:
        return a
    if a.op is Op.ADD and len(a.args) == 2 and a.args[1].is_literal:
        return algebra.app(Op.ADD, (a.args[0], algebra.app(Op.ADD, (a.args[1], b))))
    return None


def _int_sub(algebra: Algebra, args: Args, _: Indices) -> Node | None:
    if len(args) != 2:
        return None
    a, b = args
    if b.is_literal:
        return algebra.app(Op.ADD, (a, algebra.literal(-b.data, b.sort)))  # type: ignore[operator]
    return algebra.literal(0, a.sort) if a is b else None


RULES: dict[Op, Rule] = {
    Op.NOT: _not,
    Op.AND: _and,
    Op.OR: _or,
    Op.IMPLIES: _implies,
    Op.XOR: _xor,
    Op.DISTINCT: _distinct,
    Op.ITE: _ite,
    Op.EQ: _eq,
    Op.BVULT: _ult,
    Op.BVSLT: _slt,
    Op.BVUGT: _turned(Op.BVULT, swapped=True, negated=False),
    Op.BVULE: _turned(Op.BVULT, swapped=True, negated=True),
    Op.BVUGE: _turned(Op.BVULT, swapped=False, negated=True),
    Op.BVSGT: _turned(Op.BVSLT, swapped=True, negated=False),
    Op.BVSLE: _turned(Op.BVSLT, swapped=True, negated=True),
    Op.BVSGE: _turned(Op.BVSLT, swapped=False, negated=True),
    Op.GT: _turned(Op.LT, swapped=True, negated=False),
    Op.LE: _turned(Op.LT, swapped=True, negated=True),
    Op.GE: _turned(Op.LT, swapped=False, negated=True),
    Op.BVADD: _add,
    Op.BVSUB: _sub,
    Op.BVMUL: _mul,
    Op.BVAND: _bvand,
    Op.BVOR: _bvor,
    Op.BVXOR: _bvxor,
    Op.BVSHL: _shl,
    Op.BVLSHR: _lshr,
    Op.BVASHR: _ashr,
    Op.BVUDIV: _udiv,
    Op.BVUREM: _urem,
    Op.BVSDIV: _unsigned(Op.BVUDIV),
    Op.BVSREM: _unsigned(Op.BVUREM),
    Op.EXTRACT: _extract,
    Op.ZERO_EXTEND: _zero_extend,
    Op.SIGN_EXTEND: _sign_extend,
    Op.CONCAT: _concat,
    Op.ADD: _int_add,
    Op.SUB: _int_sub,
}
