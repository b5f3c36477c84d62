"""Tasks in processes of their own: what they return, how they can end, and that nothing is left of them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paddock.workers.interface import Ended, Task, run_all
from paddock.workers.processes import LocalProcesses

SOON = 0.05
LONG = 600.0


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    assert children() == 0


def children() -> int:
    """How many processes there are whose parent is this one, dead or alive."""
    count = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it may have ended just now
            count += int(path.read_text(errors="replace").rpartition(")")[2].split()[1]) == os.getpid()
    return count


def square(n: int) -> int:
    return n * n


def square_late(n: int, seconds: float) -> int:
    time.sleep(seconds)
    return n * n


def sleeping(seconds: float = LONG) -> None:
    time.sleep(seconds)


def deaf() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    time.sleep(LONG)


def failing(message: str) -> None:
    raise ValueError(message)


def killed_until(folder: str, times: int) -> int:
    """Die, but not more often than that."""
    deaths = len(os.listdir(folder))
    if deaths < times:
        Path(folder, str(deaths)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return deaths


def telling(n: int, then: Callable[..., object], say: Callable[[object], None]) -> object:
    for k in range(n):
        say(k)
    return then()


def out_of_cpu_time(folder: str) -> None:
    Path(folder, str(len(os.listdir(folder)))).touch()
    os.kill(os.getpid(), signal.SIGXCPU)
    time.sleep(LONG)


def unsendable() -> object:
    return lambda: None


def test_results_come_in_the_order_of_tasks_whatever_the_order_of_ends() -> None:
    tasks = [Task(square_late, (n, 0.2 if n == 0 else 0.0)) for n in range(5)]
    with LocalProcesses(3) as executor:
        assert run_all(executor, tasks) == [Ended(n, n * n) for n in range(5)]
        assert executor.idle == 3


def test_results_come_as_they_are_there() -> None:
    with LocalProcesses(2) as executor:
        late, early = executor.submit(Task(sleeping)), executor.submit(Task(square, (3,)))
        assert executor.ended() == [Ended(early, 9)]
        executor.cancel(late)
        assert executor.ended() == []


def test_no_more_at_a_time_than_allowed(tmp_path: Path) -> None:
    with LocalProcesses(2) as executor:
        for n in range(5):
            executor.submit(Task(square_late, (n, 0.1)))
            assert children() <= 2
        assert executor.idle == 0
        seen = 0
        while ends := executor.ended():
            seen += len(ends)
            assert children() <= 2
        assert seen == 5


def test_waiting_has_its_end() -> None:
    with LocalProcesses(1) as executor:
        executor.submit(Task(sleeping))
        assert executor.ended(timeout=SOON) == []
        assert executor.idle == 0


def test_a_time_limit() -> None:
    with LocalProcesses(1) as executor:
        tasks = [Task(sleeping, time_limit=SOON), Task(deaf, time_limit=SOON), Task(square, (2,), time_limit=LONG)]
        assert run_all(executor, tasks) == [Ended(0, None, "time limit"), Ended(1, None, "time limit"), Ended(2, 4)]


def test_a_memory_limit() -> None:
    large: list[int] = []
    with LocalProcesses(1, lambda process: bool(large.append(process)) or len(large) > 2) as executor:
        assert run_all(executor, [Task(sleeping)]) == [Ended(0, None, "out of memory")]
    assert len(set(large)) == 1 and os.getpid() not in large


def test_a_waiting_task_can_be_dropped() -> None:
    with LocalProcesses(1) as executor:
        first, second, third = (executor.submit(Task(square_late, (n, SOON))) for n in range(3))
        executor.cancel(second)
        assert [e.ticket for e in executor.ended() + executor.ended()] == [first, third]


def test_a_task_that_fails_is_told_of() -> None:
    with LocalProcesses(1) as executor:
        ends = run_all(executor, [Task(failing, ("no luck",)), Task(unsendable)])
    assert ends[0] == Ended(0, None, "ValueError: no luck")
    assert ends[1].problem.startswith("the result cannot be sent")


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_task_whose_worker_is_killed_starts_again(tmp_path: Path, deaths: int) -> None:
    with LocalProcesses(2) as executor:
        assert run_all(executor, [Task(killed_until, (str(tmp_path), deaths))]) == [Ended(0, deaths)]


def test_a_task_whose_workers_always_die_is_given_up(tmp_path: Path) -> None:
    with LocalProcesses(2) as executor:
        (ended,) = run_all(executor, [Task(killed_until, (str(tmp_path), 99))])
    assert ended == Ended(0, None, "the worker was ended by a signal: Killed, 3 times")
    assert len(os.listdir(tmp_path)) == 3


def test_a_task_with_too_little_cpu_time_is_not_started_again(tmp_path: Path) -> None:
    with LocalProcesses(1) as executor:
        (ended,) = run_all(executor, [Task(out_of_cpu_time, (str(tmp_path),))])
    assert ended == Ended(0, None, f"the worker was ended by a signal: {signal.strsignal(signal.SIGXCPU)}")
    assert len(os.listdir(tmp_path)) == 1


def test_closing_ends_all() -> None:
    executor = LocalProcesses(2)
    for _ in range(3):
        executor.submit(Task(sleeping))
    assert children() == 2
    executor.close()
    assert executor.ended() == []


BUSY = """
import sys, time
from paddock.workers.interface import Task
from paddock.workers.processes import LocalProcesses
with LocalProcesses(2) as executor:
    for _ in range(3):
        executor.submit(Task(time.sleep, (60,)))
    try:
        print(*(r.child.pid for r in executor._running.values()), flush=True)
        executor.ended()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_whoever_started_them(number: signal.Signals) -> None:
    process = subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    workers = [int(word) for word in process.stdout.readline().split()]
    assert len(workers) == 2
    process.send_signal(number)
    rest, _ = process.communicate(timeout=LONG)
    assert rest == ("interrupted\n" if number is signal.SIGINT else "")
    until = time.monotonic() + 600
    while any(map(_is_running, workers)) and time.monotonic() < until:
        time.sleep(SOON)
    assert not any(map(_is_running, workers))


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # there may be no process to wait for it


@pytest.mark.parametrize(("then", "problem"), [(os.getpid, ""), (deaf, "time limit")])
def test_what_tasks_say_on_their_way_is_heard(then: Callable[..., object], problem: str) -> None:
    received: list[int] = []
    with LocalProcesses(2, on_message=received.append) as executor:
        ends = run_all(executor, [Task(telling, (n, then), time_limit=1.0) for n in (2, 3)])
    assert sorted(received) == [0, 0, 1, 1, 2]
    assert [end.problem for end in ends] == [problem, problem]
