"""One JSON object, with all implications, as `docs/schema/implications.json` describes it.

Keys may be added, never renamed: other programs read them.
"""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.implications import ImplicationGraph
from paddock.report.json_text import headed, json_text, rounded


def render(graph: ImplicationGraph, _paint: Painter = PLAIN) -> str:
    content = {
        "assertions": [
            {"id": a.id, "file": a.file, "line": a.line, "column": a.column, "text": a.text, "copies": a.copies}
            for a in graph.assertions
        ],
        "implications": [{"from": a, "to": b, "direction": direction} for a, b, direction in graph.implications],
        "strongest": list(graph.strongest),
        "weakest": list(graph.weakest),
        "bounded": graph.bounded,
        "complete": graph.complete,
        "reason": graph.reason,
        "stats": rounded(graph.stats),
        "warnings": list(graph.warnings),
    }
    return json_text(headed("implications", content))
