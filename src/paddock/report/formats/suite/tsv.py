"""A table with tabulators, as `--results` keeps it."""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.suite import COLUMNS, Suite, row_values, tsv_line


def render(suite: Suite, _paint: Painter = PLAIN) -> str:
    return tsv_line(COLUMNS) + "".join(tsv_line(row_values(row)) for row in suite.rows)
