"""Gambling with real processes: the same verdicts however many there are, and bad luck."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import paddock
from paddock import Options, Verdict
from paddock.cli.main import main
from tests.busy import FACTORS, OPERATIONS

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "examples" / "table.c"
PATIENCE = 600  # seconds: only what hangs takes that long, however busy the machine is

# A loop that no solver gets to the end of.
HARD = f"""
procedure main(a: bv64, b: bv64) {{
  var i: int;
  while (*) {{
    assert !({FACTORS});
    i := i + 1;
  }}
}}
{OPERATIONS}"""


def paddock_command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "paddock", *map(str, arguments)]


@pytest.mark.parametrize("jobs", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_verdicts_do_not_depend_on_the_number_of_processes(jobs: int) -> None:
    result = paddock.check(paddock.load(TABLE), Options.of(gamble=True, jobs=jobs, timeout=PATIENCE))
    assert result.verdict is Verdict.PROVED
    assert [a.verdict for a in result.assertions] == [Verdict.PROVED] * 3


def test_the_report_says_which_region_sufficed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--gamble", "--jobs", "1", "--format", "json", str(TABLE)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [a["region"] for a in found["assertions"]] == [
        "procedure limited",
        f"loop at {TABLE}:22:5",
        f"loop at {TABLE}:24:9",
    ]
    assert found["stats"]["regions_hit"] == 3


def workers_of(process: int) -> list[int]:
    """The processes below one."""
    found = [process]
    for parent in found:
        with suppress(OSError):
            found += map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())
    return found[1:]


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not tell of processes")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupts_end_all_processes(tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "hard.bpl"
    file.write_text(HARD)
    process = subprocess.Popen(
        paddock_command("check", "--gamble", "--jobs", 2, file), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    until = time.monotonic() + PATIENCE
    while len(workers := workers_of(process.pid)) < 3 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.05)
    assert len(workers) == 3, "one that guards, two that work"
    process.send_signal(number)
    output, _ = process.communicate(timeout=PATIENCE)
    if number is not signal.SIGKILL:
        assert process.returncode == 3 and b"interrupted" in output
    until = time.monotonic() + PATIENCE
    while any(map(is_running, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(is_running, workers))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupts_leave_no_files_and_no_processes(tmp_path: Path, number: signal.Signals) -> None:
    file, verifier, scratch = tmp_path / "hard.bpl", tmp_path / "verifier.py", tmp_path / "scratch"
    file.write_text(HARD)
    born = tmp_path / "born"
    born.mkdir()
    verifier.write_text(f"import os, signal\nopen('{born}/' + str(os.getpid()), 'w').close()\nsignal.pause()\n")
    scratch.mkdir()
    process = subprocess.Popen(
        paddock_command("check", "--gamble", "--jobs", 1, "--backend", f"{sys.executable} {verifier}", file),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    _wait_until(lambda: any(scratch.glob("*/*/region.bpl")))
    process.send_signal(number)
    process.wait(PATIENCE)
    _wait_until(lambda: not os.listdir(scratch))
    _wait_until(lambda: not any(_lives(int(number)) for number in os.listdir(born)))


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    assert condition()


def test_a_time_limit(tmp_path: Path) -> None:
    file = tmp_path / "hard.bpl"
    file.write_text(HARD)
    done = subprocess.run(
        paddock_command("check", "--gamble", "--timeout", 1, file), capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode in (0, 3) and "Traceback" not in done.stderr + done.stdout


def deadly_verifier(folder: Path) -> tuple[Path, str]:
    """A command for a verifier that proves everything, except that it first kills the worker that has started it and
    waits for its own end; and where it leaves its number then."""
    deaths = folder / "deaths"
    deaths.mkdir()
    verifier = folder / "verifier.py"
    verifier.write_text(
        "import os, signal\n"
        f"if not os.listdir({str(deaths)!r}):\n"
        f"    open({str(deaths / 'one')!r}, 'w').write(str(os.getpid()))\n"
        "    os.kill(os.getppid(), signal.SIGKILL)\n"
        "    while True: signal.pause()\n"
        "print('proved: all')\n"
    )
    return deaths, f"{sys.executable} {verifier}"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not tell of processes")
def test_a_worker_that_is_killed_is_replaced_and_leaves_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    deaths, verifier = deadly_verifier(tmp_path)
    options = Options.of(gamble=True, jobs=1, backend=verifier, gamble_facts=())
    program = paddock.load("procedure main() { var i: int; while (*) { assert i > 0; } }")
    result = paddock.check(program, options)
    assert os.listdir(deaths) == ["one"]
    assert not is_running(int((deaths / "one").read_text()))  # it has gone with its worker
    assert os.listdir(scratch) == []
    assert (result.verdict, result.assertions[0].region) == (Verdict.PROVED, "loop at <text>:1:32")


@pytest.mark.slow
def test_field_arithmetic() -> None:
    program = paddock.load(ROOT / "examples" / "field.c")
    result = paddock.check(program, Options.of(gamble=True, jobs=1, timeout=600))
    assert [a.verdict for a in result.assertions] == [Verdict.PROVED] * 13
    assert all(a.region.startswith("loop at ") for a in result.assertions)


@pytest.mark.slow
def test_on_ray() -> None:
    pytest.importorskip("ray")
    done = subprocess.run(
        paddock_command("check", "--gamble", "--jobs", 2, "--executor", "ray", "--format", "json", TABLE),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    found = json.loads(done.stdout)
    assert [a["verdict"] for a in found["assertions"]] == ["proved"] * 3
    assert all(a["region"] for a in found["assertions"])


@pytest.mark.slow
def test_a_ray_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    deaths, verifier = deadly_verifier(tmp_path)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    file = tmp_path / "loop.bpl"
    file.write_text("procedure main() { var i: int; while (*) { assert i > 0; } }")
    options = (
        "--jobs",
        1,
        "--executor",
        "ray",
        "--backend",
        verifier,
        "--tune",
        "gamble-facts=none",
        "--format",
        "json",
    )
    done = subprocess.run(
        paddock_command("check", "--gamble", *options, file),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "TMPDIR": str(scratch), "RAY_TMPDIR": "/tmp"},  # Ray's own paths must not be long
    )
    found = json.loads(done.stdout)
    assert os.listdir(deaths) == ["one"]
    assert (found["verdict"], found["assertions"][0]["region"]) == ("proved", f"loop at {file}:1:32")
    assert list(scratch.glob("paddock-*")) == []


def test_ray_is_asked_for_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(paddock.InputError, match=r"Ray is not installed\n.*paddock\[ray\]"):
        paddock.check(paddock.load(TABLE), Options.of(gamble=True, executor="ray"))
