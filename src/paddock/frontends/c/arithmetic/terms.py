"""Terms over bit-vectors, floats and maps as the lowering builds them, and the functions that they need.

Boogie has no operators on bit-vectors, so each is a function that stands for one of the solver's; a program declares
those that it uses. Operations on literals are done at once: addresses and sizes are mostly constants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paddock.ir.build import FALSE, TRUE, bv_lit, not_, select
from paddock.ir.expr import App, Attribute, Binder, Expr, Extract, Fn, Lit, Op, Quantifier, Scope, Var
from paddock.ir.program import Function, VarDecl
from paddock.ir.types import BOOL, INT, Bv, Float, Map, Type
from paddock.ir.walk import substitute


class Functions:
    """The functions that a program declares, each made on first use."""

    def __init__(self) -> None:
        self._declared: dict[str, Function] = {}

    @property
    def declared(self) -> tuple[Function, ...]:
        return tuple(self._declared.values())

    def builtin(self, text: str, args: Sequence[Expr], result: Type, name: str = "") -> Expr:
        """The application of a function of the solver's; `name` says what to call it, with the types behind it."""
        types = ".".join(_type_word(a.type) for a in args)
        full = f"{name}.{types}.{_type_word(result)}" if name else f"{text}.{types}"
        if full not in self._declared:
            letters = [Var(f"x{n}", a.type, Scope.BOUND) for n, a in enumerate(args)]
            params = tuple(map(VarDecl, letters))
            self._declared[full] = Function(full, params, result, attributes=(Attribute("builtin", (text,)),))
        return App(Fn(full), tuple(args), result)

    def constant_map(self, value: Expr, type_: Map) -> Expr:
        """The map that has one value everywhere."""
        return self.builtin("MapConst", [value], type_, "constant")


def _type_word(type_: Type) -> str:
    match type_:
        case Map(domain, range_):
            return f"{'.'.join(map(_type_word, domain))}.to.{_type_word(range_)}"
        case _:
            return str(type_)


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def signed_value(literal: Lit) -> int:
    """The value of a literal, as a signed number if it is a bit-vector."""
    assert isinstance(literal.value, int)
    return _signed(literal.value, literal.type.width) if isinstance(literal.type, Bv) else literal.value


