"""The search of a check: an engine, or with `--engine auto` one after the other until the verdict is known.

Where it suits the language of a program (C), the whole program is executed symbolically first. If that gives out, DAG
inlining looks for the rest; if it is a bound that was in the way of a proof, induction over iterations of loops, a run
of the program, if it has just one execution, and DAG inlining try to find out what is left for every bound, with little
effort. Where a single iteration of each loop takes many steps, DAG inlining tries so before larger bounds are searched,
with very little effort. What is known of single assertions by then is not looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from paddock.driver.announce import Announcer
from paddock.driver.judging import Judge
from paddock.driver.plan import CheckPlan, has_assertion
from paddock.driver.strategies import FIRST_ALLOWANCE, PLAIN, SYMBOLIC, is_free, takes_turns, turns
from paddock.driver.threads import contexts_bound
from paddock.engines.assertions import Assertion, Findings, violated
from paddock.engines.inlining.search import Question, search
from paddock.engines.inlining.trial import only_execution, tried
from paddock.engines.outcome import Budget, Covered, Outcome, Statistics, work_of
from paddock.frontends import language_of
from paddock.frontends.source import Source
from paddock.frozen import field, frozen, mutable, replace
from paddock.ir.program import Program
from paddock.ir.rewriting import declared_in
from paddock.ir.types import Float
from paddock.options import Options
from paddock.report.events import Emit
from paddock.report.result import Result, Verdict
from paddock.solvers.factory import open_solver, suited
from paddock.solvers.interface import (
    EFFORT_LIMIT,
    INTERRUPTED,
    MEMORY_LIMIT,
    TIME_LIMIT,
    Solver,
    SolverFailure,
    Unsupported,
)
from paddock.trace.run import Failed
from paddock.workers.limits import TimeLimit, resident_mb

if TYPE_CHECKING:
    from paddock.driver.remembering import StoredMemory

# What ends a check without a verdict, and what it says then.
GAVE_OUT = (KeyboardInterrupt, MemoryError, TimeLimit, SolverFailure)
_STOPPED = (INTERRUPTED, MEMORY_LIMIT, TIME_LIMIT)

_FIRST_SHARE = 0.6  # of the time limit, for the first of two engines
_FIRST_EFFORT = 600.0  # seconds for a query, as the solver counts them, where another engine can be tried
_PROOF_EFFORT = 4.0
_LEAST_PROOF_EFFORT = 3.0  # all together; or as much as the search took
_EARLY_EFFORT = 0.5
_MANY_VISITS = 500  # of blocks, within the first bound
_MORE_VISITS = 10_000  # of blocks, in loops that a bound was to cut off
_SHORT_RUN = 0.1  # of what the only execution may take, before proofs are tried
_INDUCTION_SHARE = 0.25  # of the time that is left, for each depth
_PROOF_BOUND = 2  # a proof for every bound is found within a small one, or not at all


@frozen
class Attempt:
    """A search with one engine: the options that say which, the program prepared for it, the question, the share of the
    time limit that it may use up, the effort that it may spend on a query, and on all together. `strategy` is what this
    way to search is called, where there are several. What an `is_extra` one proves within a bound is not the verdict:
    it is about every bound, or nothing."""

    options: Options
    prepared: Program
    question: Question
    share: float = 1.0
    effort: float | None = None
    allowance: float | None = None
    strategy: str = ""
    is_extra: bool = False


@frozen
class Tried:
    """What an attempt gave, what it took, and a function for the result that it means with all that is known."""

    attempt: Attempt
    outcome: Outcome
    statistics: Statistics
    result: Callable[[], Result]


def schedule(given: Program, options: Options) -> Options | None:
    """The options of the engine to try before that of the options, if there is one: where the choice is left to us."""
    return options.changed(engine="symbolic") if is_free(options) and language_of(given).computes else None


def first_of_two(options: Options, prepared: Program, question: Question) -> Attempt:
    """An attempt that another may follow."""
    return Attempt(options, prepared, question, _FIRST_SHARE, _FIRST_EFFORT, strategy=SYMBOLIC)


def first_turn(options: Options, prepared: Program, question: Question) -> Attempt:
    """A plain search, which takes turns with others where the choice is left to us."""
    allowance = FIRST_ALLOWANCE if takes_turns(prepared, options) else None
    strategy = PLAIN if is_free(options) else ""
    return Attempt(options, prepared, question, effort=allowance, allowance=allowance, strategy=strategy)


def proving(options: Options) -> Options:
    """The options of an attempt to prove for every bound what holds within one."""
    bound = min(_PROOF_BOUND, options.bounds.recursion_bound)
    unwind = options.bounds.unwind
    return options.changed(recursion_bound=bound, unwind=None if unwind is None else min(unwind, bound))


@mutable
class Searcher:
    """Searches a program, of which some is known at the `start`, by one attempt or several."""

    original: Program
    start: Result
    assertions: Sequence[Assertion]
    sources: Sequence[Source]
    budget: Budget
    emit: Emit
    findings: Findings = field(default_factory=Findings)
    remembers: Callable[[Options], StoredMemory] | None = None  # what a store has for an attempt with these options
    _announcer: Announcer | None = None
    # The last one that summaries in the store prove, and the question that this comes down to.
    _summarised: tuple[Outcome, str] | None = None

    def result(self, first: Attempt, prepare: Callable[[Options], Attempt]) -> Result:
        """The result with the verdict on the program and on its assertions, and with traces of bugs on the original.
        Each bug and each proof is emitted as soon as it is found. `prepare` makes further attempts."""
        if self.start.goal == "assertion" and not has_assertion(first.prepared):
            reason = f"there is no assertion in what {self.start.entry} reaches"
            return replace(self.start, verdict=Verdict.PROVED, reason=reason)
        replayed = self._replayed(first)
        if replayed is None and (known := self._unchanged(first)) is not None:
            return self._kept(first, known)
        done = self._searched(first, prepare, replayed)
        if self.remembers is None or replayed is not None:
            return done.result()
        if self._summarised is not None and self._summarised[0] is done.outcome:
            return self._kept(first, done.result(), self._summarised[1])
        memory, engine = self.remembers(first.options).unchanged, done.attempt.options.search_engine.name
        if all(name in first.prepared.procedure_named for name in done.outcome.cut):
            memory.keep_answer(self.original, self.assertions, engine, done.outcome)
        return self._kept(first, done.result())

    def _searched(self, first: Attempt, prepare: Callable[[Options], Attempt], replayed: Outcome | None) -> Tried:
        """The attempt that decides, and what it gave."""
        done = self._searched_early(first, prepare) if replayed is None else None
        if done is not None and done.outcome.verdict in (Verdict.PROVED, Verdict.BUG):
            return done
        done = done or self._tried(first, replayed)
        if replayed is None and first.allowance is not None:
            return self._by_turns(first, prepare, done)
        if replayed is not None or not first.options.search_engine.unwinds or first.share == 1.0:
            return done
        if done.outcome.verdict is Verdict.UNKNOWN:
            return self._tried(replace(prepare(first.options.changed(engine="auto")), strategy=PLAIN))
        if done.outcome.verdict is not Verdict.BOUNDED or contexts_bound(self.original, first.options) is not None:
            return done
        decided = set(self.findings.known())
        if first.question.all_assertions and all(a.source in decided for a in self.assertions):
            return done
        if (known := self._run_to_its_end(first, _SHORT_RUN)) is not None:
            return self._tried(first, known)
        allowance = max(_LEAST_PROOF_EFFORT, work_of(done.statistics))
        completed = self._with_constant_loops(replace(first, allowance=allowance))
        if completed is not None and completed.outcome.verdict in (Verdict.PROVED, Verdict.BUG):
            return completed
        if (proved := self._proved_by_induction(first, done)) is not None:
            return proved
        if (known := self._run_to_its_end(first)) is not None:
            return self._tried(first, known)
        if _has_floats(first.prepared):
            return done  # Z3 takes long for them, and does not count it
        proof = replace(prepare(proving(first.options.changed(engine="auto"))), strategy=PLAIN)
        last = self._tried(replace(proof, effort=_PROOF_EFFORT, allowance=allowance, is_extra=True))
        return last if last.outcome.verdict is Verdict.PROVED else done

    def _searched_early(self, first: Attempt, prepare: Callable[[Options], Attempt]) -> Tried | None:
        """What a search within the first bound gives, if that is all there is to find, or a proof for every bound."""
        question, options = first.question, first.options
        is_plain = question.goal == "assertion" and not question.all_assertions and not question.explains
        if not is_plain or first.share == 1.0 or not options.search_engine.unwinds or self.remembers is not None:
            return None
        if min(question.recursion_bound, question.loop_bound) < 2 or contexts_bound(self.original, options) is not None:
            return None
        done = self._tried(replace(first, question=replace(question, recursion_bound=1, loop_bound=1)))
        if done.outcome.verdict is not Verdict.BOUNDED:
            return done
        if done.statistics.executed.visits < _MANY_VISITS or options.bounds.unwinding_assertions:
            return None
        proof = prepare(proving(options.changed(engine="auto", recursion_bound=1)))
        last = self._tried(replace(proof, strategy=PLAIN, effort=_EARLY_EFFORT, allowance=_EARLY_EFFORT, is_extra=True))
        return last if last.outcome.verdict is Verdict.PROVED else None

    def _by_turns(self, first: Attempt, prepare: Callable[[Options], Attempt], done: Tried) -> Tried:
        """What the plain search and others find that take turns, as long as it is only the effort that gives out. What
        others than the plain search do not know, they need not know."""
        for turn in turns():
            reason, is_plain = done.outcome.reason, done.attempt.strategy == PLAIN
            is_over = reason in _STOPPED or (is_plain and reason != EFFORT_LIMIT)
            if done.outcome.verdict is not Verdict.UNKNOWN or is_over:
                break
            next_one = prepare(first.options.changed(**turn.changes))
            done = self._tried(replace(next_one, strategy=turn.name, effort=turn.allowance, allowance=turn.allowance))
        return done

    def _kept(self, first: Attempt, result: Result, question: str | None = None) -> Result:
        """A result that the store has from now on for these texts."""
        if self.remembers is not None:
            asked = first.options if first.share == 1.0 else first.options.changed(engine=Options().search.engine)
            self.remembers(asked).unchanged.keep_result(self.sources, replace(result, notes=self.start.notes), question)
        return result

    def _unchanged(self, first: Attempt) -> Result | None:
        """The result that the store has for this very program."""
        kept = (
            None
            if self.remembers is None
            else self.remembers(first.options).unchanged.answer(self.original, self.assertions)
        )
        if kept is None:
            return None
        self.findings.proved |= dict.fromkeys(kept.proved)
        options = first.options.changed(engine=kept.engine)
        return self._tried(replace(first, options=options), kept.outcome).result()

    def _run_to_its_end(self, attempt: Attempt, share: float = 1.0) -> Outcome | None:
        """What the only execution of a program gives that leaves nothing open, however often its loops run."""
        if attempt.options.bounds.unwinding_assertions or attempt.question.independent:
            return None
        recorded = None if attempt.question.all_assertions else self.findings
        return only_execution(self.original, attempt.question.goal, findings=recorded, share=share)

    def _with_constant_loops(self, attempt: Attempt) -> Tried | None:
        """What is known if loops that end by themselves do, though the bound that was asked for has cut them off."""
        bounds, question = attempt.options.bounds, attempt.question
        if not bounds.constant_loops or question.constant_loops or bounds.unwinding_assertions:
            return None
        further = replace(question, constant_loops=True, visits=_MORE_VISITS)
        return self._tried(replace(attempt, question=further, effort=_PROOF_EFFORT, is_extra=True))

    def _proved_by_induction(self, attempt: Attempt, before: Tried) -> Tried | None:
        """What is known if it is seen by induction that loops that were cut off never fail."""
        from paddock.engines.symbolic.inductive import ATTEMPTS, EFFORT, InductiveProofs

        options, question, outcome = attempt.options, attempt.question, before.outcome
        others = question.goal != "assertion" or question.independent or options.bounds.unwinding_assertions
        if outcome.cut or self.findings.bugs or others:
            return None
        bounds = question.recursion_bound, question.loop_bound
        proofs = InductiveProofs(attempt.prepared, outcome.cut_loops, *bounds, before.statistics)
        for proof in filter(proofs.is_worth, ATTEMPTS):
            budget = replace(self.budget.share(_INDUCTION_SHARE), report=self.budget.report)
            for solver, _ in _solvers(options, EFFORT):
                with solver:
                    try:
                        if not proofs.proved_by(proof, solver, budget):
                            break
                    except Unsupported:
                        continue
                    except SolverFailure:
                        break  # what is known already stays known
                reason = f"by induction over {proof.depth} iteration{'s'[: proof.depth > 1]} of loops"
                proofs.statistics.add(before.statistics)
                self.findings.invariants = proofs.invariants
                return self._tried(attempt, Outcome(Verdict.PROVED, outcome.bound, reason), proofs.statistics)
        return None

    def _replayed(self, attempt: Attempt) -> Outcome | None:
        """The bug that a run from the store shows. If all assertions are to be looked at, it is just one of them."""
        if self.remembers is None or attempt.question.independent:
            return None
        runs = self.remembers(attempt.options).bugs(self.original, attempt.question.goal)
        for run in runs:
            if isinstance(run.outcome, Failed):
                self.findings.bugs[violated(self.original, run.outcome)] = run
        if not runs or attempt.question.all_assertions:
            return None
        return Outcome(Verdict.BUG, run=runs[0])

    def _remember_bugs(self, attempt: Attempt, outcome: Outcome) -> None:
        """Keep the runs that violate assertions."""
        if self.remembers is None or attempt.question.independent:
            return
        runs = {id(run): run for run in (*self.findings.bugs.values(), outcome.run) if run is not None}
        self.remembers(attempt.options).remember_bugs(self.original, attempt.question.goal, runs.values())

    def _tried(self, attempt: Attempt, given: Outcome | None = None, counts: Statistics | None = None) -> Tried:
        """What one attempt gives, if it is not given, and the result that this means together with all that is known by
        then."""
        options, question = attempt.options, attempt.question
        start = replace(self.start, engine=options.search_engine.name, strategy=attempt.strategy)
        prepared = attempt.prepared if given else CheckPlan(options).lifting(start.goal)(attempt.prepared)
        judge = Judge(self.original, prepared, start, self.assertions, self.sources, options, self.findings)
        announcer = self._announcer = self._announcer or Announcer(options, self.emit)
        announcer.go_on(options)
        covered = Covered(lambda statistics: announcer.progress(statistics, len(prepared.procedures)))

        def report(statistics: Statistics) -> None:
            covered.report(statistics)
            if new := judge.news():
                announcer.findings(new, judge.first, self.findings.warnings)

        def result(outcome: Outcome, statistics: Statistics) -> Result:
            found = judge.result(outcome, statistics)
            announcer.findings(found.assertions, found.counterexample, self.findings.warnings)
            return found

        try:
            recorded = None if question.all_assertions else self.findings
            outcome = given or tried(self.original, prepared, question.goal, question.recursion_bound, recorded)
            statistics = counts or covered.statistics
            if outcome is None:
                watched = replace(self.budget, report=report)
                memory = None if self.remembers is None or attempt.is_extra else self.remembers(options)
                outcome, statistics = _explored(self.original, prepared, attempt, watched, self.findings, memory)
                if memory is not None and memory.question is not None:
                    self._summarised = outcome, memory.question
        except GAVE_OUT as error:
            outcome, statistics = covered.outcome(reason_of(error)), covered.statistics
        if given is None:
            self._remember_bugs(attempt, outcome)
        return Tried(attempt, outcome, statistics, lambda: result(outcome, statistics))


def _has_floats(program: Program) -> bool:
    """Whether a program computes with floats."""
    declared = (*program.globals, *(d for p in program.procedures for d in declared_in(p)))
    return any(isinstance(d.var.type, Float) for d in declared)


def reason_of(error: BaseException) -> str:
    """Why there is no verdict."""
    match error:
        case KeyboardInterrupt():
            return INTERRUPTED
        case MemoryError():
            return MEMORY_LIMIT
        case TimeLimit():
            return TIME_LIMIT
        case _:
            return str(error)


def _explored(
    original: Program,
    prepared: Program,
    attempt: Attempt,
    budget: Budget,
    findings: Findings,
    memory: StoredMemory | None,
) -> tuple[Outcome, Statistics]:
    """What a search with a solver gives."""
    options = attempt.options
    if budget.timeout is not None:
        budget = replace(budget, timeout=budget.timeout * attempt.share)
    budget = replace(budget, effort=attempt.allowance)
    for solver, is_last in _solvers(options, attempt.effort):
        with solver:
            try:
                return _explored_by(solver, original, prepared, attempt.question, options, budget, findings, memory)
            except Unsupported:
                if is_last:
                    raise
    raise AssertionError("there is a solver")


def _solvers(options: Options, effort: float | None) -> Iterator[tuple[Solver, bool]]:
    """The solvers to ask, one after the other as long as a formula has what one has not; and which is the last."""
    # What the solver may occupy is not what is occupied already.
    memory = None if options.limits.memory is None else max(1, options.limits.memory - int(resident_mb()))
    names = suited(options.smt.solver, options.search_engine.unwinds)
    for name in names:
        seed, folder = options.smt.seed, options.smt.dump_smt
        yield open_solver(name, seed=seed, memory_mb=memory, dump_dir=folder, effort=effort), name == names[-1]


def _reuses(options: Options, question: Question) -> bool:
    """Whether assertions are checked with the summaries of the proofs of others."""
    can_be = question.goal == "assertion" and not question.independent and question.engine.needs_error_bit
    return options.summaries.reuse_summaries and can_be


def _explored_by(
    solver: Solver,
    original: Program,
    prepared: Program,
    question: Question,
    options: Options,
    budget: Budget,
    findings: Findings,
    memory: StoredMemory | None,
) -> tuple[Outcome, Statistics]:
    """What a search with this solver gives."""
    dependence = options.dependence
    if dependence.implications and question.goal == "assertion":
        from paddock.engines.implications.checking import AssertionChecker, Plan, check_by_implications
        from paddock.engines.implications.dai import Search

        wanted = Search(dependence.threshold, dependence.query_timeout, bool(dependence.extended))
        plan = Plan(wanted, dependence.order, options.limits.jobs or 1)
        checker: AssertionChecker | None = None
        if _reuses(options, question):
            from paddock.engines.interpolation.reusing import ReusingChecker

            plan = replace(plan, order="forward")
            lifted = CheckPlan(options.changed(implications=False)).lifting(question.goal)(prepared)
            checker = ReusingChecker(original, lifted, question, solver, budget)
        return check_by_implications(original, prepared, question, plan, solver, budget, findings, checker)
    if question.all_assertions and _reuses(options, question):
        from paddock.engines.interpolation.reusing import check_with_summaries

        return check_with_summaries(original, prepared, question, solver, budget, findings)
    if options.refinement.refine == "none" and memory is not None and question.engine.needs_error_bit:
        from paddock.engines.interpolation.remembering import remembering_search

        work = options.summaries.interpolation_effort
        return remembering_search(original, prepared, question, solver, budget, findings, memory, work)
    if options.refinement.refine == "none":
        return search(original, prepared, question, solver, budget, findings)
    from paddock.engines.refinement.loop import refined_search
    from paddock.engines.refinement.spurious import REFINEMENTS
    from paddock.passes.abstract_globals import marked_globals

    refine = REFINEMENTS[options.refinement.refine]
    tracked = marked_globals(prepared)
    return refined_search(original, prepared, question, solver, budget, findings, refine, tracked)
