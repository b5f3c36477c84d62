"""Bad luck on the command line: solvers that fail in every way, limits, interrupts. Each ends soon, with the reason and
with what was covered until then, with status 3, and leaves neither a process nor a file behind."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

import paddock
from paddock.cli.main import main
from paddock.driver import guard
from tests.busy import HARD
from tests.unit.solvers.examples import z3_command

SOURCES = str(Path(paddock.__file__).parents[1])
PATIENCE = 600  # seconds: only what hangs takes that long, however busy the machine is
EXAMPLES = Path(__file__).parents[2] / "examples"

# Many queries, each of them a little harder: the number of paths grows with every bound.
GROWING = """
var g: int;
procedure P(n: int) modifies g; {
  if (*) { g := g + n; if (g < 1000000) { call P(n + 1); } } else { g := g * 2; if (g > -1000000) { call P(n + 2); } }
  if (*) { if (n < 50) { call P(g); } } else { if (n > 1) { call P(g - 1); } }
}
procedure main() modifies g; { g := 1; call P(1); assert g != 123456789; }
"""

# What stands before this in a fake solver decides whether it gets as far as talking to the other side.
PRETENDER = """
import os, sys, time
def say(text):
    print(text, flush=True)
queries = 0
for line in sys.stdin:
    if "get-info :name" in line:
        say('(:name "Fake")')
    elif "echo" in line:
        say("ready")
    elif "check-sat" in line:
        queries += 1
        {at_query}
"""


class Run:
    """A check in a process of its own, in a folder of its own."""

    def __init__(self, folder: Path, program: str, *arguments: str) -> None:
        self.folder = folder
        (folder / "program.bpl").write_text(program, encoding="utf-8")
        self.before = set(folder.iterdir())
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "paddock", "check", "program.bpl", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder), MARK: str(folder), "PYTHONPATH": SOURCES},
            start_new_session=True,
        )

    def wait(self) -> str:
        """What it prints; it must be nothing but a report, and leave nothing behind."""
        out, err = self.process.communicate(timeout=PATIENCE)
        assert err == ""
        assert left_in(self.folder) == []
        assert set(self.folder.iterdir()) == self.before
        return out


MARK = "PADDOCK_TEST_RUN"  # in the environment of whatever a run starts


def processes_of(folder: Path) -> Iterator[str]:
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={folder}\0" in (entry / "environ").read_text(errors="replace"):
                yield (entry / "cmdline").read_text(errors="replace").replace("\0", " ")
        except OSError:  # it has ended, or is somebody else's
            continue


def left_in(folder: Path) -> list[str]:
    """The processes that are still there, but for those that are about to end."""
    deadline = time.monotonic() + PATIENCE
    while (found := list(processes_of(folder))) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    started: list[Run] = []

    def start(program: str, *arguments: str) -> Run:
        folder = tmp_path / "run"
        folder.mkdir()
        started.append(Run(folder, program, *arguments))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()


@pytest.fixture
def checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Runs a check, in a process that is a copy of this one, as the command line does. What it says, and its exit
    status; it must say nothing but a report, and leave nothing behind."""
    folder = tmp_path / "check"
    folder.mkdir()
    program = folder / "program.bpl"
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv(MARK, str(folder))

    def run(text: str, *arguments: str) -> tuple[int, str]:
        program.write_text(text, encoding="utf-8")
        status = main(["check", str(program), *arguments], check=guard.check_files)
        out, err = capsys.readouterr()
        assert err == ""
        assert left_in(folder) == []
        assert list(folder.iterdir()) == [program]
        return status, out

    return run


def pretender(tmp_path: Path, at_query: str) -> str:
    script = tmp_path / "pretender.py"
    script.write_text(PRETENDER.format(at_query=at_query), encoding="utf-8")
    return shlex.join([sys.executable, "-S", str(script)])


# --- solvers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-solver-anywhere", "cannot be run: No such file or directory"),
        ("false", "ended with status 1"),
        ("sh -c 'kill -SEGV $$'", "was killed by signal 11"),
        ("echo hello", "answered with nonsense: hello"),
        ("sh -c 'echo \"libz3.so: cannot open\" >&2; exit 127'", "status 127: libz3.so: cannot open"),
    ],
)
def test_a_solver_that_fails_at_the_start(checked: Callable[..., tuple[int, str]], command: str, reason: str) -> None:
    status, out = checked(GROWING, "--solver", command)
    assert status == 3
    assert out.startswith("unknown: solver ")
    assert reason in out
    assert "no recursion bound was completed" in out


