"""From candidates to summaries: generate them, find those that are true, and put them into the program as contracts.

The contracts are free: they hold in every execution, so the search may assume them of a call that it has not inlined
(Corral §4.2, "Using Summaries").
"""

from __future__ import annotations

import time
from collections.abc import Collection

from paddock.engines.houdini.fixpoint import fixpoint
from paddock.engines.houdini.implied import without_implied
from paddock.engines.inlining.instances import Inlining
from paddock.engines.inlining.shapes import Shapes
from paddock.engines.outcome import Budget
from paddock.frozen import frozen, replace
from paddock.ir.entry import entry_name
from paddock.ir.expr import Var
from paddock.ir.modref import mod_ref
from paddock.ir.program import Clause, Procedure, Program
from paddock.ir.rewriting import variables_in, without_capture
from paddock.passes.candidates import guard_of, guards, resolved
from paddock.passes.offer_candidates import new_candidates
from paddock.passes.reach_goal import without_goal
from paddock.solvers.interface import Solver, Status


@frozen
class Houdini:
    """How summaries are inferred: for how long at most, from which templates besides what the program suggests, and
    whether preconditions are tried, too."""

    timeout: float | None = None  # seconds
    templates: tuple[Procedure, ...] = ()
    preconditions: bool = False


@frozen
class Inferred:
    """A program with summaries, and `offered` before, with candidates of which those with the guards `kept` are true
    and worth telling; `is_complete` says whether there was time to look at all of them, and `left_out` how many more
    there could have been."""

    program: Program
    offered: Program
    kept: tuple[Var, ...]
    candidates: int
    queries: int
    seconds: float
    is_complete: bool
    left_out: int

    @property
    def incompleteness(self) -> str:
        """Why there may be more summaries, if so."""
        if not self.is_complete:
            return "the time limit was reached: not all candidates were looked at"
        return f"there are too many candidates: {self.left_out} were left out" if self.left_out else ""


def infer(program: Program, houdini: Houdini, solver: Solver, budget: Budget) -> Inferred:
    """The summaries of a program without assertions and loops, all of whose contracts are free. The solver is only used
    to make others of its kind."""
    started = time.process_time()
    new = new_candidates(without_goal(program), houdini.templates, houdini.preconditions)
    offered = new.program()
    found = fixpoint(offered, solver, Budget(_time_for(houdini, budget), budget.report))
    kept = tuple(without_implied(offered, found.kept))
    bodies = {p.name: p.implementations for p in program.procedures}
    to_reach_goal = tuple(replace(p, implementations=bodies[p.name]) for p in offered.procedures)
    return Inferred(
        resolved(replace(offered, procedures=to_reach_goal), kept),
        offered,
        kept,
        len(guards(offered)),
        found.queries,
        time.process_time() - started,
        found.is_complete,
        new.left_out,
    )


def _time_for(houdini: Houdini, budget: Budget) -> float | None:
    """The time that may be spent on summaries: half of what there is, since they are to be used."""
    left = budget.remaining()
    limits = [houdini.timeout, None if left is None else left / 2]
    return min((seconds for seconds in limits if seconds is not None), default=None)


def infer_if_needed(program: Program, houdini: Houdini, solver: Solver, budget: Budget) -> Inferred | None:
    """What `infer` gives, unless the entry cannot return whatever the procedures do that it calls."""
    plain = resolved(program, ())
    with solver.another() as other:
        Inlining(Shapes(plain), entry_name(plain), other)
        if other.check((), budget.remaining()).status is Status.UNSAT:
            return None
    return infer(program, houdini, solver, budget)


def summaries(inferred: Inferred) -> Program:
    """The summaries alone: procedures without bodies, and of their contracts only what was inferred."""
    known, effects = guards(inferred.offered), mod_ref(inferred.offered)

    def as_free(clauses: Collection[Clause]) -> tuple[Clause, ...]:
        return tuple(c for c in clauses if guard_of(c.condition, known) is not None)

    procedures = [
        replace(
            p,
            requires=as_free(p.requires),
            ensures=as_free(p.ensures),
            modifies=effects[p.name].modifies,
            implementations=(),
        )
        for p in inferred.offered.procedures
    ]
    alone = resolved(replace(inferred.offered, procedures=tuple(procedures)), inferred.kept)
    saying = tuple(p for p in alone.procedures if p.requires or p.ensures)
    mentioned = variables_in(*saying)
    globals_ = tuple(d for d in alone.globals if d.var in mentioned)
    return without_capture(replace(alone, globals=globals_, procedures=saying))
