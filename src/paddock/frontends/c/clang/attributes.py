"""What the attributes of declarations say: which change what a program does, and which are refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.library import Cursor
from paddock.frontends.c.clang.snapshot import children_of
from paddock.frontends.c.symbols import FunctionSymbol

if TYPE_CHECKING:
    from paddock.frontends.c.clang.context import Context

_REFUSED_ATTRIBUTE = re.compile(r"__attribute__\(\((alias|cleanup|ifunc)\b")
_AROUND_MAIN = re.compile(r"__attribute__\(\((constructor|destructor)(?:\((\d+)\))?")
_NO_RETURN = re.compile(rb"\b_*[Nn]oreturn_*\b")


class Attributes:
    """The attributes of declarations."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.redeclarations: dict[str, list[Cursor]] = {}  # of functions and objects outside of functions, by name
        self._around_main: dict[str, int] = {}  # of the last declaration: constructor and destructor, with priorities

    def of(self, cursor: Cursor, below: Iterable[Cursor]) -> list[Cursor]:
        """The attributes among what is below a declaration. Some change what a program does, but are not supported."""
        attributes = [a for a in below if k.FIRST_ATTRIBUTE <= a.kind <= k.LAST_ATTRIBUTE]
        if any(attribute.kind == k.UNEXPOSED_ATTRIBUTE for attribute in attributes):
            name = self._context.spelling(cursor)
            # clang does not write the attributes that a declaration has from an earlier one.
            written = " ".join(map(self._printed, (cursor, *self.redeclarations.get(name, ()))))
            for word in dict.fromkeys(_REFUSED_ATTRIBUTE.findall(written)):
                self._context.problem(f"attribute '{word}' of '{name}' is not supported", cursor)
            self._around_main = {word: int(priority or 0) for word, priority in _AROUND_MAIN.findall(written)}
        else:
            self._around_main = {}
        return attributes

    def heed(self, cursor: Cursor, symbol: FunctionSymbol) -> None:
        """Note what the attributes of a declaration say about a function."""
        library, spelling_of = self._context.library, self._context.spelling_of
        attributes = self.of(cursor, children_of(library, cursor))
        symbol.constructor, symbol.destructor = map(self._around_main.get, ("constructor", "destructor"))
        # GNU's attribute belongs to the type, and is shown with it.
        type_ = library.text(library.getTypeSpelling(library.getCursorType(cursor)))
        if "noreturn" in type_ or any(spelling_of.find(attribute, _NO_RETURN) for attribute in attributes):
            symbol.no_return = True

    def _printed(self, cursor: Cursor) -> str:
        """A declaration as clang writes it, with all its attributes, whatever macros they come from."""
        lib = self._context.library
        policy = lib.getCursorPrintingPolicy(cursor)
        try:
            for left_out in (k.WITHOUT_INITIALISERS, k.WITHOUT_BODIES):
                lib.PrintingPolicy_setProperty(policy, left_out, 1)
            return lib.text(lib.getCursorPrettyPrinted(cursor, policy))
        finally:
            lib.PrintingPolicy_dispose(policy)
