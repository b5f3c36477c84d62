"""What a front end is: from sources and its own options to a program, and a language in which its runs are shown.

A front end is a folder beside this file whose module `frontend.py` has an object `FRONT_END`. That module is loaded for
its endings alone, so whatever takes time to import is imported when a program is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from paddock.frontends.source import Source
from paddock.frozen import frozen
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import Diagnostic, Origin
from paddock.ir.program import Program
from paddock.report.counterexample import Counterexample, TraceStep
from paddock.report.witnesses import Witness
from paddock.trace.run import Run

# The line of a source that an origin is in, or nothing.
SourceLine = Callable[[Origin], str]


class Language(Protocol):
    """The language that a program is written in. It goes with the program (`Program.language`)."""

    @property
    def name(self) -> str: ...

    @property
    def choose(self) -> str | None:
        """What suits its programs as `--tune choose`, if anything does better than what suits others."""
        ...

    @property
    def computes(self) -> bool:
        """Whether its programs compute more than they choose, so that executing them symbolically suits them."""
        ...

    @property
    def goes_on(self) -> bool:
        """Whether executions may go on where an assertion fails, as `--independent` asks."""
        ...

    @property
    def data_model(self) -> str:
        """The sizes of types that a program was read with, by their name; empty where a language has one choice."""
        ...

    def narrate(self, run: Run, program: Program, source_line: SourceLine) -> Counterexample:
        """A run as a person reads it: the steps worth seeing, with values in the language's own terms, and the choices
        that were made for it."""
        ...

    def condition(self, condition: Expr, procedure: str, program: Program, visible: Mapping[Var, str]) -> str | None:
        """A condition over the parameters, the results and the globals of a procedure, and variables that are visible
        by a name, in the language's own terms; None if it has none, or they are Boogie's."""
        ...

    def harness(
        self, run: Run, program: Program, last: TraceStep, sources: Sequence[Source], options: Any
    ) -> str | None:
        """Code that makes a run happen, which ends in a step; None where the language has nothing of the kind. The
        options are the front end's."""
        ...


@frozen
class Loaded:
    """A program as a front end gives it, and what the user should know of it."""

    program: Program
    warnings: tuple[Diagnostic, ...] = ()


class FrontEnd(Protocol):
    """A way to read programs. Files with these endings are for it."""

    @property
    def name(self) -> str:
        """Of its language, as messages say it."""
        ...

    @property
    def endings(self) -> tuple[str, ...]: ...

    @property
    def options(self) -> type:
        """A dataclass with what it wants to know of the options of a check, by their names."""
        ...

    @property
    def reads_candidates(self) -> bool:
        """Whether texts of candidates for summaries may come with the sources."""
        ...

    @property
    def writes_harnesses(self) -> bool: ...

    @property
    def names_files(self) -> bool:
        """Whether there are files for it that name those of a whole program."""
        ...

    def project(self, path: str) -> list[str]:
        """The files that such a file names, in its order. Raises `InputError`."""
        ...

    def following(self, witness: Witness, sources: Sequence[Source], options: Any) -> Sequence[Source] | None:
        """Sources that do what a witness says: of a violation, only runs that it describes report errors; each
        invariant is an assertion of a function of its own, `INVARIANT` with its number. Raises `InputError` if a part
        of the witness is not there or not supported. None if witnesses are not about programs of this language."""
        ...

    def decode(self, data: bytes) -> str:
        """The text of a file. Raises `UnicodeDecodeError`."""
        ...

    def load(self, sources: Sequence[Source], candidates: Sequence[Source], options: Any) -> Loaded:
        """The program that the sources make together; its language is set. Raises `InputError`."""
        ...
