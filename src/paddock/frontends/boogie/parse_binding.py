"""Parsing of attributes and of variable declarations, in expressions and elsewhere.

Both contain expressions and occur in expressions, to any depth. So that nothing recurses, a function here
is a generator that yields where an expression must come and is sent that expression; who runs it reads
the expression (see `parse_expr.py`).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from paddock.frontends.boogie.cursor import Cursor
from paddock.frontends.boogie.lexer import STRING
from paddock.frontends.boogie.parse_type import type_
from paddock.frontends.boogie.syntax import AttributeSyntax, Binding, ExprSyntax

T = TypeVar("T")
Reader = Generator[None, ExprSyntax, T]


def attribute(c: Cursor) -> Reader[AttributeSyntax]:
    """`{:name p1, p2}`."""
    pos = c.advance()
    name = c.name("the name of an attribute")
    params: list[str | ExprSyntax] = []
    if c.kind != "}":
        params.append((yield from _parameter(c)))
        while c.accept(","):
            params.append((yield from _parameter(c)))
    c.expect("}", f"after the attribute '{name}'")
    return AttributeSyntax(pos, name, params)


def _parameter(c: Cursor) -> Reader[str | ExprSyntax]:
    if c.kind == STRING and c.kinds[c.at + 1] in (",", "}"):
        c.at += 1
        return c.texts[c.at - 1][1:-1]
    return (yield)


def attribute_list(c: Cursor) -> Reader[list[AttributeSyntax]]:
    result: list[AttributeSyntax] = []
    while c.kind == "{:":
        one = yield from attribute(c)
        if one.name == "nopats":
            c.report(one.pos, "'nopats' is allowed only in a quantifier")
        result.append(one)
    return result


def typed_names(c: Cursor, attributes: list[AttributeSyntax], no_where_on: str) -> Reader[list[Binding]]:
    """`a, b: T where e`; the clause is refused if `no_where_on` says on what."""
    names = c.names("the name of a variable")
    c.expect(":", f"and a type after '{names[-1].name}'")
    type_of_all = type_(c)
    where = None
    if c.kind == "where":
        pos = c.advance()
        where = yield
        if no_where_on:
            c.report(pos, f"a where clause is not allowed on {no_where_on}")
    return [Binding(n.pos, n.name, type_of_all, where, attributes) for n in names]


def formals(c: Cursor, no_where_on: str = "") -> Reader[list[Binding]]:
    """`{:a} x, y: T, {:b} z: U`, at least one."""
    result: list[Binding] = []
    while True:
        attributes = yield from attribute_list(c)
        result += yield from typed_names(c, attributes, no_where_on)
        if not c.accept(","):
            return result


def variables(c: Cursor) -> Reader[list[Binding]]:
    """`var {:a} x, y: T where e, z: U;`; the attributes are those of all the variables."""
    c.advance()
    attributes = yield from attribute_list(c)
    result = yield from typed_names(c, attributes, "")
    while c.accept(","):
        result += yield from typed_names(c, attributes, "")
    c.expect(";", "after the declaration of variables")
    return result
