"""The engines by name: eager, stratified and DAG inlining are one search with different settings."""

from __future__ import annotations

import time
from dataclasses import dataclass

from paddock.ir.entry import entry_name
from paddock.ir.program import Program
from paddock.search.bounds import Bounds
from paddock.search.goal import as_reachability, is_reached
from paddock.search.inlining import Inlining
from paddock.search.merging import STRATEGIES, Strategy, first, tree
from paddock.search.opt import Opt
from paddock.search.outcome import Budget, Outcome, Statistics
from paddock.search.shapes import Shapes, is_small
from paddock.search.stratified import StratifiedSearch
from paddock.solvers.interface import Solver
from paddock.trace.path import Path
from paddock.trace.replay import replay
from paddock.trace.run import Run
from paddock.trace.world import World


@dataclass(frozen=True, slots=True)
class Question:
    """What to search for, how, and how deep."""

    goal: str = "assertion"
    engine: str = "dag"
    merge: str = "first"
    recursion_bound: int = 8
    loop_bound: int = 8
    seed: int = 0


def search(
    original: Program, prepared: Program, question: Question, solver: Solver, budget: Budget
) -> tuple[Outcome, Statistics]:
    """The answer to a question about a prepared program, whose counterexample is replayed on the original."""
    program = as_reachability(prepared, question.goal)
    entry = entry_name(program)

    def judge(path: Path, world: World) -> Run | str:
        run = replay(original, program, path, world)
        return run if is_reached(run.outcome, question.goal) else str(run.outcome)

    bounds = Bounds(program, question.recursion_bound, question.loop_bound)
    shapes = Shapes(program)
    strategy = _strategy(question, shapes, entry, bounds)
    started = time.process_time()
    inlining = Inlining(shapes, entry, solver, strategy)
    built = time.process_time() - started

    def whole(bound: int) -> bool:
        if question.engine != "dag":
            return question.engine == "eager"
        return is_small(shapes, entry, first, bounds, bound)

    engine = StratifiedSearch(inlining, bounds, whole, judge, budget)
    engine.statistics.vc_s = built
    outcome = engine.run(bounds.last if question.engine == "eager" else 1)
    return outcome, engine.statistics


def _strategy(question: Question, shapes: Shapes, entry: str, bounds: Bounds) -> Strategy:
    """Only DAG inlining shares instances."""
    if question.engine != "dag":
        return tree
    if question.merge == "opt":
        return Opt(shapes, entry, lambda callee, cost: bounds.allow_call(callee, cost, bounds.last))
    return STRATEGIES[question.merge](question.seed)
