"""What a search found, in terms of the program: a result for each assertion, and what a bound cut off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from paddock.engines.assertions import Assertion, Findings
from paddock.engines.inlining.bounds import Place, place_of
from paddock.engines.outcome import Statistics
from paddock.frozen import frozen, values_of
from paddock.ir.origin import AssertionId, Origin
from paddock.ir.program import Procedure, Program, find_attribute, is_loop
from paddock.options import Options
from paddock.report.counterexample import Counterexample
from paddock.report.result import AssertionResult, Verdict
from paddock.trace.run import Run

MOST_NAMED = 3  # of the things that a bound cut off


def assertion_results(
    assertions: Sequence[Assertion],
    rest: Verdict,
    findings: Findings | None = None,
    narrate: Callable[[Assertion, Run], Counterexample | None] = lambda assertion, run: None,
    among: Sequence[Assertion] = (),
) -> tuple[AssertionResult, ...]:
    """The assertions with what was found out about each; those about which nothing was have the verdict `rest`. Others
    by which something is known are `among` all of them."""
    known = findings or Findings()
    ids = {assertion.source: assertion.id for assertion in among or assertions}

    def how(source: AssertionId) -> str:
        if source not in known.through:
            return ""
        if not known.through[source]:
            return "checked"
        names = " and ".join(ids[other] for other in known.through[source])
        return f"{'refuted through' if source in known.bugs else 'implied by'} {names}"

    def result(assertion: Assertion) -> AssertionResult:
        source = assertion.source
        run, reason = known.bugs.get(source), known.undecided.get(source, "")
        if run is not None:
            verdict = Verdict.BUG
        elif reason:
            verdict = Verdict.UNKNOWN
        else:
            verdict = Verdict.PROVED if source in known.proved else rest
            verdict = Verdict.BOUNDED if source in known.bounded else verdict
        return AssertionResult(
            assertion.id,
            source.file,
            source.line,
            verdict,
            column=source.column,
            procedure=assertion.procedure,
            kind=assertion.kind,
            text=assertion.text,
            reason=reason,
            counterexample=narrate(assertion, run) if run is not None else None,
            how=how(source),
        )

    return tuple(map(result, assertions))


@frozen
class CutOff:
    """A loop or a call that the bound cut off, in the words of the user's program."""

    words: str
    origin: Origin
    is_loop: bool


def cut_off(
    names: Sequence[str], loops: Sequence[Origin], prepared: Program, options: Options, own: Mapping[Place, int]
) -> list[CutOff]:
    """What the bound cut off; for loops, with where that was if it has its own bound."""

    def after(loop: Origin) -> str:
        number = own[place_of(loop)] - 1 if place_of(loop) in own else options.bounds.unwind
        return "" if number is None else f" after {number} complete iterations"

    def of(procedure: Procedure) -> CutOff:
        if is_loop(procedure):
            return CutOff(f"the loop at {procedure.origin}{after(procedure.origin)}", procedure.origin, True)
        recursion = find_attribute(procedure.attributes, "recursion")
        callees = " and ".join(map(str, recursion.params)) if recursion else procedure.name
        return CutOff(f"calls of {callees}", procedure.origin, False)

    calls = [of(prepared.procedure_named[name]) for name in names]
    every = [*calls, *(CutOff(f"the loop at {place}{after(place)}", place, True) for place in loops)]
    # Recursion through a procedure may be cut off in several ways.
    return list({cut.words: cut for cut in reversed(every)}.values())[::-1]


def cut_off_text(cut: Sequence[CutOff]) -> str:
    """What the bound cut off, in a line."""
    words = [each.words for each in cut[:MOST_NAMED]]
    if len(cut) > MOST_NAMED:
        words.append(f"{len(cut) - MOST_NAMED} more")
    return f"cut off: {', '.join(words)}" if words else ""


def counted(statistics: Statistics, options: Options) -> dict[str, int | float]:
    """The counts of a search that are reported."""
    names = ["instances", "merged", "open_calls", "queries", "solver_s", "vc_s", "merge_s"]
    if options.search_engine.unwinds:
        names = ["instances", "queries", "solver_s", "vc_s"]
    if options.summaries.houdini:
        names += ["candidates", "candidates_left_out", "summaries", "houdini_queries", "houdini_s"]
    if options.dependence.implications:
        names += ["steps", "implications", "checks", "dai_s"]
    if options.refinement.refine != "none":
        names += ["globals", "tracked", "checks", "search_s", "refine_s"]
    counts = {name: getattr(statistics, name) for name in names}
    if options.refinement.refine != "none":
        counts["iterations"] = len(statistics.refinement)
    return {**counts, **values_of(statistics.executed)} if options.search_engine.unwinds else counts
