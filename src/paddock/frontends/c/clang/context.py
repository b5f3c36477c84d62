"""What all that reads a translation unit shares: the library, the types, the places, and what names mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ctypes import c_void_p
from dataclasses import replace

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.library import Cursor, Library
from paddock.frontends.c.clang.places import Places
from paddock.frontends.c.clang.snapshot import children_of
from paddock.frontends.c.clang.spelling import Spelling
from paddock.frontends.c.clang.type_reader import Tags, TypeReader
from paddock.frontends.c.symbols import FunctionSymbol, SymbolKey, Symbols, VariableSymbol, linker_name
from paddock.frontends.c.tree import FunctionUse, Global, Initialiser, Storage, Variable, VariableUse
from paddock.frontends.c.types import VOID, CType, DataModel, FunctionType
from paddock.ir.origin import Diagnostic, Origin

_REFUSED_ATTRIBUTE = re.compile(r"__attribute__\(\((alias|cleanup|constructor|destructor|ifunc)\b")
_NO_RETURN = re.compile(rb"\b_*[Nn]oreturn_*\b")


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
        self.redeclarations: dict[str, list[Cursor]] = {}  # of functions and objects outside of functions, by name
        self.globals: dict[str, Global] = {}  # with initialisers, static locals, and literals outside of functions
        self._local_names: set[str] = set()
        self._variables: dict[int, Variable] = {}  # by declaration
        self._globals: dict[int, VariableSymbol] = {}  # by declaration
        self._functions: dict[int, FunctionSymbol] = {}  # by declaration

    def begin_function(self, name: str, result: CType) -> None:
        self.function_name = name
        self.result = result
        self._local_names = set()

    def end_function(self) -> None:
        self.begin_function("", VOID)

    def spelling(self, cursor: Cursor) -> str:
        return self.library.text(self.library.getCursorSpelling(cursor))

    def origin(self, cursor: Cursor) -> Origin:
        return self.places.origin(cursor)

    def problem(self, message: str, cursor: Cursor) -> None:
        """Note something that makes the program unusable."""
        origin, line = self.places.shown(self.library.getCursorLocation(cursor))
        self.symbols.problems.append(Diagnostic(message, origin, line))

    def linked(self, cursor: Cursor, name: str) -> tuple[SymbolKey, str]:
        """What a function or a global object is known by in the whole program, and the name that linkers know."""
        label = next((a for a in children_of(self.library, cursor) if a.kind == k.ASM_LABEL), None)
        if label is not None and self.library.Cursor_getStorageClass(cursor) != k.STORAGE_REGISTER:
            name = linker_name(name, self.spelling(label))
        internal = self.library.getCursorLinkage(cursor) == k.LINKAGE_INTERNAL
        return (name, self.number) if internal else name, name

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

    def declare_local(self, cursor: Cursor, variable: Variable) -> Variable:
        """A local object or a parameter, from now on known by its declaration."""
        self._variables[cursor.first or 0] = variable
        return variable

    def local_name(self, name: str) -> str:
        """A name for a local object that no other one of this function has, and nothing global."""
        unique = self.symbols.local_name(name, self._local_names)
        self._local_names.add(unique)
        return unique

    def hidden(self, name: str, type: CType, origin: Origin) -> Variable:
        """A local object that the user has not written."""
        return Variable("", self.local_name(name), type, Storage.LOCAL, origin)

    def static_local(self, cursor: Cursor, declared: Variable) -> Variable:
        """An object that is declared in a function but lives as long as the program."""
        unique = self.symbols.global_name(f"{self.function_name}.{declared.name}")
        made = Variable(
            declared.name,
            unique,
            declared.type,
            Storage.STATIC_LOCAL,
            declared.origin,
            declared.const,
            declared.volatile,
        )
        return self.declare_local(cursor, made)

    def global_literal(self, type: CType, initialiser: Initialiser, origin: Origin) -> Variable:
        """The object of a compound literal outside of functions."""
        made = Variable("", self.symbols.global_name("literal"), type, Storage.GLOBAL, origin, is_internal=True)
        self.globals[made.unique] = Global(made, initialiser)
        return made

    def variable(self, cursor: Cursor, origin: Origin) -> VariableUse:
        """A use of the object that a declaration declares."""
        declaration = cursor.first or 0
        local = self._variables.get(declaration)
        if local is not None:
            return VariableUse(local.type, origin, local)
        symbol = self._globals.get(declaration)
        if symbol is None:
            symbol = self.declare_global(cursor)
        symbol.used = True
        return VariableUse(symbol.variable.type, origin, symbol.variable)

    def declare_global(self, cursor: Cursor) -> VariableSymbol:
        """Note a declaration of an object outside of functions, or with `extern` in one."""
        lib = self.library
        name = self.spelling(cursor)
        type_ = lib.getCursorType(cursor)
        initialised = not lib.Cursor_isNull(lib.Cursor_getVarDeclInitializer(cursor))
        extern = lib.Cursor_getStorageClass(cursor) == k.STORAGE_EXTERN
        declared = Variable(
            name,
            name,
            self.types.read(type_),
            Storage.GLOBAL,
            self.origin(cursor),
            *self.types.qualifiers(type_),
            lib.getCursorLinkage(cursor) == k.LINKAGE_INTERNAL,
        )
        key, linked = self.linked(cursor, name)
        declared = replace(declared, unique=linked)
        symbol = self.symbols.variable(key, declared, initialised=initialised, tentative=not extern)
        self.attributes(cursor, children_of(lib, cursor))
        self._globals[cursor.first or 0] = symbol
        return symbol

    def function(self, cursor: Cursor, origin: Origin) -> FunctionUse:
        """A use of the function that a declaration declares."""
        declaration = cursor.first or 0
        symbol = self._functions.get(declaration)
        if symbol is None:
            symbol = self._functions[declaration] = self.declare_function(cursor)
        symbol.used = True
        # It may be defined, or declared in another file, with another type.
        declared = self.types.of(cursor)
        return FunctionUse(declared if isinstance(declared, FunctionType) else symbol.type, origin, symbol.name)

    def is_defined(self, name: str) -> bool:
        """Whether the program defines a function with external linkage of that name."""
        symbol = self.symbols.functions.get(name)
        return symbol is not None and symbol.defined

    def declare_function(self, cursor: Cursor) -> FunctionSymbol:
        """Note a declaration of a function that may be defined somewhere, or nowhere."""
        name = self.spelling(cursor)
        type_ = self.types.of(cursor)
        assert isinstance(type_, FunctionType)
        static = self.library.getCursorLinkage(cursor) == k.LINKAGE_INTERNAL
        key, linked = self.linked(cursor, name)
        symbol = self.symbols.function(key, linked, type_, self.origin(cursor), static, written=name)
        self.heed_attributes(cursor, symbol)
        return symbol

    def heed_attributes(self, cursor: Cursor, symbol: FunctionSymbol) -> None:
        """Note what the attributes of a declaration say about a function."""
        attributes = self.attributes(cursor, children_of(self.library, cursor))
        # GNU's attribute belongs to the type, and is shown with it.
        type_ = self.library.text(self.library.getTypeSpelling(self.library.getCursorType(cursor)))
        if "noreturn" in type_ or any(self.spelling_of.find(attribute, _NO_RETURN) for attribute in attributes):
            symbol.no_return = True

    def attributes(self, cursor: Cursor, below: Iterable[Cursor]) -> list[Cursor]:
        """The attributes among what is below a declaration. Some change what a program does, but are not supported."""
        attributes = [a for a in below if k.FIRST_ATTRIBUTE <= a.kind <= k.LAST_ATTRIBUTE]
        if any(attribute.kind == k.UNEXPOSED_ATTRIBUTE for attribute in attributes):
            # clang does not write the attributes that a declaration has from an earlier one.
            written = " ".join(map(self._printed, (cursor, *self.redeclarations.get(self.spelling(cursor), ()))))
            for word in dict.fromkeys(_REFUSED_ATTRIBUTE.findall(written)):
                self.problem(f"attribute '{word}' of '{self.spelling(cursor)}' is not supported", cursor)
        return attributes

    def _printed(self, cursor: Cursor) -> str:
        """A declaration as clang writes it, with all its attributes, whatever macros they come from."""
        lib = self.library
        policy = lib.getCursorPrintingPolicy(cursor)
        try:
            for left_out in (k.WITHOUT_INITIALISERS, k.WITHOUT_BODIES):
                lib.PrintingPolicy_setProperty(policy, left_out, 1)
            return lib.text(lib.getCursorPrettyPrinted(cursor, policy))
        finally:
            lib.PrintingPolicy_dispose(policy)
