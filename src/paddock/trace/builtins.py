"""SMT-LIB's functions by name, as `{:builtin "…"}` and `{:bvbuiltin "…"}` write them.

The text of such an attribute is what stands before the arguments in SMT-LIB: `bvadd`, `(_ extract 7 0)`,
`(_ to_fp 8 24) RNE` (with the first argument already there), Boogie's `MapAdd`, or the older `sign_extend 8`.
The IR's own operators are looked up here too, so that each function is defined once.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

from paddock.digits import integer
from paddock.frozen import frozen
from paddock.ir import bitvectors
from paddock.ir.types import INT, RMODE, Bv, Float, Map, Type
from paddock.trace import arithmetic, floats, regexes
from paddock.trace.regexes import OLD_REGEX_NAMES
from paddock.trace.strings import OLD_NAMES, STRINGS
from paddock.trace.values import Index, MapValue, Undecided, Value, equal, pointwise
from paddock.trace.world import World

Operation = Callable[[World, Index], Value]


@frozen
class _Use:
    """A function as it is used: its name, the numbers in `(_ name …)`, and the types around it."""

    name: str
    indices: tuple[int, ...]
    params: tuple[Type, ...]
    result: Type

    @property
    def format(self) -> Float:
        """The format of the first float among the parameters."""
        return next(t for t in self.params if isinstance(t, Float))


def operation(text: str, params: Sequence[Type], result: Type) -> Operation:
    """The function that a builtin's text names; raises `Undecided` if it is not known here."""
    head, leading = _head(text)
    types = (*(RMODE if isinstance(a, str) else INT for a in leading), *params)
    found = _operation(head, types, result)
    if found is None:
        raise Undecided(f'the builtin function "{text}"')
    if not leading:
        return found
    return lambda world, args: found(world, (*leading, *args))


# --- the text of an attribute ----------------------------------------------------------------------

_Sexp = str | list["_Sexp"]


