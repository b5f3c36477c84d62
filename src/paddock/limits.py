"""A time limit on code that does not watch the clock itself, such as reading a large program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# An exception that is raised while Python runs a finaliser is lost, so the alarm goes on ringing.
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

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TimeLimit

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
