"""Models of the compilers' functions on the bits of integers (`__builtin_popcount`, …), and of arithmetic that says
whether it overflows (`__builtin_add_overflow`, …) or that wraps around.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import bits_type
from paddock.frontends.c.arithmetic.terms import choice, equal, negation
from paddock.frontends.c.conversions import bit_width
from paddock.frontends.c.known_names import wrapping
from paddock.frontends.c.library.shapes import with_builtins
from paddock.frontends.c.lowering.places import MemoryPlace
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.frontends.c.text import expression_text
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import TRUE, bv_lit
from paddock.ir.expr import Expr

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering

_Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]


def _exact(low: Lowering, op: B, call: t.Call, values: list[tuple[Expr, ...]]) -> tuple[Expr, c.IntType]:
    """What an operator makes of the first two arguments, in a type in which it fits."""
    left, right = (argument.type for argument in call.arguments[:2])
    width = 2 * max(low.numbers.width(left), low.numbers.width(right)) + 2
    wide = c.IntType("wide", width, True, c.INT128_RANK + 1)
    a, b = (low.numbers.convert(held[0], type_, wide) for held, type_ in zip(values, (left, right), strict=False))
    return low.numbers.integers.binary(op, a, b, wide), wide


def _checked(op: B) -> _Model:
    """The exact result is stored as far as it fits; whether it does not is what the call returns."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        values: list[tuple[Expr, ...]] = yield low.expressions.all_lasting(call.arguments)
        pointer, result = values[2][0], call.arguments[2].type
        assert isinstance(result, c.PointerType)
        exact, wide = _exact(low, op, call, values)
        low.objects.check_pointer(pointer, low.places.size_of(result.target), expression_text(call), call.origin)
        place = MemoryPlace(pointer, low.pointsto.target(call.arguments[2]), result.target)
        low.access.store(place, low.numbers.convert(exact, wide, result.target), name=_name(low, call.arguments[2]))
        return (low.numbers.of_truth(negation(low.numbers.fits(exact, wide, result.target)), call.type),)

    return model


def _predicted(op: B) -> _Model:
    """Whether the exact result does not fit the type of the third argument."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        _integers(low, call, 3)
        if bit_width(call.arguments[2]) is not None:
            raise low.context.messages.refuse(
                f"{expression_text(call.function)} for a bit-field is not supported", call.origin
            )
        values: list[tuple[Expr, ...]] = yield low.expressions.all(call.arguments)
        exact, wide = _exact(low, op, call, values)
        fits = low.numbers.fits(exact, wide, call.arguments[2].type)
        return (low.numbers.of_truth(negation(fits), call.type),)

    return model


def _integers(low: Lowering, call: t.Call, least: int, most: int = 0) -> None:
    """Refuse a call of what clang does not check unless it has so many arguments, all of them integers."""
    given = len(call.arguments)
    if not least <= given <= max(least, most) or not all(c.is_integer(a.type) for a in call.arguments):
        raise low.context.messages.refuse(f"{expression_text(call)} is not what the builtin expects", call.origin)


def _name(low: Lowering, pointer: t.Expression) -> tuple[str, tuple[tuple[Expr, c.CType], ...]]:
    """What the place is called that a pointer points to."""
    if isinstance(pointer, t.AddressOf):
        return low.notes.name_of(pointer.place)
    return f"*{expression_text(pointer)}", ()


def _bits(low: Lowering, value: Expr, type_: c.CType) -> list[Expr]:
    """The bits of an integer, the lowest first."""
    whole = low.numbers.bits(value, type_)
    return [low.numbers.terms.extract(whole, n, 1) for n in range(low.numbers.width(type_))]


def _counted(count: Callable[[Lowering, list[Expr]], Expr]) -> _Model:
    """A function from the bits of an integer, the lowest first, to an `int`."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        _integers(low, call, 1)
        ((value,),) = yield low.expressions.all(call.arguments)
        bits = _bits(low, value, call.arguments[0].type)
        return (low.numbers.of_bits(count(low, bits), c.INT),)

    return model


def _zeros(*, leading: bool) -> _Model:
    """How many bits are 0 before the first 1. For 0, it is what the second argument says; without one, it is undefined:
    a check fails, and the result is arbitrary."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        _integers(low, call, 1, 2)
        values: list[tuple[Expr, ...]] = yield low.expressions.all(call.arguments)
        value, type_ = values[0][0], call.arguments[0].type
        bits = _bits(low, value, type_)
        if len(values) == 2:
            otherwise = low.numbers.bits(low.numbers.convert(values[1][0], call.arguments[1].type, c.INT), c.INT)
        else:
            is_other = low.numbers.truth(value, type_)
            message = f"the zeros of 0 are counted in {expression_text(call)}"
            low.checks.check("bit-count", is_other, message, call.origin)
            if is_other is not TRUE:
                (arbitrary,) = low.variables.arbitrary_values(c.INT)
                otherwise = low.numbers.bits(arbitrary, c.INT)
            else:
                otherwise = _number(0)
        count = _first_one(bits[::-1] if leading else bits, otherwise)
        return (low.numbers.of_bits(count, c.INT),)

    return model


def _sign_bits(low: Lowering, bits: list[Expr]) -> Expr:
    """How many bits below the sign are the same as it."""
    differing = [low.numbers.terms.bv("bvxor", bit, bits[-1]) for bit in reversed(bits)]
    return _first_one(differing, _number(len(bits) - 1), -1)


def _number(value: int) -> Expr:
    return bv_lit(value, c.INT.width)


def _ones(low: Lowering, bits: list[Expr]) -> Expr:
    wide = [low.numbers.terms.extend(bit, c.INT.width, signed=False) for bit in bits]
    return reduce(lambda a, b: low.numbers.terms.bv("bvadd", a, b), wide)


def _parity(low: Lowering, bits: list[Expr]) -> Expr:
    odd = reduce(lambda a, b: low.numbers.terms.bv("bvxor", a, b), bits)
    return low.numbers.terms.extend(odd, c.INT.width, signed=False)


def _first_one(bits: list[Expr], otherwise: Expr, offset: int = 0) -> Expr:
    """The number of the first bit that is 1."""
    result = otherwise
    for n, bit in reversed(list(enumerate(bits))):
        result = choice(equal(bit, bv_lit(1, 1)), _number(n + offset), result)
    return result


def _reversed(piece: int) -> _Model:
    """The pieces of so many bits in the opposite order."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        _integers(low, call, 1)
        ((value,),) = yield low.expressions.all(call.arguments)
        type_ = call.arguments[0].type
        whole = low.numbers.bits(value, type_)
        pieces = [low.numbers.terms.extract(whole, n, piece) for n in range(0, low.numbers.width(type_), piece)]
        return (low.numbers.of_bits(reduce(low.numbers.terms.concat, pieces), call.type),)

    return model


