"""The time limit rings where it should and nowhere else."""

from __future__ import annotations

import signal
import sys
import threading
import time

import pytest

from paddock.limits import TimeLimit, time_limit


def wait(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_it_rings_when_the_time_is_up() -> None:
    with pytest.raises(TimeLimit), time_limit(0.05):
        wait(10)


def test_it_leaves_nothing_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(0.05):
        pass
    wait(0.1)
    assert signal.getsignal(signal.SIGALRM) is before


def test_it_rings_again_if_nobody_heard() -> None:
    heard = 0
    with time_limit(0.01):
        for _ in range(2):
            with pytest.raises(TimeLimit):
                wait(10)
            heard += 1
    assert heard == 2


def test_nothing_is_said_when_a_finaliser_hears_it(capfd: pytest.CaptureFixture[str]) -> None:
    class Dying:
        def __del__(self) -> None:
            wait(0.05)

    def die_and_wait() -> None:
        Dying()
        wait(10)

    with pytest.raises(TimeLimit), time_limit(0.02):
        die_and_wait()
    assert capfd.readouterr().err == ""


def test_other_complaints_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: complaints.append(lost.exc_type))

    class Failing:
        def __del__(self) -> None:
            raise ValueError

    with time_limit(10):
        Failing()
    assert complaints == [ValueError]


def test_no_limit() -> None:
    with time_limit(None):
        wait(0.01)


def test_other_threads_go_without() -> None:
    done = []

    def work() -> None:
        with time_limit(0.01):
            wait(0.05)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done
