"""Models of the functions on numbers: absolute values, classification of floats, rounding, roots.

Those that IEEE 754 defines are exact. The results of others (`sin`, `exp`, …) are arbitrary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import choice, conjunction, disjunction, negation
from paddock.frontends.c.library.shapes import for_classes, for_floats, with_builtins
from paddock.frontends.c.lowering.errno import EDOM
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import FALSE, compare
from paddock.ir.expr import Expr, Lit, Op
from paddock.ir.types import Float

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering

_Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]


def _absolute(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    ((value,),) = yield low.expressions.all(call.arguments)
    type_ = call.type
    low.arithmetic.operation(B.SUBTRACT, low.numbers.zero(type_), value, type_, call)
    negative = low.numbers.compare(B.LESS, value, low.numbers.zero(type_), type_)
    return (choice(negative, low.numbers.minus(value, type_), value),)


def _float_function(text: str, fails: Callable[[Lowering, list[Expr]], Expr] = lambda low, values: FALSE) -> _Model:
    """A function from floats of one type to it; `fails` says where it has no result, which is an error."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        arguments: list[tuple[Expr, ...]] = yield low.expressions.all(call.arguments)
        values = [low.numbers.convert(v, a.type, call.type) for (v,), a in zip(arguments, call.arguments, strict=True)]
        _domain_error(low, fails(low, values))
        return (_applied(low, text, values),)

    return model


def _applied(low: Lowering, text: str, values: list[Expr]) -> Expr:
    """A function of the solver's with its rounding mode, if it has one; `current` is the one of the program."""
    name = ".".join(text.replace("current", "RNE" if low.numbers.terms.mode is None else "").split())
    if text.endswith(" current"):
        return low.numbers.terms.rounded(text.removesuffix(" current"), values, values[0].type, name)
    return low.numbers.terms.functions.builtin(text, values, values[0].type, name)


def _to_integer(text: str) -> _Model:
    """A float, rounded to an integer."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        ((value,),) = yield low.expressions.all(call.arguments)
        return (low.numbers.truncated(_applied(low, text, [value]), low.numbers.integer(call.type)),)

    return model


def _domain_error(low: Lowering, condition: Expr) -> None:
    if condition is not FALSE:
        low.errno.set(EDOM, condition)


def _root_fails(low: Lowering, values: list[Expr]) -> Expr:
    return compare(Op.LT, values[0], Lit(0, values[0].type))


def _remainder_fails(low: Lowering, values: list[Expr]) -> Expr:
    """An infinity is divided, or something by zero."""
    a, b = values
    number = negation(disjunction(_is("fp.isNaN")(low, a), _is("fp.isNaN")(low, b)))
    return conjunction(number, disjunction(_is("fp.isInfinite")(low, a), _is("fp.isZero")(low, b)))


def _predicate(holds: Callable[[Lowering, Expr], Expr]) -> _Model:
    """A classification of a float: 1 or 0."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        ((value,),) = yield low.expressions.all(call.arguments)
        return (low.numbers.of_truth(holds(low, value), call.type),)

    return model


def _is(text: str) -> Callable[[Lowering, Expr], Expr]:
    return lambda low, value: low.numbers.terms.float_predicate(text, value)


def _is_finite(low: Lowering, value: Expr) -> Expr:
    return negation(disjunction(_is("fp.isNaN")(low, value), _is("fp.isInfinite")(low, value)))


