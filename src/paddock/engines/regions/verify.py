"""The task of a gamble: which assertions of a region cannot fail in it, whatever was before (batch verification,
Akhundov et al., Verification by Gambling on Program Slices, §3.2).

All assertions of a region are checked at once. One that can fail there becomes an assumption, and the rest is checked
again, with the same formula in the solver. A violation says nothing about the whole program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Protocol

from paddock.engines.assertions import Findings, sources_in
from paddock.engines.inlining.search import Question, search
from paddock.engines.outcome import Budget
from paddock.engines.regions.extract import assuming_known, is_candidate, without_candidates
from paddock.frozen import field, frozen, replace
from paddock.ir.origin import AssertionId
from paddock.ir.packing import packed, unpacked
from paddock.ir.program import Program
from paddock.solvers.factory import open_solver
from paddock.solvers.interface import SolverFailure
from paddock.verdict import Verdict


@frozen
class Answer:
    """The assertions that cannot fail in a region, why nothing is known of others (if it is not that they can), and
    what it took."""

    proved: tuple[AssertionId, ...] = ()
    reason: str = ""
    stats: dict[str, float] = field(default_factory=dict)


@frozen
class Induction:
    """A region as a program with candidates for invariants as assumptions, and the programs that assert them where the
    loop is entered and after an iteration (see `induction.py`)."""

    guessing: Program
    entry: Program
    step: Program

    def without(self, dropped: Collection[AssertionId]) -> Induction:
        return Induction(*(without_candidates(p, dropped) for p in (self.guessing, self.entry, self.step)))


@frozen
class Slice:
    """A region as a program, with the assertions to be verified, and how to find invariants for it."""

    program: Program
    induction: Induction | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return _unpacked_slice, (packed({"program": self.program, "induction": self.induction}),)


def _unpacked_slice(data: bytes) -> Slice:
    return Slice(**unpacked(data))


class Verifier(Protocol):
    """Whoever can say which assertions of a program cannot fail. Can be sent to a worker."""

    @property
    def prover(self) -> Verifier:
        """Who finds invariants for it."""
        ...

    def verify(self, program: Program, seconds: float | None) -> Answer: ...


def verified(verifier: Verifier, slice_: Slice, seconds: float | None) -> Answer:
    """Which assertions of a region cannot fail in it. The others are tried once more with its invariants."""
    deadline = None if seconds is None else time.monotonic() + seconds

    def remaining() -> float | None:
        return None if deadline is None else max(0.0, deadline - time.monotonic())

    answer = verifier.verify(slice_.program, remaining())
    if slice_.induction is None or all(source in answer.proved for source in sources_in(slice_.program)):
        return answer
    known = assuming_known(slice_.induction.guessing, answer.proved)
    guess = _guess(verifier, replace(slice_.induction, guessing=known), remaining)
    stats = {name: value + guess.stats.get(name, 0) for name, value in answer.stats.items()}
    return Answer((*answer.proved, *guess.proved), guess.reason or answer.reason, stats)


def _guess(verifier: Verifier, induction: Induction, remaining: Callable[[], float | None]) -> Answer:
    """What is proved with invariants: the candidates that are true together. A region that misses even with more than
    these needs none of them."""

    def failing(program: Program) -> set[AssertionId]:
        return _candidates(program).difference(verifier.prover.verify(program, remaining()).proved)

    dropped = failing(induction.entry)
    while len(dropped) < len(_candidates(induction.step)):
        induction = induction.without(dropped)
        answer = verifier.verify(induction.guessing, remaining())
        if not answer.proved:
            return answer
        dropped = failing(induction.step)
        if not dropped:
            return answer
    return Answer()


def _candidates(program: Program) -> set[AssertionId]:
    return {source for source in sources_in(program) if is_candidate(source)}


@frozen
class OwnEngine:
    """How Paddock itself verifies a region. Can be sent to a worker."""

    question: Question
    prepare: Callable[[Program], Program]  # as the engines expect a program
    solver: str = "z3"
    seed: int = 0
    memory_mb: int | None = None

    @property
    def prover(self) -> Verifier:
        return self

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
        if outcome.verdict is Verdict.PROVED:
            proved = [source for source in asserted if source not in findings.bugs and source not in findings.undecided]
        else:
            proved = list(findings.proved)
        stats = {name: getattr(statistics, name) for name in ("instances", "queries", "solver_s")}
        return Answer(tuple(sorted(proved, key=str)), outcome.reason, stats)
