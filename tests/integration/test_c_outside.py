"""Small C programs about pointers from outside: what they may point to, and what they may not.

The first line of a program says whether it is `safe` or has a `bug`, and which options it needs. Where it can, the
harness of a bug passes the addresses that the pointers have in the execution that is shown.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from paddock.cli.main import main
from tests.integration.test_c_corners import OTHER_WAYS, check, expectation
from tests.integration.test_harness import built_and_run

PROGRAMS = sorted((Path(__file__).parent / "c_outside").glob("*.c"))
# No harness knows the addresses of local objects and of what is allocated, or makes objects arbitrary; pointers from
# outside may point to no memory at all, and their memory may overlap in ways in which no machine's does.
WITHOUT_HARNESS = ("nondet_bug", "nondet_assume_bug", "nondet_heap_bug", "result_local_escapes_bug")
WITHOUT_HARNESS += ("result_heap_escapes_bug", "havocked_object_bug", "entry_list_bug")
WITHOUT_HARNESS += ("stored_by_missing_bug", "entry_unknown_does_not_live_bug", "uninitialised_bug")
WITHOUT_HARNESS += ("unknown_function_bug", "unknown_function_result_bug", "nondet_either_bug")
WITHOUT_HARNESS += ("entry_returned_static_bug", "entry_flexible_array_bug", "stored_outside_bug")
WITHOUT_HARNESS += (
    "entry_function_of_unused_global_bug",
    "entry_table_of_functions_bug",
    "result_function_of_table_bug",
)
WITHOUT_HARNESS += ("entry_function_taken_elsewhere_bug",)


def has_harness(path: Path) -> bool:
    return expectation(path)[0] and path.stem not in WITHOUT_HARNESS


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_verdict(path: Path) -> None:
    check(path)


@pytest.mark.slow
@pytest.mark.parametrize("way", [*OTHER_WAYS, "--data-model ilp32"])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_every_other_way(path: Path, way: str) -> None:
    check(path, *way.split())


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("objcopy") is None, reason="no gcc or objcopy")
@pytest.mark.parametrize("path", [path for path in PROGRAMS if has_harness(path)], ids=lambda path: path.stem)
def test_the_bug_happens(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(path, "program.c")
    assert main(["check", "program.c", "--harness", "harness.c", *expectation(path)[1]]) == 1, capsys.readouterr().out
    assert built_and_run(tmp_path / "harness.c") == -6  # an assertion fails, and nothing else
