"""A check in a process of its own, which is ended from outside where it does not end by itself.

Solvers have steps in which they see neither a limit nor an interrupt, and steps in which they crash. So the command
line has a child process check; this one waits, hands interrupts on, and says what is known if the child had to go.
"""

from __future__ import annotations

import math
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import FrameType
from typing import NoReturn

from paddock.driver import implications as relating
from paddock.driver import pipeline
from paddock.engines.implications.dai import Told, combined
from paddock.engines.implications.questions import Counts
from paddock.engines.implications.relation import Implication
from paddock.engines.outcome import Statistics
from paddock.ir.origin import Diagnostic, InputError
from paddock.options import Options
from paddock.report.implications import ImplicationGraph
from paddock.report.result import Result
from paddock.workers import cpu_seconds, die_with_parent
from paddock.workers.limits import LOOK_EVERY_S, resident_mb

PATIENCE_S = 1.0  # how long a check that should end may take to do so
MOST_EXCESS = 1.2  # times the memory limit: a check that has grown more is ended at once
TERMINATION_S = 0.3  # how long a child that is told to go at once may take
TOLD_EVERY_S = 0.1  # how often the child tells its counts

CPU_LIMIT = "CPU time limit"  # the reason where the system has set one, as `ulimit -St` does

_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_INTERRUPTING = (signal.SIGINT, signal.SIGALRM)


@dataclass(frozen=True, slots=True)
class _Final:
    """The last that a child says."""

    result: object


@dataclass(frozen=True, slots=True)
class _SoFar:
    """Something that is known already."""

    known: object


_Message = _SoFar | Statistics | _Final | tuple[Diagnostic, ...]
# Something that takes its time; it tells its counts, and what is known so far.
_Work = Callable[[Callable[[Statistics], None], Callable[[object], None]], object]


def check_files(
    paths: Sequence[str],
    options: Options,
    progress: pipeline.Progress,
    check: Callable[..., Result] = pipeline.check_files,
) -> Result:
    """What `check` gives for the files, or what is known of it when the time is up, at the latest a second later."""
    if not hasattr(os, "fork"):
        return check(paths, options, progress)
    guard = _Guard(options.timeout, options.memory)
    known: Result | None = None

    def hear(result: object) -> None:
        nonlocal known
        assert isinstance(result, Result)
        known = result

    final = guard.run(lambda counts, so_far: check(paths, options, counts, so_far), progress, hear)
    if isinstance(final, Result):
        return final
    return pipeline.abandoned(options, known, guard.statistics, guard.why, time.monotonic() - guard.started)


def implications_of_files(
    paths: Sequence[str],
    options: Options,
    of: str | None,
    implications: Callable[..., ImplicationGraph] = relating.implications_of_files,
) -> ImplicationGraph:
    """What `implications` gives for the files, or what is known of it when the time is up, at the latest a second
    later, or when it is interrupted. Raises `SolverFailure` if that is nothing."""
    if not hasattr(os, "fork"):
        return implications(paths, options, of)
    guard = _Guard(options.timeout)
    outline: relating.Outline | None = None
    told: list[Told] = []

    def hear(something: object) -> None:
        nonlocal outline
        match something:
            case relating.Outline():
                outline = something
            case Implication() | Counts():
                told.append(something)

    started = cpu_seconds()
    match guard.run(lambda _counts, so_far: implications(paths, options, of, so_far), hear=hear):
        case ImplicationGraph() as graph:
            return graph
        case pipeline.SolverFailure() as failure:
            raise failure
    if outline is None:
        raise pipeline.SolverFailure(guard.why)
    relation, counts = combined(outline.met, told, everywhere=not outline.empty.bounded)
    return outline.graph(relation, counts, cpu_seconds() - started, guard.why)


def summaries_of_files(
    paths: Sequence[str],
    options: Options,
    summaries: Callable[..., tuple[str, str]] = pipeline.summaries_of_files,
) -> tuple[str, str]:
    """What `summaries` gives for the files. Raises `SolverFailure` if it does not come to that."""
    if not hasattr(os, "fork"):
        return summaries(paths, options)
    guard = _Guard()
    match guard.run(lambda _counts, _so_far: summaries(paths, options)):
        case (str(text), str(incompleteness)):
            return text, incompleteness
        case pipeline.SolverFailure() as failure:
            raise failure
        case _:
            raise pipeline.SolverFailure(guard.why)


