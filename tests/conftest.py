"""Switches of the whole test suite."""

from __future__ import annotations

import os
import signal
import sys
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

# How long an example takes depends on what else the machine does, so nothing depends on that. The default run has the
# same examples each time; other ones come with --slow.
settings.register_profile("default", deadline=None, derandomize=True, database=None)
settings.register_profile("slow", deadline=None, print_blob=True)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("slow" if config.getoption("--slow") else "default")
    # Shells start what goes to the background with Ctrl-C ignored, and what tests start would ignore it, too.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    keep_compiled_modules(config)


def keep_compiled_modules(config: pytest.Config) -> None:
    """Where Python is told to keep no compiled modules, those of the processes that tests start are kept for as long as
    the tests run: hundreds of processes that compile the whole program take longer than the tests."""
    if sys.dont_write_bytecode and "PYTHONPYCACHEPREFIX" not in os.environ:  # other processes of the run inherit it
        kept = TemporaryDirectory(prefix="pytest-compiled-", ignore_cleanup_errors=True)
        environment = pytest.MonkeyPatch()
        environment.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        environment.setenv("PYTHONPYCACHEPREFIX", kept.name)
        config.add_cleanup(kept.cleanup)
        config.add_cleanup(environment.undo)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")
    parser.addoption("--update", action="store_true", help="rewrite the expected outputs of the golden tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))
