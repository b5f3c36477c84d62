"""Proofs for any number of iterations: the loops that a bound cut off, by k-induction (pass `induction`)."""

from __future__ import annotations

from collections.abc import Collection

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.outcome import Budget, Rejected
from paddock.engines.symbolic.search import SymbolicSearch
from paddock.ir.origin import Origin
from paddock.ir.program import Program
from paddock.passes.induction import induction
from paddock.solvers.interface import Solver
from paddock.verdict import Verdict

DEPTHS = (1, 2, 4)
_MOST_BLOCKS = 20_000  # of a program that is still worth executing


def is_inductive(
    program: Program, loops: Collection[Origin], depth: int, bounds: tuple[int, int], solver: Solver, budget: Budget
) -> bool:
    """Whether it is seen by induction of some depth that no assertion of a program can fail, however often loops run.
    Other loops, and recursion, have bounds, which must not be reached."""
    by_induction = induction(program, depth, loops)
    if sum(len(i.blocks) for p in by_induction.procedures for i in p.implementations) > _MOST_BLOCKS:
        return False
    recursion, iterations = bounds
    within = Bounds(by_induction, recursion, iterations)
    # What violates an assertion here may start in a state that the program is never in.
    search = SymbolicSearch(by_induction, within, "assertion", solver, lambda _: Rejected("any state"), budget)
    return search.run(within.last).verdict is Verdict.PROVED
