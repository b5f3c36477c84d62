"""The result of a check as plain data, so that any report can be made from it."""

from __future__ import annotations

from collections.abc import Mapping

from paddock.frozen import field, frozen
from paddock.report.counterexample import Counterexample, TraceStep
from paddock.report.details import Details
from paddock.verdict import Verdict as Verdict


@frozen
class AssertionResult:
    """One assertion of the program and what is known of it.

    `id` stays the same when other parts of the program change. `kind` is `assert`, `requires` (at one call), `ensures`,
    `invariant` or the like, `text` the condition. `counterexample` shows how it fails; `reason` says why nothing is
    known; `region` is the part of the program that sufficed for a proof, if it was not the whole. Where assertions were
    checked one by one, `how` says by which this one is known: `checked`, `implied by …` or `refuted through …`.
    """

    id: str
    file: str
    line: int
    verdict: Verdict
    column: int = 0
    procedure: str = ""
    kind: str = "assert"
    text: str = ""
    reason: str = ""
    counterexample: Counterexample | None = None
    region: str = ""
    how: str = ""

    @property
    def trace(self) -> tuple[TraceStep, ...]:
        """The steps of the counterexample, if there is one."""
        return self.counterexample.steps if self.counterexample is not None else ()


@frozen
class Iteration:
    """A search with so many globals tracked, of a check with variable abstraction."""

    tracked: int
    instances: int
    queries: int
    cpu_s: float


@frozen
class Result:
    """What a check found. `bound` is the recursion bound that was completed, None if none was; `contexts` is how many
    contexts each thread had at most, None if all schedules were looked at; `unwind` is how many iterations of a loop
    were to be completed at most, None if the recursion bound is that of loops, too.

    Without `all_assertions`, the check ended with the first bug, and nothing is known of the other assertions then.
    With `independent`, each was judged as if the others were not there, else on executions on which those before hold.
    With `cover`, the assertions are goals: one that fails is reached, and one that cannot fail is not (`coverage.py`).
    """

    files: tuple[str, ...]
    entry: str
    goal: str
    verdict: Verdict
    engine: str
    bound: int | None = None
    contexts: int | None = None
    unwind: int | None = None
    reason: str = ""
    time_s: float = 0.0
    stats: Mapping[str, int | float] = field(default_factory=dict)
    assertions: tuple[AssertionResult, ...] = ()
    counterexample: Counterexample | None = None
    all_assertions: bool = False
    independent: bool = False
    verbose: bool = False  # a text for people is to leave out nothing
    cover: str = ""  # what was to be reached, if that was the question: branch, line or assertion
    warnings: tuple[str, ...] = ()  # what the verdict rests on that the user should know
    notes: tuple[str, ...] = ()  # what was inferred of the program, if the user asked for it
    data_model: str = ""  # of a C program
    refinement: tuple[Iteration, ...] = ()  # the searches of variable abstraction, in this order
    strategy: str = ""  # which of several ways to search has decided, where the choice is not the user's
    details: Details | None = None  # of a check that explains itself
    version: str = ""

    @property
    def trace(self) -> tuple[TraceStep, ...]:
        """The steps of the counterexample, if there is one."""
        return self.counterexample.steps if self.counterexample is not None else ()
