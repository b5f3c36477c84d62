"""One page that needs neither network nor server: all tasks, and what differs from an earlier run.

The picture has the CPU seconds of the earlier run to the right and those of this one upwards, both on a logarithmic
scale: what is above the line got slower.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from importlib.resources import files

from paddock.report.color import PLAIN, Painter
from paddock.report.page_policy import policy_of
from paddock.report.suite import Row, Suite, changes, summary

CLASSES = {"wrong": "bug", "bug": "bug", "error": "bug", "open": "unknown", "right": "proved"}
SIDE, MARGIN = 320, 46  # of the picture, in pixels
LEAST_S, MOST_S = 0.1, 1000.0


def render(suite: Suite, _paint: Painter = PLAIN) -> str:
    style = (files("paddock.report") / "page" / "page.css").read_text(encoding="utf-8")
    parts = [
        "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>",
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy_of(style))}">',
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>{escape(summary(suite))}</title>\n<style>{style}</style>\n</head>\n<body>",
        f"<header><h1>{escape(summary(suite))}</h1></header>\n<main>",
        *_compared(suite),
        "<section class='wide' aria-labelledby='tasks'><h2 id='tasks'>Tasks</h2>",
        "<div class='tablebox' tabindex='0' role='region' aria-label='table of tasks'><table>",
        _head("outcome", "task", "verdict", "expected", "CPU s", "wall s", "MB", "reason"),
        *map(
            _row,
            sorted(suite.rows, key=lambda row: (row.outcome not in ("wrong", "bug", "error"), row.outcome != "open")),
        ),
        "</table></div></section>\n</main>\n</body>\n</html>\n",
    ]
    text = "\n".join(parts)
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")


def _head(*names: str) -> str:
    cells = "".join(f"<th scope='col'>{name}</th>" for name in names)
    return f"<thead><tr>{cells}</tr></thead>"


def _row(row: Row) -> str:
    cells = [
        row.name,
        row.verdict,
        row.expected,
        f"{row.cpu_s:.2f}",
        f"{row.wall_s:.2f}",
        f"{row.memory_mb:.0f}",
        row.reason,
    ]
    shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr><td class='{CLASSES.get(row.outcome, '')}'>{escape(row.outcome)}</td>{shown}</tr>"


def _compared(suite: Suite) -> Iterable[str]:
    """What differs from the earlier run, as a picture and as a table."""
    if suite.before is None:
        return
    found = changes(suite)
    yield "<section class='wide' aria-labelledby='compared'><h2 id='compared'>Compared with the earlier run</h2>"
    yield _picture(suite)
    if not found:
        yield "<p>No task differs.</p>"
    else:
        yield "<div class='tablebox' tabindex='0' role='region' aria-label='differences'><table>"
        yield _head("what", "task", "before", "CPU s", "now", "CPU s")
        for change in found:
            cells = [change.what, change.name]
            for row in (change.before, change.after):
                cells += ["none", ""] if row is None else [row.verdict, f"{row.cpu_s:.2f}"]
            yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        yield "</table></div>"
    yield "</section>"


def _picture(suite: Suite) -> str:
    """A point for each task that both runs have."""
    old = {row.name: row for row in suite.before or ()}
    points = "".join(
        f"<circle cx='{_at(old[row.name].cpu_s):.1f}' cy='{SIDE - _at(row.cpu_s):.1f}' r='3' fill='currentColor'>"
        f"<title>{escape(f'{row.name}: {old[row.name].cpu_s:.2f} s, then {row.cpu_s:.2f} s')}</title></circle>"
        for row in suite.rows
        if row.name in old
    )
    ticks = "".join(
        f"<text x='{_at(s):.1f}' y='{SIDE - 4}' font-size='11' fill='currentColor' text-anchor='middle'>{s:g}</text>"
        f"<text x='4' y='{SIDE - _at(s) + 4:.1f}' font-size='11' fill='currentColor'>{s:g}</text>"
        for s in (0.1, 1.0, 10.0, 100.0, 1000.0)
    )
    low, high = _at(LEAST_S), _at(MOST_S)
    line = f"<path d='M{low} {SIDE - low}L{high} {SIDE - high}' stroke='currentColor' stroke-dasharray='4'/>"
    label = "CPU seconds of each task, before to the right and now upwards"
    return f"<svg role='img' aria-label='{label}' width='{SIDE}' height='{SIDE}'>{line}{ticks}{points}</svg>"


def _at(seconds: float) -> float:
    """Where a time is on an axis."""
    share = math.log(min(max(seconds, LEAST_S), MOST_S) / LEAST_S) / math.log(MOST_S / LEAST_S)
    return MARGIN + share * (SIDE - MARGIN - 20)
