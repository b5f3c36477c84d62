"""A check that does not end is ended, and what is known of it is not lost."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import paddock
from paddock.driver import guard, pipeline
from paddock.driver import implications as driver
from paddock.engines.implications.relation import Implication
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.events import BugFound, Done, Emit, Event, Loaded, Prepared, Progress, ignore
from paddock.report.implications import ImplicationGraph
from paddock.report.result import Result, Verdict
from paddock.report.summaries import Summaries
from paddock.solvers.interface import SolverFailure
from paddock.workers import supervisor
from paddock.workers.limits import resident_mb

SOON = 0.05
LONG = 1000.0  # a time limit that only a clock put forward reaches
DEAF_TO = (signal.SIGALRM, signal.SIGINT, signal.SIGTERM)


def some_result(reason: str = "while searching") -> Result:
    return Result(("a.bpl",), "main", "assertion", Verdict.UNKNOWN, "dag", reason=reason, stats={"parse_s": 0.5})


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "PATIENCE_S", 0.2)
    monkeypatch.setattr(supervisor, "TERMINATION_S", 0.1)
    monkeypatch.setattr(guard, "PROGRESS_EVERY_S", 0.0)


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """No process stays behind, and signals mean what they meant."""
    handlers = [signal.getsignal(number) for number in DEAF_TO]
    yield
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    assert [signal.getsignal(number) for number in DEAF_TO] == handlers
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & set(DEAF_TO)


class Clock:
    """Time as the one who guards sees it; the guarded puts it forward, so that a busy machine changes nothing."""

    def __init__(self) -> None:
        self.ahead = multiprocessing.Value("d", 0.0)

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead.value

    sleep = staticmethod(time.sleep)

    def forward(self) -> None:
        self.ahead.value += LONG


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(guard, "time", clock)
    return clock


def deaf() -> None:
    """Go on for ever, as a solver that sees neither limits nor signals."""
    signal.pthread_sigmask(signal.SIG_BLOCK, DEAF_TO)
    while True:
        time.sleep(1)


def check_with(work: Callable[..., Result], **options: object) -> Result:
    return guard.check_files(["a.bpl"], Options.of(**options), ignore, work)  # type: ignore[arg-type]


def test_what_the_check_gives_is_given() -> None:
    received: list[Event] = []

    def work(paths: list[str], options: Options, emit: Emit) -> Result:
        for n in range(3):
            emit(Progress(n))
        return some_result(f"{paths} {options.smt.seed} {os.getpid() != parent}")

    parent = os.getpid()
    result = guard.check_files(["a.bpl"], Options.of(seed=3), received.append, work)
    assert result == some_result("['a.bpl'] 3 True")
    assert received == [Progress(0), Progress(1), Progress(2), Done(result)]


def test_a_real_check(tmp_path: Path) -> None:
    file = tmp_path / "a.bpl"
    file.write_text("procedure main(x: int) { assert x != 7; }")
    result = guard.check_files([str(file)], Options.of(timeout=600))
    assert (result.verdict, result.trace[-1].texts) == (Verdict.BUG, {"x": "7"})


def test_events_of_a_program() -> None:
    program = paddock.load("procedure main(x: int) { assert x == x; assert x != 7; }")
    received = list(guard.events(program, Options.of(timeout=600, all_assertions=True)))
    assert [type(event).__name__ for event in received[:2]] == ["Loaded", "Prepared"]
    (bug,) = (event for event in received if isinstance(event, BugFound))
    assert bug.assertion is not None and bug.assertion.counterexample == bug.counterexample
    assert isinstance(received[-1], Done)
    assert received[-1].result.counterexample == bug.counterexample


def test_who_has_seen_enough_of_the_events_leaves_nothing_behind() -> None:
    program = paddock.load("procedure main(x: int) { assert x == x; assert x != 7; }")
    for event in guard.events(program, Options.of(timeout=600)):
        assert isinstance(event, Loaded)
        break
    watching = guard.events(program, Options.of(timeout=600))
    next(watching)
    watching.close()  # type: ignore[attr-defined]


def test_an_interrupt_while_events_are_watched_is_for_who_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(program: object, options: object, emit: Emit) -> Result:
        emit(Progress())
        os.kill(os.getppid(), signal.SIGINT)
        return deaf() or some_result()

    monkeypatch.setattr(pipeline, "check", work)
    with pytest.raises(KeyboardInterrupt):
        for _ in guard.events(paddock.load("procedure main() { }"), Options()):
            pass


def test_what_is_wrong_with_the_input_is_said(tmp_path: Path) -> None:
    file = tmp_path / "a.bpl"
    file.write_text("procedure main() { assert y; }")
    with pytest.raises(InputError, match="undeclared identifier 'y'") as caught:
        guard.check_files([str(file)], Options())
    assert caught.value.diagnostics[0].origin.line == 1


def test_a_time_limit_that_nobody_keeps(clock: Clock) -> None:
    def work(paths: object, options: object, emit: Emit) -> Result:
        emit(Loaded(("a.bpl",), {"parse_s": 0.5}))
        emit(Prepared("main", "assertion"))
        emit(Progress(3, 2, {"instances": 7}))
        clock.forward()
        return deaf() or some_result()

    result = check_with(work, timeout=LONG)
    assert (result.verdict, result.reason, result.bound) == (Verdict.UNKNOWN, "time limit", 2)
    assert (result.entry, result.stats["parse_s"], result.stats["instances"]) == ("main", 0.5, 7)


def test_bugs_found_so_far_are_kept(tmp_path: Path, clock: Clock) -> None:
    """The check of a program with two assertions, of which one fails, is stuck as soon as it has reported that."""
    file = tmp_path / "a.bpl"
    file.write_text("procedure main(x: int, y: int) { assert x != 7; assert x * y != 11 || x == 1; }")

    def work(paths: list[str], options: Options, emit: Emit) -> Result:
        def stuck_after_bug(event: Event) -> None:
            emit(event)
            if isinstance(event, BugFound):
                clock.forward()
                deaf()

        return pipeline.check_files(paths, options, stuck_after_bug)

    options = Options.of(timeout=LONG, all_assertions=True)
    result = guard.check_files([str(file)], options, ignore, work)
    assert (result.verdict, result.reason) == (Verdict.BUG, "time limit")
    assert sorted(a.verdict for a in result.assertions) == ["bug", "unknown"]
    assert next(a for a in result.assertions if a.verdict == "bug").trace


def test_a_time_limit_before_anything_is_known() -> None:
    result = check_with(lambda *_: deaf() or some_result(), timeout=SOON, entry="start")
    assert (result.reason, result.entry) == ("time limit while reading the program", "start")


def test_a_memory_limit_that_nobody_keeps() -> None:
    limit = int(resident_mb()) + 50

    def work(*_: object) -> Result:
        grown = []
        while resident_mb() < limit + 50:  # a new process may occupy much less than the one it comes from
            grown.append(b"x" * (50 << 20))
        return deaf() or some_result(str(grown))

    result = check_with(work, memory=limit)
    assert result.reason == "out of memory while reading the program"


def test_a_check_within_its_memory_is_left_alone() -> None:
    def work(*_: object) -> Result:
        time.sleep(0.5)
        return some_result("all is well")

    assert check_with(work, memory=int(resident_mb()) + 500).reason == "all is well"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("reports", [True, False])
def test_an_interrupt(monkeypatch: pytest.MonkeyPatch, reports: bool, number: signal.Signals) -> None:
    if reports:
        monkeypatch.setattr(guard, "PATIENCE_S", 60)

    def work(paths: object, options: object, emit: Emit) -> Result:
        if not reports:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            emit(Progress())  # now it may be interrupted
            time.sleep(60)
        except KeyboardInterrupt:
            return some_result("interrupted, it says")
        raise AssertionError

    def interrupt(event: Event) -> None:
        if isinstance(event, Progress):
            os.kill(os.getpid(), number)

    result = guard.check_files([], Options(), interrupt, work)
    assert result.reason == ("interrupted, it says" if reports else "interrupted")


def test_summaries() -> None:
    def summaries(paths: list[str], options: Options) -> Summaries:
        return Summaries((), f"{paths} {options.smt.seed} {os.getpid() != parent}", "late")

    parent = os.getpid()
    given = guard.summaries_of_files(["a.bpl"], Options.of(seed=3), summaries)
    assert given == Summaries((), "['a.bpl'] 3 True", "late")


def test_summaries_that_fail() -> None:
    def summaries(*_: object) -> Summaries:
        raise SolverFailure("no solver today")

    with pytest.raises(SolverFailure, match="no solver today"):
        guard.summaries_of_files([], Options(), summaries)


def test_summaries_that_are_interrupted() -> None:
    def summaries(*_: object) -> Summaries:
        os.kill(os.getppid(), signal.SIGINT)
        return deaf() or Summaries((), "")

    with pytest.raises(SolverFailure, match="interrupted"):
        guard.summaries_of_files([], Options(), summaries)


CHAIN = """
procedure main(x: int) {
  assert {:id "three"} x > 3;
  assert {:id "two"} x > 2;
  assert {:id "one"} x > 1;
}
"""


@pytest.mark.parametrize("interrupted", [False, True])
@pytest.mark.parametrize("of", [None, "two"])
def test_implications_found_so_far_are_kept(tmp_path: Path, clock: Clock, of: str | None, interrupted: bool) -> None:
    """The search for implications is stuck when it has reported one."""
    file = tmp_path / "a.bpl"
    file.write_text(CHAIN)

    def stuck_after_one(
        paths: list[str], options: Options, of: str | None, so_far: Callable[[object], None]
    ) -> ImplicationGraph:
        def tell(something: object) -> None:
            so_far(something)
            if isinstance(something, Implication):
                if interrupted:
                    os.kill(os.getppid(), signal.SIGINT)
                else:
                    clock.forward()
                deaf()

        return driver.implications_of_files(paths, options, of, tell)

    graph = guard.implications_of_files([str(file)], Options.of(timeout=LONG), of, stuck_after_one)
    assert graph.implications == (("three", "two", "forward"),)
    assert [a.id for a in graph.assertions] == (["three", "two", "one"] if of is None else ["three", "two"])
    assert (graph.reason, graph.complete) == ("interrupted" if interrupted else "time limit", False)
    assert graph.stats["steps"]


def test_implications_are_given(tmp_path: Path) -> None:
    file = tmp_path / "a.bpl"
    file.write_text(CHAIN)
    graph = guard.implications_of_files([str(file)], Options.of(timeout=600), None)
    assert (len(graph.implications), graph.reason) == (3, "")
    file.write_text("procedure main() { assert y; }")
    with pytest.raises(InputError, match="undeclared identifier 'y'"):
        guard.implications_of_files([str(file)], Options(), None)


def test_implications_before_anything_is_known() -> None:
    with pytest.raises(SolverFailure, match="time limit"):
        guard.implications_of_files(
            [], Options.of(timeout=SOON), None, lambda *_: deaf() or ImplicationGraph((), (), (), ())
        )


def test_implications_that_fail() -> None:
    def implications(*_: object) -> ImplicationGraph:
        raise SolverFailure("no solver today")

    with pytest.raises(SolverFailure, match="no solver today"):
        guard.implications_of_files([], Options(), None, implications)


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (signal.SIGSEGV, "the solver crashed: Segmentation fault"),
        (signal.SIGKILL, "the check was killed, perhaps for want of memory"),
        (signal.SIGXCPU, "CPU time limit"),
    ],
)
def test_a_crash(number: int, reason: str) -> None:
    def work(paths: object, options: object, emit: Emit) -> Result:
        emit(Progress(stats={"queries": 3}))
        faulthandler.disable()
        os.kill(os.getpid(), number)
        raise AssertionError

    result = check_with(work)
    assert (result.verdict, result.reason, result.stats["queries"]) == (Verdict.UNKNOWN, reason, 3)


def test_an_error_of_our_own_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    def work(*_: object) -> Result:
        raise ZeroDivisionError

    assert check_with(work).reason == "internal error while reading the program"
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_a_hang_up_ends_both() -> None:
    """The one who guards is a process of its own here, and tells the number of the one it guards."""
    receiving, sending = os.pipe()
    outer = os.fork()
    if outer == 0:

        def work(*_: object) -> Result:
            os.write(sending, str(os.getpid()).encode())
            deaf()
            raise AssertionError

        check_with(work)
        os._exit(0)
    os.close(sending)
    inner = int(os.read(receiving, 20))
    os.kill(outer, signal.SIGHUP)
    assert os.waitstatus_to_exitcode(os.waitpid(outer, 0)[1]) == -signal.SIGHUP
    assert os.read(receiving, 20) == b""  # no process can write any more
    os.close(receiving)
    with pytest.raises(ProcessLookupError):
        os.kill(inner, 0)
