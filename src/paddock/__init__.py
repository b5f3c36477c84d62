"""Paddock: a bounded verifier for programs with procedures, loops, recursion and assertions.

The names of the Python API are loaded when they are first used, so that the command line is quick to start.
"""

from importlib import import_module

from paddock.version import __version__

TYPE_CHECKING = False  # as in `typing`, which takes time to import
if TYPE_CHECKING:
    from paddock import passes
    from paddock.api import (
        Activation,
        AssertionProved,
        AssertionResult,
        BoundCompleted,
        BugFound,
        Choice,
        Counterexample,
        Done,
        Event,
        ImplicationGraph,
        InputError,
        Loaded,
        Options,
        Prepared,
        Program,
        Progress,
        RegionProved,
        Result,
        TraceStep,
        TypedValue,
        Verdict,
        Warning,  # noqa: A004
        check,
        events,
        implications,
        load,
        program_text,
        summaries,
    )

__all__ = [
    "Activation",
    "AssertionProved",
    "AssertionResult",
    "BoundCompleted",
    "BugFound",
    "Choice",
    "Counterexample",
    "Done",
    "Event",
    "ImplicationGraph",
    "InputError",
    "Loaded",
    "Options",
    "Prepared",
    "Program",
    "Progress",
    "RegionProved",
    "Result",
    "TraceStep",
    "TypedValue",
    "Verdict",
    "Warning",
    "__version__",
    "check",
    "events",
    "implications",
    "load",
    "passes",
    "program_text",
    "summaries",
]


def __getattr__(name: str) -> object:
    if name == "passes":
        return import_module("paddock.passes")
    if name in __all__:
        return getattr(import_module("paddock.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
