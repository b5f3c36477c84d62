"""DAI, Algorithm 1 of the assertion-implications paper: detects which assertions of an unwound program imply which.

Only dependent assertions that are not too far apart are asked about, likely implications first (§5), and pairs of them
only if all that is in front of an assertion implies it together. An assertion of the source implies another if each
copy of that one is implied by a copy of the first, or else by one of its own in front of it: then no copy can be the
first to fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from paddock.ir.graph import reachable
from paddock.ir.origin import Origin
from paddock.search.implications.dependency import dependent_before
from paddock.search.implications.questions import Counts, Questions
from paddock.search.implications.relation import Implication, Relation, closed
from paddock.search.implications.ussa import Ussa
from paddock.search.outcome import Budget
from paddock.solvers.interface import Solver
from paddock.workers import LocalProcesses, Task, run_all

_Part = TypeVar("_Part")

NEAREST = 2  # copies of an assertion that are asked about for one copy of another


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for. Assertions with more than `threshold` instructions between are not asked about. If `extended`,
    equalities from anywhere count, and implications by what comes later (§5)."""

    threshold: int = 100
    query_timeout: float = 1.0
    extended: bool = True


@dataclass(frozen=True, slots=True)
class Redundant:
    """Assertions that need not be checked: `earlier` has, for some, those that imply them together wherever all hold
    that come before; `later` has those that come later and imply them alone."""

    earlier: Mapping[Origin, tuple[Origin, ...]]
    later: Mapping[Origin, tuple[Origin, ...]]

    def behind(self, source: Origin) -> list[Origin]:
        """All that implies an assertion from in front of it, directly or not."""
        return reachable(self.earlier, self.earlier.get(source, ()))

    def strongest_behind(self, source: Origin) -> tuple[Origin, ...]:
        """Those of them that are not redundant themselves."""
        return tuple(stronger for stronger in self.behind(source) if stronger not in self.earlier)


def sources_of(ussa: Ussa) -> list[Origin]:
    """The assertions of the source, in the order in which they are first met."""
    return list(dict.fromkeys(ussa.steps[n].source for n in ussa.assertions()))


def implications(ussa: Ussa, search: Search, solver: Solver, budget: Budget, jobs: int = 1) -> tuple[Relation, Counts]:
    """The assertion implication relation; as much of it as there is time for."""
    sources = sources_of(ussa)
    parts = _in_parts(_implying, sources, (ussa, search, solver, budget), jobs)
    found = [implication for part, _ in parts for implication in part]
    return closed(sources, found, everywhere=not ussa.cut), Counts.sum(counts for _, counts in parts)


def redundant(ussa: Ussa, search: Search, solver: Solver, budget: Budget, jobs: int = 1) -> Redundant:
    """Which assertions need not be checked."""
    parts = _in_parts(_redundant, sources_of(ussa), (ussa, search, solver, budget), jobs)
    earlier = {source: behind for part in parts for source, behind in part.earlier.items()}
    return Redundant(earlier, {source: later for part in parts for source, later in part.later.items()})


def _in_parts(
    function: Callable[..., _Part], sources: Sequence[Origin], arguments: tuple[object, ...], jobs: int
) -> list[_Part]:
    """What a function finds for the assertions, in as many processes as there are jobs. What a process does not find,
    because it dies, this one does."""
    if jobs == 1 or len(sources) < jobs:
        return [function(sources, *arguments)]
    groups = [sources[n::jobs] for n in range(jobs)]
    with LocalProcesses(jobs) as executor:
        ends = run_all(executor, [Task(function, (group, *arguments)) for group in groups])
    return [function(group, *arguments) if end.problem else end.value for group, end in zip(groups, ends, strict=True)]


def _implying(
    sources: Sequence[Origin], ussa: Ussa, search: Search, solver: Solver, budget: Budget
) -> tuple[list[Implication], Counts]:
    with Detection(ussa, search, solver, budget) as detection:
        return [i for source in sources for i in detection.implying(source)], detection.counts


def _redundant(sources: Sequence[Origin], ussa: Ussa, search: Search, solver: Solver, budget: Budget) -> Redundant:
    with Detection(ussa, search, solver, budget) as detection:
        return detection.redundant(sources)


