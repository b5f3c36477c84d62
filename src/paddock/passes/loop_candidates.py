"""A candidate that is an invariant of a loop becomes one of the contract of the procedure that the loop has become.

    procedure {:loop "P", "head"} P_loop_head(in_x: int) returns (x: int);
    implementation P_loop_head(in_x: int) returns (x: int)
    {
      enter: x := in_x; goto head, done;
      head:  assume b ==> x >= 0; …
    }

gets, for an existential constant b,

      free requires b ==> in_x >= 0;
      free ensures b ==> x >= 0;

for the loop procedure starts and ends at the loop's head, and calls itself there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.expr import Var
from paddock.ir.program import Clause, Procedure, Program, is_loop
from paddock.ir.rewriting import map_expressions, substituting
from paddock.ir.stmt import Assert, Assign, Assume, Goto
from paddock.passes.candidates import guard_of, guards


def loop_candidates(program: Program) -> Program:
    """The program, whose loops have been extracted, with candidates for loop procedures; the same object if there is
    nothing to guard any."""
    known = guards(program)
    if not known:
        return program
    return replace(program, procedures=tuple(_with_invariants(p, known) for p in program.procedures))


def _is_loop(procedure: Procedure) -> bool:
    return is_loop(procedure) and bool(procedure.implementations)


def initial_values(procedure: Procedure) -> dict[Var, Var]:
    """For each variable that a loop procedure changes, the parameter with the value that it starts with."""
    for statement in procedure.implementations[0].blocks[0].statements if _is_loop(procedure) else ():
        if isinstance(statement, Assign):
            pairs = zip(statement.targets, statement.values, strict=True)
            return {target: value for target, value in pairs if isinstance(value, Var)}
    return {}


def _with_invariants(procedure: Procedure, known: Collection[Var]) -> Procedure:
    at_head = tuple(_at_head(procedure, known))
    if not at_head:
        return procedure
    at_start = substituting(initial_values(procedure))
    return replace(
        procedure,
        requires=(*procedure.requires, *(map_expressions(c, at_start) for c in at_head)),
        ensures=(*procedure.ensures, *at_head),
    )


def _at_head(procedure: Procedure, known: Collection[Var]) -> Iterator[Clause]:
    """The candidates among the assumptions with which the loop's head begins."""
    enter = procedure.implementations[0].blocks[0].transfer if _is_loop(procedure) else None
    if not isinstance(enter, Goto):
        return
    head = next(b for b in procedure.implementations[0].blocks if b.label == enter.targets[0])
    for statement in head.statements:
        if not isinstance(statement, Assume | Assert):
            return
        if isinstance(statement, Assume) and guard_of(statement.condition, known) is not None:
            yield Clause(statement.condition, free=True, origin=statement.origin)


@frozen
class LoopCandidates:
    """The pass `loop-candidates`."""

    name: ClassVar[str] = "loop-candidates"
    summary: ClassVar[str] = "candidate invariants of loops as candidate contracts of their procedures"

    def __call__(self, program: Program) -> Program:
        return loop_candidates(program)
