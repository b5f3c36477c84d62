"""From files to what the assertions of a program have to do with each other: the pipeline of the commands `ussa`,
`implications` and `assertions`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from paddock.driver import loading
from paddock.driver.plan import CheckPlan
from paddock.engines.assertions import Assertion, assertions_in, sources_in
from paddock.engines.implications.arithmetic import Arithmetic
from paddock.engines.implications.dai import Finding, Search, combined, implications, sources_of
from paddock.engines.implications.daikon import Skipped
from paddock.engines.implications.dtrace import samples_in
from paddock.engines.implications.invariants import invariants_in
from paddock.engines.implications.observation import Point, observed
from paddock.engines.implications.questions import Counts
from paddock.engines.implications.relation import Relation
from paddock.engines.implications.synthesis import proposed, with_assertions
from paddock.engines.implications.unwinding import MOST_STEPS, TooManySteps, unwound
from paddock.engines.implications.ussa import Ussa, ussa_text
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.outcome import Budget
from paddock.frontends.source import Source
from paddock.frozen import frozen, replace, values_of
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr
from paddock.ir.origin import AssertionId, Diagnostic, InputError, Origin
from paddock.ir.printer import expr_text
from paddock.ir.program import Program
from paddock.ir.spelling import did_you_mean
from paddock.options import Options
from paddock.passes.candidates import without_candidates
from paddock.report.events import ignore
from paddock.report.implications import ImplicationGraph, RelatedAssertion, about
from paddock.solvers.factory import open_solver
from paddock.solvers.interface import TIME_LIMIT
from paddock.workers.limits import cpu_seconds

MOST_NAMED = 5  # of the ids in a message
WHOLE_NUMBER = r"[+-]?(0[xX][0-9a-fA-F]+|[0-9]{1,4000})"  # zeros in front mean nothing; Python reads no longer ones


@frozen
class Read:
    """A program as it was read, and as the engines expect it."""

    original: Program
    prepared: Program
    assertions: tuple[Assertion, ...]  # those that the entry reaches
    warnings: tuple[Diagnostic, ...]


def read(paths: Sequence[str], options: Options) -> Read:
    """The program that the files make."""
    sources: list[Source] = []
    given = loading.read_files(paths, options, sources)
    with loading.showing_lines(sources):
        return prepared_program(given, options)


def prepared_program(given: Program, options: Options) -> Read:
    """A loaded program; one with threads as the sequential program that is searched for it."""
    plan = CheckPlan(options)
    identified = plan.identified(given)
    original = plan.original(identified)
    prepared = plan.preparation(original)
    reached = sources_in(prepared)
    assertions = tuple(a for a in assertions_in(without_candidates(identified)) if a.source in reached)
    return Read(original, prepared, assertions, given.warnings)


def ussa_of_files(paths: Sequence[str], options: Options) -> str:
    """The program that the files make, unwound up to the bounds, as text."""
    return ussa_text(unwound_within(read(paths, options).prepared, options))


@frozen
class Outline:
    """What is known of a graph before any implication is: all but those. `of` is the one assertion asked about."""

    empty: ImplicationGraph
    ids: Mapping[AssertionId, str]
    met: tuple[AssertionId, ...]  # the assertions of the unwound program
    of: str | None

    def graph(self, relation: Relation, counts: Counts, time_s: float, reason: str = "") -> ImplicationGraph:
        """The graph with the implications that were found; the reason says why there may be more."""
        ids = self.ids
        full = replace(
            self.empty,
            implications=tuple(
                (ids[i.stronger], ids[i.weaker], "forward" if i.forward else "reverse") for i in relation.implications
            ),
            strongest=tuple(ids[source] for source in relation.strongest()),
            weakest=tuple(ids[source] for source in relation.weakest()),
            stats={**self.empty.stats, **values_of(counts), "time_s": time_s},
            reason=reason,
        )
        return full if self.of is None else about(full, self.of)


Emitted = Outline | Finding  # what is emitted on the way: the outline first, then implications and counts
Emit = Callable[[Emitted], None]


class GraphFold:
    """The graph as far as it is known from what was emitted."""

    def __init__(self) -> None:
        self._outline: Outline | None = None
        self._findings: list[Finding] = []

    def add(self, found: Emitted) -> None:
        if isinstance(found, Outline):
            self._outline = found
        else:
            self._findings.append(found)

    def given_up(self, reason: str, time_s: float) -> ImplicationGraph | None:
        """What is known if nothing more comes, and the reason for that; None if that is nothing."""
        outline = self._outline
        if outline is None:
            return None
        relation, counts = combined(outline.met, self._findings, everywhere=not outline.empty.bounded)
        return outline.graph(relation, counts, time_s, reason)


def implications_of_files(
    paths: Sequence[str], options: Options, of: str | None = None, emit: Emit = ignore
) -> ImplicationGraph:
    """Which assertions of the program that the files make imply which; if asked for, just what has to do with one of
    them. What is known is emitted on the way. Raises `SolverFailure`."""
    budget = Budget(options.limits.timeout)
    return implications_of(read(paths, options), options, of, emit, budget)


def implications_of(
    program: Read,
    options: Options,
    of: str | None = None,
    emit: Emit = ignore,
    budget: Budget | None = None,
) -> ImplicationGraph:
    """Implications between the assertions of a program that has been read."""
    budget = budget or Budget(options.limits.timeout)
    started = cpu_seconds()
    outline, ussa = _outline(program, options, of)
    emit(outline)
    with open_solver(options.smt.solver, seed=options.smt.seed, dump_dir=options.smt.dump_smt) as solver:
        relation, counts = implications(ussa, search_for(options), solver, budget, options.limits.jobs or 1, emit)
    return outline.graph(relation, counts, cpu_seconds() - started, TIME_LIMIT if budget.is_spent else "")


def _outline(program: Read, options: Options, of: str | None) -> tuple[Outline, Ussa]:
    """The program unwound, and what is known before anything is asked about it."""
    ids = {a.source: a.id for a in program.assertions}
    if not ids:
        raise InputError(f"there is no assertion in what {entry_name(program.original)} reaches")
    if of is not None and of not in ids.values():
        known = list(ids.values())
        raise InputError(Diagnostic(f"there is no assertion {of}", hint=did_you_mean(of, known) or _such_as(known)))
    ussa = unwound_within(program.prepared, options)
    copies = Counter(ussa.steps[n].source for n in ussa.assertions())
    assertions = tuple(
        RelatedAssertion(a.id, a.source.file, a.source.line, a.source.column, a.text, copies[a.source])
        for a in program.assertions
    )
    stats = {"steps": len(ussa.steps), "copies": copies.total()}
    warnings = tuple(map(loading.warning_text, program.warnings))
    empty = ImplicationGraph(assertions, (), (), (), stats, bounded=bool(ussa.cut), warnings=warnings)
    return Outline(empty, ids, tuple(sources_of(ussa)), of), ussa


def search_for(options: Options) -> Search:
    """What implications to look for."""
    return Search(
        options.dependence.threshold, options.dependence.query_timeout, options.dependence.extended is not False
    )


def _such_as(ids: Sequence[str]) -> str:
    return f"the assertions are: {', '.join(ids[:MOST_NAMED])}{', …' if len(ids) > MOST_NAMED else ''}"


def assertions_of_files(
    paths: Sequence[str], options: Options, synthesis: Synthesis
) -> tuple[str, Program, list[Skipped]]:
    """The assertions of the program that the files make, and those that are proposed from running it or by Daikon, as
    text; the program with both; and what Daikon said that means nothing here."""
    program = read(paths, options)
    inputs = _inputs(synthesis.inputs) if synthesis.inputs is not None else []
    samples = observed(program.original, synthesis.runs, options.smt.seed, inputs)
    skipped: list[Skipped] = []
    if synthesis.dtrace is not None:
        more, unknown = samples_in(program.original, synthesis.dtrace, loading.read_text(synthesis.dtrace).text)
        skipped += unknown
        for point, seen in more.items():
            samples[point] = [*samples.get(point, ()), *seen]

    def given(arithmetic: Arithmetic) -> Mapping[Point, Sequence[Expr]]:
        if synthesis.invariants is None:
            return {}
        text = loading.read_text(synthesis.invariants).text
        conditions, unknown = invariants_in(program.original, synthesis.invariants, text, arithmetic)
        skipped.extend(unknown)
        return conditions

    extended, candidates = proposed(program.original, samples, synthesis.per_point, given)
    rows = [("static", str(a.source), a.id, a.text) for a in program.assertions]
    rows += [("dynamic", f"{c.point.origin}", c.id, expr_text(c.condition)) for c in candidates]
    widths = [max((len(row[n]) for row in rows), default=0) for n in range(3)]
    lines = ["  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[3]]) for row in rows]
    count = f"{len(program.assertions)} static, {len(candidates)} dynamic"
    return "\n".join([*lines, *([""] if lines else []), count]) + "\n", with_assertions(extended, candidates), skipped


@frozen
class Synthesis:
    """How assertions are found by running a program: `runs` on random inputs, and one for each line of a file. `dtrace`
    is a trace of Daikon with more values, `invariants` what Daikon has printed."""

    runs: int = 20
    per_point: int = 10
    inputs: str | None = None
    dtrace: str | None = None
    invariants: str | None = None

    def __post_init__(self) -> None:
        if self.runs < 0:
            raise InputError(f"--runs must be at least 0, not {self.runs}")
        if self.per_point < 1:
            raise InputError(f"--per-point must be at least 1, not {self.per_point}")


def _inputs(path: str) -> list[list[int]]:
    """The numbers in each line of a file that is not empty."""
    found = []
    for number, line in enumerate(loading.read_text(path).text.splitlines(), 1):
        numbers = []
        for word in re.finditer(r"\S+", line):
            if not re.fullmatch(WHOLE_NUMBER, word[0]):
                place = Origin(path, number, word.start() + 1)
                message = f"inputs are whole numbers, such as 12, -3 or 0x1f, not {word[0]}"
                raise InputError(Diagnostic(message, place, line))
            numbers.append(int(word[0], 16 if "x" in word[0].lower() else 10))
        if numbers:
            found.append(numbers)
    return found


def unwound_within(prepared: Program, options: Options) -> Ussa:
    """A prepared program, unwound up to the bounds of the options."""
    bounds = Bounds(
        prepared, options.bounds.recursion_bound, options.bounds.loop_bound, options.bounds.completes_constant_loops
    )
    try:
        return unwound(prepared, bounds)
    except TooManySteps:
        what = f"unwound up to the bounds, {entry_name(prepared)} has more than {MOST_STEPS:,} instructions"
        raise InputError(Diagnostic(what, hint="try a smaller --unwind or --recursion-bound")) from None
