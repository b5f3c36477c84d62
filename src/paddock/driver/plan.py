"""The plan of a check: all passes that rewrite a program between the front end and the solver, from the options.

`original` gives the program as the user wrote it, on which counterexamples are replayed; `entered` that with
candidates for summaries; `preparation` what every engine expects; `lifting` moves assertions to the entry. What states
the question as a program without assertions comes last (`statement_plan` in `engines/inlining/search.py`). Passes that
few options ask for are imported where they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.frozen import frozen
from paddock.ir.program import Program
from paddock.ir.stmt import Assert, Statement
from paddock.options import Options
from paddock.passes.assertion_wrappers import AssertionWrappers
from paddock.passes.bound_loops import BoundLoops
from paddock.passes.candidates import DropCandidates, UserCandidates
from paddock.passes.check_specs import CheckSpecs
from paddock.passes.deep_asserts import DeepAsserts
from paddock.passes.explicit_yields import ExplicitYields
from paddock.passes.extract_loops import ExtractLoops
from paddock.passes.identify_assertions import IdentifyAssertions
from paddock.passes.loop_candidates import LoopCandidates
from paddock.passes.mark_entry import MarkEntry
from paddock.passes.merge_implementations import MergeImplementations
from paddock.passes.plan import Pass, Plan
from paddock.passes.prune import Prune
from paddock.passes.sequentialise import Sequentialise

LIFTING = Plan((DeepAsserts(), Prune()))
_PREEMPTIVE = {None: "auto", True: "yes", False: "no"}


@frozen
class CheckPlan:
    """The passes of a check, as the options say."""

    options: Options

    @property
    def identified(self) -> Plan:
        """The program as it was read, with its entry marked, and an id for each assertion."""
        options = self.options
        passes: list[Pass] = [MarkEntry(options.task.entry or "")]
        if options.bounds.unwinding_assertions:
            from paddock.passes.unwinding_assertions import UnwindingAssertions

            passes.append(UnwindingAssertions(options.bounds.iterations, options.bounds.recursion_bound))
        if "deadlock" in options.c.checks:
            from paddock.passes.deadlock_assertions import DeadlockAssertions

            passes.append(DeadlockAssertions(_PREEMPTIVE[options.threads.preemptive]))
        passes.append(IdentifyAssertions())
        if options.task.assertion_wrappers:
            passes.append(AssertionWrappers(options.task.independent))
        if options.task.cover is not None:
            from paddock.passes.coverage_goals import CoverageGoals

            passes.append(CoverageGoals(options.task.cover))
        if options.refinement.track:
            from paddock.passes.abstract_globals import TrackGlobals

            passes.append(TrackGlobals(options.refinement.track))
        return Plan(tuple(passes))

    @property
    def original(self) -> Plan:
        """The identified program as it is replayed: without candidates, with one body a procedure, and a `yield`
        wherever threads may be switched."""
        return Plan((DropCandidates(), MergeImplementations(), self._switches))

    @property
    def entered(self) -> Plan:
        """The identified program as it is searched: with candidates, if summaries are to be inferred from them."""
        if not self.options.summaries.houdini:
            return self.original
        return Plan((UserCandidates(), MergeImplementations(), self._switches))

    @property
    def _switches(self) -> Pass:
        return ExplicitYields(_PREEMPTIVE[self.options.threads.preemptive])

    @property
    def preparation(self) -> Plan:
        """What every engine expects: no contracts left to check, no loops, nothing unreachable."""
        passes: list[Pass] = []
        if self.options.task.independent:
            from paddock.passes.watch_assertions import WatchAssertions

            # Implications are looked for between assertions as they are.
            passes.append(CheckSpecs(alone=True) if self.options.dependence.implications else WatchAssertions())
        contexts = self.options.threads.contexts
        if self.options.search_engine.unwinds:
            threads: Pass = Sequentialise(contexts)
            if self.options.threads.scheme == "lazy":
                from paddock.passes.resumable import Resumable

                threads = Resumable(contexts)
            return Plan((*passes, CheckSpecs(), threads, Prune()))
        return Plan(tuple(passes)) + preparation(
            self.options.bounds.completes_constant_loops,
            contexts,
            deep_threads=bool(self.options.search.deep_asserts),
        )

    def lifting(self, goal: str) -> Plan:
        """What moves assertions to the entry, if they are to be moved."""
        return LIFTING if self.options.lifts(goal) else Plan()


def preparation(constant_loops: bool = True, contexts: int = 1, *, deep_threads: bool = False) -> Plan:
    """What makes a program ready for the engines; constant loops are marked if they are to run to their end. Threads
    have so many contexts; their assertions are lifted before they become calls, if they are to be."""
    depth = [BoundLoops()] if constant_loops else []
    lifting: list[Pass] = []
    if deep_threads:
        from paddock.passes.deep_threads import DeepThreads

        lifting = [DeepThreads(), Prune()]
    return Plan((CheckSpecs(), *lifting, Sequentialise(contexts), ExtractLoops(), Prune(), *depth, LoopCandidates()))


def lifted(original: Program) -> Program:
    """A prepared program with its assertions in the entry, if there are any."""
    prepared = preparation()(original)
    return LIFTING(prepared) if has_assertion(prepared) else prepared


def statements_of(program: Program) -> Iterator[Statement]:
    """All statements of all procedures."""
    for procedure in program.procedures:
        for implementation in procedure.implementations:
            for block in implementation.blocks:
                yield from block.statements


def has_assertion(program: Program) -> bool:
    return any(isinstance(statement, Assert) for statement in statements_of(program))
