"""Proofs for any number of iterations: the loops that a bound cut off, by k-induction (pass `induction`), with
invariants among candidates (pass `invariant-candidates`).

The candidates that are invariants are found as Houdini does (Flanagan and Leino, FME 2001): those that a model of the
solver's violates are dropped, until there is no such model. The program is executed once; each step is a question with
other assumptions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.outcome import Budget, Rejected, Statistics, work_of
from paddock.engines.symbolic.records import Explored
from paddock.engines.symbolic.search import SymbolicSearch
from paddock.frozen import frozen
from paddock.ir.expr import Var
from paddock.ir.origin import AssertionId, Origin
from paddock.ir.program import Program
from paddock.passes.facts import facts
from paddock.passes.induction import induction
from paddock.passes.invariant_candidates import Claim, Invariants, invariant_candidates
from paddock.solvers.interface import TIME_LIMIT, Solver, Status, Term


@frozen
class Attempt:
    """A proof to try: the depth of the induction, which candidates for invariants there are, and how many questions may
    be asked to find those that hold."""

    depth: int
    candidates: str = "none"  # or simple or rich
    queries: int = 0


ATTEMPTS = (Attempt(1), Attempt(1, "simple", 200), Attempt(1, "rich", 60), Attempt(2, "simple", 60), Attempt(4))
EFFORT = 3.0  # for a query, as of so many seconds
_MOST_BLOCKS = 20_000  # of a program that is still worth executing
_MOST_STATEMENTS = 40_000
_MOST_VISITS = 10_000  # of blocks, by all attempts together, besides as many as the search took
_MOST_UNKNOWN = 10  # of them, those that were given up
_LEAST_WORK = 3.0  # that all attempts together may take, as of so many seconds; or as much as the search took
_GROWTH = {"none": 1.0, "simple": 3.0, "rich": 6.0}  # of the work of an attempt over that of the one before it


class InductiveProofs:
    """Attempts to prove a program, of which a search has found that bounds cut some loops off, for any number of
    iterations. Together they may take a limited amount of work."""

    def __init__(
        self, program: Program, loops: Collection[Origin], recursion: int, iterations: int, searched: Statistics
    ) -> None:
        self._program = program
        self._loops: Collection[Origin] | None = loops  # or all
        self._recursion = recursion
        self._iterations = iterations
        self._visits_left = _MOST_VISITS + searched.executed.visits
        self._work_left = max(_LEAST_WORK, work_of(searched))
        self._last_work = 0.0
        self.statistics = Statistics()  # of all attempts
        self.invariants: Invariants | None = None  # of the proof, if there is one

    def is_worth(self, attempt: Attempt) -> bool:
        """Whether an attempt is likely to take no more work than is left."""
        return self._last_work * _GROWTH[attempt.candidates] <= self._work_left

    def proved_by(self, attempt: Attempt, solver: Solver, budget: Budget) -> bool:
        """Whether it is seen that no assertion can fail, however often loops run. Recursion, and loops that were not
        cut off, have bounds, which must not be reached; if they are, induction is over all loops."""
        proved = self._proves(attempt, self._loops, solver, budget)
        if proved is None and self._loops is not None:
            self._loops = None
            with solver.another(effort=EFFORT) as other:
                proved = self._proves(attempt, None, other, budget)
        return bool(proved)

    def _proves(
        self, attempt: Attempt, loops: Collection[Origin] | None, solver: Solver, budget: Budget
    ) -> bool | None:
        """Whether there is a proof by induction over some loops, or all; None if others are in the way."""
        program, guards, claims = self._program, dict[AssertionId, Var](), dict[Var, Claim]()
        if attempt.candidates != "none":
            offered = invariant_candidates(facts(program), loops, rich=attempt.candidates == "rich")
            program, guards, claims = offered.program, offered.guards, offered.claims
        by_induction = induction(program, attempt.depth, loops)
        blocks = [b for p in by_induction.procedures for i in p.implementations for b in i.blocks]
        if len(blocks) > _MOST_BLOCKS or sum(len(b.statements) for b in blocks) > _MOST_STATEMENTS:
            return False
        within = Bounds(by_induction, self._recursion, self._iterations, False, self._visits_left)
        # What violates an assertion here may start in a state that the program is never in.
        search = SymbolicSearch(by_induction, within, "assertion", solver, lambda _: Rejected("any state"), budget)
        try:
            explored = search.explore()
            if explored is None or any(cut.is_loop for cut in explored.cuts):
                return None
            kept = _proving(search, explored, guards, attempt.queries)
            held = tuple(claims[guard] for guard in claims if guard in (kept or ()))
            self.invariants = Invariants(held, program.functions)
            return kept is not None
        finally:
            self._visits_left -= search.statistics.executed.visits
            self._last_work = work_of(search.statistics)
            self._work_left -= self._last_work
            self.statistics.add(search.statistics)


def _proving(
    search: SymbolicSearch, explored: Explored, guards: Mapping[AssertionId, Var], queries: int
) -> set[Var] | None:
    """Those of the candidates that hold, if nothing fails then, and nothing is cut off; else None."""
    offered = [v for v in explored.violations if v.source in guards]
    asserted = [v.condition for v in explored.violations if v.source not in guards]
    marks = search.queries.marked(v.condition for v in offered)
    violating = [(mark, guards[v.source]) for mark, v in zip(marks, offered, strict=True) if v.source is not None]
    kept = set(guards.values())
    while violating and (dropped := _refuted(search, violating, kept)):
        if dropped == kept or search.statistics.queries > queries:
            return None  # that was tried without candidates, or takes too long
        kept -= dropped
        violating = [(mark, guard) for mark, guard in violating if guard in kept]
    goals = search.queries.marked([*asserted, *(cut.condition for cut in explored.cuts)])
    status = search.ask(goals, kept).status
    if status is Status.UNKNOWN:  # what is too much at once may not be, one after the other
        return kept if all(search.ask([goal], kept).status is Status.UNSAT for goal in goals) else None
    return kept if status is Status.UNSAT else None


def _refuted(search: SymbolicSearch, violating: Sequence[tuple[Term, Var]], kept: set[Var]) -> set[Var]:
    """Candidates that a model violates, or that are not seen to hold, if all that are kept do."""

    def in_model() -> set[Var]:
        held = search.queries.true_in_model([mark for mark, _ in violating])
        return {guard for (_, guard), is_violated in zip(violating, held, strict=True) if is_violated}

    answer = search.ask([mark for mark, _ in violating], kept)
    if answer.status is Status.SAT:
        return in_model()
    if answer.status is Status.UNSAT:
        return set()
    found: set[Var] = set()
    for mark, guard in violating:
        if answer.reason == TIME_LIMIT or len(found) > _MOST_UNKNOWN:
            return kept
        answer = search.ask([mark], kept)
        if answer.status is Status.SAT:
            return found | in_model()
        if answer.status is Status.UNKNOWN:
            found.add(guard)
    return found
