"""The regions of a program as text, for a person or for Graphviz: which loops are in which procedures and loops, and
which procedures they call (Akhundov et al., Verification by Gambling on Program Slices, Fig. 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from paddock.report.drawing import Node, picture_svg

AGAIN = "as above"
BLUE = "#cfe2ff"


@dataclass(frozen=True, slots=True)
class RegionNode:
    """A region: where it is, how many assertions are in it but in no region inside it, what is right inside it or
    called from there, and which of those a recursion leads back to."""

    id: str
    is_loop: bool
    file: str
    first_line: int
    last_line: int
    assertions: int
    children: tuple[str, ...]
    recursive: tuple[str, ...] = ()

    @property
    def lines(self) -> str:
        return f"{self.first_line}-{self.last_line}" if self.last_line > self.first_line else str(self.first_line)


Tree = Mapping[str, RegionNode]  # by id; the first is the whole program


def regions_text(tree: Tree) -> str:
    """A line for each region, indented by what it is in. What is inside a procedure is shown once."""
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
            yield name, AGAIN if node.children else _note(node)
            continue
        shown.add(id_)
        yield name, _note(node)
        stack += [(child, depth + 1) for child in reversed(node.children)]


def _note(node: RegionNode) -> str:
    """What and where a region is."""
    count = f", {node.assertions} assertion{'s' if node.assertions > 1 else ''}" if node.assertions else ""
    return f"{'loop' if node.is_loop else 'procedure'} {node.file}:{node.lines}{count}"


def regions_dot(tree: Tree) -> str:
    """The same as a graph in the language of Graphviz: loops are blue, as in the paper, and what has assertions is
    framed in red."""
    out = ["digraph regions {", '  node [shape=box, style=filled, fillcolor=white, fontname="monospace"];']
    for node in tree.values():
        fill = f', fillcolor="{BLUE}"' if node.is_loop else ""
        frame = ", color=red" if node.assertions else ""
        out.append(f"  {_quoted(node.id)} [label={_quoted(*node_lines(node))}{fill}{frame}];")
    out += [f"  {_quoted(node.id)} -> {_quoted(child)};" for node in tree.values() for child in node.children]
    return "\n".join([*out, "}"]) + "\n"


def regions_svg(tree: Tree) -> str:
    """The same as a picture; calls with which a recursion starts again are left out. Raises `DrawingUnavailable`."""

    def box(node: RegionNode) -> Node:
        fill = f"fill:{BLUE};" if node.is_loop else "fill:white;"
        return Node(node_lines(node), f"{node.id}: {_note(node)}", fill + ("stroke:red" if node.assertions else ""))

    edges = [(node.id, c) for node in tree.values() for c in node.children if c not in node.recursive]
    return picture_svg({name: box(node) for name, node in tree.items()}, edges)


def node_lines(node: RegionNode) -> Sequence[str]:
    """What a picture says of a region."""
    count = [f"{node.assertions} assertion{'s' if node.assertions > 1 else ''}"] if node.assertions else []
    return [node.lines if node.is_loop else node.id, *count]


def _quoted(*lines: str) -> str:
    return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'
