"""Where a piece of a program came from, and the one error a user can cause.

Every statement keeps the origin of the source it was made from; passes copy it. It is the way home
from a solver's model to a source line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Origin:
    """A place in a source file (line and column from 1) and what made the piece that carries it.

    `made_by` is empty for what the user wrote as it stands; otherwise it says what the front end or
    a pass turned into this piece: `"loop invariant"`, `"requires of Close"`, `"error-bit"`. `note` is a number
    under which the front end that made the program keeps how to show the piece, and 0 if it has nothing to say.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    made_by: str = ""
    note: int = field(default=0, compare=False)

    def by(self, maker: str) -> Origin:
        """The same place, made by `maker`."""
        return Origin(self.file, self.line, self.column, maker, self.note)

    def noted(self, note: int) -> Origin:
        """The same place, with something to show."""
        return Origin(self.file, self.line, self.column, self.made_by, note)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file or "<no source>"


NOWHERE = Origin()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong with the input, where it is, and perhaps what to do about it."""

    message: str
    origin: Origin = NOWHERE
    source_line: str = ""
    hint: str = ""

    def __str__(self) -> str:
        """The message as it is shown: place, message, source line and caret, hint."""
        head = f"{self.origin}: error: {self.message}" if self.origin != NOWHERE else f"error: {self.message}"
        lines = [head]
        if self.source_line and self.origin.column:
            before = self.source_line[: self.origin.column - 1]
            # Tabs are kept so that the caret lands under the right character.
            lines += [f"  {self.source_line}", "  " + "".join("\t" if c == "\t" else " " for c in before) + "^"]
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)


class InputError(Exception):
    """The input is wrong; carries every diagnostic that was found, in source order."""

    def __init__(self, diagnostics: Sequence[Diagnostic] | Diagnostic | str) -> None:
        if isinstance(diagnostics, str):
            diagnostics = Diagnostic(diagnostics)
        if isinstance(diagnostics, Diagnostic):
            diagnostics = [diagnostics]
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))
