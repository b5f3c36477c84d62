"""Other verifiers: how their answers are read, and that nothing but an answer proves anything."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import paddock
from paddock import InputError, Options, Result, Verdict
from paddock.engines.regions.backends import Reading, read_any, read_boogie, read_cbmc, read_ultimate, tool_named
from tests.busy import within_some_limit

PROGRAM = """
procedure main(n: int) {
  var i: int;
  while (i < n) {
    assert {:id "first"} i < n;
    assert {:id "second"} i < 5;
    i := i + 1;
  }
}
"""

BOOGIE_ERRORS = """
Boogie program verifier version 2.4.1.10503, Copyright (c) 2003-2014, Microsoft.
Prover error: line 18 column 28: unknown parameter 'model_compress'
region.bpl(5,6): Error BP5001: This assertion might not hold.
Execution trace:
    region.bpl(4,3): start

Boogie program verifier finished with 0 verified, 1 error
"""

ULTIMATE_INCORRECT = """
 --- Results ---
 * Results from de.uni_freiburg.informatik.ultimate.plugins.generator.traceabstraction:
  - CounterExampleResult [Line: 15]: assertion can be violated
    assertion can be violated
We found a FailurePath:
  - PositiveResult [Line: 20]: assertion always holds
RESULT: Ultimate proved your program to be incorrect!
"""

CBMC_FAILED = """
** Results:
region.c function main
[main.assertion.1] line 5 assertion i < 5: FAILURE
[main.assertion.2] line 6 assertion i < n: SUCCESS

