"""The C front end as the rest of the house sees it. The parser takes its time to load, so it is loaded when needed."""

from __future__ import annotations

import linecache
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from paddock.frontends.protocol import Loaded, SourceLine
from paddock.frontends.source import Source
from paddock.frozen import frozen, replace
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Program
from paddock.report.counterexample import Counterexample, TraceStep
from paddock.report.witnesses import Witness
from paddock.trace.run import Run

if TYPE_CHECKING:
    from paddock.frontends.c.show import Presentation

MATHEMATICAL = "integers are those of mathematics (--tune integers=math): signed ones do not wrap around"


@frozen
class COptions:
    """What it wants to know."""

    entry: str | None = None
    include_folders: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    included_files: tuple[str, ...] = ()
    std: str = "gnu11"
    compile_commands: str | None = None
    data_model: str = "lp64"
    checks: tuple[str, ...] = ("assert",)
    integers: str = "bits"
    missing_bodies: str = "havoc"
    unsupported: str = "error"
    malloc_may_fail: bool = False
    nondet_static: bool = False
    error_labels: tuple[str, ...] = ()
    independent: bool = False
    harness: str | None = None
    cover: str | None = None


@frozen
class CLanguage:
    """Runs in C's terms, as the front end has noted them for this program."""

    presentation: Presentation
    name: ClassVar[str] = "C"
    computes: ClassVar[bool] = True
    choose: ClassVar[str | None] = "core"  # in formulas of bit-vectors and arrays a proof is easier to get than a path

    @property
    def goes_on(self) -> bool:
        return self.presentation.goes_on

    @property
    def data_model(self) -> str:
        return self.presentation.layout.model.name

    def narrate(self, run: Run, program: Program, source_line: SourceLine) -> Counterexample:
        from paddock.frontends.c.narrate import narrate

        def line(origin: Origin) -> str:
            return source_line(origin) or linecache.getline(origin.file, origin.line)  # of a header

        return narrate(run, program, self.presentation, line)

    def condition(self, condition: Expr, procedure: str, program: Program, visible: Mapping[Var, str]) -> str | None:
        from paddock.frontends.c.conditions import c_condition

        function = self.presentation.functions.get(procedure.split("#")[0])
        return None if function is None else c_condition(condition, function, program, visible)

    def harness(
        self, run: Run, program: Program, last: TraceStep, sources: Sequence[Source], options: COptions
    ) -> str | None:
        from paddock.frontends.c.flags import HEADERS
        from paddock.frontends.c.harness import Build
        from paddock.frontends.c.harness_inputs import harness
        from paddock.frontends.c.library.rounding import MODE

        assert options.harness is not None
        texts = [source.text for source in sources]
        flags = [f"-I{folder}" for folder in options.include_folders] + [f"-D{name}" for name in options.definitions]
        flags += [word for file in options.included_files for word in ("-include", file)]
        flags += [f"-std={options.std}"]
        if any(declared.var.name == MODE for declared in program.globals):
            flags += ["-frounding-math"]
        if any("paddock.h" in text for text in texts):
            flags += ["-idirafter", str(HEADERS / "compiler")]
        build = Build(
            [source.file for source in sources],
            flags,
            options.harness,
            sanitized=not {"assert", "unreach"}.issuperset(options.checks),
            libraries=["-lm"] if any("math.h" in text or "fenv.h" in text for text in texts) else [],
            reaches_goal=options.cover is not None,
        )
        return harness(run, program, self.presentation, build, f"{last.file}:{last.line}: {last.text}")


@frozen
class CFrontEnd:
    """Reads `.c` files, and `.i` files that have been preprocessed."""

    name: ClassVar[str] = CLanguage.name
    endings: ClassVar[tuple[str, ...]] = (".c", ".i")
    options: ClassVar[type] = COptions
    reads_candidates: ClassVar[bool] = False
    writes_harnesses: ClassVar[bool] = True
    names_files: ClassVar[bool] = True

    def project(self, path: str) -> list[str]:
        """The C files of a compilation database; names below this folder are relative."""
        from paddock.frontends.c.flags import read_compile_commands

        files = [file for file in read_compile_commands(path) if file.endswith(self.endings)]
        if not files:
            raise InputError(Diagnostic("the compilation database names no C file", Origin(path)))
        here = os.path.realpath(os.curdir) + os.sep
        return [file.removeprefix(here) for file in files]

    def following(self, witness: Witness, sources: Sequence[Source], options: COptions) -> Sequence[Source]:
        from paddock.frontends.c.witness import instrumented

        model = witness.task.data_model.lower()
        if model and model != options.data_model:
            raise InputError(Diagnostic(f"the witness is about another data model: say --data-model {model}"))
        if {"conversion", "all"}.intersection(options.checks):
            raise InputError("--witness cannot be combined with --checks conversion, which would be about it, too")
        return instrumented(sources, witness, with_arithmetic={"assert", "unreach"}.issuperset(options.checks))

    def decode(self, data: bytes) -> str:
        return data.decode("utf-8", "surrogateescape")  # comments are often in another encoding

    def load(self, sources: Sequence[Source], candidates: Sequence[Source], options: COptions) -> Loaded:
        from paddock.frontends.c.flags import Flags
        from paddock.frontends.c.lowering.settings import ALL, CHECKS, Settings
        from paddock.frontends.c.pragmas import read_pragmas
        from paddock.frontends.c.translate import load
        from paddock.frontends.c.types import DATA_MODELS

        flags = Flags(
            DATA_MODELS[options.data_model],
            options.std,
            options.include_folders,
            options.definitions,
            options.included_files,
            options.compile_commands,
        )
        texts = [(source.file, source.text) for source in sources]
        pragmas = read_pragmas(texts, list(CHECKS))
        asked = frozenset((*(ALL if "all" in options.checks else ()), *options.checks)) - {"all"}
        settings = Settings(
            options.entry or "main",
            asked | pragmas.enabled,
            options.integers,
            options.missing_bodies,
            options.unsupported,
            options.malloc_may_fail,
            goes_on=options.independent,
            nondet_static=options.nondet_static,
            error_labels=frozenset(options.error_labels),
            covers=options.cover or "",
            pragmas=pragmas,
            asked=asked if pragmas.files else None,
        )
        lowered = load(texts, flags, settings)
        warnings = list(lowered.warnings)
        if options.integers == "math":
            warnings.append(Diagnostic(MATHEMATICAL))
        return Loaded(replace(lowered.program, language=CLanguage(lowered.presentation)), tuple(warnings))


FRONT_END = CFrontEnd()
