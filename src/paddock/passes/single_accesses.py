"""Statements in which a thread touches shared globals several times, as steps that touch them once each.

    x := x + y;              read := x; read#1 := y; x := read + read#1;
    m := m[i := n[j]];       read := n[j]; m := m[i := read];

In Boogie a statement is one step. In C it is not: each load and each store is. An element of a map is loaded by itself,
and stored by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from paddock.frozen import replace
from paddock.ir.expr import App, Binder, Expr, Let, Op, Var
from paddock.ir.rewriting import map_expressions
from paddock.ir.stmt import Assert, Assign, Assume, Call, Statement
from paddock.ir.walk import children, rebuild, variables

# Where the value of a load is kept.
Keep = Callable[[Expr], Var]


def single_accesses(statement: Statement, shared: Collection[Var], keep: Keep) -> tuple[list[Assign], Statement]:
    """The loads that come before a statement, and the statement with what they have loaded; none if it touches shared
    globals at most once."""
    loads: dict[Expr, Var] = {}

    def loaded(expr: Expr) -> Expr:
        return _without_loads(expr, shared, loads, keep)

    match statement:
        case Assume() | Assert():
            new: Statement = map_expressions(statement, loaded)
            stores = False
        case Assign(targets=targets, values=values):
            pairs = zip(targets, values, strict=True)
            new = replace(
                statement, values=tuple(_stored(t, v, loaded) if t in shared else loaded(v) for t, v in pairs)
            )
            stores = any(t in shared for t in targets)
        case Call(args=args):
            new = replace(statement, args=tuple(map(loaded, args)))
            stores = False
        case _:
            return [], statement
    if len(loads) + stores <= 1:
        return [], statement
    return [Assign((kept,), (term,), origin=statement.origin) for term, kept in loads.items()], new


def _stored(target: Var, value: Expr, loaded: Callable[[Expr], Expr]) -> Expr:
    """The value that a global gets; if that is itself with other elements, it is not loaded."""
    if isinstance(value, App) and value.op is Op.STORE and value.args[0] is target:
        return rebuild(value, (target, *map(loaded, value.args[1:])))
    return loaded(value)


def _without_loads(root: Expr, shared: Collection[Var], loads: dict[Expr, Var], keep: Keep) -> Expr:
    """An expression with variables in place of what is loaded in it, innermost loads first. What a quantifier or a
    `let` is about stays: it is one step."""
    done: dict[Expr, Expr] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        if isinstance(node, Binder | Let) or variables(node).isdisjoint(shared):
            done[node] = node
            continue
        element = isinstance(node, App) and node.op is Op.SELECT and node.args[0] in shared
        parts = node.args[1:] if element and isinstance(node, App) else children(node)
        missing = [part for part in parts if part not in done]
        if missing:
            stack += reversed(missing)
            continue
        new = node
        if element and isinstance(node, App):
            new = rebuild(node, (node.args[0], *(done[p] for p in parts)))
        elif parts:
            new = rebuild(node, tuple(done[p] for p in parts))
        if element or (isinstance(node, Var) and node in shared):
            loads.setdefault(new, keep(new) if new not in loads else loads[new])
            new = loads[new]
        done[node] = new
    return done[root]
