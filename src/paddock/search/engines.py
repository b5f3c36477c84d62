"""The engines by name: eager, stratified and DAG inlining are one search with different settings, alternating search is
one on top of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from paddock.ir.entry import entry_name
from paddock.ir.origin import Origin
from paddock.ir.program import Program
from paddock.passes.candidates import resolved
from paddock.passes.facts import facts, is_summarised
from paddock.passes.switch_assertions import Switched, with_switches
from paddock.search.alternating import AlternatingSearch, failing_at, heads_of, with_preconditions_inside
from paddock.search.assertions import Findings, claimed, violated
from paddock.search.bounds import Bounds
from paddock.search.goal import as_reachability, failing_returns, is_reached
from paddock.search.houdini import Houdini, infer_if_needed
from paddock.search.inlining import Inlining
from paddock.search.merging import STRATEGIES, Strategy, first, tree
from paddock.search.opt import Opt
from paddock.search.outcome import Budget, Found, Outcome, Rejected, Statistics
from paddock.search.shapes import Shapes, is_small
from paddock.search.stratified import Choice, StratifiedSearch
from paddock.solvers.interface import Solver, Term
from paddock.solvers.ops import Op
from paddock.trace.path import Path
from paddock.trace.replay import replay
from paddock.trace.run import Failed, Run
from paddock.trace.world import World

HOUDINI_ALONE = "the summaries that Houdini inferred suffice"


@dataclass(frozen=True, slots=True)
class Question:
    """What to search for, how, and how deep. With `all_assertions`, the search does not end with the first bug."""

    goal: str = "assertion"
    engine: str = "dag"
    merge: str = "first"
    recursion_bound: int = 8
    loop_bound: int = 8
    constant_loops: bool = True  # those that end by themselves may, whatever the bound
    facts: bool | None = None  # whether to look for facts first; None: unless the program is summarised already
    seed: int = 0
    all_assertions: bool = False
    houdini: Houdini | None = None  # how to infer summaries first, if at all
    data_disjointness: bool = False  # whether conditions, too, tell which calls may share an instance
    choice: Choice = field(default_factory=Choice)


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
    switched = with_switches(prepared) if question.all_assertions else Switched(prepared, {}, {})
    # Alternating search has no need of an error bit.
    has_bit = question.engine != "alternating" or question.goal == "return"
    if has_bit:
        program = as_reachability(switched.program, question.goal, switched.can_fail)
    else:
        program = failing_returns(switched.program, switched.can_fail)
    # Facts about the error bit, not about assertions: they must hold on executions on which one fails, too.
    if question.facts or (question.facts is None and not is_summarised(original)):
        program = facts(program)
    inferred = infer_if_needed(program, _houdini(question), solver, budget)
    program = inferred.program if inferred is not None else resolved(program, ())
    program = with_preconditions_inside(program)
    entry = entry_name(program)
    bounds = Bounds(program, question.recursion_bound, question.loop_bound, question.constant_loops)
    shapes = Shapes(program, question.data_disjointness)

    def judge(path: Path, world: World) -> Run | Rejected:
        run = replay(original, program, path, world)
        if not is_reached(run.outcome, question.goal):
            return Rejected(str(run.outcome), claim(program, path))
        if isinstance(run.outcome, Failed) and violated(original, run.outcome) in findings.bugs:
            return Rejected(f"it fails before, at {run.outcome.origin}", claim(program, path))
        return run

    claim = claimed if has_bit else failing_at

    def whole(bound: int) -> bool:
        if question.engine != "dag":
            return question.engine == "eager"
        return is_small(shapes, entry, first, bounds, bound)

    strategy = _strategy(question, shapes, entry, bounds)
    started = time.process_time()
    alternating = question.engine == "alternating"
    inlining = Inlining(shapes, entry, solver, strategy, several_roots=alternating)
    built = time.process_time() - started
    engine = (
        AlternatingSearch(inlining, bounds, judge, budget, question.choice, heads_of(program))
        if alternating
        else StratifiedSearch(inlining, bounds, whole, judge, budget, question.choice)
    )
    engine.statistics.vc_s = built
    if inferred is not None:
        engine.statistics.candidates, engine.statistics.summaries = inferred.candidates, len(inferred.kept)
        engine.statistics.houdini_queries, engine.statistics.houdini_s = inferred.queries, inferred.seconds
    # What it takes to turn off each assertion of which nothing is known yet.
    is_on = inlining.templates.encoder.named
    off = {source: solver.app(Op.NOT, (is_on(switch),)) for source, switch in switched.switches.items()}
    outcome = engine.run(bounds.last if question.engine == "eager" else 1)
    while (source := _noted(outcome, original, findings)) in off:
        solver.assert_(off.pop(source))
        outcome = engine.run(engine.statistics.bound)
    if outcome.found is Found.BOUNDED:
        for source in _unbounded(engine, off):
            findings.proved[source] = None
    if inferred is not None and outcome.found is Found.PROVED and engine.statistics.queries == 1:
        outcome = replace(outcome, reason=HOUDINI_ALONE)
    return outcome, engine.statistics


def _noted(outcome: Outcome, original: Program, findings: Findings) -> Origin | None:
    """The assertion, if any, that an outcome is about; it goes to the findings."""
    if outcome.run is not None and isinstance(outcome.run.outcome, Failed):
        source = violated(original, outcome.run.outcome)
        findings.bugs[source] = outcome.run
        return source
    if outcome.suspect is not None:
        findings.undecided[outcome.suspect] = outcome.reason
    return outcome.suspect


def _unbounded(engine: StratifiedSearch, off: Mapping[Origin, Term]) -> Iterator[Origin]:
    """The assertions that cannot fail at any bound although others might, found by halving. `off` turns off each."""
    groups = [list(off)]
    while groups:
        group = groups.pop()
        inside = set(group)
        others = [term for source, term in off.items() if source not in inside]
        if others and engine.is_safe(others):
            yield from group
        elif len(group) > 1:
            half = len(group) // 2
            groups += [group[half:], group[:half]]


def _houdini(question: Question) -> Houdini | None:
    """How summaries are inferred. Where a search starts in the middle, preconditions help (deep-asserts paper, §VI)."""
    if question.houdini is None or question.engine != "alternating":
        return question.houdini
    return replace(question.houdini, preconditions=True)


def _strategy(question: Question, shapes: Shapes, entry: str, bounds: Bounds) -> Strategy:
    """Only DAG inlining and alternating search share instances."""
    if question.engine not in ("dag", "alternating"):
        return tree
    if question.merge == "opt":
        return Opt(shapes, entry, lambda callee, cost: bounds.allow_call(callee, cost, bounds.last))
    return STRATEGIES[question.merge](question.seed)
