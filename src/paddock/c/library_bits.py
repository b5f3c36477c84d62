"""Models of GCC's functions on the bits of integers (`__builtin_popcount`, …), and of arithmetic that says whether it
overflows (`__builtin_add_overflow`, …).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING

from paddock.c import tree as t
from paddock.c import types as c
from paddock.c.lower_blocks import Steps
from paddock.c.lower_places import MemoryPlace
from paddock.c.lower_terms import choice, equal, negation
from paddock.c.pointsto import PointerEffect
from paddock.c.text import expression_text
from paddock.c.tree import BinaryOperator as B
from paddock.ir.build import bv_lit
from paddock.ir.expr import Expr

if TYPE_CHECKING:
    from paddock.c.lower_calls import Calls

_Model = Callable[["Calls", t.Call], Steps[tuple[Expr, ...]]]


def _checked(op: B) -> _Model:
    """The exact result is stored as far as it fits; whether it does not is what the call returns."""

    def model(low: Calls, call: t.Call) -> Steps[tuple[Expr, ...]]:
        (a,), (b,), (pointer,) = yield low.lasting_arguments(call.arguments)
        left, right, result = (argument.type for argument in call.arguments)
        assert isinstance(result, c.PointerType)
        width = 2 * max(low.numbers.width(left), low.numbers.width(right)) + 2
        wide = c.IntType("wide", width, True, c.INT128_RANK + 1)
        exact = low.numbers.whole_binary(
            op, low.numbers.convert(a, left, wide), low.numbers.convert(b, right, wide), wide
        )
        low.check_pointer(pointer, low.size_of(result.target), expression_text(call), call.origin)
        place = MemoryPlace(pointer, low.pointsto.target(call.arguments[2]), result.target)
        low.store(place, low.numbers.convert(exact, wide, result.target), name=_name(low, call.arguments[2]))
        return (low.numbers.of_truth(negation(low.numbers.fits(exact, wide, result.target)), call.type),)

    return model


def _name(low: Calls, pointer: t.Expression) -> tuple[str, tuple[tuple[Expr, c.CType], ...]]:
    """What the place is called that a pointer points to."""
    if isinstance(pointer, t.AddressOf):
        return low.name_of(pointer.place)
    return f"*{expression_text(pointer)}", ()


def _counted(count: Callable[[Calls, list[Expr]], Expr]) -> _Model:
    """A function from the bits of an integer, the lowest first, to an `int`."""

    def model(low: Calls, call: t.Call) -> Steps[tuple[Expr, ...]]:
        ((value,),) = yield low.arguments(call.arguments)
        type_ = call.arguments[0].type
        whole = low.numbers.bits(value, type_)
        bits = [low.terms.extract(whole, n, 1) for n in range(low.numbers.width(type_))]
        return (low.numbers.of_bits(count(low, bits), c.INT),)

    return model


def _number(value: int) -> Expr:
    return bv_lit(value, c.INT.width)


def _ones(low: Calls, bits: list[Expr]) -> Expr:
    wide = [low.terms.extend(bit, c.INT.width, signed=False) for bit in bits]
    return reduce(lambda a, b: low.terms.bv("bvadd", a, b), wide)


def _parity(low: Calls, bits: list[Expr]) -> Expr:
    odd = reduce(lambda a, b: low.terms.bv("bvxor", a, b), bits)
    return low.terms.extend(odd, c.INT.width, signed=False)


def _first_one(bits: list[Expr], otherwise: int, offset: int = 0) -> Expr:
    """The number of the first bit that is 1."""
    result = _number(otherwise)
    for n, bit in reversed(list(enumerate(bits))):
        result = choice(equal(bit, bv_lit(1, 1)), _number(n + offset), result)
    return result


def _swapped(low: Calls, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """The bytes in the opposite order."""
    ((value,),) = yield low.arguments(call.arguments)
    type_ = call.arguments[0].type
    whole = low.numbers.bits(value, type_)
    bytes_ = [low.terms.extract(whole, n, c.BYTE) for n in range(0, low.numbers.width(type_), c.BYTE)]
    return (low.numbers.of_bits(reduce(low.terms.concat, bytes_), call.type),)


def _names(base: str) -> tuple[str, ...]:
    return tuple(f"__builtin_{base}{end}" for end in ("", "l", "ll"))


def _typed(op: str) -> tuple[str, ...]:
    return (
        f"__builtin_{op}_overflow",
        *(f"__builtin_{sign}{op}{size}_overflow" for sign in "su" for size in ("", "l", "ll")),
    )


_CHECKED = {"add": B.ADD, "sub": B.SUBTRACT, "mul": B.MULTIPLY}
MODELS: dict[str, _Model] = {
    **{name: _checked(op) for word, op in _CHECKED.items() for name in _typed(word)},
    **dict.fromkeys(_names("popcount"), _counted(_ones)),
    **dict.fromkeys(_names("parity"), _counted(_parity)),
    **dict.fromkeys(_names("clz"), _counted(lambda low, bits: _first_one(bits[::-1], len(bits)))),
    **dict.fromkeys(_names("ctz"), _counted(lambda low, bits: _first_one(bits, len(bits)))),
    **dict.fromkeys((*_names("ffs"), "ffs", "ffsl", "ffsll"), _counted(lambda low, bits: _first_one(bits, 0, 1))),
    **dict.fromkeys(("__builtin_bswap16", "__builtin_bswap32", "__builtin_bswap64"), _swapped),
}
EFFECTS = {name: PointerEffect(writes=2) for word in _CHECKED for name in _typed(word)}
