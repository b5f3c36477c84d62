"""Judging counterexamples: can the program as the user wrote it take the path that a solver's model takes?

A bug is only reported with a run of the interpreter. With quantifiers the solver may have a candidate model only: then
the path of a run that fails is looked at again, and one that succeeds must not be refuted.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.engines.assertions import Findings, violated
from paddock.engines.goal import is_reached
from paddock.engines.outcome import Budget, Infeasible, Rejected
from paddock.frozen import frozen
from paddock.ir.origin import AssertionId
from paddock.ir.program import Program
from paddock.solvers.interface import Solver
from paddock.trace.path import Path
from paddock.trace.replay import replay
from paddock.trace.run import Failed, Run
from paddock.trace.values import Undecided
from paddock.trace.world import World

Judged = Run | Rejected | Infeasible

# Runs a path of a program in a world; gives the run if it shows what the question asks for.
Replay = Callable[[Program, Path, Callable[[], World]], Run | Rejected]


@frozen
class Candidate:
    """A path and the world that its values belong to, read off a model. If `is_sure`, the model is one: otherwise it
    need not satisfy all of the formula."""

    path: Path
    world: Callable[[], World]
    is_sure: bool


# Decides whether a candidate is a counterexample; the program is the one whose model it was read off.
Judge = Callable[[Candidate], Judged]
ProgramJudge = Callable[[Program, Candidate], Judged]


def replaying(
    original: Program,
    goal: str,
    findings: Findings,
    claim: Callable[[Program, Path], AssertionId | None],
    independent: bool = False,
) -> Replay:
    """Replays paths on the original; what violates an assertion that is known to fail tells nothing. `claim` gives the
    assertion that a path is to violate. If that is to be `independent` of others, those count for nothing."""

    def counting(program: Program, path: Path) -> Callable[[Failed], bool]:
        claimed = claim(program, path) if independent else None
        return lambda failed: claimed is None or violated(original, failed) == claimed

    def replayed(program: Program, path: Path, world: Callable[[], World]) -> Run | Rejected:
        try:
            run = replay(original, program, path, world(), counting(program, path))
        except Undecided as undecided:
            return Rejected(undecided.reason)
        if not is_reached(run.outcome, goal):
            return Rejected(str(run.outcome), claim(program, path))
        if isinstance(run.outcome, Failed) and violated(original, run.outcome) in findings.bugs:
            return Rejected(f"it fails before, at {run.outcome.origin}", claim(program, path))
        return run

    return replayed


def judging(replayed: Replay, solver: Solver, budget: Budget) -> ProgramJudge:
    """The judge of candidates for a program itself. The solver is only asked for others like it."""

    def judge(program: Program, candidate: Candidate) -> Judged:
        path = candidate.path
        first = replayed(program, path, candidate.world)
        if candidate.is_sure:
            return first
        from paddock.engines.feasibility import is_refuted, looked_at  # few candidates need it

        if isinstance(first, Run):
            return Infeasible(thorough=True) if is_refuted(program, path, solver, budget) else first

        def again(world: World) -> Run | None:
            judged = replayed(program, path, lambda: world)
            return judged if isinstance(judged, Run) else None

        return looked_at(program, path, solver, budget, again) or first

    return judge