def _head(text: str) -> tuple[_Sexp, Index]:
    """What is applied, and the arguments that are written with it."""
    open_lists: list[list[_Sexp]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            open_lists.append([])
        elif token != ")":
            open_lists[-1].append(token)
        elif len(open_lists) > 1:
            done = open_lists.pop()
            open_lists[-1].append(done)
    parts = open_lists[0]
    if not parts or len(open_lists) > 1:
        raise Undecided(f'the builtin function "{text}"')
    head, rest = parts[0], parts[1:]
    if rest and head in ("sign_extend", "zero_extend"):
        return ["_", head, *rest], ()
    leading: list[Value] = []
    for part in rest:
        if not isinstance(part, str) or not (part in floats.ROUNDING_MODES or part.isdecimal()):
            raise Undecided(f'the builtin function "{text}"')
        leading.append(floats.ROUNDING_MODES.get(part) or integer(part))
    return head, tuple(leading)


def _operation(head: _Sexp, params: tuple[Type, ...], result: Type) -> Operation | None:
    match head:
        case str() if head in _MAP_NAMES and params and isinstance(params[0], Map):
            return _pointwise(_MAP_NAMES[head], params, result)
        case "MapConst" | ["as", "const", *_] if isinstance(result, Map):
            return lambda world, args: MapValue(args[0], size=world.domains.index_size(result))
        case ["_", "map", str(name)] | ["_", "map", [str(name), *_]]:
            return _pointwise(name, params, result)
        case ["_", str(name), *numbers] if all(isinstance(n, str) and n.isdecimal() for n in numbers):
            use = _Use(name, tuple(int(n) for n in numbers if isinstance(n, str)), params, result)
        case str():
            use = _Use(OLD_NAMES.get(head) or OLD_REGEX_NAMES.get(head, head), (), params, result)
        case _:
            return None
    for family in (_core, _bit_vector, _float, _string):
        try:
            found = family(use)
        except StopIteration:  # no parameter of the type that the function is about
            return None
        if found is not None:
            return found
    return None


# --- maps ------------------------------------------------------------------------------------------

_MAP_NAMES: Mapping[str, str] = {
    "MapAdd": "+",
    "MapSub": "-",
    "MapMul": "*",
    "MapDiv": "div",
    "MapMod": "mod",
    "MapEq": "=",
    "MapIff": "=",
    "MapGt": ">",
    "MapGe": ">=",
    "MapLt": "<",
    "MapLe": "<=",
    "MapOr": "or",
    "MapAnd": "and",
    "MapNot": "not",
    "MapImp": "=>",
    "MapIte": "ite",
}


def _pointwise(name: str, params: tuple[Type, ...], result: Type) -> Operation | None:
    if not isinstance(result, Map) or not all(isinstance(t, Map) for t in params):
        return None
    element = _operation(name, tuple(t.range for t in params if isinstance(t, Map)), result.range)
    if element is None:
        return None
    return lambda world, args: pointwise(lambda *values: element(world, values), args)


# --- Booleans, integers, reals ---------------------------------------------------------------------


def _plain(function: Callable[..., Value]) -> Operation:
    return lambda world, args: function(*args)


def _chained(relation: Callable[[Any, Any], bool]) -> Operation:
    return lambda world, args: all(relation(a, b) for a, b in pairwise(args))


def _folded(function: Callable[[Any, Any], Value]) -> Operation:
    return lambda world, args: reduce(function, args)


def _implies(*args: bool) -> bool:
    return args[-1] or not all(args[:-1])


def _distinct(*args: Value) -> bool:
    return not any(equal(a, b) for i, a in enumerate(args) for b in args[:i])


def _minus(*args: Any) -> Any:
    return reduce(operator.sub, args) if len(args) > 1 else -args[0]


def _divided(op: str, function: Callable[[Any, Any], Value]) -> Operation:
    def divide(world: World, args: Index) -> Value:
        result: Any = args[0]
        for divisor in args[1:]:
            result = function(result, divisor) if divisor != 0 else world.division_by_zero(op, result)
        return result  # type: ignore[no-any-return]

    return divide


def _real_quotient(world: World, args: Index) -> Value:
    return _divided("/", operator.truediv)(world, tuple(Fraction(a) for a in args))  # type: ignore[arg-type]


_CORE: Mapping[str, Operation] = {
    "and": _plain(lambda *args: all(args)),
    "or": _plain(lambda *args: any(args)),
    "not": _plain(operator.not_),
    "=>": _plain(_implies),
    "xor": _folded(operator.xor),
    "=": _chained(equal),
    "distinct": _plain(_distinct),
    "ite": _plain(lambda c, a, b: a if c else b),
    "+": _folded(operator.add),
    "-": _plain(_minus),
    "*": _folded(operator.mul),
    "<": _chained(operator.lt),
    "<=": _chained(operator.le),
    ">": _chained(operator.gt),
    ">=": _chained(operator.ge),
    "div": _divided("div", arithmetic.div),
    "mod": _divided("mod", arithmetic.mod),
    "rem": _divided("rem", arithmetic.rem),
    "/": _real_quotient,
    "^": _plain(arithmetic.power),
    "abs": _plain(abs),
    "to_real": _plain(Fraction),
    "to_int": _plain(lambda x: x.numerator // x.denominator),
    "is_int": _plain(lambda x: x.denominator == 1),
}


def _core(use: _Use) -> Operation | None:
    if use.name == "divisible" and len(use.indices) == 1 and use.indices[0] > 0:
        return _plain(lambda a: a % use.indices[0] == 0)
    return None if use.indices else _CORE.get(use.name)


# --- bit-vectors -----------------------------------------------------------------------------------


def _bit_vector(use: _Use) -> Operation | None:
    function = bitvectors.function(use.name, use.indices, use.params, use.result)
    return None if function is None else _plain(function)


# --- floats ----------------------------------------------------------------------------------------

_ROUNDED: Mapping[str, Callable[..., int]] = {
    "fp.add": floats.add,
    "fp.sub": floats.sub,
    "fp.mul": floats.mul,
    "fp.div": floats.div,
    "fp.fma": floats.fma,
    "fp.sqrt": floats.sqrt,
    "fp.roundToIntegral": floats.round_to_integral,
}

_UNROUNDED: Mapping[str, Callable[..., Value]] = {
    "fp.neg": floats.neg,
    "fp.abs": floats.absolute,
    "fp.rem": floats.rem,
    "fp.isNormal": floats.is_normal,
    "fp.isSubnormal": floats.is_subnormal,
    "fp.isZero": floats.is_zero,
    "fp.isInfinite": floats.is_infinite,
    "fp.isNaN": floats.is_nan,
    "fp.isNegative": floats.is_negative,
    "fp.isPositive": floats.is_positive,
}

_COMPARED: Mapping[str, Callable[[int, int, Float], bool]] = {
    "fp.eq": floats.eq,
    "fp.lt": floats.lt,
    "fp.leq": floats.leq,
    "fp.gt": lambda a, b, f: floats.lt(b, a, f),
    "fp.geq": lambda a, b, f: floats.leq(b, a, f),
}


def _float(use: _Use) -> Operation | None:
    name = use.name
    if use.indices:
        return _indexed_float(use)
    if name in _ROUNDED or name in _UNROUNDED:
        function, format_ = _ROUNDED.get(name) or _UNROUNDED[name], use.format
        return _plain(lambda *args: function(*args, format_))
    if name in _COMPARED:
        relation, format_ = _COMPARED[name], use.format
        return _chained(lambda a, b: relation(a, b, format_))
    match name:
        case "fp.min" | "fp.max":
            choose, format_ = floats.minimum if name == "fp.min" else floats.maximum, use.format
            return _partial(use, lambda a, b: choose(a, b, format_))
        case "fp.to_real":
            format_ = use.format
            return _partial(use, lambda a: floats.to_fraction(a, format_) if _finite(a, format_) else None)
        case "fp.to_ieee_bv" | "fp.to_ieee_bv_I":
            format_ = use.format
            return _partial(use, lambda a: None if floats.is_nan(a, format_) else a)
        case "fp" if isinstance(use.result, Float):
            return _assembled(use.result)
        case _:
            return None


def _finite(bits: int, format_: Float) -> bool:
    return not floats.is_nan(bits, format_) and not floats.is_infinite(bits, format_)


def _assembled(format_: Float) -> Operation:
    """A float from its sign, exponent and significand."""

    def assemble(sign: int, exponent: int, significand: int) -> int:
        bits = (sign << format_.exponent | exponent) << (format_.significand - 1) | significand
        return floats.canonical(bits, format_)

    return _plain(assemble)


def _partial(use: _Use, function: Callable[..., Value | None]) -> Operation:
    """A function that is None where SMT-LIB leaves the result open: there the world decides."""
    name = f"(_ {' '.join(map(str, (use.name, *use.indices)))})" if use.indices else use.name

    def apply(world: World, args: Index) -> Value:
        value = function(*args)
        return world.unspecified(name, args, use.params, use.result) if value is None else value

    return apply


def _indexed_float(use: _Use) -> Operation | None:
    match use.name, use.indices:
        case ("to_fp" | "to_fp_unsigned") as name, (exponent, significand):
            return _to_float(Float(significand, exponent), use.params, unsigned=name == "to_fp_unsigned")
        case ("fp.to_ubv" | "fp.to_sbv") as name, (width,):
            format_ = use.format
            low, high = (0, 1 << width) if name == "fp.to_ubv" else (-(1 << width) // 2, (1 << width) // 2)

            def to_bits(mode: str, bits: int) -> int | None:
                value = floats.to_integer(mode, bits, format_)
                return None if value is None or not low <= value < high else value % (1 << width)

            return _partial(use, to_bits)
        case ("+oo" | "-oo" | "NaN" | "+zero" | "-zero") as name, (exponent, significand):
            return _constant_float(name, Float(significand, exponent))
        case _:
            return None


def _to_float(to: Float, params: tuple[Type, ...], unsigned: bool) -> Operation | None:
    match params:
        case (Bv(width),) if width == floats.width(to):
            return _plain(lambda bits: floats.canonical(bits, to))
        case (_, Float() as source):
            return _plain(lambda mode, bits: floats.convert(mode, bits, source, to))
        case (_, Bv(width)) if not unsigned:
            return _plain(lambda mode, a: floats.from_fraction(Fraction(bitvectors.signed(a, width)), mode, to))
        case (_, _):
            return _plain(lambda mode, a: floats.from_fraction(Fraction(a), mode, to))
        case _:
            return None


def _constant_float(name: str, format_: Float) -> Operation:
    sign = int(name.startswith("-"))
    all_ones = (1 << format_.exponent) - 1
    if name == "NaN":
        value = floats.nan(format_)
    else:
        exponent = all_ones if name.endswith("oo") else 0
        value = (sign << format_.exponent | exponent) << (format_.significand - 1)
    return _plain(lambda: value)


# --- strings ---------------------------------------------------------------------------------------


def _string(use: _Use) -> Operation | None:
    if use.indices:
        function = regexes.indexed(use.name, use.indices)
    else:
        function = STRINGS.get(use.name) or regexes.REGEXES.get(use.name)
    return None if function is None else _plain(function)
