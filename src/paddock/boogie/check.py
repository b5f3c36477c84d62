"""From parsed declarations to a `Program`: every declaration is checked and built.

A polymorphic declaration is checked once for itself, with its type parameters as they are, and then
once more for each copy that the program needs (`monomorphise.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from paddock.boogie import syntax as s
from paddock.boogie.bodies import BodyLowering
from paddock.boogie.declare import declare
from paddock.boogie.expressions import Expressions
from paddock.boogie.monomorphise import Demand, Monomorphiser
from paddock.boogie.problems import Problems
from paddock.boogie.source import Source
from paddock.boogie.symbols import DatatypeSymbol, FunctionSymbol, ProcedureSymbol, Symbols
from paddock.boogie.types import PolyMap, TypeSymbol, shown, substitute_type, subtypes
from paddock.ir.expr import Attributes, Expr, Scope, Var
from paddock.ir.program import (
    Axiom,
    Clause,
    Constant,
    Constructor,
    Datatype,
    Function,
    Implementation,
    Procedure,
    Program,
    TypeDecl,
    VarDecl,
)
from paddock.ir.types import Type, TypeVar
from paddock.ir.walk import fresh_name

_IN_AXIOM = "cannot be used in an axiom"
_IN_FUNCTION = "cannot be used in a function"
_IN_REQUIRES = "cannot be used in a precondition"
_IN_WHERE = "cannot be used in a where clause"

TypeArgs = tuple[Type, ...]


def check(declarations: Sequence[tuple[Source, s.DeclarationSyntax]]) -> Program:
    """The program that the declarations make up; raises `InputError` with all that is wrong."""
    problems = Problems()
    symbols = Symbols(problems)
    modern = declare(declarations, symbols)
    checker = _Checker(symbols)
    checker.run(modern)
    problems.raise_if_any()
    return checker.program()


@dataclass(slots=True)
class _PolymorphicAxiom:
    source: Source
    node: s.AxiomSyntax
    params: tuple[TypeVar, ...]
    uses: list[tuple[object, TypeArgs]]
    made: set[TypeArgs] = field(default_factory=set)


class _Checker:
    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.problems = symbols.problems
        self.exprs = Expressions(symbols)
        self.mono = Monomorphiser(self.exprs, symbols)
        self.source = Source("")
        self.types: list[TypeDecl] = []
        self.datatypes: list[Datatype] = []
        self.constants: list[Constant] = []
        self.functions: list[Function] = []
        self.axioms: list[Axiom] = []
        self.globals: list[VarDecl] = []
        self.procedures: list[Procedure] = []
        self.polymorphic_axioms: list[_PolymorphicAxiom] = []

    def program(self) -> Program:
        types, datatypes = self.mono.poly_map_declarations()
        return Program(
            types=(*self.types, *types),
            datatypes=(*self.datatypes, *datatypes),
            constants=tuple(self.constants),
            functions=tuple(self.functions),
            axioms=tuple(self.axioms),
            globals=tuple(self.globals),
            procedures=tuple(self.procedures),
        )

    def run(self, declarations: Sequence[tuple[Source, s.DeclarationSyntax]]) -> None:
        for source, node in declarations:
            self._at(source)
            match node:
                case s.TypeDeclSyntax():
                    self._type(node)
                case s.DatatypeSyntax(_, name):
                    self._datatype(self.symbols.datatypes[name])
                case s.ConstSyntax(pos, name, _, unique, attributes):
                    var = self._top_level(name)
                    kept = self._attributes(attributes)
                    self.constants.append(Constant(var, unique, kept, source.origin(pos)))
                case s.FunctionSyntax(_, name):
                    self._function(self.symbols.functions[name])
                case s.AxiomSyntax():
                    self._axiom_or_scheme(node)
                case s.GlobalSyntax(_, binding):
                    self._global(binding)
                case s.ProcedureSyntax(_, name):
                    self._procedure(self.symbols.procedures[name])
                case s.ImplementationSyntax():
                    pass  # built with its procedure
        # One mistake may make copies go astray; report it rather than them.
        if not self.problems.found:
            self._make_copies()

    def _at(self, source: Source) -> None:
        self.source = self.problems.source = source

    # --- copies ----------------------------------------------------------------------------------

    def _make_copies(self) -> None:
        mono = self.mono
        progress = -1
        while progress != mono.progress and not self.problems.found:
            while mono.queue and not self.problems.found:
                self._copy(mono.queue.popleft())
            progress = mono.progress
            for axiom in self.polymorphic_axioms:
                self._at(axiom.source)
                for type_args in list(mono.bindings(axiom.params, axiom.uses)):
                    if type_args not in axiom.made:
                        axiom.made.add(type_args)
                        self._axiom(axiom.node, _binding(axiom.params, type_args))

    def _copy(self, demand: Demand) -> None:
        name = self.mono.names[demand]
        match demand.kind:
            case "function":
                self._build_function(self.symbols.functions[demand.name], demand.type_args, name)
            case "datatype":
                self._build_datatype(self.symbols.datatypes[demand.name], demand.type_args, name)
            case "procedure":
                self._build_procedure(self.symbols.procedures[demand.name], demand.type_args, name)

    # --- declarations ----------------------------------------------------------------------------

    def _context(
        self, scope: dict[str, Var], type_params: Mapping[str, Type] = {}, no_old: str = "", no_globals: str = ""
    ) -> None:
        self.exprs.scope, self.exprs.type_params = scope, type_params
        self.exprs.no_old, self.exprs.no_globals = no_old, no_globals

    def _attributes(self, nodes: list[s.AttributeSyntax]) -> Attributes:
        """Attributes of a declaration outside of any scope."""
        if not nodes:
            return ()
        self._context({}, no_old="cannot be used in an attribute of a declaration")
        return self.exprs.attributes(nodes)

    def _top_level(self, name: str) -> Var:
        var = self.symbols.variables[name]
        return Var(name, self.mono.type(var.type), var.scope)

    def _type(self, node: s.TypeDeclSyntax) -> None:
        symbol: TypeSymbol = self.symbols.types.declared[node.name]
        definition = symbol.definition
        if definition is not None and self._needs_copies(definition):
            return  # written out wherever it is used; it cannot be said without polymorphism
        attributes = self._attributes(node.attributes)
        self.types.append(TypeDecl(node.name, tuple(node.params), definition, attributes, self.source.origin(node.pos)))

    def _needs_copies(self, type_: Type) -> bool:
        generic = (t for t in subtypes(type_) if getattr(t, "args", ()) or isinstance(t, PolyMap))
        return any(isinstance(t, PolyMap) or t.name in self.symbols.datatypes for t in generic)  # type: ignore[attr-defined]

    def _datatype(self, symbol: DatatypeSymbol) -> None:
        if not symbol.type_params:
            self._build_datatype(symbol, (), symbol.name)

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
            copy = self.mono.name("constructor", c.name, type_args, c.declaration.pos) if type_args else c.name
            constructors.append(Constructor(copy, tuple(fields), origin(c.declaration.pos)))
        node = symbol.declaration
        self.datatypes.append(Datatype(name, tuple(constructors), self._attributes(node.attributes), origin(node.pos)))

    def _function(self, symbol: FunctionSymbol) -> None:
        if not symbol.type_params:
            self._build_function(symbol, (), symbol.name)
        else:
            self.mono.generic = True
            self._build_function(symbol, symbol.type_params, symbol.name)
            self.mono.generic = False

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
        attributes = self._attributes(node.attributes)
        body = None
        if node.body is not None:
            type_scope = {p.name: t for p, t in binding.items()}
            self._context(scope, type_scope, _IN_FUNCTION, _IN_FUNCTION)
            body = self.exprs.check(node.body, result, f"the body of '{node.name}'")
        if not self.mono.generic:
            origin = self.source.origin(node.pos)
            self.functions.append(
                Function(name, tuple(params), self.mono.type(result, node.pos), body, attributes, origin)
            )

    def _axiom_or_scheme(self, node: s.AxiomSyntax) -> None:
        condition = node.condition
        if not (isinstance(condition, s.Quantified) and condition.type_params):
            self._axiom(node, {})
            return
        self.symbols.has_type_params = True
        params = tuple(TypeVar(p) for p in condition.type_params)
        plain = s.Quantified(
            condition.pos, condition.kind, [], condition.vars, condition.attributes, condition.triggers, condition.body
        )
        scheme = s.AxiomSyntax(node.pos, plain if plain.vars else plain.body, node.attributes)
        self.mono.generic, self.mono.uses = True, {}
        self._axiom(scheme, {p.name: p for p in params})
        self.mono.generic = False
        self.polymorphic_axioms.append(_PolymorphicAxiom(self.source, scheme, params, list(self.mono.uses)))

    def _axiom(self, node: s.AxiomSyntax, type_params: Mapping[str, Type]) -> None:
        attributes = self._attributes(node.attributes)
        self._context({}, type_params, _IN_AXIOM, _IN_AXIOM)
        condition = self.exprs.condition(node.condition, "an axiom")
        if not self.mono.generic:
            self.axioms.append(Axiom(condition, attributes, self.source.origin(node.pos)))

    def _global(self, binding: s.Binding) -> None:
        var = self._top_level(binding.name)
        attributes = self._attributes(binding.attributes)
        self._context({}, no_old=_IN_WHERE)
        where = self._where(binding)
        self.globals.append(VarDecl(var, where, attributes, self.source.origin(binding.pos)))

    def _where(self, binding: s.Binding) -> Expr | None:
        if binding.where is None:
            return None
        return self.exprs.condition(binding.where, f"the where clause of '{binding.name}'")

    # --- procedures ------------------------------------------------------------------------------

    def _procedure(self, symbol: ProcedureSymbol) -> None:
        if not symbol.type_params:
            self._build_procedure(symbol, (), symbol.name)
        else:
            self.mono.generic = True
            self._build_procedure(symbol, symbol.type_params, symbol.name)
            self.mono.generic = False

    def _build_procedure(self, symbol: ProcedureSymbol, type_args: TypeArgs, name: str) -> None:
        self._at(symbol.source)
        node = symbol.declaration
        binding = dict(zip(symbol.type_params, type_args, strict=True))
        types = {p.name: t for p, t in binding.items()}
        scope: dict[str, Var] = {}
        params = self._formals(node.params, [substitute_type(t, binding) for t in symbol.params], scope)
        parameters_only = dict(scope)
        results = self._formals(node.results, [substitute_type(t, binding) for t in symbol.results], scope)
        self._context(scope, types, no_old=_IN_WHERE)
        param_decls = tuple(self._declaration(b, v) for b, v in zip(node.params, params, strict=True))
        result_decls = tuple(self._declaration(b, v) for b, v in zip(node.results, results, strict=True))
        attributes = self.exprs.attributes(node.attributes)
        self._context(parameters_only, types, no_old=_IN_REQUIRES)
        requires = self._clauses(node.requires, "a precondition")
        self._context(scope, types)
        ensures = self._clauses(node.ensures, "a postcondition")
        implementations = tuple(
            self._implementation(symbol, source, body, (params, results), types)
            for source, body in symbol.implementations
        )
        self._at(symbol.source)
        if self.mono.generic:
            return
        modifies = tuple(self._top_level(m) for m in symbol.modifies)
        origin = self.source.origin(node.pos)
        self.procedures.append(
            Procedure(name, param_decls, result_decls, requires, modifies, ensures, implementations, attributes, origin)
        )

    def _formals(self, bindings: list[s.Binding], types: list[Type], scope: dict[str, Var]) -> list[Var]:
        formals = []
        for b, type_ in zip(bindings, types, strict=True):
            if b.name in scope:
                self.problems.add(b.pos, f"the variable '{b.name}' is already declared here")
            var = Var(b.name, type_, Scope.LOCAL)
            scope[b.name] = var
            formals.append(var)
        return formals

    def _declaration(self, binding: s.Binding, var: Var) -> VarDecl:
        """The declaration of a local variable, in the context of its procedure."""
        where = self._where(binding)
        final = Var(var.name, self.mono.type(var.type, binding.pos), var.scope)
        return VarDecl(final, where, self.exprs.attributes(binding.attributes), self.source.origin(binding.pos))

    def _clauses(self, nodes: list[s.ClauseSyntax], what: str) -> tuple[Clause, ...]:
        clauses = []
        for node in nodes:
            condition = self.exprs.condition(node.condition, what)
            attributes = self.exprs.attributes(node.attributes)
            clauses.append(Clause(condition, node.free, attributes, self.source.origin(node.pos)))
        return tuple(clauses)

    def _implementation(
        self,
        owner: ProcedureSymbol,
        source: Source,
        node: s.ImplementationSyntax,
        formals: tuple[list[Var], list[Var]],
        types: Mapping[str, Type],
    ) -> Implementation:
        """A body. Whatever it calls the formals, in the program they have the procedure's names."""
        self._at(source)
        if len(node.type_params) != len(owner.type_params):
            self.problems.add(
                node.pos, f"the implementation of '{node.name}' has other type parameters than its procedure"
            )
            return Implementation((), ())
        own_types = dict(zip(node.type_params, types.values(), strict=True))
        scope: dict[str, Var] = {}
        for what, bindings, variables in zip(
            ("parameter", "result"), (node.params, node.results), formals, strict=True
        ):
            self._match_formals(node, what, bindings, variables, own_types, scope)
        taken = {v.name for v in (*formals[0], *formals[1])}
        local_vars = []
        for b in node.body.locals:
            if b.name in scope:
                self.problems.add(b.pos, f"the variable '{b.name}' is already declared here")
            assert b.type is not None
            var = Var(fresh_name(b.name, taken), self.symbols.types.resolve(b.type, own_types), Scope.LOCAL)
            taken.add(var.name)
            scope[b.name] = var
            local_vars.append(var)
        self._context(scope, own_types, no_old=_IN_WHERE)
        locals_ = tuple(self._declaration(b, v) for b, v in zip(node.body.locals, local_vars, strict=True))
        self._context(scope, own_types)
        attributes = self.exprs.attributes(node.attributes)
        lowering = BodyLowering(self.exprs, source, owner, set(formals[0]), self._procedure_copy)
        blocks = lowering.lower(node.body)
        return Implementation(locals_, blocks, attributes, source.origin(node.pos))

    def _match_formals(
        self,
        node: s.ImplementationSyntax,
        what: str,
        bindings: list[s.Binding],
        variables: list[Var],
        types: Mapping[str, Type],
        scope: dict[str, Var],
    ) -> None:
        if len(bindings) != len(variables):
            message = (
                f"the procedure '{node.name}' has {len(variables)} {what}s, but this implementation {len(bindings)}"
            )
            self.problems.add(node.pos, message)
        for b, var in zip(bindings, variables, strict=False):
            assert b.type is not None
            type_ = self.symbols.types.resolve(b.type, types)
            if not self.exprs.inference.unify(type_, var.type):
                message = f"the {what} '{b.name}' is {shown(var.type)} in the procedure, but {shown(type_)} here"
                self.problems.add(b.pos, message)
            if b.name in scope:
                self.problems.add(b.pos, f"the variable '{b.name}' is already declared here")
            scope[b.name] = var

    def _procedure_copy(self, callee: ProcedureSymbol, type_args: TypeArgs) -> str:
        if self.mono.generic:
            return callee.name
        return self.mono.name("procedure", callee.name, type_args, callee.declaration.pos)


def _binding(params: tuple[TypeVar, ...], type_args: TypeArgs) -> dict[str, Type]:
    return {p.name: t for p, t in zip(params, type_args, strict=True)}
