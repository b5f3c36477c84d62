"""One JSON object, with a list of regions, the whole program first. Keys may be added, never renamed."""

from __future__ import annotations

import json

from paddock.report.color import PLAIN, Painter
from paddock.report.regions import Tree


def render(tree: Tree, _paint: Painter = PLAIN) -> str:
    said = {
        "regions": [
            {
                "id": node.id,
                "kind": "loop" if node.is_loop else "procedure",
                "file": node.file,
                "first_line": node.first_line,
                "last_line": node.last_line,
                "assertions": node.assertions,
                "children": list(node.children),
                "recursive": list(node.recursive),
            }
            for node in tree.values()
        ],
    }
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"
