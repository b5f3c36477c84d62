"""Loops that run a constant number of iterations are marked with that number.

    procedure {:loop "P", "head"} P_loop_head(in_i: int) …      procedure {:loop "P", "head"} {:iterations 27} …

for `i := 0; while (i < 27) { …; i := i + 1; }`: a search unrolls such a loop to its end whatever the bound for others.
Corral (CAV 2012), §4.2, names this loop as the one kind of bugs that its bound made it miss.

The pass runs on what `extract-loops` makes. The program is run from its entry as far as values are known, and where
that run does not come to a procedure, the procedure where nothing is known. The most iterations of a loop in any call
from which it ends by itself count, so that others may run as far. A mark changes no verdict: a search that goes deeper
than it must is only slower.
"""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from paddock.analysis.simulation import OutOfSteps, Simulation
from paddock.frozen import frozen, replace
from paddock.ir.entry import entry_name
from paddock.ir.expr import Attribute, Lit
from paddock.ir.origin import InputError
from paddock.ir.program import Procedure, Program, is_loop
from paddock.ir.types import INT

_MARK = "iterations"


def bound_loops(program: Program) -> Program:
    """The program with marks on its loop procedures."""
    if not any(map(is_loop, program.procedures)):
        return program
    iterations = _iterations(program)
    return replace(program, procedures=tuple(_marked(p, iterations.get(p.name)) for p in program.procedures))


def _iterations(program: Program) -> dict[str, int]:
    """How often each loop runs for which that is known."""
    simulation = Simulation(program)
    roots = {name: None for name in simulation.bodies if not is_loop(program.procedure_named[name])}
    with suppress(InputError):  # where there is none, no procedure comes first
        roots = {entry_name(program): None, **roots}
    for name in roots:
        if name not in simulation.reached:
            with suppress(OutOfSteps):
                simulation.run(name)
    return simulation.iterations


def _marked(procedure: Procedure, iterations: int | None) -> Procedure:
    mark = () if iterations is None else (Attribute(_MARK, (Lit(iterations, INT),)),)
    attributes = (*(a for a in procedure.attributes if a.name != _MARK), *mark)
    return procedure if attributes == procedure.attributes else replace(procedure, attributes=attributes)


@frozen
class BoundLoops:
    """The pass `bound-loops`."""

    name: ClassVar[str] = "bound-loops"
    summary: ClassVar[str] = "with the number of iterations of loops for which it is constant"

    def __call__(self, program: Program) -> Program:
        return bound_loops(program)
