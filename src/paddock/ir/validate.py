"""Says precisely what is wrong with an ill-formed program; tests run it on what every pass returns.

A valid program can be printed as Boogie and read back: besides Boogie's own rules (declarations, types, scopes,
labels, assignments, calls, effects) a name must never be hidden by another where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from paddock.frozen import frozen
from paddock.ir.expr import Scope, Var
from paddock.ir.modref import assigned
from paddock.ir.origin import Diagnostic, Origin
from paddock.ir.program import Clause, Datatype, Function, Implementation, Procedure, Program, VarDecl
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, ParCall, Statement, Yield
from paddock.ir.types import Type
from paddock.ir.validate_expr import ExprValidator, Visible


class _Declaration(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def origin(self) -> Origin: ...


@frozen
class _Body:
    """What the checks of statements need to know of the body they are in."""

    visible: Visible
    params: frozenset[Var]
    modifies: frozenset[Var]


def validate(program: Program) -> list[Diagnostic]:
    """What is wrong with the program, in its order; nothing if it is valid."""
    validator = _Validator(program)
    validator.check_program()
    return validator.exprs.problems


def check_valid(program: Program) -> Program:
    """The program itself, or a ValueError that says everything that is wrong with it."""
    problems = validate(program)
    if problems:
        raise ValueError("\n".join(map(str, problems)))
    return program


def _by_name(*groups: Iterable[VarDecl]) -> dict[str, Var]:
    return {declaration.name: declaration.var for group in groups for declaration in group}


class _Validator:
    """The checks of declarations, procedures and statements. `exprs` checks their expressions, and has the problems."""

    def __init__(self, program: Program) -> None:
        self.exprs = ExprValidator(program)

    def check_program(self) -> None:
        program = self.exprs.program
        self.exprs.where = "the program"
        self._check_names("the type", program.types, program.datatypes)
        constructors = [c for d in program.datatypes for c in d.constructors]
        # Boogie keeps the names of functions and procedures together.
        self._check_names("the function or procedure", constructors, program.functions, program.procedures)
        self._check_names("the variable or constant", program.constants, program.globals)
        self._check_types()
        for datatype in program.datatypes:
            self._check_datatype(datatype)
        for constant in program.constants:
            self.exprs.where = f"constant '{constant.name}'"
            self._check_declared(constant.var, Scope.CONST, constant.origin)
            self.exprs.check_attributes(constant.attributes, Visible(), constant.origin)
        for function in program.functions:
            self._check_function(function)
        without_globals = Visible(globals=False)
        for axiom in program.axioms:
            self.exprs.where = "an axiom"
            self.exprs.check_condition(axiom.condition, without_globals, axiom.origin, "the axiom")
            self.exprs.check_attributes(axiom.attributes, Visible(), axiom.origin)
        top = Visible()
        for declaration in program.globals:
            self.exprs.where = f"global '{declaration.name}'"
            self._check_variable(declaration, Scope.GLOBAL, top)
        for procedure in program.procedures:
            self._check_procedure(procedure)

    # --- declarations ----------------------------------------------------------------------------

    def _check_names(self, kind: str, *groups: Sequence[_Declaration]) -> None:
        self._distinct(kind, [(d.name, d.origin) for group in groups for d in group])

    def _distinct(self, kind: str, names: Iterable[tuple[str, Origin]]) -> None:
        seen: set[str] = set()
        for name, origin in names:
            self.exprs.check_name(name, origin)
            if name in seen:
                self.exprs.report(f"{kind} '{name}' is declared twice", origin)
            seen.add(name)

    def _check_types(self) -> None:
        for declaration in self.exprs.program.types:
            self.exprs.where = f"type '{declaration.name}'"
            if declaration.definition is not None:  # else only their number matters
                self._distinct("the type parameter", [(p, declaration.origin) for p in declaration.params])
                self.exprs.check_type(declaration.definition, declaration.origin, declaration.params)
            self.exprs.check_attributes(declaration.attributes, Visible(), declaration.origin)

    def _check_datatype(self, datatype: Datatype) -> None:
        self.exprs.where = f"datatype '{datatype.name}'"
        if not datatype.constructors:
            self.exprs.report("it has no constructor", datatype.origin)
        self.exprs.check_attributes(datatype.attributes, Visible(), datatype.origin)
        types: dict[str, Type] = {}
        for constructor in datatype.constructors:
            self._check_names("the field", constructor.fields)
            for field in constructor.fields:
                self._check_variable(field, Scope.BOUND, None)
                if types.setdefault(field.name, field.var.type) is not field.var.type:
                    self.exprs.report(f"the field '{field.name}' has different types in two constructors", field.origin)

    def _check_function(self, function: Function) -> None:
        self.exprs.where = f"function '{function.name}'"
        named = [p for p in function.params if p.name]
        if named and len(named) != len(function.params):
            self.exprs.report("some parameters have names and some have none", function.origin)
        self._check_names("the parameter", named)
        for param in function.params:
            self._check_variable(param, Scope.BOUND, None)
        self.exprs.check_type(function.result, function.origin)
        self.exprs.check_attributes(function.attributes, Visible(_by_name(named)), function.origin)
        if function.body is not None:
            if function.body.type is not function.result:
                message = f"the body is a {function.body.type}, but the result should be a {function.result}"
                self.exprs.report(message, function.origin)
            self.exprs.check_expr(function.body, Visible(_by_name(named), globals=False), function.origin)

    def _check_declared(self, var: Var, scope: Scope, origin: Origin) -> None:
        self.exprs.check_type(var.type, origin)
        if var.scope is not scope:
            self.exprs.report(f"'{var.name}' has the scope '{var.scope.value}' instead of '{scope.value}'", origin)

    def _check_variable(self, declaration: VarDecl, scope: Scope, where: Visible | None) -> None:
        """A declaration; `where` says what a `where` clause sees, if there may be one."""
        self._check_declared(declaration.var, scope, declaration.origin)
        self.exprs.check_attributes(declaration.attributes, where or Visible(), declaration.origin)
        if declaration.where is None:
            return
        if where is None:
            self.exprs.report(f"'{declaration.name}' cannot have a 'where' clause", declaration.origin)
        else:
            self.exprs.check_condition(declaration.where, where, declaration.origin, "the 'where' clause")

    # --- procedures ------------------------------------------------------------------------------

    def _check_procedure(self, procedure: Procedure) -> None:
        self.exprs.where = f"procedure '{procedure.name}'"
        formals = (*procedure.params, *procedure.results)
        self._check_names("the parameter or result", formals)
        before = Visible(_by_name(procedure.params))
        formals_only = Visible(_by_name(formals))
        after = Visible(_by_name(formals), old=True)
        for declaration in procedure.params:
            self._check_variable(declaration, Scope.LOCAL, before)
        for declaration in procedure.results:
            self._check_variable(declaration, Scope.LOCAL, formals_only)
        self.exprs.check_attributes(procedure.attributes, formals_only, procedure.origin)
        self._check_clauses("the precondition", procedure.requires, before)
        self._check_clauses("the postcondition", procedure.ensures, after)
        self._distinct("the modified variable", [(v.name, procedure.origin) for v in procedure.modifies])
        for var in procedure.modifies:
            if self.exprs.outer.get(var.name) is not var or var.scope is not Scope.GLOBAL:
                self.exprs.report(
                    f"it modifies '{var.name}', which is not a global variable of that type", procedure.origin
                )
        for implementation in procedure.implementations:
            self._check_implementation(procedure, implementation)

    def _check_clauses(self, what: str, clauses: Sequence[Clause], visible: Visible) -> None:
        for clause in clauses:
            self.exprs.check_condition(clause.condition, visible, clause.origin, what)
            self.exprs.check_attributes(clause.attributes, visible, clause.origin)

    def _check_implementation(self, procedure: Procedure, implementation: Implementation) -> None:
        self.exprs.where = f"procedure '{procedure.name}'"
        self._check_names("the local variable", procedure.params, procedure.results, implementation.locals)
        names = _by_name(procedure.params, procedure.results, implementation.locals)
        visible, where = Visible(names, old=True), Visible(names)
        body = _Body(visible, frozenset(p.var for p in procedure.params), frozenset(procedure.modifies))
        for declaration in implementation.locals:
            self._check_variable(declaration, Scope.LOCAL, where)
        self.exprs.check_attributes(implementation.attributes, visible, implementation.origin)
        blocks = implementation.blocks
        if not blocks:
            self.exprs.report("the body has no block", implementation.origin)
        self._distinct("the label", [(b.label, b.origin) for b in blocks])
        labels = {b.label for b in blocks}
        for block in blocks:
            self.exprs.where = f"procedure '{procedure.name}', block '{block.label}'"
            for statement in block.statements:
                self._check_statement(statement, body)
            self._check_transfer(block, labels, visible)

    def _check_transfer(self, block: Block, labels: set[str], visible: Visible) -> None:
        transfer = block.transfer
        self.exprs.check_attributes(transfer.attributes, visible, transfer.origin)
        if isinstance(transfer, Goto):
            if not transfer.targets:
                self.exprs.report("a 'goto' has no target", transfer.origin)
            for label in transfer.targets:
                if label not in labels:
                    self.exprs.report(f"there is no block '{label}' to go to", transfer.origin)

    # --- statements ------------------------------------------------------------------------------

    def _check_statement(self, statement: Statement, body: _Body) -> None:
        visible, origin = body.visible, statement.origin
        match statement:
            case Assume() | Assert():
                what = "the assumption" if isinstance(statement, Assume) else "the assertion"
                self.exprs.check_condition(statement.condition, visible, origin, what)
                self.exprs.check_attributes(statement.attributes, visible, origin)
            case Assign(targets, values):
                if len(targets) != len(values):
                    self.exprs.report(f"{len(targets)} targets are assigned {len(values)} values", origin)
                for target, value in zip(targets, values, strict=False):
                    if target.type is not value.type:
                        message = f"'{target.name}' is a {target.type}, but is assigned a {value.type}"
                        self.exprs.report(message, origin)
                for value in values:
                    self.exprs.check_expr(value, visible, origin)
                self.exprs.check_attributes(statement.attributes, visible, origin)
            case Call():
                self._check_call(statement, body)
            case ParCall(calls):
                if len(calls) < 2:
                    self.exprs.report("there is nothing to run in parallel", origin)
                for call in calls:
                    if call.asynchronous or call.free:
                        self.exprs.report("a parallel call is neither asynchronous nor free", origin)
                    self._check_call(call, body)
            case Yield():
                self.exprs.check_attributes(statement.attributes, visible, origin)
            case Havoc():
                pass
        if isinstance(statement, Assign | Havoc) and not statement.targets:
            self.exprs.report("a statement changes no variable", origin)
        self._check_targets(assigned(statement), body, origin)

    def _check_targets(self, targets: Sequence[Var], body: _Body, origin: Origin) -> None:
        names: set[str] = set()
        for var in targets:
            problem = self.exprs.variable_problem(var, body.visible)
            if problem is None:
                problem = _assignment_problem(var, body)
            if problem is None and var.name in names:
                problem = f"'{var.name}' is assigned to twice in one statement"
            names.add(var.name)
            if problem is not None:
                self.exprs.report(problem, origin)

    def _check_call(self, call: Call, body: _Body) -> None:
        origin = call.origin
        self.exprs.check_attributes(call.attributes, body.visible, origin)
        for arg in call.args:
            self.exprs.check_expr(arg, body.visible, origin)
        callee = self.exprs.program.procedure_named.get(call.procedure)
        if callee is None:
            self.exprs.report(f"the called procedure '{call.procedure}' is not declared", origin)
            return
        if call.asynchronous and call.results:
            self.exprs.report(f"the asynchronous call of '{callee.name}' has results", origin)
        self._check_actuals("argument", call, [a.type for a in call.args], callee.params)
        if not call.asynchronous:
            self._check_actuals("result", call, [r.type for r in call.results], callee.results)
        for var in callee.modifies:
            if var not in body.modifies:
                message = f"the called procedure '{callee.name}' changes the global variable '{var.name}'"
                self.exprs.report(f"{message}, which is not in the 'modifies' clause", origin)

    def _check_actuals(self, what: str, call: Call, given: Sequence[Type], formals: Sequence[VarDecl]) -> None:
        if len(given) != len(formals):
            message = f"'{call.procedure}' has {len(formals)} {what}s, but is called with {len(given)}"
            self.exprs.report(message, call.origin)
            return
        for type_, formal in zip(given, formals, strict=True):
            if type_ is not formal.var.type:
                expected = f"{what} '{formal.name}' of '{call.procedure}' is a {formal.var.type}"
                self.exprs.report(f"the {expected}, but is given a {type_}", call.origin)


def _assignment_problem(var: Var, body: _Body) -> str | None:
    """Why a visible variable cannot be assigned to here, or None."""
    match var.scope:
        case Scope.CONST:
            return f"the constant '{var.name}' is assigned to"
        case Scope.GLOBAL if var not in body.modifies:
            return f"the global variable '{var.name}' is changed, but not in the 'modifies' clause"
        case Scope.LOCAL if var in body.params:
            return f"the parameter '{var.name}' is assigned to"
        case _:
            return None
