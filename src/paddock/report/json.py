"""The result as one JSON object. Keys may be added, never renamed: other programs read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from paddock.report.result import Result, TraceStep


def json_object(result: Result) -> dict[str, Any]:
    """The result as plain JSON values, the keys in a fixed order."""
    return {
        "tool": result.tool,
        "version": result.version,
        "files": list(result.files),
        "entry": result.entry,
        "goal": result.goal,
        "verdict": result.verdict.value,
        "bound": result.bound,
        "reason": result.reason,
        "time_s": round(result.time_s, 3),
        "engine": result.engine,
        "stats": {key: round(value, 3) if isinstance(value, float) else value for key, value in result.stats.items()},
        "independent": result.independent,
        "assertions": [
            {
                "id": assertion.id,
                "file": assertion.file,
                "line": assertion.line,
                "column": assertion.column,
                "procedure": assertion.procedure,
                "kind": assertion.kind,
                "text": assertion.text,
                "verdict": assertion.verdict.value,
                "reason": assertion.reason,
                "how": assertion.how,
                "region": assertion.region,
                "trace": _trace(assertion.trace),
            }
            for assertion in result.assertions
        ],
        "trace": _trace(result.trace),
        "warnings": list(result.warnings),
        "notes": list(result.notes),
    }


def _trace(steps: Sequence[TraceStep]) -> list[dict[str, Any]]:
    return [
        {
            "file": step.file,
            "line": step.line,
            "column": step.column,
            "procedure": step.procedure,
            "kind": step.kind,
            "text": step.text,
            "depth": step.depth,
            "source": step.source,
            "values": dict(step.values),
            "thread": step.thread,
            "context": step.context,
        }
        for step in steps
    ]


def json_text(result: Result) -> str:
    return json.dumps(json_object(result), indent=2, ensure_ascii=False) + "\n"
