"""From what a search found to a result: the verdict, what is known of each assertion, and the runs that violate them,
narrated in the language of the program."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.driver.loading import own_options
from paddock.driver.own_bounds import own_bounds
from paddock.driver.threads import contexts_bound
from paddock.driver.verdicts import CutOff, assertion_results, counted, cut_off, cut_off_text
from paddock.engines.assertions import Assertion, Findings
from paddock.engines.outcome import Outcome, Statistics
from paddock.frontends import front_end_of, language_of
from paddock.frontends.source import Source
from paddock.frozen import field, mutable, replace
from paddock.ir.origin import AssertionId, Origin
from paddock.ir.program import Program
from paddock.options import Options
from paddock.report.counterexample import Counterexample
from paddock.report.coverage import harness_file
from paddock.report.details import Details
from paddock.report.result import AssertionResult, Iteration, Result, Verdict
from paddock.trace.run import Run


@mutable
class Judge:
    """Judges a search of a prepared program, of which some is known at the `start`. Runs are those of the original.
    What the search finds out about single assertions goes to `findings`."""

    original: Program
    prepared: Program
    start: Result
    assertions: Sequence[Assertion]
    sources: Sequence[Source]
    options: Options
    findings: Findings = field(default_factory=Findings)
    _contexts: int | None = None
    _narrated: dict[int, Counterexample] = field(default_factory=dict)
    _of_goals: dict[str, Counterexample] = field(default_factory=dict)  # with their harnesses, by ids
    _reported: set[AssertionId] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._contexts = contexts_bound(self.original, self.options)

    def news(self) -> tuple[AssertionResult, ...]:
        """The assertions that have been decided since the last time that this was asked."""
        decided = {*self.findings.bugs, *self.findings.proved}
        if len(decided) == len(self._reported):
            return ()
        new = [a for a in self.assertions if a.source in decided and a.source not in self._reported]
        self._reported = decided
        return self._results(new, Verdict.UNKNOWN)

    def _results(self, assertions: Sequence[Assertion], rest: Verdict) -> tuple[AssertionResult, ...]:
        if self._contexts is not None:  # there are schedules that were not looked at
            self.findings.bounded |= self.findings.proved
        found = assertion_results(assertions, rest, self.findings, self._counterexample_of, self.assertions)
        if self.start.cover != "line":
            return found
        return tuple(replace(goal, text=self._source_line(Origin(goal.file, goal.line)).strip()) for goal in found)

    @property
    def first(self) -> Counterexample | None:
        """The first run that was found to violate an assertion."""
        if self.start.cover:
            return next(map(self._counterexample, self.findings.bugs.values()), None)
        return next(map(self._with_harness, self.findings.bugs.values()), None)

    def result(self, outcome: Outcome, statistics: Statistics) -> Result:
        """The result that an outcome means, together with the findings."""
        findings, found = self.findings, outcome.verdict
        if self._contexts is not None and found is Verdict.PROVED:
            found = Verdict.BOUNDED
        verdict = Verdict.BUG if findings.bugs else found
        own = own_bounds(self.original, self.options.bounds.unwindset)
        cut = cut_off(outcome.cut, outcome.cut_loops, self.prepared, self.options, own)
        reason = outcome.reason or cut_off_text(cut)
        if findings.undecided and verdict in (Verdict.PROVED, Verdict.BOUNDED):
            verdict, reason = Verdict.UNKNOWN, next(iter(findings.undecided.values()))
        rest = Verdict.UNKNOWN if found is Verdict.BUG or self.start.goal == "return" else found
        counts = {"procedures": len(self.prepared.procedures), **counted(statistics, self.options)}
        return replace(
            self.start,
            verdict=verdict,
            bound=outcome.bound,
            contexts=self._contexts,
            reason=reason,
            stats={**self.start.stats, **counts},
            assertions=self._results(self.assertions, rest),
            counterexample=self.first or (None if outcome.run is None else self._with_harness(outcome.run)),
            warnings=(*self.start.warnings, *findings.warnings),
            notes=(*self.start.notes, *findings.notes),
            refinement=tuple(Iteration(i.tracked, i.instances, i.queries, i.cpu_s) for i in statistics.refinement),
            details=self._details(cut) if self.options.report.explain else None,
        )

    def _details(self, cut: Sequence[CutOff]) -> Details:
        """What the result rests on."""
        from paddock.driver.explaining import Checked, details_of, hierarchy_if_any

        files = tuple(source.file for source in self.sources)
        checked = Checked(self.original, files, self.assertions, self.findings, cut, self._source_line)
        return details_of(checked, hierarchy_if_any(self.original))

    def _counterexample_of(self, assertion: Assertion, run: Run) -> Counterexample:
        """The run that violates an assertion, or reaches a goal, which has a harness of its own."""
        folder = self.options.report.harness
        if not self.start.cover or folder is None:
            return self._counterexample(run)
        if assertion.id not in self._of_goals:
            self._of_goals[assertion.id] = self._with_harness(run, harness_file(folder, assertion.id))
        return self._of_goals[assertion.id]

    def _counterexample(self, run: Run) -> Counterexample:
        """A run as a person reads it. That of an assertion may be that of the program, too."""
        if id(run) not in self._narrated:
            self._narrated[id(run)] = language_of(self.original).narrate(run, self.original, self._source_line)
        return self._narrated[id(run)]

    def _source_line(self, origin: Origin) -> str:
        source = next((s for s in self.sources if s.file == origin.file), None)
        return source.line(origin.line) if source is not None and origin.line else ""

    def _with_harness(self, run: Run, file: str | None = None) -> Counterexample:
        """A counterexample with code that makes its run happen, if that is asked for; it may have a file of its own."""
        narrated = self._counterexample(run)
        if self.options.report.harness is None or not narrated.steps:
            return narrated
        options = self.options if file is None else self.options.changed(harness=file)
        front_end = front_end_of(self.sources[0].file) if self.sources else None
        own = None if front_end is None else own_options(front_end, options)
        language, last = language_of(self.original), narrated.steps[-1]
        return replace(narrated, harness=language.harness(run, self.original, last, self.sources, own) or "")
