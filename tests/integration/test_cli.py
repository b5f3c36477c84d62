"""The command line as a user meets it: exit statuses, bad input of every kind, and bad luck."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pytest

from paddock.cli.main import main
from paddock.engines.inlining.merging import MERGES
from paddock.version import __version__

PATIENCE = 600  # seconds: only what hangs takes that long, however busy the machine is
FAILS = "procedure main(x: int) { assert x > 0; }\n"
HOLDS = "procedure main(x: int) { assume x > 1; assert x > 0; }\n"


def in_a_process(*arguments: str | Path, stdin: str = "") -> tuple[int, str, str]:
    """The exit status of a command, what it prints, and what it complains about."""
    command = [sys.executable, "-m", "paddock", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


class Command(Protocol):
    """Runs a command and returns what it prints."""

    def __call__(self, *arguments: str | Path) -> str: ...


@pytest.fixture
def done(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command that must succeed without a complaint."""

    def run(*arguments: str | Path) -> str:
        assert main([str(argument) for argument in arguments]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command that must fail as bad usage or bad input; returns its message. An exception that escapes
    from `main` is what a user would see as a traceback, and fails the test."""

    def run(*arguments: str | Path) -> str:
        assert main([str(argument) for argument in arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        return err

    return run


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.bpl"
    file.write_text(HOLDS)
    return file


def test_version() -> None:
    assert in_a_process("--version") == (0, f"paddock {__version__}\n", "")


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["transform", "--help"]])
def test_help(arguments: Sequence[str], done: Command) -> None:
    assert done(*arguments).startswith("usage: paddock")


def test_help_shows_examples_and_exit_statuses(done: Command) -> None:
    text = done("--help")
    assert "paddock check examples/lock_bug.bpl" in text
    assert "3  unknown" in text


def test_passes_are_listed_one_a_line(done: Command) -> None:
    lines = done("passes").splitlines()
    names = [line.split()[0] for line in lines]
    assert {"lower", "check-specs", "extract-loops", "error-bit", "prune", "merge-implementations"} <= set(names)
    assert all(len(line.split()) > 2 for line in lines)


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion(shell: str, done: Command) -> None:
    assert "recursion-bound" in done("completion", shell)


def test_the_completion_script_is_valid_bash(tmp_path: Path, done: Command) -> None:
    script = tmp_path / "completion"
    script.write_text(done("completion", "bash"))
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0


# --- bad usage -----------------------------------------------------------------------------------


def test_no_command(refused: Command) -> None:
    assert "COMMAND" in refused()


def test_a_misspelt_command_gets_a_suggestion(refused: Command) -> None:
    assert "did you mean check?" in refused("chekc", "x.bpl")


def test_a_misspelt_option_gets_a_suggestion(program: Path, refused: Command) -> None:
    message = refused("check", program, "--recursion-bund=3")
    assert message == "error: unknown option: --recursion-bund\n  did you mean --recursion-bound?\n"


def test_options_are_not_abbreviated(program: Path, refused: Command) -> None:
    assert "unknown option: --recursion" in refused("check", program, "--recursion", "3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "bdd"], "error: --engine bdd is unknown: choose from auto, dag, stratified, eager"),
        (["--engine", "dagg"], "\n  did you mean dag?\n"),
        (["--recursion-bound", "0"], "--recursion-bound must be at least 1"),
        (["--recursion-bound", "-1"], "--recursion-bound must be at least 1"),
        (["--recursion-bound", "many"], "error: --recursion-bound must be a whole number, not many\n"),
        (["--recursion-bound"], "error: --recursion-bound needs a value\n  try paddock --help\n"),
        (["--unwind", "-1"], "--unwind must be at least 0"),
        (["--timeout", "0"], "--timeout must be a number of seconds above 0"),
        (["--timeout", "soon"], "error: --timeout must be a number, not soon\n"),
        (["--timeout", "nan"], "--timeout must be a number of seconds above 0"),
        (["--format", "pdf"], "--format pdf is unknown: choose from text, "),
        (["--frobnicate"], "unknown option: --frobnicate"),
    ],
)
def test_bad_options(program: Path, arguments: Sequence[str], message: str, refused: Command) -> None:
    assert message in refused("check", program, *arguments)


def test_too_many_words(refused: Command) -> None:
    assert "unexpected argument: more" in refused("passes", "more")


def test_a_pass_that_does_not_exist(program: Path, refused: Command) -> None:
    message = refused("transform", program, "--pass", "lower,prnue")
    assert "prnue" in message
    assert "prune" in message


@pytest.mark.parametrize("names", ["", ",", "lower,"])
def test_a_pass_without_a_name(program: Path, names: str, refused: Command) -> None:
    assert "there is no pass" in refused("transform", program, "--pass", names)


# --- bad files -----------------------------------------------------------------------------------


def test_a_missing_file(tmp_path: Path, refused: Command) -> None:
    missing = tmp_path / "missing.bpl"
    assert refused("check", missing) == f"{missing}: error: cannot read the file: No such file or directory\n"


def test_a_directory(tmp_path: Path, refused: Command) -> None:
    folder = tmp_path / "folder.bpl"
    folder.mkdir()
    assert refused("check", folder) == f"{folder}: error: cannot read the file: Is a directory\n"


@pytest.mark.parametrize("content", ["", "\n\n", "// nothing here\n"])
def test_an_empty_file(tmp_path: Path, content: str, refused: Command) -> None:
    file = tmp_path / "empty.bpl"
    file.write_text(content)
    assert "no procedure: nothing to check" in refused("check", file)


def test_a_binary_file(tmp_path: Path, refused: Command) -> None:
    file = tmp_path / "binary.bpl"
    file.write_bytes(bytes(range(256)))
    assert refused("check", file) == f"{file}: error: this is a binary file, not the text of a program\n"


def test_text_that_is_not_utf8(tmp_path: Path, refused: Command) -> None:
    file = tmp_path / "latin.bpl"
    file.write_bytes("var x: int;\n// Ä caf\N{LATIN SMALL LETTER E WITH ACUTE}\n".encode("latin-1"))
    assert refused("check", file) == f"{file}:2:4: error: not UTF-8 text: unexpected byte 0xc4\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_read(program: Path, refused: Command) -> None:
    program.chmod(0)
    assert "cannot read the file: Permission denied" in refused("check", program)


@pytest.mark.parametrize("name", ["program.c", "program.i"])
def test_an_error_in_a_c_file(tmp_path: Path, name: str, refused: Command) -> None:
    file = tmp_path / name
    file.write_text("int main(void)\n{ return x; }\n")
    assert refused("check", file) == (
        f"{file}:2:10: error: use of undeclared identifier 'x'\n  {{ return x; }}\n           ^\n"
    )


def test_a_missing_header(tmp_path: Path, refused: Command) -> None:
    file = tmp_path / "program.c"
    file.write_text('#include "own.h"\nint main(void) { return OWN; }\n')
    assert "'own.h' file not found" in (message := refused("check", file))
    assert "pass -I FOLDER, where FOLDER/own.h is" in message
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "own.h").write_text("#define OWN NUMBER\n")
    assert "use of undeclared identifier 'NUMBER'" in refused("check", file, "-I", tmp_path / "include")
    assert main(["check", str(file), f"-I{tmp_path / 'include'}", "-DNUMBER=1"]) == 0
    assert main(["transform", str(file), "-I", str(tmp_path / "include"), "-D", "NUMBER", "--pass", "prune"]) == 0


@pytest.mark.parametrize("name", ["program.txt", "program", "--", ".bpl.old"])
def test_a_file_of_another_kind(tmp_path: Path, name: str, refused: Command) -> None:
    assert "the name must end in .bpl, .c or .i" in refused("check", tmp_path / name)


def test_an_error_shows_the_line_and_a_caret(tmp_path: Path, refused: Command) -> None:
    file = tmp_path / "wrong.bpl"
    file.write_text("procedure main()\n{\n  assert wrong;\n}\n")
    lines = refused("check", file).splitlines()
    assert lines[0].startswith(f"{file}:3:10: error: ")
    assert lines[1:3] == ["    assert wrong;", "           ^"]


# --- output --------------------------------------------------------------------------------------


def test_transform_reads_standard_input_and_writes_a_file(tmp_path: Path, done: Command) -> None:
    out = tmp_path / "out.bpl"
    assert in_a_process("transform", "-", "--pass", "lower", "-o", out, stdin=HOLDS) == (0, "", "")
    assert "assert x > 0;" in out.read_text()
    assert done("transform", out, "--pass", "lower") == out.read_text()


def test_what_cannot_be_written_as_a_whole_leaves_the_file_alone(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    assert main(["transform", str(program), "--pass", "lower", "-o", str(program)]) == 2
    assert capsys.readouterr().err == f"{program}: error: cannot write: No space left on device\n"
    assert program.read_text() == HOLDS
    assert list(program.parent.iterdir()) == [program]


def test_a_file_that_is_written_again_keeps_its_mode_and_links(program: Path, done: Command) -> None:
    out, link = program.with_name("out.bpl"), program.with_name("link.bpl")
    out.write_text("")
    out.chmod(0o640)
    link.symlink_to(out)
    assert done("transform", program, "--pass", "lower", "-o", link) == ""
    assert link.is_symlink()
    assert "implementation main" in out.read_text()
    assert out.stat().st_mode & 0o777 == 0o640


def test_transform_may_write_over_its_input(program: Path, done: Command) -> None:
    assert done("transform", program, "--pass", "lower", "-o", program) == ""
    assert "assert x > 0;" in program.read_text()


def test_several_files_are_one_program(tmp_path: Path, done: Command) -> None:
    (tmp_path / "a.bpl").write_text("procedure main() { call Other(); }\n")
    (tmp_path / "b.bpl").write_text("procedure Other() { }\n")
    assert "procedure Other()" in done("transform", tmp_path / "a.bpl", tmp_path / "b.bpl", "--pass", "prune")


@pytest.mark.parametrize("command", [["check"], ["transform", "--pass", "lower"]])
def test_an_output_that_cannot_be_written(program: Path, command: Sequence[str], refused: Command) -> None:
    assert "cannot write" in refused(*command, program, "--output", program.parent)
    assert "cannot write" in refused(*command, program, "--output", program.parent / "missing" / "out")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", [["check"], ["transform", "--pass", "lower"]])
def test_a_full_disk(program: Path, command: Sequence[str], refused: Command) -> None:
    message = refused(*command, program, "--output", "/dev/full")
    assert message == "/dev/full: error: cannot write: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["--help"], ["passes"], ["completion", "bash"]])
def test_a_full_disk_behind_standard_output(arguments: Sequence[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "paddock", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "standard output: error: cannot write: No space left on device\n"


@pytest.mark.parametrize("arguments", [["check"], ["summaries"]])
def test_no_report_overwrites_the_program(program: Path, refused: Command, arguments: list[str]) -> None:
    assert "would overwrite the program" in refused(*arguments, program, "--output", program)
    assert program.read_text() == HOLDS


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    file = tmp_path / "long.bpl"
    file.write_text("procedure main() {\n" + "  assert true;\n" * 20_000 + "}\n")
    command = [sys.executable, "-m", "paddock", "transform", str(file), "--pass", "lower"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=PATIENCE) == 0


def test_standard_output_that_is_closed(program: Path) -> None:
    command = f'"{sys.executable}" -m paddock transform "{program}" --pass lower >&-'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "standard output: error: cannot write: it is closed\n")


def test_no_colour_off_a_terminal(tmp_path: Path, refused: Command) -> None:
    assert "\x1b" not in refused("check", tmp_path / "missing.bpl")


# --- verdicts ------------------------------------------------------------------------------------

BOUNDED = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i != 50; }\n"


@pytest.mark.parametrize(
    ("text", "arguments", "status", "verdict"),
    [
        (HOLDS, [], 0, "proved"),
        (FAILS, [], 1, "bug"),
        (BOUNDED, ["--recursion-bound", "2"], 0, "bounded"),
        (BOUNDED, ["--recursion-bound", "2", "--require-proof"], 3, "bounded"),
        (HOLDS, ["--require-proof"], 0, "proved"),
        (HOLDS, ["--goal", "return"], 1, "bug"),
        ("procedure start() { assert false; }", ["--entry", "start"], 1, "bug"),
        ("procedure main() { }", [], 0, "proved"),
    ],
)
def test_verdicts_and_exit_statuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, arguments: Sequence[str], status: int, verdict: str
) -> None:
    file = tmp_path / "program.bpl"
    file.write_text(text)
    assert main(["check", str(file), *arguments]) == status
    out, err = capsys.readouterr()
    assert any(line.startswith(f"{verdict}: ") for line in out.splitlines())
    assert err == ""


@pytest.mark.parametrize("engine", ["dag", "stratified", "eager"])
def test_every_engine_answers(tmp_path: Path, engine: str) -> None:
    for text, status in ((HOLDS, 0), (FAILS, 1)):
        file = tmp_path / "program.bpl"
        file.write_text(text)
        assert main(["check", str(file), "--engine", engine]) == status


def test_json(tmp_path: Path) -> None:
    file, out = tmp_path / "program.bpl", tmp_path / "result.json"
    file.write_text(FAILS)
    assert main(["check", str(file), "--format", "json", "--output", str(out)]) == 1
    found = json.loads(out.read_text())
    assert (found["verdict"], found["entry"], found["goal"]) == ("bug", "main", "assertion")
    assert found["files"] == [str(file)]
    assert {"procedures", "instances", "merged", "queries", "solver_s", "parse_s", "vc_s", "merge_s"} <= set(
        found["stats"]
    )
    last = found["trace"][-1]
    assert (last["file"], last["line"], last["procedure"], last["kind"]) == (str(file), 1, "main", "fail")
    assert int(last["values"]["x"]) <= 0


@pytest.mark.parametrize("merge", sorted(MERGES))
def test_every_merging_strategy_answers(merge: str) -> None:
    examples = Path(__file__).parents[2] / "examples"
    for name, status in (("lock", 0), ("lock_bug", 1)):
        assert main(["check", str(examples / f"{name}.bpl"), "--merge", merge]) == status


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_every_solver_answers(tmp_path: Path, solver: str) -> None:
    for text, status in ((HOLDS, 0), (FAILS, 1)):
        file = tmp_path / "program.bpl"
        file.write_text(text)
        assert main(["check", str(file), "--solver", solver]) == status


@pytest.mark.parametrize(
    ("command", "reason"),
    [("no-such-solver-anywhere", "no-such-solver-anywhere"), ("false", "false"), ("echo hello", "echo")],
)
def test_a_solver_that_is_none(program: Path, capsys: pytest.CaptureFixture[str], command: str, reason: str) -> None:
    assert main(["check", str(program), "--solver", command]) == 3
    out, err = capsys.readouterr()
    assert out.startswith("unknown: ")
    assert reason in out
    assert err == ""


def test_queries_are_written_to_a_folder(program: Path, tmp_path: Path) -> None:
    assert main(["check", str(program), "--tune", f"dump-smt={tmp_path}/queries"]) == 0
    written = sorted((tmp_path / "queries").iterdir())
    assert written
    assert all("(check-sat" in file.read_text() for file in written)


def test_queries_of_houdini_are_written_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(Path(__file__).parents[2] / "examples" / "lock.bpl")
    assert (
        main(["check", file, "--houdini", "--no-facts", "--format=json", "--tune", f"dump-smt={tmp_path}/check"]) == 0
    )
    stats = json.loads(capsys.readouterr().out)["stats"]
    # The first question is whether there is need of summaries at all.
    assert len(list((tmp_path / "check").iterdir())) == 1 + stats["houdini_queries"] + stats["queries"]
    assert stats["houdini_queries"] > 0
    assert main(["summaries", file, "--tune", f"dump-smt={tmp_path}/summaries"]) == 0
    assert len(list((tmp_path / "summaries").iterdir())) > 0


def hard_program() -> str:
    """A program that no solver decides soon: one has to find two prime factors."""
    return """
        procedure main(a: bv64, b: bv64) {
          assume gt(4294967296bv64, a) && gt(4294967296bv64, b);
          assert mul(a, b) != 8670687648630721837bv64;
        }
        function {:bvbuiltin "bvmul"} mul(bv64, bv64): bv64;
        function {:bvbuiltin "bvugt"} gt(bv64, bv64): bool;
    """


def test_a_time_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hard.bpl"
    file.write_text(hard_program())
    assert main(["check", str(file), "--timeout", "0.5"]) == 3
    assert "unknown: time limit; no recursion bound was completed" in capsys.readouterr().out


def test_a_time_limit_while_reading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "long.bpl"
    file.write_text("procedure main(x: int) {\n" + "  assert x * x + x - x == x * x;\n" * 50_000 + "}\n")
    assert main(["check", str(file), "--timeout", "0.01"]) == 3
    assert "unknown: time limit while reading the program" in capsys.readouterr().out


# --- interruption --------------------------------------------------------------------------------

INTERRUPTED_IMPORT = """
import os, sys

class Impatient:
    def find_spec(self, name, path, target=None):
        if name == "paddock.driver.guard":
            os.kill(os.getpid(), NUMBER)

sys.meta_path.insert(0, Impatient())
from paddock.__main__ import run
assert "paddock.cli.main" not in sys.modules
run()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_importing(number: signal.Signals) -> None:
    command = [sys.executable, "-c", INTERRUPTED_IMPORT.replace("NUMBER", str(int(number)))]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "", "error: interrupted\n")


