"""The answer to a check: engines give it, results carry it."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """The answer to a check."""

    BUG = "bug"  # a violation, with a trace that was replayed
    PROVED = "proved"  # no violation at any bound
    BOUNDED = "bounded"  # no violation up to the bound; something was cut off there
    UNKNOWN = "unknown"  # time, memory or the solver gave out
