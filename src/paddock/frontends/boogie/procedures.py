"""Procedures with their contracts and bodies, checked and built."""

from __future__ import annotations

from collections.abc import Mapping

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.attributes import ASSUMPTION, is_marked
from paddock.frontends.boogie.bodies import BodyLowering
from paddock.frontends.boogie.expressions import Expressions
from paddock.frontends.boogie.monomorphise import Monomorphiser
from paddock.frontends.boogie.symbols import ProcedureSymbol, Symbols
from paddock.frontends.boogie.targets import IN_PURE
from paddock.frontends.boogie.types import shown, substitute_type
from paddock.frontends.source import Source
from paddock.ir.error_bit import ERROR_BIT, ERROR_BIT_NAME
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.program import Clause, Implementation, Procedure, VarDecl
from paddock.ir.types import BOOL, Type, TypeVar

IN_ATTRIBUTE = "cannot be used in an attribute of a declaration"
IN_WHERE = "cannot be used in a where clause"
_IN_REQUIRES = "cannot be used in a precondition"

TypeArgs = tuple[Type, ...]


class ProcedureBuilder:
    """Builds procedures, one after the other."""

    def __init__(self, symbols: Symbols, exprs: Expressions, mono: Monomorphiser, check_modifies: bool) -> None:
        self._symbols = symbols
        self._problems = symbols.problems
        self._exprs = exprs
        self._mono = mono
        self._check_modifies = check_modifies

    def build(self, symbol: ProcedureSymbol, type_args: TypeArgs, name: str) -> Procedure:
        """The procedure at these type arguments; of one that is checked for itself, just what its attributes are."""
        self._problems.source = symbol.source
        node, enter = symbol.declaration, self._exprs.at.enter
        pure = IN_PURE if node.is_pure else ""
        if node.is_pure and node.modifies:
            self._problems.add(node.modifies[0].pos, "a pure procedure modifies nothing")
        binding = dict(zip(symbol.type_params, type_args, strict=True))
        types = by_name(symbol.type_params, type_args)
        scope: dict[str, Var] = {}
        names = self._formal_names(symbol)
        params = self._formals(node.params, names, [substitute_type(t, binding) for t in symbol.params], scope)
        parameters_only = dict(scope)
        results = self._formals(node.results, names, [substitute_type(t, binding) for t in symbol.results], scope)
        if node.is_candidate and ERROR_BIT_NAME not in self._symbols.variables:
            # Nothing is called after a failure, so that preconditions have nothing to say about it.
            scope.setdefault(ERROR_BIT_NAME, ERROR_BIT)
        enter(parameters_only, types, IN_WHERE, pure)
        param_decls = tuple([self._declaration(b, v) for b, v in zip(node.params, params, strict=True)])
        enter(scope, types, IN_WHERE, pure)
        result_decls = tuple([self._declaration(b, v) for b, v in zip(node.results, results, strict=True)])
        enter(scope, types, no_old=IN_ATTRIBUTE)
        attributes = self._exprs.attributes(node.attributes)
        enter(parameters_only, types, _IN_REQUIRES, pure)
        requires = self._clauses(node.requires, "a precondition")
        enter(scope, types, pure, pure)
        ensures = self._clauses(node.ensures, "a postcondition")
        implementations = tuple(
            self._implementation(symbol, source, body, (params, results), type_args)
            for source, body in symbol.implementations
        )
        self._problems.source = symbol.source
        origin = self._problems.source.origin(node.pos)
        if self._mono.generic:
            attributes = (*attributes, *(a for i in implementations for a in i.attributes))
            return Procedure(name, attributes=attributes, origin=origin)
        modifies = tuple(top_level(m, node.pos, self._symbols, self._mono) for m in symbol.modifies)
        return Procedure(
            name, param_decls, result_decls, requires, modifies, ensures, implementations, attributes, origin
        )

    def _formal_names(self, symbol: ProcedureSymbol) -> dict[str, str]:
        """New names for formals that a body calls otherwise, if it could still mean a global by their names."""
        own = _formals_of(symbol.declaration)
        renamed = {
            mine
            for _, body in symbol.implementations
            for mine, theirs in zip(own, _formals_of(body), strict=False)
            if mine != theirs and mine in self._symbols.variables
        }
        if not renamed:
            return {}
        fresh = FreshNames({*own, *self._symbols.variables})
        return {formal: fresh(formal) for formal in own if formal in renamed}

    def _formals(
        self, bindings: list[s.Binding], names: Mapping[str, str], types: list[Type], scope: dict[str, Var]
    ) -> list[Var]:
        formals = []
        for b, type_ in zip(bindings, types, strict=True):
            if b.name in scope:
                self._problems.add(b.pos, f"the variable '{b.name}' is already declared here")
            var = Var(names.get(b.name, b.name), type_, Scope.LOCAL)
            scope[b.name] = var
            formals.append(var)
        return formals

    def _declaration(self, binding: s.Binding, var: Var) -> VarDecl:
        """The declaration of a local variable, in the context of its procedure."""
        where = where_clause(binding, self._exprs)
        final = Var(var.name, self._mono.type(var.type, binding.pos), var.scope)
        kept = [a for a in binding.attributes if a.name != ASSUMPTION]
        return VarDecl(final, where, self._exprs.attributes(kept), self._problems.source.origin(binding.pos))

    def _clauses(self, nodes: list[s.ClauseSyntax], what: str) -> tuple[Clause, ...]:
        clauses = []
        for node in nodes:
            condition = self._exprs.condition(node.condition, what)
            attributes = self._exprs.attributes(node.attributes)
            clauses.append(Clause(condition, node.free, attributes, self._problems.source.origin(node.pos)))
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
        self._problems.source = source
        type_params = self._symbols.type_params(node.pos, node.type_params)
        if len(type_params) != len(owner.type_params):
            message = f"the implementation of '{node.name}' has other type parameters than its procedure"
            self._problems.add(node.pos, message)
            return Implementation((), ())
        own_types = by_name(type_params, type_args)
        scope: dict[str, Var] = {}
        for what, bindings, variables in zip(
            ("parameter", "result"), (node.params, node.results), formals, strict=True
        ):
            self._match_formals(node, what, bindings, variables, own_types, scope)
        local_vars = self._locals(node.body.locals, {v.name for v in (*formals[0], *formals[1])}, own_types, scope)
        pure = IN_PURE if owner.declaration.is_pure else ""
        self._exprs.at.enter(scope, own_types, IN_WHERE, pure)
        assumptions = [v for b, v in zip(node.body.locals, local_vars, strict=True) if self._is_assumption(b, v)]
        locals_ = tuple([self._declaration(b, v) for b, v in zip(node.body.locals, local_vars, strict=True)])
        self._exprs.at.enter(scope, own_types, pure, pure)
        attributes = self._exprs.attributes(node.attributes)
        lowering = BodyLowering(self._exprs, source, owner, set(formals[0]), self._procedure_copy, self._check_modifies)
        blocks = lowering.lower(node.body, assumptions)
        return Implementation(locals_, blocks, attributes, source.origin(node.pos))

    def _is_assumption(self, binding: s.Binding, var: Var) -> bool:
        """Whether a local variable is one that starts as true; the body says so, and the attribute goes."""
        if not is_marked(binding.attributes, ASSUMPTION):
            return False
        if var.type is not BOOL:
            self._problems.add(binding.pos, f"the assumption variable '{binding.name}' must be a bool")
        if binding.where is not None:
            self._problems.add(binding.pos, f"the assumption variable '{binding.name}' cannot have a where clause")
        return True

    def _locals(
        self, bindings: list[s.Binding], taken: set[str], types: Mapping[str, Type], scope: dict[str, Var]
    ) -> list[Var]:
        """The local variables; those that have the name of a formal that the body calls otherwise get new ones."""
        variables = []
        for b in bindings:
            if b.name in scope:
                self._problems.add(b.pos, f"the variable '{b.name}' is already declared here")
            assert b.type is not None
            name = b.name if b.name not in taken else FreshNames(taken | self._symbols.variables.keys())(b.name)
            var = Var(name, self._symbols.types.resolve(b.type, types), Scope.LOCAL)
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
            self._problems.add(
                node.pos, f"the procedure '{node.name}' has {count}, but this implementation {len(bindings)}"
            )
        for b, var in zip(bindings, variables, strict=False):
            assert b.type is not None
            type_ = self._symbols.types.resolve(b.type, types)
            if not self._exprs.at.inference.unify(type_, var.type):
                message = f"the {what} '{b.name}' is {shown(var.type)} in the procedure, but {shown(type_)} here"
                self._problems.add(b.pos, message)
            if b.name in scope:
                self._problems.add(b.pos, f"the variable '{b.name}' is already declared here")
            scope[b.name] = var

    def _procedure_copy(self, callee: ProcedureSymbol, type_args: TypeArgs, pos: int) -> str:
        if self._mono.generic:
            return callee.name
        return self._mono.copies.name("procedure", callee.name, tuple(self._mono.known(t, pos) for t in type_args), pos)


def where_clause(binding: s.Binding, exprs: Expressions) -> Expr | None:
    """What a variable always satisfies when it becomes arbitrary."""
    if binding.where is None:
        return None
    return exprs.condition(binding.where, f"the where clause of '{binding.name}'")


def top_level(name: str, pos: int, symbols: Symbols, mono: Monomorphiser) -> Var:
    """A global or a constant, without polymorphism."""
    var = symbols.variables[name]
    return Var(name, mono.type(var.type, pos), var.scope)


def by_name(params: tuple[TypeVar, ...], type_args: TypeArgs) -> dict[str, Type]:
    return {p.name: t for p, t in zip(params, type_args, strict=True)}


def _formals_of(node: s.ProcedureSyntax | s.ImplementationSyntax) -> list[str]:
    return [b.name for b in (*node.params, *node.results)]
