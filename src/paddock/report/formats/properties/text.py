"""A line for each assertion: where it is, its id, what it says."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.report.color import PLAIN, Painter
from paddock.report.result import AssertionResult


def render(found: Sequence[AssertionResult], _paint: Painter = PLAIN) -> str:
    rows = [(f"{a.file}:{a.line}:{a.column}", a.id, a.text) for a in found]
    widths = [max((len(row[n]) for row in rows), default=0) for n in (0, 1)]
    lines = [f"{place.ljust(widths[0])}  {id_.ljust(widths[1])}  {text}" for place, id_, text in rows]
    return "".join(f"{line.rstrip()}\n" for line in lines) or "there are no assertions that can be reached\n"
