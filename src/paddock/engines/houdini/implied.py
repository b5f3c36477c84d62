"""Leaves out candidates that others of the same procedure imply, as can be seen from how they were made.

What is left says the same, with smaller formulas for the solver and shorter summaries for the reader.
"""

from __future__ import annotations

from collections.abc import Collection

from paddock.ir.build import compare, implies
from paddock.ir.expr import App, Expr, Op, Var
from paddock.ir.origin import Role
from paddock.ir.program import Procedure, Program
from paddock.passes.candidates import guard_of, unguarded


def without_implied(program: Program, kept: Collection[Var]) -> list[Var]:
    """Those of the kept guards without which less would be ensured. What a user has written stays anyway."""
    implied = {guard for procedure in program.procedures for guard in _implied(procedure, set(kept))}
    return [guard for guard in kept if guard not in implied]


def _implied(procedure: Procedure, kept: set[Var]) -> set[Var]:
    conditions: dict[Expr, Var] = {}
    made: dict[Var, Expr] = {}
    for clause in procedure.ensures:
        guard = guard_of(clause.condition, kept)
        if guard is not None:
            condition = unguarded(clause.condition, guard)
            conditions.setdefault(condition, guard)
            if clause.origin.role is Role.CANDIDATE:
                made[guard] = condition
    return {g for g, condition in made.items() if conditions[condition] is not g or _follows(condition, conditions)}


def _follows(condition: Expr, conditions: Collection[Expr]) -> bool:
    """Whether a condition follows from a simpler one. Either may be about executions without an error, `err || …`."""
    match condition:
        case App(Op.OR, (error, App(op, (left, right)))) if op in (Op.IMPLIES, Op.OR, Op.GE, Op.LE):
            simpler = _simpler(op, left, right)
            weakened = (App(Op.OR, (error, s), condition.type) for s in simpler)
            return any(c in conditions for c in weakened) or _plainly(condition, conditions)
        case _:
            return _plainly(condition, conditions)


def _plainly(condition: Expr, conditions: Collection[Expr]) -> bool:
    match condition:
        case App(op, (left, right)):
            return any(s in conditions for s in _simpler(op, left, right))
        case _:
            return False


def _simpler(op: object, left: Expr, right: Expr) -> list[Expr]:
    """Conditions from any of which `left op right` follows."""
    match op, left:
        case Op.OR, _:
            return [left, right]
        case Op.IMPLIES, App(Op.AND, (first, _)):
            return [right, implies(first, right)]
        case Op.IMPLIES, _:
            return [right]
        case ((Op.GE | Op.LE), _):
            return [compare(Op.EQ, left, right)]
        case _:
            return []
