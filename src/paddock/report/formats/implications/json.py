"""One JSON object, with all implications. Keys may be added, never renamed: other programs read them."""

from __future__ import annotations

import json

from paddock.report.color import PLAIN, Painter
from paddock.report.implications import ImplicationGraph


def render(graph: ImplicationGraph, _paint: Painter = PLAIN) -> str:
    said = {
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
        "stats": {key: round(v, 3) if isinstance(v, float) else v for key, v in graph.stats.items()},
        "warnings": list(graph.warnings),
    }
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"