INTERRUPTED_CHILD = """
import os, sys, time

class Impatient:
    def find_spec(self, name, path, target=None):
        if name == "paddock.driver.pipeline":
            os.kill(os.getppid(), NUMBER)
            time.sleep(600)

sys.meta_path.insert(0, Impatient())
sys.argv[1:] = ["check", "examples/lock_bug.bpl"]
from paddock.__main__ import run
run()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_the_child_imports(number: signal.Signals) -> None:
    """The child loads what a check needs. It is interrupted in that, too, and there is a report."""
    command = [sys.executable, "-c", INTERRUPTED_CHILD.replace("NUMBER", str(int(number)))]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ended.returncode, ended.stderr) == (3, "")
    assert ended.stdout.startswith("unknown: interrupted")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", [["check"], ["transform", "--pass", "lower"]])
def test_an_interrupt_while_reading(command: Sequence[str], number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "paddock", *command, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    # More than a pipe holds: once this is written, the other side has begun to read and waits for the rest.
    process.stdin.write("// a long comment\n" * 100_000)
    process.stdin.flush()
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert "interrupted" in out + err
    assert "Traceback" not in err


def test_an_interrupt_while_searching(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "paddock", "check", "-", "--tune", f"dump-smt={tmp_path}/queries"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write("// a long comment\n" * 100_000 + hard_program())
    process.stdin.close()
    process.stdin = None
    while not (tmp_path / "queries" / "query-00001.smt2").exists():
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(0.5)  # writing the query is not yet asking
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert "unknown: interrupted" in out
    assert err == ""
