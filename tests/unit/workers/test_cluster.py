"""Tasks on a real Ray cluster on this machine, where Ray is installed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from paddock.workers.cluster import RayCluster
from paddock.workers.interface import Ended, Task, run_all

pytest.importorskip("ray")
pytestmark = pytest.mark.slow  # it takes its time to start


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    with RayCluster(jobs=2) as executor:
        yield executor


# Functions of this module cannot be found on another machine: those of tasks are nested, so that they are sent along.


def test_results_come_in_the_order_of_tasks(cluster: RayCluster) -> None:
    def square_late(n: int) -> int:
        time.sleep(0.2 if n == 0 else 0.0)
        return n * n

    ends = run_all(cluster, [Task(square_late, (n,)) for n in range(4)])
    assert [e.value for e in ends] == [0, 1, 4, 9]
    assert cluster.idle == 2


def test_a_task_whose_worker_is_killed_starts_again(cluster: RayCluster, tmp_path: Path) -> None:
    def killed_once(folder: str) -> int:
        deaths = len(os.listdir(folder))
        if not deaths:
            Path(folder, "death").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return deaths

    (ended,) = run_all(cluster, [Task(killed_once, (str(tmp_path),))])
    assert (ended.value, ended.problem) == (1, "")


def test_problems_are_told(cluster: RayCluster) -> None:
    def failing() -> None:
        raise ValueError("no luck")

    def dying() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    failed, died = run_all(cluster, [Task(failing), Task(dying)])
    assert failed.problem == "ValueError: no luck"
    assert died.problem.startswith("the worker was lost: ")


def test_limits_and_cancellation(cluster: RayCluster) -> None:
    late = cluster.submit(Task(time.sleep, (60,)))
    limited = cluster.submit(Task(time.sleep, (60,), time_limit=0.2))
    assert cluster.idle == 0
    assert cluster.ended() == [Ended(limited, None, "time limit")]
    assert cluster.ended(timeout=0.05) == []
    cluster.cancel(late)
    assert cluster.ended() == [] and cluster.idle == 2


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:no", "256.256.256.256:1"])
def test_no_cluster_there(address: str) -> None:
    code = f"from paddock.workers.cluster import RayCluster; RayCluster({address!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert f"RayUnavailable: there is no Ray cluster at {address}: " in done.stderr
