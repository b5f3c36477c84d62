"""DAI, Algorithm 1 of the assertion-implications paper: detects which assertions of an unwound program imply which.

Only dependent assertions that are not too far apart are asked about, likely implications first (§5), and pairs of them
only if all that is in front of an assertion implies it together. An assertion of the source implies another if each
copy of that one is implied by a copy of the first, or else by one of its own in front of it: then no copy can be the
first to fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from paddock.engines.implications.dependency import dependent_before
from paddock.engines.implications.questions import Counts, Questions
from paddock.engines.implications.relation import Implication, Relation, closed
from paddock.engines.implications.ussa import Ussa
from paddock.engines.outcome import Budget
from paddock.frozen import frozen
from paddock.ir.graph import reachable
from paddock.ir.origin import AssertionId
from paddock.solvers.interface import Solver
from paddock.workers.interface import Task, run_all
from paddock.workers.processes import LocalProcesses

NEAREST = 2  # copies of an assertion that are asked about for one copy of another
PATIENCE_S = 0.5  # how long a process may take that should have ended

# What is emitted on the way: each implication as soon as it is found, and what that took.
Finding = Implication | Counts


@frozen
class Search:
    """What to look for. Assertions with more than `threshold` instructions between are not asked about. If `extended`,
    equalities from anywhere count, and implications by what comes later (§5)."""

    threshold: int = 100
    query_timeout: float = 1.0
    extended: bool = True


@frozen
class Redundant:
    """Assertions that need not be checked: `earlier` has, for some, those that imply them together wherever all hold
    that come before; `later` has those that come later and imply them alone."""

    earlier: Mapping[AssertionId, tuple[AssertionId, ...]]
    later: Mapping[AssertionId, tuple[AssertionId, ...]]

    def behind(self, source: AssertionId) -> list[AssertionId]:
        """All that implies an assertion from in front of it, directly or not."""
        return reachable(self.earlier, self.earlier.get(source, ()))

    def strongest_behind(self, source: AssertionId) -> tuple[AssertionId, ...]:
        """Those of them that are not redundant themselves."""
        return tuple(stronger for stronger in self.behind(source) if stronger not in self.earlier)


def sources_of(ussa: Ussa) -> list[AssertionId]:
    """The assertions of the source, in the order in which they are first met."""
    return list(dict.fromkeys(ussa.steps[n].source for n in ussa.assertions()))


def implications(
    ussa: Ussa,
    search: Search,
    solver: Solver,
    budget: Budget,
    jobs: int = 1,
    emit: Callable[[Finding], None] = lambda _: None,
) -> tuple[Relation, Counts]:
    """The assertion implication relation; as much of it as there is time for, and all of it is emitted on the way."""
    findings: list[Finding] = []

    def record(something: Finding) -> None:
        findings.append(something)
        emit(something)

    _in_parts(_implying, ussa, search, solver, budget, jobs, record)
    return combined(sources_of(ussa), findings, everywhere=not ussa.cut)


def combined(sources: Sequence[AssertionId], findings: Iterable[Finding], everywhere: bool) -> tuple[Relation, Counts]:
    """The relation and the counts that findings make together."""
    found = list(findings)
    counts = Counts.sum(part for part in found if isinstance(part, Counts))
    return closed(sources, (part for part in found if isinstance(part, Implication)), everywhere), counts


def redundant(ussa: Ussa, search: Search, solver: Solver, budget: Budget, jobs: int = 1) -> Redundant:
    """Which assertions need not be checked."""
    parts: list[Redundant] = []
    _in_parts(_redundant, ussa, search, solver, budget, jobs, parts.append)
    earlier = {source: behind for part in parts for source, behind in part.earlier.items()}
    return Redundant(earlier, {source: later for part in parts for source, later in part.later.items()})


def _in_parts(
    function: Callable[..., None],
    ussa: Ussa,
    search: Search,
    solver: Solver,
    budget: Budget,
    jobs: int,
    record: Callable[..., None],
) -> None:
    """Have a function look at the assertions and emit what it finds, in as many processes as there are jobs. What a
    process does not look at, because it dies, this one does."""
    sources, arguments = sources_of(ussa), (ussa, search, solver, budget)
    if jobs == 1 or len(sources) < jobs:
        function(sources, *arguments, record)
        return
    groups = [sources[n::jobs] for n in range(jobs)]
    left = budget.remaining()
    limit = None if left is None else left + PATIENCE_S  # not all solvers keep to theirs
    with LocalProcesses(jobs, on_message=record) as executor:
        ends = run_all(executor, [Task(function, (group, *arguments), limit) for group in groups])
    for group, end in zip(groups, ends, strict=True):
        if end.problem and not budget.is_spent:
            function(group, *arguments, record)


def _implying(
    sources: Sequence[AssertionId],
    ussa: Ussa,
    search: Search,
    solver: Solver,
    budget: Budget,
    emit: Callable[[Finding], None],
) -> None:
    with Detection(ussa, search, solver, budget) as detection:
        for source in sources:
            for implication in detection.implying(source):
                emit(implication)
            emit(detection.questions.taken_counts())


def _redundant(
    sources: Sequence[AssertionId],
    ussa: Ussa,
    search: Search,
    solver: Solver,
    budget: Budget,
    emit: Callable[[Redundant], None],
) -> None:
    with Detection(ussa, search, solver, budget) as detection:
        for part in detection.redundant(sources):
            emit(part)


class Detection:
    """The search for implications in one unwound program."""

    def __init__(self, ussa: Ussa, search: Search, solver: Solver, budget: Budget) -> None:
        self._search = search
        self._budget = budget
        self.questions = Questions(ussa, solver, budget, search.query_timeout, with_equalities=search.extended)
        self._source = {n: ussa.steps[n].source for n in ussa.assertions()}
        self._copies: dict[AssertionId, list[int]] = {}
        for n, source in self._source.items():
            self._copies.setdefault(source, []).append(n)
        # For each copy, those that it depends on, the nearest first.
        self._before: dict[int, list[int]] = {}
        self._behind: dict[int, list[int]] = {n: [] for n in self._source}
        is_assertion = [n in self._source for n in range(len(ussa.steps))]
        for n in self._source:
            self._before[n] = list(dependent_before(n, search.threshold, self.questions.dependent, is_assertion))
            self.questions.counts.dependent += len(self._before[n])
            for k in self._before[n]:
                self._behind[k].append(n)
        self._implying: dict[AssertionId, dict[AssertionId, None]] = {}

    def __enter__(self) -> Detection:
        return self

    def __exit__(self, *_: object) -> None:
        self.questions.close()

    # --- the graph ---------------------------------------------------------------------------------

    def implying(self, weaker: AssertionId) -> Iterator[Implication]:
        """What implies an assertion: line 3 of Algorithm 1, and implications by what comes later."""
        known = self._implying[weaker] = {}
        if self._implied_together(weaker):
            for stronger in self._likely_first(weaker, self._before):
                if self._budget.is_spent:
                    return
                follows = any(stronger in self._implying.get(between, ()) for between in known)
                if follows or self._implies(stronger, weaker, self._before_or_itself):
                    known[stronger] = None
                    yield Implication(stronger, weaker)
        for stronger in self._by_what_comes_later(weaker):
            if stronger not in known:
                yield Implication(stronger, weaker, forward=False)

    def _by_what_comes_later(self, weaker: AssertionId) -> Iterator[AssertionId]:
        if self._search.extended:
            for stronger in self._likely_first(weaker, self._behind):
                if not self._budget.is_spent and self._implies(stronger, weaker, self._anywhere):
                    yield stronger

    def _likely_first(self, weaker: AssertionId, near: Mapping[int, list[int]]) -> list[AssertionId]:
        """Candidates for what implies the first copy: those that are about the same variables, then the nearest."""
        first = self._copies[weaker][0]
        about = set(self.questions.variables[first])
        nearest: dict[AssertionId, int] = {}
        for n in near[first]:
            nearest.setdefault(self._source[n], n)

        def likely(source: AssertionId) -> tuple[int, int]:
            n = nearest[source]
            return -len(about.intersection(self.questions.variables[n])), abs(n - first)

        return sorted((source for source in nearest if source != weaker), key=likely)

    def _implies(self, stronger: AssertionId, weaker: AssertionId, candidates: Callable[..., Iterable[int]]) -> bool:
        return all(
            any(self.questions.implies(premise, copy) for premise in candidates(stronger, weaker, copy))
            for copy in self._copies[weaker]
        )

    def _before_or_itself(self, stronger: AssertionId, weaker: AssertionId, copy: int) -> list[int]:
        return [*self._nearest(self._before[copy], stronger), *self._nearest(self._before[copy], weaker)]

    def _anywhere(self, stronger: AssertionId, weaker: AssertionId, copy: int) -> list[int]:
        behind = self._nearest(self._behind[copy], stronger)
        return [*behind, *self._before_or_itself(stronger, weaker, copy)]

    def _nearest(self, copies: Iterable[int], source: AssertionId) -> list[int]:
        return [n for n in copies if self._source[n] == source][:NEAREST]

    # --- what need not be checked --------------------------------------------------------------------

    def redundant(self, sources: Iterable[AssertionId]) -> Iterator[Redundant]:
        """Those of some assertions that need not be checked, one by one."""
        for source in sources:
            if self._budget.is_spent:
                return
            together = self._implied_together(source)
            if together:
                yield Redundant({source: together}, {})
            elif self._search.extended:
                yield Redundant({}, {source: tuple(self._by_what_comes_later(source))})

    def _implied_together(self, weaker: AssertionId) -> tuple[AssertionId, ...]:
        """Other assertions that, with copies in front of each copy of this one, imply it; empty if there are none."""
        used: dict[AssertionId, None] = {}
        for copy in self._copies[weaker]:
            before = self._before[copy]
            needed = self.questions.implied_by(before, copy) if before else None
            if needed is None:
                return ()
            used |= dict.fromkeys(self._source[n] for n in needed)
        return tuple(source for source in used if source != weaker)
