"""One JSON object, with a list of summaries, as `docs/schema/summaries.json` describes it.

Keys may be added, never renamed: other programs read them.
"""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.json_text import headed, json_text
from paddock.report.summaries import Summaries


def render(found: Summaries, _paint: Painter = PLAIN) -> str:
    content = {
        "summaries": [
            {
                "procedure": summary.procedure,
                "kind": "loop" if summary.is_loop else "procedure",
                "file": summary.file,
                "line": summary.line,
                "requires": list(summary.requires),
                "ensures": list(summary.ensures),
                "in_source": list(summary.in_source),
            }
            for summary in found.summaries
        ],
        "boogie": found.text,
        "complete": not found.incompleteness,
        "reason": found.incompleteness,
    }
    return json_text(headed("summaries", content))
