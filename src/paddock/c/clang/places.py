"""Where cursors stand: origins for the tree, and the text of the files for what libclang does not tell."""

from __future__ import annotations

import re
from ctypes import byref, c_size_t, c_uint, c_void_p, string_at

from paddock.c.clang.library import Cursor, Library, Location
from paddock.ir.origin import NOWHERE, Origin

_WORD = re.compile(rb"\w*")


class Places:
    """The places of one translation unit.

    A place inside of a macro is shown where the macro is used (its expansion), but what stands there is read where it
    is written (its spelling).
    """

    def __init__(self, library: Library, unit: c_void_p) -> None:
        self._library = library
        self._unit = unit
        self._names: dict[int, str] = {}
        self._contents: dict[int, bytes] = {}
        self._file, self._line, self._column, self._offset = c_void_p(), c_uint(), c_uint(), c_uint()
        self._numbers = byref(self._file), byref(self._line), byref(self._column), byref(self._offset)

    def origin(self, cursor: Cursor) -> Origin:
        """Where a node stands."""
        return self.origin_at(self._library.getCursorLocation(cursor))

    def end(self, cursor: Cursor) -> Origin:
        """Where a node's last character stands."""
        end = self.origin_at(self._library.getRangeEnd(self._library.getCursorExtent(cursor)))
        return Origin(end.file, end.line, max(end.column - 1, 1)) if end is not NOWHERE else NOWHERE

    def origin_at(self, location: Location) -> Origin:
        self._library.getExpansionLocation(location, *self._numbers)
        file = self._file.value
        if file is None:
            return NOWHERE
        column = self._column.value
        if not self.contents(file).isascii():
            column = self._character_column(file, self._offset.value, column)
        return Origin(self.name(file), self._line.value, column)

    def shown(self, location: Location) -> tuple[Origin, str]:
        """A place with the line of text that it is in."""
        origin = self.origin_at(location)
        file, offset = self._file.value, self._offset.value
        if file is None:
            return origin, ""
        text = self.contents(file)
        start = text.rfind(b"\n", 0, offset) + 1
        end = text.find(b"\n", offset)
        return origin, text[start : end if end >= 0 else len(text)].decode("utf-8", "replace").rstrip("\r")

    def _character_column(self, file: int, offset: int, column: int) -> int:
        """The column in characters; clang counts bytes."""
        before = self.contents(file)[max(offset - column + 1, 0) : offset]
        return len(before.decode("utf-8", "replace")) + 1

    def name(self, file: int) -> str:
        """The name of a file, as it was given or found."""
        known = self._names.get(file)
        if known is None:
            known = self._names[file] = self._library.text(self._library.getFileName(file))
        return known

    def contents(self, file: int) -> bytes:
        known = self._contents.get(file)
        if known is None:
            size = c_size_t()
            start = self._library.getFileContents(self._unit, file, byref(size))
            known = self._contents[file] = string_at(start, size.value) if start else b""
        return known

    def spelling(self, location: Location) -> tuple[bytes, int]:
        """The text of the file in which something is written, and where in it."""
        self._library.getSpellingLocation(location, *self._numbers)
        file = self._file.value
        return (self.contents(file), self._offset.value) if file is not None else (b"", 0)

    def text(self, cursor: Cursor) -> bytes:
        """What is written for a node; empty if it begins and ends in different files or macros."""
        extent = self._library.getCursorExtent(cursor)
        begin, start = self.spelling(self._library.getRangeStart(extent))
        end, stop = self.spelling(self._library.getRangeEnd(extent))
        return begin[start:stop] if begin is end else b""

    def first_word(self, cursor: Cursor) -> str:
        """The name or keyword that a node begins with; empty if it begins with something else."""
        text, offset = self.spelling(self._library.getRangeStart(self._library.getCursorExtent(cursor)))
        word = _WORD.match(text, offset)
        return word[0].decode("ascii", "replace") if word else ""


_TOKENS = re.compile(
    rb"""(?P<space>\s+|\\\r?\n|//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<mark>[()\[\]{};])|.""",
    re.DOTALL,
)


def parts_of_for(text: bytes, offset: int) -> list[bool]:
    """Which of the three parts between the parentheses of a `for` are there; the loop begins at the offset.

    libclang lists only the parts that are there, without saying which."""
    depth, present, number = 0, [False, False, False], 0
    for token in _TOKENS.finditer(text, offset):
        mark = token["mark"]
        if mark in (b"(", b"[", b"{"):
            depth += 1
            if depth == 1:
                continue
        elif mark in (b")", b"]", b"}"):
            depth -= 1
            if depth == 0:
                break
        elif mark == b";" and depth == 1:
            number += 1
            if number > 2:
                break
            continue
        if depth and not token["space"]:
            present[number] = True
    return present
