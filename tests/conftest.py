"""Switches of the whole test suite."""

from __future__ import annotations

import signal

import pytest


def pytest_configure() -> None:
    # Shells start what goes to the background with Ctrl-C ignored, and what tests start would ignore it, too.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")
    parser.addoption("--update", action="store_true", help="rewrite the expected outputs of the golden tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))
