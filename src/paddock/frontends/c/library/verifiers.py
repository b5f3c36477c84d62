"""Models of CBMC's functions on numbers: classification and comparison of floats, and whether arithmetic overflows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import disjunction, negation
from paddock.frontends.c.conversions import common_type
from paddock.frontends.c.known_names import COMPARISONS
from paddock.frontends.c.library import numbers as library_numbers
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.expr import Expr

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering

_Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]


def _class(*predicates: str, holds: bool = True) -> _Model:
    """Whether one of some predicates holds for a float, or none does."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        ((value,),) = yield low.expressions.all(call.arguments)
        first, *others = (low.numbers.terms.float_predicate(text, value) for text in predicates)
        for other in others:
            first = disjunction(first, other)
        return (low.numbers.of_truth(first if holds else negation(first), call.type),)

    return model


def _overflows(op: B) -> _Model:
    """Whether an operator overflows, or wraps around, in the type in which its operands meet."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        values: list[tuple[Expr, ...]] = yield low.expressions.all(call.arguments)
        types = [argument.type for argument in call.arguments]
        if not all(c.is_integer(type_) for type_ in types):
            raise low.context.messages.refuse("overflow of numbers that are no integers is not supported", call.origin)
        meeting = types[0] if len(types) == 1 else common_type(types[0], types[1], low.numbers.model)
        type_ = low.numbers.integer(meeting)
        operands = [low.numbers.convert(v, source, type_) for (v,), source in zip(values, types, strict=True)]
        if len(operands) == 1:
            operands.insert(0, low.numbers.zero(type_))
        fits = low.numbers.integers.does_not_overflow(op, operands[0], operands[1], type_)
        return (low.numbers.of_truth(negation(fits), call.type),)

    return model


_CLASSES = {
    "isnan": _class("fp.isNaN"),
    "isinf": _class("fp.isInfinite"),
    "isfinite": _class("fp.isNaN", "fp.isInfinite", holds=False),
    "isnormal": _class("fp.isNormal"),
    "sign": _class("fp.isNegative"),
}
_LIKE_THE_LIBRARY = (
    *("abs", "labs", "llabs"),
    *(base + suffix for base in ("fabs", "fmod", "remainder") for suffix in ("f", "", "l")),
)
MODELS: dict[str, _Model] = {
    **{f"__CPROVER_{base}{end}": model for base, model in _CLASSES.items() for end in ("f", "d", "ld")},
    **{f"__CPROVER_{base}{end}": library_numbers.MODELS[base] for base in COMPARISONS for end in ("f", "d")},
    **{f"__CPROVER_{name}": library_numbers.MODELS[name] for name in _LIKE_THE_LIBRARY},
    **{f"__CPROVER_{name}": library_numbers.MODELS[f"__builtin_{name}"] for name in ("inf", "inff", "infl")},
    "__CPROVER_overflow_plus": _overflows(B.ADD),
    "__CPROVER_overflow_minus": _overflows(B.SUBTRACT),
    "__CPROVER_overflow_mult": _overflows(B.MULTIPLY),
    "__CPROVER_overflow_unary_minus": _overflows(B.SUBTRACT),
}
