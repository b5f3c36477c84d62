"""For a person at a terminal: a line for each task, what is wrong first, then what changed, then the sums."""

from __future__ import annotations

from collections.abc import Iterator

from paddock.report.color import PLAIN, Painter
from paddock.report.suite import FAILED, FOUND, OPEN, RIGHT, WRONG, Row, Suite, changes, summary

ORDER = (WRONG, FOUND, FAILED, OPEN)
STYLES = {WRONG: ("bold", "red"), FOUND: ("bold", "red"), FAILED: ("bold", "red"), OPEN: ("yellow",), RIGHT: ("green",)}
LONGEST_REASON = 80


def render(suite: Suite, paint: Painter = PLAIN) -> str:
    return "\n".join(_lines(suite, paint)) + "\n"


def _lines(suite: Suite, paint: Painter) -> Iterator[str]:
    width = max((len(row.name) for row in suite.rows), default=0)
    ranked = sorted(suite.rows, key=lambda row: ORDER.index(row.outcome) if row.outcome in ORDER else len(ORDER))
    for row in ranked:
        outcome = paint(row.outcome.ljust(len(WRONG)), *STYLES.get(row.outcome, ("dim",)))
        line = f"{outcome}  {row.name.ljust(width)}  {_verdict(row)}  {row.cpu_s:8.2f} CPU s  {row.memory_mb:6.0f} MB"
        reason = row.reason if len(row.reason) <= LONGEST_REASON else row.reason[: LONGEST_REASON - 1] + "…"
        yield f"{line}  {paint(reason, 'dim')}".rstrip() if row.outcome in ORDER and reason else line
    found = changes(suite)
    if suite.before is not None:
        yield ""
        yield f"compared with the earlier run: {len(found) or 'no'} difference{'' if len(found) == 1 else 's'}"
    for change in found:
        parts = [
            f"{row.verdict} ({row.outcome}), {row.cpu_s:.2f} CPU s" if row is not None else "none"
            for row in (change.before, change.after)
        ]
        yield f"{change.what.ljust(7)}  {change.name.ljust(width)}  {' -> '.join(parts)}"
    yield ""
    yield summary(suite)


def _verdict(row: Row) -> str:
    expected = f" ({row.expected} expected)" if row.expected else ""
    return f"{row.verdict}{expected}".ljust(len("unknown (proved expected)"))
