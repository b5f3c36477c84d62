"""Procedures that only fail assume their preconditions themselves, for searches that start in them.

procedure P_fails(); requires g > 0;         procedure P_fails();
implementation P_fails() { … }               implementation P_fails() { assume g > 0; … }
"""

from __future__ import annotations

from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.program import Procedure, Program
from paddock.ir.rewriting import with_prologue
from paddock.ir.stmt import Assume


def preconditions_inside(program: Program) -> Program:
    """The program in which procedures that only fail assume what holds where they are called."""

    def inside(procedure: Procedure) -> Procedure:
        if not procedure.requires or procedure.origin.copied is None:
            return procedure
        start = tuple(Assume(c.condition, c.attributes, c.origin) for c in procedure.requires)
        bodies = tuple(with_prologue(i, start) for i in procedure.implementations)
        return replace(procedure, requires=(), implementations=bodies)

    return replace(program, procedures=tuple(map(inside, program.procedures)))


@frozen
class PreconditionsInside:
    """The pass `preconditions-inside`."""

    name: ClassVar[str] = "preconditions-inside"
    summary: ClassVar[str] = "procedures that only fail assume their preconditions themselves"

    def __call__(self, program: Program) -> Program:
        return preconditions_inside(program)
