"""Where cursors stand: origins for the tree, and the text of the files for what libclang does not tell."""

from __future__ import annotations

import re
from bisect import bisect_right
from ctypes import byref, c_size_t, c_uint, c_void_p, string_at

from paddock.frontends.c.clang.library import Cursor, Library, Location
from paddock.ir.origin import NOWHERE, Origin

_NEWLINE = re.compile(rb"\n")
_IN_MACRO = 1 << 31  # of a raw location


class _File:
    """A file that clang has read."""

    def __init__(self, name: str, contents: bytes) -> None:
        self.name = name
        self.contents = contents
        self._ascii = contents.isascii()
        self._line_starts = [0, *(newline.end() for newline in _NEWLINE.finditer(contents))]

    def origin(self, offset: int) -> Origin:
        """The place of a byte. Columns count characters."""
        line = bisect_right(self._line_starts, offset)
        start = self._line_starts[line - 1]
        column = offset - start if self._ascii else len(self.contents[start:offset].decode("utf-8", "replace"))
        return Origin(self.name, line, column + 1)

    def line(self, number: int) -> str:
        start = self._line_starts[number - 1]
        end = self._line_starts[number] if number < len(self._line_starts) else len(self.contents)
        return self.contents[start:end].decode("utf-8", "replace").rstrip("\r\n")


class Places:
    """The places of one translation unit.

    A place inside of a macro is shown where the macro is used: its expansion. What is read is where it is written: its
    spelling.
    """

    def __init__(self, library: Library, unit: c_void_p) -> None:
        self._library = library
        self._unit = unit
        self._files: dict[int, _File] = {}
        self._found, self._offset = c_void_p(), c_uint()
        # Lines and columns are not asked for: clang looks for them from the beginning of the line each time.
        self._answers = byref(self._found), None, None, byref(self._offset)

    def origin(self, cursor: Cursor) -> Origin:
        """Where a node stands."""
        return self.origin_at(self._library.getCursorLocation(cursor))

    def end(self, cursor: Cursor) -> Origin:
        """Where a node's last character stands."""
        self._library.getExpansionLocation(self._range(cursor)[1], *self._answers)
        file = self._file()
        return file.origin(self._offset.value - 1) if file else NOWHERE

    def origin_at(self, location: Location) -> Origin:
        self._library.getExpansionLocation(location, *self._answers)
        file = self._file()
        return file.origin(self._offset.value) if file else NOWHERE

    def shown(self, location: Location) -> tuple[Origin, str]:
        """A place with the line of text that it is in."""
        origin = self.origin_at(location)
        file = self._file()
        return origin, file.line(origin.line) if file else ""

    def text(self, cursor: Cursor) -> bytes:
        """What is written for a node; empty if it begins and ends in different files or macros."""
        return self.between(*self._range(cursor))

    def between(self, first: Location, last: Location) -> bytes:
        """What is written between two places; empty if they are in different files."""
        begin, start = self.spelling(first)
        end, stop = self.spelling(last)
        return begin[start:stop] if begin is end else b""

    def spelling(self, location: Location) -> tuple[bytes, int]:
        """The text of the file in which something is written, and where in it. What is in the definition of a macro is
        where the macro is used; what is in an argument of a macro is there."""
        self._library.getSpellingLocation(location, *self._answers)
        file = self._file()
        return (file.contents, self._offset.value) if file else (b"", 0)

    def is_in_macro(self, location: Location) -> bool:
        """Is it a place in the definition of a macro?"""
        if not location.raw & _IN_MACRO:
            return False
        self._library.getExpansionLocation(location, *self._answers)
        use = self._found.value, self._offset.value
        self._library.getSpellingLocation(location, *self._answers)
        return use == (self._found.value, self._offset.value)

    def _range(self, cursor: Cursor) -> tuple[Location, Location]:
        extent = self._library.getCursorExtent(cursor)
        return self._library.getRangeStart(extent), self._library.getRangeEnd(extent)

    def _file(self) -> _File | None:
        """The file of the last answer."""
        handle = self._found.value
        if handle is None:
            return None
        known = self._files.get(handle)
        if known is None:
            size = c_size_t()
            start = self._library.getFileContents(self._unit, handle, byref(size))
            contents = string_at(start, size.value) if start else b""
            known = _File(self._library.text(self._library.getFileName(handle)), contents)
            self._files[handle] = known
        return known


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