class Detection:
    """The search for implications in one unwound program."""

    def __init__(self, ussa: Ussa, search: Search, solver: Solver, budget: Budget) -> None:
        self._search = search
        self._budget = budget
        self._questions = Questions(ussa, solver, search.query_timeout, with_equalities=search.extended)
        self.counts = self._questions.counts
        self._source = {n: ussa.steps[n].source for n in ussa.assertions()}
        self._copies: dict[Origin, list[int]] = {}
        for n, source in self._source.items():
            self._copies.setdefault(source, []).append(n)
        # For each copy, those that it depends on, the nearest first.
        self._before: dict[int, list[int]] = {}
        self._behind: dict[int, list[int]] = {n: [] for n in self._source}
        is_assertion = [n in self._source for n in range(len(ussa.steps))]
        for n in self._source:
            self._before[n] = list(dependent_before(n, search.threshold, self._questions.variables, is_assertion))
            self.counts.dependent += len(self._before[n])
            for k in self._before[n]:
                self._behind[k].append(n)
        self._implying: dict[Origin, dict[Origin, None]] = {}

    def __enter__(self) -> Detection:
        return self

    def __exit__(self, *_: object) -> None:
        self._questions.close()

    # --- the graph ---------------------------------------------------------------------------------

    def implying(self, weaker: Origin) -> Iterator[Implication]:
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

    def _by_what_comes_later(self, weaker: Origin) -> Iterator[Origin]:
        if self._search.extended:
            for stronger in self._likely_first(weaker, self._behind):
                if not self._budget.is_spent and self._implies(stronger, weaker, self._anywhere):
                    yield stronger

    def _likely_first(self, weaker: Origin, near: Mapping[int, list[int]]) -> list[Origin]:
        """Candidates for what implies the first copy: those that are about the same variables, then the nearest."""
        first = self._copies[weaker][0]
        about = set(self._questions.variables[first])
        nearest: dict[Origin, int] = {}
        for n in near[first]:
            nearest.setdefault(self._source[n], n)

        def likely(source: Origin) -> tuple[int, int]:
            n = nearest[source]
            return -len(about.intersection(self._questions.variables[n])), abs(n - first)

        return sorted((source for source in nearest if source != weaker), key=likely)

    def _implies(self, stronger: Origin, weaker: Origin, candidates: Callable[..., Iterable[int]]) -> bool:
        return all(
            any(self._questions.implies(premise, copy) for premise in candidates(stronger, weaker, copy))
            for copy in self._copies[weaker]
        )

    def _before_or_itself(self, stronger: Origin, weaker: Origin, copy: int) -> list[int]:
        return [*self._nearest(self._before[copy], stronger), *self._nearest(self._before[copy], weaker)]

    def _anywhere(self, stronger: Origin, weaker: Origin, copy: int) -> list[int]:
        behind = self._nearest(self._behind[copy], stronger)
        return [*behind, *self._before_or_itself(stronger, weaker, copy)]

    def _nearest(self, copies: Iterable[int], source: Origin) -> list[int]:
        return [n for n in copies if self._source[n] == source][:NEAREST]

    # --- what need not be checked --------------------------------------------------------------------

    def redundant(self, sources: Iterable[Origin]) -> Redundant:
        """Which of some assertions need not be checked."""
        earlier: dict[Origin, tuple[Origin, ...]] = {}
        later: dict[Origin, tuple[Origin, ...]] = {}
        for source in sources:
            if self._budget.is_spent:
                break
            together = self._implied_together(source)
            if together:
                earlier[source] = together
            elif self._search.extended:
                later[source] = tuple(self._by_what_comes_later(source))
        return Redundant(earlier, later)

    def _implied_together(self, weaker: Origin) -> tuple[Origin, ...]:
        """Other assertions that, with copies in front of each copy of this one, imply it; empty if there are none."""
        used: dict[Origin, None] = {}
        for copy in self._copies[weaker]:
            before = self._before[copy]
            needed = self._questions.implied_by(before, copy) if before else None
            if needed is None:
                return ()
            used |= dict.fromkeys(self._source[n] for n in needed)
        return tuple(source for source in used if source != weaker)
