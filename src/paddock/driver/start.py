"""The result of a check before anything was done. Events are folded into it, also where no check was loaded."""

from __future__ import annotations

from paddock.options import Options
from paddock.report.result import Result, Verdict
from paddock.version import __version__


def start_of(options: Options) -> Result:
    """What is known of the result before anything was done."""
    return Result(
        files=(),
        entry=options.task.entry or "",
        goal=options.task.goal or "assertion",
        verdict=Verdict.UNKNOWN,
        engine=options.search_engine.name,
        unwind=options.bounds.unwind,
        all_assertions=options.task.judges_each,
        cover=options.task.cover or "",
        verbose=options.report.verbose,
        independent=options.task.independent,
        version=__version__,
    )
