"""What the pipeline does for C programs: load them as the options say, and show what was found in C's terms.

Apart from the rest, because the parser takes its time to load, and most programs are none in C.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence

from paddock import c
from paddock.c.flags import HEADERS
from paddock.c.harness import Build
from paddock.c.library_rounding import MODE
from paddock.c.show import Presentation
from paddock.c.types import DATA_MODELS
from paddock.c_harness import harness
from paddock.c_story import c_story
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Program
from paddock.options import CHECKS, Options
from paddock.report.result import TraceStep
from paddock.trace.run import Run


def load_c(files: Sequence[tuple[str, str]], options: Options, warnings: list[Diagnostic]) -> Program:
    """The program that C files (names and texts) make together; it starts in the function that is the entry. What the
    user should know of it goes to `warnings`."""
    flags = c.Flags(
        DATA_MODELS[options.data_model],
        options.std,
        options.include_folders,
        options.definitions,
        options.included_files,
        options.compile_commands,
    )
    settings = c.Settings(
        options.entry or "main",
        frozenset(CHECKS if "all" in options.checks else options.checks) - {"all"},
        options.integers,
        options.missing_bodies,
        options.unsupported,
        options.malloc_may_fail,
        goes_on=options.independent,
    )
    lowered = c.load(files, flags, settings)
    warnings.extend(lowered.warnings)
    if options.integers == "math":
        warnings.append(
            Diagnostic("integers are those of mathematics (--integers math): signed ones do not wrap around")
        )
    return lowered.program


def require_going_on(program: Program) -> None:
    """Refuse a program that was loaded to end where an assertion fails."""
    assert isinstance(program.presentation, Presentation)
    if not program.presentation.goes_on:
        message = "the C program was loaded without --independent: it ends where an assertion fails"
        raise InputError(Diagnostic(message, hint="load it with these options, too"))


def told(run: Run, program: Program, source_line: Callable[[Origin], str]) -> tuple[TraceStep, ...]:
    """The story of a run; `source_line` gives the line of one of the files that an origin is in."""
    assert isinstance(program.presentation, Presentation)

    def line(origin: Origin) -> str:
        return source_line(origin) or linecache.getline(origin.file, origin.line)  # of a header

    return c_story(run, program, program.presentation, line)


def harness_of(run: Run, program: Program, last: TraceStep, files: Sequence[tuple[str, str]], options: Options) -> str:
    """C code that makes a run happen, which ends in a step; the files are names and texts."""
    assert isinstance(program.presentation, Presentation) and options.harness is not None
    flags = [f"-I{folder}" for folder in options.include_folders] + [f"-D{name}" for name in options.definitions]
    flags += [word for file in options.included_files for word in ("-include", file)]
    flags += [f"-std={options.std}"]
    if any(declared.var.name == MODE for declared in program.globals):
        flags += ["-frounding-math"]
    if any("paddock.h" in text for _, text in files):
        flags += ["-idirafter", str(HEADERS / "compiler")]
    build = Build(
        [name for name, _ in files],
        flags,
        options.harness,
        sanitized=not {"assert", "unreach"}.issuperset(options.checks),
        libraries=["-lm"] if any("math.h" in text or "fenv.h" in text for _, text in files) else [],
    )
    return harness(run, program, program.presentation, build, f"{last.file}:{last.line}: {last.text}")
