"""Work that goes on beside this process: an interface for tasks and their ends, and who does them."""

from paddock.workers.cluster import RayCluster, RayUnavailable
from paddock.workers.interface import Ended, Executor, Task, run_all
from paddock.workers.processes import LocalProcesses, cpu_seconds
from paddock.workers.supervisor import Child, die_with_parent, end, undisturbed

__all__ = [
    "Child",
    "Ended",
    "Executor",
    "LocalProcesses",
    "RayCluster",
    "RayUnavailable",
    "Task",
    "cpu_seconds",
    "die_with_parent",
    "end",
    "run_all",
    "undisturbed",
]
