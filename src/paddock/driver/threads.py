"""What a check says of threads: how many contexts they had, if that bound was in the way; where they are switched."""

from __future__ import annotations

from paddock.analysis.contexts import needs_no_bound
from paddock.analysis.sharing import Sharing
from paddock.ir.program import Program
from paddock.ir.stmt import Yield
from paddock.ir.threads import has_threads, is_concurrent, statements_in
from paddock.options import Options
from paddock.passes.sequentialise import rounds_for


def contexts_bound(original: Program, options: Options) -> int | None:
    """The bound on contexts of a thread, if it may leave out schedules of the program."""
    if not has_threads(original) or needs_no_bound(original, rounds_for(original, options.threads.contexts)):
        return None
    return options.threads.contexts


def switch_counts(identified: Program, original: Program) -> dict[str, int]:
    """Of a program with threads, the number of places where these may be switched, and of statements that touch globals
    and need no switch."""
    if not has_threads(original):
        return {}
    sharing = Sharing(identified)
    statements = [s for p in identified.procedures for s in statements_in(p)]
    touching = sum(not is_concurrent(s) and not sharing.access(s).touched <= sharing.local for s in statements)
    switches = sum(isinstance(s, Yield) for p in original.procedures for s in statements_in(p))
    return {"switch_points": switches, "switch_points_saved": max(0, touching - switches)}