def _be_child(work: _Work, parent: Connection) -> NoReturn:
    """Work, tell the parent how it goes and what comes out, and end this process."""
    told = -math.inf

    def tell(message: _Message) -> None:
        # Half a message would be worse than none, so nothing may interrupt it.
        signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTING)
        try:
            parent.send(message)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTING)

    def tell_counts(statistics: Statistics) -> None:
        nonlocal told
        if time.monotonic() >= told + TOLD_EVERY_S:
            told = time.monotonic()
            tell(statistics)

    status = 1
    try:
        die_with_parent()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED_ON)
        tell(_Final(work(tell_counts, lambda known: tell(_SoFar(known)))))
        status = 0
    except InputError as error:
        tell(error.diagnostics)
        status = 0
    except pipeline.SolverFailure as failure:
        tell(_Final(failure))
        status = 0
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # the parent knows, or is gone
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)  # what the parent has opened and registered is for the parent to close


class _Guard:
    """What the parent knows of its child."""

    def __init__(self, timeout: float | None = None, memory_mb: int | None = None) -> None:
        self.child = 0
        self.status: int | None = None  # with which the child has ended; negative for a signal
        self.memory_mb = memory_mb
        self.started = time.monotonic()
        self.deadline = math.inf if timeout is None else self.started + timeout + PATIENCE_S
        self.why = "time limit"
        self.too_large_since = math.inf
        self.statistics: Statistics | None = None

    def run(
        self,
        work: _Work,
        progress: pipeline.Progress = pipeline.nobody,
        hear: Callable[[object], None] = pipeline.nobody,
    ) -> object:
        """What the work gives in a child; None if it does not come to that. `hear` gets what is known so far."""
        receiver, sender = Pipe(duplex=False)
        # A signal that comes while there are two processes, but not yet who deals with it, has to wait.
        signal.pthread_sigmask(signal.SIG_BLOCK, _PASSED_ON)
        try:
            self.child = os.fork()
            if self.child == 0:
                receiver.close()
                _be_child(work, sender)
            sender.close()
            with receiver, self.passing_signals_on():
                signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED_ON)
                return self._watch(receiver, progress, hear)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED_ON)

    @contextmanager
    def passing_signals_on(self) -> Iterator[None]:
        before = {number: signal.getsignal(number) for number in _PASSED_ON}
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self._interrupt if number is signal.SIGINT else self._terminate)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self.why = "interrupted"
        self.deadline = min(self.deadline, time.monotonic() + PATIENCE_S)
        self._send(signal.SIGINT)

    def _terminate(self, number: int, _frame: FrameType | None) -> None:
        self._end()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    def _watch(self, receiver: Connection, progress: pipeline.Progress, hear: Callable[[object], None]) -> object:
        """What the child says in the end; None if it does not come to that."""
        while True:
            left = max(self.deadline - time.monotonic(), 0)
            if receiver.poll(min(LOOK_EVERY_S, left)):
                try:
                    message: _Message = receiver.recv()
                except EOFError:
                    self._has_ended(wait=True)
                    self.why = self._cause_of_death()
                    break
                match message:
                    case _Final(result):
                        self._end()
                        return result
                    case _SoFar(known):
                        hear(known)
                    case Statistics():
                        self.statistics = message
                        progress(message)
                    case diagnostics:
                        self._end()
                        raise InputError(diagnostics)
            elif not left:  # the time is up, and all that was said until then has been heard
                break
            self._look_at_memory()
        self._end()
        return None

    def _look_at_memory(self) -> None:
        if self.memory_mb is None:
            return
        size = resident_mb(self.child)
        if size <= self.memory_mb:
            self.too_large_since = math.inf
        else:
            self.too_large_since = min(self.too_large_since, time.monotonic())
        patience = PATIENCE_S if size <= self.memory_mb * MOST_EXCESS else 0
        if time.monotonic() >= self.too_large_since + patience:
            self.why, self.deadline = "out of memory", 0.0

    def _cause_of_death(self) -> str:
        """Why the child ended without a final word."""
        if self.why == "interrupted" or self.status is None:
            return self.why
        if self.status == -signal.SIGKILL:
            return "the check was killed, perhaps for want of memory"
        if self.status == -signal.SIGXCPU:
            return CPU_LIMIT
        return f"the solver crashed: {signal.strsignal(-self.status)}" if self.status < 0 else "internal error"

    def _end(self) -> None:
        """End the child, if it has not ended, and see it gone."""
        self._send(signal.SIGTERM)  # not yet the last resort, for it may have a solver of its own to end
        latest = time.monotonic() + TERMINATION_S
        while not self._has_ended():
            if time.monotonic() < latest:
                time.sleep(0.01)
            else:
                self._send(signal.SIGKILL)
                self._has_ended(wait=True)

    def _send(self, number: int) -> None:
        if not self._has_ended():  # else its number may be somebody else's
            os.kill(self.child, number)

    def _has_ended(self, *, wait: bool = False) -> bool:
        if self.status is None:
            try:
                ended, status = os.waitpid(self.child, 0 if wait else os.WNOHANG)
                self.status = os.waitstatus_to_exitcode(status) if ended else None
            except ChildProcessError:  # whoever started us does not want to know of children
                self.status = 0
        return self.status is not None
