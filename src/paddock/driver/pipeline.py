"""The one place where options become front end, passes, engine and result.

Data moves one way: paths are read to sources, sources loaded to a program, the program prepared by passes, the
prepared program searched by an engine, and what the engine says becomes a `Result`.

What only some options need is imported where it is used: a check of a small program is over before all is loaded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from paddock.driver.announce import Announcer
from paddock.driver.loading import read_files, showing_lines, warning_text
from paddock.driver.own_bounds import own_bounds
from paddock.driver.plan import CheckPlan, has_assertion, lifted, preparation, statements_of
from paddock.driver.searching import GAVE_OUT, Attempt, Searcher, first_of_two, first_turn, reason_of, schedule
from paddock.driver.start import start_of
from paddock.driver.threads import switch_counts
from paddock.driver.verdicts import assertion_results
from paddock.engines.assertions import Assertion, Findings, assertions_in, sources_in
from paddock.engines.inlining.search import Question, stated
from paddock.engines.inlining.stratified import Choice
from paddock.engines.outcome import Budget
from paddock.frontends import language_of
from paddock.frontends.source import Source
from paddock.frozen import frozen, replace
from paddock.ir.entry import entry_name
from paddock.ir.origin import AssertionId, Diagnostic, InputError
from paddock.ir.program import Program, find_attribute
from paddock.ir.spelling import did_you_mean
from paddock.ir.stmt import Assume, ParCall, Return, Yield
from paddock.ir.threads import has_threads, is_concurrent
from paddock.options import Options
from paddock.passes.candidates import without_candidates
from paddock.passes.infer_modifies import infer_modifies, require_modifies
from paddock.passes.mark_entry import MarkEntry
from paddock.passes.template_candidates import templates_of
from paddock.report import events
from paddock.report.events import Done, Emit, Event, Loaded, Prepared, Progress, ignore
from paddock.report.fold import Fold
from paddock.report.result import AssertionResult, Result, Verdict
from paddock.solvers.factory import open_solver
from paddock.workers.limits import limits

if TYPE_CHECKING:
    from paddock.driver.gambling import Gambling
    from paddock.driver.remembering import StoredMemory
    from paddock.engines.houdini.infer import Houdini

DEFAULTS = Options()

ONE_AN_ITERATION = "--as-searched shows one program, but --refine searches another one in each iteration"
ENDS_THERE = "the C program was loaded without --independent: it ends where an assertion fails"
GRACE_S = 0.2  # an engine that keeps to the time limit itself can say more


def pass_summaries() -> dict[str, str]:
    """What each pass does, in one line, by name."""
    from paddock.passes.registry import PASSES

    return {name: p.summary for name, p in PASSES.items()}


def transform(program: Program, passes: Sequence[str], entry: str | None = None) -> Program:
    """The program after the passes of these names and options, in this order; some start from the entry procedure."""
    from paddock.passes.registry import plan_of

    return plan_of(passes)(program if entry is None else MarkEntry(entry)(program))


def goal_of(prepared: Program, entry: str, options: Options) -> str:
    """The question to ask: what the user chose, else whether an assertion can fail, unless there is none but the
    entry ends in an assumption that was an assertion once, as in the files of the Static Driver Verifier."""
    if options.task.goal is not None:
        return options.task.goal
    if has_assertion(prepared):
        return "assertion"
    body = prepared.procedure_named[entry].body
    for block in body.blocks if body else ():
        match block.transfer, block.statements:
            case Return(), (*_, Assume(attributes=attributes)) if find_attribute(attributes, "OldAssert"):
                return "return"
    return "assertion"


def require_sequential(program: Program) -> None:
    """Refuse a concurrent program."""
    thread = next((s for s in statements_of(program) if is_concurrent(s)), None)
    if thread is not None:
        what = {ParCall: "'par'", Yield: "'yield'"}.get(type(thread), "'async call'")
        raise InputError(Diagnostic(f"concurrent programs are not supported here: {what}", thread.origin))


def check_files(paths: Sequence[str], options: Options, emit: Emit = ignore) -> Result:
    """The result of checking the program that the files make; the time limit covers reading them. Events say what is
    known on the way; the last one has the result."""
    sources: list[Source] = []
    if options.task.witness is not None:
        return _validation(paths, options, emit)
    obtain = partial(read_files, paths, options, sources)
    result = _answer(obtain, sources, options, emit)
    if not options.task.vacuity:
        return result
    from paddock.driver.vacuity import Checking, warned

    again = Checking(partial(check_files, paths), partial(read_files, paths, options, []), check)
    result = warned(result, options, again)
    emit(Done(result))
    return result


def _validation(paths: Sequence[str], options: Options, emit: Emit) -> Result:
    """The result of validating a witness. What is found on the way is about another program than the user's, and not
    emitted but for counts."""
    from paddock.driver.witnesses import judged, read_witness

    assert options.task.witness is not None
    witness = read_witness(options.task.witness)
    sources: list[Source] = []

    def emit_counts(event: Event) -> None:
        if isinstance(event, Progress | Loaded | events.Warning):
            emit(event)

    exact = options.changed(assertion_wrappers=False)
    result = judged(_answer(partial(read_files, paths, exact, sources), sources, exact, emit_counts), witness)
    emit(Done(result))
    return result


def check(program: Program, options: Options, emit: Emit = ignore) -> Result:
    """The result of checking a program that was loaded, or built in Python, with events on the way. Raises `InputError`
    if it is not valid."""
    refuse_candidates(options)
    if options.boogie.check_modifies:
        require_modifies(program)
    complete = infer_modifies(program)
    from paddock.ir.validate import validate

    if problems := validate(complete):
        raise InputError(problems)
    return _answer(lambda: complete, [], options, emit)


def refuse_candidates(options: Options) -> None:
    """Refuse candidates that can no longer be read."""
    if options.summaries.candidates is not None:
        raise InputError("candidates are read with the program, and this one has been read")


def _answer(
    obtain: Callable[[], Program],
    sources: list[Source],
    options: Options,
    emit: Emit,
) -> Result:
    """The result of a check from its first step to its last. All that becomes known on the way is emitted."""
    known = Fold(start_of(options))
    final: Result | None = None  # which no limit that is reached just afterwards takes back

    def emit_and_fold(event: Event) -> None:
        known.add(event)
        emit(event)

    budget = Budget(options.limits.timeout, Announcer(options, emit_and_fold).progress)
    try:
        with limits(options.limits.timeout and options.limits.timeout + GRACE_S, options.limits.memory):
            given = obtain()
            data_model = language_of(given).data_model
            emit_and_fold(Loaded(tuple(s.file for s in sources), {"parse_s": _spent(budget)}, data_model))
            for warning in given.warnings:
                emit_and_fold(events.Warning(warning_text(warning), warning.is_note))
            searched = _raced if options.races else _searched
            final = searched(given, sources, options, budget, known, emit_and_fold)
    except GAVE_OUT as error:
        final = final or known.given_up(reason_of(error), _spent(budget))
    assert final is not None
    emit_and_fold(Done(replace(final, time_s=_spent(budget))))
    return known.result


def _searched(
    given: Program, sources: list[Source], options: Options, budget: Budget, known: Fold, emit: Emit
) -> Result:
    """The result of searching a program that has been read."""
    quick = schedule(given, options)
    ready = made_ready(given, quick or options, sources)
    original, prepared, question = ready.original, ready.prepared, ready.question
    switches = switch_counts(ready.identified, original)
    reachable = ready.assertions
    # No search is needed to know that a goal is not reached if no path leads there.
    without_path = ready.without_path if options.task.cover is not None else []
    assertions = _chosen([*reachable, *without_path], options.task.properties)
    others = [a.source for a in reachable if a not in assertions]
    unknown = assertion_results(assertions, Verdict.UNKNOWN)
    emit(Prepared(ready.entry, question.goal, unknown, switches))
    start = known.result

    def attempt(other: Options) -> Attempt:
        again = made_ready(given, other, sources)
        return Attempt(other, _assuming(again.prepared, others), again.question)

    def whole(proved: Sequence[AssertionId], emit: Emit) -> Result:
        left = _assuming(prepared, [*proved, *others])
        first = first_turn(options, left, question) if quick is None else first_of_two(quick, left, question)
        searcher = Searcher(original, start, assertions, sources, budget, emit)
        searcher.findings.proved |= dict.fromkeys(a.source for a in without_path)
        if options.summaries.store is not None:
            searcher.remembers = _remembering(options.summaries.store, sources, ready, searcher.findings)
        return searcher.result(first, attempt)

    if options.regions.gamble and not has_threads(original):
        return _gambling(options, question, budget, emit).result(original, assertions, start, whole)
    return whole((), emit)


def _raced(given: Program, sources: list[Source], options: Options, budget: Budget, known: Fold, emit: Emit) -> Result:
    """The result of searching a program that has been read in several processes side by side."""
    from paddock.driver.portfolio import SideBySide

    before = known.result
    ready = made_ready(given, schedule(given, options) or options, sources)
    without_path = ready.without_path if options.task.cover is not None else []
    assertions = _chosen([*ready.assertions, *without_path], options.task.properties)
    switches = switch_counts(ready.identified, ready.original)
    emit(Prepared(ready.entry, ready.question.goal, assertion_results(assertions, Verdict.UNKNOWN), switches))
    silent = replace(given, warnings=())  # they have been given
    processes = SideBySide(check_read, silent, sources, options, budget.remaining(), emit)
    # Assertions that are judged as if the others were not there cannot assume them.
    divides = ready.question.all_assertions and len(assertions) > 1 and not options.task.independent
    final = processes.divided([a.id for a in assertions]) if divides else processes.raced()
    warnings, notes = (*before.warnings, *final.warnings), (*before.notes, *final.notes)
    return replace(final, stats={**final.stats, **before.stats}, warnings=warnings, notes=notes)


def check_read(given: Program, sources: list[Source], options: Options, emit: Emit) -> Result:
    """The result of checking a program that has been read from sources."""
    return _answer(lambda: given, sources, options, emit)


def _gambling(options: Options, question: Question, budget: Budget, emit: Emit) -> Gambling:
    """What tries regions before and beside the whole program."""
    from paddock.driver.gambling import Gambling
    from paddock.engines.regions.verify import OwnEngine

    prepares = lifted if options.lifts(question.goal) else preparation()
    engine = OwnEngine(question, prepares, options.smt.solver, options.smt.seed, options.limits.memory)
    return Gambling(options, engine, budget, emit)


def _remembering(
    folder: str, sources: Sequence[Source], ready: Ready, findings: Findings
) -> Callable[[Options], StoredMemory]:
    """What gives what the store in a folder has for a program, by the options of an attempt."""
    from paddock.driver.remembering import StoredMemory, opened_store

    store, files = opened_store(folder), [source.file for source in sources]
    return lambda options: StoredMemory(store, files, ready.entry, ready.question.goal, options, findings)


@frozen
class Ready:
    """A program on its way to the search: as it was read, each assertion with an id; as counterexamples are
    replayed on it; and prepared, with the question about it."""

    entry: str  # the user's; a pass may put one of its own before it
    identified: Program
    original: Program
    prepared: Program
    question: Question

    @property
    def assertions(self) -> list[Assertion]:
        """The assertions that can be reached."""
        reached = sources_in(self.prepared)
        return [a for a in self._every if a.source in reached]

    @property
    def without_path(self) -> list[Assertion]:
        """The assertions to which no path leads."""
        reached = sources_in(self.prepared)
        return [a for a in self._every if a.source not in reached]

    @property
    def _every(self) -> tuple[Assertion, ...]:
        return assertions_in(without_candidates(self.identified))


def made_ready(given: Program, options: Options, sources: Sequence[Source] = ()) -> Ready:
    """A program after the passes of the plan, but for lifting and for what states the question."""
    plan = CheckPlan(options)
    with showing_lines(sources):
        entry = entry_name(MarkEntry(options.task.entry or "")(given))
        identified = plan.identified(given)
        templates, original = templates_of(identified), plan.original(identified)
    entered = original if plan.entered == plan.original else plan.entered(identified)
    if options.task.independent:
        _require_going_on(entered)
    prepared = plan.preparation(entered)
    houdini = None
    if options.summaries.houdini:
        from paddock.engines.houdini.infer import Houdini

        preconditions = not options.search_engine.needs_error_bit  # it goes backward from the assertions
        houdini = Houdini(options.summaries.houdini_timeout, templates, preconditions)
    goal = goal_of(prepared, entry, options)
    if goal == "return" and has_threads(original):
        raise InputError("--goal return is for programs without threads")
    question = _question(options, goal, language_of(original).choose, houdini)
    question = replace(question, own_bounds=own_bounds(identified, options.bounds.unwindset))
    return Ready(entry, identified, original, prepared, question)


def as_searched(given: Program, options: Options, sources: Sequence[Source] = ()) -> Program:
    """The program that is solved: after all passes of the plan, without assertions. Raises `SolverFailure`."""
    if options.refinement.refine != "none":
        raise InputError(Diagnostic(ONE_AN_ITERATION, hint="add --pass abstract-globals:track=… instead"))
    options = schedule(given, options) or options
    ready = made_ready(given, options, sources)
    question, prepared = ready.question, ready.prepared
    if has_assertion(prepared):
        prepared = CheckPlan(options).lifting(question.goal)(prepared)
    if options.dependence.implications:  # which asks of one assertion after the other
        from paddock.passes.watch_assertions import WatchAssertions

        prepared, question = WatchAssertions()(prepared), replace(question, all_assertions=True)
    with open_solver(options.smt.solver, seed=options.smt.seed) as solver:
        return stated(ready.original, prepared, question, solver, Budget(options.limits.timeout)).program


def _require_going_on(program: Program) -> None:
    """Refuse a C program that was loaded to end where an assertion fails."""
    if not language_of(program).goes_on:
        raise InputError(Diagnostic(ENDS_THERE, hint="load it with these options, too"))


def _spent(budget: Budget) -> float:
    return time.monotonic() - budget.started


def _question(options: Options, goal: str, suits: str | None, houdini: Houdini | None) -> Question:
    """What to search for, how, and how deep. `suits` is the language's default of `--tune choose`, if it has one."""
    return Question(
        goal=goal,
        engine=options.search_engine,
        data_disjointness=options.search.data_disjointness,
        typestates=options.search.typestates,
        choice=Choice(options.choice(goal, suits), options.traces_at_a_time(goal, suits), options.search.share_early),
        recursion_bound=options.bounds.recursion_bound,
        # The iteration that is one too many must be completed to be seen.
        loop_bound=options.bounds.loop_bound + options.bounds.unwinding_assertions,
        constant_loops=options.bounds.completes_constant_loops,
        facts=options.search.facts,
        seed=options.smt.seed,
        all_assertions=options.task.judges_each and goal == "assertion",
        independent=options.task.independent,
        houdini=houdini,
        explains=options.report.explain,
    )


def properties_of_files(paths: Sequence[str], options: Options) -> tuple[AssertionResult, ...]:
    """The assertions of a program that a check would be about, with nothing known of them."""
    sources: list[Source] = []
    given = read_files(paths, options, sources)
    ready = made_ready(given, schedule(given, options) or options, sources)
    return assertion_results(ready.assertions, Verdict.UNKNOWN)


def _chosen(assertions: list[Assertion], ids: Sequence[str]) -> list[Assertion]:
    """The assertions with some ids, or all if none is given."""
    known = {a.id: a for a in assertions}
    for unknown in (id_ for id_ in ids if id_ not in known):
        hint = did_you_mean(unknown, list(known)) or "--show-properties lists those that can be reached"
        raise InputError(Diagnostic(f"there is no assertion {unknown}", hint=hint))
    return [known[id_] for id_ in ids] if ids else assertions


def _assuming(program: Program, proved: Sequence[AssertionId]) -> Program:
    """The program that assumes what is proved already."""
    if not proved:
        return program
    from paddock.engines.regions.extract import assuming_known

    return assuming_known(program, proved)
