"""The command line: reads arguments, calls the pipeline, prints what it returns and chooses the exit status.

Whatever a user can do wrong ends in one message on standard error and status 2, never in a traceback.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from paddock.cli.arguments import build_parser, completion, options_in, refuse
from paddock.cli.output import complain, require_writable, write
from paddock.driver.guard import SolverFailure, check_files_here, summaries_of_files_here
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.options import Options
from paddock.options.settings import names_in
from paddock.report.color import PLAIN, painter_for
from paddock.report.progress import ProgressLine
from paddock.report.registry import rendered
from paddock.report.result import Result, Verdict

if TYPE_CHECKING:
    from paddock.report.implications import ImplicationGraph
    from paddock.report.summaries import Summaries

NO_VIOLATION, VIOLATION, BAD_INPUT, UNKNOWN = range(4)

NO_DRAWING = "--format svg needs the package igraph: install paddock[svg]", "or use --format dot"
DATABASE = ".json"  # how the names of compilation databases end
COVERAGE_FORMATS = ("text", "json")
HARNESS = "harness.c"  # what a harness calls itself if it is not written to a file


def main(
    arguments: Sequence[str] | None = None,
    check: Callable[..., Result] = check_files_here,
    summaries: Callable[..., Summaries] = summaries_of_files_here,
    implications: Callable[..., ImplicationGraph] | None = None,
) -> int:
    """Run the command line; returns the exit status. `check` is what checks files, `summaries` what summarises them,
    `implications` what finds implications between their assertions."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show is no reason to fail
    try:
        return _run(sys.argv[1:] if arguments is None else arguments, check, summaries, implications)
    except InputError as error:
        complain(*map(str, error.diagnostics))
        return BAD_INPUT
    except KeyboardInterrupt:
        complain("error: interrupted")
        return UNKNOWN
    except MemoryError:
        complain("error: out of memory")
        return UNKNOWN


def _run(
    arguments: Sequence[str],
    check: Callable[..., Result],
    summaries: Callable[..., Summaries],
    implications: Callable[..., ImplicationGraph] | None,
) -> int:
    parser, commands = build_parser(arguments)
    try:
        args, rest = parser.parse_known_args(arguments)
    except SystemExit:  # after --help or --version
        return NO_VIOLATION
    if rest:
        commands[args.command].unknown(rest)
    if any(file.endswith(DATABASE) for file in getattr(args, "files", ())):
        _take_database(args)
    match args.command:
        case "check":
            return _check(args, check)
        case "report":
            return _report(args)
        case "lsp":
            return _lsp()
        case "init":
            from paddock.driver.project import made_project

            write(f"{made_project(args.folder)} was written\n")
        case "suite":
            from paddock.cli.suite import suite

            return suite(args)
        case "summaries":
            return _summaries(args, summaries)
        case "implications":
            return _implications(args, implications)
        case "assertions":
            return _assertions(args)
        case "ussa":
            require_writable(args.output, args.files)
            from paddock.driver.implications import ussa_of_files

            write(ussa_of_files(args.files, options_in(args)), args.output)
        case "regions":
            return _regions(args)
        case "extract":
            require_writable(args.output, args.files)
            from paddock.driver.regions import extracted_from_files

            write(extracted_from_files(args.files, options_in(args), args.region, args.language), args.output)
        case "transform":
            return _transform(args)
        case "passes":
            return _passes()
        case "diff":
            return _diff(args)
        case "store":
            return _store(args)
        case "completion":
            write(completion(*build_parser(), args.shell) + "\n")
    return NO_VIOLATION


def _take_database(args: argparse.Namespace) -> None:
    """Take the files of a compilation database, and its options for them, instead of the database."""
    from paddock.driver.loading import files_of_project

    databases = [file for file in args.files if file.endswith(DATABASE)]
    if len(databases) > 1 or getattr(args, "compile_commands", None) not in (None, *databases):
        refuse("there can be only one compilation database")
    at = args.files.index(databases[0])
    given = [os.path.realpath(file) for file in args.files]
    found = [file for file in files_of_project(databases[0]) if os.path.realpath(file) not in given]
    args.files[at : at + 1] = found
    args.compile_commands = databases[0]


