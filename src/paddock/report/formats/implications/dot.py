"""A graph for Graphviz; assertions that have to do with no other are left out."""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.implications import ImplicationGraph, forest, labelled


def render(graph: ImplicationGraph, _paint: Painter = PLAIN) -> str:
    shown = forest(graph)
    lines = ["digraph implications {", "  node [shape=box, fontname=monospace];"]
    for node, labels in labelled(graph, shown).items():
        text = "\\l".join(label.replace("\\", "\\\\").replace('"', '\\"') for label in labels)
        lines.append(f'  "{_quoted(node)}" [label="{text}\\l"];')
    lines += [f'  "{_quoted(a)}" -> "{_quoted(b)}";' for a, below in shown.weaker.items() for b in below]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')
