"""Invariants of regions by Houdini: what a loop requires, once it is a procedure that calls itself for each iteration,
holds whenever its head is reached.

So it may be assumed where the region of the loop starts, and what a procedure requires where that starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from paddock.ir.build import FALSE
from paddock.ir.expr import Expr, Var
from paddock.ir.program import Procedure, Program, find_attribute
from paddock.ir.walk import substitute
from paddock.passes.candidates import error_variable
from paddock.passes.loop_candidates import initial_values
from paddock.search.goal import as_reachability
from paddock.search.houdini import Houdini, infer, summaries
from paddock.search.outcome import Budget
from paddock.solvers import open_solver

Place = tuple[str, str | None]  # a procedure, and the head of a loop in it


@dataclass(frozen=True, slots=True)
class Inference:
    """How to find invariants. Can be sent to a worker."""

    houdini: Houdini
    prepare: Callable[[Program], Program]
    solver: str = "z3"
    seed: int = 0

    def invariants(self, original: Program, seconds: float | None) -> dict[Place, tuple[Expr, ...]]:
        """What holds whenever a procedure or the head of a loop is reached and nothing has failed yet. Raises
        `SolverFailure`."""
        program = as_reachability(self.prepare(original), "assertion")
        with open_solver(self.solver, seed=self.seed) as solver:
            inferred = infer(program, self.houdini, solver, Budget(seconds))
        error = error_variable(inferred.program)
        found: dict[Place, tuple[Expr, ...]] = {}
        for told in summaries(inferred).procedures:
            procedure = program.procedure_named[told.name]
            loop = find_attribute(procedure.attributes, "loop")
            meaning = _at_head(procedure, error)
            clauses = tuple(substitute(clause.condition, meaning) for clause in told.requires)
            if loop is None:
                found[procedure.name, None] = clauses
            elif all(isinstance(param, str) for param in loop.params):
                found[str(loop.params[0]), str(loop.params[1])] = clauses
        return {place: clauses for place, clauses in found.items() if clauses}


def _at_head(procedure: Procedure, error: Var | None) -> dict[Var, Expr]:
    """What the variables of a loop's contract are where its iteration starts: those of the loop itself."""
    meaning: dict[Var, Expr] = {initial: var for var, initial in initial_values(procedure).items()}
    return meaning if error is None else {**meaning, error: FALSE}
