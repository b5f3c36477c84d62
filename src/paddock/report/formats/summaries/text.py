"""Procedures without bodies, with free contracts, as Boogie.

What can be said in the terms of another language comes first, in comments.
"""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.summaries import Summaries


def render(found: Summaries, _paint: Painter = PLAIN) -> str:
    said = [f"// {s.procedure}: ensures {condition};\n" for s in found.summaries for condition in s.in_source]
    return "".join([*said, "\n" if said else "", found.text])
