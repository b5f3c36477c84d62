"""A search that remembers: summaries of earlier proofs come first, and those of a new proof are kept.

What is recalled may be of another version of the program, or of no program at all. If it proves the program as it is
now, one body at a time, that is the verdict. Otherwise what of it holds, as Houdini finds out, are summaries of open
calls in the search: the procedures that changed, and what depends on them, are looked into again (eVolCheck).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from typing import Protocol

from paddock.engines.assertions import Findings
from paddock.engines.houdini.fixpoint import fixpoint
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.proof import Proof
from paddock.engines.inlining.search import Exploration, Question, Stated, replays, stated
from paddock.engines.interpolation.certificate import Certificate, Conditions, certified
from paddock.engines.interpolation.lasting import Lasting, lasting
from paddock.engines.interpolation.lemmas import Lemmas, known_part
from paddock.engines.interpolation.looked_into import LookedInto, hash_of
from paddock.engines.interpolation.unrolling import Unrolled, unrolled
from paddock.engines.interpolation.work import Work
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

# The work to look for summaries of a proof, as the solver counts seconds, and by how often more than for the search.
LEAST, TIMES = 20.0, 4.0
GUIDED = 30.0  # the effort of a search within a bound, by summaries of an earlier proof, before another one


MOST_NAMED = 8  # procedures in a note


def named(names: Sequence[str]) -> str:
    """Words for summaries of some procedures."""
    shown = ", ".join(names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"summaries of {shown}{more}" if names else "no summaries"


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

    def remember(self, found: Lasting | None, outcome: Outcome) -> None:
        """Keep what lasts of a proof with this outcome, or that nothing was found."""
        ...

    def is_hopeless(self) -> bool:
        """Whether nothing was found that lasts of an earlier proof."""
        ...

    def used(self, program: Program, certificate: Certificate, is_recalled: bool) -> None:
        """Note which summaries the proof of a program uses."""
        ...

    def looked_into(self) -> LookedInto | None:
        """What the proof has looked into that was found for this question, if it is one to be believed."""
        ...

    def keep_looked_into(self, found: LookedInto) -> None:
        """Keep what a proof has looked into."""
        ...

    def note(self, words: str) -> None:
        """Tell the user."""
        ...


def remembering_search(
    original: Program,
    prepared: Program,
    question: Question,
    solver: Solver,
    budget: Budget,
    findings: Findings,
    memory: Memory,
    most_work: float | None,
) -> tuple[Outcome, Statistics]:
    """The answer to a question about a prepared program, as `search` gives it; new summaries may take so much work."""
    asked = stated(original, prepared, question, solver, budget)
    task = _Task(original, question, asked, solver, budget, findings)
    program = _without(asked, findings)
    bounds = Bounds(asked.program, question.recursion_bound, question.loop_bound, question.constant_loops)
    old = _recalled(program, bounds, question, memory)
    if old is None:
        if (known := _unaffected(program, question, memory)) is not None:
            return known, Statistics(completed=known.bound)
        done = task.search(asked.program, speculates=memory.is_hopeless())
        _keep_looked_into(done, task, memory)
        _keep(done, task, memory, most_work)
        return done.outcome, done.statistics
    found = _proved(old, solver, budget, memory)
    kept: Mapping[str, Sequence[Expr]] = {}
    if found is None:
        kept = valid_part(old.program, old.summaries.ensures, old.summaries.inlined, solver, budget, memory)
        if old.is_bounded:
            valid = Recalled({name: tuple(c) for name, c in kept.items()}, old.summaries.inlined)
            found = _proved(replace(old, summaries=valid), solver, budget, memory)
    if found is not None:
        memory.used(old.program, found, True)
        return old.outcome(), Statistics(completed=old.outcome().bound)
    if (known := _unaffected(program, question, memory)) is not None:
        return known, Statistics(completed=known.bound)
    kept_summaries = [Summary(name, tuple(c), SummaryOrigin.STORE) for name, c in kept.items() if c]
    if kept_summaries:
        names = [summary.procedure for summary in kept_summaries]
        memory.note(f"from the store, checked again, and used in the search: {named(names)}")
    done = task.guided(old, kept_summaries)
    _keep(done, task, memory, most_work)
    return done.outcome, done.statistics


@frozen
class _Old:
    """Summaries of an earlier proof for a program as it is now: for all executions or, if it `is_bounded`, for the
    program within its last bound, which cuts off calls of these procedures."""

    program: Program
    summaries: Recalled
    is_bounded: bool
    bound: int
    cut: tuple[str, ...] = ()

    def outcome(self) -> Outcome:
        """What is known if the summaries prove the program."""
        if self.is_bounded and self.cut:
            return Outcome(Verdict.BOUNDED, self.bound, cut=self.cut)
        return Outcome(Verdict.PROVED, self.summaries.completed)


def _recalled(program: Program, bounds: Bounds, question: Question, memory: Memory) -> _Old | None:
    """What there is for a program, if anything."""
    if memory.bound() is None:
        summaries = memory.recall(program)
        return None if summaries is None else _Old(program, summaries, False, bounds.last)
    whole = None if question.all_assertions else unrolled(program, bounds, bounds.last)
    summaries = None if whole is None else memory.recall(whole.program)
    if whole is None or summaries is None:
        return None
    if memory.bound() != bounds.last:
        summaries = replace(summaries, ensures=_of_all_copies(whole, summaries.ensures))
    cut = tuple(name for name in summaries.cut if name in whole.cut) or tuple(sorted(whole.cut))
    return _Old(whole.program, summaries, True, bounds.last, cut)


def _of_all_copies(whole: Unrolled, ensures: Mapping[str, tuple[Expr, ...]]) -> dict[str, tuple[Expr, ...]]:
    """What is said of some copies of a procedure, said of all of them: at another bound, others matter."""
    said: dict[str, dict[Expr, None]] = {}
    for name, conditions in ensures.items():
        said.setdefault(whole.copied[name], {}).update(dict.fromkeys(conditions))
    return {name: tuple(said[of]) for name, of in whole.copied.items() if of in said}


@frozen
class _Done:
    """A search that is over, what it took, and what it leaves behind, if it is a proof; that is a proof within the
    bound if what was searched was the program within it."""

    outcome: Outcome
    statistics: Statistics
    proof: Proof | None
    effort: float
    within: int | None = None


@frozen
class _Task:
    """What is to be searched."""

    original: Program
    question: Question
    asked: Stated
    solver: Solver
    budget: Budget
    findings: Findings

    def search(self, program: Program, speculates: bool = False, effort: float | None = None) -> _Done:
        """The search of a program in the place of the one that was asked for: with summaries, or within a bound."""
        budget = self.budget if effort is None else replace(self.budget, effort=effort)
        asked, question = replace(self.asked, program=program), replace(self.question, speculates=speculates)
        with ExitStack() as others:
            # What is tried leaves nothing in the solver.
            solver = self.solver if effort is None else others.enter_context(self.solver.another(effort=effort))
            judge = judging(replays(self.original, question, self.findings), solver, budget)
            before = solver.effort()
            exploration = Exploration(self.original, question, asked, solver, budget, self.findings, judge)
            outcome = exploration.run()
            proof = exploration.proof(outcome)
            return _Done(outcome, exploration.statistics, proof, solver.effort() - before)

    def guided(self, old: _Old, kept: Sequence[Summary]) -> _Done:
        """The search of a program with those summaries of an earlier proof that hold. What is known within a bound is
        tried on the program within that bound."""
        if not old.is_bounded:
            return self.search(with_summaries(self.asked.program, kept), speculates=True)
        done = self.search(with_summaries(old.program, kept), speculates=True, effort=GUIDED)
        if done.outcome.verdict is Verdict.UNKNOWN:
            return self.search(self.asked.program, speculates=True)
        if done.outcome.verdict is not Verdict.PROVED:
            return done
        return replace(done, outcome=old.outcome(), within=old.bound)


def _unaffected(program: Program, question: Question, memory: Memory) -> Outcome | None:
    """The outcome of an earlier proof, if nothing has changed of what that has looked into."""
    found = None if question.all_assertions else memory.looked_into()
    if found is None or hash_of(program, found.procedures) != found.hash:
        return None
    count = len(found.procedures)
    memory.note(f"from the store: the proof has looked into {count} procedures, none of which has changed")
    return found.outcome


def _keep_looked_into(done: _Done, task: _Task, memory: Memory) -> None:
    """Keep what a proof from nothing has looked into."""
    if done.proof is None or task.question.all_assertions or task.findings.known():
        return
    names = tuple(sorted({node.shape.procedure for node in done.proof.graph.nodes}))
    if (hash_ := hash_of(task.asked.program, names)) is not None:
        memory.keep_looked_into(LookedInto(names, hash_, done.outcome))


def _keep(done: _Done, task: _Task, memory: Memory, most_work: float | None) -> None:
    """Keep what lasts of a proof. To look for it takes not much more work than the search, and half of the time that is
    left."""
    proof = done.proof
    if proof is None or (task.question.all_assertions and proof.is_bounded) or memory.is_hopeless():
        return
    proof = replace(proof, program=_without(replace(task.asked, program=proof.program), task.findings))
    left = task.budget.remaining()
    most = LEAST + TIMES * done.effort
    work = Work(Budget(None if left is None else left / 2), most if most_work is None else min(most, most_work))
    found = lasting(proof, task.solver, work, memory)
    if found is not None and done.within is not None:
        found = replace(found, bound=done.within)
    memory.remember(found, done.outcome)
    if found is not None:
        memory.used(found.program, found.certificate, False)


def _without(asked: Stated, findings: Findings) -> Program:
    """The program in which what is known of single assertions is not asked again."""
    off = [asked.switches[source] for source in findings.known() if source in asked.switches]
    axioms = tuple(Axiom(not_(switch)) for switch in off)
    return replace(asked.program, axioms=(*asked.program.axioms, *axioms)) if off else asked.program


def _proved(old: _Old, solver: Solver, budget: Budget, lemmas: Lemmas) -> Certificate | None:
    inlined = inlinable(old.program, old.summaries.inlined)
    return certified(old.program, old.summaries.ensures, inlined, solver, Work(budget), lemmas=lemmas)


def inlinable(program: Program, names: Collection[str]) -> frozenset[str]:
    """Those of some procedures that can be inlined."""
    recursive = CallGraph(program).recursive
    with_body = {p.name for p in program.procedures if p.implementations}
    return frozenset(name for name in names if name in with_body and name not in recursive)


def valid_part(
    program: Program,
    ensures: Conditions,
    inlined: Collection[str],
    solver: Solver,
    budget: Budget,
    lemmas: Lemmas | None = None,
) -> dict[str, list[Expr]]:
    """Those of some summaries that hold: the most of them that bodies imply if the others hold of their callees. Of
    what is known by lemmas alone, nothing is asked."""
    inlined = inlinable(program, inlined)
    sure = {} if lemmas is None else known_part(program, ensures, inlined, lemmas)
    summarised = with_summaries(program, (Summary(n, tuple(c), SummaryOrigin.STORE) for n, c in sure.items()))
    new = NewCandidates(summarised)
    for name, conditions in ensures.items():
        procedure = summarised.procedure_named[name]
        for condition in conditions:
            if condition not in sure.get(name, ()):
                new.ensure(procedure, condition, procedure.origin, unless_failed=False)
    offered = new.program()
    known = guards(offered).keys() - guards(program).keys()
    kept = set(fixpoint(offered, solver, budget, inlined).kept) & known
    return {name: [*sure.get(name, ()), *_kept(offered, name, kept)] for name in ensures}


def _kept(offered: Program, name: str, kept: Collection[object]) -> list[Expr]:
    found: Sequence[Expr] = [clause.condition for clause in offered.procedure_named[name].ensures]
    by_guard = [(guard_of(condition, kept), condition) for condition in found]  # type: ignore[arg-type]
    return [unguarded(condition, guard) for guard, condition in by_guard if guard is not None]
