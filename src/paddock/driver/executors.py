"""Who does the tasks of a check: processes on this machine, or a Ray cluster (`--executor`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddock.ir.origin import Diagnostic, InputError
from paddock.options import Options
from paddock.workers.cluster import RayCluster, RayUnavailable
from paddock.workers.interface import Executor
from paddock.workers.limits import resident_mb
from paddock.workers.processes import LocalProcesses

RAY_HINT = "pip install 'paddock[ray]', or start one with `ray start --head`"


def executor_of(options: Options, jobs: int, on_message: Callable[[Any], None] | None) -> Executor:
    """An executor that does as many tasks at a time as the options say, or else so many. Only processes of this machine
    send messages on their way."""
    if options.regions.executor == "ray":
        try:
            return RayCluster(options.regions.ray_address, options.limits.jobs)
        except RayUnavailable as error:
            raise InputError(Diagnostic(f"--executor ray: {error}", hint=RAY_HINT)) from None
    memory = options.limits.memory
    too_large = None if memory is None else lambda process: resident_mb(process) > memory
    return LocalProcesses(options.limits.jobs or jobs, too_large, on_message=on_message)
