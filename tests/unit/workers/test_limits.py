"""The time limit rings where it should and nowhere else."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from mmap import mmap

import pytest

from paddock.workers.limits import MemoryLimit, TimeLimit, limits, resident_mb


def wait(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_it_rings_when_the_time_is_up() -> None:
    with pytest.raises(TimeLimit), limits(0.05):
        wait(600)


def test_it_leaves_nothing_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with limits(0.05):
        pass
    wait(0.1)
    assert signal.getsignal(signal.SIGALRM) is before


def test_it_rings_again_if_nobody_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.workers.limits.AGAIN_AFTER_S", 0.05)
    raised = 0
    with limits(0.01):
        for _ in range(2):
            with pytest.raises(TimeLimit):
                wait(600)
            raised += 1
    assert raised == 2


def test_it_does_not_disturb_those_who_heard() -> None:
    with limits(0.01):
        with pytest.raises(TimeLimit):
            wait(600)
        wait(0.3)


def test_it_rings_when_the_process_grows_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [10.0, 20.0, 49.9, 50.1]
    monkeypatch.setattr("paddock.workers.limits.resident_mb", lambda: sizes.pop(0))
    with pytest.raises(MemoryLimit), limits(memory_mb=50):
        wait(600)
    assert sizes == []


def test_it_leaves_those_alone_that_stay_small() -> None:
    with limits(10, memory_mb=int(resident_mb()) + 500):
        wait(0.25)


def test_the_size_of_a_process() -> None:
    before = resident_mb()
    assert before > 1
    with mmap(-1, 200 << 20) as grown:  # not from a pool that has room left
        grown.write(b"x" * len(grown))
        assert resident_mb() > before + 100
        assert resident_mb(os.getpid()) > before + 100
    assert resident_mb(1 << 30) == 0  # there is no such process


def test_nothing_is_said_when_a_finaliser_hears_it(capfd: pytest.CaptureFixture[str]) -> None:
    class Dying:
        def __del__(self) -> None:
            wait(0.05)

    def die_and_wait() -> None:
        Dying()
        wait(600)

    with pytest.raises(TimeLimit), limits(0.02):
        die_and_wait()
    assert capfd.readouterr().err == ""


def test_other_complaints_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: complaints.append(lost.exc_type))

    class Failing:
        def __del__(self) -> None:
            raise ValueError

    with limits(10):
        Failing()
    assert complaints == [ValueError]


def test_no_limit() -> None:
    with limits(None):
        wait(0.01)


def test_other_threads_go_without() -> None:
    done = []

    def work() -> None:
        with limits(0.01):
            wait(0.05)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done
