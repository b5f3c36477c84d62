"""What is known of procedures when they return, and where that is from: one notion for contracts, what Houdini infers,
interpolants of proofs, and what a store has kept.

In a program, a summary is a number of free postconditions; `{:summary "interpolant"}` says where one is from.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from paddock.frozen import frozen, replace
from paddock.ir.expr import Attribute, Expr
from paddock.ir.origin import Role
from paddock.ir.program import Clause, Procedure, Program, find_attribute

MARK = "summary"


class SummaryOrigin(Enum):
    """Where a summary is from."""

    CONTRACT = "contract"
    HOUDINI = "houdini"
    INTERPOLANT = "interpolant"
    STORE = "store"


@frozen
class Summary:
    """Conditions that hold whenever a procedure returns, over its parameters, results and globals before and after."""

    procedure: str
    ensures: tuple[Expr, ...]
    origin: SummaryOrigin


def with_summaries(program: Program, summaries: Iterable[Summary]) -> Program:
    """The program with summaries as free postconditions of its procedures. They must hold."""
    new: dict[str, list[Clause]] = {}
    for summary in summaries:
        attributes = (Attribute(MARK, (summary.origin.value,)),)
        origin = program.procedure_named[summary.procedure].origin
        clauses = [Clause(c, free=True, attributes=attributes, origin=origin) for c in summary.ensures]
        new.setdefault(summary.procedure, []).extend(clauses)

    def extended(procedure: Procedure) -> Procedure:
        return replace(procedure, ensures=(*procedure.ensures, *new.get(procedure.name, ())))

    return replace(program, procedures=tuple(map(extended, program.procedures))) if new else program


def without_summaries(program: Program, origin: SummaryOrigin) -> tuple[Program, dict[str, tuple[Expr, ...]]]:
    """The program without its summaries of some origin, and those, by procedure."""
    taken: dict[str, tuple[Expr, ...]] = {}

    def reduced(procedure: Procedure) -> Procedure:
        kept = tuple(clause for clause in procedure.ensures if _origin(clause) is not origin)
        if len(kept) == len(procedure.ensures):
            return procedure
        taken[procedure.name] = tuple(c.condition for c in procedure.ensures if _origin(c) is origin)
        return replace(procedure, ensures=kept)

    procedures = tuple(map(reduced, program.procedures))
    return (replace(program, procedures=procedures), taken) if taken else (program, {})


def summaries_of(procedure: Procedure) -> list[Summary]:
    """What the postconditions of a procedure say, by where they are from."""
    by_origin: dict[SummaryOrigin, list[Expr]] = {}
    for clause in procedure.ensures:
        by_origin.setdefault(_origin(clause), []).append(clause.condition)
    return [Summary(procedure.name, tuple(conditions), origin) for origin, conditions in by_origin.items()]


def _origin(clause: Clause) -> SummaryOrigin:
    attribute = find_attribute(clause.attributes, MARK)
    known = {origin.value: origin for origin in SummaryOrigin}
    match attribute.params if attribute else ():
        case (str(name), *_) if name in known:
            return known[name]
        case _:
            return SummaryOrigin.HOUDINI if clause.origin.role is Role.CANDIDATE else SummaryOrigin.CONTRACT
