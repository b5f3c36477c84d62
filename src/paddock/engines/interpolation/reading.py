"""Conditions that solvers write, as expressions of a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from paddock.engines.interpolation.tidying import negated, tidy
from paddock.ir.build import FALSE, TRUE, and_, arith, bv_lit, compare, implies, int_lit, ite, neg, or_, real_lit
from paddock.ir.expr import Expr, Lit, Op
from paddock.ir.types import BOOL, INT, REAL
from paddock.solvers.sexpr import Sexpr, without_lets

LARGEST = 400  # nodes

_COMPARED = {"<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE}
_COUNTED = {"+": Op.ADD, "*": Op.MUL}


class _Unknown(Exception):
    """The text says what is not read here."""


def read_condition(text: Sexpr, named: Mapping[str, Expr]) -> Expr | None:
    """The condition that a solver has written, over the expressions that symbols stand for; None if it is none, or
    larger than it can be of use."""
    try:
        found = _read(without_lets(text), named)
    except (_Unknown, TypeError, ValueError, ZeroDivisionError):
        return None
    return found if found.type is BOOL else None


def _read(root: Sexpr, named: Mapping[str, Expr]) -> Expr:
    made: list[Expr] = []
    # An expression, or the number of the last results that the operator in front of it is to be applied to.
    stack: list[tuple[Sexpr, int | None]] = [(root, None)]
    count = 0
    while stack:
        item, arity = stack.pop()
        count += 1
        if count > 2 * LARGEST:
            raise _Unknown
        if arity is not None:
            parts = made[len(made) - arity :]
            del made[len(made) - arity :]
            made.append(_applied(str(item), parts))
        elif isinstance(item, str):
            made.append(named[item] if item in named else _literal(item))
        elif len(item) == 3 and item[0] == "_" and str(item[1]).startswith("bv"):
            made.append(bv_lit(int(str(item[1])[2:]), int(str(item[2]))))
        elif item and isinstance(item[0], str):
            stack.append((item[0], len(item) - 1))
            stack += [(part, None) for part in item[:0:-1]]
        else:
            raise _Unknown
    return made[0]


def _literal(text: str) -> Expr:
    if text in ("true", "false"):
        return Lit(text == "true", BOOL)
    if text.startswith("#x"):
        return bv_lit(int(text[2:], 16), 4 * (len(text) - 2))
    if text.startswith("#b"):
        return bv_lit(int(text[2:], 2), len(text) - 2)
    if text.replace(".", "", 1).removeprefix("-").isdigit():
        return real_lit(Fraction(text)) if "." in text else int_lit(int(text))
    raise _Unknown


def _applied(head: str, parts: Sequence[Expr]) -> Expr:
    apply = _OPERATORS.get(head)
    if apply is None or not parts:
        raise _Unknown
    return apply(parts)


def _both(op: Op, parts: Sequence[Expr]) -> Expr:
    """A chain of comparisons."""
    pairs = list(pairwise(parts))
    if not pairs or any(a.type is not b.type or a.type not in (INT, REAL) for a, b in pairs):
        raise _Unknown
    return and_(*(tidy(op, a, b) for a, b in pairs))


def _equal(parts: Sequence[Expr]) -> Expr:
    pairs = list(pairwise(parts))
    if not pairs or any(a.type is not b.type for a, b in pairs):
        raise _Unknown
    return and_(*(compare(Op.IFF, a, b) if a.type is BOOL else tidy(Op.EQ, a, b) for a, b in pairs))


def _counted(op: Op, parts: Sequence[Expr]) -> Expr:
    found = parts[0]
    for part in parts[1:]:
        found = arith(op, found, part)
    if any(part.type is not found.type or part.type not in (INT, REAL) for part in parts):
        raise _Unknown
    return found


def _conditions(parts: Sequence[Expr]) -> Sequence[Expr]:
    if any(part.type is not BOOL for part in parts):
        raise _Unknown
    return parts


def _implied(parts: Sequence[Expr]) -> Expr:
    *premises, conclusion = _conditions(parts)
    return implies(and_(*premises), conclusion)


def _chosen(parts: Sequence[Expr]) -> Expr:
    condition, then, otherwise = parts
    if condition.type is not BOOL or then.type is not otherwise.type:
        raise _Unknown
    return ite(condition, then, otherwise)


def _quotient(parts: Sequence[Expr]) -> Expr:
    top, bottom = parts
    if not (isinstance(top, Lit) and isinstance(bottom, Lit)):
        raise _Unknown
    return real_lit(Fraction(top.value) / Fraction(bottom.value))


_OPERATORS: Mapping[str, Callable[[Sequence[Expr]], Expr]] = {
    "and": lambda parts: and_(*(part for part in _conditions(parts) if part is not TRUE)),
    "or": lambda parts: or_(*(part for part in _conditions(parts) if part is not FALSE)),
    "not": lambda parts: negated(*_conditions(parts)),
    "=>": _implied,
    "=": _equal,
    "distinct": lambda parts: negated(_equal(parts)) if len(parts) == 2 else _applied("", parts),
    "ite": _chosen,
    "/": _quotient,
    "-": lambda parts: neg(parts[0]) if len(parts) == 1 else _counted(Op.SUB, parts),
    **{head: (lambda parts, op=op: _both(op, parts)) for head, op in _COMPARED.items()},  # type: ignore[misc]
    **{head: (lambda parts, op=op: _counted(op, parts)) for head, op in _COUNTED.items()},  # type: ignore[misc]
}
