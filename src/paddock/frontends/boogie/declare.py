"""The first look at a program: its declarations become symbols, so that they can be used in any order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.attributes import is_marked
from paddock.frontends.boogie.symbols import DatatypeSymbol, FunctionSymbol, ProcedureSymbol, Symbols
from paddock.frontends.boogie.type_symbols import TypeSymbol
from paddock.frontends.boogie.types import subtypes
from paddock.frontends.source import Source
from paddock.frozen import replace
from paddock.ir.expr import Scope, Var
from paddock.ir.types import Type, TypeVar

Located = tuple[Source, s.DeclarationSyntax]
_EXTERN = "extern"
_SORTS = {
    "Bool": "bool",
    "Int": "int",
    "Real": "real",
    "RoundingMode": "rmode",
    "String": "string",
    "RegLan": "regex",
    "(RegEx String)": "regex",
    "RegEx String": "regex",
}


def declare(declarations: Sequence[Located], symbols: Symbols) -> list[Located]:
    """Fill `symbols`; returns the declarations with older forms of datatypes brought to the present one."""
    declarations = _modern_datatypes(_without_replaced(declarations))
    declarations = [(source, node) for source, node in declarations if not _has_that_name_anyway(node)]
    _declare_types(declarations, symbols)
    _declare_datatypes(declarations, symbols)
    for source, node in declarations:
        symbols.problems.source = source
        match node:
            case s.FunctionSyntax():
                _declare_function(source, node, symbols)
            case s.ConstSyntax(pos, name, type_):
                _declare_variable(pos, name, symbols.types.resolve(type_), Scope.CONST, symbols)
            case s.GlobalSyntax(_, binding):
                assert binding.type is not None
                _declare_variable(binding.pos, binding.name, symbols.types.resolve(binding.type), Scope.GLOBAL, symbols)
    _declare_procedures(declarations, symbols)
    return declarations


def _without_replaced(declarations: Sequence[Located]) -> list[Located]:
    """Of several declarations of one name, those marked `{:extern}` are only there for want of another."""
    kept: dict[tuple[str, str], int] = {}
    dropped: set[int] = set()
    for n, (_, node) in enumerate(declarations):
        kind, attributes = _name_space(node)
        if not kind:
            continue
        before = kept.get((kind, _name(node)))
        if before is None or is_marked(_name_space(declarations[before][1])[1], _EXTERN):
            dropped.update(() if before is None else (before,))
            kept[kind, _name(node)] = n
        elif is_marked(attributes, _EXTERN):
            dropped.add(n)
    return [located for n, located in enumerate(declarations) if n not in dropped]


def _name_space(node: s.DeclarationSyntax) -> tuple[str, list[s.AttributeSyntax]]:
    """Among what the name of a declaration must be unique, if it has one; and its attributes."""
    match node:
        case s.TypeDeclSyntax() | s.DatatypeSyntax():
            return "type", node.attributes
        case s.ConstSyntax():
            return "variable", node.attributes
        case s.GlobalSyntax():
            return "variable", node.binding.attributes
        case s.FunctionSyntax() | s.ProcedureSyntax():
            return "function or procedure", node.attributes
        case _:
            return "", []


def _name(node: s.DeclarationSyntax) -> str:
    return node.binding.name if isinstance(node, s.GlobalSyntax) else getattr(node, "name", "")


# --- types ---------------------------------------------------------------------------------------


def _modern_datatypes(declarations: Sequence[Located]) -> list[Located]:
    """`type {:datatype} T; function {:constructor} C(x: int): T;` becomes `datatype T { C(x: int) }`."""
    old = {n.name: n for _, n in declarations if isinstance(n, s.TypeDeclSyntax) and _has(n.attributes, "datatype")}
    if not old:
        return list(declarations)
    constructors: dict[str, list[s.ConstructorSyntax]] = {name: [] for name in old}
    kept: list[Located] = []
    for source, node in declarations:
        if isinstance(node, s.FunctionSyntax) and _has(node.attributes, "constructor"):
            result = node.result
            if isinstance(result, s.NamedType) and result.name in old:
                _rename(node.params, _names_of_params(result, old[result.name].params))
                others = {f.name for c in constructors[result.name] for f in c.fields}
                fields = [replace(p, name=p.name or f"field{i}") for i, p in enumerate(node.params)]
                # Here, fields of one name are not one field.
                fields = [replace(f, name=own_field(f.name, node.name)) if f.name in others else f for f in fields]
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


def own_field(field: str, constructor: str) -> str:
    """What a field of an old constructor is called if another one has a field of that name."""
    return f"{field}#{constructor}"


def _has(attributes: list[s.AttributeSyntax], name: str) -> bool:
    return any(a.name == name for a in attributes)


def _names_of_params(result: s.NamedType, params: list[str]) -> dict[str, str]:
    """What an old constructor, which declares its type parameters itself, calls those of its datatype."""
    args = zip(result.args, params, strict=False)
    return {a.name: p for a, p in args if isinstance(a, s.NamedType) and a.name != p}


def _rename(params: list[s.Binding], names: dict[str, str]) -> None:
    """Replace names in the types of the parameters, which may share them."""
    stack = [p.type for p in params if p.type is not None] if names else []
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, s.MapType):
            stack += [*node.domain, node.range]
        else:
            node.name = names.get(node.name, node.name)
            stack += node.args


def _declare_types(declarations: Sequence[Located], symbols: Symbols) -> None:
    sources: dict[str, Source] = {}
    new: list[tuple[Source, s.TypeDeclSyntax]] = []
    for source, node in declarations:
        if not isinstance(node, s.TypeDeclSyntax | s.DatatypeSyntax):
            continue
        symbols.problems.source = source
        if not symbols.is_new(node.pos, node.name, symbols.types.declared):
            continue
        sources[node.name] = source
        if isinstance(node, s.DatatypeSyntax):
            symbols.types.declare(TypeSymbol(node.name, node.type_params, is_datatype=True), node.pos)
        else:
            _define_built_in(node, symbols)
            symbols.types.declare(TypeSymbol(node.name, node.params, definition_syntax=node.definition), node.pos)
            new.append((source, node))
    for source, node in new:
        symbols.problems.source = source
        if node.definition is not None:  # else only their number matters: `type Map _ _;`
            symbols.distinct_params(node.pos, node.params)
    symbols.types.define_synonyms(sources)


def _has_that_name_anyway(node: object) -> bool:
    """Whether a declaration says of a built-in type what it is: `type {:builtin "String"} string;`."""
    if not isinstance(node, s.TypeDeclSyntax) or node.params:
        return False
    sorts = [a.params[0] for a in node.attributes if a.name == "builtin" and a.params]
    return any(isinstance(sort, str) and _SORTS.get(sort) == node.name for sort in sorts)


def _define_built_in(node: s.TypeDeclSyntax, symbols: Symbols) -> None:
    """`type {:builtin "String"} S;` is another name for `string`."""
    for attribute in node.attributes:
        match attribute.name, attribute.params:
            case "builtin", [str(sort)]:
                meant = _SORTS.get(sort)
                if meant is None or node.params:
                    symbols.problems.add(attribute.pos, f'the built-in type "{sort}" is not supported')
                else:
                    node.definition = s.NamedType(node.pos, meant, [])
                return


def _scope(params: tuple[TypeVar, ...]) -> dict[str, Type]:
    return {p.name: p for p in params}


def _must_occur(pos: int, params: tuple[TypeVar, ...], types: Iterable[Type], symbols: Symbols) -> None:
    """Refuse type parameters that no use could determine."""
    if params:
        mentioned = set(subtypes(*types))
        for param in params:
            if param not in mentioned:
                message = f"the type parameter '{param.name}' does not occur in the types of parameters and results"
                symbols.problems.add(pos, message)


def _declare_datatypes(declarations: Sequence[Located], symbols: Symbols) -> None:
    for source, node in declarations:
        if not isinstance(node, s.DatatypeSyntax) or node.name in symbols.datatypes:
            continue
        symbols.problems.source = source
        params = symbols.type_params(node.pos, node.type_params)
        symbols.has_generic_datatypes |= bool(params)
        datatype = DatatypeSymbol(node.name, params, [], {}, node, source)
        symbols.datatypes[node.name] = datatype
        if not node.constructors:
            symbols.problems.add(node.pos, f"the datatype '{node.name}' has no constructor")
        for constructor in node.constructors:
            types = _field_types(datatype, constructor, symbols)
            if symbols.is_new(constructor.pos, constructor.name, symbols.functions):
                symbol = FunctionSymbol(constructor.name, params, types, datatype.type, True, constructor, source)
                symbols.functions[constructor.name] = symbol
                datatype.constructors.append(symbol)


def _field_types(datatype: DatatypeSymbol, constructor: s.ConstructorSyntax, symbols: Symbols) -> tuple[Type, ...]:
    types = []
    names: set[str] = set()
    for field in constructor.fields:
        assert field.type is not None
        type_ = symbols.types.resolve(field.type, _scope(datatype.type_params))
        types.append(type_)
        if field.name in names:
            symbols.problems.add(field.pos, f"the field '{field.name}' is declared twice")
        names.add(field.name)
        if datatype.fields.setdefault(field.name, type_) is not type_:
            message = f"the field '{field.name}' has another type in another constructor of '{datatype.name}'"
            symbols.problems.add(field.pos, message)
    return tuple(types)


# --- functions, variables, procedures ------------------------------------------------------------


def _declare_function(source: Source, node: s.FunctionSyntax, symbols: Symbols) -> None:
    params = symbols.type_params(node.pos, node.type_params)
    types = _types(node.params, params, symbols)
    result = symbols.types.resolve(node.result, _scope(params))
    _must_occur(node.pos, params, (*types, result), symbols)
    if symbols.is_new(node.pos, node.name, symbols.functions):
        symbols.functions[node.name] = FunctionSymbol(node.name, params, types, result, False, node, source)


def _types(bindings: list[s.Binding], params: tuple[TypeVar, ...], symbols: Symbols) -> tuple[Type, ...]:
    scope = _scope(params)
    return tuple([symbols.types.resolve(b.type, scope) for b in bindings if b.type is not None])


def _declare_variable(pos: int, name: str, type_: Type, scope: Scope, symbols: Symbols) -> None:
    if symbols.is_new(pos, name, symbols.variables):
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
                hint = symbols.problems.did_you_mean(node.name, symbols.procedures)
                symbols.problems.add(node.pos, f"the implementation of an undeclared procedure '{node.name}'", hint)
            else:
                owner.implementations.append((source, node))


def _declare_procedure(source: Source, node: s.ProcedureSyntax, symbols: Symbols) -> None:
    params = symbols.type_params(node.pos, node.type_params)
    ins, outs = _types(node.params, params, symbols), _types(node.results, params, symbols)
    _must_occur(node.pos, params, (*ins, *outs), symbols)
    modifies: dict[str, Var] = {}
    for name in node.modifies:
        var = symbols.variables.get(name.name)
        if var is None or var.scope is not Scope.GLOBAL:
            known = [v.name for v in symbols.variables.values() if v.scope is Scope.GLOBAL]
            hint = symbols.problems.did_you_mean(name.name, known)
            symbols.problems.add(name.pos, f"'{name.name}' is not a global variable", hint)
        else:
            modifies[name.name] = var
    if symbols.is_new(node.pos, node.name, symbols.procedures, symbols.functions):
        symbol = ProcedureSymbol(node.name, params, ins, outs, modifies, node, source)
        symbols.procedures[node.name] = symbol
        if node.body is not None:
            implementation = s.ImplementationSyntax(
                node.pos, node.name, node.type_params, node.params, node.results, node.body, node.attributes
            )
            symbol.implementations.append((source, implementation))
