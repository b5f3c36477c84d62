"""What is written where a node begins, also inside of macros.

libclang knows only where a macro is used. What such a use expands to is looked for in the definitions of the macro and
of those that it mentions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from paddock.frontends.c.clang.library import Cursor, Library
from paddock.frontends.c.clang.places import Places

_WORD = re.compile(rb"[A-Za-z_]\w*")


class Spelling:
    """The text of one translation unit, with the definitions of its macros."""

    def __init__(self, library: Library, places: Places, macros: Sequence[Cursor]) -> None:
        self._library = library
        self._places = places
        self._macros = macros
        self._definitions: dict[bytes, list[bytes]] | None = None

    def find(self, cursor: Cursor, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """What a node begins with, if it is like the pattern; None if it is not, or if that is not clear."""
        found = self.candidates(cursor, pattern)
        return found[0] if len(found) == 1 else None

    def candidates(self, cursor: Cursor, pattern: re.Pattern[bytes]) -> list[re.Match[bytes]]:
        """All that a node may begin with that is like the pattern."""
        location = self._library.getRangeStart(self._library.getCursorExtent(cursor))
        text, offset = self._places.spelling(location)
        if not self._places.is_in_macro(location):
            here = pattern.match(text, offset)
            return [here] if here else []
        name = _WORD.match(text, offset)
        return [m for body in self._expansions(name[0]) for m in pattern.finditer(body)] if name else []

    def is_macro(self, word: bytes) -> bool:
        """Is there a macro of that name somewhere?"""
        return word in self._defined()

    def _expansions(self, name: bytes) -> list[bytes]:
        """The definitions of a macro and of all that it mentions."""
        definitions = self._defined()
        names = [name]
        for known in names:  # grows while it is walked
            for body in definitions.get(known, ()):
                names += [w for w in dict.fromkeys(_WORD.findall(body)) if w in definitions and w not in names]
        return [body for known in names for body in definitions.get(known, ())]

    def _defined(self) -> dict[bytes, list[bytes]]:
        """The definitions of all macros, by name."""
        if self._definitions is None:
            self._definitions = {}
            for macro in self._macros:
                defined = self._library.text(self._library.getCursorSpelling(macro)).encode()
                self._definitions.setdefault(defined, []).append(self._places.text(macro))
        return self._definitions
