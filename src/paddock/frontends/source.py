"""A source text with its name: offsets become lines and columns, problems become diagnostics."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from paddock.frozen import frozen
from paddock.ir.origin import IN_SOURCE, Diagnostic, Origin, Provenance

_NEWLINE = re.compile("\n")
_WIDEST_SHOWN = 300  # characters of a line; programs written by tools may have all they have on one


@frozen
class LineMark:
    """From this line on, the text says that it comes from a line of a file."""

    at: int
    line: int
    file: str


class Source:
    """One file (or one text given directly) of a program. What counts of the text is its `code`, with blanks for the
    rest; `marks` say where it claims to come from, in order."""

    def __init__(
        self, text: str, file: str = "<text>", code: str | None = None, marks: Sequence[LineMark] = ()
    ) -> None:
        self.text = text
        self.file = file
        self.code = text if code is None else code
        self.marks = marks

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(newline.end() for newline in _NEWLINE.finditer(self.text))]

    def origin(self, pos: int, provenance: Provenance = IN_SOURCE) -> Origin:
        starts = self._line_starts
        line = bisect_right(starts, pos)
        column = pos - starts[line - 1] + 1
        if not self.marks or line < self.marks[0].at:
            return Origin(self.file, line, column, provenance)
        mark = self.marks[bisect_right(self.marks, line, key=lambda m: m.at) - 1]
        return Origin(mark.file, mark.line + line - mark.at, column, provenance)

    def line_number(self, pos: int) -> int:
        """In which line of the text an offset is, whatever its marks say; from 1."""
        return bisect_right(self._line_starts, pos)

    def line(self, number: int) -> str:
        """The text of a line, numbered from 1; empty if there is no such line."""
        if number > len(self._line_starts):
            return ""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def diagnostic(self, pos: int, message: str, hint: str = "") -> Diagnostic:
        origin = self.origin(pos)
        line = self.line(self.line_number(pos))[:_WIDEST_SHOWN] if origin.column <= _WIDEST_SHOWN else ""
        return Diagnostic(message, origin, line, hint)