def _quotient(a: int, b: int) -> int:
    """Towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "bvadd": lambda a, b: a + b,
    "bvsub": lambda a, b: a - b,
    "bvmul": lambda a, b: a * b,
    "bvand": lambda a, b: a & b,
    "bvor": lambda a, b: a | b,
    "bvxor": lambda a, b: a ^ b,
    "bvudiv": lambda a, b: a // b,
    "bvurem": lambda a, b: a % b,
    "bvshl": lambda a, b: a << b,
    "bvlshr": lambda a, b: a >> b,
    "bvult": lambda a, b: a < b,
    "bvule": lambda a, b: a <= b,
    "bvugt": lambda a, b: a > b,
    "bvuge": lambda a, b: a >= b,
}
_SIGNED: dict[str, Callable[[int, int], int]] = {
    "bvsdiv": _quotient,
    "bvsrem": lambda a, b: a - b * _quotient(a, b),
    "bvashr": lambda a, b: a >> b,
    "bvslt": lambda a, b: a < b,
    "bvsle": lambda a, b: a <= b,
    "bvsgt": lambda a, b: a > b,
    "bvsge": lambda a, b: a >= b,
}
_DIVISIONS = {"bvudiv", "bvurem", "bvsdiv", "bvsrem"}
_SHIFTS = {"bvshl", "bvlshr", "bvashr"}
_RELATIONS = {"bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"}
_RIGHT_UNIT = {"bvadd": 0, "bvsub": 0, "bvor": 0, "bvxor": 0, "bvshl": 0, "bvlshr": 0, "bvashr": 0, "bvmul": 1}


class Terms:
    """Builds terms; the functions they use are noted in `functions`."""

    def __init__(self) -> None:
        self.functions = Functions()
        self.mode: Var | None = None  # the rounding mode, if it is not always to nearest

    # --- bit-vectors -------------------------------------------------------------------------------

    def bv(self, op: str, a: Expr, b: Expr) -> Expr:
        """An operator or relation of SMT-LIB on two bit-vectors of one width."""
        assert isinstance(a.type, Bv)
        if isinstance(b, Lit):
            if isinstance(a, Lit):
                folded = _folded(op, a, b)
                if folded is not None:
                    return folded
            if _RIGHT_UNIT.get(op) == b.value:
                return a
        if op == "bvadd" and isinstance(a, Lit):
            a, b = b, a
            if isinstance(b, Lit) and b.value == 0:
                return a
        if op == "bvadd" and isinstance(b, Lit):
            match a:
                case App(Fn(name), (inner, Lit() as offset)) if name.startswith("bvadd."):
                    return self.bv("bvadd", inner, _folded(op, offset, b) or b)
        return self.functions.builtin(op, [a, b], BOOL if op in _RELATIONS else a.type)

    def bv_not(self, a: Expr) -> Expr:
        return self.functions.builtin("bvnot", [a], a.type)

    def bv_neg(self, a: Expr) -> Expr:
        if isinstance(a, Lit):
            return bv_lit(-int(a.value), _width(a))
        return self.functions.builtin("bvneg", [a], a.type)

    def extend(self, a: Expr, width: int, signed: bool) -> Expr:
        """The bit-vector made wider."""
        by = width - _width(a)
        if by == 0:
            return a
        if isinstance(a, Lit):
            return bv_lit(signed_value(a) if signed else int(a.value), width)
        name = "sign_extend" if signed else "zero_extend"
        return self.functions.builtin(f"(_ {name} {by})", [a], Bv(width), name)

    def extract(self, a: Expr, low: int, width: int) -> Expr:
        """`width` bits from bit `low` up."""
        if low == 0 and width == _width(a):
            return a
        match a:
            case Lit(int(value)):
                return bv_lit(value >> low, width)
            case App(Extract(_, below), (inner,)):
                return self.extract(inner, below + low, width)
            case App(Op.CONCAT, (high, rest)) if low + width <= _width(rest):
                return self.extract(rest, low, width)
            case App(Op.CONCAT, (high, rest)) if low >= _width(rest):
                return self.extract(high, low - _width(rest), width)
            case App(Op.CONCAT, (high, rest)):
                split = _width(rest) - low
                return self.concat(self.extract(high, 0, width - split), self.extract(rest, low, split))
            case _:
                return App(Extract(low + width, low), (a,), Bv(width))

    def concat(self, high: Expr, low: Expr) -> Expr:
        """Two bit-vectors behind each other; what was taken apart is joined again."""
        width = _width(high) + _width(low)
        match high, low:
            case Lit(int(a)), Lit(int(b)):
                return bv_lit(a << _width(low) | b, width)
            case App(Extract(top, middle), (x,)), App(Extract(middle_too, bottom), (y,)) if x is y:
                if middle == middle_too:
                    return self.extract(x, bottom, top - bottom)
        return App(Op.CONCAT, (high, low), Bv(width))

    def replace_bits(self, a: Expr, low: int, part: Expr) -> Expr:
        """`a` with the bits from `low` up replaced by `part`."""
        end, width = low + _width(part), _width(a)
        result = part if low == 0 else self.concat(part, self.extract(a, 0, low))
        return result if end == width else self.concat(self.extract(a, end, width - end), result)

    # --- between bit-vectors and integers ---------------------------------------------------------------

    def bv_of_int(self, a: Expr, width: int) -> Expr:
        """The last bits of an integer."""
        match a:
            case Lit(int(value)):
                return bv_lit(value, width)
            case App(Op.NEG, (Lit(int(value)),)):
                return bv_lit(-value, width)
        return self.functions.builtin(f"(_ int2bv {width})", [a], Bv(width), "int2bv")

    def int_of_bv(self, a: Expr) -> Expr:
        """A bit-vector as a number without sign."""
        if isinstance(a, Lit):
            return Lit(a.value, INT)
        return self.functions.builtin("bv2nat", [a], INT)

    # --- floats -----------------------------------------------------------------------------------------

    def float_of_bits(self, a: Expr, type_: Float) -> Expr:
        return self.functions.builtin(f"(_ to_fp {type_.exponent} {type_.significand})", [a], type_, "float_of_bits")

    def float_equal(self, a: Expr, b: Expr) -> Expr:
        """C's `==`, which is IEEE's: NaN differs from itself, and 0 equals -0, unlike in the equality of values."""
        return self.functions.builtin("fp.eq", [a, b], BOOL)

    def float_of_integer(self, a: Expr, type_: Float, signed: bool) -> Expr:
        """A bit-vector, rounded to a float."""
        name = "to_fp" if signed else "to_fp_unsigned"
        return self.rounded(f"(_ {name} {type_.exponent} {type_.significand})", [a], type_, name)

    def float_of_float(self, a: Expr, type_: Float) -> Expr:
        if a.type is type_:
            return a
        return self.rounded(f"(_ to_fp {type_.exponent} {type_.significand})", [a], type_, "to_fp")

    def rounded(self, text: str, args: Sequence[Expr], result: Type, name: str) -> Expr:
        """The application of a function of the solver's that rounds."""
        if self.mode is None:
            return self.functions.builtin(f"{text} RNE", args, result, name)
        return self.functions.builtin(text, [self.mode, *args], result, name)

    def integer_of_float(self, a: Expr, width: int, signed: bool) -> Expr:
        """A float without its fraction as a bit-vector; not specified if it does not fit."""
        name = "fp.to_sbv" if signed else "fp.to_ubv"
        return self.functions.builtin(f"(_ {name} {width}) RTZ", [a], Bv(width), name)

    def float_predicate(self, text: str, a: Expr) -> Expr:
        """`fp.isNaN` and its like."""
        return self.functions.builtin(text, [a], BOOL)


