"""What the tests of Houdini share: programs with existential constants, ready to be looked at."""

from __future__ import annotations

import re

from paddock.engines.houdini.fixpoint import Fixpoint, fixpoint
from paddock.engines.outcome import Budget
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.program import Program
from paddock.passes.candidates import offered
from paddock.passes.loop_candidates import loop_candidates
from paddock.passes.reach_goal import as_reachability, without_goal
from paddock.passes.registry import run_passes
from paddock.solvers.z3.solver import Z3Solver


def ready(text: str, goal: str = "assertion") -> Program:
    """A program as Houdini expects it. What guards something and has a name of one letter is declared here."""
    names = sorted(set(re.findall(r"\b([a-e]) ==>", text)))
    constants = f"const {{:existential true}} {', '.join(names)}: bool;\n" if names else ""
    prepared = run_passes(
        offered(load([Source(constants + text)])), ["merge-implementations", "check-specs", "extract-loops"]
    )
    return without_goal(as_reachability(loop_candidates(prepared), goal))


def found(text: str, budget: Budget | None = None) -> Fixpoint:
    with Z3Solver() as solver:
        return fixpoint(ready(text), solver, budget or Budget())


def kept(text: str) -> set[str]:
    """The names of the guards whose candidates are true."""
    result = found(text)
    assert result.is_complete
    return {guard.name for guard in result.kept}
