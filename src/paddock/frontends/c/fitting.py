"""Whether a function can be called as if it were of another type: through a pointer, or where it is declared otherwise.

C leaves that undefined. But where registers and stack are the same for both types, all compilers do the same: arguments
without a parameter are dropped, of a wide integer the low bits arrive, a result that is not returned is anything.
Programs rely on it, for callbacks that do not care for their last argument or whose result does not matter. Beyond
that, nothing is known of what happens.
"""

from __future__ import annotations

from enum import IntEnum

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.conversions import promoted_argument_type


class Fit(IntEnum):
    """How well a function fits a call."""

    NONE = 0  # what happens is not defined
    WIDER = 1  # the high bits of an integer are not defined
    CLOSE = 2  # undefined, but compilers agree
    EXACT = 3


def fit(function: t.Function, call: t.Call, layout: c.Layout) -> Fit:
    """How well a function fits a call."""
    type_, arguments = function.type, [argument.type for argument in call.arguments]
    if len(arguments) < len(type_.parameters):
        return Fit.NONE
    dropped = type_.prototyped and not type_.variadic and len(arguments) > len(type_.parameters)
    # A function without a prototype takes what arguments are promoted to, and converts it.
    taken = type_.parameters if type_.prototyped else map(promoted_argument_type, type_.parameters)
    passed = (_received(*pair, layout) for pair in zip(arguments, taken, strict=False))
    return min(Fit.CLOSE if dropped else Fit.EXACT, _returned(type_.result, call.type, layout), *passed)


def _returned(given: c.CType, wanted: c.CType, layout: c.Layout) -> Fit:
    if given is not wanted and c.VOID in (given, wanted):
        # A struct may be returned in memory, and its address takes the place of an argument.
        return Fit.NONE if any(isinstance(type_, c.RecordType) for type_ in (given, wanted)) else Fit.CLOSE
    return _received(given, wanted, layout)


def _received(given: c.CType, wanted: c.CType, layout: c.Layout) -> Fit:
    """How well a value of one type does where one of another type is expected."""
    if given is wanted:
        return Fit.EXACT
    if not _is_word(given, layout) or not _is_word(wanted, layout):
        return Fit.NONE
    more = layout.size(given) - layout.size(wanted)
    return Fit.EXACT if more == 0 else Fit.CLOSE if more > 0 else Fit.WIDER


def _is_word(type_: c.CType, layout: c.Layout) -> bool:
    """Whether a value is passed like an integer that fits into a register, all of whose bits count."""
    if isinstance(type_, c.BoolType) or not (c.is_integer(type_) or isinstance(type_, c.PointerType)):
        return False
    return layout.size(type_) <= layout.model.pointer_size
