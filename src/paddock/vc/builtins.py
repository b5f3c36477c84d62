"""Functions that stand for a solver's own: `{:builtin "…"}` and `{:bvbuiltin "…"}`.

The text is what stands before the arguments in SMT-LIB: `bvadd`, `(_ extract 7 0)`, `(_ to_fp 8 24) RNE` with
the first argument already there, the older `sign_extend 8`, or one of Boogie's own names for maps, `MapAdd`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.program import Function, Program, built_in
from paddock.ir.types import Map, Type
from paddock.solvers import sorts
from paddock.solvers.interface import SolverFailure, Term, Terms
from paddock.solvers.ops import Op
from paddock.solvers.ops import builtin as operator_named
from paddock.solvers.sorts import Sort

Builtin = Callable[[Terms, Sequence[Term]], Term]

_POINTWISE = {
    "MapAdd": Op.ADD,
    "MapSub": Op.SUB,
    "MapMul": Op.MUL,
    "MapDiv": Op.DIV,
    "MapMod": Op.MOD,
    "MapEq": Op.EQ,
    "MapIff": Op.EQ,
    "MapGt": Op.GT,
    "MapGe": Op.GE,
    "MapLt": Op.LT,
    "MapLe": Op.LE,
    "MapOr": Op.OR,
    "MapAnd": Op.AND,
    "MapNot": Op.NOT,
    "MapImp": Op.IMPLIES,
    "MapIte": Op.ITE,
}
_MODES = {
    "RNE": "RNE",
    "RNA": "RNA",
    "RTP": "RTP",
    "RTN": "RTN",
    "RTZ": "RTZ",
    "roundNearestTiesToEven": "RNE",
    "roundNearestTiesToAway": "RNA",
    "roundTowardPositive": "RTP",
    "roundTowardNegative": "RTN",
    "roundTowardZero": "RTZ",
}


def builtin(function: Function, sort: Callable[[Type], Sort]) -> Builtin | None:
    """How to apply a function that its attribute says is built in; None if there is no such attribute."""
    text = built_in(function)
    if text is None:
        return None
    found = _map_operation(text, function, sort) or _operation(text)
    if found is None:
        raise InputError(_unknown(function, text))

    def apply(terms: Terms, args: Sequence[Term]) -> Term:
        try:
            return found(terms, args)
        except (ValueError, KeyError):  # not as many arguments, or indices, as it has
            raise InputError(_misfit(function, text)) from None
        except SolverFailure as failure:
            if "memory" in str(failure):
                raise
            raise InputError(_misfit(function, text)) from None

    return apply


def require_known_builtins(program: Program) -> None:
    """Raises `InputError` with all functions of which `builtin` would not know how to apply them."""
    marked = [(f, text) for f in program.functions if (text := built_in(f)) is not None]
    unknown = [_unknown(f, text) for f, text in marked if not (_is_of_maps(text, f) or _operation(text))]
    if unknown:
        raise InputError(unknown)


def _unknown(function: Function, text: str) -> Diagnostic:
    return Diagnostic(f"the builtin \"{text}\" of the function '{function.name}' is not supported", function.origin)


def _misfit(function: Function, text: str) -> Diagnostic:
    message = f"the types of the function '{function.name}' are not those of the builtin \"{text}\""
    return Diagnostic(message, function.origin)


def _operation(text: str) -> Builtin | None:
    head = text.strip()
    modes: list[str] = []
    *rest, last = head.split() or [""]
    while last in _MODES and rest:
        modes.insert(0, _MODES[last])
        head = " ".join(rest)
        *rest, last = rest
    named = operator_named(head)
    if named is None:
        return None
    op, indices = named

    def apply(terms: Terms, args: Sequence[Term]) -> Term:
        leading = [terms.literal(mode, sorts.ROUNDING_MODE) for mode in modes]
        return terms.app(op, [*leading, *args], indices)

    return apply


def _is_of_maps(text: str, function: Function) -> bool:
    return isinstance(function.result, Map) and (_is_constant(text) or text in _POINTWISE)


def _is_constant(text: str) -> bool:
    return text == "MapConst" or text.startswith("(as const")


def _map_operation(text: str, function: Function, sort: Callable[[Type], Sort]) -> Builtin | None:
    result = function.result
    if not isinstance(result, Map) or not _is_of_maps(text, function):
        return None
    array, domain = sort(result), [sort(d) for d in result.domain]
    if _is_constant(text):
        return lambda terms, args: terms.const_array(array, args[0])
    op = _POINTWISE[text]

    def pointwise(terms: Terms, args: Sequence[Term]) -> Term:
        indices = [terms.variable("i", s) for s in domain]
        elements = [terms.app(Op.SELECT, (a, *indices)) for a in args]
        return terms.lambda_(indices, terms.app(op, elements))

    return pointwise
