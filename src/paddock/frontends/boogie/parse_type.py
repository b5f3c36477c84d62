"""Parsing of types, with an explicit stack of the types that are still open."""

from __future__ import annotations

from paddock.frontends.boogie.cursor import Cursor
from paddock.frontends.boogie.lexer import CONTEXTUAL, IDENTIFIER
from paddock.frontends.boogie.syntax import MapType, NamedType, TypeSyntax
from paddock.frozen import mutable

BASIC = frozenset({"int", "real", "bool"})

# What may begin the next argument of a type. Contextual words that follow a type in a declaration may not.
_ARGUMENT_START = BASIC | (CONTEXTUAL - {"uses", "extends", "complete"}) | {IDENTIFIER, "(", "[", "<"}


@mutable
class _OpenMap:
    """`<type_params>[domain` or, once `domain_closed`, `<type_params>[domain]`."""

    pos: int
    type_params: list[str]
    domain: list[TypeSyntax]
    domain_closed: bool = False


class _OpenParenthesis:
    pass


# A `NamedType` on the stack still collects arguments.
_Open = NamedType | _OpenMap | _OpenParenthesis


def type_parameters(c: Cursor) -> list[str]:
    """`<a, b>`, or nothing."""
    if not c.accept("<"):
        return []
    names = [n.name for n in c.names("a type parameter")]
    c.expect(">", "after the type parameters")
    return names


def type_(c: Cursor) -> TypeSyntax:
    open_: list[_Open] = []
    while True:
        complete = _begin(c, open_)
        while complete is not None:
            if not open_:
                return complete
            complete = _continue(c, open_, complete)


def _begin(c: Cursor, open_: list[_Open]) -> TypeSyntax | None:
    """Reads the start of a type; returns it if that is all of it, otherwise pushes it."""
    kind, pos = c.kind, c.pos
    if kind in BASIC:
        c.at += 1
        return NamedType(pos, kind, [])
    if kind == "(":
        c.at += 1
        open_.append(_OpenParenthesis())
        return None
    if kind in ("[", "<"):
        type_params = type_parameters(c)
        c.expect("[", "to begin a map type")
        open_.append(_OpenMap(pos, type_params, [], domain_closed=c.accept("]")))
        return None
    named = NamedType(pos, c.name("a type"), [])
    # In an argument list a name stands for itself: the arguments of an argument need parentheses.
    is_argument = bool(open_) and isinstance(open_[-1], NamedType)
    if is_argument or c.kind not in _ARGUMENT_START:
        return named
    open_.append(named)
    return None


def _continue(c: Cursor, open_: list[_Open], part: TypeSyntax) -> TypeSyntax | None:
    """Gives a complete type to the innermost open one; returns that one if it is complete now."""
    innermost = open_[-1]
    if isinstance(innermost, NamedType):
        innermost.args.append(part)
        if c.kind in _ARGUMENT_START:
            return None
        open_.pop()
        return innermost
    if isinstance(innermost, _OpenParenthesis):
        c.expect(")", "after the type")
        open_.pop()
        return part
    if innermost.domain_closed:
        open_.pop()
        return MapType(innermost.pos, innermost.type_params, innermost.domain, part)
    innermost.domain.append(part)
    if not c.accept(","):
        c.expect("]", "after the domain of the map type")
        innermost.domain_closed = True
    return None
