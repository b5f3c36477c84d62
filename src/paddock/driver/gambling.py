"""A check that gambles on regions: from the program and the options to a result that says which region proves what.

What no region proves is left to a check of the whole program. Only that can find a bug.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from paddock.driver.executors import executor_of
from paddock.engines.assertions import Assertion
from paddock.engines.outcome import Budget
from paddock.engines.regions.backends import OWN, Backend, scratch_folder, tool_named
from paddock.engines.regions.entry_facts import kept, steady_wheres, written_in
from paddock.engines.regions.extract import Cut, extracted, inductive, with_judged
from paddock.engines.regions.gamble import Gamble, Gambled
from paddock.engines.regions.induction import about, candidates, made_on_entry
from paddock.engines.regions.tree import Hierarchy, Region, made_regional
from paddock.engines.regions.verify import Answer, Induction, OwnEngine, Slice, Verifier, verified
from paddock.frozen import frozen, replace
from paddock.ir.expr import Var
from paddock.ir.modref import mod_ref
from paddock.ir.origin import AssertionId
from paddock.ir.program import Program
from paddock.ir.stmt import Assume, Statement
from paddock.options import Options
from paddock.passes.registry import run_passes
from paddock.passes.watch_assertions import watch_assertions
from paddock.report import events
from paddock.report.events import Emit, RegionProved
from paddock.report.fold import proofs
from paddock.report.result import AssertionResult, Result, Verdict
from paddock.workers.interface import Executor, Task

MOST_IN_ALL = 200  # candidates for the invariants of a region and of the loops in it

NO_LOOPS = "the program has no loops to gamble on: it was checked as a whole"
WRONG_GOAL = "gambling is on assertions, not on --goal return: the program was checked as a whole"

# Checks the whole program, some assertions of which are known to hold.
Whole = Callable[[Sequence[AssertionId], Emit], Result]


def hierarchy_of(original: Program, passes: Sequence[str] = ()) -> Hierarchy:
    """The regions of a program that has one body a procedure, after some more passes."""
    return Hierarchy(made_regional(run_passes(original, ("check-specs", "prune", *passes))))


class Known:
    """What is known where the regions of a program start; `names` says what is to be looked for."""

    def __init__(self, original: Program, hierarchy: Hierarchy, names: Sequence[str]) -> None:
        self._program = hierarchy.program
        self._regions = list(hierarchy.regions.values())
        self._names = names
        self._effects = mod_ref(hierarchy.program)
        self._wheres = steady_wheres(original) if "where" in names else {}

    def slice_of(self, region: Region, sources: Sequence[AssertionId]) -> Slice:
        """A region as a program in which some assertions are to be verified."""
        names = {source: str(n) for n, source in enumerate(sources)}
        known = self.at(region)

        def judged(program: Program) -> Program:
            return with_judged(program, names, assume_others="proved" in self._names)

        plain = judged(extracted(self._program, region, known))
        if region.head is None or "houdini" not in self._names:
            return Slice(plain)
        relevant = about(self._program, region, sources, self._effects)
        on_entry = made_on_entry(self._program, region, self._effects)
        own = candidates(self._program, region, on_entry, relevant)
        if not own:
            return Slice(plain)
        inner: dict[Region, Cut] = {}
        room = MOST_IN_ALL - len(own)
        for loop in self._regions:
            if loop is not region and loop.procedure == region.procedure and loop.head in region.blocks:
                before = made_on_entry(self._program, loop, self._effects)
                guesses = candidates(self._program, loop, before, relevant)[:room]
                room -= len(guesses)
                inner[loop] = Cut(self._written(loop), tuple(guesses))
        guessing, entry, step = inductive(self._program, region, inner, known, on_entry, own)
        return Slice(plain, Induction(judged(guessing), entry, step))

    def _written(self, loop: Region) -> tuple[Var, ...]:
        """The variables that a loop may write."""
        body = self._program.procedure_named[loop.procedure].body
        assert body is not None
        return tuple(sorted(written_in(body, loop, self._effects), key=lambda var: (var.scope.value, var.name)))

    def at(self, region: Region) -> list[Statement]:
        """What is known where a region starts."""
        wheres = list(self._wheres.get(None, ()))
        if region.head is not None:
            wheres += self._wheres.get(region.procedure, ())
        known: list[Statement] = [Assume(where) for where in dict.fromkeys(wheres)]
        if "kept" in self._names:
            known += kept(self._program, region, self._effects)
        return known


@frozen
class Gambling:
    """What a gamble needs to know besides the program, and who gets the events."""

    options: Options
    engine: OwnEngine
    budget: Budget
    emit: Emit

    def result(self, original: Program, assertions: Sequence[Assertion], start: Result, whole: Whole) -> Result:
        """The result of a check, of which some is known at the start; the whole program is looked at for what no region
        proves."""
        if start.goal != "assertion":
            return self._warned(whole, WRONG_GOAL)
        names = self.options.regions.gamble_facts
        judged = watch_assertions(original) if self.options.task.independent else original
        hierarchy = hierarchy_of(judged, ("facts",) if "ranges" in names else ())
        if all(region.head is None for region in hierarchy.regions.values()):
            return self._warned(whole, NO_LOOPS)
        announced: dict[str, str] = {}

        def announce(gambled: Gambled) -> None:
            by_region: dict[str, list[AssertionResult]] = {}
            for assertion in _with_proofs(start.assertions, assertions, gambled):
                if assertion.region and announced.get(assertion.id) != assertion.region:
                    announced[assertion.id] = assertion.region
                    by_region.setdefault(assertion.region, []).append(assertion)
            for region, proved in by_region.items():
                self.emit(RegionProved(region, tuple(proved), {**gambled.stats, **_counts(gambled)}))

        gambled = self._gambled(original, hierarchy, whole, announce)
        result = gambled.whole
        if result is None:
            result = whole(tuple(a.source for a in assertions if a.source in gambled.proved), self.emit)
        return _with_regions(result, assertions, gambled)

    def _warned(self, whole: Whole, warning: str) -> Result:
        """The result of a check of the whole program, which says why there is no gamble."""
        self.emit(events.Warning(warning))
        result = whole((), self.emit)
        return replace(result, warnings=(*result.warnings, warning))

    def _gambled(
        self, original: Program, hierarchy: Hierarchy, whole: Whole, announce: Callable[[Gambled], None]
    ) -> Gambled:
        options = self.options
        known = Known(original, hierarchy, options.regions.gamble_facts)

        def task_of(region: Region, sources: Sequence[AssertionId], seconds: float | None) -> Task:
            slice_ = known.slice_of(region, sources)
            return Task(verify, (verifier, slice_, seconds), seconds and seconds + PATIENCE_S)

        # A copy of this process can check the whole program meanwhile; one on another machine knows nothing of it.
        beside = options.regions.executor == "local" and self._jobs > 1 and hasattr(os, "fork")
        verify = _verified_silently if options.regions.executor == "local" else verified
        with self._verifier() as verifier, self._executor() as executor:
            return Gamble(
                hierarchy,
                executor,
                task_of,
                self.budget,
                options.regions.gamble_timeout,
                (lambda proved: Task(whole, (proved,))) if beside else None,
                _is_answer,
                announce,
                lambda result: 0.0 if result.verdict is Verdict.BUG and not result.all_assertions else PATIENCE,
            ).run()

    @contextmanager
    def _verifier(self) -> Iterator[Verifier]:
        """Whoever verifies regions."""
        if self.options.regions.backend == OWN:
            yield self.engine
            return
        tool = tool_named(self.options.regions.backend)
        with scratch_folder() as scratch:
            yield Backend(self.engine, tool, scratch)

    @property
    def _jobs(self) -> int:
        return self.options.limits.jobs or os.cpu_count() or 1

    def _executor(self) -> Executor:
        """Whoever does the tasks."""
        return executor_of(self.options, self._jobs, self.emit)


def _verified_silently(verifier: Verifier, slice_: Slice, seconds: float | None, _emit: Emit) -> Answer:
    """What a region proves, from a process that could emit events on its way."""
    return verified(verifier, slice_, seconds)


PATIENCE = 2.0  # for how many times the time that the whole program took regions may go on
PATIENCE_S = 1.0  # how much longer than it should a verification may take


def _is_answer(result: Result) -> bool:
    """Whether a check of the whole program leaves nothing to be found out in regions."""
    if result.all_assertions:
        return all(a.verdict in (Verdict.PROVED, Verdict.BUG) for a in result.assertions)
    return result.verdict in (Verdict.PROVED, Verdict.BUG)


def _with_proofs(
    results: Sequence[AssertionResult], assertions: Sequence[Assertion], gambled: Gambled
) -> tuple[AssertionResult, ...]:
    """What is known of assertions, with what regions have proved."""
    by_id = {a.id: gambled.proved[a.source] for a in assertions if a.source in gambled.proved}

    def judged(assertion: AssertionResult) -> AssertionResult:
        if assertion.id not in by_id or assertion.verdict is Verdict.BUG:
            return assertion
        regions = " and ".join(dict.fromkeys(region.name for region in by_id[assertion.id]))
        return replace(assertion, verdict=Verdict.PROVED, region=regions)

    return tuple(map(judged, results))


def _counts(gambled: Gambled) -> dict[str, int]:
    """The counts that are reported of a gamble."""
    return {
        "regions_tried": gambled.gambles,
        "regions_hit": gambled.hits,
        "regions_cancelled": gambled.cancelled,
    }


def _with_regions(result: Result, assertions: Sequence[Assertion], gambled: Gambled) -> Result:
    """The result of checking the whole program with what regions have proved."""
    judged = _with_proofs(result.assertions, assertions, gambled)
    if judged and all(a.verdict is Verdict.PROVED for a in judged):
        result = replace(result, verdict=Verdict.PROVED, bound=None, reason=proofs(judged))
    summed = {name: result.stats.get(name, 0) + value for name, value in gambled.stats.items()}
    return replace(
        result,
        assertions=judged,
        stats={**result.stats, **summed, **_counts(gambled)},
        warnings=(*result.warnings, *dict.fromkeys(gambled.problems)),
    )
