"""The first look at a program: its declarations become symbols, so that they can be used in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from paddock.boogie import syntax as s
from paddock.boogie.problems import did_you_mean
from paddock.boogie.source import Source
from paddock.boogie.symbols import DatatypeSymbol, FunctionSymbol, ProcedureSymbol, Symbols
from paddock.boogie.types import TypeSymbol
from paddock.ir.expr import Scope, Var
from paddock.ir.types import Type, TypeVar

Located = tuple[Source, s.DeclarationSyntax]


def declare(declarations: Sequence[Located], symbols: Symbols) -> list[Located]:
    """Fill `symbols`; returns the declarations with older forms of datatypes brought to the present one."""
    declarations = _modern_datatypes(declarations)
    _declare_types(declarations, symbols)
    _declare_datatypes(declarations, symbols)
    for source, node in declarations:
        symbols.problems.source = source
        match node:
            case s.FunctionSyntax():
                _declare_function(source, node, symbols)
            case s.ConstSyntax(pos, name, type_):
                _declare_variable(pos, name, symbols.types.resolve(type_), Scope.CONST, symbols)
            case s.GlobalSyntax(pos, binding):
                assert binding.type is not None
                _declare_variable(binding.pos, binding.name, symbols.types.resolve(binding.type), Scope.GLOBAL, symbols)
    _declare_procedures(declarations, symbols)
    return declarations


def has(attributes: list[s.AttributeSyntax], name: str) -> bool:
    return any(a.name == name for a in attributes)


def _modern_datatypes(declarations: Sequence[Located]) -> list[Located]:
    """`type {:datatype} T; function {:constructor} C(x: int): T;` becomes `datatype T { C(x: int) }`."""
    old = {n.name: n for _, n in declarations if isinstance(n, s.TypeDeclSyntax) and has(n.attributes, "datatype")}
    if not old:
        return list(declarations)
    constructors: dict[str, list[s.ConstructorSyntax]] = {name: [] for name in old}
    kept: list[Located] = []
    for source, node in declarations:
        if isinstance(node, s.FunctionSyntax) and has(node.attributes, "constructor"):
            result = node.result
            if isinstance(result, s.NamedType) and result.name in constructors:
                fields = [replace(p, name=p.name or f"field{i}") for i, p in enumerate(node.params)]
                constructors[result.name].append(s.ConstructorSyntax(node.pos, node.name, fields))
                continue
        kept.append((source, node))
    modern: list[Located] = []
    for source, node in kept:
        if isinstance(node, s.TypeDeclSyntax) and old.get(node.name) is node:
            attributes = [a for a in node.attributes if a.name != "datatype"]
            node = s.DatatypeSyntax(node.pos, node.name, node.params, constructors[node.name], attributes)
        modern.append((source, node))
    return modern


def _type_params(pos: int, names: list[str], symbols: Symbols) -> tuple[TypeVar, ...]:
    if names:
        symbols.has_type_params = True
    if len(set(names)) != len(names):
        symbols.problems.add(pos, "a type parameter is declared twice")
    return tuple(TypeVar(n) for n in names)


def _scope(params: tuple[TypeVar, ...]) -> dict[str, Type]:
    return {p.name: p for p in params}


def _declare_types(declarations: Sequence[Located], symbols: Symbols) -> None:
    sources: dict[str, Source] = {}
    for source, node in declarations:
        if not isinstance(node, s.TypeDeclSyntax | s.DatatypeSyntax):
            continue
        symbols.problems.source = source
        if not symbols.is_new(symbols.types.declared, node.pos, "the type", node.name):  # type: ignore[arg-type]
            continue
        sources[node.name] = source
        if isinstance(node, s.DatatypeSyntax):
            symbols.types.declare(TypeSymbol(node.name, node.type_params, is_datatype=True))
        else:
            symbols.types.declare(TypeSymbol(node.name, node.params, definition_syntax=node.definition))
    symbols.types.define_synonyms(sources)


def _declare_datatypes(declarations: Sequence[Located], symbols: Symbols) -> None:
    for source, node in declarations:
        if not isinstance(node, s.DatatypeSyntax) or node.name in symbols.datatypes:
            continue
        symbols.problems.source = source
        params = _type_params(node.pos, node.type_params, symbols)
        datatype = DatatypeSymbol(node.name, params, [], {}, node, source)
        symbols.datatypes[node.name] = datatype
        if not node.constructors:
            symbols.problems.add(node.pos, f"the datatype '{node.name}' has no constructor")
        for constructor in node.constructors:
            types = []
            names: set[str] = set()
            for field in constructor.fields:
                assert field.type is not None
                type_ = symbols.types.resolve(field.type, _scope(params))
                types.append(type_)
                if field.name in names:
                    symbols.problems.add(field.pos, f"the field '{field.name}' is declared twice")
                names.add(field.name)
                if datatype.fields.setdefault(field.name, type_) is not type_:
                    message = f"the field '{field.name}' has another type in another constructor of '{node.name}'"
                    symbols.problems.add(field.pos, message)
            new = symbols.is_new(symbols.functions, constructor.pos, "the function or constructor", constructor.name)  # type: ignore[arg-type]
            if new:
                symbol = FunctionSymbol(
                    constructor.name, params, tuple(types), datatype.type, True, constructor, source
                )
                symbols.functions[constructor.name] = symbol
                datatype.constructors.append(symbol)


def _declare_function(source: Source, node: s.FunctionSyntax, symbols: Symbols) -> None:
    params = _type_params(node.pos, node.type_params, symbols)
    resolve = symbols.types.resolve
    types = tuple([resolve(p.type, _scope(params)) for p in node.params if p.type is not None])
    result = resolve(node.result, _scope(params))
    if symbols.is_new(symbols.functions, node.pos, "the function or constructor", node.name):  # type: ignore[arg-type]
        symbols.functions[node.name] = FunctionSymbol(node.name, params, types, result, False, node, source)


def _declare_variable(pos: int, name: str, type_: Type, scope: Scope, symbols: Symbols) -> None:
    if symbols.is_new(symbols.variables, pos, "the variable or constant", name):  # type: ignore[arg-type]
        symbols.variables[name] = Var(name, type_, scope)


def _declare_procedures(declarations: Sequence[Located], symbols: Symbols) -> None:
    for source, node in declarations:
        if isinstance(node, s.ProcedureSyntax):
            symbols.problems.source = source
            _declare_procedure(source, node, symbols)
    for source, node in declarations:
        if isinstance(node, s.ImplementationSyntax):
            symbols.problems.source = source
            owner = symbols.procedures.get(node.name)
            if owner is None:
                hint = did_you_mean(node.name, symbols.procedures)
                symbols.problems.add(node.pos, f"the implementation of an undeclared procedure '{node.name}'", hint)
            else:
                owner.implementations.append((source, node))


def _declare_procedure(source: Source, node: s.ProcedureSyntax, symbols: Symbols) -> None:
    params = _type_params(node.pos, node.type_params, symbols)
    resolve = symbols.types.resolve
    ins = tuple([resolve(b.type, _scope(params)) for b in node.params if b.type is not None])
    outs = tuple([resolve(b.type, _scope(params)) for b in node.results if b.type is not None])
    modifies: dict[str, Var] = {}
    for name in node.modifies:
        var = symbols.variables.get(name.name)
        if var is None or var.scope is not Scope.GLOBAL:
            known = [v.name for v in symbols.variables.values() if v.scope is Scope.GLOBAL]
            symbols.problems.add(name.pos, f"'{name.name}' is not a global variable", did_you_mean(name.name, known))
        else:
            modifies[name.name] = var
    if symbols.is_new(symbols.procedures, node.pos, "the procedure", node.name):  # type: ignore[arg-type]
        symbol = ProcedureSymbol(node.name, params, ins, outs, modifies, node, source)
        symbols.procedures[node.name] = symbol
        if node.body is not None:
            implementation = s.ImplementationSyntax(
                node.pos, node.name, node.type_params, node.params, node.results, node.body, node.attributes
            )
            symbol.implementations.append((source, implementation))
