"""Assertions checked in groups, one after the other, with the summaries that the proofs of those before have left
(assertion-implications paper, §4.2, Example 5).

A group that the summaries so far prove leaves none of its own: no call is looked into. Summaries of a proof that a
bound limits are not used for other groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from paddock.engines.assertions import Findings
from paddock.engines.inlining.search import Exploration, Question, Stated, replays
from paddock.engines.interpolation.lasting import Lasting, lasting
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


@frozen
class Step:
    """A group of assertions that was checked: with what outcome, how many instances that took, and what lasts of the
    proof, if it is one that needs summaries and they were found. `new` are those that were not known before."""

    group: tuple[AssertionId, ...]
    outcome: Outcome
    instances: int
    found: Lasting | None
    new: Mapping[str, tuple[Expr, ...]]


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
    known: dict[str, dict[Expr, None]] = {}
    for group in groups:
        program = _asking_for(asked, group)
        summaries_so_far = (Summary(name, tuple(c), SummaryOrigin.INTERPOLANT) for name, c in known.items())
        with solver.another() as own:
            judge = judging(replays(original, question, Findings()), own, budget)
            stated = replace(asked, program=with_summaries(program, summaries_so_far), switches={})
            exploration = Exploration(original, question, stated, own, budget, Findings(), judge)
            outcome = exploration.run()
            proof = exploration.proof(outcome) if reuse else None
            found = None if proof is None else lasting(proof, solver, Work(budget))
        new: dict[str, tuple[Expr, ...]] = {}
        for name, conditions in found.certificate.ensures.items() if found is not None else ():
            fresh = tuple(c for c in conditions if c not in known.get(name, {}))
            if fresh:
                new[name] = fresh
            if found is not None and found.bound is None:
                known.setdefault(name, {}).update(dict.fromkeys(fresh))
        yield Step(tuple(group), outcome, exploration.statistics.instances, found, new)


def _asking_for(asked: Stated, group: Sequence[AssertionId]) -> Program:
    """The program in which only some assertions can fail, and executions end where others would."""
    off = [switch for source, switch in asked.switches.items() if source not in group]
    axioms = tuple(Axiom(not_(switch)) for switch in off)
    return replace(asked.program, axioms=(*asked.program.axioms, *axioms))