def _check(args: argparse.Namespace, check: Callable[..., Result]) -> int:
    given = _with_project(args)
    harness = given.report.harness
    options = given.changed(harness=args.output or HARNESS) if args.format == "harness" else given
    if args.format.startswith("witness-"):  # which names the calls that report errors, not those that lead there
        options = options.changed(assertion_wrappers=False, explain=True)  # a proof has its invariants in it
    if args.format == "html":  # which shows what the verdict rests on
        options = options.changed(explain=True)
    require_writable(args.output, args.files)
    if options.task.cover is None:
        require_writable(harness, args.files)
    elif args.format not in COVERAGE_FORMATS:
        refuse(f"--cover is shown as {' or '.join(COVERAGE_FORMATS)}, not as {args.format}")
    if args.show_properties:
        from paddock.driver import pipeline

        found = pipeline.properties_of_files(args.files, options)
        write(rendered("properties", "json" if args.format == "json" else "text", found), args.output)
        return NO_VIOLATION
    with ProgressLine(sys.stderr, os.environ) as progress:
        result = check(args.files, options, progress.show)
    paint = painter_for(sys.stdout, os.environ) if args.output is None else PLAIN
    text = rendered("check", args.format, result, paint)
    if harness is not None and options.task.cover is not None:
        _write_harnesses(harness, result)
    elif harness is not None and result.counterexample is not None and result.counterexample.harness:
        write(rendered("check", "harness", result), harness)
    write(text, args.output)
    return exit_status(result.verdict, args.require_proof)


def _write_harnesses(folder: str, result: Result) -> None:
    """A file for each goal that is reached, in a folder."""
    from paddock.report.coverage import harness_file

    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        refuse(f"{folder}: {error.strerror or error}", "--harness names a folder where there is --cover")
    for goal in result.assertions:
        if goal.counterexample is not None and goal.counterexample.harness:
            write(goal.counterexample.harness, harness_file(folder, goal.id))


def _report(args: argparse.Namespace) -> int:
    from paddock.driver import loading
    from paddock.report.reading import UnreadableReport, result_from

    require_writable(args.output, [args.result])
    source = loading.read_text(args.result)
    try:
        result = result_from(source.text)
    except UnreadableReport as error:
        raise InputError(Diagnostic(str(error), Origin(source.file))) from None
    paint = painter_for(sys.stdout, os.environ) if args.output is None else PLAIN
    write(rendered("check", args.format, result, paint), args.output)
    return NO_VIOLATION


def _with_project(args: argparse.Namespace) -> Options:
    """The options of a check: those of the project in this folder, and those of the command line, which count more."""
    from paddock.cli.arguments import named_options

    if args.no_project or not os.path.isfile("paddock.toml"):
        return options_in(args)
    from paddock.driver.project import PROJECT, project_options

    of_project, named = project_options(), named_options(args)
    used = [name.replace("_", "-") for name in of_project if name not in named]
    if used:  # a bound or a check that is not on the command line would be a surprise
        complain(f"note: {PROJECT} sets {', '.join(used)}")
    return Options.of(**of_project | named)


def _lsp() -> int:
    try:
        from paddock.lsp.server import made_server
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in ("pygls", "lsprotocol"):
            refuse("the language server needs the package pygls", "install paddock[lsp]")
        raise
    made_server().start_io()
    return NO_VIOLATION


def exit_status(verdict: Verdict, require_proof: bool) -> int:
    """The status that tells a script the verdict."""
    match verdict:
        case Verdict.PROVED:
            return NO_VIOLATION
        case Verdict.BOUNDED:
            return UNKNOWN if require_proof else NO_VIOLATION
        case Verdict.BUG:
            return VIOLATION
        case Verdict.UNKNOWN:
            return UNKNOWN


def _summaries(args: argparse.Namespace, summaries: Callable[..., Summaries]) -> int:
    require_writable(args.output, args.files)
    try:
        found = summaries(args.files, options_in(args, houdini=not args.from_proofs))
    except SolverFailure as failure:
        complain(f"error: {failure}")
        return UNKNOWN
    write(rendered("summaries", args.format, found), args.output)
    if found.incompleteness:
        complain(found.incompleteness)
    return NO_VIOLATION


