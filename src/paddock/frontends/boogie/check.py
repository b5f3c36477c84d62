"""From parsed declarations to a `Program`: every declaration is checked and built.

A polymorphic declaration is checked once for itself, with its type parameters as they are, and then
once more for each copy that the program needs (`monomorphise.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.attributes import ASSUMPTION, is_marked
from paddock.frontends.boogie.bodies import IN_PURE, BodyLowering
from paddock.frontends.boogie.declare import declare
from paddock.frontends.boogie.expressions import Expressions
from paddock.frontends.boogie.monomorphise import Demand, Monomorphiser
from paddock.frontends.boogie.problems import Problems
from paddock.frontends.boogie.symbols import DatatypeSymbol, FunctionSymbol, ProcedureSymbol, Symbols
from paddock.frontends.boogie.type_quantifiers import TypeQuantifiers, types_in
from paddock.frontends.boogie.types import PolyMap, shown, substitute_type, subtypes
from paddock.frontends.boogie.wellfounded import without_values
from paddock.frontends.source import Source
from paddock.ir.error_bit import ERROR_BIT, ERROR_BIT_NAME
from paddock.ir.expr import Attributes, Expr, Quantifier, Scope, Var
from paddock.ir.names import FreshNames
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
from paddock.ir.types import BOOL, Named, Type, TypeVar

_IN_ATTRIBUTE = "cannot be used in an attribute of a declaration"
_IN_AXIOM = "cannot be used in an axiom"
_IN_FUNCTION = "cannot be used in a function"
_IN_REQUIRES = "cannot be used in a precondition"
_IN_WHERE = "cannot be used in a where clause"

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


@dataclass(slots=True)
class _PolymorphicAxiom:
    source: Source
    node: s.AxiomSyntax
    params: tuple[TypeVar, ...]
    irrelevant: tuple[TypeVar, ...]  # further parameters that nothing depends on
    uses: list[tuple[object, TypeArgs]]
    made: set[TypeArgs] = field(default_factory=set)


class _Checker:
    def __init__(self, symbols: Symbols, check_modifies: bool, quantifiers: TypeQuantifiers) -> None:
        self.symbols = symbols
        self.check_modifies = check_modifies
        self.problems = symbols.problems
        self.exprs = Expressions(symbols)
        self.mono = Monomorphiser(self.exprs, symbols, quantifiers)
        self.source = Source("")
        self.types: list[TypeDecl] = []
        self.datatypes: list[Datatype] = []
        self.constants: list[Constant] = []
        self.functions: list[Function] = []
        self.axioms: list[Axiom] = []
        self.globals: list[VarDecl] = []
        self.procedures: list[Procedure] = []
        self.generic: list[Procedure] = []
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
            generic=tuple(self.generic),
        )

    def run(self, declarations: Sequence[tuple[Source, s.DeclarationSyntax]]) -> None:
        for source, node in declarations:
            self._at(source)
            match node:
                case s.TypeDeclSyntax():
                    self._type(node)
                case s.ConstSyntax(pos, name, _, unique, attributes):
                    var = self._top_level(name, pos)
                    kept = self._attributes(attributes)
                    self.constants.append(Constant(var, unique, kept, source.origin(pos)))
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
            self.exprs.generic = bool(function.type_params)
            self._build_function(function, function.type_params, function.name)
        elif procedure is not None and procedure.declaration is node:
            self.exprs.generic = bool(procedure.type_params)
            self._build_procedure(procedure, procedure.type_params, procedure.name)
        self.exprs.generic = False

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
                        self._axiom(axiom.node, _by_name(axiom.params, type_args) | _any_type(axiom.irrelevant))

    def _copy(self, demand: Demand) -> None:
        name = self.mono.copies.names[demand]
        match demand.kind:
            case "function":
                self._build_function(self.symbols.functions[demand.name], demand.type_args, name)
            case "datatype":
                self._build_datatype(self.symbols.datatypes[demand.name], demand.type_args, name)
            case "procedure":
                self._build_procedure(self.symbols.procedures[demand.name], demand.type_args, name)

    def _check_values(self) -> None:
        """Refuse datatypes that no finite value can have; solvers know no such sorts."""
        _, of_maps = self.mono.poly_map_declarations()
        maps = {copy.name: (poly_map, copy) for poly_map, copy in self.mono.poly_maps.items()}
        for datatype in without_values([*self.datatypes, *of_maps]):
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
        self.exprs.enter({}, no_old=_IN_ATTRIBUTE)
        return self.exprs.attributes(nodes)

    def _top_level(self, name: str, pos: int) -> Var:
        var = self.symbols.variables[name]
        return Var(name, self.mono.type(var.type, pos), var.scope)

    def _type(self, node: s.TypeDeclSyntax) -> None:
        symbol = self.symbols.types.declared.get(node.name)
        definition = symbol.definition if symbol is not None else None
        attributes = self._attributes(node.attributes)
        if definition is None or not self._needs_copies(definition):
            origin = self.source.origin(node.pos)
            self.types.append(TypeDecl(node.name, tuple(node.params), definition, attributes, origin))

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
        self.datatypes.append(Datatype(name, tuple(constructors), self._attributes(node.attributes), origin(node.pos)))

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
        type_scope = _by_name(symbol.type_params, type_args)
        self.exprs.enter(scope, type_scope, no_old=_IN_ATTRIBUTE)
        attributes = self.exprs.attributes(node.attributes)
        body = None
        if node.body is not None:
            self.exprs.enter(scope, type_scope, _IN_FUNCTION, _IN_FUNCTION)
            body = self.exprs.check(node.body, result, f"the body of '{node.name}'")
        if not self.mono.generic:
            origin = self.source.origin(node.pos)
            self.functions.append(
                Function(name, tuple(params), self.mono.type(result, node.pos), body, attributes, origin)
            )

    def _axiom_or_scheme(self, node: s.AxiomSyntax) -> None:
        forall = node.condition
        if not (isinstance(forall, s.Quantified) and forall.type_params and forall.kind is Quantifier.FORALL):
            self._axiom(node, {})
            return
        params = self.symbols.type_params(forall.pos, forall.type_params)
        plain = replace(forall, type_params=[])
        scheme = s.AxiomSyntax(node.pos, plain if plain.vars else plain.body, node.attributes)
        self.exprs.generic, self.mono.uses = True, {}
        condition = self._axiom(scheme, _by_name(params, params))
        self.mono.check_triggers(params, condition, forall)
        self.exprs.generic = False
        uses = list(self.mono.uses)
        determined = set(subtypes(*(t for _, type_args in uses for t in type_args)))
        mentioned = set(subtypes(*types_in(condition, self.exprs.inference.final)))
        if any(p in mentioned and p not in determined for p in params):
            self._axiom(node, {})  # no polymorphic function or map says at which types it matters
            return
        relevant = tuple(p for p in params if p in mentioned)
        irrelevant = tuple(p for p in params if p not in mentioned)
        self.polymorphic_axioms.append(_PolymorphicAxiom(self.source, scheme, relevant, irrelevant, uses))

    def _axiom(self, node: s.AxiomSyntax, type_params: Mapping[str, Type]) -> Expr:
        attributes = self._attributes(node.attributes)
        self.exprs.enter({}, type_params, _IN_AXIOM, _IN_AXIOM)
        condition = self.exprs.condition(node.condition, "an axiom")
        if not self.mono.generic:
            self.axioms.append(Axiom(condition, attributes, self.source.origin(node.pos)))
        return condition

    def _global(self, binding: s.Binding) -> None:
        var = self._top_level(binding.name, binding.pos)
        attributes = self._attributes(binding.attributes)
        self.exprs.enter({}, no_old=_IN_WHERE)
        where = self._where(binding)
        self.globals.append(VarDecl(var, where, attributes, self.source.origin(binding.pos)))

    def _where(self, binding: s.Binding) -> Expr | None:
        if binding.where is None:
            return None
        return self.exprs.condition(binding.where, f"the where clause of '{binding.name}'")

    # --- procedures ------------------------------------------------------------------------------

    def _build_procedure(self, symbol: ProcedureSymbol, type_args: TypeArgs, name: str) -> None:
        self._at(symbol.source)
        node, enter = symbol.declaration, self.exprs.enter
        pure = IN_PURE if node.is_pure else ""
        if node.is_pure and node.modifies:
            self.problems.add(node.modifies[0].pos, "a pure procedure modifies nothing")
        binding = dict(zip(symbol.type_params, type_args, strict=True))
        types = _by_name(symbol.type_params, type_args)
        scope: dict[str, Var] = {}
        names = self._formal_names(symbol)
        params = self._formals(node.params, names, [substitute_type(t, binding) for t in symbol.params], scope)
        parameters_only = dict(scope)
        results = self._formals(node.results, names, [substitute_type(t, binding) for t in symbol.results], scope)
        if node.is_candidate and ERROR_BIT_NAME not in self.symbols.variables:
            # Nothing is called after a failure, so that preconditions have nothing to say about it.
            scope.setdefault(ERROR_BIT_NAME, ERROR_BIT)
        enter(parameters_only, types, _IN_WHERE, pure)
        param_decls = tuple([self._declaration(b, v) for b, v in zip(node.params, params, strict=True)])
        enter(scope, types, _IN_WHERE, pure)
        result_decls = tuple([self._declaration(b, v) for b, v in zip(node.results, results, strict=True)])
        enter(scope, types, no_old=_IN_ATTRIBUTE)
        attributes = self.exprs.attributes(node.attributes)
        enter(parameters_only, types, _IN_REQUIRES, pure)
        requires = self._clauses(node.requires, "a precondition")
        enter(scope, types, pure, pure)
        ensures = self._clauses(node.ensures, "a postcondition")
        implementations = tuple(
            self._implementation(symbol, source, body, (params, results), type_args)
            for source, body in symbol.implementations
        )
        self._at(symbol.source)
        origin = self.source.origin(node.pos)
        if self.mono.generic:
            attributes = (*attributes, *(a for i in implementations for a in i.attributes))
            self.generic.append(Procedure(name, attributes=attributes, origin=origin))
            return
        modifies = tuple(self._top_level(m, node.pos) for m in symbol.modifies)
        self.procedures.append(
            Procedure(name, param_decls, result_decls, requires, modifies, ensures, implementations, attributes, origin)
        )

    def _formal_names(self, symbol: ProcedureSymbol) -> dict[str, str]:
        """New names for formals that a body calls otherwise, if it could still mean a global by their names."""
        own = _formals_of(symbol.declaration)
        renamed = {
            mine
            for _, body in symbol.implementations
            for mine, theirs in zip(own, _formals_of(body), strict=False)
            if mine != theirs and mine in self.symbols.variables
        }
        if not renamed:
            return {}
        fresh = FreshNames({*own, *self.symbols.variables})
        return {formal: fresh(formal) for formal in own if formal in renamed}

    def _formals(
        self, bindings: list[s.Binding], names: Mapping[str, str], types: list[Type], scope: dict[str, Var]
    ) -> list[Var]:
        formals = []
        for b, type_ in zip(bindings, types, strict=True):
            if b.name in scope:
                self.problems.add(b.pos, f"the variable '{b.name}' is already declared here")
            var = Var(names.get(b.name, b.name), type_, Scope.LOCAL)
            scope[b.name] = var
            formals.append(var)
        return formals

    def _declaration(self, binding: s.Binding, var: Var) -> VarDecl:
        """The declaration of a local variable, in the context of its procedure."""
        where = self._where(binding)
        final = Var(var.name, self.mono.type(var.type, binding.pos), var.scope)
        kept = [a for a in binding.attributes if a.name != ASSUMPTION]
        return VarDecl(final, where, self.exprs.attributes(kept), self.source.origin(binding.pos))

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
        type_args: TypeArgs,
    ) -> Implementation:
        """A body. Whatever it calls the formals, in the program they have the procedure's names."""
        self._at(source)
        type_params = self.symbols.type_params(node.pos, node.type_params)
        if len(type_params) != len(owner.type_params):
            message = f"the implementation of '{node.name}' has other type parameters than its procedure"
            self.problems.add(node.pos, message)
            return Implementation((), ())
        own_types = _by_name(type_params, type_args)
        scope: dict[str, Var] = {}
        for what, bindings, variables in zip(
            ("parameter", "result"), (node.params, node.results), formals, strict=True
        ):
            self._match_formals(node, what, bindings, variables, own_types, scope)
        local_vars = self._locals(node.body.locals, {v.name for v in (*formals[0], *formals[1])}, own_types, scope)
        pure = IN_PURE if owner.declaration.is_pure else ""
        self.exprs.enter(scope, own_types, _IN_WHERE, pure)
        assumptions = [v for b, v in zip(node.body.locals, local_vars, strict=True) if self._is_assumption(b, v)]
        locals_ = tuple([self._declaration(b, v) for b, v in zip(node.body.locals, local_vars, strict=True)])
        self.exprs.enter(scope, own_types, pure, pure)
        attributes = self.exprs.attributes(node.attributes)
        lowering = BodyLowering(self.exprs, source, owner, set(formals[0]), self._procedure_copy, self.check_modifies)
        blocks = lowering.lower(node.body, assumptions)
        return Implementation(locals_, blocks, attributes, source.origin(node.pos))

    def _is_assumption(self, binding: s.Binding, var: Var) -> bool:
        """Whether a local variable is one that starts as true; the body says so, and the attribute goes."""
        if not is_marked(binding.attributes, ASSUMPTION):
            return False
        if var.type is not BOOL:
            self.problems.add(binding.pos, f"the assumption variable '{binding.name}' must be a bool")
        if binding.where is not None:
            self.problems.add(binding.pos, f"the assumption variable '{binding.name}' cannot have a where clause")
        return True

    def _locals(
        self, bindings: list[s.Binding], taken: set[str], types: Mapping[str, Type], scope: dict[str, Var]
    ) -> list[Var]:
        """The local variables; those that have the name of a formal that the body calls otherwise get new ones."""
        variables = []
        for b in bindings:
            if b.name in scope:
                self.problems.add(b.pos, f"the variable '{b.name}' is already declared here")
            assert b.type is not None
            name = b.name if b.name not in taken else FreshNames(taken | self.symbols.variables.keys())(b.name)
            var = Var(name, self.symbols.types.resolve(b.type, types), Scope.LOCAL)
            taken.add(name)
            scope[b.name] = var
            variables.append(var)
        return variables

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
            count = f"{len(variables)} {what}{'s' * (len(variables) != 1)}"
            self.problems.add(
                node.pos, f"the procedure '{node.name}' has {count}, but this implementation {len(bindings)}"
            )
        for b, var in zip(bindings, variables, strict=False):
            assert b.type is not None
            type_ = self.symbols.types.resolve(b.type, types)
            if not self.exprs.inference.unify(type_, var.type):
                message = f"the {what} '{b.name}' is {shown(var.type)} in the procedure, but {shown(type_)} here"
                self.problems.add(b.pos, message)
            if b.name in scope:
                self.problems.add(b.pos, f"the variable '{b.name}' is already declared here")
            scope[b.name] = var

    def _procedure_copy(self, callee: ProcedureSymbol, type_args: TypeArgs, pos: int) -> str:
        if self.mono.generic:
            return callee.name
        return self.mono.copies.name("procedure", callee.name, tuple(self.mono.known(t, pos) for t in type_args), pos)


def _formals_of(node: s.ProcedureSyntax | s.ImplementationSyntax) -> list[str]:
    return [b.name for b in (*node.params, *node.results)]


def _by_name(params: tuple[TypeVar, ...], type_args: TypeArgs) -> dict[str, Type]:
    return {p.name: t for p, t in zip(params, type_args, strict=True)}


def _any_type(params: tuple[TypeVar, ...]) -> dict[str, Type]:
    return {p.name: BOOL for p in params}
