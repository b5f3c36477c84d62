"""Traversal of expressions: one generic `children`/`rebuild` pair, and walks on top of it.

All walks use an explicit stack and visit a shared subterm once, so neither depth (an `&&` chain of
100,000 conjuncts) nor sharing (a DAG whose tree is exponential) hurts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from paddock.frozen import replace
from paddock.ir.expr import App, Attributes, Binder, Expr, Let, Lit, Scope, Trigger, Var
from paddock.ir.names import FreshNames

Substitution = Mapping[Var, Expr]


def _attribute_exprs(attributes: Attributes) -> tuple[Expr, ...]:
    if not attributes:
        return ()
    return tuple(p for a in attributes for p in a.params if isinstance(p, Expr))


def map_attributes(attributes: Attributes, f: Callable[[Expr], Expr]) -> Attributes:
    """The attributes with `f` applied to every expression in them."""
    if not attributes:
        return attributes
    return tuple(
        replace(a, params=tuple(f(p) if isinstance(p, Expr) else p for p in a.params)) if a.params else a
        for a in attributes
    )


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions, those in triggers and attributes included."""
    match expr:
        case App(_, args):
            return args
        case Binder():
            terms = tuple(t for trigger in expr.triggers for t in trigger.terms)
            inner = tuple(e for attributes in expr.var_attributes for e in _attribute_exprs(attributes))
            return (*inner, *_attribute_exprs(expr.attributes), *terms, expr.body)
        case Let():
            return (*expr.values, *_attribute_exprs(expr.attributes), expr.body)
        case _:
            return ()


def rebuild(expr: Expr, new: tuple[Expr, ...]) -> Expr:
    """`expr` with other children, in the order of `children`."""
    match expr:
        case App(op, args, type_):
            return expr if new == args else App(op, new, type_)
        case Binder():
            rest = iter(new)
            var_attributes = tuple(map_attributes(a, lambda _: next(rest)) for a in expr.var_attributes)
            attributes = map_attributes(expr.attributes, lambda _: next(rest))
            triggers = tuple(Trigger(tuple(next(rest) for _ in t.terms), t.positive) for t in expr.triggers)
            return Binder(expr.kind, expr.vars, var_attributes, attributes, triggers, next(rest), expr.type)
        case Let():
            rest = iter(new)
            values = tuple(next(rest) for _ in expr.values)
            attributes = map_attributes(expr.attributes, lambda _: next(rest))
            return Let(expr.vars, values, attributes, next(rest), expr.type)
        case _:
            return expr


def subterms(roots: Iterable[Expr]) -> Iterator[Expr]:
    """Every distinct subterm of the roots, each once, parents before children."""
    seen: set[Expr] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        if not isinstance(node, Lit | Var):
            stack.extend(children(node))


def variables(*roots: Expr) -> set[Var]:
    """The variables and constants that occur, bound ones left out."""
    return {e for e in subterms(roots) if isinstance(e, Var) and e.scope is not Scope.BOUND}


def rewrite(root: Expr, f: Callable[[Expr], Expr], memo: dict[Expr, Expr] | None = None) -> Expr:
    """`root` with `f` applied to every subterm, bottom up; `f` sees a node whose children are done.

    Binders are walked like any node, so `f` must not move a bound variable out of its scope. Pass one
    `memo` to share the work among several roots.
    """
    done = {} if memo is None else memo
    stack = [root]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        kids = children(node)
        missing = [k for k in kids if k not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        done[node] = f(rebuild(node, tuple([done[k] for k in kids])) if kids else node)
    return done[root]


def substitute(root: Expr, substitution: Substitution) -> Expr:
    """`root` with variables replaced at once; bound variables are renamed where they would capture."""
    if not substitution:
        return root
    return _Substituter(substitution).run(root)


class _Substituter:
    """One substitution; an environment per binder that shadows or captures, otherwise shared."""

    def __init__(self, substitution: Substitution) -> None:
        self.top = dict(substitution)
        self.inner: dict[tuple[int, Expr], tuple[dict[Var, Expr], tuple[Var, ...]]] = {}
        self.done: dict[tuple[int, Expr], Expr] = {}
        # A local under a binder of the same name would not be captured here, but it would be once printed.
        self.capturable = {v.name for v in subterms(substitution.values()) if isinstance(v, Var)}

    def run(self, root: Expr) -> Expr:
        done = self.done
        stack: list[tuple[Expr, dict[Var, Expr]]] = [(root, self.top)]
        while stack:
            node, env = stack[-1]
            key = (id(env), node)
            if key in done:
                stack.pop()
                continue
            if isinstance(node, Var):
                done[key] = env.get(node, node)
                continue
            if isinstance(node, Lit):
                done[key] = node
                continue
            kids = children(node)
            if isinstance(node, App):
                envs = [env] * len(kids)
                new_vars: tuple[Var, ...] = ()
            else:
                inner, new_vars = self._enter(node, env, key)
                outside = len(node.values) if isinstance(node, Let) else 0
                envs = [env] * outside + [inner] * (len(kids) - outside)
            missing = [(k, e) for k, e in zip(kids, envs, strict=True) if (id(e), k) not in done]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            new = rebuild(node, tuple([done[(id(e), k)] for k, e in zip(kids, envs, strict=True)]))
            if isinstance(new, Binder | Let) and new.vars != new_vars:
                new = replace(new, vars=new_vars)
            done[key] = new
        return done[(id(self.top), root)]

    def _enter(
        self, node: Expr, env: dict[Var, Expr], key: tuple[int, Expr]
    ) -> tuple[dict[Var, Expr], tuple[Var, ...]]:
        """The environment inside a binder, and the names its variables have there."""
        if key not in self.inner:
            assert isinstance(node, Binder | Let)
            new_vars = tuple(self._renamed(v, node) if v.name in self.capturable else v for v in node.vars)
            changes = {v: n for v, n in zip(node.vars, new_vars, strict=True) if v in env or n is not v}
            inner = {**env, **changes} if changes else env
            self.inner[key] = (inner, new_vars)
        return self.inner[key]

    def _renamed(self, var: Var, binder: Expr) -> Var:
        taken = self.capturable | {v.name for v in subterms([binder]) if isinstance(v, Var)}
        return Var(FreshNames(taken)(var.name), var.type, var.scope)
