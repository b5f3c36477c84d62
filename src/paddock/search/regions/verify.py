"""The task of a gamble: which assertions of a region cannot fail in it, whatever was before (batch verification,
Akhundov et al., Verification by Gambling on Program Slices, §3.2).

All assertions of a region are checked at once. One that can fail there becomes an assumption, and the rest is checked
again, with the same formula in the solver. A violation says nothing about the whole program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from paddock.ir.origin import Origin
from paddock.ir.program import Program
from paddock.search.assertions import Findings, sources_in
from paddock.search.engines import Question, search
from paddock.search.outcome import Budget, Found
from paddock.solvers import open_solver
from paddock.solvers.interface import SolverFailure


@dataclass(frozen=True, slots=True)
class Answer:
    """The assertions that cannot fail in a region, why nothing is known of others (if it is not that they can), and
    what it took."""

    proved: tuple[Origin, ...] = ()
    reason: str = ""
    stats: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OwnEngine:
    """How Paddock itself verifies a region. Can be sent to a worker."""

    question: Question
    prepare: Callable[[Program], Program]  # as the engines expect a program
    solver: str = "z3"
    seed: int = 0
    memory_mb: int | None = None

    def verify(self, program: Program, seconds: float | None) -> Answer:
        """Which assertions of a region's program cannot fail at any bound."""
        budget = Budget(seconds)
        prepared = self.prepare(program)
        asserted = sources_in(prepared)
        if not asserted:
            return Answer()
        findings = Findings()
        question = replace(self.question, goal="assertion", all_assertions=True)
        try:
            with open_solver(self.solver, seed=self.seed, memory_mb=self.memory_mb) as solver:
                outcome, statistics = search(program, prepared, question, solver, budget, findings)
        except SolverFailure as failure:
            return Answer(tuple(findings.proved), str(failure))
        if outcome.found is Found.PROVED:
            proved = [source for source in asserted if source not in findings.bugs and source not in findings.undecided]
        else:
            proved = list(findings.proved)
        stats = {name: getattr(statistics, name) for name in ("instances", "queries", "solver_s")}
        return Answer(tuple(sorted(proved, key=str)), outcome.reason, stats)
