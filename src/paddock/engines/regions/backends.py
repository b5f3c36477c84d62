"""Other verifiers for regions: the region is written to a file, the verifier is run on it, and what it prints is read
(Akhundov et al., Verification by Gambling on Program Slices, §4.1).

Only an answer that is there in the documented form proves anything. A verifier that crashes, says something else or
nothing at all has missed, and what it did is reported.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from paddock.backends.c_text import NotInC, assertion_lines, c_text
from paddock.engines.regions.extract import assuming_known
from paddock.engines.regions.verify import Answer, Verifier
from paddock.frozen import frozen, replace
from paddock.ir.origin import AssertionId, Diagnostic, InputError
from paddock.ir.printer import program_text
from paddock.ir.program import Procedure, Program, find_attribute
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Statement
from paddock.solvers.smtlib.process import terminating
from paddock.workers.supervisor import die_with_parent

OWN = "paddock"
FILE = "{}"  # in a command, stands for the file; else it comes last
SCRATCH = "paddock-"  # starts the names of folders
SHOWN = 120  # characters of what a verifier says


@frozen
class Reading:
    """What a verifier answers about a file: that nothing can fail (in how many bodies, if it says so), or the lines of
    what may; or why it answers neither."""

    is_safe: bool = False
    lines: tuple[int, ...] = ()
    problem: str = ""
    bodies: int | None = None


Reader = Callable[[str, int], Reading]


def read_boogie(output: str, status: int) -> Reading:
    """Of Boogie: `file(3,5): Error BP5001: …`, at last `… finished with 1 verified, 0 errors`. Other endings, such as
    `1 time out`, count as none."""
    complaints = re.findall(r"^Prover error: (?!.*unknown parameter).*$", output, re.MULTILINE)
    summary = re.findall(r"^Boogie program verifier finished with (\d+) verified, (\d+) errors?$", output, re.MULTILINE)
    if complaints or not summary or "error(s) detected" in output:
        return Reading(problem=_unclear(output, status))
    if summary[-1][1] == "0":
        return Reading(is_safe=True, bodies=int(summary[-1][0]))
    lines = re.findall(r"^.*\((\d+),\d+\): Error.*$", output, re.MULTILINE)
    return Reading(lines=tuple(map(int, lines)), problem="" if lines else _unclear(output, status))


def read_ultimate(output: str, status: int) -> Reading:
    """Of Ultimate Automizer: `- CounterExampleResult [Line: 5]: …`, at last `RESULT: Ultimate proved your program to be
    correct!`, `… incorrect!` or `… could not prove …`."""
    result = re.findall(r"^\s*RESULT: Ultimate proved your program to be (correct|incorrect)\b", output, re.MULTILINE)
    if not result:
        return Reading(problem=_unclear(output, status))
    if result[-1] == "correct":
        return Reading(is_safe=True)
    lines = re.findall(r"^\s*- CounterExampleResult \[Line: (\d+)\]", output, re.MULTILINE)
    return Reading(lines=tuple(map(int, lines)), problem="" if lines else _unclear(output, status))


def read_cbmc(output: str, status: int) -> Reading:
    """Of CBMC: `[main.assertion.1] line 5 …: FAILURE`, at last `VERIFICATION SUCCESSFUL` or `FAILED`. A loop that was
    cut off makes the rest worthless."""
    result = re.findall(r"^VERIFICATION (SUCCESSFUL|FAILED)$", output, re.MULTILINE)
    if not result or status not in (0, 10):
        return Reading(problem=_unclear(output, status))
    if result[-1] == "SUCCESSFUL" and status == 0:
        return Reading(is_safe=True)
    failed = re.findall(r"^\[([\w$.]+)\] (?:file \S+ )?line (\d+) .*: FAILURE$", output, re.MULTILINE)
    if any(".unwind." in name or ".recursion" in name for name, _ in failed):
        return Reading(problem="a loop was not unwound to its end")
    lines = tuple(int(line) for _, line in failed)
    return Reading(lines=lines, problem="" if lines else _unclear(output, status))


def read_any(output: str, status: int) -> Reading:
    """Of a command of the user's: a line `proved: …`, as Paddock prints it, or the answer of one of the others; and the
    status 0. What may fail is not asked for."""
    is_proved = re.search(r"^proved: ", output, re.MULTILINE) is not None
    readings = [Reading(is_proved), *(read(output, status) for read in (read_boogie, read_ultimate, read_cbmc))]
    proofs = [reading for reading in readings if status == 0 and reading.is_safe]
    return proofs[0] if proofs else Reading(problem=_unclear(output, status))


def _unclear(output: str, status: int) -> str:
    words = [line.strip() for line in output.splitlines() if line.strip()]
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    return f"{how}: {words[-1][:SHOWN]}" if words else f"{how} and printed nothing"


@frozen
class Tool:
    """A verifier: how it is run on a file, how its answer is read, how it is installed, and whether it reads C. It
    `needs` some options whatever else a user says, and with some it is `lax`: it looks at some executions only."""

    command: tuple[str, ...]
    read: Reader
    install: str = ""
    reads_c: bool = False
    needs: tuple[str, ...] = ()
    lax: tuple[str, ...] = ()


TOOLS: Mapping[str, Tool] = {
    "cbmc": Tool(
        ("cbmc", "--unwind", "256"),
        read_cbmc,
        "`apt install cbmc`, or a release from https://github.com/diffblue/cbmc",
        reads_c=True,
        needs=("--unwinding-assertions",),
        lax=("no-unwinding-assertions", "partial-loops", "depth", "no-assertions", "property", "function"),
    ),
    "boogie": Tool(
        ("boogie", "/nologo", "/errorLimit:1000"),
        read_boogie,
        "`apt install boogie`, or `dotnet tool install boogie`",
        lax=("loopUnroll", "stratifiedInline", "lazyInline"),
    ),
    "ultimate": Tool(
        ("Ultimate", "-tc", "config/AutomizerBplInline.xml", "-i", FILE),
        read_ultimate,
        "a release of Ultimate Automizer from https://ultimate-pa.org, with its folder on the path",
    ),
}


def tool_named(name: str) -> Tool:
    """The verifier of this name, or the command; an `InputError` if it is not installed. A command that runs a verifier
    that is known is read as that one is."""
    tool = TOOLS.get(name)
    if tool is None:
        try:
            words = tuple(shlex.split(name))
        except ValueError as error:
            raise InputError(f"--backend {name}: {error}") from None
        known = TOOLS.get(Path(words[0]).name.lower()) if words else None
        tool = replace(known, command=words) if known is not None else Tool(words, read_any)
        lax = next((word for word in words[1:] if re.split("[:=]", word.lstrip("/-"))[0] in tool.lax), None)
        if lax is not None:
            raise InputError(f"--backend {name}: with {lax}, it does not look at all executions, and proves nothing")
    tool = replace(tool, command=(*tool.command, *(o for o in tool.needs if o not in tool.command)))
    if not tool.command or shutil.which(tool.command[0]) is None:
        wanted = tool.command[0] if tool.command else name
        hint = f"install it: {tool.install}" if tool.install else "name a program, with its options"
        raise InputError(Diagnostic(f"--backend {name}: there is no program {wanted}", hint=hint))
    return tool


@frozen
class Backend:
    """A verifier for regions that is another program. Can be sent to where that program is. It does not look for
    invariants. Its files are in the folder `scratch`, which its maker removes, so that nothing is left of a worker that
    is killed; on other machines, where there is no such folder, elsewhere."""

    prover: Verifier
    tool: Tool
    scratch: str | None = None

    def verify(self, program: Program, seconds: float | None) -> Answer:
        """Which assertions of a region's program cannot fail. Those that may are assumed, the rest is tried again."""
        deadline = None if seconds is None else time.monotonic() + seconds
        left = assertions_by_id(program)
        bodies = sum(len(procedure.implementations) for procedure in program.procedures)
        while left:
            remaining = None if deadline is None else deadline - time.monotonic()
            if remaining is not None and remaining <= 0:
                return Answer(reason="time limit")
            try:
                text, places, ending = self._written(program)
            except NotInC as reason:
                return Answer(reason=f"it cannot be written in C: {reason}")
            reading = run_tool(self.tool, text, ending, remaining, self.scratch)
            if reading.is_safe and reading.bodies not in (None, bodies):
                return Answer(reason=f"{self.tool.command[0]} has looked at {reading.bodies} of {bodies} procedures")
            if reading.is_safe:
                return Answer(tuple(left.values()))
            failing = {left[places[line]] for line in reading.lines if places.get(line) in left}
            if not failing:
                return Answer(reason=f"{self.tool.command[0]} {reading.problem or 'reports what is no assertion'}")
            left = {id_: source for id_, source in left.items() if source not in failing}
            program = assuming_known(program, failing)
        return Answer()

    def _written(self, program: Program) -> tuple[str, dict[int, str], str]:
        """The program as the verifier reads it, the assertions by their lines, and the ending of the file."""
        if self.tool.reads_c:
            text = c_text(program)
            return text, assertion_lines(text), ".c"
        text = program_text(_without_attributes(program))
        return text, lines_of(text), ".bpl"