def _infinity_sign(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """1 or -1 for an infinity, else 0."""
    ((value,),) = yield low.expressions.all(call.arguments)
    numbers, type_ = low.numbers, call.type
    sign = choice(_is("fp.isNegative")(low, value), numbers.literal(-1, type_), numbers.literal(1, type_))
    return (choice(_is("fp.isInfinite")(low, value), sign, numbers.literal(0, type_)),)


def _sign_bit(low: Lowering, value: Expr) -> Expr:
    """IEEE 754 leaves the sign of a NaN open."""
    (sign,) = low.variables.arbitrary_values(c.BOOL)
    return disjunction(_is("fp.isNegative")(low, value), conjunction(_is("fp.isNaN")(low, value), sign))


def _classify(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """`__builtin_fpclassify(nan, infinite, normal, subnormal, zero, value)`."""
    arguments: list[tuple[Expr, ...]] = yield low.expressions.all(call.arguments)
    *answers, value = (held[0] for held in arguments)
    result = answers[4]
    for text, answer in zip(
        ("fp.isSubnormal", "fp.isNormal", "fp.isInfinite", "fp.isNaN"), reversed(answers[:4]), strict=True
    ):
        result = choice(_is(text)(low, value), answer, result)
    return (result,)


def _fpclassify(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """glibc's `__fpclassify`: 0 for NaN, 1 infinite, 2 zero, 3 subnormal, 4 normal."""
    ((value,),) = yield low.expressions.all(call.arguments)
    result = low.numbers.literal(2, call.type)
    for n, text in ((3, "fp.isSubnormal"), (4, "fp.isNormal"), (1, "fp.isInfinite"), (0, "fp.isNaN")):
        result = choice(_is(text)(low, value), low.numbers.literal(n, call.type), result)
    return (result,)


def _compared(op: Op) -> _Model:
    """`isgreater` and its like: comparisons that raise no exceptions."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        (a,), (b,) = yield low.expressions.all(call.arguments)
        return (low.numbers.of_truth(compare(op, a, b), call.type),)

    return model


def _unordered(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    (a,), (b,) = yield low.expressions.all(call.arguments)
    nan = disjunction(_is("fp.isNaN")(low, a), _is("fp.isNaN")(low, b))
    return (low.numbers.of_truth(nan, call.type),)


def _less_greater(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    (a,), (b,) = yield low.expressions.all(call.arguments)
    return (low.numbers.of_truth(disjunction(compare(Op.LT, a, b), compare(Op.GT, a, b)), call.type),)


def _special(bits: Callable[[Float], int]) -> _Model:
    """A float with some bits; the arguments do not matter."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        type_ = low.numbers.type(call.type)
        assert isinstance(type_, Float)
        return (Lit(bits(type_), type_),)
        yield

    return model


def _infinity(type_: Float) -> int:
    return ((1 << type_.exponent) - 1) << (type_.significand - 1)


def _nan(type_: Float) -> int:
    return _infinity(type_) | 1 << (type_.significand - 2)


def _copysign(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    (a,), (b,) = yield low.expressions.all(call.arguments)
    magnitude = low.numbers.terms.functions.builtin("fp.abs", [a], a.type)
    return (choice(_sign_bit(low, b), low.numbers.minus(magnitude, call.type), magnitude),)


def _fmod(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """The remainder towards zero: that of IEEE 754, which is to nearest, moved by one divisor where signs differ."""
    (a,), (b,) = yield low.expressions.all(call.arguments)
    _domain_error(low, _remainder_fails(low, [a, b]))
    absolute = [low.numbers.terms.functions.builtin("fp.abs", [x], x.type) for x in (a, b)]
    nearest = low.numbers.terms.functions.builtin("fp.rem", absolute, a.type)
    negative = conjunction(_is("fp.isNegative")(low, nearest), negation(_is("fp.isZero")(low, nearest)))
    assert isinstance(call.type, c.FloatType)
    moved = low.numbers.binary(B.ADD, nearest, absolute[1], call.type)
    result = choice(negative, moved, low.numbers.terms.functions.builtin("fp.abs", [nearest], a.type))
    return (choice(_is("fp.isNegative")(low, a), low.numbers.minus(result, call.type), result),)


def _extreme(op: Op) -> _Model:
    """`fmin` and `fmax`: of a NaN and a number, the number."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        (a,), (b,) = yield low.expressions.all(call.arguments)
        chosen = choice(compare(op, a, b), a, b)
        chosen = choice(_is("fp.isNaN")(low, b), a, chosen)
        return (choice(_is("fp.isNaN")(low, a), b, chosen),)

    return model


def _float_names(*names: str) -> tuple[str, ...]:
    """The names of functions on doubles, with those of their siblings for float and long double, and the builtins."""
    all_ = [name + suffix for name in names for suffix in ("", "f", "l")]
    return (*all_, *(f"__builtin_{name}" for name in all_))


def _classes(*names: str) -> tuple[str, ...]:
    """The names under which compilers and libraries classify floats."""
    return tuple(
        f"{start}{name}{end}" for name in names for start in ("", "__", "__builtin_") for end in ("", "f", "l")
    )


MODELS: dict[str, _Model] = {
    **dict.fromkeys(
        ("abs", "labs", "llabs", "imaxabs", "__builtin_abs", "__builtin_labs", "__builtin_llabs"), _absolute
    ),
    **dict.fromkeys(_float_names("fabs"), _float_function("fp.abs")),
    **dict.fromkeys(_float_names("sqrt"), _float_function("fp.sqrt current", _root_fails)),
    **dict.fromkeys(_float_names("floor"), _float_function("fp.roundToIntegral RTN")),
    **dict.fromkeys(_float_names("ceil"), _float_function("fp.roundToIntegral RTP")),
    **dict.fromkeys(_float_names("trunc"), _float_function("fp.roundToIntegral RTZ")),
    **dict.fromkeys(_float_names("round"), _float_function("fp.roundToIntegral RNA")),
    **dict.fromkeys(_float_names("rint", "nearbyint"), _float_function("fp.roundToIntegral current")),
    **dict.fromkeys(_float_names("lrint", "llrint"), _to_integer("fp.roundToIntegral current")),
    **dict.fromkeys(_float_names("lround", "llround"), _to_integer("fp.roundToIntegral RNA")),
    **dict.fromkeys(_float_names("fma"), _float_function("fp.fma current")),
    **dict.fromkeys(_float_names("remainder", "drem"), _float_function("fp.rem", _remainder_fails)),
    **dict.fromkeys(_float_names("fmod"), _fmod),
    **dict.fromkeys(_float_names("copysign"), _copysign),
    **dict.fromkeys(_float_names("fmin"), _extreme(Op.LT)),
    **dict.fromkeys(_float_names("fmax"), _extreme(Op.GT)),
    **dict.fromkeys(_float_names("nan"), _special(_nan)),
    **dict.fromkeys(_float_names("inf", "huge_val"), _special(_infinity)),
    **dict.fromkeys(_classes("isnan"), _predicate(_is("fp.isNaN"))),
    **dict.fromkeys(_classes("isinf", "isinf_sign"), _infinity_sign),
    "__builtin_isinf": _predicate(_is("fp.isInfinite")),
    **dict.fromkeys(_classes("finite", "isfinite"), _predicate(_is_finite)),
    **dict.fromkeys(_classes("isnormal"), _predicate(_is("fp.isNormal"))),
    **dict.fromkeys(_classes("issubnormal"), _predicate(_is("fp.isSubnormal"))),
    **dict.fromkeys(_classes("iszero"), _predicate(_is("fp.isZero"))),
    **dict.fromkeys(_classes("signbit"), _predicate(_sign_bit)),
    **dict.fromkeys(("__fpclassify", "__fpclassifyf", "__fpclassifyl"), _fpclassify),
    "__builtin_fpclassify": _classify,
    **dict.fromkeys(("isgreater", "__builtin_isgreater"), _compared(Op.GT)),
    **dict.fromkeys(("isgreaterequal", "__builtin_isgreaterequal"), _compared(Op.GE)),
    **dict.fromkeys(("isless", "__builtin_isless"), _compared(Op.LT)),
    **dict.fromkeys(("islessequal", "__builtin_islessequal"), _compared(Op.LE)),
    **dict.fromkeys(("islessgreater", "__builtin_islessgreater"), _less_greater),
    **dict.fromkeys(("isunordered", "__builtin_isunordered"), _unordered),
}
SHAPES = {
    **with_builtins("abs labs llabs imaxabs", "ii"),
    **for_floats("fabs sqrt floor ceil trunc round rint nearbyint", "fF"),
    **for_floats("fma", "fFFF"),
    **for_floats("lrint llrint lround llround", "if"),
    **for_floats("remainder drem fmod copysign fmin fmax", "fFF"),
    **for_floats("nan", "f*"),
    **for_floats("inf huge_val", "f"),
    **for_classes("isnan isinf isinf_sign finite isfinite isnormal issubnormal iszero signbit", "if"),
    **for_classes("fpclassify", "if"),
    **with_builtins("isgreater isgreaterequal isless islessequal islessgreater isunordered", "iff"),
    "__builtin_fpclassify": "iiiiiif",
}
