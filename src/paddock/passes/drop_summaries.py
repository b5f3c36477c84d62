"""Procedures with a body lose their free postconditions (-Inv of the DAG-inlining paper, PLDI 2015, §4, Figs. 12-16).

    procedure P();  modifies g;                procedure P();  modifies g;
      free ensures g >= old(g);
      ensures g != 0;                            ensures g != 0;
    implementation P() { … }                   implementation P() { … }

Such postconditions are what an analysis has found out before; without them it shows what the search does by itself. A
procedure without a body keeps its own, since they are all that is known of it. Where one does not hold, the program
without it has more executions: the pass is for measuring.
"""

from __future__ import annotations

from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.program import Procedure, Program


def drop_summaries(program: Program) -> Program:
    """The program whose procedures with a body have no free postconditions."""

    def checked_only(procedure: Procedure) -> Procedure:
        if not procedure.implementations:
            return procedure
        return replace(procedure, ensures=tuple(c for c in procedure.ensures if not c.free))

    return replace(program, procedures=tuple(map(checked_only, program.procedures)))


@frozen
class DropSummaries:
    """The pass `drop-summaries`."""

    name: ClassVar[str] = "drop-summaries"
    summary: ClassVar[str] = "without the free postconditions of procedures that have a body"

    def __call__(self, program: Program) -> Program:
        return drop_summaries(program)
