"""Speculation: the original program is run with what a model of an abstraction decides, before the calls that it leaves
to their summaries are looked into.

Where summaries are those of an earlier proof, a path to an error leads through what an edit has broken. The calls
beside it matter little, and an interpreter runs them for nothing. If the run shows an error, that is a bug like any
other; if not, nothing is lost but the run.
"""

from __future__ import annotations

from paddock.engines.assertions import Findings, violated
from paddock.engines.counterexample import ModelWorld, read_path
from paddock.engines.goal import is_reached
from paddock.engines.inlining.instances import Inlining
from paddock.ir.program import Program
from paddock.trace.interpreter import Limits
from paddock.trace.replay import hinted
from paddock.trace.run import Failed, Run
from paddock.trace.values import Undecided

MOST_RUNS = 60  # of one search
MOST_STEPS = 50_000  # of one run


class Speculation:
    """Runs of a sequential program that stay within a bound, so that the answer is that of a search."""

    def __init__(self, original: Program, goal: str, findings: Findings, bound: int) -> None:
        self._original = original
        self._goal = goal
        self._findings = findings
        self._bound = bound
        self._left = MOST_RUNS

    def __call__(self, inlining: Inlining) -> Run | None:
        """The run that the solver's last model suggests, if it shows an error of which nothing is known yet."""
        if not self._left:
            return None
        self._left -= 1
        program, model = inlining.templates.program, inlining.solver.model()
        # A loop that may run so often may have its head visited so often, or even once more.
        limits = Limits(steps=MOST_STEPS, recursion=self._bound, visits=self._bound)
        try:
            path = read_path(inlining, model)
            world = ModelWorld(program, inlining.templates.encoder, model)
            return hinted(self._original, program, path, world, limits, self._is_new)
        except Undecided:
            return None

    def _is_new(self, run: Run) -> bool:
        """Whether a run shows an error of which nothing is known yet."""
        if not is_reached(run.outcome, self._goal):
            return False
        return not isinstance(run.outcome, Failed) or violated(self._original, run.outcome) not in self._findings.bugs
