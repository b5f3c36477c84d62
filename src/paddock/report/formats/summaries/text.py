"""Procedures without bodies, with free contracts, as Boogie."""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.summaries import Summaries


def render(found: Summaries, _paint: Painter = PLAIN) -> str:
    return found.text
