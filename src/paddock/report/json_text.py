"""Reports as JSON: one object, which says how to read it. `docs/schema` has a schema for each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from paddock.version import __version__

SCHEMA_VERSION = 1  # grows when keys change their meaning or go; not when keys are added


def headed(schema: str, content: Mapping[str, Any], version: str = __version__) -> dict[str, Any]:
    """A report with the name and version of its schema in front, and those of the tool."""
    return {"schema": schema, "schema_version": SCHEMA_VERSION, "tool": "paddock", "version": version, **content}


def json_text(report: Mapping[str, Any]) -> str:
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def rounded(stats: Mapping[str, int | float]) -> dict[str, int | float]:
    """Counts as they are, seconds to the millisecond."""
    return {key: round(value, 3) if isinstance(value, float) else value for key, value in stats.items()}
