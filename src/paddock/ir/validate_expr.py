"""Validation of expressions: types of all nodes, and every variable declared and visible where it is used.

Whether a node is well typed does not depend on where it stands, so each is looked at once in a program;
names are looked up once in each scope. The walk has an explicit stack and visits shared subterms once.
"""

from __future__ import annotations

from collections.abc import Iterable

from paddock.frozen import field, mutable
from paddock.ir.expr import App, Attributes, Binder, Expr, Let, Lit, Op, Quantifier, Scope, Trigger, Var
from paddock.ir.lexical import is_identifier, is_string
from paddock.ir.origin import NOWHERE, Diagnostic, Origin
from paddock.ir.printer import short_text
from paddock.ir.program import Program
from paddock.ir.types import BOOL, STRING, Basic, Bv, Float, Map, Named, Type, TypeVar, parts
from paddock.ir.typing import application_problem, literal_problem
from paddock.ir.walk import children, subterms

_KIND = {
    Scope.GLOBAL: "global variable",
    Scope.LOCAL: "local variable",
    Scope.BOUND: "bound variable",
    Scope.CONST: "constant",
}


@mutable
class Visible:
    """What expressions in one place may mention besides constants: locals or bound variables, globals, `old`."""

    names: dict[str, Var] = field(default_factory=dict)
    globals: bool = True
    old: bool = False
    seen: set[Expr] = field(default_factory=set)

    def with_bound(self, vars_: Iterable[Var]) -> Visible:
        return Visible({**self.names, **{v.name: v for v in vars_}}, self.globals, self.old)


