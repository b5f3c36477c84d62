"""A graph for Graphviz: loops are blue, as in the paper, and what has assertions is framed in red."""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.regions import BLUE, Tree, node_lines


def render(tree: Tree, _paint: Painter = PLAIN) -> str:
    out = ["digraph regions {", '  node [shape=box, style=filled, fillcolor=white, fontname="monospace"];']
    for node in tree.values():
        fill = f', fillcolor="{BLUE}"' if node.is_loop else ""
        frame = ", color=red" if node.assertions else ""
        out.append(f"  {_quoted(node.id)} [label={_quoted(*node_lines(node))}{fill}{frame}];")
    out += [f"  {_quoted(node.id)} -> {_quoted(child)};" for node in tree.values() for child in node.children]
    return "\n".join([*out, "}"]) + "\n"


def _quoted(*lines: str) -> str:
    return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'
