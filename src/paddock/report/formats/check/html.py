"""One page that needs neither network nor server: the source with the run of each bug beside it, to step through.

What a program says is put into the page as JSON and shown as text only. The policy of the page allows no script but its
own, which it names by its hash.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from paddock.report.advice import next_steps
from paddock.report.color import PLAIN, Painter
from paddock.report.details import IMPLICATIONS, INLINING, REGIONS, Details, details_json
from paddock.report.drawing import as_tree, picture
from paddock.report.failures import failures
from paddock.report.formats.check import text
from paddock.report.formats.check.json import json_object
from paddock.report.kinds import kind_of
from paddock.report.page_policy import policy_of
from paddock.report.result import Result
from paddock.report.sentence import bounds_text, verdict_sentence
from paddock.report.sources import texts_of

TITLES = {
    INLINING: "Instances of procedures and loops that the search looked at, and their calls",
    REGIONS: "Regions: procedures, the loops in them, and what those call",
    IMPLICATIONS: "Assertions, and the weaker ones that they imply",
}


def render(result: Result, _paint: Painter = PLAIN) -> str:
    parts = files("paddock.report") / "page"
    style = (parts / "page.css").read_text(encoding="utf-8")
    script = (parts / "page.js").read_text(encoding="utf-8")
    page = (parts / "page.html").read_text(encoding="utf-8")
    filled = {
        "title": escape(f"{result.verdict}: {' '.join(result.files)}"),
        "policy": escape(policy_of(style, script)),
        "verdict": escape(result.verdict.value),
        "sentence": escape(verdict_sentence(result)),
        "facts": escape(_facts(result)),
        "plain": escape(text.render(result)),
        "style": style,
        "data": _embedded(_data(result)),
        "script": script,
    }
    # Each part of the page in turn, so that nothing that is filled in is looked at again.
    first, *rest = page.split("{{")
    out = [first]
    for part in rest:
        name, _, after = part.partition("}}")
        out += [filled[name], after]
    return "".join(_shown(part) for part in out)


def _shown(part: str) -> str:
    """Text that can be written: half of a character cannot."""
    return part.encode("utf-8", errors="backslashreplace").decode("utf-8")


def _facts(result: Result) -> str:
    """Entry, engine, bounds and time, in words."""
    words = [f"entry {result.entry}"] if result.entry else []
    words += [f"engine {result.engine}"]
    if result.bound is not None or result.contexts is not None:
        words.append(bounds_text(result))
    return ", ".join([*words, f"{result.time_s:.2f} s", f"Paddock {result.version}"])


def _data(result: Result) -> dict[str, Any]:
    """What the script shows."""
    content = json_object(result)
    found = failures(result)
    runs = {failure.id: number for number, failure in enumerate(found)}
    by_id = {a["id"]: a for a in content["assertions"]}
    keys = ("trace", "activations", "choices")
    assertions = [{k: v for k, v in a.items() if k not in keys} for a in content["assertions"]]
    return {
        "files": [
            {"name": name, "lines": t.lines, "whole": t.is_whole, "changed": t.changed}
            for name, t in texts_of(result).items()
        ],
        "runs": [
            {
                "id": failure.id,
                "message": failure.message,
                "help": kind_of(failure.kind).help,
                **{key: by_id.get(failure.id, content)[key] for key in keys},
            }
            for failure in found
        ],
        "assertions": [{**a, "run": runs.get(a["id"], -1)} for a in assertions],
        "warnings": content["warnings"],
        "notes": content["notes"],
        "next": next_steps(result),
        "stats": content["stats"],
        **_details(result.details or Details()),
    }


def _details(details: Details) -> dict[str, Any]:
    """What the verdict rests on, what was looked at, and pictures, laid out."""
    content = details_json(details)
    pictures = []
    for graph in details.graphs:
        drawn = picture({node.id: node.lines for node in graph.nodes}, graph.edges, as_tree)
        boxes = [
            {"lines": n.lines, "kind": n.kind, "file": n.file, "line": n.line, "box": _rounded(drawn.boxes[n.id])}
            for n in graph.nodes
        ]
        size = {"width": round(drawn.width), "height": round(drawn.height), "left_out": graph.left_out}
        pictures.append({"title": TITLES[graph.kind], **size, "boxes": boxes, "paths": drawn.paths})
    return {"grounds": content["grounds"], "coverage": content["coverage"], "pictures": pictures}


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(number, 1) for number in numbers]


def _embedded(data: dict[str, Any]) -> str:
    """JSON inside of a script element: nothing in it ends the element or starts a comment."""
    encoded = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return encoded.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
