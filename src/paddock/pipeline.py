"""The one place where options become front end, passes, engine and result.

Data moves one way: paths are read to sources, sources loaded to a program, the program prepared by passes, the
prepared program searched by an engine, and what the engine says becomes a `Result`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from paddock import boogie
from paddock.boogie.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Program, find_attribute
from paddock.ir.stmt import Assert, Assume, Return
from paddock.options import Options
from paddock.passes.registry import PASSES, run_passes
from paddock.report.result import Result, Verdict
from paddock.version import __version__

STDIN = "-"
BOOGIE_ENDINGS = (".bpl",)
C_ENDINGS = (".c", ".i")
ENDINGS = (*BOOGIE_ENDINGS, *C_ENDINGS)

# What every engine expects to have been done: no contracts left to check, no loops, nothing unreachable.
PREPARATION = ("merge-implementations", "check-specs", "extract-loops", "prune")


def read_source(path: str) -> Source:
    """The text of a file, or of standard input for `-`; whatever hinders reading it is an `InputError`."""
    name = "<stdin>" if path == STDIN else path
    if path != STDIN and not path.endswith(BOOGIE_ENDINGS):
        if path.endswith(C_ENDINGS):
            raise InputError(Diagnostic("C programs are not supported in this version", Origin(name)))
        raise InputError(Diagnostic("unknown kind of file: the name must end in .bpl", Origin(name)))
    try:
        data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except OSError as error:
        raise InputError(Diagnostic(f"cannot read the file: {error.strerror or error}", Origin(name))) from None
    except ValueError as error:  # a NUL character in the name
        raise InputError(Diagnostic(f"cannot read the file: {error}", Origin(name))) from None
    return Source(_decoded(data, name), name)


def text_source(text: str) -> Source:
    """A program that is given as it stands, not in a file."""
    return Source(text)


def _decoded(data: bytes, name: str) -> str:
    if b"\0" in data:
        raise InputError(Diagnostic("this is a binary file, not the text of a program", Origin(name)))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line_start = before.rfind(b"\n") + 1
        column = len(before[line_start:].decode("utf-8")) + 1
        place = Origin(name, before.count(b"\n") + 1, column)
        raise InputError(Diagnostic(f"not UTF-8 text: unexpected byte 0x{data[error.start]:02x}", place)) from None


def load(sources: Sequence[Source]) -> Program:
    """The program that the sources make together."""
    program = boogie.load(sources)
    if program == Program():
        names = ", ".join(s.file for s in sources)
        raise InputError(Diagnostic("there is no declaration, so no procedure: nothing to check", Origin(names)))
    return program


def pass_summaries() -> dict[str, str]:
    """What each pass does, in one line, by name."""
    return {name: p.summary for name, p in PASSES.items()}


def transform(program: Program, passes: Sequence[str], entry: str | None = None) -> Program:
    """The program after the named passes, in this order; some of them start from the entry procedure."""
    return run_passes(program if entry is None else with_entry(program, entry), passes)


def prepare(program: Program, options: Options) -> Program:
    """The program as the engines expect it, with its entry procedure marked."""
    marked = with_entry(program, entry_name(program) if options.entry is None else options.entry)
    return run_passes(marked, PREPARATION)


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


def has_assertion(program: Program) -> bool:
    return any(
        isinstance(statement, Assert)
        for procedure in program.procedures
        for implementation in procedure.implementations
        for block in implementation.blocks
        for statement in block.statements
    )


def check_files(paths: Sequence[str], options: Options) -> Result:
    """The result of checking the program that the files make; the time limit covers reading them."""
    return _answer(lambda: load([read_source(path) for path in paths]), options, tuple(paths))


def check(program: Program, options: Options) -> Result:
    """The result of checking a loaded program."""
    return _answer(lambda: program, options, ())


def _answer(obtain: Callable[[], Program], options: Options, files: tuple[str, ...]) -> Result:
    """The result of a check from its first step to its last; each step adds what it knows."""
    started = time.perf_counter()
    result = Result(
        files=files,
        entry=options.entry or "",
        goal=options.goal or "assertion",
        verdict=Verdict.UNKNOWN,
        engine=options.engine,
        version=__version__,
    )
    step = "reading the program"
    try:
        program = obtain()
        result = replace(result, stats={"parse_s": time.perf_counter() - started})
        step = "preparing the program"
        prepared = prepare(program, options)
        # A pass may put an entry of its own before the user's; the user's is the one to name.
        entry = entry_name(program) if options.entry is None else options.entry
        result = replace(result, entry=entry, goal=goal_of(prepared, entry, options))
        step = "searching"
        result = _searched(prepared, result)
    except KeyboardInterrupt:
        result = replace(result, reason=f"interrupted while {step}")
    except MemoryError:
        result = replace(result, reason=f"out of memory while {step}")
    return replace(result, time_s=time.perf_counter() - started)


def _searched(prepared: Program, result: Result) -> Result:
    """The result with the verdict on a prepared program."""
    if result.goal == "assertion" and not has_assertion(prepared):
        return replace(result, verdict=Verdict.PROVED, reason=f"there is no assertion in what {result.entry} reaches")
    return replace(result, reason="this version has no engine")
