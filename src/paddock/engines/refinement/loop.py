"""Counterexample-guided abstraction refinement over the globals that are tracked (Corral, CAV 2012, Fig. 1, §3).

The program is abstracted with the tracked globals and searched. A counterexample is concretised: if the full program
can take its path it is a bug, which is replayed; if not, more globals are tracked, just enough to rule out the path.
What holds in the abstraction holds in the program, so `proved` and `bounded` stand; but where a bound has cut something
off, an error behind it must be possible in the full program, too, or else more is tracked.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from paddock.engines.assertions import Findings
from paddock.engines.feasibility import LOOK_EFFORT, look_time, looked_at
from paddock.engines.inlining.search import Exploration, Question, claims, replays, stated
from paddock.engines.judging import Candidate, Judged, judging
from paddock.engines.outcome import Budget, Infeasible, Iteration, Outcome, Rejected, Statistics
from paddock.engines.path_formula import PathFormula
from paddock.engines.paths import footprint, lifted
from paddock.engines.refinement.spurious import Refine, SpuriousPath
from paddock.engines.refinement.switches import with_named_conditions
from paddock.frozen import fields, replace
from paddock.ir.build import not_
from paddock.ir.expr import Expr, Var
from paddock.ir.modref import mod_ref
from paddock.ir.origin import AssertionId, Role
from paddock.ir.program import Axiom, Program
from paddock.ir.stmt import Assign, Assume
from paddock.ir.types import BOOL
from paddock.ir.walk import variables
from paddock.passes.abstract_globals import GlobalVars, abstracted
from paddock.solvers.interface import Solver, Status
from paddock.trace.path import Path
from paddock.trace.run import Run
from paddock.trace.world import World
from paddock.verdict import Verdict

# What a search counts that is added up over the programs that are searched.
_ADDED = ("instances", "merged", "queries", "solver_s", "vc_s", "merge_s")
# What is that of the last search, or the same for all.
_LAST = ("bound", "completed", "open_calls", "candidates", "summaries", "houdini_queries", "houdini_s")


class _TooCoarse(Exception):
    """More globals must be tracked: these, and those that are."""

    def __init__(self, tracked: Collection[Var]) -> None:
        super().__init__()
        self.tracked = tracked


def refined_search(
    original: Program,
    prepared: Program,
    question: Question,
    solver: Solver,
    budget: Budget,
    findings: Findings,
    refine: Refine,
    tracked: Collection[Var],
) -> tuple[Outcome, Statistics]:
    """The answer to a question about a prepared program, as `engines.search` gives it, by searching programs in which
    few globals are tracked, at first those given. The solver is only asked for others like it."""
    loop = _Loop(original, prepared, question, solver, budget, findings, refine)
    return loop.run(tracked), loop.tally.total


def _conditions(program: Program) -> Iterator[Expr]:
    """What a program assumes, apart from facts about it, and what it asks: Boolean values that it assigns. Assertions
    are among these, since failing is an error bit."""
    for block in (b for p in program.procedures for i in p.implementations for b in i.blocks):
        for statement in block.statements:
            match statement:
                case Assume(condition) if statement.origin.role is not Role.FACT:
                    yield condition
                case Assign(_, values):
                    yield from (value for value in values if value.type is BOOL)


def _modifying_no_more(program: Program) -> Program:
    """The program whose procedures say that they modify no more than they do, as searches assume of open calls."""
    effects = mod_ref(program)
    procedures = (replace(p, modifies=effects[p.name].modifies) for p in program.procedures)
    return replace(program, procedures=tuple(procedures))


class _Tally:
    """What is counted over all searches. `before` is what was counted in those that are over, and in refinement."""

    def __init__(self, program: Program, budget: Budget) -> None:
        self._budget = budget
        self._started = self._search_started = time.process_time()
        self.before = self.total = Statistics(globals=len(program.globals))
        self.effort = 0.0  # of the solvers of all searches that are over

    @contextmanager
    def refining(self) -> Iterator[None]:
        """Charge to refinement the time that is spent inside."""
        started = time.process_time()
        try:
            yield
        finally:
            self.before.refine_s += time.process_time() - started

    def next_search(self, tracked: int) -> None:
        """Another search starts, with so many globals tracked."""
        self._search_started = time.process_time()
        searches = (*self.total.refinement, Iteration(tracked, 0, 0, 0.0))
        self.before = replace(self.total, tracked=tracked, refinement=searches)

    def count(self, search: Statistics) -> None:
        """Add what a search counts, which may go on, to what was counted before it."""
        before = self.before
        counts = {f.name: getattr(before, f.name) for f in fields(Statistics)}
        counts |= {name: counts[name] + getattr(search, name) for name in _ADDED}
        counts |= {name: getattr(search, name) for name in _LAST}
        counts["search_s"] = time.process_time() - self._started - before.refine_s
        seconds = time.process_time() - self._search_started
        last = Iteration(before.tracked, search.instances, search.queries, seconds)
        counts["refinement"] = (*before.refinement[:-1], last)
        self.total = Statistics(**counts)

    def report(self, search: Statistics) -> None:
        self.count(search)
        self._budget.report(self.total)


class _Loop:
    def __init__(
        self,
        original: Program,
        prepared: Program,
        question: Question,
        solver: Solver,
        budget: Budget,
        findings: Findings,
        refine: Refine,
    ) -> None:
        self._original = original
        self._prepared = prepared
        self._question = question
        self._solver = solver
        self._findings = findings
        self._refine = refine
        self._replayed = replays(original, question, findings)
        self._judge_all_tracked = judging(self._replayed, solver, budget)
        self._budget = budget
        self.tally = _Tally(prepared, budget)
        self._watched = replace(budget, report=self.tally.report)
        self._tracked: tuple[Var, ...] = ()
        self._asked = stated(original, prepared, question, solver, budget)
        self._full = _modifying_no_more(with_named_conditions(self._asked.program))
        self._global_vars = GlobalVars()
        # The error bit is no variable of the program.
        own = {g.var for g in prepared.globals}
        self._always = tuple(g.var for g in self._full.globals if g.var not in own)

    def run(self, tracked: Collection[Var]) -> Outcome:
        completed = 0
        while True:
            self._track(tracked)
            try:
                outcome = self._searched(completed)
            except _TooCoarse as coarse:
                tracked = coarse.tracked
            else:
                is_over = self._budget.is_spent or self._budget.is_used_up(self.tally.effort)
                if outcome.verdict is not Verdict.UNKNOWN or self._tracks_all or is_over:
                    return outcome
                # An abstraction that leads nowhere is no reason to give up.
                tracked = [g.var for g in self._prepared.globals]
            completed = max(completed, self.tally.total.completed or 0)

    @property
    def _tracks_all(self) -> bool:
        return len(self._tracked) == len(self._prepared.globals)

    def _track(self, tracked: Collection[Var]) -> None:
        chosen = set(tracked)
        self._tracked = tuple(g.var for g in self._prepared.globals if g.var in chosen)
        self.tally.next_search(len(self._tracked))

    def _searched(self, completed: int) -> Outcome:
        """The answer of one search; raises `_TooCoarse` if more must be tracked for that."""
        with self.tally.refining():
            program = abstracted(self._full, self._tracked + self._always, self._global_vars)
        judge = self._judge_all_tracked if self._tracks_all else self._judge
        left = None if self._budget.effort is None else max(0.0, self._budget.effort - self.tally.effort)
        with self._solver.another(effort=left) as solver:
            asked = replace(self._asked, program=program)
            exploration = Exploration(
                self._original,
                self._question,
                asked,
                solver,
                replace(self._watched, effort=left),
                self._findings,
                judge,
            )
            try:
                outcome = exploration.run(completed)
                if outcome.verdict is Verdict.BOUNDED and not self._tracks_all:
                    for path, off in exploration.errors_beyond():
                        self._doubt(program, path, off)
                return outcome
            finally:
                self.tally.effort += solver.effort()
                self.tally.count(exploration.statistics)

    # --- counterexamples ---------------------------------------------------------------------------

    def _judge(self, program: Program, candidate: Candidate) -> Judged:
        """The run of the full program along a path of the abstract one, if there is one."""
        with self.tally.refining():
            full = self._full_without(self._findings.known())
            concrete = lifted(candidate.path, program, full)
            claimed = claims(self._question)(full, concrete)
            rejected = Rejected("it cannot be decided whether its path is feasible", claimed)

            def replayed(world: World) -> Run | None:
                nonlocal rejected
                judged = self._replayed(full, concrete, lambda: world)
                if isinstance(judged, Run):
                    return judged
                rejected = judged
                return None

            match looked_at(full, concrete, self._solver, self._budget, replayed):
                case Run() as run:
                    return run
                case Infeasible(thorough) as infeasible:
                    self._rule_out(full, concrete, thorough)
                    return infeasible
                case None:
                    self._track_more(_untracked(footprint(full, concrete), self._tracked + self._always))
                    return rejected

    def _doubt(self, program: Program, path: Path, off: Sequence[AssertionId]) -> None:
        """Make sure that the full program, too, can take a path that leads through calls that are not followed."""
        with self.tally.refining():
            full = self._full_without([*self._findings.known(), *off])
            concrete = lifted(path, program, full)
            with self._solver.another(effort=LOOK_EFFORT) as solver:
                PathFormula(full, concrete, solver)
                answer = solver.check((), look_time(self._budget))
            if answer.status is Status.UNSAT:
                self._rule_out(full, concrete, thorough=False)

    def _full_without(self, off: Sequence[AssertionId]) -> Program:
        """The full program in which these assertions are turned off."""
        switches = dict.fromkeys(self._asked.switches[source] for source in off if source in self._asked.switches)
        axioms = tuple(Axiom(not_(switch)) for switch in switches)
        return replace(self._full, axioms=self._full.axioms + axioms)

    def _rule_out(self, full: Program, path: Path, thorough: bool) -> None:
        """Track what it takes to rule out a path of the full program that is not feasible."""
        program = footprint(full, path)
        tracked = self._tracked + self._always
        undecided = _untracked(program, tracked)
        refined = self._refine(SpuriousPath(program, path, tracked, undecided, self._solver, self._budget, thorough))
        self.tally.before.checks += refined.checks
        self._track_more([v for v in refined.tracked if v not in tracked])

    def _track_more(self, more: Collection[Var]) -> None:
        if more:
            raise _TooCoarse([*self._tracked, *more])


def _untracked(program: Program, known: Collection[Var]) -> tuple[Var, ...]:
    """The globals whose values matter in a program, but are not known. Those in the conditions on its path come
    last: they are likely to be needed, and divide and conquer finds what is near its end with the fewest calls."""
    read = {v for effects in mod_ref(program).values() for v in effects.reads}
    undecided = [g.var for g in program.globals if g.var in read and g.var not in known]
    likely = variables(*_conditions(program))
    return (*(v for v in undecided if v not in likely), *(v for v in undecided if v in likely))
