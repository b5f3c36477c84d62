"""What types Boogie's built-in operators take and give, with types that may not be known yet.

A wrong application is answered with the words of a message. Most applications are of a few operators to
`int` and `bool`; a table answers for those at once.
"""

from __future__ import annotations

from paddock.frontends.boogie.types import ERROR, Inference
from paddock.ir.expr import Expr, Op
from paddock.ir.types import BOOL, INT, REAL, Bv, Float, Type

_LOGICAL = (Op.AND, Op.OR, Op.IMPLIES, Op.IFF)
_ORDER = (Op.LT, Op.LE, Op.GT, Op.GE)
_ARITHMETIC = (Op.ADD, Op.SUB, Op.MUL)

_WANTS: dict[Op, str] = {
    Op.NOT: "'!' needs a bool",
    Op.NEG: "'-' needs an int, real or float",
    Op.EQ: "'==' needs two values of one type",
    Op.NE: "'!=' needs two values of one type",
    Op.CONCAT: "'++' needs two bit-vectors",
    Op.TO_INT: "'int' needs a real",
    Op.TO_REAL: "'real' needs an int",
    Op.RDIV: "'/' needs numbers",
    Op.DIV: "'div' needs two ints",
    Op.MOD: "'mod' needs two ints",
    Op.POW: "'**' needs two reals",
    **{op: f"'{op.value}' needs bools" for op in _LOGICAL},
    **{op: f"'{op.value}' needs two ints, two reals or two floats" for op in (*_ORDER, *_ARITHMETIC)},
}

# The result of applying an operator to two arguments of one type.
_COMMON: dict[tuple[Op, Type], Type] = {
    **{(op, type_): BOOL for op in (Op.EQ, Op.NE) for type_ in (INT, BOOL)},
    **{(op, BOOL): BOOL for op in _LOGICAL},
    **{(op, INT): BOOL for op in _ORDER},
    **{(op, INT): INT for op in (*_ARITHMETIC, Op.DIV, Op.MOD)},
}


def operation_type(op: Op, args: tuple[Expr, ...], inference: Inference) -> Type | str:
    """The type of an application, or what is wrong with it."""
    if len(args) == 2 and args[0].type is args[1].type:
        common = _COMMON.get((op, args[0].type))
        if common is not None:
            return common
    if op is Op.ITE:
        return _conditional_type(args, inference)
    type_ = _operation_type(op, args, inference)
    if type_ is not None:
        return type_
    types = [inference.shown(a.type) for a in args]
    return f"{_WANTS[op]}, not {' and '.join(types)}"


def _conditional_type(args: tuple[Expr, ...], inference: Inference) -> Type | str:
    condition, then, otherwise = args
    if not inference.unify(condition.type, BOOL):
        return f"the condition of 'if' must be a bool, but is {inference.shown(condition.type)}"
    type_ = _common_type((then, otherwise), inference)
    if type_ is None:
        shown = inference.shown
        return f"both branches of 'if' must have one type, but are {shown(then.type)} and {shown(otherwise.type)}"
    return type_


def _operation_type(op: Op, args: tuple[Expr, ...], inference: Inference) -> Type | None:
    if op in _LOGICAL or op is Op.NOT:
        return BOOL if all(inference.unify(a.type, BOOL) for a in args) else None
    if op is Op.OLD:
        return args[0].type
    if op is Op.TO_INT or op is Op.TO_REAL:
        argument, result = (REAL, INT) if op is Op.TO_INT else (INT, REAL)
        return result if inference.unify(args[0].type, argument) else None
    if op is Op.CONCAT:
        return _concatenation_type(args, inference)
    if op is Op.RDIV:
        return _division_type(args, inference)
    common = _common_type(args, inference)
    if op is Op.EQ or op is Op.NE:
        return BOOL if common is not None or inference.may_agree(args[0].type, args[1].type) else None
    if op is Op.DIV or op is Op.MOD:
        fits = common is INT
    elif op is Op.POW:
        fits = common is REAL
    else:
        fits = common is INT or common is REAL or isinstance(common, Float)
    if not fits and common is not ERROR:
        return None
    return BOOL if op in _ORDER else common


def _common_type(args: tuple[Expr, ...], inference: Inference) -> Type | None:
    """The one type that all the arguments have."""
    first, *rest = (inference.known(a.type) for a in args)
    for type_ in rest:
        if not inference.unify(first, type_):
            return None
        if first is ERROR:
            first = type_
    return inference.known(first)


def _concatenation_type(args: tuple[Expr, ...], inference: Inference) -> Type | None:
    a, b = (inference.known(arg.type) for arg in args)
    if isinstance(a, Bv) and isinstance(b, Bv):
        return Bv(a.width + b.width)
    return ERROR if all(isinstance(t, Bv) or t is ERROR for t in (a, b)) else None


def _division_type(args: tuple[Expr, ...], inference: Inference) -> Type | None:
    """`/` divides floats, or integers and reals in any mixture with a real result."""
    types = [inference.known(a.type) for a in args]
    common = REAL if all(t is INT or t is REAL for t in types) else _common_type(args, inference)
    if common is INT or common is REAL:
        return REAL
    return common if isinstance(common, Float) or common is ERROR else None
