"""One JSON object, with a list of regions, as `docs/schema/regions.json` describes it.

Keys may be added, never renamed: other programs read them.
"""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.json_text import headed, json_text
from paddock.report.regions import Tree


def render(tree: Tree, _paint: Painter = PLAIN) -> str:
    content = {
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
    return json_text(headed("regions", content))