@pytest.mark.parametrize(
    ("at_query", "reason"),
    [
        ("sys.exit(4)", "ended with status 4"),
        ("os.kill(os.getpid(), 9)", "was killed by signal 9"),
        ("say('sat') if queries == 1 else say('perhaps')", "answered with nonsense"),
        ("say('(sat') or sys.exit(0)", "ended with status 0"),
        ("say('(error \"line 7: unknown symbol\")')", "says: line 7: unknown symbol"),
        ("print('terminate called: std::bad_alloc', file=sys.stderr) or os.abort()", "out of memory"),
        ("say('unknown') or sys.stdin.readline() and say('(:reason-unknown \"no mood\")')", "unknown: no mood"),
    ],
)
def test_a_solver_that_fails_in_the_middle(
    checked: Callable[..., tuple[int, str]], tmp_path: Path, at_query: str, reason: str
) -> None:
    status, out = checked(GROWING, "--solver", pretender(tmp_path, at_query), "--timeout", str(PATIENCE))
    assert status == 3
    assert out.startswith("unknown: ")
    assert reason in out


def test_a_solver_that_hangs(run: Callable[..., Run], tmp_path: Path) -> None:
    started = run(GROWING, "--solver", pretender(tmp_path, "os.fork(); time.sleep(100)"), "--timeout", "2")
    assert started.wait().startswith("unknown: time limit; no recursion bound was completed\n")
    assert started.process.returncode == 3


def test_a_real_solver_in_another_process(run: Callable[..., Run]) -> None:
    started = run((EXAMPLES / "lock_bug.bpl").read_text(), "--solver", z3_command())
    assert "\nbug: " in started.wait()
    assert started.process.returncode == 1


# --- limits --------------------------------------------------------------------------------------

SOLVERS = ["z3", z3_command(), *(["cvc5"] if find_spec("cvc5") else [])]


LATE = 120  # seconds: far more than it should take on a busy machine, far less than the program would


def seconds(out: str) -> float:
    """What the report says the check took: unlike the clock, it does not count the start of Python."""
    found = re.search(r"([\d.]+) s$", out)
    assert found
    return float(found[1])


@pytest.mark.parametrize("solver", SOLVERS, ids=["z3", "process", "cvc5"][: len(SOLVERS)])
@pytest.mark.parametrize("program", [HARD, GROWING], ids=["hard", "growing"])
def test_a_time_limit_of_half_a_second(checked: Callable[..., tuple[int, str]], program: str, solver: str) -> None:
    status, out = checked(program, "--timeout", "0.5", "--recursion-bound", "1000", "--solver", solver)
    assert out.startswith("unknown: time limit")
    assert status == 3
    assert seconds(out) < LATE


@pytest.mark.parametrize("engine", ["dag", "stratified", "eager"])
def test_every_engine_keeps_a_time_limit(checked: Callable[..., tuple[int, str]], engine: str) -> None:
    status, out = checked(GROWING, "--timeout", "0.5", "--recursion-bound", "1000", "--engine", engine)
    assert out.startswith("unknown: time limit")
    assert status == 3
    assert seconds(out) < LATE


MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10))
"""


def peak_mb(program: Path, *arguments: str) -> int:
    """The most memory that a check takes."""
    command = [sys.executable, "-c", MEASURE, sys.executable, "-m", "paddock", "check", str(program), *arguments]
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    return int(subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE, env=environment).stdout)


@pytest.mark.parametrize("solver", [s for s in SOLVERS if s != z3_command()])
def test_a_memory_limit(run: Callable[..., Run], tmp_path: Path, solver: str) -> None:
    small = tmp_path / "small.bpl"
    small.write_text("var g: int; procedure main() modifies g; { g := 1; assert g != 123456789; }")
    limit = peak_mb(small, "--solver", solver) + 25
    # All that is inlined at a bound of 1,000 fits in no memory.
    arguments = ["--recursion-bound", "1000", "--engine", "eager"]
    started = run(GROWING, "--memory", str(limit), *arguments, "--solver", solver)
    assert started.wait().startswith("unknown: out of memory; no recursion bound was completed\n")
    assert started.process.returncode == 3


def test_a_memory_limit_of_another_process(run: Callable[..., Run], tmp_path: Path) -> None:
    grow = "try:\n            bytearray(1 << 31)\n        except MemoryError:\n            sys.exit('out of memory')"
    started = run(GROWING, "--memory", "500", "--solver", pretender(tmp_path, f"{grow}\n        say('sat')"))
    assert started.wait().startswith("unknown: out of memory; no recursion bound was completed\n")
    assert started.process.returncode == 3


def test_a_memory_limit_while_reading(run: Callable[..., Run]) -> None:
    program = "procedure main(x: int) {\n" + "  assert x * x + x - x == x * x;\n" * 50_000 + "}\n"
    started = run(program, "--memory", "40")  # about what Python takes
    assert started.wait().startswith("unknown: out of memory while ")
    assert started.process.returncode == 3


# --- interrupts ----------------------------------------------------------------------------------


def wait_for_query(queries: Path, number: int) -> None:
    """Wait until the solver is asked that query."""
    deadline = time.monotonic() + PATIENCE
    while not (queries / f"query-{number:05}.smt2").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.3)  # writing the file is not yet asking


@pytest.mark.parametrize(
    ("number", "solver", "times"),
    [(signal.SIGINT, "z3", 1), (signal.SIGINT, z3_command(), 3), (signal.SIGTERM, "z3", 3)],
    ids=["interrupt", "impatient", "terminate"],
)
def test_an_interrupt(run: Callable[..., Run], tmp_path: Path, solver: str, times: int, number: signal.Signals) -> None:
    queries = tmp_path / "queries"
    started = run(GROWING, "--recursion-bound", "1000", "--solver", solver, "--tune", f"dump-smt={queries}")
    wait_for_query(queries, 5)
    for _ in range(times):  # out of impatience
        started.process.send_signal(number)
        time.sleep(0.03)
    sent = time.monotonic()
    out = started.wait()
    assert time.monotonic() - sent < LATE
    assert started.process.returncode == 3
    assert re.match(r"unknown: interrupted; (nothing was found up to|no) recursion bound", out)
    assert re.search(r"[1-9]\d* instances?", out)


def test_an_interrupt_in_the_middle_of_a_query_as_json(run: Callable[..., Run], tmp_path: Path) -> None:
    queries = tmp_path / "queries"
    started = run(HARD, "--format", "json", "--tune", f"dump-smt={queries}")
    wait_for_query(queries, 1)
    started.process.send_signal(signal.SIGINT)
    result = json.loads(started.wait())
    assert (result["verdict"], result["reason"], result["bound"]) == ("unknown", "interrupted", None)
    assert result["stats"]["instances"] == 1


def test_termination_leaves_no_solver_behind(run: Callable[..., Run], tmp_path: Path) -> None:
    queries = tmp_path / "queries"
    started = run(HARD, "--solver", z3_command(), "--tune", f"dump-smt={queries}")
    wait_for_query(queries, 1)
    assert len(list(processes_of(started.folder))) == 3  # the solver, the check, and who guards it
    started.process.terminate()
    assert started.wait().startswith("unknown: interrupted; no recursion bound was completed\n")
    assert started.process.returncode == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_for_all_processes_at_once(run: Callable[..., Run], tmp_path: Path, number: signal.Signals) -> None:
    """As a terminal sends it for Ctrl-C, or a service manager that stops a service."""
    queries = tmp_path / "queries"
    started = run(HARD, "--solver", z3_command(), "--tune", f"dump-smt={queries}")
    wait_for_query(queries, 1)
    os.killpg(started.process.pid, number)
    assert started.wait().startswith("unknown: interrupted; no recursion bound was completed\n")
    assert started.process.returncode == 3


# --- queries for other solvers -------------------------------------------------------------------

OTHERS = [words for words in (["z3"], ["cvc5", "--arrays-exp"]) if shutil.which(words[0])]


def in_process_cvc5(script: Path) -> str:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("arrays-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, str(script))
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer += command.invoke(solver, parser.getSymbolManager())
    return answer.strip()


@pytest.mark.parametrize("name", ["lock_bug", "heap", "recursive"])
def test_another_solver_understands_the_queries(tmp_path: Path, name: str) -> None:
    queries = tmp_path / "queries"
    arguments = ["check", str(EXAMPLES / f"{name}.bpl"), "--tune", f"dump-smt={queries}", "--recursion-bound", "3"]
    assert main(arguments) in (0, 1)
    files = sorted(queries.iterdir())
    assert files
    for file in files[:10]:
        recorded = re.search(r"^; Z3 answered (\w+)", file.read_text(), re.MULTILINE)
        assert recorded
        for answer in answers(file):
            assert recorded[1] in (answer, "unknown") or answer == "unknown"


def answers(script: Path) -> Sequence[str]:
    """What the solvers that are here say, apart from the one that was recorded."""
    found = []
    for words in OTHERS:
        done = subprocess.run([*words, str(script)], capture_output=True, text=True, check=False, timeout=PATIENCE)
        found.append(done.stdout.strip())
    if find_spec("cvc5"):
        found.append(in_process_cvc5(script))
    return found
