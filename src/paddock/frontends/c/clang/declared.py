"""Objects and functions of a translation unit, found again by their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.library import Cursor
from paddock.frontends.c.clang.snapshot import children_of
from paddock.frontends.c.symbols import FunctionSymbol, SymbolKey, VariableSymbol, linker_name
from paddock.frontends.c.tree import FunctionUse, Global, Initialiser, Storage, Variable, VariableUse
from paddock.frontends.c.types import CType, FunctionType
from paddock.frozen import replace
from paddock.ir.origin import Origin

if TYPE_CHECKING:
    from paddock.frontends.c.clang.context import Context


class Declared:
    """What names of a translation unit mean: objects and functions, by the declarations that uses refer to."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.globals: dict[str, Global] = {}  # with initialisers, static locals, and literals outside of functions
        self._variables: dict[int, Variable] = {}  # by declaration
        self._globals: dict[int, VariableSymbol] = {}  # by declaration
        self._functions: dict[int, FunctionSymbol] = {}  # by declaration

    def linked(self, cursor: Cursor, name: str) -> tuple[SymbolKey, str]:
        """What a function or a global object is known by in the whole program, and the name that linkers know."""
        label = next((a for a in children_of(self._context.library, cursor) if a.kind == k.ASM_LABEL), None)
        if label is not None and self._context.library.Cursor_getStorageClass(cursor) != k.STORAGE_REGISTER:
            name = linker_name(name, self._context.spelling(label))
        internal = self._context.library.getCursorLinkage(cursor) == k.LINKAGE_INTERNAL
        return (name, self._context.number) if internal else name, name

    def declare_local(self, cursor: Cursor, variable: Variable) -> Variable:
        """A local object or a parameter, from now on known by its declaration."""
        self._variables[cursor.first or 0] = variable
        return variable

    def static_local(self, cursor: Cursor, declared: Variable) -> Variable:
        """An object that is declared in a function but lives as long as the program."""
        unique = self._context.symbols.global_name(f"{self._context.function_name}.{declared.name}")
        made = Variable(
            declared.name,
            unique,
            declared.type,
            Storage.STATIC_LOCAL,
            declared.origin,
            declared.const,
            declared.volatile,
            is_of_thread=bool(self._context.library.getCursorTLSKind(cursor)),
        )
        return self.declare_local(cursor, made)

    def global_literal(self, type: CType, initialiser: Initialiser, origin: Origin) -> Variable:
        """The object of a compound literal outside of functions."""
        made = Variable(
            "", self._context.symbols.global_name("literal"), type, Storage.GLOBAL, origin, is_internal=True
        )
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
        lib = self._context.library
        name = self._context.spelling(cursor)
        type_ = lib.getCursorType(cursor)
        initialised = not lib.Cursor_isNull(lib.Cursor_getVarDeclInitializer(cursor))
        extern = lib.Cursor_getStorageClass(cursor) == k.STORAGE_EXTERN
        declared = Variable(
            name,
            name,
            self._context.types.read(type_),
            Storage.GLOBAL,
            self._context.origin(cursor),
            *self._context.types.qualifiers(type_),
            lib.getCursorLinkage(cursor) == k.LINKAGE_INTERNAL,
            bool(lib.getCursorTLSKind(cursor)),
        )
        key, linked = self.linked(cursor, name)
        declared = replace(declared, unique=linked)
        symbol = self._context.symbols.variable(key, declared, initialised=initialised, tentative=not extern)
        self._context.attributes.of(cursor, children_of(lib, cursor))
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
        declared = self._context.types.of(cursor)
        return FunctionUse(declared if isinstance(declared, FunctionType) else symbol.type, origin, symbol.name)

    def is_defined(self, name: str) -> bool:
        """Whether the program defines a function with external linkage of that name."""
        symbol = self._context.symbols.functions.get(name)
        return symbol is not None and symbol.defined

    def declare_function(self, cursor: Cursor) -> FunctionSymbol:
        """Note a declaration of a function that may be defined somewhere, or nowhere."""
        name = self._context.spelling(cursor)
        type_ = self._context.types.of(cursor)
        assert isinstance(type_, FunctionType)
        static = self._context.library.getCursorLinkage(cursor) == k.LINKAGE_INTERNAL
        key, linked = self.linked(cursor, name)
        symbol = self._context.symbols.function(key, linked, type_, self._context.origin(cursor), static, written=name)
        self._context.attributes.heed(cursor, symbol)
        return symbol
