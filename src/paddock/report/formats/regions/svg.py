"""A picture; calls with which a recursion starts again are left out."""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.drawing import Node, picture_svg
from paddock.report.regions import BLUE, RegionNode, Tree, node_lines, node_note


def render(tree: Tree, _paint: Painter = PLAIN) -> str:
    def box(node: RegionNode) -> Node:
        fill = f"fill:{BLUE};" if node.is_loop else "fill:white;"
        return Node(node_lines(node), f"{node.id}: {node_note(node)}", fill + ("stroke:red" if node.assertions else ""))

    edges = [(node.id, c) for node in tree.values() for c in node.children if c not in node.recursive]
    return picture_svg({name: box(node) for name, node in tree.items()}, edges)
