"""A line for each of the assertions that imply all others."""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.formats.implications.text import described, summary
from paddock.report.implications import ImplicationGraph


def render(graph: ImplicationGraph, _paint: Painter = PLAIN) -> str:
    lines = described(graph)
    return "\n".join([*(lines[a] for a in graph.strongest), "", *summary(graph)]) + "\n"
