"""For a person at a terminal: the trace of a bug, then one line with the verdict, then what it took.

Where every assertion was looked at, there is a line for each before, and a trace for each that fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paddock.report.color import PLAIN, Painter
from paddock.report.counterexample import TraceStep
from paddock.report.coverage import STATUS, by_place, inputs_text
from paddock.report.details import Details
from paddock.report.result import AssertionResult, Result, Verdict
from paddock.report.sentence import place_text, verdict_sentence

VERDICT_STYLE = {
    Verdict.BUG: ("bold", "red"),
    Verdict.PROVED: ("bold", "green"),
    Verdict.BOUNDED: ("bold", "green"),
    Verdict.UNKNOWN: ("bold", "yellow"),
}

GOAL_STYLE = {**VERDICT_STYLE, Verdict.BUG: ("green",), Verdict.PROVED: ("bold", "red")}
FIRST = (Verdict.BUG, Verdict.UNKNOWN, Verdict.BOUNDED, Verdict.PROVED)
CHECKED = "checked"  # needs no words: most are
MOST_PROVED = 20  # that are listed one by one, where there are more
FEW = 5  # are listed rather than counted
LONGEST_VALUE = 60  # characters; a map can be long


def render(result: Result, paint: Painter = PLAIN) -> str:
    """The whole report."""
    return "\n".join(_lines(result, paint)) + "\n"


def _lines(result: Result, paint: Painter) -> Iterator[str]:
    for warning in result.warnings:
        yield f"{paint('warning:', 'bold', 'yellow')} {warning}"
    for note in result.notes:
        yield f"{paint('note:', 'bold')} {note}"
    if result.warnings or result.notes:
        yield ""
    if result.cover:
        yield from _goals(result.assertions, paint)
    elif result.all_assertions:
        yield from _assertions(result.assertions, paint, MOST_PROVED if not result.verbose else None)
    elif result.trace:
        yield from trace_lines(result.trace, paint)
        yield ""
    head = paint("coverage:" if result.cover else f"{result.verdict}:", *VERDICT_STYLE[result.verdict])
    yield f"{head} {verdict_sentence(result)}"
    yield paint(_effort(result), "dim")
    if result.details is not None:
        yield from _details(result.details, paint)
    if paint.enabled:  # a person looks at it
        from paddock.report.advice import next_steps

        yield from (paint(f"try next: {advice}", "dim") for advice in next_steps(result))


def _details(details: Details, paint: Painter) -> Iterator[str]:
    """What the verdict rests on, and how much of the program the search looked at."""
    grounds = details.grounds
    places = max((len(place_text(g)) for g in grounds), default=0)
    kinds = max((len(g.kind) for g in grounds), default=0)
    if grounds:
        yield "rests on:"
    for ground in grounds:
        yield f"  {paint(place_text(ground).ljust(places), 'dim')}  {ground.kind.ljust(kinds)}  {ground.text}"
    for coverage in details.coverage:
        explored, every = len(coverage.explored), len(coverage.explored) + len(coverage.others)
        yield f"looked at {explored} of {every} lines with statements in {coverage.file}"


def _assertions(assertions: Sequence[AssertionResult], paint: Painter, most_proved: int | None) -> Iterator[str]:
    """A line for each assertion, those that fail first, then the traces of those. If more than so many cannot fail, the
    others are counted."""
    every, left_out = assertions, 0
    proved = [a for a in every if a.verdict is Verdict.PROVED]
    if most_proved is not None and len(proved) > most_proved + FEW:
        left_out = len(proved) - most_proved
        folded = set(map(id, proved[most_proved:]))
        assertions = [a for a in every if id(a) not in folded]
    places = max((len(place_text(a)) for a in assertions), default=0)
    ids = max((len(a.id) for a in assertions), default=0)
    for assertion in sorted(assertions, key=lambda a: FIRST.index(a.verdict)):
        verdict = paint(assertion.verdict.ljust(len(Verdict.BOUNDED)), *VERDICT_STYLE[assertion.verdict])
        place, name = place_text(assertion).ljust(places), assertion.id.ljust(ids)
        line = f"{verdict}  {place}  {name}  {_shortened(assertion.text)}"
        note = f"proved in {assertion.region}" if assertion.region else assertion.reason
        note = note or (assertion.how if assertion.how != CHECKED else "")
        yield f"{line}  {paint('// ' + note, 'dim')}" if note else line
    if left_out:
        yield paint(f"{Verdict.PROVED.ljust(len(Verdict.BOUNDED))}  {left_out} more (-v lists them)", "dim")
    for assertion in assertions:
        if assertion.trace:
            yield ""
            yield f"{assertion.id} fails:"
            yield from trace_lines(assertion.trace, paint)
    if assertions:
        yield ""


def _goals(goals: Sequence[AssertionResult], paint: Painter) -> Iterator[str]:
    """A line for each goal, in the order of the source, with the inputs by which it is reached."""
    statuses = max((len(STATUS[g.verdict]) for g in goals), default=0)
    places = max((len(place_text(g)) for g in goals), default=0)
    ids = max((len(g.id) for g in goals), default=0)
    for goal in sorted(goals, key=by_place):
        status = paint(STATUS[goal.verdict].ljust(statuses), *GOAL_STYLE[goal.verdict])
        line = f"{status}  {place_text(goal).ljust(places)}  {goal.id.ljust(ids)}  {_shortened(goal.text)}"
        note = goal.reason or inputs_text(goal.counterexample)
        yield f"{line}  {paint('// ' + note, 'dim')}" if note else line
    if goals:
        yield ""


def trace_lines(trace: Sequence[TraceStep], paint: Painter = PLAIN) -> Iterator[str]:
    """A line for each step, indented by the depth of calls, with the values at the end."""
    width = max((len(place_text(step)) for step in trace), default=0)
    has_threads = any(step.context for step in trace)
    if has_threads:
        yield f"thread {trace[0].thread} starts in {trace[0].procedure}:"
    for step in trace:
        says_way = step.kind in ("branch", "return") and step.source  # the line alone does not say which way it goes
        notes = _notes(step, [step.text] if says_way else [], paint)
        if step.kind == "switch":
            yield f"{step.text}:{notes}"
            continue
        code = "  " * step.depth + (step.source or step.text)
        shown = paint(code, "bold", "red") if step.kind == "fail" else code
        thread = f"  {step.thread}" if has_threads else ""
        yield f"{paint(place_text(step).ljust(width) + thread, 'dim')}  {shown}{notes}"


def _notes(step: TraceStep, first: list[str], paint: Painter) -> str:
    """What there is to say behind a step: values with their names, those that it changes set apart."""
    parts = [paint(text, "dim") for text in first]
    for name, value in step.values.items():
        changes = name in step.before and step.before[name].text != value.text
        parts.append(paint(f"{name} = {_shortened(value.text)}", "bold" if changes else "dim"))
    return f"  {paint('// ', 'dim')}{paint(', ', 'dim').join(parts)}" if parts else ""


def _shortened(value: str) -> str:
    return value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"


FIRST_STRATEGIES = ("", "plain", "symbolic")  # what the engine says already


def _effort(result: Result) -> str:
    """Entry, engine and the counts that are there, on one line."""
    parts = [f"entry {result.entry}" if result.entry else "", f"engine {result.engine}"]
    if result.strategy not in FIRST_STRATEGIES:
        parts.append(f"strategy {result.strategy}")
    counts = [("instances", "instance", "instances"), ("queries", "query", "queries")]
    if result.verdict is Verdict.UNKNOWN:  # what a search that did not come to its end has left
        counts.insert(1, ("open_calls", "open call", "open calls"))
    for key, one, many in counts:
        if key in result.stats:
            count = result.stats[key]
            parts.append(f"{count} {one if count == 1 else many}")
    if result.stats.get("merged"):
        parts.append(f"{result.stats['merged']} merged")
    if "dai_s" in result.stats:
        for key, one in (("implications", "implication"), ("checks", "check")):
            parts.append(f"{result.stats[key]} {one}{'' if result.stats[key] == 1 else 's'}")
    if "iterations" in result.stats:
        count = result.stats["iterations"]
        tracked = f"{result.stats['tracked']} of {result.stats['globals']} globals tracked"
        parts.append(f"{tracked} after {count} iteration{'' if count == 1 else 's'}")
    parts.append(f"{result.time_s:.2f} s")
    return ", ".join(p for p in parts if p)
