"""What a command loads before it answers: the less, the sooner it does. Modules are counted, not seconds."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.integration.benchmarks import bench

PATIENCE = 600
# More than a check of a small Boogie program loads today, but not by much.
MOST_OF_A_CHECK = 235
MOST_OF_WAITING = 40
MOST_OF_VERSION = 10
# What such a check has no use for. Of the C front end, the module that says which files are its own is loaded.
NOT_FOR_BOOGIE = re.compile(
    r"paddock\.(frontends\.c\.(?!frontend$)|solvers\.(bitwuzla|cvc5|smtlib|recorder)|api$|backends|workers\.(cluster|processes)"
    r"|engines\.(feasibility|houdini|implications|interpolation|path_formula|refinement|regions|symbolic)|engines\.inlining\.(alternating|opt)"
    r"|driver\.(gambling|implications|regions|summaries)|passes\.(deep_threads|registry|resumable|unwinding_assertions|watch_assertions)"
    r"|report\.(drawing|formats\.\w+\.(?!text$)))"
    r"|(bitwuzla|clang|cvc5|ray|shtab|igraph|logging|asyncio|dataclasses|difflib|inspect|multiprocessing|pathlib|random|shutil|socket|tempfile)$"
)


def loaded(*arguments: str) -> set[str]:
    """The modules that a command loads, in its own process and in that of the check."""
    command = [sys.executable, "-X", "importtime", "-m", "paddock", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout, done.stderr
    return set(re.findall(r"^import time: .*\| +([\w.]+)$", done.stderr, re.MULTILINE))


def ours(modules: set[str]) -> set[str]:
    return {name for name in modules if name.partition(".")[0] == "paddock"}


def test_a_check_of_a_boogie_program_loads_what_it_needs() -> None:
    modules = loaded("check", "examples/lock_bug.bpl")
    assert [name for name in modules if NOT_FOR_BOOGIE.match(name)] == []
    assert "paddock.solvers.z3.solver" in modules  # which the child loads, so its modules are listed here
    assert len(ours(modules)) <= MOST_OF_A_CHECK


def test_the_version_loads_hardly_anything() -> None:
    assert len(ours(loaded("--version"))) <= MOST_OF_VERSION


def test_the_process_that_waits_for_a_check_loads_no_more_than_that_takes() -> None:
    """It is copied for the check, and what it has loaded is copied, too, page by page."""
    program = "import sys, paddock.cli.main, paddock.driver.guard; print(*sys.modules)"
    modules = set(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    )
    assert len(ours(modules)) <= MOST_OF_WAITING
    assert not modules & {"paddock.driver.pipeline", "paddock.ir.program", "paddock.solvers.interface"}


def test_modules_that_a_check_crosses_are_counted() -> None:
    found = re.fullmatch(
        r"loaded: (\d+) modules, crossed: (\d+)\n", bench("modules.py", "check", "examples/lock_bug.bpl").stdout
    )
    assert found is not None
    assert 100 < int(found[2]) < int(found[1])
