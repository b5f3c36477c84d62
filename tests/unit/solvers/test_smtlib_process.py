"""Solvers that are missing, die, talk nonsense or hang: each is a clear failure, and no process stays behind."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from paddock.solvers.factory import open_solver
from paddock.solvers.interface import MEMORY_LIMIT, TIME_LIMIT, SolverFailure, Status
from paddock.solvers.ops import Op
from paddock.solvers.smtlib import dialogue
from paddock.solvers.smtlib.process import SolverProcess
from paddock.solvers.sorts import BOOL
from paddock.workers.supervisor import Child
from tests.busy import within_some_limit
from tests.unit.solvers.examples import assert_pigeons, z3_command

Fake = Callable[[str], str]

# A fake solver greets properly, and then does what the test says when it is asked a query.
GREETING = """
import os, sys, time
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    if "get-info :name" in line:
        say('(:name "Fake")')
    elif "echo" in line:
        say("ready")
    elif "check-sat" in line:
        {behaviour}
    elif "reason-unknown" in line:
        say('(:reason-unknown "it is a fake")')
    elif "get-value" in line:
        say("((p what))")
"""


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    def make(behaviour: str) -> str:
        script = tmp_path / "fake.py"
        script.write_text(GREETING.format(behaviour=behaviour), encoding="utf-8")
        return shlex.join([sys.executable, "-S", str(script)])

    return make


def process_exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return (
        Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z" if Path("/proc").exists() else True
    )


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-solver-anywhere -in", "no-such-solver-anywhere -in.*cannot be run: No such file"),
        ("", "command is empty"),
        ("z3 'unclosed", "No closing quotation"),
        ("true", "ended with status 0"),
        ("false", "ended with status 1"),
        ("sh -c 'echo some words >&2; exit 3'", "ended with status 3: some words"),
        ("sh -c 'kill -SEGV $$'", "killed by signal 11"),
        ("echo hello", "nonsense: hello"),
        ("sh -c 'echo \")))\"; cat'", "nonsense"),
        ("sh -c 'head -c 100000 /dev/zero | tr \"\\0\" x; echo; cat'", "nonsense: x.* …"),
        ("cat", r"nonsense: \(set-option"),
    ],
)
def test_what_is_no_solver(command: str, message: str) -> None:
    with pytest.raises(SolverFailure, match=message):
        open_solver(command)


def test_a_solver_that_does_not_greet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogue, "_PATIENCE", 0.2)
    with pytest.raises(SolverFailure, match="does not answer"):
        open_solver("sleep 60")


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("sys.exit(4)", "ended with status 4"),
        ("os.kill(os.getpid(), 9)", "killed by signal 9"),
        ("say('maybe')", "nonsense: maybe"),
        ("say('(sat))')", "nonsense"),
        ("say('(error \"line 1: what?\")')", "says: line 1: what?"),
        ("print('bang', file=sys.stderr); sys.exit(1)", "status 1: bang"),
    ],
)
def test_a_solver_that_fails_in_a_query(fake: Fake, behaviour: str, message: str) -> None:
    with open_solver(fake(behaviour)) as solver:
        solver.assert_(solver.terms.constant("p", BOOL))
        with pytest.raises(SolverFailure, match=message):
            solver.check(timeout=600)


def test_reasons(fake: Fake) -> None:
    with open_solver(fake("say('unknown')")) as solver:
        answer = solver.check()
        assert (answer.status, answer.reason, answer.has_model) == (Status.UNKNOWN, "it is a fake", False)


@pytest.mark.parametrize(
    "behaviour",
    ["say('(error \"out of memory\")')", "print('std::bad_alloc', file=sys.stderr); os.abort()"],
)
def test_a_solver_that_runs_out_of_memory(fake: Fake, behaviour: str) -> None:
    with open_solver(fake(behaviour)) as solver:
        answer = solver.check()
        assert (answer.status, answer.reason) == (Status.UNKNOWN, MEMORY_LIMIT)


def test_nonsense_values_are_a_failure_or_opaque(fake: Fake) -> None:
    with open_solver(fake("say('sat')")) as solver:
        p = solver.terms.constant("p", BOOL)
        assert solver.check().status is Status.SAT
        assert "what" in str(solver.model().value(p))
        with pytest.raises(SolverFailure, match="nonsense"):
            solver.model().values([p, p])


def test_a_solver_that_hangs_is_killed_with_its_children(fake: Fake, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    behaviour = f"""
        child = os.fork()
        open({str(pids)!r}, "a").write(f"{{os.getpid()}}\\n") and time.sleep(600)
    """
    with open_solver(fake(behaviour.strip())) as solver:

        def hung(seconds: float) -> list[int]:
            """Those that hang when the time is up."""
            pids.write_text("")
            answer = solver.check(timeout=seconds)
            assert (answer.status, answer.reason) == (Status.UNKNOWN, TIME_LIMIT)
            return [int(pid) for pid in pids.read_text().split()]

        started = within_some_limit(hung, lambda started: len(started) == 2)
        assert len(started) == 2
        deadline = time.monotonic() + 600
        while any(map(process_exists, started)) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not any(map(process_exists, started))


def test_a_solver_ends_when_python_is_killed() -> None:
    def be_killed(send: Callable[[int], None]) -> None:
        solver = SolverProcess("sleep 6000")  # it does not notice that nobody is there any more
        send(solver._process.pid)
        os.kill(os.getpid(), signal.SIGKILL)

    child = Child(be_killed)
    (pid,) = child.receive()
    assert child.wait(600)
    assert child.status == -signal.SIGKILL
    deadline = time.monotonic() + 600
    while process_exists(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not process_exists(pid)


def test_a_killed_solver_is_started_again_and_told_everything() -> None:
    with open_solver(z3_command()) as solver:
        p = solver.terms.constant("p", BOOL)
        template = solver.terms.template([], p)
        solver.assert_(solver.terms.instantiate(template, []))
        assert_pigeons(solver, 13)
        assert solver.check(timeout=0.2).reason == TIME_LIMIT
        assert solver.check([solver.terms.app(Op.NOT, [p])], timeout=600).status is Status.UNSAT
        assert solver.statistics()["starts"] == 2


def test_a_solver_that_does_not_read_blocks_nobody(fake: Fake) -> None:
    with open_solver(fake("time.sleep(600)")) as solver:
        # More than a pipe holds comes after the query that is not answered.
        assert solver.check(timeout=0.1).reason == TIME_LIMIT
        for i in range(20_000):
            solver.assert_(solver.terms.constant(f"a constant with a long name, the {i}th", BOOL))
        start = time.monotonic()
        assert solver.check(timeout=0.5).reason == TIME_LIMIT
        assert time.monotonic() - start < 500


def test_a_solver_that_talks_too_much_blocks_nobody(fake: Fake) -> None:
    with open_solver(fake("[say('(error \"' + 'x' * 1000 + '\")') for _ in range(1000)]")) as solver:
        for i in range(5_000):
            solver.assert_(solver.terms.constant(f"a constant with a long name, the {i}th", BOOL))
        with pytest.raises(SolverFailure, match="says: xxx"):
            solver.check(timeout=600)


def test_no_process_outlives_python(fake: Fake, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    command = fake(f"open({str(pid_file)!r}, 'w').write(str(os.getpid())) and say('sat')")
    program = f"""
from paddock.solvers.factory import open_solver
solver = open_solver({command!r})
solver.check()
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=600)
    assert not process_exists(int(pid_file.read_text()))


def test_closing_ends_the_process(fake: Fake, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    solver = open_solver(fake(f"open({str(pid_file)!r}, 'w').write(str(os.getpid())) and say('sat')"))
    solver.check()
    assert process_exists(int(pid_file.read_text()))
    solver.close()
    assert not process_exists(int(pid_file.read_text()))
