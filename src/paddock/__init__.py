"""Paddock: a bounded verifier for programs with procedures, loops, recursion and assertions."""

from paddock.api import (
    AssertionResult,
    InputError,
    Options,
    Program,
    Result,
    TraceStep,
    Verdict,
    check,
    load,
    program_text,
    summaries,
)
from paddock.version import __version__

__all__ = [
    "AssertionResult",
    "InputError",
    "Options",
    "Program",
    "Result",
    "TraceStep",
    "Verdict",
    "__version__",
    "check",
    "load",
    "program_text",
    "summaries",
]
