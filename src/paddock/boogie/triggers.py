"""Which terms may be triggers of a quantifier: those that a solver can match, as in Boogie."""

from __future__ import annotations

from paddock.ir.expr import App, Binder, Let, Op, Trigger, Var
from paddock.ir.walk import subterms

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
    own = set(vars_)
    for term in terms:
        # A part that does not depend on the quantifier is a value like any other; passes put whole arguments there.
        if own.isdisjoint(subterms([term])):
            continue
        if isinstance(term, Binder | Let):
            return f"a {'quantifier' if isinstance(term, Binder) else 'let'} cannot be part of a trigger"
        if isinstance(term, App) and isinstance(term.op, Op) and term.op in _NOT_MATCHED:
            return f"{_NOT_MATCHED[term.op]} cannot be part of a trigger"
    mentioned = set(terms)
    missing = [f"'{v.name}'" for v in vars_ if v not in mentioned]
    return f"the trigger does not mention {' and '.join(missing)}" if missing else None