class ExprValidator:
    """Checks expressions of one program and collects what is wrong; `where` goes in front of the messages."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.problems: list[Diagnostic] = []
        self.where = ""
        self.outer = {c.name: c.var for c in program.constants} | {g.name: g.var for g in program.globals}
        self._arity = {d.name: 0 for d in program.datatypes}
        self._arity |= {t.name: len(t.params) for t in program.types if t.definition is None}
        self._declared_types = {t.name for t in program.types} | set(self._arity)
        self._typed: set[Expr] = set()
        self._good_types: set[Type] = set()

    def report(self, message: str, origin: Origin = NOWHERE) -> None:
        self.problems.append(Diagnostic(f"{self.where}: {message}", origin))

    # --- types -----------------------------------------------------------------------------------

    def check_type(self, root: Type, origin: Origin, params: tuple[str, ...] = ()) -> None:
        """Check that a type is made of declared ones; `params` are the type parameters it may use."""
        if root in self._good_types:
            return
        stack, seen = [root], {root}
        count = len(self.problems)
        while stack:
            type_ = stack.pop()
            problem = self._type_problem(type_, params)
            if problem is not None:
                self.report(problem, origin)
            new = [p for p in parts(type_) if p not in seen and p not in self._good_types]
            seen.update(new)
            stack += new
        if len(self.problems) == count and not params:
            self._good_types |= seen

    def _type_problem(self, type_: Type, params: tuple[str, ...]) -> str | None:
        match type_:
            case Map():
                return None
            case TypeVar(name):
                return None if name in params else f"the type parameter '{name}' is not bound"
            case Named(name, args):
                if name in params:
                    return f"the type '{name}' is hidden by the type parameter of the same name"
                if name not in self._declared_types:
                    return f"the type '{name}' is not declared"
                if name not in self._arity:
                    return f"the synonym '{name}' is not written out"
                if len(args) != self._arity[name]:
                    return f"the type '{name}' takes {self._arity[name]} arguments, not {len(args)}"
            case Bv(width) if width < 0:
                return "a bit-vector cannot have a negative width"
            case Float(significand, exponent) if significand < 2 or exponent < 2:
                return f"the type {type_} needs at least two bits for the significand and the exponent"
            case Basic() | Bv() | Float() if str(type_) in self._declared_types:
                return f"the type {type_} is hidden by a declared type of that name"
        return None

    # --- expressions -----------------------------------------------------------------------------

    def check_expr(self, root: Expr, visible: Visible, origin: Origin) -> None:
        stack = [(root, visible)]
        while stack:
            node, scope = stack.pop()
            if node in scope.seen:
                continue
            scope.seen.add(node)
            if node not in self._typed:
                self._typed.add(node)
                self.check_type(node.type, origin)
                self._node(node, origin)
            match node:
                case Var():
                    problem = self.variable_problem(node, scope)
                    if problem is not None:
                        self.report(problem, origin)
                case App():
                    if node.op is Op.OLD and not scope.old:
                        self.report(f"'{short_text(node)}' stands where there is no old state", origin)
                    stack += [(arg, scope) for arg in node.args]
                case Binder() | Let():
                    inner = scope.with_bound(node.vars)
                    outside = len(node.values) if isinstance(node, Let) else 0
                    kids = children(node)
                    stack += [(child, scope) for child in kids[:outside]]
                    stack += [(child, inner) for child in kids[outside:]]

    def check_condition(self, root: Expr, visible: Visible, origin: Origin, what: str) -> None:
        if root.type is not BOOL:
            self.report(f"{what} '{short_text(root)}' is not a bool but a {root.type}", origin)
        self.check_expr(root, visible, origin)

    def check_attributes(self, attributes: Attributes, visible: Visible, origin: Origin) -> None:
        self._attribute_shape(attributes, origin)
        for attribute in attributes:
            for param in attribute.params:
                if isinstance(param, Expr):
                    self.check_expr(param, visible, origin)

    def variable_problem(self, var: Var, visible: Visible) -> str | None:
        """Why a variable cannot be used here as it is, or None."""
        name, kind = var.name, _KIND[var.scope]
        found = visible.names.get(name) or self.outer.get(name)
        if found is var:
            if var.scope is Scope.GLOBAL and not visible.globals:
                return f"the global variable '{name}' cannot be used here"
            return None
        if found is None:
            return f"the {kind} '{name}' is not declared here"
        if found.scope is not var.scope:
            return f"the {kind} '{name}' is hidden by the {_KIND[found.scope]} of the same name"
        return f"the {kind} '{name}' is used as {var.type}, but is declared as {found.type}"

    # --- single nodes ----------------------------------------------------------------------------

    def _node(self, node: Expr, origin: Origin) -> None:
        match node:
            case Lit():
                problem = literal_problem(node)
                if problem is not None:
                    self.report(problem, origin)
            case App():
                problem = application_problem(node, self.program)
                if problem is not None:
                    self.report(f"'{short_text(node)}' {problem}", origin)
            case Binder():
                self._bound(node, node.vars, origin)
                self._binder(node, origin)
            case Let():
                self._bound(node, node.vars, origin)
                self._attribute_shape(node.attributes, origin)
                if [v.type for v in node.vars] != [v.type for v in node.values]:
                    self.report(f"'{short_text(node)}' has variables and values of different types", origin)
                if node.type is not node.body.type:
                    self.report(f"'{short_text(node)}' has another type than its body", origin)

    def _bound(self, node: Expr, vars_: tuple[Var, ...], origin: Origin) -> None:
        if not vars_:
            self.report(f"'{short_text(node)}' binds no variable", origin)
        if len({v.name for v in vars_}) != len(vars_):
            self.report(f"'{short_text(node)}' binds a variable twice", origin)
        for var in vars_:
            self.check_type(var.type, origin)
            self.check_name(var.name, origin)
            if var.scope is not Scope.BOUND:
                self.report(f"'{short_text(node)}' binds '{var.name}', a {_KIND[var.scope]}", origin)

    def _binder(self, node: Binder, origin: Origin) -> None:
        for attributes in (node.attributes, *node.var_attributes):
            self._attribute_shape(attributes, origin)
        if len(node.var_attributes) != len(node.vars):
            self.report(f"'{short_text(node)}' has not one set of attributes for each variable", origin)
        if node.kind is Quantifier.LAMBDA:
            if node.triggers:
                self.report(f"'{short_text(node)}' is a lambda with triggers", origin)
            expected: Type = Map(tuple(v.type for v in node.vars), node.body.type)
        else:
            expected = BOOL
            if node.body.type is not BOOL:
                self.report(f"the body of '{short_text(node)}' is not a bool", origin)
        if node.type is not expected:
            self.report(f"'{short_text(node)}' has the type {node.type}, but should have {expected}", origin)
        for trigger in node.triggers:
            problem = _trigger_problem(trigger, node)
            if problem is not None:
                self.report(f"{problem} in '{short_text(node)}'", origin)

    def _attribute_shape(self, attributes: Attributes, origin: Origin) -> None:
        for attribute in attributes:
            self.check_name(attribute.name, origin)
            for param in attribute.params:
                if isinstance(param, str) and not is_string(param):
                    self.report(f"the string {param!r} of {{:{attribute.name}}} cannot be written", origin)
                elif isinstance(param, Lit) and param.type is STRING:
                    self.report(f"the string of {{:{attribute.name}}} must be plain, not a literal", origin)

    def check_name(self, name: str, origin: Origin) -> None:
        if not is_identifier(name):
            self.report(f"the name {name!r} cannot be written in Boogie", origin)


def _trigger_problem(trigger: Trigger, binder: Binder) -> str | None:
    if not trigger.terms:
        return "there is an empty trigger"
    if not trigger.positive:
        return "{:nopats} has not exactly one term" if len(trigger.terms) != 1 else None
    if any(not isinstance(term, App) for term in trigger.terms):
        return "there is a trigger that is no application"
    mentioned = set(subterms(trigger.terms))
    missing = [v.name for v in binder.vars if v not in mentioned]
    return f"there is a trigger without {', '.join(missing)}" if missing else None
