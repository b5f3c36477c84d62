"""A line for each region, indented by what it is in.

What is inside a procedure is shown once.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.report.color import PLAIN, Painter
from paddock.report.regions import Tree, node_note

AGAIN = "as above"


def render(tree: Tree, _paint: Painter = PLAIN) -> str:
    rows = list(_rows(tree))
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name.ljust(width)}  {note}".rstrip() + "\n" for name, note in rows)


def _rows(tree: Tree) -> Iterator[tuple[str, str]]:
    shown: set[str] = set()
    stack = [(next(iter(tree)), 0)]
    while stack:
        id_, depth = stack.pop()
        node = tree[id_]
        name = "  " * depth + id_
        if id_ in shown:
            yield name, AGAIN if node.children else node_note(node)
            continue
        shown.add(id_)
        yield name, node_note(node)
        stack += [(child, depth + 1) for child in reversed(node.children)]
