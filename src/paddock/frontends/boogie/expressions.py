"""Resolving names in expressions and checking their types: from syntax to IR expressions.

The loop is here, with names, literals and operators; other kinds of nodes have handlers in `members.py`, `maps.py` and
`binders.py`. `expression_context.py` says how it works.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.attributes import warn_of
from paddock.frontends.boogie.binders import Binders
from paddock.frontends.boogie.expression_context import BROKEN, ExpressionContext, with_article
from paddock.frontends.boogie.maps import Maps
from paddock.frontends.boogie.members import Members
from paddock.frontends.boogie.operators import operation_type
from paddock.frontends.boogie.symbols import Symbols
from paddock.frontends.boogie.types import Inference
from paddock.ir.expr import App, Attribute, Attributes, Expr, GetField, Lit, Op, Scope, SetField, Var
from paddock.ir.types import BOOL, Type


class Expressions:
    """Checks expressions in a context that its user sets (`at`)."""

    def __init__(self, symbols: Symbols) -> None:
        self.at = ExpressionContext(symbols)
        self.symbols = symbols
        self.problems = symbols.problems
        # Gives an expression in a polymorphic program its final form; set by the monomorphiser.
        self.specialise: Callable[[Expr, int], Expr] = lambda expr, pos: expr
        self._members = Members(self.at)
        self._maps = Maps(self.at)
        self._handlers = self._members.handlers() | self._maps.handlers() | Binders(self.at).handlers()
        self._plain_attributes: dict[str, Attributes] = {}

    # --- entry points ----------------------------------------------------------------------------

    def check(self, node: s.ExprSyntax, wanted: Type | None = None, what: str = "") -> Expr:
        """The expression that `node` denotes; with `wanted`, it must have that type (`what` names it)."""
        if self.symbols.polymorphic:
            self.at.inference = Inference()
        expr = self._run(node)
        if wanted is not None and expr.type is not wanted and not self.at.inference.unify(expr.type, wanted):
            self.problems.add(
                node.pos, f"{what} must be {with_article(wanted)}, but is {self.at.inference.shown(expr.type)}"
            )
        return self.finish(expr, node.pos)

    def check_all(self, nodes: list[s.ExprSyntax]) -> tuple[Expr, ...]:
        """Several expressions whose unknown types are found together; `finish` each one in the end."""
        if self.symbols.polymorphic:
            self.at.inference = Inference()
        return tuple([self._run(node) for node in nodes])

    def check_update(self, var: Var, target: s.AssignTarget, value_syntax: s.ExprSyntax) -> Expr:
        """The value that `var` gets from an assignment to one of its elements or fields.

        `m[i][j] := e` gives `m[i := m[i][j := e]]`.
        """
        if self.symbols.polymorphic:
            self.at.inference = Inference()
        holders: list[Expr] = [var]
        indices: list[tuple[Expr, ...]] = []
        for step in target.steps:
            holder = holders[-1]
            if isinstance(step, str):
                indices.append(())
                type_ = self._members.type_of_field(target.pos, holder, step)
                holders.append(App(GetField(step), (holder,), type_))
            else:
                indices.append(tuple([self._run(i) for i in step]))
                holders.append(self._maps.select(target.pos, step, (holder, *indices[-1])))
        element = holders.pop()
        value = self._run(value_syntax)
        if not self.at.agree(element.type, value.type):
            message = f"the value must be {self.at.shown_a(element.type)}, but is {self.at.shown(value.type)}"
            self.problems.add(value_syntax.pos, message)
        for step, holder, index in zip(reversed(target.steps), reversed(holders), reversed(indices), strict=True):
            if isinstance(step, str):
                value = App(SetField(step), (holder, value), holder.type)
            else:
                value = self._maps.store(target.pos, step, (holder, *index, value), value_syntax.pos)
        return self.finish(value, target.pos)

    def finish(self, expr: Expr, pos: int) -> Expr:
        """`expr` in its final form, now that nothing more is to be learnt about its unknown types."""
        return self.specialise(expr, pos) if self.symbols.polymorphic else expr

    def condition(self, node: s.ExprSyntax, what: str) -> Expr:
        return self.check(node, BOOL, what)

    def attributes(self, nodes: list[s.AttributeSyntax]) -> Attributes:
        if not nodes:
            return ()
        warn_of(nodes, self.problems)
        if len(nodes) == 1 and not nodes[0].params:
            name = nodes[0].name
            plain = self._plain_attributes.get(name)
            if plain is None:
                plain = self._plain_attributes[name] = (Attribute(name),)
            return plain
        return tuple(
            [Attribute(a.name, tuple([p if isinstance(p, str) else self.check(p) for p in a.params])) for a in nodes]
        )

    # --- the loop --------------------------------------------------------------------------------

    def _run(self, root: s.ExprSyntax) -> Expr:
        values, work = self.at.values, self.at.work
        scope, hidden_types, finish_operation = self.at.scope, self.symbols.types.hidden, self._finish_operation
        work.append(root)
        while work:
            item = work.pop()
            if type(item) is s.Name:
                values.append(scope.get(item.name) or self._outer_name(item))
            elif type(item) is tuple:
                step, subject = item
                step(subject)
            elif type(item) is s.Operation:
                work.append((finish_operation, item))
                work += item.args[::-1]
            elif type(item) is s.Literal:
                if item.type in hidden_types:
                    self.problems.add(item.pos, f"the type of this literal is hidden by the declared type {item.type}")
                values.append(Lit(item.value, item.type))
            else:
                self._handlers[type(item)](item)
        return values.pop()

    def _outer_name(self, node: s.Name) -> Expr:
        """What a name means that no local or bound variable has."""
        var = self.symbols.variables.get(node.name)
        if var is None:
            self.symbols.unknown(node.pos, "identifier", node.name, [*self.at.scope, *self.symbols.variables])
            return BROKEN
        if self.at.no_globals and var.scope is Scope.GLOBAL:
            self.problems.add(node.pos, f"the global variable '{node.name}' {self.at.no_globals}")
        return var

    def _finish_operation(self, node: s.Operation) -> None:
        op = node.op
        args = self.at.take(len(node.args))
        if op is Op.OLD and self.at.no_old:
            self.problems.add(node.pos, f"'old' {self.at.no_old}")
        type_ = operation_type(op, args, self.at.inference)
        if isinstance(type_, str):
            if (op is Op.EQ or op is Op.NE) and self.at.type_params and not self.at.generic:
                # Of types that might have been one: where the copy is for others, the values are of different types.
                self.at.values.append(Lit(op is Op.NE, BOOL))
            else:
                self.at.fail(node.pos, type_)
        else:
            self.at.values.append(App(op, args, type_))