def _rotated(op: str, back: str) -> _Model:
    """The bits moved around in a circle, by a count that may be larger than their number."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        (value,), (count,) = yield low.expressions.all(call.arguments)
        type_ = call.arguments[0].type
        width, bv = low.numbers.width(type_), low.numbers.terms.bv
        whole = low.numbers.bits(value, type_)
        count = low.numbers.bits(low.numbers.convert(count, call.arguments[1].type, type_), type_)
        count = bv("bvand", count, bv_lit(width - 1, width))
        rest = bv("bvand", bv("bvsub", bv_lit(0, width), count), bv_lit(width - 1, width))
        return (low.numbers.of_bits(bv("bvor", bv(op, whole, count), bv(back, whole, rest)), call.type),)

    return model


def _wrapping(combine: Callable[[Lowering, Expr, Expr, c.CType], Expr]) -> _Model:
    """A function of two integers of the type of the result that no check is about."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        (a,), (b,) = yield low.expressions.all(call.arguments)
        return (combine(low, a, b, call.type),)

    return model


def _operator(op: B) -> Callable[[Lowering, Expr, Expr, c.CType], Expr]:
    def combine(low: Lowering, a: Expr, b: Expr, type_: c.CType) -> Expr:
        unsigned = bits_type(low.numbers.width(type_))
        a, b = (low.numbers.convert(x, type_, unsigned) for x in (a, b))
        return low.numbers.convert(low.numbers.binary(op, a, b, unsigned), unsigned, type_)

    return combine


def _nand(low: Lowering, a: Expr, b: Expr, type_: c.CType) -> Expr:
    return low.numbers.integers.complement(_operator(B.AND)(low, a, b, type_), low.numbers.integer(type_))


def _better(op: B) -> Callable[[Lowering, Expr, Expr, c.CType], Expr]:
    return lambda low, a, b, type_: choice(low.numbers.compare(op, a, b, type_), a, b)


def _names(base: str) -> tuple[str, ...]:
    return tuple(f"__builtin_{base}{end}" for end in ("", "l", "ll", "g"))


def _typed(op: str) -> tuple[str, ...]:
    return (
        f"__builtin_{op}_overflow",
        *(f"__builtin_{sign}{op}{size}_overflow" for sign in "su" for size in ("", "l", "ll")),
    )


_CHECKED = {"add": B.ADD, "sub": B.SUBTRACT, "mul": B.MULTIPLY}
_WIDTHS = (8, 16, 32, 64)
_COMBINED: dict[str, Callable[[Lowering, Expr, Expr, c.CType], Expr]] = {
    "add": _operator(B.ADD),
    "sub": _operator(B.SUBTRACT),
    "and": _operator(B.AND),
    "or": _operator(B.OR),
    "xor": _operator(B.XOR),
    "nand": _nand,
    "min": _better(B.LESS),
    "max": _better(B.GREATER),
}
MODELS: dict[str, _Model] = {
    **{name: _checked(op) for word, op in _CHECKED.items() for name in _typed(word)},
    **dict.fromkeys(_names("popcount"), _counted(_ones)),
    **dict.fromkeys(_names("parity"), _counted(_parity)),
    **dict.fromkeys(_names("clz"), _zeros(leading=True)),
    **dict.fromkeys(_names("ctz"), _zeros(leading=False)),
    **dict.fromkeys(_names("clrsb"), _counted(_sign_bits)),
    **dict.fromkeys(
        (*_names("ffs"), "ffs", "ffsl", "ffsll"), _counted(lambda low, bits: _first_one(bits, _number(0), 1))
    ),
    **{f"__builtin_bswap{width}": _reversed(c.BYTE) for width in (16, 32, 64)},
    **{f"__builtin_bitreverse{width}": _reversed(1) for width in _WIDTHS},
    **{f"__builtin_rotateleft{width}": _rotated("bvshl", "bvlshr") for width in _WIDTHS},
    **{f"__builtin_rotateright{width}": _rotated("bvlshr", "bvshl") for width in _WIDTHS},
    **{f"__builtin_{word}_overflow_p": _predicted(op) for word, op in _CHECKED.items()},
    **{wrapping(word): _wrapping(combine) for word, combine in _COMBINED.items()},
}
EFFECTS = {name: PointerEffect(writes=2) for word in _CHECKED for name in _typed(word)}
SHAPES = with_builtins("ffs ffsl ffsll", "ii")
