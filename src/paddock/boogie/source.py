"""A source text with its name: offsets become lines and columns, problems become diagnostics."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from paddock.ir.origin import Diagnostic, Origin

_NEWLINE = re.compile("\n")
_WIDEST_SHOWN = 300  # characters of a line; programs written by tools may have all they have on one


class Source:
    """One file (or one text given directly) of a program."""

    def __init__(self, text: str, file: str = "<text>") -> None:
        self.text = text
        self.file = file

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(newline.end() for newline in _NEWLINE.finditer(self.text))]

    def origin(self, pos: int, made_by: str = "") -> Origin:
        starts = self._line_starts
        line = bisect_right(starts, pos)
        return Origin(self.file, line, pos - starts[line - 1] + 1, made_by)

    def line(self, number: int) -> str:
        """The text of a line, numbered from 1."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def diagnostic(self, pos: int, message: str, hint: str = "") -> Diagnostic:
        origin = self.origin(pos)
        line = self.line(origin.line)[:_WIDEST_SHOWN] if origin.column <= _WIDEST_SHOWN else ""
        return Diagnostic(message, origin, line, hint)
