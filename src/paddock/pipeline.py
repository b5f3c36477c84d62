"""The one place where options become front end, passes, engine and result.

Data moves one way: paths are read to sources, sources loaded to a program, the program prepared by passes, the
prepared program searched by an engine, and what the engine says becomes a `Result`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from paddock import boogie
from paddock.boogie.source import Source
from paddock.gambling import Gambling
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.origin import NOWHERE, AssertionId, Diagnostic, InputError, Origin
from paddock.ir.printer import program_text
from paddock.ir.program import Program, find_attribute
from paddock.ir.stmt import Assert, Assume, Call, ParCall, Return, Statement, Yield
from paddock.limits import TimeLimit, limits, resident_mb
from paddock.options import Options
from paddock.passes.abstract_globals import marked_globals, with_marked_globals
from paddock.passes.assertion_wrappers import independent_wrappers
from paddock.passes.candidates import offered, without_candidates
from paddock.passes.check_specs import check_specs_alone
from paddock.passes.identify_assertions import identify_assertions
from paddock.passes.infer_modifies import infer_modifies, notes_of_inferred, require_modifies
from paddock.passes.loop_candidates import loop_candidates
from paddock.passes.registry import PASSES, run_passes
from paddock.passes.template_candidates import templates_of
from paddock.passes.unwinding_assertions import unwinding_assertions
from paddock.passes.watch_assertions import watch_assertions
from paddock.report.known import given_up, with_known
from paddock.report.result import Result, TraceStep, Verdict
from paddock.search.assertions import Assertion, Findings, assertions_in, sources_in
from paddock.search.engines import Question, search
from paddock.search.goal import as_reachability
from paddock.search.houdini import Houdini, infer, summaries
from paddock.search.implications.checking import Plan, check_by_implications
from paddock.search.implications.dai import Search
from paddock.search.outcome import Budget, Covered, Outcome, Statistics
from paddock.search.refinement.loop import refined_search
from paddock.search.refinement.spurious import REFINEMENTS
from paddock.search.regions.extract import assuming_known
from paddock.search.regions.verify import OwnEngine
from paddock.search.stratified import Choice
from paddock.search.trial import tried
from paddock.solvers import SolverFailure as SolverFailure  # also for those who call `summaries_of_files`
from paddock.solvers import open_solver
from paddock.story import story
from paddock.trace.run import Run
from paddock.vc.builtins import require_known_builtins
from paddock.verdicts import assertion_results, counted, cut_off
from paddock.version import __version__

STDIN = "-"
DEFAULTS = Options()
BOOGIE_ENDINGS = (".bpl",)
C_ENDINGS = (".c", ".i")
ENDINGS = (*BOOGIE_ENDINGS, *C_ENDINGS)

# What is done first: each assertion has an identity, and each call of an assertion wrapper is an assertion.
IDENTITY = ("identify-assertions", "assertion-wrappers")
# What every engine expects to have been done: no contracts left to check, no loops, nothing unreachable.
PREPARATION = ("check-specs", "extract-loops", "prune")
# What helps it to go as deep as it must.
DEPTH = ("bound-loops",)
# What `--deep-asserts` does to a program that is so prepared.
LIFTING = ("deep-asserts", "prune")

# What ends a check without a verdict.
GAVE_OUT = (KeyboardInterrupt, MemoryError, TimeLimit, SolverFailure)
GRACE_S = 0.2  # an engine that keeps to the time limit itself can say more

Progress = Callable[[Statistics], None]


def nobody(_: object) -> None:
    """Nobody is watching."""


def read_source(path: str) -> Source:
    """The text of a file, or of standard input for `-`; whatever hinders reading it is an `InputError`."""
    name = "<stdin>" if path == STDIN else path
    if path != STDIN and not path.endswith(ENDINGS):
        message = f"unknown kind of file: the name must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        raise InputError(Diagnostic(message, Origin(name)))
    return read_text(path)


def read_text(path: str) -> Source:
    """The same for a file whose name says nothing about what is in it."""
    name = "<stdin>" if path == STDIN else path
    try:
        data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except OSError as error:
        raise InputError(Diagnostic(f"cannot read the file: {error.strerror or error}", Origin(name))) from None
    except ValueError as error:  # a NUL character in the name
        raise InputError(Diagnostic(f"cannot read the file: {error}", Origin(name))) from None
    return Source(_decoded(data, name), name)


def text_source(text: str, name: str = "<text>") -> Source:
    """A program that is given as it stands, not in a file."""
    return Source(text, name)


def _decoded(data: bytes, name: str) -> str:
    if b"\0" in data:
        raise InputError(Diagnostic("this is a binary file, not the text of a program", Origin(name)))
    if name.endswith(C_ENDINGS):  # whose comments are often in another encoding
        return data.decode("utf-8", "surrogateescape")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line_start = before.rfind(b"\n") + 1
        column = len(before[line_start:].decode("utf-8")) + 1
        place = Origin(name, before.count(b"\n") + 1, column)
        raise InputError(Diagnostic(f"not UTF-8 text: unexpected byte 0x{data[error.start]:02x}", place)) from None


def load(
    sources: Sequence[Source],
    candidates: Sequence[Source] = (),
    options: Options = DEFAULTS,
    warnings: list[Diagnostic] | None = None,
) -> Program:
    """The program that the sources make together, with what texts of candidates say as templates. What the user should
    know of it goes to `warnings`."""
    if any(source.file.endswith(C_ENDINGS) for source in sources):
        return _load_c(sources, candidates, options, [] if warnings is None else warnings)
    if options.harness is not None:
        names = ", ".join(source.file for source in sources)
        raise InputError(Diagnostic("--harness is for programs in C, and this one is in Boogie", Origin(names)))
    defined = [definition.partition("=")[0] for definition in options.definitions]
    program = boogie.load(sources, candidates, warnings, options.check_modifies, defined)
    if program == Program() and not program.generic:
        names = ", ".join(s.file for s in sources)
        raise InputError(Diagnostic("there is no declaration, so no procedure: nothing to check", Origin(names)))
    with showing_lines(sources):
        require_known_builtins(program)
    if warnings is not None and options.verbose:
        warnings += notes_of_inferred(program)
    return identify_assertions(infer_modifies(program))


def _load_c(
    sources: Sequence[Source], candidates: Sequence[Source], options: Options, warnings: list[Diagnostic]
) -> Program:
    """The program that C files make together; it starts in the function that is the entry."""
    from paddock.c_pipeline import load_c  # takes its time, and most programs are none in C

    other = next((s.file for s in sources if not s.file.endswith(C_ENDINGS)), None)
    if other is not None:
        raise InputError(Diagnostic("not C, as other files of the program are", Origin(other)))
    if candidates:
        raise InputError(Diagnostic("candidates are for programs in Boogie", Origin(candidates[0].file)))
    with showing_lines(sources):
        return identify_assertions(load_c([(source.file, source.text) for source in sources], options, warnings))


def pass_summaries() -> dict[str, str]:
    """What each pass does, in one line, by name."""
    return {name: p.summary for name, p in PASSES.items()}


def transform(program: Program, passes: Sequence[str], entry: str | None = None, track: Sequence[str] = ()) -> Program:
    """The program after the named passes, in this order; some of them start from the entry procedure, some keep only
    the globals to track."""
    if entry is not None:
        program = with_entry(program, entry)
    return run_passes(with_marked_globals(program, track) if track else program, passes)


def marked(program: Program, options: Options) -> Program:
    """The program with its entry marked, and the globals to track if they are named."""
    program = with_entry(program, entry_name(program) if options.entry is None else options.entry)
    return with_marked_globals(program, options.track) if options.track else program


def with_single_bodies(program: Program, options: Options) -> Program:
    """The program as the user wrote it, on which counterexamples are replayed: its entry is marked, and procedures
    with several implementations have one that chooses."""
    return run_passes(marked(program, options), ["merge-implementations"])


def told_apart(given: Program, independent: bool = False) -> Program:
    """The program with an identity for each assertion, also where it was built in Python, and calls of assertion
    wrappers as assertions."""
    return independent_wrappers(identify_assertions(given)) if independent else run_passes(given, IDENTITY)


def prepare(original: Program, constant_loops: bool = True) -> Program:
    """The program as the engines expect it; constant loops are marked if they are to run to their end."""
    return loop_candidates(run_passes(original, (*PREPARATION, *(DEPTH if constant_loops else ()))))


def lifted(original: Program) -> Program:
    """The same with assertions lifted to the entry, if there are any."""
    prepared = prepare(original)
    return run_passes(prepared, LIFTING) if has_assertion(prepared) else prepared


def goal_of(prepared: Program, entry: str, options: Options) -> str:
    """The question to ask: what the user said, else whether an assertion can fail, unless there is none but the
    entry ends in an assumption that was an assertion once, as in the files of the Static Driver Verifier."""
    if options.goal is not None:
        return options.goal
    if has_assertion(prepared):
        return "assertion"
    body = prepared.procedure_named[entry].body
    for block in body.blocks if body else ():
        match block.transfer, block.statements:
            case Return(), (*_, Assume(attributes=attributes)) if find_attribute(attributes, "OldAssert"):
                return "return"
    return "assertion"


def statements_of(program: Program) -> Iterator[Statement]:
    """All statements of all procedures."""
    for procedure in program.procedures:
        for implementation in procedure.implementations:
            for block in implementation.blocks:
                yield from block.statements


def has_assertion(program: Program) -> bool:
    return any(isinstance(statement, Assert) for statement in statements_of(program))


def _is_concurrent(statement: Statement) -> bool:
    return isinstance(statement, ParCall | Yield) or (isinstance(statement, Call) and statement.asynchronous)


def _concurrency(statement: Statement) -> str:
    """What makes a program concurrent, as it is written."""
    return {ParCall: "'par'", Yield: "'yield'"}.get(type(statement), "'async call'")


def require_sequential(program: Program) -> None:
    """Refuse a concurrent program."""
    thread = next((s for s in statements_of(program) if _is_concurrent(s)), None)
    if thread is not None:
        raise InputError(Diagnostic(f"concurrent programs are not supported: {_concurrency(thread)}", thread.origin))


def check_files(
    paths: Sequence[str], options: Options, progress: Progress = nobody, so_far: Callable[[Result], None] = nobody
) -> Result:
    """The result of checking the program that the files make; the time limit covers reading them. At each step,
    `so_far` is told what is known, for `abandoned`."""
    sources: list[Source] = []
    warnings: list[Diagnostic] = []
    obtain = partial(read_files, paths, options, sources, warnings)
    result = _answer(obtain, sources, options, progress, so_far)
    notes = [warning_text(w) for w in warnings if w.is_note]
    texts = [warning_text(w) for w in warnings if not w.is_note]
    return replace(result, warnings=(*texts, *result.warnings), notes=tuple(notes))


def warning_text(diagnostic: Diagnostic) -> str:
    """What the user should know, with its place if it has one."""
    return diagnostic.message if diagnostic.origin == NOWHERE else f"{diagnostic.origin}: {diagnostic.message}"


def check(program: Program, options: Options) -> Result:
    """The result of checking a loaded program."""
    _refuse_candidates(options)
    if options.check_modifies:
        require_modifies(program)
    return _answer(lambda: infer_modifies(program), [], options)


def abandoned(options: Options, so_far: Result | None, counts: Statistics | None, reason: str, time_s: float) -> Result:
    """The result of a check that did not come to its end: what is known so far, with the counts of the search if it got
    that far."""
    result = replace(so_far or _start(options), time_s=time_s)
    if counts is None:
        return given_up(result, f"{reason} {result.reason}")
    stats = {**result.stats, **counted(counts, options)}
    return given_up(replace(result, bound=counts.completed, stats=stats), reason)


def _refuse_candidates(options: Options) -> None:
    if options.candidates is not None:
        raise InputError("candidates are read with the program, and this one has been read")


def read_files(
    paths: Sequence[str], options: Options, sources: list[Source], warnings: list[Diagnostic] | None = None
) -> Program:
    """The program that the files make, with the candidates that the options name; the texts go to `sources`, and what
    the user should know to `warnings`."""
    names = [*paths, *([] if options.candidates is None else [options.candidates])]
    if names.count(STDIN) > 1:
        raise InputError("standard input can be read only once, but is named twice")
    sources.extend(map(read_source, paths))
    candidates = [read_text(name) for name in names[len(paths) :]]
    sources.extend(candidates)
    return load(sources[: len(paths)], candidates, options, warnings)


def summaries_of_files(paths: Sequence[str], options: Options) -> tuple[str, str]:
    """The summaries that Houdini infers for the program that the files make, as the text of procedures without bodies,
    and why there may be more, if not all candidates were looked at. Raises `SolverFailure`."""
    sources: list[Source] = []
    inferred, incompleteness = summaries_of(read_files(paths, options, sources), options, sources)
    return program_text(inferred), incompleteness


def summaries_of(given: Program, options: Options, sources: Sequence[Source] = ()) -> tuple[Program, str]:
    """The same, as a program, for one that has been read from these sources, or else from elsewhere."""
    if not sources:
        _refuse_candidates(options)
    with showing_lines(sources):
        houdini = Houdini(options.houdini_timeout, templates_of(given))
        prepared = prepare(with_single_bodies(offered(given), options))
        require_sequential(prepared)
    program = as_reachability(prepared, goal_of(prepared, entry_name(prepared), options))
    with open_solver(options.solver, seed=options.seed, dump_dir=options.dump_smt) as solver:
        inferred = infer(program, houdini, solver, Budget())
    return summaries(inferred), inferred.incompleteness


@contextmanager
def showing_lines(sources: Sequence[Source]) -> Iterator[None]:
    """Whatever is found to be wrong inside is shown with the line that it is in."""
    texts = {source.file: source for source in sources}
    try:
        yield
    except InputError as error:
        shown = [
            d
            if d.source_line or d.origin.file not in texts or not d.origin.line
            else replace(d, source_line=texts[d.origin.file].line(d.origin.line))
            for d in error.diagnostics
        ]
        raise InputError(shown) from None


def _answer(
    obtain: Callable[[], Program],
    sources: list[Source],
    options: Options,
    progress: Progress = nobody,
    so_far: Callable[[Result], None] = nobody,
) -> Result:
    """The result of a check from its first step to its last; each step adds what it knows."""
    budget = Budget(options.timeout, progress)
    result = _start(options)
    final: Result | None = None  # which no limit that is reached just afterwards takes back
    latest: Result | None = None  # all that is known while there is no final result
    named = ""  # the user's entry, if it is not the program's

    def say(something: Result | Statistics) -> None:
        nonlocal latest
        if isinstance(something, Statistics):
            progress(something)
        else:
            latest = with_known(something, latest)
            so_far(latest)

    def at(step: str) -> Result:
        now = replace(result, reason=f"while {step}")
        say(now)
        return now

    try:
        with limits(options.timeout and options.timeout + GRACE_S, options.memory):
            given = obtain()
            if options.unwinding_assertions:
                with showing_lines(sources):
                    given = marked(given, options)
                    named = entry_name(given)
                options = replace(options, entry=None)  # it is marked, and may get another one in front of it
                given = unwinding_assertions(given, options.iterations, options.recursion_bound)
            given = told_apart(given, options.independent)
            result = replace(result, files=tuple(s.file for s in sources), stats={"parse_s": _spent(budget)})
            result = at("preparing the program")
            with showing_lines(sources):
                templates, program = templates_of(given), without_candidates(given)
                original = with_single_bodies(program, options)
            entered = with_single_bodies(offered(given), options) if options.houdini else original
            if options.independent:
                if entered.presentation is not None:
                    _require_going_on(entered)
                # Implications are looked for between assertions as they are.
                entered = check_specs_alone(entered) if options.implications else watch_assertions(entered)
            prepared = prepare(entered, options.completes_constant_loops)
            # A pass may put an entry of its own before the user's; the user's is the one to name.
            entry = named or entry_name(original)
            result = replace(result, entry=entry, goal=goal_of(prepared, entry, options))
            reached = sources_in(prepared)
            assertions = [a for a in assertions_in(marked(program, options)) if a.source in reached]
            result = replace(result, assertions=assertion_results(assertions, Verdict.UNKNOWN))
            result = at("searching")
            preconditions = options.engine == "alternating"  # which starts where assertions are, and goes backward
            houdini = Houdini(options.houdini_timeout, templates, preconditions) if options.houdini else None
            question = _question(options, result.goal, original.presentation is not None, houdini)

            def whole(known: Sequence[AssertionId], say: Callable[[Result | Statistics], None]) -> Result:
                left, told = assuming_known(prepared, known), replace(budget, report=say)
                return _searched(original, left, question, result, assertions, sources, options, told, say)

            if options.gamble and not any(map(_is_concurrent, statements_of(prepared))):
                ready = lifted if options.lifts(result.goal) else prepare
                engine = OwnEngine(question, ready, options.solver, options.seed, options.memory)
                gambling = Gambling(options, engine, budget, say)
                final = with_known(gambling.result(original, assertions, result, whole), latest)
            else:
                final = whole((), say)
    except GAVE_OUT as error:
        result = given_up(latest or result, f"{_reason(error)} {result.reason}")
    return replace(final or result, time_s=_spent(budget))


def _start(options: Options) -> Result:
    """What is known of the result before anything was done."""
    return Result(
        files=(),
        entry=options.entry or "",
        goal=options.goal or "assertion",
        verdict=Verdict.UNKNOWN,
        engine=options.engine,
        reason="while reading the program",
        all_assertions=options.all_assertions,
        independent=options.independent,
        version=__version__,
    )


def _reason(error: BaseException) -> str:
    """Why there is no verdict."""
    match error:
        case KeyboardInterrupt():
            return "interrupted"
        case MemoryError():
            return "out of memory"
        case TimeLimit():
            return "time limit"
        case _:
            return str(error)


def _spent(budget: Budget) -> float:
    return time.monotonic() - budget.started


def _question(options: Options, goal: str, is_in_c: bool, houdini: Houdini | None) -> Question:
    """What to search for, how, and how deep."""
    return Question(
        goal=goal,
        engine=options.engine,
        merge=options.merge,
        data_disjointness=options.data_disjointness,
        choice=Choice(options.choice(goal, is_in_c), options.traces_at_a_time(goal, is_in_c), options.share_early),
        recursion_bound=options.recursion_bound,
        # The iteration that is one too many must be completed to be seen.
        loop_bound=options.loop_bound + options.unwinding_assertions,
        constant_loops=options.completes_constant_loops,
        facts=options.facts,
        seed=options.seed,
        all_assertions=options.all_assertions and goal == "assertion",
        independent=options.independent,
        houdini=houdini,
    )


def _searched(
    original: Program,
    prepared: Program,
    question: Question,
    result: Result,
    assertions: Sequence[Assertion],
    sources: Sequence[Source],
    options: Options,
    budget: Budget,
    so_far: Callable[[Result], None],
) -> Result:
    """The result with the verdict on a prepared program and on its assertions, and traces of bugs on the original. Each
    bug is told as soon as it is found."""
    thread = next((s for s in statements_of(prepared) if _is_concurrent(s)), None)
    if thread is not None:
        return replace(
            result, reason=f"concurrent programs are not supported: {_concurrency(thread)} at {thread.origin}"
        )
    if result.goal == "assertion" and not has_assertion(prepared):
        return replace(result, verdict=Verdict.PROVED, reason=f"there is no assertion in what {result.entry} reaches")
    if options.lifts(result.goal):
        prepared = run_passes(prepared, LIFTING)
    findings = Findings()
    texts = {source.file: source for source in sources}

    def source_line(origin: Origin) -> str:
        return texts[origin.file].line(origin.line) if origin.file in texts and origin.line else ""

    stories: dict[int, tuple[TraceStep, ...]] = {}  # an assertion's trace may be that of the program, too

    def told(run: Run) -> tuple[TraceStep, ...]:
        if id(run) not in stories:
            stories[id(run)] = _told(run, original, source_line)
        return stories[id(run)]

    def judged(outcome: Outcome, statistics: Statistics) -> Result:
        found = Verdict(outcome.found.value)
        verdict = Verdict.BUG if findings.bugs else found
        reason = outcome.reason or cut_off(outcome.cut, prepared, options)
        if findings.undecided and verdict in (Verdict.PROVED, Verdict.BOUNDED):
            verdict, reason = Verdict.UNKNOWN, next(iter(findings.undecided.values()))
        rest = Verdict.UNKNOWN if found is Verdict.BUG or result.goal == "return" else found
        run = next(iter(findings.bugs.values()), outcome.run)
        trace = told(run) if run else ()
        return replace(
            result,
            harness=_harness(run, original, trace, sources, options) if run is not None else "",
            verdict=verdict,
            bound=outcome.bound,
            reason=reason,
            stats={**result.stats, "procedures": len(prepared.procedures), **counted(statistics, options)},
            assertions=assertion_results(assertions, rest, findings, told),
            trace=trace,
            warnings=tuple(findings.warnings),
        )

    covered = Covered(budget.report)
    bugs_told = 0

    def report(statistics: Statistics) -> None:
        nonlocal bugs_told
        covered.report(statistics)
        if len(findings.bugs) > bugs_told:
            bugs_told = len(findings.bugs)
            so_far(judged(covered.outcome(result.reason), statistics))

    try:
        recorded = None if question.all_assertions else findings
        trial = tried(original, prepared, question.goal, question.recursion_bound, recorded)
        if trial is not None:
            return judged(trial, covered.statistics)
        watched = replace(budget, report=report)
        return judged(*_explored(original, prepared, question, options, watched, findings))
    except GAVE_OUT as error:
        return judged(covered.outcome(_reason(error)), covered.statistics)


def _require_going_on(program: Program) -> None:
    from paddock.c_pipeline import require_going_on

    require_going_on(program)


def _told(run: Run, original: Program, source_line: Callable[[Origin], str]) -> tuple[TraceStep, ...]:
    """The story of a run, in the language that the program is written in."""
    if original.presentation is None:
        return story(run, original, source_line)
    from paddock.c_pipeline import told

    return told(run, original, source_line)


def _harness(
    run: Run, original: Program, trace: Sequence[TraceStep], sources: Sequence[Source], options: Options
) -> str:
    """C code that makes a run of a C program happen, if that is asked for."""
    if options.harness is None or not trace:
        return ""
    from paddock.c_pipeline import harness_of

    return harness_of(run, original, trace[-1], [(source.file, source.text) for source in sources], options)


def _explored(
    original: Program, prepared: Program, question: Question, options: Options, budget: Budget, findings: Findings
) -> tuple[Outcome, Statistics]:
    """What a search with a solver gives."""
    # What the solver may occupy is not what is occupied already.
    memory = None if options.memory is None else max(1, options.memory - int(resident_mb()))
    with open_solver(options.solver, seed=options.seed, memory_mb=memory, dump_dir=options.dump_smt) as solver:
        if options.implications and question.goal == "assertion":
            wanted = Search(options.threshold, options.query_timeout, bool(options.extended))
            plan = Plan(wanted, options.order, options.jobs or 1)
            return check_by_implications(original, prepared, question, plan, solver, budget, findings)
        if options.refine == "none":
            return search(original, prepared, question, solver, budget, findings)
        refine = REFINEMENTS[options.refine]
        tracked = marked_globals(prepared)
        return refined_search(original, prepared, question, solver, budget, findings, refine, tracked)
