"""The names that the files of a program share: functions and global objects, linked by name (C11 6.2.2).

All files declare what they have before any body is read, so that every use of a name finds the type of its definition.
"""

from __future__ import annotations

import re
from collections.abc import Hashable

from paddock.frontends.c.tree import Storage, Variable
from paddock.frontends.c.types import INT, ArrayType, CType, FunctionType
from paddock.frozen import mutable, replace
from paddock.ir.origin import Diagnostic, Origin

# A name with external linkage is itself; one with internal linkage belongs to a file, which is part of its key.
SymbolKey = Hashable

_MODELS = "<models>/"
_VERSIONED = re.compile(r"^__(?:isoc99_|isoc23_|xpg_|posix_|bsd_|xstat_)?|(?:_time)?64(?=_r$|$)")


@mutable
class FunctionSymbol:
    """A function; `name` is unique in the program."""

    name: str
    written_name: str
    type: FunctionType
    origin: Origin
    static: bool
    no_return: bool = False
    defined: bool = False
    inline: bool = False
    used: bool = False
    constructor: int | None = None
    destructor: int | None = None


@mutable
class VariableSymbol:
    """A global object. `initialised` is where it gets its value; `tentative` is a definition that gives it none."""

    variable: Variable
    initialised: Origin | None = None
    tentative: bool = False
    used: bool = False


class Symbols:
    """The functions and global objects of a program, and which names are taken."""

    def __init__(self) -> None:
        self.functions: dict[SymbolKey, FunctionSymbol] = {}
        self.variables: dict[SymbolKey, VariableSymbol] = {}
        self.problems: list[Diagnostic] = []
        self._globals: set[str] = set()
        self._reserved: set[str] = set()
        self._locals: set[str] = set()

    def reserve(self, name: str) -> None:
        """Keep a name for something global that may be used."""
        self._reserved.add(name)

    def local_name(self, name: str, others: set[str]) -> str:
        """A name for a local object that differs from the others of its function and from all that is global."""
        unique = _unlike(name, self._globals, self._reserved, others)
        self._locals.add(unique)
        return unique

    def global_name(self, name: str) -> str:
        """A name that nothing else in the program has."""
        unique = _unlike(name, self._globals, self._locals)
        self._globals.add(unique)
        return unique

    def function(
        self, key: SymbolKey, name: str, type: FunctionType, origin: Origin, static: bool, *, written: str = ""
    ) -> FunctionSymbol:
        """The function with this key; declared with this type if it is new. `written` is what the file calls it."""
        known = self.functions.get(key)
        if known is None:
            known = FunctionSymbol(self.global_name(name), written or name, type, origin, static)
            self.functions[key] = known
        return known

    def undefined(self) -> set[str]:
        """The names of the functions that are used and defined nowhere."""
        return {symbol.name for symbol in self.functions.values() if symbol.used and not symbol.defined}

    def define_function(
        self,
        key: SymbolKey,
        name: str,
        type: FunctionType,
        origin: Origin,
        *,
        written: str = "",
        static: bool,
        inline: bool,
        weak: bool,
    ) -> bool:
        """Note a definition; false if there is another one that takes its place, as any does of a weak one."""
        symbol = self.function(key, name, type, origin, static, written=written)
        if symbol.defined and not weak and not (inline and symbol.inline):
            self._defined_twice(name, origin, symbol.origin)
        if symbol.defined:
            return False
        symbol.type, symbol.origin, symbol.defined, symbol.inline = type, origin, True, inline
        return True

    def variable(
        self, key: SymbolKey, declared: Variable, *, initialised: bool = False, tentative: bool = False
    ) -> VariableSymbol:
        """The global object with this key, after one more declaration of it. Its unique name is chosen here."""
        known = self.variables.get(key)
        if known is None:
            unique = self.global_name(declared.unique)
            known = self.variables[key] = VariableSymbol(replace(declared, unique=unique))
        elif initialised and known.initialised:
            self._defined_twice(declared.name, declared.origin, known.initialised)
        elif initialised or _tells_more(declared.type, known.variable.type):
            type_ = known.variable.type if _tells_more(known.variable.type, declared.type) else declared.type
            known.variable = replace(declared, unique=known.variable.unique, type=type_)
        elif known.variable.const and not (declared.const or known.initialised or known.used):
            known.variable = replace(known.variable, const=False)  # others may take it for what it is not
        if initialised:
            known.initialised = known.initialised or declared.origin
        known.tentative = known.tentative or tentative
        return known

    def _defined_twice(self, name: str, origin: Origin, other: Origin) -> None:
        self.problems.append(Diagnostic(f"'{name}' is defined twice", origin, hint=f"the other definition: {other}"))


def linker_name(name: str, label: str) -> str:
    """What a declaration with an assembler name (`__asm__("label")`) stands for: what is defined under that name.

    The GNU C library gives names of its own to the versions of a function that a standard asks for; these are what C
    calls them."""
    return name if _VERSIONED.sub("", label) == name else label


def model_file(name: str) -> str:
    """What a file of models is called, as no file of a user is."""
    return f"{_MODELS}{name}"


def is_model(origin: Origin) -> bool:
    """Whether something is from a file of models."""
    return origin.file.startswith(_MODELS)


def is_errno(variable: Variable) -> bool:
    """Whether a global is the object that holds the number of the last error."""
    if variable.name != "errno" or variable.type is not INT:
        return False
    return variable.storage is Storage.GLOBAL or is_model(variable.origin)


def _unlike(name: str, *others: set[str]) -> str:
    """The name, or that name with the first number that makes it differ from all others."""
    unique, number = name, 0
    while any(unique in taken for taken in others):
        number += 1
        unique = f"{name}${number}"
    return unique


def _tells_more(new: CType, old: CType) -> bool:
    """Does a declaration tell what another one does not: the length of an array?"""
    return isinstance(old, ArrayType) and old.length is None and isinstance(new, ArrayType) and new.length is not None
