"""A time limit on code that does not watch the clock itself, such as reading a large program."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

# An exception that is raised while Python runs a finaliser is lost but for a complaint, which is held back: the alarm
# goes on ringing.
_AGAIN_S = 0.1


class TimeLimit(Exception):
    """The time is up."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `TimeLimit` in the code inside when the time is up.

    That needs a signal, and so the main thread; elsewhere there is no limit but the one that engines keep.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    armed = True

    def ring(signum: int, frame: FrameType | None) -> None:
        if armed:
            raise TimeLimit

    report = sys.unraisablehook

    def report_others(lost: UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, TimeLimit):
            report(lost)

    before = signal.signal(signal.SIGALRM, ring)
    sys.unraisablehook = report_others
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_S)
    try:
        yield
    finally:
        armed = False  # before anything that the alarm could interrupt
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = report
        signal.signal(signal.SIGALRM, before)
