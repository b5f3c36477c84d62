"""Quantifiers, lambdas and `let`: what binds variables, or types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.expression_context import ExpressionContext, Handler
from paddock.frontends.boogie.local_names import Bound
from paddock.frontends.boogie.triggers import trigger_problem
from paddock.frontends.boogie.type_quantifiers import Place
from paddock.frozen import replace
from paddock.ir.expr import App, Attribute, Attributes, Binder, Expr, Let, Lit, Op, Quantifier, Trigger
from paddock.ir.types import BOOL, Map, Type, TypeVar


class Binders:
    """Checks expressions that bind variables in a context."""

    def __init__(self, at: ExpressionContext) -> None:
        self.at = at

    def handlers(self) -> dict[type, Handler]:
        return {s.Quantified: self._enter_quantified, s.LetIn: self._enter_let}

    def _enter_quantified(self, node: s.Quantified) -> None:
        if node.type_params:
            self._enter_type_quantified(node)
            return
        types = [self.at.symbols.types.resolve(b.type, self.at.type_params) for b in node.vars if b.type is not None]
        bound = self.at.names.bind(node.vars, types)
        self.at.work += [(self._finish_quantified, (node, bound)), node.body]
        for trigger in reversed(node.triggers):
            self.at.work += trigger.terms[::-1]
        for attributes in (node.attributes, *(b.attributes for b in reversed(node.vars))):
            self.at.work += _expressions(attributes)[::-1]

    def _finish_quantified(self, item: tuple[s.Quantified, list[Bound]]) -> None:
        node, bound = item
        attribute_lists = [b.attributes for b in node.vars] + [node.attributes]
        count = sum(len(_expressions(a)) for a in attribute_lists) + sum(len(t.terms) for t in node.triggers)
        *rest, body = self.at.take(count + 1)
        self.at.names.unbind(bound)
        parts = iter(rest)
        *var_attributes, attributes = [_with_expressions(a, parts) for a in attribute_lists]
        triggers = tuple([Trigger(tuple([next(parts) for _ in t.terms]), t.positive) for t in node.triggers])
        vars_ = tuple([var for _, var, _ in bound])
        for syntax, trigger in zip(node.triggers, triggers, strict=True):
            problem = trigger_problem(trigger, vars_)
            if problem is not None:
                self.at.problems.add(syntax.pos, problem)
        if node.kind is Quantifier.LAMBDA:
            type_: Type = Map(tuple([v.type for v in vars_]), body.type)
        else:
            type_ = BOOL
            if not self.at.agree(body.type, BOOL):
                message = f"the body of a quantifier must be a bool, but is {self.at.shown(body.type)}"
                self.at.problems.add(node.body.pos, message)
        self.at.values.append(Binder(node.kind, vars_, tuple(var_attributes), attributes, triggers, body, type_))

    def _enter_type_quantified(self, node: s.Quantified) -> None:
        """A quantifier over types: once with its type parameters as they are, then each of the known instances."""
        params = self.at.symbols.type_params(node.pos, node.type_params)
        for param in params:
            if param.name in self.at.type_params:
                self.at.problems.add(node.pos, f"the type parameter '{param.name}' is already declared around here")
        if node.kind is Quantifier.LAMBDA:
            self.at.fail(node.pos, "a lambda expression over types is not supported")
            return
        place = (self.at.problems.source, node.pos, tuple(self.at.type_params.items()))
        instances = [] if self.at.generic else self.at.instances.get(place, [])
        plain = replace(node, type_params=[]) if node.vars else node.body
        around = self.at.type_params
        self.at.work.append((self._finish_type_quantified, (node, place, params, len(instances))))
        for type_args in (*reversed(instances), params):
            inside = {**around, **{p.name: t for p, t in zip(params, type_args, strict=True)}}
            generic = self.at.generic or type_args is params
            self.at.work += [
                (self._enter_types, (around, self.at.generic)),
                plain,
                (self._enter_types, (inside, generic)),
            ]

    def _enter_types(self, item: tuple[Mapping[str, Type], bool]) -> None:
        self.at.type_params, self.at.generic = item

    def _finish_type_quantified(self, item: tuple[s.Quantified, Place, tuple[TypeVar, ...], int]) -> None:
        node, place, params, count = item
        generic, *instances = self.at.take(1 + count)
        if not self.at.agree(generic.type, BOOL):
            message = f"the body of a quantifier must be a bool, but is {self.at.shown(generic.type)}"
            self.at.fail(node.body.pos, message)
            return
        self.at.type_quantified.append((None if self.at.generic else place, params, generic, node))
        if self.at.generic:
            self.at.values.append(generic)
            return
        op, neutral = (Op.AND, True) if node.kind is Quantifier.FORALL else (Op.OR, False)
        joined = reduce(lambda a, b: App(op, (a, b), BOOL), instances) if instances else Lit(neutral, BOOL)
        self.at.values.append(joined)

    def _enter_let(self, node: s.LetIn) -> None:
        if len(node.vars) != len(node.values):
            variables = f"{len(node.vars)} variable{'s are' if len(node.vars) != 1 else ' is'}"
            self.at.fail(node.pos, f"{variables} bound to {len(node.values)} value{'s' * (len(node.values) != 1)}")
            return
        self.at.work.append((self._bind_let, node))
        self.at.work += node.values[::-1]

    def _bind_let(self, node: s.LetIn) -> None:
        values = self.at.take(len(node.values))
        bound = self.at.names.bind(node.vars, [v.type for v in values])
        self.at.work += [(self._finish_let, (node, values, bound)), node.body]
        self.at.work += _expressions(node.attributes)[::-1]

    def _finish_let(self, item: tuple[s.LetIn, tuple[Expr, ...], list[Bound]]) -> None:
        node, values, bound = item
        *rest, body = self.at.take(len(_expressions(node.attributes)) + 1)
        self.at.names.unbind(bound)
        attributes = _with_expressions(node.attributes, iter(rest))
        self.at.values.append(Let(tuple([var for _, var, _ in bound]), values, attributes, body, body.type))


def _expressions(attributes: list[s.AttributeSyntax]) -> list[s.ExprSyntax]:
    """The parameters of the attributes that are expressions."""
    return [p for a in attributes for p in a.params if not isinstance(p, str)]


def _with_expressions(attributes: list[s.AttributeSyntax], values: Iterator[Expr]) -> Attributes:
    """The attributes with their expressions taken from `values`."""
    return tuple(
        [Attribute(a.name, tuple([p if isinstance(p, str) else next(values) for p in a.params])) for a in attributes]
    )
