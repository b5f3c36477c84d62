"""From parsed declarations to a `Program`: every declaration is checked and built.

A polymorphic declaration is checked once for itself, with its type parameters as they are, and then
once more for each copy that the program needs (`monomorphise.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.declare import declare
from paddock.frontends.boogie.expressions import Expressions
from paddock.frontends.boogie.monomorphise import Demand, Monomorphiser
from paddock.frontends.boogie.problems import Problems
from paddock.frontends.boogie.procedures import (
    IN_ATTRIBUTE,
    IN_WHERE,
    ProcedureBuilder,
    by_name,
    top_level,
    where_clause,
)
from paddock.frontends.boogie.symbols import DatatypeSymbol, FunctionSymbol, ProcedureSymbol, Symbols
from paddock.frontends.boogie.type_quantifiers import TypeQuantifiers, types_in
from paddock.frontends.boogie.types import PolyMap, shown, substitute_type, subtypes
from paddock.frontends.boogie.wellfounded import without_values
from paddock.frontends.source import Source
from paddock.frozen import field, mutable, replace
from paddock.ir.expr import Attributes, Expr, Quantifier, Scope, Var
from paddock.ir.program import (
    Axiom,
    Constant,
    Constructor,
    Datatype,
    Function,
    Procedure,
    Program,
    TypeDecl,
    VarDecl,
)
from paddock.ir.types import BOOL, Named, Type, TypeVar

_IN_AXIOM = "cannot be used in an axiom"
_IN_FUNCTION = "cannot be used in a function"

TypeArgs = tuple[Type, ...]


def check(
    declarations: Sequence[tuple[Source, s.DeclarationSyntax]], problems: Problems, check_modifies: bool = True
) -> Program:
    """The program that the declarations make up; raises `InputError` with all that is wrong, `problems` included."""
    symbols = Symbols(problems)
    modern = declare(declarations, symbols)
    quantifiers = TypeQuantifiers()
    while True:
        checker = _Checker(symbols, check_modifies, quantifiers)
        checker.run(modern)
        problems.raise_if_any()
        if quantifiers.settle(checker.mono.candidates, problems):
            problems.raise_if_any()
            return checker.program()


@mutable
class _PolymorphicAxiom:
    source: Source
    node: s.AxiomSyntax
    params: tuple[TypeVar, ...]
    irrelevant: tuple[TypeVar, ...]  # further parameters that nothing depends on
    uses: list[tuple[object, TypeArgs]]
    made: set[TypeArgs] = field(default_factory=set)


@mutable
class _Built:
    """The declarations that are built."""

    types: list[TypeDecl] = field(default_factory=list)
    datatypes: list[Datatype] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    axioms: list[Axiom] = field(default_factory=list)
    globals: list[VarDecl] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)
    generic: list[Procedure] = field(default_factory=list)


class _Checker:
    def __init__(self, symbols: Symbols, check_modifies: bool, quantifiers: TypeQuantifiers) -> None:
        self.symbols = symbols
        self.problems = symbols.problems
        self.exprs = Expressions(symbols)
        self.mono = Monomorphiser(self.exprs, symbols, quantifiers)
        self.procedures = ProcedureBuilder(symbols, self.exprs, self.mono, check_modifies)
        self.built = _Built()
        self.source = Source("")
        self.polymorphic_axioms: list[_PolymorphicAxiom] = []

    def program(self) -> Program:
        types, datatypes = self.mono.poly_map_declarations()
        return Program(
            types=(*self.built.types, *types),
            datatypes=(*self.built.datatypes, *datatypes),
            constants=tuple(self.built.constants),
            functions=tuple(self.built.functions),
            axioms=tuple(self.built.axioms),
            globals=tuple(self.built.globals),
            procedures=tuple(self.built.procedures),
            generic=tuple(self.built.generic),
        )

    def run(self, declarations: Sequence[tuple[Source, s.DeclarationSyntax]]) -> None:
        for source, node in declarations:
            self._at(source)
            match node:
                case s.TypeDeclSyntax():
                    self._type(node)
                case s.ConstSyntax(pos, name, _, unique, attributes):
                    var = top_level(name, pos, self.symbols, self.mono)
                    kept = self._attributes(attributes)
                    self.built.constants.append(Constant(var, unique, kept, source.origin(pos)))
                case s.AxiomSyntax():
                    self._axiom_or_scheme(node)
                case s.GlobalSyntax(_, binding):
                    self._global(binding)
                case s.ImplementationSyntax():
                    pass  # built with its procedure
                case s.DatatypeSyntax() | s.FunctionSyntax() | s.ProcedureSyntax():
                    self._symbol(node)
        # One mistake may make copies go astray; report it rather than them.
        if not self.problems.found:
            self._make_copies()
        if not self.problems.found:
            self._check_values()

    def _symbol(self, node: s.DatatypeSyntax | s.FunctionSyntax | s.ProcedureSyntax) -> None:
        """Build what is not polymorphic, and check what is; a second declaration of a name has no symbol."""
        datatype = self.symbols.datatypes.get(node.name)
        function = self.symbols.functions.get(node.name)
        procedure = self.symbols.procedures.get(node.name)
        if datatype is not None and datatype.declaration is node:
            if not datatype.type_params:
                self._build_datatype(datatype, (), datatype.name)
        elif function is not None and function.declaration is node:
            self.exprs.at.generic = bool(function.type_params)
            self._build_function(function, function.type_params, function.name)
        elif procedure is not None and procedure.declaration is node:
            self.exprs.at.generic = bool(procedure.type_params)
            self._procedure(procedure, procedure.type_params, procedure.name)
        self.exprs.at.generic = False

    def _at(self, source: Source) -> None:
        self.source = self.problems.source = source

    # --- copies ----------------------------------------------------------------------------------

    def _make_copies(self) -> None:
        mono = self.mono
        progress = -1
        while (mono.copies.queue or progress != mono.copies.progress) and not self.problems.found:
            while mono.copies.queue and not self.problems.found:
                self._copy(mono.copies.queue.popleft())
            progress = mono.copies.progress
            for axiom in self.polymorphic_axioms:
                self._at(axiom.source)
                for type_args in list(mono.bindings(axiom.params, axiom.uses)):
                    if type_args not in axiom.made:
                        axiom.made.add(type_args)
                        self._axiom(axiom.node, by_name(axiom.params, type_args) | _any_type(axiom.irrelevant))

    def _copy(self, demand: Demand) -> None:
        name = self.mono.copies.names[demand]
        match demand.kind:
            case "function":
                self._build_function(self.symbols.functions[demand.name], demand.type_args, name)
            case "datatype":
                self._build_datatype(self.symbols.datatypes[demand.name], demand.type_args, name)
            case "procedure":
                self._procedure(self.symbols.procedures[demand.name], demand.type_args, name)

    def _check_values(self) -> None:
        """Refuse datatypes that no finite value can have; solvers know no such sorts."""
        _, of_maps = self.mono.poly_map_declarations()
        maps = {copy.name: (poly_map, copy) for poly_map, copy in self.mono.poly_maps.items()}
        for datatype in without_values([*self.built.datatypes, *of_maps]):
            if datatype.name in maps:
                poly_map, copy = maps[datatype.name]
                self.problems.source, pos = copy.source, copy.pos
                message = f"maps of type {shown(poly_map)} contain each other without end"
            else:
                symbol = self.symbols.datatypes[self.mono.original(datatype.name)]
                self.problems.source, pos = symbol.source, symbol.declaration.pos
                message = f"the datatype '{symbol.name}' has no values: each constructor needs one to begin with"
            self.problems.add(pos, message)

    # --- declarations ----------------------------------------------------------------------------

    def _attributes(self, nodes: list[s.AttributeSyntax]) -> Attributes:
        """Attributes of a declaration outside of any scope."""
        if not nodes:
            return ()
        self.exprs.at.enter({}, no_old=IN_ATTRIBUTE)
        return self.exprs.attributes(nodes)

    def _type(self, node: s.TypeDeclSyntax) -> None:
        symbol = self.symbols.types.declared.get(node.name)
        definition = symbol.definition if symbol is not None else None
        attributes = self._attributes(node.attributes)
        if definition is None or not self._needs_copies(definition):
            origin = self.source.origin(node.pos)
            self.built.types.append(TypeDecl(node.name, tuple(node.params), definition, attributes, origin))

    def _needs_copies(self, definition: Type) -> bool:
        """Whether a synonym cannot be expressed without polymorphism; it is written out wherever it is used."""
        return self.symbols.polymorphic and any(
            isinstance(t, PolyMap) or (isinstance(t, Named) and bool(t.args) and t.name in self.symbols.datatypes)
            for t in subtypes(definition)
        )

    def _build_datatype(self, symbol: DatatypeSymbol, type_args: TypeArgs, name: str) -> None:
        self._at(symbol.source)
        origin = self.source.origin
        binding = dict(zip(symbol.type_params, type_args, strict=True))
        constructors = []
        for c in symbol.constructors:
            assert isinstance(c.declaration, s.ConstructorSyntax)
            fields = []
            for syntax, type_ in zip(c.declaration.fields, c.params, strict=True):
                var = Var(syntax.name, self.mono.type(substitute_type(type_, binding), syntax.pos), Scope.BOUND)
                fields.append(VarDecl(var, None, self._attributes(syntax.attributes), origin(syntax.pos)))
            copy = self.mono.copies.name("constructor", c.name, type_args, c.declaration.pos) if type_args else c.name
            constructors.append(Constructor(copy, tuple(fields), origin(c.declaration.pos)))
        node = symbol.declaration
        self.built.datatypes.append(
            Datatype(name, tuple(constructors), self._attributes(node.attributes), origin(node.pos))
        )

    def _build_function(self, symbol: FunctionSymbol, type_args: TypeArgs, name: str) -> None:
        self._at(symbol.source)
        node = symbol.declaration
        assert isinstance(node, s.FunctionSyntax)
        binding = dict(zip(symbol.type_params, type_args, strict=True))
        scope: dict[str, Var] = {}
        params = []
        for syntax, type_ in zip(node.params, symbol.params, strict=True):
            actual = substitute_type(type_, binding)
            if syntax.name:
                if syntax.name in scope:
                    self.problems.add(syntax.pos, f"the parameter '{syntax.name}' is declared twice")
                scope[syntax.name] = Var(syntax.name, actual, Scope.BOUND)
            var = Var(syntax.name, self.mono.type(actual, syntax.pos), Scope.BOUND)
            params.append(VarDecl(var, None, self._attributes(syntax.attributes), self.source.origin(syntax.pos)))
        result = substitute_type(symbol.result, binding)
        type_scope = by_name(symbol.type_params, type_args)
        self.exprs.at.enter(scope, type_scope, no_old=IN_ATTRIBUTE)
        attributes = self.exprs.attributes(node.attributes)
        body = None
        if node.body is not None:
            self.exprs.at.enter(scope, type_scope, _IN_FUNCTION, _IN_FUNCTION)
            body = self.exprs.check(node.body, result, f"the body of '{node.name}'")
        if not self.mono.generic:
            origin = self.source.origin(node.pos)
            self.built.functions.append(
                Function(name, tuple(params), self.mono.type(result, node.pos), body, attributes, origin)
            )

    def _procedure(self, symbol: ProcedureSymbol, type_args: TypeArgs, name: str) -> None:
        procedure = self.procedures.build(symbol, type_args, name)
        self._at(symbol.source)
        (self.built.generic if self.mono.generic else self.built.procedures).append(procedure)

    def _axiom_or_scheme(self, node: s.AxiomSyntax) -> None:
        forall = node.condition
        if not (isinstance(forall, s.Quantified) and forall.type_params and forall.kind is Quantifier.FORALL):
            self._axiom(node, {})
            return
        params = self.symbols.type_params(forall.pos, forall.type_params)
        plain = replace(forall, type_params=[])
        scheme = s.AxiomSyntax(node.pos, plain if plain.vars else plain.body, node.attributes)
        self.exprs.at.generic, self.mono.uses = True, {}
        condition = self._axiom(scheme, by_name(params, params))
        self.mono.check_triggers(params, condition, forall)
        self.exprs.at.generic = False
        uses = list(self.mono.uses)
        determined = set(subtypes(*(t for _, type_args in uses for t in type_args)))
        mentioned = set(subtypes(*types_in(condition, self.exprs.at.inference.final)))
        if any(p in mentioned and p not in determined for p in params):
            self._axiom(node, {})  # no polymorphic function or map says at which types it matters
            return
        relevant = tuple(p for p in params if p in mentioned)
        irrelevant = tuple(p for p in params if p not in mentioned)
        self.polymorphic_axioms.append(_PolymorphicAxiom(self.source, scheme, relevant, irrelevant, uses))

    def _axiom(self, node: s.AxiomSyntax, type_params: Mapping[str, Type]) -> Expr:
        attributes = self._attributes(node.attributes)
        self.exprs.at.enter({}, type_params, _IN_AXIOM, _IN_AXIOM)
        condition = self.exprs.condition(node.condition, "an axiom")
        if not self.mono.generic:
            self.built.axioms.append(Axiom(condition, attributes, self.source.origin(node.pos)))
        return condition

    def _global(self, binding: s.Binding) -> None:
        var = top_level(binding.name, binding.pos, self.symbols, self.mono)
        attributes = self._attributes(binding.attributes)
        self.exprs.at.enter({}, no_old=IN_WHERE)
        where = where_clause(binding, self.exprs)
        self.built.globals.append(VarDecl(var, where, attributes, self.source.origin(binding.pos)))


def _any_type(params: tuple[TypeVar, ...]) -> dict[str, Type]:
    return {p.name: BOOL for p in params}
