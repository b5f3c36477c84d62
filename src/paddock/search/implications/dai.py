"""DAI, Algorithm 1 of the assertion-implications paper: detects which assertions of an unwound program imply which.

Only dependent assertions that are not too far apart are asked about, likely implications first (§5). An assertion of
the source implies another if each copy of that one is implied by a copy of the first, or else by one of its own in
front of it: then no copy can be the first to fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from paddock.ir.origin import Origin
from paddock.search.implications.dependency import dependent_before
from paddock.search.implications.questions import Counts, Questions
from paddock.search.implications.relation import Implication, Relation, closed
from paddock.search.implications.ussa import Ussa
from paddock.search.outcome import Budget
from paddock.solvers.interface import Solver

NEAREST = 2  # copies of an assertion that are asked about for one copy of another


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for. Assertions with more than `threshold` instructions between are not asked about. If `extended`,
    equalities from anywhere count, and implications by what comes later (§5). Unless `every`, one implication of each
    assertion is enough."""

    threshold: int = 100
    query_timeout: float = 1.0
    extended: bool = True
    every: bool = True


def implications(ussa: Ussa, search: Search, solver: Solver, budget: Budget) -> tuple[Relation, Counts]:
    """The assertion implication relation; as much of it as there is time for."""
    sources = list(dict.fromkeys(ussa.steps[n].source for n in ussa.assertions()))
    found, counts = implying(ussa, search, solver, budget, sources)
    return closed(sources, found, everywhere=not ussa.cut), counts


def implying(
    ussa: Ussa, search: Search, solver: Solver, budget: Budget, weaker: Iterable[Origin]
) -> tuple[list[Implication], Counts]:
    """What implies these assertions."""
    detection = _Detection(ussa, search, solver, budget)
    try:
        return [i for source in weaker for i in detection.implying(source)], detection.questions.counts
    finally:
        detection.questions.close()


class _Detection:
    def __init__(self, ussa: Ussa, search: Search, solver: Solver, budget: Budget) -> None:
        self.search = search
        self.budget = budget
        self.questions = Questions(ussa, solver, search.query_timeout, with_equalities=search.extended)
        self.source = {n: ussa.steps[n].source for n in ussa.assertions()}
        self.copies: dict[Origin, list[int]] = {}
        for n, source in self.source.items():
            self.copies.setdefault(source, []).append(n)
        self.before: dict[int, dict[Origin, list[int]]] = {n: {} for n in self.source}
        self.behind: dict[int, dict[Origin, list[int]]] = {n: {} for n in self.source}
        self._find_dependent(len(ussa.steps))
        self.known: dict[Origin, dict[Origin, None]] = {}  # for an assertion, what implies it, forward

    def _find_dependent(self, steps: int) -> None:
        """Line 2 of Algorithm 1, for the nearest copies."""
        is_assertion = [n in self.source for n in range(steps)]
        for n in self.source:
            for k in dependent_before(n, self.search.threshold, self.questions.variables, is_assertion):
                self.questions.counts.dependent += 1
                for here, there, near in ((n, k, self.before), (k, n, self.behind)):
                    copies = near[here].setdefault(self.source[there], [])
                    if len(copies) < NEAREST:
                        copies.append(there)

    def implying(self, weaker: Origin) -> Iterator[Implication]:
        """What implies an assertion: line 3 of Algorithm 1, and implications by what comes later."""
        first = self.copies[weaker][0]
        known = self.known[weaker] = {}
        for stronger in self._likely_first(first, self.before[first], weaker):
            if self._is_enough(known):
                return
            follows = any(stronger in self.known.get(between, ()) for between in known)
            if follows or self._implies(stronger, weaker, self._before_or_itself):
                known[stronger] = None
                yield Implication(stronger, weaker)
        if not self.search.extended:
            return
        for stronger in self._likely_first(first, self.behind[first], weaker):
            if self._is_enough(known):
                return
            if stronger not in known and self._implies(stronger, weaker, self._anywhere):
                yield Implication(stronger, weaker, forward=False)

    def _is_enough(self, known: Iterable[Origin]) -> bool:
        return self.budget.is_spent or (not self.search.every and any(True for _ in known))

    def _likely_first(self, n: int, near: dict[Origin, list[int]], weaker: Origin) -> list[Origin]:
        """Candidates for what implies a copy: those that are about the same variables, then the nearest."""
        about = set(self.questions.variables[n])

        def shared(source: Origin) -> int:
            return len(about.intersection(self.questions.variables[near[source][0]]))

        others = [source for source in near if source != weaker]
        return sorted(others, key=lambda s: (-shared(s), abs(near[s][0] - n)))

    def _implies(self, stronger: Origin, weaker: Origin, candidates: object) -> bool:
        assert callable(candidates)
        return all(
            any(self.questions.implies(premise, copy) for premise in candidates(stronger, weaker, copy))
            for copy in self.copies[weaker]
        )

    def _before_or_itself(self, stronger: Origin, weaker: Origin, copy: int) -> list[int]:
        near = self.before[copy]
        return [*near.get(stronger, ()), *near.get(weaker, ())]

    def _anywhere(self, stronger: Origin, weaker: Origin, copy: int) -> list[int]:
        return [*self.behind[copy].get(stronger, ()), *self._before_or_itself(stronger, weaker, copy)]
