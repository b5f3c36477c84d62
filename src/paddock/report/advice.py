"""What to try next after a check, as options of the command line."""

from __future__ import annotations

from paddock.report.result import Result, Verdict


def next_steps(result: Result) -> tuple[str, ...]:
    """Options that may give a better answer, each with what it does; none after a proof."""
    match result.verdict:
        case Verdict.PROVED:
            return ()
        case Verdict.BUG:
            return _after_bug(result)
        case Verdict.BOUNDED:
            return (*_deeper(result), *_all_bounds(result))
        case Verdict.UNKNOWN:
            return (*_more_room(result), *_all_bounds(result))


def _after_bug(result: Result) -> tuple[str, ...]:
    others = (
        () if result.all_assertions or len(result.assertions) < 2 else ("--all-assertions looks at the others, too",)
    )
    is_c = any(file.endswith((".c", ".i")) for file in result.files)
    return (*others, *(("--harness OUT.c writes C code that makes it happen",) if is_c else ()))


def _deeper(result: Result) -> tuple[str, ...]:
    recursion = () if result.bound is None else (f"--recursion-bound {2 * result.bound} looks deeper",)
    contexts = () if result.contexts is None else (f"--contexts {result.contexts + 1} looks at more schedules",)
    return recursion + contexts


def _all_bounds(result: Result) -> tuple[str, ...]:
    """What may prove a program for every bound."""
    if result.goal == "return" or result.contexts is not None:
        return ()
    houdini = (
        () if "houdini_queries" in result.stats else ("--houdini infers summaries, which may prove it for every bound",)
    )
    gamble = (
        () if "regions_tried" in result.stats else ("--gamble tries to prove each assertion in the loops around it",)
    )
    return houdini + gamble


def _more_room(result: Result) -> tuple[str, ...]:
    reason = result.reason
    if "time limit" in reason:
        return (f"--timeout {max(1, round(2 * result.time_s))} gives it more time",)
    if "memory" in reason:
        return ("--memory MB gives it more room",)
    if "solver" in reason or "incomplete" in reason:
        return ("--solver cvc5 asks another solver",)
    return ()
