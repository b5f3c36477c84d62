"""`pytest --cpu N`: the CPU seconds of the run, processes that tests start among them, by folder, file and test. Unlike
`--durations`, what it says does not depend on what else the machine does."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterable
from typing import Any

import pytest


def spent() -> float:
    """CPU seconds of this process and of the children that it has waited for, until now."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


class CpuTimes:
    """Notes with the report of each phase of a test what it took, and shows the `most` that took most. What was spent
    before the first test, on imports and collection, is shown for the process that starts the run."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._last: float | None = None
        self._before = 0.0
        self._of_test: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self) -> Generator[None, Any, Any]:
        self._before = self._last = spent()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = spent()
        assert self._last is not None
        report.cpu_s = now - self._last
        self._last = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._of_test[report.nodeid] += report.cpu_s

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        folders: Counter[str] = Counter()
        files: Counter[str] = Counter()
        functions: Counter[str] = Counter()
        for name, seconds in self._of_test.items():
            file = name.partition("::")[0]
            folders[os.path.dirname(file)] += seconds
            files[file] += seconds
            functions[name.partition("[")[0]] += seconds
        terminalreporter.section("CPU seconds")
        for title, times in (("folder", folders), ("file", files), ("function", functions), ("test", self._of_test)):
            terminalreporter.write_line(f"by {title}:")
            for line in self._lines(times.most_common(self._most)):
                terminalreporter.write_line(line)
        tests = sum(self._of_test.values())
        terminalreporter.write_line(f"{self._before:9.2f} imports and collection")
        terminalreporter.write_line(f"{tests:9.2f} {len(self._of_test)} tests")

    @staticmethod
    def _lines(times: Iterable[tuple[str, float]]) -> list[str]:
        return [f"{seconds:9.2f} {name}" for name, seconds in times]
