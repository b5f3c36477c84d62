"""Limits of time and memory on code that watches neither itself, such as reading a large program."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

LOOK_EVERY_S = 0.1  # at the memory

# An exception that is raised while Python runs a finaliser is lost but for a complaint, which is held back. So it is
# raised again; not too soon, for what handles the first one takes its time.
AGAIN_AFTER_S = 0.5


class TimeLimit(Exception):
    """The time is up."""


class MemoryLimit(MemoryError):
    """The process has grown too large."""


@contextmanager
def limits(seconds: float | None = None, memory_mb: int | None = None) -> Iterator[None]:
    """Raise `TimeLimit` in the code inside when the time is up, `MemoryLimit` when the process has grown too large.

    That needs a signal, and so the main thread; elsewhere there are no limits but those that engines and solvers keep.
    """
    if (seconds is None and memory_mb is None) or threading.current_thread() is not threading.main_thread():
        yield
        return
    deadline = None if seconds is None else time.monotonic() + seconds
    armed = True
    quiet_until = 0.0

    def ring(signum: int, frame: FrameType | None) -> None:
        nonlocal quiet_until
        now = time.monotonic()
        if not armed or now < quiet_until:
            return
        quiet_until = now + AGAIN_AFTER_S
        if deadline is not None and now >= deadline:
            raise TimeLimit
        if memory_mb is not None and resident_mb() > memory_mb:
            raise MemoryLimit
        quiet_until = 0.0

    report = sys.unraisablehook

    def report_others(lost: UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, TimeLimit | MemoryLimit):
            report(lost)

    before = signal.signal(signal.SIGALRM, ring)
    sys.unraisablehook = report_others
    first = LOOK_EVERY_S if memory_mb is not None or seconds is None else seconds
    signal.setitimer(signal.ITIMER_REAL, first, LOOK_EVERY_S)
    try:
        yield
    finally:
        armed = False  # before anything that the alarm could interrupt
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = report
        signal.signal(signal.SIGALRM, before)


def cpu_seconds() -> float:
    """What this process has taken so far, with all its children that have ended."""
    return sum(os.times()[:4])


def resident_mb(process: int | None = None) -> float:
    """The memory that a process, or else this one, occupies, in megabytes.

    Where the system tells no more, the most that this one ever did, and nothing for others.
    """
    try:
        with open(f"/proc/{process or 'self'}/statm", "rb") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE") / (1 << 20)
    except OSError:
        import resource

        unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit if process is None else 0.0
