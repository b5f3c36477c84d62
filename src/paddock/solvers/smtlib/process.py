"""A solver as another process, spoken to over pipes.

The process has a group of its own and is killed, with what it started, when a deadline passes, when it is interrupted
or closed, and when Python exits or is terminated. Where Python itself is killed, the system ends it. Reading and
writing are interleaved, so a solver that does not read, or that writes more than a pipe holds, blocks nothing.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO

from paddock.solvers.interface import SolverFailure
from paddock.solvers.sexpr import Sexpr, Stream
from paddock.workers.supervisor import die_with_parent

_CHUNK = 1 << 16
_SHOWN = 300  # how much of a solver's words goes into a message


class OutOfTime(Exception):
    """The deadline passed; the process has been killed."""


class OutOfMemory(SolverFailure):
    """The solver ended for want of memory."""


class SolverProcess:
    """A running solver. Every failure of it is a `SolverFailure` that says what happened."""

    def __init__(self, command: str, memory_mb: int | None = None) -> None:
        self.command = command
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise SolverFailure(f"solver command {command!r}: {error}") from None
        if not words:
            raise SolverFailure("the solver command is empty")
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, os.getpid()),
            )
        except OSError as error:
            self._errors.close()
            raise SolverFailure(f"solver command {command!r} cannot be run: {error.strerror or error}") from None
        self._end = weakref.finalize(self, _end, self._process, self._errors)
        if memory_mb is not None:
            _limit_memory(self._process.pid, memory_mb)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)
        self._stream = Stream()
        self._answers: deque[Sexpr] = deque()
        self._lock = threading.RLock()  # a signal may end the process while it is being ended

    @property
    def alive(self) -> bool:
        """Whether the process can still be asked."""
        return self._end.alive and self._process.poll() is None

    def ask(self, text: str, deadline: float | None = None) -> Sexpr:
        """Sends commands and waits for one answer, until the deadline on the monotonic clock."""
        if text:
            self._answers.clear()  # whatever came unasked after the last answer, such as a remark on it
        try:
            with terminating(self.close):
                return self._exchange(text.encode(), deadline)
        except BaseException:
            self.close()
            raise

    def _exchange(self, unsent: bytes, deadline: float | None) -> Sexpr:
        waiting = memoryview(unsent)
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            if waiting:
                selector.register(self._input, selectors.EVENT_WRITE)
            while waiting or not self._answers:
                remaining = None if deadline is None else deadline - time.monotonic()
                if remaining is not None and remaining <= 0:
                    raise OutOfTime
                for key, _ in selector.select(remaining):
                    if key.fileobj is self._output:
                        self._receive()
                    else:
                        waiting = waiting[self._send(waiting) :]
                        if not waiting:
                            selector.unregister(self._input)
        return self._answers.popleft()

    def _send(self, data: memoryview) -> int:
        try:
            return os.write(self._input.fileno(), data[:_CHUNK])
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # it no longer reads; what it says, or its end, tells why

    def _receive(self) -> None:
        try:
            data = os.read(self._output.fileno(), _CHUNK)
        except BlockingIOError:
            return
        if not data:
            raise self._death()
        try:
            self._answers.extend(self._stream.feed(data.decode(errors="replace")))
        except ValueError:
            raise self.nonsense(self._stream.rest + data.decode(errors="replace")) from None

    def nonsense(self, text: str) -> SolverFailure:
        """The failure of a solver that says what no solver should say here; it is ended."""
        self.close()
        return SolverFailure(f"solver {self.command!r} answered with nonsense: {_shortened(text)}")

    def _death(self) -> SolverFailure:
        """The failure of a solver that ended by itself, with its last words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        self._errors.seek(0)
        words = self._stream.rest + self._errors.read().decode(errors="replace")
        how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with status {code}"
        output = f": {_shortened(words)}" if words.strip() else ""
        kind = OutOfMemory if is_about_memory(words) else SolverFailure
        return kind(f"solver {self.command!r} {how}{output}")

    def kill(self) -> None:
        """Makes a running `ask` fail at once. From any thread."""
        with self._lock:
            if self._end.alive:
                _kill_group(self._process)

    def close(self) -> None:
        """Ends the process and all it started."""
        with self._lock:
            self._end()


@contextlib.contextmanager
def terminating(end: Callable[[], None]) -> Iterator[None]:
    """Calls `end` if this process is terminated meanwhile: a solver that is busy would not notice, and go on. Leaves
    signals alone that have a handler of another module. `end` interrupts whatever runs, so it must not wait for a lock
    that may be held: `Popen.wait` holds one."""
    numbers = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        numbers = []

    def terminate(number: int, _frame: object) -> None:
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)  # a second one must not interrupt the end
        end()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    for number in numbers:
        signal.signal(number, terminate)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _end(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    _kill_group(process)
    process.wait()
    for stream in (process.stdin, process.stdout, errors):
        if stream is not None:
            stream.close()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    # The group may outlive its leader; the leader's number is not reused while the group exists.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def is_about_memory(words: str) -> bool:
    """Whether a solver's last words say that memory ran out."""
    lower = words.lower()
    return any(sign in lower for sign in ("out of memory", "bad_alloc", "memory exhausted", "cannot allocate memory"))


def _limit_memory(pid: int, megabytes: int) -> None:
    import resource

    if hasattr(resource, "prlimit"):  # on Linux
        size = megabytes << 20
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (size, size))


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[:_SHOWN] + " …"
