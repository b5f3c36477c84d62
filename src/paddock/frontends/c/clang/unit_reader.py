"""Translation units of clang as one linked unit of the tree.

First all files declare their functions and objects, so that every use finds the definition, wherever that is; then
bodies and initialisers are read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from ctypes import c_void_p

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.context import Context
from paddock.frontends.c.clang.expressions import ExpressionReader
from paddock.frontends.c.clang.library import Cursor, Library
from paddock.frontends.c.clang.snapshot import Node, entering_and_leaving, snapshot
from paddock.frontends.c.clang.statements import StatementReader
from paddock.frontends.c.clang.type_reader import Tags
from paddock.frontends.c.symbols import FunctionSymbol, Symbols
from paddock.frontends.c.tree import Block, Function, Global, Statement, Unit
from paddock.frontends.c.types import DataModel, FunctionType, decayed
from paddock.ir.origin import InputError


def read_units(
    library: Library,
    units: Sequence[c_void_p],
    models: Callable[[Collection[str]], Sequence[c_void_p]],
    model: DataModel,
) -> Unit:
    """The program that parsed translation units make together, with those functions of the models that it uses but does
    not define. `models` gives the units that define some functions."""
    symbols, tags = Symbols(), Tags()
    bodies: dict[str, Function] = {}
    globals_: dict[str, Global] = {}
    readers: list[UnitReader] = []
    known: set[str] = set()
    while units:
        new = [
            UnitReader(Context(library, unit, n, model, symbols, tags), weak=bool(known))
            for n, unit in enumerate(units, len(readers))
        ]
        for reader in new:
            reader.declare()
        readers += new
        while any(_read_more(reader, bodies, globals_) for reader in readers):
            pass
        wanted = symbols.undefined() - known
        units = () if symbols.problems or not wanted else models(wanted)
        known |= wanted
    if symbols.problems:
        raise InputError(symbols.problems)
    for symbol in symbols.variables.values():
        variable = symbol.variable
        if variable.unique not in globals_ and (symbol.tentative or symbol.used):
            globals_[variable.unique] = Global(variable, None, external=not symbol.tentative)
    functions = [bodies.get(f.name) or _undefined(f) for f in symbols.functions.values() if f.used or f.name in bodies]
    return Unit(model, tuple(functions), tuple(globals_.values()), tags.records, tags.enumerators)


def _read_more(reader: UnitReader, bodies: dict[str, Function], globals_: dict[str, Global]) -> bool:
    """Read what a unit defines and is wanted by now; whether there was anything."""
    new = reader.functions()
    bodies.update(new)
    globals_.update(reader.globals())
    return bool(new)


def _undefined(symbol: FunctionSymbol) -> Function:
    return Function(
        symbol.name, symbol.written_name, symbol.type, (), None, symbol.origin, symbol.static, symbol.no_return
    )


class UnitReader:
    """Reads one translation unit; of a weak one, only functions that are used and not defined elsewhere."""

    def __init__(self, context: Context, *, weak: bool) -> None:
        self._context = context
        self._weak = weak
        self._library = context.library
        self._expressions = ExpressionReader(context)
        self._statements = StatementReader(context)
        self._definitions: list[tuple[Cursor, FunctionSymbol]] = []
        self._initialised: list[Cursor] = []

    def declare(self) -> None:
        """Note all functions and objects of the unit."""
        lib = self._library
        for cursor in self._context.declarations:
            if cursor.kind not in (k.FUNCTION_DECL, k.VAR_DECL):
                continue
            name = self._context.spelling(cursor)
            self._context.attributes.redeclarations.setdefault(name, []).append(cursor)
            if cursor.kind == k.FUNCTION_DECL:
                self._context.symbols.reserve(name)
                if lib.isCursorDefinition(cursor):
                    self._define(cursor, name)
            else:
                symbol = self._context.declared.declare_global(cursor)
                self._context.symbols.reserve(symbol.variable.name)
                if not lib.Cursor_isNull(lib.Cursor_getVarDeclInitializer(cursor)):
                    self._initialised.append(cursor)

    def _define(self, cursor: Cursor, name: str) -> None:
        lib, context = self._library, self._context
        declared = context.types.of(cursor)
        assert isinstance(declared, FunctionType)
        # Parameters declared in the old style have other types than the function's type says.
        parameters = tuple(decayed(context.types.of(p)) for p in self._parameters(cursor))
        prototyped = declared.prototyped and declared.parameters == parameters
        type_ = FunctionType(declared.result, parameters, declared.variadic, prototyped)
        (key, linked), origin = context.declared.linked(cursor, name), context.origin(cursor)
        static = lib.getCursorLinkage(cursor) == k.LINKAGE_INTERNAL
        inline = bool(lib.Cursor_isFunctionInlined(cursor))
        if context.symbols.define_function(
            key, linked, type_, origin, written=name, static=static, inline=inline, weak=self._weak
        ):
            symbol = context.symbols.functions[key]
            context.attributes.heed(cursor, symbol)
            self._definitions.append((cursor, symbol))

    def _parameters(self, cursor: Cursor) -> list[Cursor]:
        lib = self._library
        return [lib.Cursor_getArgument(cursor, i) for i in range(lib.Cursor_getNumArguments(cursor))]

    def functions(self) -> dict[str, Function]:
        """The functions that the unit defines, but for those that have been read before, by unique name."""
        read: dict[str, Function] = {}
        while True:
            wanted = [(c, s) for c, s in self._definitions if s.used or not self._weak]
            if not wanted:
                return read
            self._definitions = [(c, s) for c, s in self._definitions if not (s.used or not self._weak)]
            for cursor, symbol in wanted:
                read[symbol.name] = self._function(cursor, symbol)

    def _function(self, cursor: Cursor, symbol: FunctionSymbol) -> Function:
        context = self._context
        context.begin_function(symbol.name, symbol.type.result)
        root = self._read(snapshot(self._library, cursor))
        declared = {p.first for p in self._parameters(cursor)}
        before: list[Statement] = []
        for node in root.children:
            if node.kind == k.PARM_DECL and node.cursor.first in declared:
                before += node.statements or ()
        parameters = tuple(context.declared.variable(p, symbol.origin).variable for p in self._parameters(cursor))
        (body,) = root.children[-1].statements or (None,)
        assert isinstance(body, Block)
        if before:
            body = Block(body.origin, (*before, *body.statements), body.end)
        context.end_function()
        return Function(
            symbol.name,
            symbol.written_name,
            symbol.type,
            parameters,
            body,
            symbol.origin,
            symbol.static,
            symbol.no_return,
            symbol.constructor,
            symbol.destructor,
        )

    def globals(self) -> dict[str, Global]:
        """The objects of the unit that have initialisers or are made by functions, by unique name."""
        for cursor in self._initialised:
            self._read(snapshot(self._library, cursor))
        self._initialised = []
        return self._context.declared.globals

    def _read(self, root: Node) -> Node:
        for node, entering in entering_and_leaving(root):
            reader = self._expressions if node.is_expression() else self._statements
            if entering:
                reader.enter(node)
            else:
                reader.leave(node)
        return root
