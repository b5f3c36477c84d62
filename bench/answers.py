"""What a run of `paddock check --format json` has answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from measure import Measured

from paddock.driver.guard import CPU_LIMIT


def answer(measured: Measured) -> tuple[str, str, Mapping[str, float]]:
    """The verdict of a run (or `timeout`, `error`), the reason for it, and its statistics."""
    if measured.timed_out:
        return "timeout", "", {}
    try:
        result = json.loads(measured.out)
        is_late = result["reason"] == CPU_LIMIT  # of the process that checks, before that of all was up
        return "timeout" if is_late else result["verdict"], result["reason"], result["stats"]
    except (ValueError, KeyError):
        lines = measured.error.strip().splitlines() or [f"exit status {measured.status}"]
        return "error", next((line for line in lines if "error:" in line), lines[-1]), {}


def result_of(measured: Measured) -> dict[str, Any]:
    """All that a run has answered; nothing if it came to no answer."""
    try:
        result = json.loads(measured.out)
    except ValueError:
        return {}
    return result if isinstance(result, dict) else {}