def _width(a: Expr) -> int:
    assert isinstance(a.type, Bv)
    return a.type.width


def _folded(op: str, a: Lit, b: Lit) -> Expr | None:
    """The result for two literals; None for division by zero, which is left to the solver."""
    width = _width(a)
    if b.value == 0 and op in _DIVISIONS:
        return None
    if op in _SHIFTS and int(b.value) >= width:
        return None
    if op in _SIGNED:
        right = int(b.value) if op in _SHIFTS else signed_value(b)
        result = _SIGNED[op](signed_value(a), right)
    else:
        result = _UNSIGNED[op](int(a.value), int(b.value))
    if op in _RELATIONS:
        return TRUE if result else FALSE
    return bv_lit(result, width)


def entry(map_: Expr, index: Expr) -> Expr:
    """The entry of a map; of a lambda, its body."""
    match map_:
        case Binder(Quantifier.LAMBDA, (var,)):
            return substitute(map_.body, {var: index})
        case _:
            return select(map_, index)


# --- conditions -------------------------------------------------------------------------------------------


def negation(condition: Expr) -> Expr:
    """`!condition`, without a double negation."""
    match condition:
        case App(Op.NOT, (inner,)):
            return inner
        case Lit(bool(value)):
            return FALSE if value else TRUE
        case App(Op.EQ, args):
            return App(Op.NE, args, BOOL)
        case App(Op.NE, args):
            return App(Op.EQ, args, BOOL)
        case _:
            return not_(condition)


def conjunction(a: Expr, b: Expr) -> Expr:
    if a is TRUE or b is FALSE:
        return b
    return a if b is TRUE or a is FALSE else App(Op.AND, (a, b), BOOL)


def disjunction(a: Expr, b: Expr) -> Expr:
    if a is FALSE or b is TRUE:
        return b
    return a if b is FALSE or a is TRUE else App(Op.OR, (a, b), BOOL)


def choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """`if condition then … else …`."""
    if then is otherwise or condition is TRUE:
        return then
    if condition is FALSE:
        return otherwise
    if then is TRUE and otherwise is FALSE:
        return condition
    return App(Op.ITE, (condition, then, otherwise), then.type)


def equal(a: Expr, b: Expr) -> Expr:
    """Equality of values; of a number that is chosen among literals, the condition of the choice."""
    if isinstance(a, Lit):
        a, b = b, a
    if isinstance(b, Lit):
        if isinstance(a, Lit):
            return TRUE if a is b else FALSE
        match a:
            case App(Op.ITE, (condition, Lit() as then, Lit() as otherwise)):
                if then is b:
                    return TRUE if otherwise is b else condition
                return negation(condition) if otherwise is b else FALSE
    elif a is b:
        return TRUE
    return App(Op.EQ, (a, b), BOOL)