def assertions_by_id(program: Program) -> dict[str, AssertionId]:
    """The sources of the assertions of a program in which all have ids."""
    found: dict[str, AssertionId] = {}
    for procedure in program.procedures:
        for implementation in procedure.implementations:
            for block in implementation.blocks:
                for statement in block.statements:
                    if isinstance(statement, Assert):
                        given = find_attribute(statement.attributes, "id")
                        assert given is not None
                        found[str(given.params[0])] = statement.origin.identity()
    return found


def _without_attributes(program: Program) -> Program:
    """The program without what may tell a verifier to leave something out; ids stay, and what functions mean."""

    def statement(s: Statement) -> Statement:
        match s:
            case Assert(attributes=attributes):
                return replace(s, attributes=tuple(a for a in attributes if a.name == "id"))
            case Assume() | Assign() | Call():
                return replace(s, attributes=())
            case _:
                return s

    def block(b: Block) -> Block:
        return replace(b, statements=tuple(map(statement, b.statements)), transfer=replace(b.transfer, attributes=()))

    def procedure(p: Procedure) -> Procedure:
        bodies = (replace(i, blocks=tuple(map(block, i.blocks)), attributes=()) for i in p.implementations)
        return replace(p, implementations=tuple(bodies), attributes=())

    return replace(program, procedures=tuple(map(procedure, program.procedures)))


