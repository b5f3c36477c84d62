"""From a question about a prepared program to its answer: what is found out before the search, and the search."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from paddock.engines.assertions import Findings, claimed, failing_at, violated
from paddock.engines.inlining.bounds import MOST_VISITS, Bounds, Place
from paddock.engines.inlining.engines import Dag, Engine, Opening, Search
from paddock.engines.inlining.proof import Proof
from paddock.engines.inlining.stratified import TYPESTATES, Choice, StratifiedSearch
from paddock.engines.judging import Candidate, ProgramJudge, Replay, judging, replaying
from paddock.engines.outcome import Budget, Outcome, Rejected, Statistics
from paddock.frozen import field, frozen, replace
from paddock.ir.expr import Var
from paddock.ir.origin import AssertionId
from paddock.ir.program import Program
from paddock.ir.threads import has_threads
from paddock.passes.candidates import DropCandidates
from paddock.passes.facts import Facts, is_summarised
from paddock.passes.plan import Pass, Plan
from paddock.passes.preconditions_inside import PreconditionsInside
from paddock.passes.reach_goal import FailingReturns, ReachGoal
from paddock.passes.switch_assertions import SwitchAssertions, switches_in
from paddock.solvers.interface import Solver
from paddock.solvers.ops import Op
from paddock.trace.path import Path
from paddock.trace.run import Failed
from paddock.verdict import Verdict

if TYPE_CHECKING:
    from paddock.engines.houdini.infer import Houdini, Inferred
    from paddock.engines.inlining.needed import Needs
    from paddock.engines.inlining.speculation import Speculation

HOUDINI_ALONE = "the summaries that Houdini inferred suffice"


@frozen
class Question:
    """What to search for, how, and how deep. With `all_assertions`, the search does not end with the first bug. If it
    is `independent`, the assertions of the prepared program are watched (see `watch_assertions.py`)."""

    goal: str = "assertion"
    engine: Engine = field(default_factory=Dag)
    recursion_bound: int = 8
    loop_bound: int = 8
    constant_loops: bool = True  # those that end by themselves may, whatever the bound
    visits: int = MOST_VISITS  # of blocks, where they are executed one by one
    own_bounds: Mapping[Place, int] = field(default_factory=dict)  # of loops, by where they start
    facts: bool | None = None  # whether to look for facts first; None: unless the program is summarised already
    seed: int = 0
    all_assertions: bool = False
    independent: bool = False  # each assertion is judged as if the others were not there
    houdini: Houdini | None = None  # how to infer summaries first, if at all
    data_disjointness: bool = False  # whether conditions, too, tell which calls may share an instance
    typestates: bool = True  # whether the values of globals are simulated when the search takes long
    choice: Choice = field(default_factory=Choice)
    explains: bool = False  # whether to say what was looked at
    speculates: bool = False  # whether paths through summaries are run before they are looked into


def search(
    original: Program,
    prepared: Program,
    question: Question,
    solver: Solver,
    budget: Budget,
    findings: Findings | None = None,
) -> tuple[Outcome, Statistics]:
    """The answer to a question about a prepared program, whose counterexamples are replayed on the original.

    What becomes known of single assertions goes to `findings`; if all are to be looked at, the answer is about those
    that are not there.
    """
    findings = Findings() if findings is None else findings
    judge = judging(replays(original, question, findings), solver, budget)
    asked = stated(original, prepared, question, solver, budget)
    exploration = Exploration(original, question, asked, solver, budget, findings, judge)
    return exploration.run(), exploration.statistics


@frozen
class Stated:
    """A question as a program without assertions: can its entry return? `switches` has the constants that turn off
    assertions, by their sources, if they are looked at one by one; `inferred` has the summaries, if there are any."""

    program: Program
    switches: Mapping[AssertionId, Var]
    inferred: Inferred | None = None


def stated(original: Program, prepared: Program, question: Question, solver: Solver, budget: Budget) -> Stated:
    """A question about a prepared program, with all that is found out before the search."""
    program = statement_plan(original, question)(prepared)
    inferred = _inferred(program, question, solver, budget)
    decided = DropCandidates()(program) if inferred is None else inferred.program
    program = PreconditionsInside()(decided)
    return Stated(program, switches_in(program), inferred)


def statement_plan(original: Program, question: Question) -> Plan:
    """The passes that state a question about a prepared program as one without assertions."""
    states_facts = question.facts or (question.facts is None and not is_summarised(original))
    return Plan(
        (
            *([SwitchAssertions()] if question.all_assertions else []),
            *_goal_passes(question),
            # Facts about the error bit, not about assertions: they must hold on executions on which one fails, too.
            *([Facts()] if states_facts and not question.engine.unwinds else []),
        )
    )


def replays(original: Program, question: Question, findings: Findings) -> Replay:
    """How the counterexamples of a question are replayed."""
    return replaying(original, question.goal, findings, claims(question), question.independent)


def claims(question: Question) -> Callable[[Program, Path], AssertionId | None]:
    """What gives the assertion that a path of such a program is to violate."""
    if question.engine.unwinds:
        return lambda _, path: path.fails
    return claimed if _has_error_bit(question) else failing_at


def _goal_passes(question: Question) -> list[Pass]:
    """What makes of the goal a question about the end of the entry, unless the engine looks at assertions itself."""
    if _has_error_bit(question):
        return [ReachGoal(question.goal)]
    return [] if question.engine.unwinds else [FailingReturns()]


def _has_error_bit(question: Question) -> bool:
    """Alternating search has no need of an error bit."""
    return question.engine.needs_error_bit or question.goal == "return"


class Exploration:
    """One search for the answer to a question, which goes on behind a bug if all assertions are to be looked at. Those
    that `findings` has are left out from the start."""

    def __init__(
        self,
        original: Program,
        question: Question,
        asked: Stated,
        solver: Solver,
        budget: Budget,
        findings: Findings,
        judge: ProgramJudge,
    ) -> None:
        self._original = original
        self._asked = asked
        self._findings = findings
        self._solver = solver
        self._question = question
        self._budget = budget
        program = asked.program
        self._engine = opened(program, question, solver, judge, budget)
        can_be_run = not question.independent and not has_threads(original)
        if question.speculates and can_be_run and isinstance(self._engine, StratifiedSearch):
            self._engine.speculate = _speculation(original, question, findings)
        self._has_one_root = question.engine.needs_error_bit
        self._first_bound = question.engine.first_bound(self._engine.bounds)
        self.statistics = self._engine.statistics
        if (inferred := asked.inferred) is not None:
            self.statistics.candidates, self.statistics.summaries = inferred.candidates, len(inferred.kept)
            self.statistics.candidates_left_out = inferred.left_out
            self.statistics.houdini_queries, self.statistics.houdini_s = inferred.queries, inferred.seconds
        # What it takes to turn off each assertion of which nothing is known yet.
        is_on = self._engine.named
        self._off = {source: solver.terms.app(Op.NOT, (is_on(switch),)) for source, switch in asked.switches.items()}
        for source in findings.known():
            if source in self._off:
                solver.assert_(self._off.pop(source))

    def run(self, completed: int = 0) -> Outcome:
        """The answer, if it is known that there is no error within a bound that was completed before."""
        engine = self._engine
        if completed:
            engine.completed = engine.statistics.completed = completed
        outcome = engine.run(max(self._first_bound, min(completed + 1, engine.bounds.last)))
        while (source := _noted(outcome, self._original, self._findings)) in self._off:
            self._solver.assert_(self._off.pop(source))
            outcome = engine.run(engine.statistics.bound)
        if outcome.verdict is Verdict.BOUNDED:
            for source in unbounded(list(self._off), self._cannot_fail):
                self._findings.proved[source] = None
        if self._asked.inferred is not None and outcome.verdict is Verdict.PROVED and engine.statistics.queries == 1:
            outcome = replace(outcome, reason=HOUDINI_ALONE)
        if self._question.explains:
            self._findings.scope = engine.scope()
            if outcome.verdict in (Verdict.PROVED, Verdict.BOUNDED) and not self._findings.bugs:
                self._findings.needs = self._needs()
        return outcome

    def _needs(self) -> Needs | None:
        """What of the program a proof needs, if one is found that tells."""
        from paddock.engines.inlining.needed import needs

        def again(program: Program, solver: Solver) -> Search:
            return opened(program, self._question, solver, no_judge, replace(self._budget))

        return needs(self._asked.program, again, self._solver)

    def proof(self, outcome: Outcome) -> Proof | None:
        """What the search leaves behind if it ended without an error, in one graph."""
        engine = self._engine
        if not isinstance(engine, StratifiedSearch) or not self._has_one_root:
            return None
        if outcome.verdict not in (Verdict.PROVED, Verdict.BOUNDED) or outcome.reason == TYPESTATES:
            return None
        inlining, bound = engine.inlining, max(1, engine.statistics.bound)
        program, shares = inlining.templates.program, inlining.merging.shares
        return Proof(program, inlining.graph, shares, engine.bounds, bound, outcome.verdict is Verdict.BOUNDED)

    def _cannot_fail(self, group: Sequence[AssertionId]) -> bool:
        """Whether assertions cannot fail at any bound although others might."""
        inside = set(group)
        others = [term for source, term in self._off.items() if source not in inside]
        return bool(others) and self._engine.is_safe(others)

    def errors_beyond(self) -> Iterator[tuple[Path, list[AssertionId]]]:
        """Paths to errors behind calls that a bound has cut off: one for each assertion that might be violated there,
        or just one if they are not looked at one by one. They do not follow those calls. Each comes with the assertions
        that were turned off for it."""
        sources: list[AssertionId | None] = [s for s in self._off if s not in self._findings.proved]
        for source in sources or [None]:
            others = [other for other in self._off if sources and other != source]
            path = self._engine.error_beyond([self._off[other] for other in others])
            if path is not None:
                yield path, others


def opened(program: Program, question: Question, solver: Solver, judge: ProgramJudge, budget: Budget) -> Search:
    """The search that answers a question about a program without assertions."""
    bounds = Bounds(
        program,
        question.recursion_bound,
        question.loop_bound,
        question.constant_loops,
        question.visits,
        question.own_bounds,
    )
    return question.engine.open(
        Opening(
            program,
            bounds,
            solver,
            partial(judge, program),
            budget,
            question.choice,
            question.data_disjointness,
            question.typestates,
            question.seed,
            question.goal,
        )
    )


def no_judge(_program: Program, _candidate: Candidate) -> Rejected:
    """For searches that are only about proofs."""
    return Rejected("no counterexample is looked for")


def _speculation(original: Program, question: Question, findings: Findings) -> Speculation:
    """What runs a sequential program within the bounds of a question."""
    from paddock.engines.inlining.speculation import Speculation

    bound = min(question.recursion_bound, question.loop_bound, *question.own_bounds.values())
    return Speculation(original, question.goal, findings, bound)


def _noted(outcome: Outcome, original: Program, findings: Findings) -> AssertionId | None:
    """The assertion, if any, that an outcome is about; it goes to the findings."""
    if outcome.run is not None and isinstance(outcome.run.outcome, Failed):
        source = violated(original, outcome.run.outcome)
        findings.bugs[source] = outcome.run
        return source
    if outcome.suspect is not None:
        findings.undecided[outcome.suspect] = outcome.reason
    return outcome.suspect


def unbounded(
    sources: Sequence[AssertionId], cannot_fail: Callable[[Sequence[AssertionId]], bool], most: int | None = None
) -> Iterator[AssertionId]:
    """The assertions that cannot fail at any bound, found by halving; or those that `most` questions tell of."""
    groups = deque([sources] if sources else [])
    asked = 0
    while groups and asked != most:
        group = groups.popleft()
        asked += 1
        if cannot_fail(group):
            yield from group
        elif len(group) > 1:
            half = len(group) // 2
            groups += [group[:half], group[half:]]


def _inferred(program: Program, question: Question, solver: Solver, budget: Budget) -> Inferred | None:
    """The summaries of a stated question, if they are asked for and needed. Where a search starts in the middle,
    preconditions help (deep-asserts paper, §VI)."""
    if question.houdini is None:
        return None
    from paddock.engines.houdini.infer import infer_if_needed

    backward = not question.engine.needs_error_bit
    houdini = replace(question.houdini, preconditions=True) if backward else question.houdini
    return infer_if_needed(program, houdini, solver, budget)
