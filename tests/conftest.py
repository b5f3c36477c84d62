"""Switches of the whole test suite."""

from __future__ import annotations

import shutil
import signal
import sys
from functools import partial

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests.cpu_times import CpuTimes

# How long an example takes depends on what else the machine does, so nothing depends on that. The default run has the
# same examples each time; other ones come with --slow.
TIMELESS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", TIMELESS, derandomize=True, database=None)
settings.register_profile("slow", TIMELESS, print_blob=True)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    is_slow = config.getoption("--slow")
    if (most := config.getoption("--cpu")) is not None:
        config.pluginmanager.register(CpuTimes(most))
    settings.load_profile("slow" if is_slow else "default")
    # Shells start what goes to the background with Ctrl-C ignored, and `nohup` with hang-ups ignored; what tests start
    # would ignore them, too.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if not is_slow:
        # Hypothesis likes the numbers in the sources of all modules that happen to be imported, which are not the same
        # each time. It need not look for them.
        providers.is_local_module_file = lambda _: False
    if not hasattr(config, "workerinput"):  # other processes of the run inherit it
        keep_nothing(config, is_slow)


def keep_nothing(config: pytest.Config, is_slow: bool) -> None:
    """What is worth keeping while the tests run is in a folder that goes with them (or, if they are killed, with
    pytest's other temporary folders). Where Python is set to keep no compiled modules, those of the processes that
    tests start are there: hundreds of processes that compile the whole program take longer than the tests. So is what
    Hypothesis computes; with --slow it remembers failures instead."""
    kept = config._tmp_path_factory.mktemp("kept", numbered=False)
    environment = pytest.MonkeyPatch()
    environment.setenv("XDG_STATE_HOME", f"{kept}/state")  # seals of the user's own stores are none of ours
    environment.setenv("PADDOCK_PROGRESS", "no")  # on a busy machine, a check may take long enough to say how it does
    if sys.dont_write_bytecode:
        environment.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        environment.setenv("PYTHONPYCACHEPREFIX", f"{kept}/compiled")
    if not is_slow:
        environment.setenv("HYPOTHESIS_STORAGE_DIRECTORY", f"{kept}/hypothesis")
    config.add_cleanup(partial(shutil.rmtree, kept, ignore_errors=True))
    config.add_cleanup(environment.undo)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")
    parser.addoption("--cpu", type=int, metavar="N", help="show which N folders, files and tests took most CPU time")
    parser.addoption("--update", action="store_true", help="rewrite the expected outputs of the golden tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):  # thousands that would be skipped take their time, too
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
