"""The Boogie front end as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from paddock.frontends.boogie.narrate import narrate
from paddock.frontends.protocol import Loaded, SourceLine
from paddock.frontends.source import Source
from paddock.frozen import frozen, replace
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Program
from paddock.report.counterexample import Counterexample, TraceStep
from paddock.report.witnesses import Witness
from paddock.trace.run import Run


@frozen
class BoogieOptions:
    """What it wants to know."""

    check_modifies: bool = False
    definitions: tuple[str, ...] = ()  # for `#if`


@frozen
class BoogieLanguage:
    """Runs in Boogie's terms."""

    name: ClassVar[str] = "Boogie"
    choose: ClassVar[str | None] = None
    computes: ClassVar[bool] = False
    goes_on: ClassVar[bool] = True
    data_model: ClassVar[str] = ""

    def narrate(self, run: Run, program: Program, source_line: SourceLine) -> Counterexample:
        return narrate(run, program, source_line)

    def condition(self, condition: Expr, procedure: str, program: Program, visible: Mapping[Var, str]) -> None:
        return None

    def harness(
        self, run: Run, program: Program, last: TraceStep, sources: Sequence[Source], options: BoogieOptions
    ) -> None:
        return None


BOOGIE = BoogieLanguage()


@frozen
class BoogieFrontEnd:
    """Reads `.bpl` files."""

    name: ClassVar[str] = BOOGIE.name
    endings: ClassVar[tuple[str, ...]] = (".bpl",)
    options: ClassVar[type] = BoogieOptions
    reads_candidates: ClassVar[bool] = True
    writes_harnesses: ClassVar[bool] = False
    names_files: ClassVar[bool] = False

    def project(self, path: str) -> list[str]:
        raise InputError(Diagnostic("no Boogie program is described so", Origin(path)))

    def following(self, witness: Witness, sources: Sequence[Source], options: BoogieOptions) -> None:
        return None

    def decode(self, data: bytes) -> str:
        return data.decode("utf-8")

    def load(self, sources: Sequence[Source], candidates: Sequence[Source], options: BoogieOptions) -> Loaded:
        from paddock.frontends import boogie

        warnings: list[Diagnostic] = []
        defined = [definition.partition("=")[0] for definition in options.definitions]
        program = boogie.load(sources, candidates, warnings, options.check_modifies, defined)
        if program == Program() and not program.generic:
            names = ", ".join(s.file for s in sources)
            raise InputError(Diagnostic("there is no declaration, so no procedure: nothing to check", Origin(names)))
        return Loaded(replace(program, language=BOOGIE), tuple(warnings))


FRONT_END = BoogieFrontEnd()
