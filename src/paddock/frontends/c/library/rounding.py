"""Models of `fenv.h`: the rounding mode, and what is refused because exceptions of floats are not looked at.

The mode is a global variable that a program has only if it calls `fesetround`; without it, all rounding is to nearest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c.arithmetic.terms import choice, equal
from paddock.frontends.c.library.shapes import with_builtins
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.text import expression_text
from paddock.ir.build import TRUE
from paddock.ir.expr import Expr, Lit
from paddock.ir.types import RMODE

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering

_Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]

SETS_MODE = "fesetround"
MODE = "rounding#mode"
TO_NEAREST = Lit("RNE", RMODE)
# FE_TONEAREST, FE_DOWNWARD, FE_UPWARD and FE_TOWARDZERO of x86; and what `FLT_ROUNDS` says of them.
_NUMBERS = {"RNE": 0, "RTN": 0x400, "RTP": 0x800, "RTZ": 0xC00}
_FLT_ROUNDS = {"RNE": 1, "RTN": 3, "RTP": 2, "RTZ": 0}


def _set_mode(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """0, and the mode is another one; 1 for what is no mode."""
    ((value,),) = yield low.expressions.all(call.arguments)
    numbers, type_ = low.numbers, call.arguments[0].type
    known: Expr = low.numbers.literal(1, call.type)
    new: Expr = low.numbers.terms.mode or TO_NEAREST
    for name, number in _NUMBERS.items():
        chosen = equal(value, numbers.literal(number, type_))
        new = choice(chosen, Lit(name, RMODE), new)
        known = choice(chosen, numbers.literal(0, call.type), known)
    result = low.blocks.locals.temporary(known.type, "mode")
    low.blocks.assign(result, known)
    if low.numbers.terms.mode is not None:
        low.blocks.assign(low.numbers.terms.mode, new)
    return (result,)


def _mode_as(values: dict[str, int]) -> _Model:
    """A number for the mode."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        yield low.expressions.all(call.arguments)
        mode: Expr = low.numbers.terms.mode or TO_NEAREST
        result = low.numbers.literal(values["RTZ"], call.type)
        for name in ("RTP", "RTN", "RNE"):
            holds = TRUE if mode is TO_NEAREST and name == "RNE" else equal(mode, Lit(name, RMODE))
            result = choice(holds, low.numbers.literal(values[name], call.type), result)
        return (result,)

    return model


def _no_exceptions(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """The flags change, which only functions tell that are refused."""
    yield low.expressions.all(call.arguments)
    return (low.numbers.literal(0, call.type),)


def _refused(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    raise low.context.messages.refuse(
        f"a call of {expression_text(call.function)} is not supported: floats raise no exceptions here", call.origin
    )
    yield


MODELS: dict[str, _Model] = {
    SETS_MODE: _set_mode,
    "fegetround": _mode_as(_NUMBERS),
    "__builtin_flt_rounds": _mode_as(_FLT_ROUNDS),
    **dict.fromkeys(("feclearexcept", "feraiseexcept"), _no_exceptions),
    **dict.fromkeys(
        ("fetestexcept", "fegetexceptflag", "fesetexceptflag", "fetestexceptflag", "fesetexcept"), _refused
    ),
    **dict.fromkeys(("feenableexcept", "fedisableexcept", "fegetexcept", "fegetmode", "fesetmode"), _refused),
    **dict.fromkeys(("__builtin_set_flt_rounds", "_controlfp", "_mm_setcsr", "__builtin_ia32_ldmxcsr"), _refused),
}
SHAPES = {
    **with_builtins("fesetround feclearexcept feraiseexcept", "ii"),
    **with_builtins("fegetround flt_rounds", "i"),
}
