"""A search that remembers: summaries of earlier proofs come first, and those of a new proof are kept.

What is recalled may be of another version of the program, or of no program at all. If it proves the program as it is
now, one body at a time, that is the verdict. Otherwise what of it holds, as Houdini finds out, are summaries of open
calls in the search: the procedures that changed, and what depends on them, are looked into again (eVolCheck).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from paddock.engines.assertions import Findings
from paddock.engines.houdini.fixpoint import fixpoint
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.search import Exploration, Question, Stated, replays, stated
from paddock.engines.interpolation.certificate import Certificate, Conditions, certified
from paddock.engines.interpolation.lasting import Lasting, lasting
from paddock.engines.interpolation.lemmas import Lemmas
from paddock.engines.interpolation.unrolling import unrolled
from paddock.engines.judging import judging
from paddock.engines.outcome import Budget, Outcome, Statistics
from paddock.frozen import frozen, replace
from paddock.ir.build import not_
from paddock.ir.callgraph import CallGraph
from paddock.ir.expr import Expr
from paddock.ir.program import Axiom, Program
from paddock.ir.summaries import Summary, SummaryOrigin, with_summaries
from paddock.passes.candidates import NewCandidates, guard_of, guards, unguarded
from paddock.solvers.interface import Solver
from paddock.verdict import Verdict

# The time to look for summaries of a proof, in seconds and by how often longer than the search.
LEAST_S, TIMES = 5.0, 3.0


@frozen
class Recalled:
    """Summaries that a store has for a program: not known to hold. `completed` and `cut` are what the verdict was."""

    ensures: Mapping[str, tuple[Expr, ...]]
    inlined: frozenset[str]
    completed: int | None = None
    cut: tuple[str, ...] = ()


class Memory(Lemmas, Protocol):
    """What is kept from run to run."""

    def bound(self) -> int | None:
        """The bound that limits the summaries that there are, if any does."""
        ...

    def recall(self, program: Program) -> Recalled | None:
        """The summaries that there are, as far as they make sense for a program."""
        ...

    def remember(self, found: Lasting, outcome: Outcome) -> None:
        """Keep what lasts of a proof with this outcome."""
        ...

    def used(self, program: Program, certificate: Certificate, is_recalled: bool) -> None:
        """Note which summaries the proof of a program uses."""
        ...


def remembering_search(
    original: Program,
    prepared: Program,
    question: Question,
    solver: Solver,
    budget: Budget,
    findings: Findings,
    memory: Memory,
    deriving_s: float | None,
) -> tuple[Outcome, Statistics]:
    """The answer to a question about a prepared program, as `search` gives it; new summaries get so much time."""
    asked = stated(original, prepared, question, solver, budget)
    bounds = Bounds(asked.program, question.recursion_bound, question.loop_bound, question.constant_loops)
    program = _without(asked, findings)
    recalled = _answered(program, bounds, question, solver, budget, memory)
    if recalled is not None:
        return recalled, Statistics(completed=recalled.bound)
    if memory.bound() is None and (old := memory.recall(program)) is not None:
        kept = valid_part(program, old.ensures, old.inlined, solver, budget)
        kept_summaries = [Summary(name, tuple(c), SummaryOrigin.STORE) for name, c in kept.items()]
        asked = replace(asked, program=with_summaries(asked.program, kept_summaries))
    judge = judging(replays(original, question, findings), solver, budget)
    exploration = Exploration(original, question, asked, solver, budget, findings, judge)
    started = time.monotonic()
    outcome = exploration.run()
    took = time.monotonic() - started
    proof = exploration.proof(outcome)
    if proof is not None and not (question.all_assertions and proof.is_bounded):
        proof = replace(proof, program=_without(replace(asked, program=proof.program), findings))
        found = lasting(proof, solver, _time_for(budget, took, deriving_s), memory)
        if found is not None:
            memory.remember(found, outcome)
            memory.used(found.program, found.certificate, False)
    return outcome, exploration.statistics


def _time_for(budget: Budget, took: float, deriving_s: float | None) -> Budget:
    """The time to look for summaries: not much more than the search took, and half of what is left."""
    left = budget.remaining()
    limits = [deriving_s, LEAST_S + TIMES * took, None if left is None else left / 2]
    return Budget(min((seconds for seconds in limits if seconds is not None), default=None))


def _without(asked: Stated, findings: Findings) -> Program:
    """The program in which what is known of single assertions is not asked again."""
    off = [asked.switches[source] for source in findings.known() if source in asked.switches]
    axioms = tuple(Axiom(not_(switch)) for switch in off)
    return replace(asked.program, axioms=(*asked.program.axioms, *axioms)) if off else asked.program


def _answered(
    program: Program, bounds: Bounds, question: Question, solver: Solver, budget: Budget, memory: Memory
) -> Outcome | None:
    """The answer that what is recalled proves, if it proves one."""
    bound = memory.bound()
    if bound is None:
        recalled = memory.recall(program)
        found = None if recalled is None else _proved(program, recalled, solver, budget, memory)
        if recalled is None or found is None:
            return None
        memory.used(program, found, True)
        return Outcome(Verdict.PROVED, recalled.completed)
    if bound != bounds.last or question.all_assertions:
        return None
    whole = unrolled(program, bounds, bound)
    recalled = None if whole is None else memory.recall(whole.program)
    if whole is None or recalled is None or not whole.cut:
        return None
    found = _proved(whole.program, recalled, solver, budget, memory)
    if found is None:
        kept = valid_part(whole.program, recalled.ensures, recalled.inlined, solver, budget)
        valid = Recalled({name: tuple(c) for name, c in kept.items()}, recalled.inlined)
        found = _proved(whole.program, valid, solver, budget, memory)
    if found is None:
        return None
    memory.used(whole.program, found, True)
    cut = tuple(name for name in recalled.cut if name in whole.cut) or tuple(sorted(whole.cut))
    return Outcome(Verdict.BOUNDED, bound, cut=cut)


def _proved(program: Program, recalled: Recalled, solver: Solver, budget: Budget, lemmas: Lemmas) -> Certificate | None:
    inlined = inlinable(program, recalled.inlined)
    return certified(program, recalled.ensures, inlined, solver.another, budget, lemmas=lemmas)


def inlinable(program: Program, names: Collection[str]) -> frozenset[str]:
    """Those of some procedures that can be inlined."""
    recursive = CallGraph(program).recursive
    with_body = {p.name for p in program.procedures if p.implementations}
    return frozenset(name for name in names if name in with_body and name not in recursive)


def valid_part(
    program: Program, ensures: Conditions, inlined: Collection[str], solver: Solver, budget: Budget
) -> dict[str, list[Expr]]:
    """Those of some summaries that hold: the most of them that bodies imply if the others hold of their callees."""
    new = NewCandidates(program)
    for name, conditions in ensures.items():
        procedure = program.procedure_named[name]
        for condition in conditions:
            new.ensure(procedure, condition, procedure.origin, unless_failed=False)
    offered = new.program()
    known = guards(offered).keys() - guards(program).keys()
    kept = set(fixpoint(offered, solver, budget, inlinable(program, inlined)).kept) & known
    return {name: _kept(offered, name, kept) for name in ensures}


def _kept(offered: Program, name: str, kept: Collection[object]) -> list[Expr]:
    found: Sequence[Expr] = [clause.condition for clause in offered.procedure_named[name].ensures]
    by_guard = [(guard_of(condition, kept), condition) for condition in found]  # type: ignore[arg-type]
    return [unguarded(condition, guard) for guard, condition in by_guard if guard is not None]
