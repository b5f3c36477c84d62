"""A check in a process of its own, which is ended from outside where it does not end by itself.

Solvers have steps in which they see neither a limit nor an interrupt, and steps in which they crash. So the command
line has a child process check; this one waits, hands interrupts on, and says what is known if the child had to go.
What a check needs is loaded in the child alone: a small process is copied, and ends, sooner than a large one.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

from paddock.collector import collector_paused
from paddock.driver.start import start_of
from paddock.frozen import field, frozen, mutable
from paddock.ir.origin import Diagnostic, InputError
from paddock.options import Options
from paddock.report.events import Done, Emit, Event, Progress, Waiting, ignore
from paddock.report.fold import Fold
from paddock.report.result import Result
from paddock.solvers.failure import SolverFailure as SolverFailure  # also for those who call this
from paddock.workers.limits import LOOK_EVERY_S, cpu_seconds, resident_mb
from paddock.workers.supervisor import Child, Send, end, undisturbed

if TYPE_CHECKING:
    from paddock.ir.program import Program
    from paddock.report.implications import ImplicationGraph
    from paddock.report.summaries import Summaries

PATIENCE_S = 1.0  # how long a check that should end may take to do so
MOST_EXCESS = 1.2  # times the memory limit: a check that has grown more is ended at once
PROGRESS_EVERY_S = 0.1  # how often the child sends its counts

CPU_LIMIT = "CPU time limit"  # the reason where the system has set one, as `ulimit -St` does
INTERRUPTED = "interrupted"
# SIGTERM asks for an end as Ctrl-C does; after SIGHUP, there is no reader of a report.
_INTERRUPTING, _ENDING = (signal.SIGINT, signal.SIGTERM), (signal.SIGHUP,)

# Something that takes its time, and emits what is known on the way.
_Work = Callable[[Callable[[Any], None]], object]


@frozen
class _Final:
    """The last that a child says: a result, or why there is none."""

    result: object = None
    failure: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


def check_files_here(paths: Sequence[str], options: Options, emit: Emit = ignore) -> Result:
    """The result of checking the files in this process."""
    if (kept := _kept(paths, options, emit)) is not None:
        return kept
    with collector_paused():
        from paddock.driver import pipeline

    return pipeline.check_files(paths, options, emit)


def _kept(paths: Sequence[str], options: Options, emit: Emit) -> Result | None:
    """The result that a store has for these files as they are, if it has one."""
    if options.summaries.store is None:
        return None
    from paddock.driver.same_texts import kept_result

    if (kept := kept_result(paths, options)) is not None:
        emit(Done(kept))
    return kept


def check_files(
    paths: Sequence[str],
    options: Options,
    emit: Emit = ignore,
    check: Callable[..., Result] = check_files_here,
) -> Result:
    """What `check` gives for the files, or what is known of it when the time is up, at the latest a second later, or
    when it is interrupted."""
    if (kept := _kept(paths, options, emit)) is not None:
        return kept
    if not hasattr(os, "fork"):
        return check(paths, options, emit)
    result = start_of(options)
    for event in _events(partial(check, paths, options), options, hands_on=True, on_wait=partial(emit, Waiting())):
        emit(event)
        if isinstance(event, Done):
            result = event.result
    return result


def events(program: Program, options: Options) -> Iterator[Event]:
    """The events of checking a program in a process of its own, as they come; the last is `Done`. Whoever does not want
    the rest ends the process by closing the iterator, or by forgetting it."""
    from paddock.driver import pipeline

    if hasattr(os, "fork"):
        yield from _events(partial(pipeline.check, program, options), options, hands_on=False)
    else:
        collected: list[Event] = []
        pipeline.check(program, options, collected.append)
        yield from collected


def _events(
    work: Callable[[Emit], Result], options: Options, hands_on: bool, on_wait: Callable[[], None] | None = None
) -> Iterator[Event]:
    """The events of a check in a child, with a last one of our own if the child does not come to its end."""
    known = Fold(start_of(options))
    guard = Guard(options.limits.timeout, options.limits.memory, hands_on, on_wait)
    try:
        for event in guard.run(work):
            known.add(event)
            if not isinstance(event, Done):
                yield event
    except SolverFailure as failure:
        guard.why = str(failure)
    if isinstance(guard.final, Result):
        yield Done(guard.final)
    else:
        yield Done(known.given_up(guard.why, time.monotonic() - guard.started))


def implications_of_files(
    paths: Sequence[str],
    options: Options,
    of: str | None,
    implications: Callable[..., ImplicationGraph] | None = None,
) -> ImplicationGraph:
    """The implications between assertions of the files, or what is known of them when the time is up, at the latest a
    second later, or when it is interrupted. Raises `SolverFailure` if that is nothing."""
    from paddock.driver import implications as driver
    from paddock.report.implications import ImplicationGraph

    compute = implications or driver.implications_of_files
    if not hasattr(os, "fork"):
        return compute(paths, options, of)
    guard, known, started = Guard(options.limits.timeout), driver.GraphFold(), cpu_seconds()
    for found in guard.run(partial(compute, paths, options, of)):
        known.add(found)
    if isinstance(guard.final, ImplicationGraph):
        return guard.final
    graph = known.given_up(guard.why, cpu_seconds() - started)
    if graph is None:
        raise SolverFailure(guard.why)
    return graph


def summaries_of_files_here(paths: Sequence[str], options: Options) -> Summaries:
    """The summaries that are inferred for the files in this process. Raises `SolverFailure`."""
    from paddock.driver import summaries

    return summaries.summaries_of_files(paths, options)


def summaries_of_files(
    paths: Sequence[str],
    options: Options,
    summaries: Callable[..., Summaries] = summaries_of_files_here,
) -> Summaries:
    """What `summaries` gives for the files. Raises `SolverFailure` if it does not come to that."""
    from paddock.report.summaries import Summaries

    if not hasattr(os, "fork"):
        return summaries(paths, options)
    guard = Guard()
    for _ in guard.run(lambda _emit: summaries(paths, options)):
        pass
    if isinstance(guard.final, Summaries):
        return guard.final
    raise SolverFailure(guard.why)


def _be_child(work: _Work, send: Send) -> None:
    """Work, and send what is emitted, counts not too often, and what comes out."""
    sent = -math.inf

    def emit(event: object) -> None:
        nonlocal sent
        if isinstance(event, Progress):
            if time.monotonic() < sent + PROGRESS_EVERY_S:
                return
            sent = time.monotonic()
        send(event)

    try:
        send(_Final(work(emit)))
    except InputError as error:
        send(_Final(diagnostics=error.diagnostics))
    except SolverFailure as failure:
        send(_Final(failure=str(failure)))


@mutable
class Guard:
    """Runs work in a child process, within limits of time and memory. With `hands_on`, interrupts are handed on to the
    child, which may say what it knows; else they are for whoever iterates."""

    timeout: float | None = None
    memory_mb: int | None = None
    hands_on: bool = True
    on_wait: Callable[[], None] | None = None  # called now and then while no event comes
    final: object = None  # what the work gives; None if it does not come to that
    why: str = "time limit"  # it does not
    started: float = field(default_factory=lambda: time.monotonic())
    _child: Child | None = None
    _deadline: float = math.inf
    _too_large_since: float = math.inf

    def run(self, work: _Work) -> Iterator[Any]:
        """What the work emits, as it comes. Raises `InputError`, and `SolverFailure` if the work does."""
        if self.timeout is not None:
            self._deadline = self.started + self.timeout + PATIENCE_S
        child: Child | None = None
        before: dict[signal.Signals, Any] = {}
        try:
            if self.hands_on:
                before = {number: signal.getsignal(number) for number in (*_INTERRUPTING, *_ENDING)}
                self._deal_with(before)
            with undisturbed():
                child = self._child = Child(partial(_be_child, work), interruptible=True)
            if self.why == INTERRUPTED:  # meanwhile
                child.signal(signal.SIGINT)
            yield from self._messages(child)
        finally:
            end([] if child is None else [child])
            for number, handler in before.items():
                signal.signal(number, handler)

    def _deal_with(self, before: Mapping[signal.Signals, Any]) -> None:
        """Hand signals on that are not ignored. They may come before there is a child."""

        def interrupt(_number: int, _frame: FrameType | None) -> None:
            self.why = INTERRUPTED
            self._deadline = min(self._deadline, time.monotonic() + PATIENCE_S)
            if self._child is not None:
                self._child.signal(signal.SIGINT)

        def terminate(number: int, _frame: FrameType | None) -> None:
            end([] if self._child is None else [self._child])
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, interrupt if number in _INTERRUPTING else terminate)

    def _messages(self, child: Child) -> Iterator[Any]:
        """What the child says until its last word, its end, or the end of its time."""
        while True:
            left = max(self._deadline - time.monotonic(), 0)
            if child.connection.poll(min(LOOK_EVERY_S, left)):
                try:
                    messages = child.receive()
                except (EOFError, OSError):
                    child.wait(self._deadline - time.monotonic())
                    self.why = self._cause_of_death(child.status)
                    return
                for message in messages:
                    if isinstance(message, _Final):
                        self._take(message)
                        return
                    yield message
            elif not left:  # the time is up, and all messages until then have been received
                return
            elif self.on_wait is not None:
                self.on_wait()
            self._look_at_memory(child)

    def _take(self, last: _Final) -> None:
        if last.diagnostics:
            raise InputError(last.diagnostics)
        if last.failure is not None:
            raise SolverFailure(last.failure)
        self.final = last.result

    def _look_at_memory(self, child: Child) -> None:
        if self.memory_mb is None:
            return
        size = resident_mb(child.pid)
        if size <= self.memory_mb:
            self._too_large_since = math.inf
        else:
            self._too_large_since = min(self._too_large_since, time.monotonic())
        patience = PATIENCE_S if size <= self.memory_mb * MOST_EXCESS else 0
        if time.monotonic() >= self._too_large_since + patience:
            self.why, self._deadline = "out of memory", 0.0

    def _cause_of_death(self, status: int | None) -> str:
        """Why the child ended without a final word."""
        if self.why == INTERRUPTED or status is None:
            return self.why
        if status in (-signal.SIGTERM, -signal.SIGINT):
            return INTERRUPTED
        if status == -signal.SIGKILL:
            return "the check was killed, perhaps for want of memory"
        if status == -signal.SIGXCPU:
            return CPU_LIMIT
        return f"the solver crashed: {signal.strsignal(-status)}" if status < 0 else "internal error"
