"""Runs commands under limits of CPU time and memory, and measures what each of them uses.

What counts is CPU seconds, not wall time: other work on the machine hardly changes them. They are those of the whole
tree of processes that a command starts and waits for. No process outlives its measurement.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import IO

from paddock.driver.suite import WALL_FACTOR

POLL_S = 0.02


@dataclass(frozen=True, slots=True)
class Limits:
    """What one command may use; the CPU time in whole seconds, since that is how the kernel counts it."""

    cpu_s: int
    memory_mb: int

    def impose(self) -> None:
        """Limit this process and those it will start."""
        resource.setrlimit(resource.RLIMIT_CPU, (self.cpu_s, self.cpu_s + 1))
        resource.setrlimit(resource.RLIMIT_AS, (self.memory_mb << 20,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@dataclass(frozen=True, slots=True)
class Measured:
    """How a command ended and what it used. One that used up its time is charged the whole limit at least: of the
    processes that it did not live to wait for, the use is not known."""

    status: int  # exit status, or minus the signal that ended it
    out: str
    error: str
    timed_out: bool
    cpu_s: float
    wall_s: float
    peak_mb: float


def measure(command: Sequence[str], limits: Limits) -> Measured:
    """Run one command."""
    return next(measure_all([command], limits))[1]


def measure_all(commands: Sequence[Sequence[str]], limits: Limits, jobs: int = 1) -> Iterator[tuple[int, Measured]]:
    """Run commands, a few at a time; gives each one's number and what it used, in the order in which they end."""
    following = 0
    running: dict[int, _Process] = {}
    try:
        while running or following < len(commands):
            while len(running) < jobs and following < len(commands):
                running[following] = _Process(commands[following], limits)
                following += 1
            ended = [(n, done) for n, process in running.items() if (done := process.poll())]
            for n, _ in ended:
                del running[n]
            yield from ended
            if not ended:
                time.sleep(POLL_S)
    finally:
        for process in running.values():
            process.kill()


class _Process:
    """A command that runs in a session of its own, so that it can be killed with all that it has started."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self.limits = limits
        # Files, not pipes: they need not be emptied while the command runs. They live as long as the process.
        self.out, self.error = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        self.started = time.monotonic()
        self.popen = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self.out,
            stderr=self.error,
            start_new_session=True,
            preexec_fn=limits.impose,
        )

    def poll(self) -> Measured | None:
        """What was measured, once the command has ended."""
        wall_s = time.monotonic() - self.started
        is_late = wall_s > WALL_FACTOR * self.limits.cpu_s
        if is_late:
            self._kill_group()
        pid, status, usage = os.wait4(self.popen.pid, 0 if is_late else os.WNOHANG)
        if pid == 0:
            return None
        self._kill_group()
        self.popen.returncode = os.waitstatus_to_exitcode(status)
        cpu_s = usage.ru_utime + usage.ru_stime
        timed_out = is_late or self.popen.returncode == -signal.SIGXCPU or cpu_s >= self.limits.cpu_s
        return Measured(
            status=self.popen.returncode,
            out=_text(self.out),
            error=_text(self.error),
            timed_out=timed_out,
            cpu_s=max(cpu_s, float(self.limits.cpu_s)) if timed_out else cpu_s,
            wall_s=wall_s,
            peak_mb=usage.ru_maxrss / 1024,
        )

    def kill(self) -> None:
        self._kill_group()
        self.popen.wait()
        self.out.close()
        self.error.close()

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError):  # none of them is left
            os.killpg(self.popen.pid, signal.SIGKILL)


def _text(file: IO[bytes]) -> str:
    with file:
        file.seek(0)
        return file.read().decode("utf-8", "replace")


class CpuLimit(Exception):
    """The CPU time is up."""


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise `CpuLimit` in the Python code inside when this process has used so much CPU time there."""

    def ring(signum: int, frame: FrameType | None) -> None:
        raise CpuLimit

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