def _passes() -> int:
    from paddock.driver import pipeline

    passes = pipeline.pass_summaries()
    width = max(map(len, passes))
    write("".join(f"{name.ljust(width)}  {summary}\n" for name, summary in passes.items()))
    return NO_VIOLATION


def _diff(args: argparse.Namespace) -> int:
    require_writable(args.output, [args.old, args.new])
    from paddock.driver.differing import difference_of_files

    try:
        found = difference_of_files(args.old, args.new, options_in(args))
    except SolverFailure as failure:
        complain(f"error: {failure}")
        return UNKNOWN
    write("".join(f"{line}\n" for line in found.lines), args.output)
    if found.is_kept is None:
        return UNKNOWN
    return NO_VIOLATION if found.is_kept else VIOLATION


def _store(args: argparse.Namespace) -> int:
    from paddock.driver.storing import damaged, existing, shown

    store = existing(args.folder)
    if args.action == "clear":
        try:
            store.clear()
        except OSError as error:
            refuse(f"{args.folder}: {error.strerror or error}")
        return NO_VIOLATION
    problems = list(damaged(store)) if args.action == "check" else []
    write("".join(f"{line}\n" for line in (problems or shown(store))))
    return UNKNOWN if problems else NO_VIOLATION


def _regions(args: argparse.Namespace) -> int:
    require_writable(args.output, args.files)
    from paddock.driver.regions import tree_of_files
    from paddock.report.drawing import DrawingUnavailable

    tree = tree_of_files(args.files, options_in(args))
    try:
        write(rendered("regions", args.format, tree), args.output)
    except DrawingUnavailable:
        refuse(*NO_DRAWING)
    return NO_VIOLATION


def _implications(args: argparse.Namespace, implications: Callable[..., ImplicationGraph] | None) -> int:
    from paddock.driver.implications import implications_of_files
    from paddock.report.drawing import DrawingUnavailable
    from paddock.report.implications import incompleteness

    options = options_in(args, implications=True, all_assertions=True)
    require_writable(args.output, args.files)
    try:
        graph = (implications or implications_of_files)(args.files, options, args.of)
        form = "strongest" if args.strongest and args.format == "text" else args.format
        text = rendered("implications", form, graph)
    except SolverFailure as failure:
        complain(f"error: {failure}")
        return UNKNOWN
    except DrawingUnavailable:
        refuse(*NO_DRAWING)
    complain(*(f"warning: {warning}" for warning in graph.warnings))
    if not graph.complete and args.format in ("dot", "svg"):  # which have no words for it
        complain(incompleteness(graph))
    write(text, args.output)
    return NO_VIOLATION if graph.complete else UNKNOWN


def _assertions(args: argparse.Namespace) -> int:
    require_writable(args.output, args.files)
    from paddock.driver.implications import Synthesis, assertions_of_files
    from paddock.ir.printer import program_text

    synthesis = Synthesis(args.runs, args.per_point, args.inputs, args.dtrace, args.invariants)
    listed, program, skipped = assertions_of_files(args.files, options_in(args), synthesis)
    for each in skipped:
        complain(f"warning: {each}")
    write(listed if args.output is None else program_text(program), args.output)
    return NO_VIOLATION


def _transform(args: argparse.Namespace) -> int:
    from paddock.driver import loading, pipeline
    from paddock.ir.printer import program_text

    require_writable(args.output)
    if args.as_searched == (args.passes is not None):
        refuse("say either --pass or --as-searched")
    options = options_in(args)
    sources = [loading.read_source(path) for path in args.files]
    program = loading.load(sources, (), options)
    if args.as_searched:
        try:
            shown = pipeline.as_searched(program, options, sources)
        except SolverFailure as failure:
            complain(f"error: {failure}")
            return UNKNOWN
    else:
        with loading.showing_lines(sources):
            shown = pipeline.transform(program, names_in(args.passes), options.task.entry)
    write(program_text(shown), args.output)
    return NO_VIOLATION
