"""A list of objects, one for each assertion."""

from __future__ import annotations

import json
from collections.abc import Sequence

from paddock.report.color import PLAIN, Painter
from paddock.report.result import AssertionResult

FIELDS = ("id", "file", "line", "column", "procedure", "kind", "text")


def render(found: Sequence[AssertionResult], _paint: Painter = PLAIN) -> str:
    return json.dumps([{name: getattr(a, name) for name in FIELDS} for a in found], indent=2) + "\n"
