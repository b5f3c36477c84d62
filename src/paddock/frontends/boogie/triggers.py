"""Which terms may be triggers of a quantifier: those that a solver can match, as in Boogie."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.boogie.types import subtypes
from paddock.ir.expr import App, Binder, Expr, Let, Op, Trigger, Var
from paddock.ir.types import Type, TypeVar
from paddock.ir.walk import children, subterms

_NOT_MATCHED: dict[Op, str] = {
    **dict.fromkeys((Op.NOT, Op.AND, Op.OR, Op.IMPLIES, Op.IFF), "a Boolean operator"),
    **dict.fromkeys((Op.EQ, Op.NE), "an equality"),
    **dict.fromkeys((Op.LT, Op.LE, Op.GT, Op.GE), "a comparison"),
}


def trigger_problem(trigger: Trigger, vars_: tuple[Var, ...]) -> str | None:
    """Why a trigger of a quantifier over these variables makes no sense, or None."""
    if not trigger.positive:
        return None
    if any(isinstance(term, Var) for term in trigger.terms):
        return "a trigger must be more than a variable"
    terms = list(subterms(trigger.terms))
    dependent = _dependent(terms, vars_)
    for term in terms:
        # A part that does not depend on the quantifier is a value like any other; passes put whole arguments there.
        if term not in dependent:
            continue
        if isinstance(term, Binder | Let):
            return f"a {'quantifier' if isinstance(term, Binder) else 'let'} cannot be part of a trigger"
        if isinstance(term, App) and isinstance(term.op, Op) and term.op in _NOT_MATCHED:
            return f"{_NOT_MATCHED[term.op]} cannot be part of a trigger"
    mentioned = set(terms)
    missing = [f"'{v.name}'" for v in vars_ if v not in mentioned]
    return f"the trigger does not mention {' and '.join(missing)}" if missing else None


def type_problem(
    trigger: Trigger,
    params: tuple[TypeVar, ...],
    vars_: tuple[Var, ...],
    final: Callable[[Type], Type],
    uses: Callable[[Expr], list[tuple[object, tuple[Type, ...]]]],
) -> str | None:
    """Why a trigger of a quantifier over types makes no sense, or None."""
    if not trigger.positive:
        return None
    types = [final(v.type) for v in vars_]
    for term in trigger.terms:
        types += [t for _, type_args in uses(term) for t in type_args]
        types += [final(part.type) for part in subterms([term])]
    mentioned = set(subtypes(*types))
    missing = [f"'{p.name}'" for p in params if p not in mentioned]
    return f"neither the trigger nor the variables mention the type {' and '.join(missing)}" if missing else None


def _dependent(terms: list[Expr], vars_: tuple[Var, ...]) -> set[Expr]:
    """Those of the terms, given with all their subterms, that contain one of the variables."""
    users: dict[Expr, list[Expr]] = {}
    for term in terms:
        for child in children(term):
            users.setdefault(child, []).append(term)
    found: set[Expr] = set()
    stack: list[Expr] = list(vars_)
    while stack:
        for user in users.get(stack.pop(), ()):
            if user not in found:
                found.add(user)
                stack.append(user)
    return found
