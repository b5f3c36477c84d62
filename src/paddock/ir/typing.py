"""The types of applications and the values of literals: what Boogie's operators take and give.

These rules know one node at a time and nothing of scopes; `validate.py` applies them to whole programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from paddock.ir.expr import App, Construct, Extract, Fn, GetField, Is, Lit, Op, Operator, SetField
from paddock.ir.lexical import ROUNDING_MODES, is_string
from paddock.ir.program import Program
from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Map, Named, Type

# Operators whose arguments have always the same types.
_SIGNATURES: dict[Operator, tuple[tuple[Type, ...], Type]] = {
    Op.NOT: ((BOOL,), BOOL),
    Op.AND: ((BOOL, BOOL), BOOL),
    Op.OR: ((BOOL, BOOL), BOOL),
    Op.IMPLIES: ((BOOL, BOOL), BOOL),
    Op.IFF: ((BOOL, BOOL), BOOL),
    Op.DIV: ((INT, INT), INT),
    Op.MOD: ((INT, INT), INT),
    Op.POW: ((REAL, REAL), REAL),
    Op.TO_INT: ((REAL,), INT),
    Op.TO_REAL: ((INT,), REAL),
}


def _is_number(type_: Type) -> bool:
    return type_ is INT or type_ is REAL or isinstance(type_, Float)


def applied_type(op: Operator, args: Sequence[Type], program: Program) -> Type | None:
    """The type of `op` applied to arguments of these types, or None if it cannot be."""
    signature = _SIGNATURES.get(op)
    if signature is not None:
        return signature[1] if tuple(args) == signature[0] else None
    match op, args:
        case ((Op.EQ | Op.NE), (a, b)):
            return BOOL if a is b else None
        case ((Op.LT | Op.LE | Op.GT | Op.GE), (a, b)):
            return BOOL if a is b and _is_number(a) else None
        case ((Op.ADD | Op.SUB | Op.MUL), (a, b)):
            return a if a is b and _is_number(a) else None
        case Op.NEG, (a,):
            return a if _is_number(a) else None
        case Op.RDIV, (Float() as a, b):
            return a if a is b else None
        case Op.RDIV, (a, b):
            return REAL if {a, b} <= {INT, REAL} else None
        case Op.ITE, (condition, a, b):
            return a if condition is BOOL and a is b else None
        case Op.OLD, (a,):
            return a
        case Op.SELECT, (Map(domain, range_), *indices):
            return range_ if tuple(indices) == domain else None
        case Op.STORE, (Map(domain, range_) as map_, *indices, value):
            return map_ if tuple(indices) == domain and value is range_ else None
        case Op.CONCAT, (Bv(m), Bv(n)):
            return Bv(m + n)
        case Extract(high, low), (Bv(width),):
            return Bv(high - low) if 0 <= low <= high <= width else None
        case Fn(name), _:
            return _function_type(name, args, program)
        case ((Construct() | Is() | GetField() | SetField()), _):
            return _datatype_access(op, args, program)
        case _:
            return None


def _function_type(name: str, args: Sequence[Type], program: Program) -> Type | None:
    function = program.function_named.get(name)
    if function is None or tuple(p.var.type for p in function.params) != tuple(args):
        return None
    return function.result


def _datatype_access(op: Operator, args: Sequence[Type], program: Program) -> Type | None:
    if isinstance(op, Construct):
        found = program.constructor_named.get(op.constructor)
        if found is None or tuple(f.var.type for f in found[1].fields) != tuple(args):
            return None
        return found[0].type
    if not args or not isinstance(args[0], Named):
        return None
    datatype = program.datatype_named.get(args[0].name)
    if datatype is None:
        return None
    fields = {f.name: f.var.type for constructor in datatype.constructors for f in constructor.fields}
    match op, args:
        case Is(constructor), (_,):
            return BOOL if any(c.name == constructor for c in datatype.constructors) else None
        case GetField(field), (_,):
            return fields.get(field)
        case SetField(field), (_, value):
            return datatype.type if fields.get(field) is value else None
        case _:
            return None


def application_problem(app: App, program: Program) -> str | None:
    """What is wrong with the types of an application, given that its arguments have theirs."""
    expected = applied_type(app.op, [a.type for a in app.args], program)
    if expected is app.type:
        return None
    if expected is not None:
        return f"has the type {app.type}, but should have {expected}"
    types = ", ".join(str(a.type) for a in app.args) or "no arguments"
    match app.op:
        case Fn(name) if name not in program.function_named:
            return f"applies the function '{name}', which is not declared"
        case Construct(name) | Is(name) if name not in program.constructor_named:
            return f"uses the constructor '{name}', which is not declared"
        case Op():
            return f"applies '{app.op.value}' to {types}"
        case Fn(name) | Construct(name) | Is(name) | GetField(name) | SetField(name):
            return f"applies '{name}' to {types}"
        case Extract(high, low):
            return f"takes the bits [{high}:{low}] of {types}"


def literal_problem(literal: Lit) -> str | None:
    """What is wrong with a literal: its value must be one that its type has and that can be written."""
    value, type_ = literal.value, literal.type
    match type_, value:
        case _, bool():
            good = type_ is BOOL
        case Bv(width), int():
            good = 0 <= value < 1 << width
        case Float(), int():
            good = _is_canonical_float(value, type_)
        case _, int():
            good = type_ is INT and value >= 0
        case _, Fraction():
            good = type_ is REAL and value >= 0 and _has_finite_decimals(value)
        case _, str():
            good = (type_ is RMODE and value in ROUNDING_MODES) or (type_ is STRING and is_string(value))
    return None if good else f"there is no literal {value!r} of type {type_}"


def _has_finite_decimals(value: Fraction) -> bool:
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def _is_canonical_float(bits: int, type_: Float) -> bool:
    """Whether these are the bits of a number, an infinity, or the one NaN that can be written (quiet, positive)."""
    fraction_width = type_.significand - 1
    if not 0 <= bits < 1 << (fraction_width + 1 + type_.exponent):
        return False
    infinity = ((1 << type_.exponent) - 1) << fraction_width
    unsigned = bits & ((1 << (fraction_width + type_.exponent)) - 1)
    return unsigned <= infinity or bits == infinity | 1 << (fraction_width - 1)
