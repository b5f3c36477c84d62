"""What an engine is asked, what it answers, and what it may spend."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Self

from paddock.frozen import field, frozen, mutable
from paddock.ir.origin import AssertionId, Origin
from paddock.solvers.interface import Answer, Status
from paddock.trace.run import Run
from paddock.verdict import Verdict

_TERMS_PER_SECOND = 40_000  # that a symbolic execution makes and encodes on a usual machine


@frozen
class Executed:
    """Counts of a symbolic execution: visits of blocks, terms that they took, those among them that read or write an
    array, how often an assertion was met that was seen to hold, or not, and the effort of the solver, as of so many
    seconds."""

    visits: int = 0
    terms: int = 0
    array_terms: int = 0
    decided: int = 0
    undecided: int = 0
    effort: float = 0.0


@frozen
class Iteration:
    """A search in which so many globals were tracked: instances, queries and CPU seconds, its refinement among them."""

    tracked: int
    instances: int
    queries: int
    cpu_s: float


@mutable
class Statistics:
    """Counts of a search so far."""

    bound: int = 0  # the recursion bound being searched
    completed: int | None = None  # the last recursion bound that was searched to the end
    instances: int = 0
    merged: int = 0
    open_calls: int = 0
    queries: int = 0
    solver_s: float = 0.0
    vc_s: float = 0.0
    merge_s: float = 0.0  # of vc_s: finding instances to share
    candidates: int = 0  # for summaries
    candidates_left_out: int = 0  # as there would be too many
    summaries: int = 0
    houdini_queries: int = 0
    houdini_s: float = 0.0
    executed: Executed = field(default_factory=Executed)
    # Of implications between assertions: instructions of the unwound program, implications, and time for them; `checks`
    # counts the assertions that had to be checked.
    steps: int = 0
    implications: int = 0
    dai_s: float = 0.0
    # Of variable abstraction: globals, those tracked, calls of `check` on spurious paths, and time.
    globals: int = 0
    tracked: int = 0
    checks: int = 0
    search_s: float = 0.0
    refine_s: float = 0.0
    refinement: tuple[Iteration, ...] = ()

    def add(self, other: Statistics) -> None:
        """Count what another search took, too."""
        self.instances += other.instances
        self.queries += other.queries
        self.solver_s += other.solver_s
        self.vc_s += other.vc_s


def work_of(statistics: Statistics) -> float:
    """What a symbolic execution took, as of so many seconds, but the same from run to run."""
    executed = statistics.executed
    return executed.terms / _TERMS_PER_SECOND + executed.effort


@frozen
class Outcome:
    """The answer of an engine. `bound` is the recursion bound that was completed; `run` is the replayed
    counterexample of a bug; `cut` are the procedures whose calls the bound cut off, `cut_loops` the places of loops;
    `suspect` is the assertion that the solver's execution was to violate, where it could not be replayed."""

    verdict: Verdict
    bound: int | None = None
    reason: str = ""
    run: Run | None = None
    cut: tuple[str, ...] = ()
    cut_loops: tuple[Origin, ...] = ()
    suspect: AssertionId | None = None


# The effort, as of so many seconds, of refuting a path that can be replayed.
CONFIRMATION_EFFORT = 3.0


@frozen
class Infeasible:
    """A path is not feasible; it took a thorough solver, or not, to find out."""

    thorough: bool


@frozen
class Rejected:
    """Why an execution of the solver's is no counterexample, and the assertion that it was to violate."""

    reason: str
    claimed: AssertionId | None = None


def rejected(answer: Answer, why: Rejected, completed: int | None) -> Outcome:
    """The outcome for an execution of the solver's that is none."""
    if answer.status is Status.SAT:
        reason = f"the solver found an execution that cannot be replayed: {why.reason}"
    else:
        reason = f"the solver does not know ({answer.reason}), and what it suggests is no execution: {why.reason}"
    return Outcome(Verdict.UNKNOWN, completed, reason, suspect=why.claimed)


@mutable
class Budget:
    """A time limit, a place to report progress to, and what the solver may take in all, as it counts seconds."""

    timeout: float | None = None
    report: Callable[[Statistics], None] = lambda statistics: None
    started: float = field(default_factory=time.monotonic)
    effort: float | None = None

    def remaining(self) -> float | None:
        """Seconds left; never negative."""
        if self.timeout is None:
            return None
        return max(0.0, self.timeout - (time.monotonic() - self.started))

    def share(self, part: float) -> Self:
        """A budget of its own with a part of what is left."""
        left = self.remaining()
        return type(self)(None if left is None else left * part)

    def is_used_up(self, effort: float) -> bool:
        """Whether a solver that has taken so much may not take more."""
        return self.effort is not None and effort >= self.effort

    @property
    def is_spent(self) -> bool:
        return self.remaining() == 0.0


class Covered:
    """What a search has covered when something ends it from outside."""

    def __init__(self, report: Callable[[Statistics], None]) -> None:
        self.statistics = Statistics()
        self._report = report

    def report(self, statistics: Statistics) -> None:
        self.statistics = statistics
        self._report(statistics)

    def outcome(self, reason: str) -> Outcome:
        return Outcome(Verdict.UNKNOWN, self.statistics.completed, reason)
