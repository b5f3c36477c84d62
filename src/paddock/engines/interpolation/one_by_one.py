"""Assertions checked in groups, one after the other, with the summaries that the proofs of those before have left
(assertion-implications paper, §4.2, Example 5).

A group that the summaries so far prove leaves none of its own: no call is looked into. Summaries of a proof that a
bound limits are not used for other groups, nor are those that hold only if the assertions of others do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from paddock.engines.assertions import Findings
from paddock.engines.inlining.search import Exploration, Question, Stated, no_judge, replays
from paddock.engines.interpolation.lasting import Lasting, lasting
from paddock.engines.interpolation.remembering import valid_part
from paddock.engines.interpolation.work import Work
from paddock.engines.judging import judging
from paddock.engines.outcome import Budget, Outcome
from paddock.frozen import frozen, replace
from paddock.ir.build import not_
from paddock.ir.expr import Expr
from paddock.ir.origin import AssertionId
from paddock.ir.program import Axiom, Program
from paddock.ir.summaries import Summary, SummaryOrigin, with_summaries
from paddock.solvers.interface import Solver

MOST_WORK = 20.0  # to find summaries of one proof, in seconds as the solver counts


@frozen
class Step:
    """A group of assertions that was checked: with what outcome, how many instances and queries that took, and what
    lasts of the proof, if it is one that needs summaries and they were found. `new` are those that were not known
    before."""

    group: tuple[AssertionId, ...]
    outcome: Outcome
    instances: int
    queries: int
    found: Lasting | None
    new: Mapping[str, tuple[Expr, ...]]


class Searches:
    """Searches for one group of assertions after the other. What is `known` of procedures holds whichever assertions
    are looked for."""

    def __init__(
        self,
        original: Program,
        asked: Stated,
        question: Question,
        solver: Solver,
        budget: Budget,
        for_proofs: bool = False,
    ) -> None:
        self._for_proofs = for_proofs  # what shows an error is none of the original
        self._original = original
        self._asked = asked
        self._question = question
        self._solver = solver
        self._budget = budget
        self.known: dict[str, dict[Expr, None]] = {}

    def step(self, group: Sequence[AssertionId], reuse: bool = True) -> Step:
        """Check a group, with what is known and for others to know more, or not. The solver is only used to make
        others."""
        program = _asking_for(self._asked, group)
        with self._solver.another() as own:
            replayed = judging(replays(self._original, self._question, Findings()), own, self._budget)
            judge = no_judge if self._for_proofs else replayed
            stated = replace(self._asked, program=with_summaries(program, self._summaries()), switches={})
            exploration = Exploration(self._original, self._question, stated, own, self._budget, Findings(), judge)
            outcome = exploration.run()
            proof = exploration.proof(outcome) if reuse else None
            found = None if proof is None else lasting(proof, self._solver, Work(self._budget, MOST_WORK))
        new: dict[str, tuple[Expr, ...]] = {}
        for name, conditions in found.certificate.ensures.items() if found is not None else ():
            fresh = tuple(c for c in conditions if c not in self.known.get(name, {}))
            if fresh:
                new[name] = fresh
        if found is not None and found.bound is None and new:
            self._learn(new, found.certificate.inlined)
        statistics = exploration.statistics
        return Step(tuple(group), outcome, statistics.instances, statistics.queries, found, new)

    def _summaries(self) -> list[Summary]:
        return [Summary(name, tuple(c), SummaryOrigin.INTERPOLANT) for name, c in self.known.items()]

    def _learn(self, new: Mapping[str, tuple[Expr, ...]], inlined: Collection[str]) -> None:
        """Know those of some conditions that do not depend on which assertions are looked for."""
        program = with_summaries(self._asked.program, self._summaries())
        for name, conditions in valid_part(program, new, inlined, self._solver, self._budget).items():
            if conditions:
                self.known.setdefault(name, {}).update(dict.fromkeys(conditions))


def one_by_one(
    original: Program,
    asked: Stated,
    question: Question,
    groups: Sequence[Sequence[AssertionId]],
    solver: Solver,
    budget: Budget,
    *,
    reuse: bool = True,
) -> Iterator[Step]:
    """The steps of checking groups of the assertions that a question is about, each in a search of its own, with the
    summaries of those before unless they are not to be used again. The solver is only used to make others."""
    searches = Searches(original, asked, question, solver, budget)
    return (searches.step(group, reuse) for group in groups)


def _asking_for(asked: Stated, group: Sequence[AssertionId]) -> Program:
    """The program in which only some assertions can fail, and executions end where others would."""
    off = [switch for source, switch in asked.switches.items() if source not in group]
    axioms = tuple(Axiom(not_(switch)) for switch in off)
    return replace(asked.program, axioms=(*asked.program.axioms, *axioms))