def lines_of(text: str) -> dict[int, str]:
    """The id of the assertion in each line of a printed program that has one."""
    found: dict[int, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if match := re.match(r'\s*assert \{:id "(\w+)(?: \(copy \d+\))?"\}', line):
            found[number] = match[1]
    return found


@contextmanager
def scratch_folder() -> Iterator[str]:
    """A folder for what is written for verifiers. It goes when this process leaves it or is terminated."""
    folder = tempfile.mkdtemp(prefix=SCRATCH)

    def end() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    try:
        with terminating(end):
            yield folder
    finally:
        end()


def run_tool(tool: Tool, text: str, ending: str, seconds: float | None, scratch: str | None = None) -> Reading:
    """What a verifier says of a text. It is ended, with what it has started, when time is up."""
    folder = tempfile.mkdtemp(prefix=SCRATCH, dir=scratch if scratch and os.path.isdir(scratch) else None)
    started: list[subprocess.Popen[bytes]] = []

    def kill() -> None:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)

    file = Path(folder, f"region{ending}")
    words = [str(file) if word == FILE else word for word in tool.command]
    if FILE not in tool.command:
        words.append(str(file))
    try:
        with terminating(kill):
            file.write_text(text, encoding="utf-8")
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, os.getpid()),
            )
            started.append(process)
            output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return Reading(problem="took too long")
    except OSError as error:
        return Reading(problem=f"cannot be run: {error.strerror or error}")
    finally:
        kill()
        for process in started:
            process.wait()
    printed = (output + errors).decode("utf-8", "replace").replace("\r\n", "\n")
    return tool.read(printed, process.returncode)
