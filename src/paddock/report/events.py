"""What a check says while it runs: events, as plain data that can be sent to another process.

The first are `Loaded` and `Prepared`, the last is `Done`. In between come, as they happen, counts, bounds that were
searched to their end, and what was found out about assertions. `report/fold.py` makes a result of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from paddock.frozen import field, frozen
from paddock.report.counterexample import Counterexample
from paddock.report.result import AssertionResult, Result


@frozen
class Loaded:
    """The program has been read."""

    files: tuple[str, ...]
    stats: Mapping[str, int | float] = field(default_factory=dict)
    data_model: str = ""  # of a C program


@frozen
class Prepared:
    """The search begins; nothing is known of the assertions yet."""

    entry: str
    goal: str
    assertions: tuple[AssertionResult, ...] = ()
    stats: Mapping[str, int | float] = field(default_factory=dict)


@frozen
class Progress:
    """How far a search has come: the recursion bound that is being searched, the last one that was searched to its end,
    and counts, as they are in a result."""

    bound: int = 0
    completed: int | None = None
    stats: Mapping[str, int | float] = field(default_factory=dict)


@frozen
class BoundCompleted:
    """There is no violation up to a recursion bound, but for those that were found."""

    bound: int


@frozen
class AssertionProved:
    """An assertion cannot fail."""

    assertion: AssertionResult


@frozen
class BugFound:
    """There is a violation: of an assertion or, if it was asked whether the entry returns, of none."""

    counterexample: Counterexample
    assertion: AssertionResult | None = None


@frozen
class RegionProved:
    """Regions of the program suffice to prove assertions. The counts are those of all regions so far."""

    region: str
    assertions: tuple[AssertionResult, ...]
    stats: Mapping[str, int | float] = field(default_factory=dict)


@frozen
class Warning:  # noqa: A001
    """Something that the verdict rests on, or, if it `is_note`, that was inferred of the program."""

    text: str
    is_note: bool = False


@frozen
class Waiting:
    """Nothing is new, but time passes. It is for what shows progress."""


@frozen
class Done:
    """The check has ended, by itself or because something gave out."""

    result: Result


Event = (
    Loaded | Prepared | Progress | BoundCompleted | AssertionProved | BugFound | RegionProved | Warning | Waiting | Done
)
Emit = Callable[[Event], None]


def ignore(_: object) -> None:
    """Drop an event."""
