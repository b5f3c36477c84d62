"""Initialisers in braces, with their designators, as libclang shows them."""

from __future__ import annotations

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.context import Context
from paddock.frontends.c.clang.snapshot import Node
from paddock.frontends.c.initialisers import BracedItem, Braces


def braces_of(node: Node, context: Context) -> Braces:
    """What is written in braces; the items have been read."""
    items: list[BracedItem] = []
    for child in node.children:
        last = child.children[-1] if child.designated else child
        content = last.braces or last.expression
        if content is not None:
            items.append(BracedItem(_designators(child, context) if child.designated else (), content))
    return Braces(tuple(items), context.origin(node.cursor))


def _designators(node: Node, context: Context) -> tuple[str | range, ...]:
    found: list[str | range] = []
    open_range = False
    shown = node.children[:-1]
    for part, following in zip(shown, [*shown[1:], None], strict=True):
        if part.kind == k.MEMBER_REF:
            name = context.spelling(part.cursor)
            if name.isidentifier():  # anonymous members on the way are found again
                found.append(name)
            continue
        index = context.integer(part.cursor) or 0
        if open_range:
            first = found.pop()
            assert isinstance(first, range)
            found.append(range(first.start, index + 1))
        else:
            found.append(range(index, index + 1))
        open_range = following is not None and not open_range and _is_range(part, following, context)
    return tuple(found)


def _is_range(first: Node, second: Node, context: Context) -> bool:
    """Is it `[first ... second]`, and not `[first][second]`?"""
    lib = context.library
    end = lib.getRangeEnd(lib.getCursorExtent(first.cursor))
    begin = lib.getRangeStart(lib.getCursorExtent(second.cursor))
    text = context.places.between(end, begin)
    if b"..." not in text and b"]" not in text:  # a macro makes it
        context.problem("designators of arrays inside of a macro are not supported", second.cursor)
        return True
    return b"..." in text
