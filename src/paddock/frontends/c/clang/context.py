"""What all that reads a translation unit shares: the library, the types, the places, and what names mean."""

from __future__ import annotations

from ctypes import c_void_p

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.attributes import Attributes
from paddock.frontends.c.clang.declared import Declared
from paddock.frontends.c.clang.labels import Labels
from paddock.frontends.c.clang.library import Cursor, Library
from paddock.frontends.c.clang.places import Places
from paddock.frontends.c.clang.snapshot import children_of
from paddock.frontends.c.clang.spelling import Spelling
from paddock.frontends.c.clang.type_reader import Tags, TypeReader
from paddock.frontends.c.symbols import Symbols
from paddock.frontends.c.tree import Storage, Variable
from paddock.frontends.c.types import VOID, CType, DataModel
from paddock.ir.origin import Diagnostic, Origin


class Context:
    """One translation unit while it is read. `number` tells it from the others of the program."""

    def __init__(
        self, library: Library, unit: c_void_p, number: int, model: DataModel, symbols: Symbols, tags: Tags
    ) -> None:
        self.library = library
        self.number = number
        self.model = model
        self.symbols = symbols
        self.places = Places(library, unit)
        self.types = TypeReader(library, model, tags)
        everything = children_of(library, library.getTranslationUnitCursor(unit))
        self.declarations = [cursor for cursor in everything if cursor.kind != k.MACRO_DEFINITION]
        macros = [cursor for cursor in everything if cursor.kind == k.MACRO_DEFINITION]
        self.spelling_of = Spelling(library, self.places, macros)
        self.function_name = ""  # of the function that is being read, if any
        self.result: CType = VOID  # of that function
        self.lengths: dict[str, Variable] = {}  # the hidden variables of arrays of variable length, by unique name
        self._local_names: set[str] = set()
        self.labels = Labels()
        self.attributes = Attributes(self)
        self.declared = Declared(self)

    def begin_function(self, name: str, result: CType) -> None:
        self.function_name = name
        self.result = result
        self._local_names = set()
        self.labels = Labels()

    def end_function(self) -> None:
        self.begin_function("", VOID)

    def spelling(self, cursor: Cursor) -> str:
        return self.library.text(self.library.getCursorSpelling(cursor))

    def label_at(self, reference: Cursor) -> str:
        """The unique name of the label that is referred to."""
        return self.labels.name(self.library.getCursorReferenced(reference), self.spelling(reference))

    def origin(self, cursor: Cursor) -> Origin:
        return self.places.origin(cursor)

    def problem(self, message: str, cursor: Cursor) -> None:
        """Note something that makes the program unusable."""
        origin, line = self.places.shown(self.library.getCursorLocation(cursor))
        self.symbols.problems.append(Diagnostic(message, origin, line))

    # ------------------------------------------------------------------------------------------- constants

    def integer(self, cursor: Cursor) -> int | None:
        """The value of a constant integer expression."""
        result = self.library.Cursor_Evaluate(cursor)
        if not result:
            return None
        try:
            if self.library.EvalResult_getKind(result) != k.EVALUATED_INT:
                return None
            unsigned = self.library.EvalResult_isUnsignedInt(result)
            getter = self.library.EvalResult_getAsUnsigned if unsigned else self.library.EvalResult_getAsLongLong
            return int(getter(result))
        finally:
            self.library.EvalResult_dispose(result)

    def double(self, cursor: Cursor) -> float | None:
        """The value of a constant of a floating type, rounded to a double."""
        result = self.library.Cursor_Evaluate(cursor)
        if not result:
            return None
        try:
            if self.library.EvalResult_getKind(result) != k.EVALUATED_FLOAT:
                return None
            return float(self.library.EvalResult_getAsDouble(result))
        finally:
            self.library.EvalResult_dispose(result)

    # ----------------------------------------------------------------------------------------------- names

    def local_name(self, name: str) -> str:
        """A name for a local object that no other one of this function has, and nothing global."""
        unique = self.symbols.local_name(name, self._local_names)
        self._local_names.add(unique)
        return unique

    def hidden(self, name: str, type: CType, origin: Origin) -> Variable:
        """A local object that the user has not written."""
        return Variable("", self.local_name(name), type, Storage.LOCAL, origin)