** 1 of 2 failed (2 iterations)
VERIFICATION FAILED
"""


@pytest.mark.parametrize(
    ("read", "output", "status", "expected"),
    [
        (read_boogie, "Boogie program verifier finished with 2 verified, 0 errors\n", 0, Reading(True, bodies=2)),
        (read_any, "Boogie program verifier finished with 2 verified, 0 errors\n", 0, Reading(True, bodies=2)),
        (read_boogie, BOOGIE_ERRORS, 0, Reading(lines=(5,))),
        (read_ultimate, "RESULT: Ultimate proved your program to be correct!\n", 0, Reading(is_safe=True)),
        (read_ultimate, ULTIMATE_INCORRECT, 0, Reading(lines=(15,))),
        (read_cbmc, "** 0 of 2 failed\nVERIFICATION SUCCESSFUL\n", 0, Reading(is_safe=True)),
        (read_cbmc, CBMC_FAILED, 10, Reading(lines=(5,))),
        (read_any, "proved: no assertion can fail\n", 0, Reading(is_safe=True)),
    ],
)
def test_answers(read: object, output: str, status: int, expected: Reading) -> None:
    assert read(output, status) == expected  # type: ignore[operator]


@pytest.mark.parametrize(
    ("read", "output", "status"),
    [
        (read_boogie, "Boogie program verifier finished with 1 verified, 0 errors, 1 time out\n", 0),
        (read_boogie, "Boogie program verifier finished with 1 verified, 0 errors, 1 inconclusive\n", 0),
        (read_boogie, "a.bpl(1,2): Error: undeclared identifier: y\n1 name resolution errors detected\n", 0),
        (
            read_boogie,
            "Prover error: unknown function f\nBoogie program verifier finished with 1 verified, 0 errors\n",
            0,
        ),
        (read_ultimate, "RESULT: Ultimate could not prove your program: Timeout\n", 0),
        (read_ultimate, "RESULT: Ultimate proved your program to be incorrect!\n", 0),
        (read_cbmc, "VERIFICATION SUCCESSFUL\n", 6),
        (read_cbmc, "[f.unwind.0] line 3 unwinding assertion loop 0: FAILURE\nVERIFICATION FAILED\n", 10),
        (read_cbmc, "not VERIFICATION SUCCESSFUL\n", 0),
        (read_any, "proved: no assertion can fail\n", 1),
        (read_any, "nothing is proved: yet\n", 0),
        *(
            (read, output, status)
            for read in (read_boogie, read_ultimate, read_cbmc, read_any)
            for output in ("", "garbage\n", "\x00\xff")
            for status in (0, 1, -9, -11)
        ),
    ],
)
def test_what_is_no_answer(read: object, output: str, status: int) -> None:
    reading = read(output, status)  # type: ignore[operator]
    assert not reading.is_safe and not reading.lines and reading.problem


def checked(backend: str, timeout: float | None = None, program: str = PROGRAM) -> Result:
    options = Options.of(
        gamble=True, jobs=1, backend=backend, gamble_facts=(), all_assertions=True, recursion_bound=2, timeout=timeout
    )
    return paddock.check(paddock.load(program), options)


def regions(result: Result) -> dict[str, str]:
    return {a.id: a.region for a in result.assertions}


def script(folder: Path, code: str) -> str:
    """A verifier that is written in Python; the file is in `text`."""
    path = folder / "verifier.py"
    path.write_text(f"import sys, time\ntext = open(sys.argv[-1]).read()\n{code}\n")
    return f"{sys.executable} {path}"


def test_a_command_that_proves(tmp_path: Path) -> None:
    command = script(tmp_path, "print('proved: all' if text.count('assert') == 2 else 'no')")
    assert regions(checked(command)) == {"first": "loop at <text>:4:3", "second": "loop at <text>:4:3"}


@pytest.mark.parametrize(
    "code",
    ["print('garbage')", "sys.exit(3)", "raise KeyError", "import os; os.abort()", "print('proved: all'); sys.exit(1)"],
)
def test_a_command_that_misses(tmp_path: Path, code: str) -> None:
    result = checked(script(tmp_path, code))
    assert regions(result) == {"first": "", "second": ""}
    assert any(warning.startswith("loop at <text>:4:3: ") for warning in result.warnings)
    assert {a.id: a.verdict for a in result.assertions} == {"first": Verdict.PROVED, "second": Verdict.BUG}


def test_a_verifier_must_have_looked_at_every_body(tmp_path: Path) -> None:
    program = 'procedure main() { while (*) { assert {:id "a"} false; call p(); } } procedure p() { }'
    said = "print('Boogie program verifier finished with {} verified, 0 errors')"
    result = checked(script(tmp_path, said.format(1)), program=program)
    assert any(warning.endswith("has looked at 1 of 2 procedures") for warning in result.warnings)
    assert [(a.verdict, a.region) for a in result.assertions] == [(Verdict.BUG, "")]


@pytest.mark.parametrize(
    "options",
    ["cbmc --unwind 9 --depth 3", "boogie /loopUnroll:2", "/usr/bin/boogie -loopUnroll:2", "cbmc --partial-loops"],
)
def test_options_with_which_a_verifier_leaves_something_out(options: str) -> None:
    with pytest.raises(InputError, match="proves nothing"):
        tool_named(options)


def test_what_cbmc_cuts_off_is_always_asked_for(tmp_path: Path) -> None:
    cbmc = tmp_path / "cbmc"
    cbmc.write_text("#!/bin/sh\n")
    cbmc.chmod(0o755)
    assert tool_named(f"{cbmc} --unwind 9").command == (str(cbmc), "--unwind", "9", "--unwinding-assertions")


def test_what_fails_is_disabled_and_the_rest_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
lines = [n for n, line in enumerate(text.split("\\n"), start=1) if "i < 5" in line and "assert" in line]
if lines:
    print(f"region.bpl({lines[0]},3): Error BP5001: This assertion might not hold.")
print(f"Boogie program verifier finished with {1 - len(lines)} verified, {len(lines)} errors")
"""
    fake = tmp_path / "boogie"
    fake.write_text(f'#!/bin/sh\nexec {script(tmp_path, code)} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert regions(checked("boogie")) == {"first": "loop at <text>:4:3", "second": ""}


def test_a_command_that_takes_too_long_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    command = script(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w'); time.sleep(600)")
    result = within_some_limit(lambda seconds: checked(command, timeout=seconds), lambda _: (tmp_path / "ran").exists())
    assert regions(result) == {"first": "", "second": ""}
    assert (tmp_path / "ran").exists() and list(folder.iterdir()) == []


BITS = """
function {:bvbuiltin "bvult"} less(a: bv8, b: bv8): bool;
procedure main(n: bv8) {
  var i: bv8;
  while (less(i, n)) {
    assert {:id "first"} n != 0bv8;
    assert {:id "second"} less(i, 5bv8);
    havoc i;
  }
}
"""


def test_cbmc_gets_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
assert sys.argv[-1].endswith(".c") and "--unwinding-assertions" in sys.argv
found = [n for n, line in enumerate(text.split("\\n"), start=1) if "__CPROVER_assert" in line]
failed = [n for n in found if "5u" in text.split("\\n")[n - 1]]
print("** Results:")
for n in found:
    print(f"[main.assertion.{n}] line {n} assertion: {'FAILURE' if n in failed else 'SUCCESS'}")
print(f"** {len(failed)} of {len(found)} failed")
print("VERIFICATION FAILED" if failed else "VERIFICATION SUCCESSFUL")
sys.exit(10 if failed else 0)
"""
    fake = tmp_path / "cbmc"
    fake.write_text(f'#!/bin/sh\nexec {script(tmp_path, code)} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert regions(checked("cbmc", program=BITS)) == {"first": "loop at <text>:5:3", "second": ""}
    # With flags of the user's, it is still read as CBMC is.
    command = f"{fake} --unwinding-assertions --unwind 5"
    assert regions(checked(command, program=BITS)) == {"first": "loop at <text>:5:3", "second": ""}


READER_OF_C = """
import pathlib
import paddock
options = paddock.Options.of(engine="dag", all_assertions=True, recursion_bound=3)
result = paddock.check(paddock.load(pathlib.Path(sys.argv[-1])), options)
failed = [a for a in result.assertions if a.verdict is paddock.Verdict.BUG]
for a in failed:
    print(f"[main.assertion.1] line {a.line} assertion: FAILURE")
print("VERIFICATION FAILED" if failed else "VERIFICATION SUCCESSFUL")
sys.exit(10 if failed else 0)
"""

TABLE = """
#include <assert.h>
extern int next(void);
int table[2];
int main(void)
{
    while (next()) {
        for (unsigned i = 0; i < 2; i++) {
            assert(i < 2);
            table[i] = 1;
            assert(table[i] == 1);
        }
    }
}
"""


def test_regions_with_memory_are_written_in_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "cbmc"
    fake.write_text(f'#!/bin/sh\nexec {script(tmp_path, READER_OF_C)} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    source = tmp_path / "table.c"
    source.write_text(TABLE)
    options = paddock.Options.of(
        gamble=True, backend="cbmc", jobs=1, all_assertions=True, recursion_bound=1, timeout=600
    )
    result = paddock.check(paddock.load(source), options)
    # The first does not need to know what memory holds. The second is a miss, and for the whole program to prove.
    assert ["loop" in a.region for a in result.assertions] == [True, False]
    assert not any("region" in warning.removeprefix(str(source)) for warning in result.warnings)


def test_a_verifier_that_is_not_there() -> None:
    with pytest.raises(InputError, match="there is no program surely-not-there"):
        tool_named("surely-not-there --fast")
    if shutil.which("Ultimate") is None:
        with pytest.raises(InputError, match=r"install it: .*ultimate-pa.org"):
            tool_named("ultimate")
    with pytest.raises(InputError, match="No closing quotation"):
        tool_named("'open")


@pytest.mark.skipif(shutil.which("boogie") is None, reason="there is no Boogie here")
def test_boogie() -> None:
    assert regions(checked("boogie")) == {"first": "loop at <text>:4:3", "second": ""}


def test_a_worker_that_waits_for_a_verifier_ends_when_it_is_terminated(tmp_path: Path) -> None:
    """Also where the verifier has closed its pipes, so that its end is waited for: a handler that waited, too, would
    wait for a lock that is held."""
    started = tmp_path / "started"
    command = ("sh", "-c", f"exec >&- 2>&-; echo $$ > {started}; sleep 1000", "sh")
    code = f"from paddock.engines.regions.backends import *; run_tool(Tool({command!r}, read_any), '', '.bpl', None)"
    with subprocess.Popen([sys.executable, "-c", code]) as worker:
        while not (started.exists() and started.read_text().strip()):
            assert worker.poll() is None
            time.sleep(0.01)
        time.sleep(0.2)  # from reading to waiting
        worker.terminate()
        assert worker.wait(600) == -signal.SIGTERM
