"""A trial before the search: a recursive program that leaves nothing open is run, rather than inlined.

Calls of one execution share no instance, so `fib(20)` takes as many instances as calls: a solver is no match for an
interpreter there. The bounds are kept, so the answer is that of a search that has all the time it needs.
"""

from __future__ import annotations

from paddock.engines.assertions import Findings, violated
from paddock.engines.goal import is_reached
from paddock.engines.outcome import Outcome
from paddock.ir.callgraph import CallGraph
from paddock.ir.program import Program, is_loop
from paddock.trace.forced import forced_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Blocked, Failed, Returned
from paddock.verdict import Verdict

MOST_STEPS = 400_000  # a few seconds
MOST_COMPILED = 1_000_000_000  # lines of compiled loops: as long


def tried(
    original: Program, prepared: Program, goal: str, recursion_bound: int, findings: Findings | None = None
) -> Outcome | None:
    """The answer to the question about a prepared program, if its only execution gives it. A bug goes to `findings`,
    too; without them, all assertions are to be looked at, and an execution ends at the first that fails."""
    # Iterations of loops cannot be determined apart from others here.
    if any(map(is_loop, prepared.procedures)) or not CallGraph(prepared).recursive:
        return None
    return only_execution(original, goal, recursion_bound, findings)


def only_execution(
    original: Program,
    goal: str,
    recursion_bound: int | None = None,
    findings: Findings | None = None,
    share: float = 1.0,
) -> Outcome | None:
    """What the only execution of a program gives, if there is no other and it comes to an end within a share of what an
    execution may take."""
    if original.axioms or original.types:  # axioms may contradict each other
        return None
    work = int(MOST_STEPS * share), int(MOST_COMPILED * share)
    limits = Limits(work[0], recursion=recursion_bound, compiled=work[1])
    outcome = forced_run(original, limits).outcome
    if not is_reached(outcome, goal):
        is_over = isinstance(outcome, Returned | Blocked | Failed)
        return Outcome(Verdict.PROVED) if is_over else None
    if findings is None:
        return None
    run = forced_run(original, limits, record=True)
    if isinstance(run.outcome, Failed):
        findings.bugs[violated(original, run.outcome)] = run
    return Outcome(Verdict.BUG, run=run)
