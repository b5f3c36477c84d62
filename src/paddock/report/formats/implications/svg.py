"""A picture, with stronger assertions on the left and weaker ones on the right."""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.drawing import Node, picture_svg
from paddock.report.implications import ImplicationGraph, forest, labelled


def render(graph: ImplicationGraph, _paint: Painter = PLAIN) -> str:
    shown = forest(graph)
    labels = labelled(graph, shown)
    edges = [(a, b) for a in labels for b in shown.weaker[a]]
    left_out = len(graph.assertions) - sum(map(len, labels.values()))
    notes = []
    if edges:
        notes.append("an arrow goes from an assertion to a weaker one, which it implies")
    if any(len(lines) > 1 for lines in labels.values()):
        notes.append("assertions in one box imply each other")
    if left_out:
        every = len(graph.assertions)
        notes.append(f"not shown: {left_out} of {every} assertions, which imply no other and are implied by none")
    nodes = {name: Node(lines, ", ".join(shown.members[name])) for name, lines in labels.items()}
    return picture_svg(nodes, edges, notes)
