"""What Paddock says of random C programs, compared with what gcc's programs do."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass

from paddock.driver import loading, pipeline
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.ir.program import Program
from paddock.options import Options
from paddock.report.result import Verdict
from tests.property.c_input_programs import InputProgram, failing
from tests.property.c_memory_programs import MemoryProgram
from tests.property.c_native import Invalid, checksums
from tests.property.c_undefined_programs import CHECKS, UndefinedProgram

KINDS = "agrees disagrees bounded undecided refused crashed invalid".split()
AGREES, DISAGREES, BOUNDED, UNDECIDED, REFUSED, CRASHED, INVALID = KINDS
FAILURES = (DISAGREES, BOUNDED, CRASHED, INVALID)  # all loops end soon, and how often they run is known
AnyProgram = MemoryProgram | InputProgram | UndefinedProgram
Truth = int | set[int] | Invalid  # a checksum, or the checks that fail


@dataclass(frozen=True)
class Comparison:
    """How an answer compares with the truth, and how many seconds it took."""

    kind: str
    detail: str = ""
    cpu_s: float = 0.0


def truths(programs: list[AnyProgram], sanitize: bool = True) -> list[Truth]:
    """What programs of one kind do when they are compiled and run."""
    match programs[0]:
        case MemoryProgram():
            return list(checksums([p for p in programs if isinstance(p, MemoryProgram)], sanitize))
        case InputProgram():
            return list(failing([p for p in programs if isinstance(p, InputProgram)]))
        case _:  # what comes before the undefined statement is like any other program
            return list(checksums([p.before for p in programs if isinstance(p, UndefinedProgram)], sanitize))


def compared(program: AnyProgram, truth: Truth, timeout: float = 10, engine: str = "") -> Comparison:
    """Ask Paddock, with its default engine or another one, and compare what it says with the truth."""
    if isinstance(truth, Invalid):
        return Comparison(INVALID, str(truth))
    started = time.process_time()
    try:
        kind, detail = _answer(program, truth, timeout, engine)
    except InputError as error:
        kind, detail = REFUSED, str(error)
    except Exception:
        kind, detail = CRASHED, traceback.format_exc(limit=-3)
    return Comparison(kind, detail, time.process_time() - started)


def text_of(program: AnyProgram, truth: Truth) -> str:
    """The program as it is given to Paddock."""
    if isinstance(program, MemoryProgram):
        return program.asking(truth if isinstance(truth, int) else 0)[0]
    return program.asking()[0]


def asked(program: AnyProgram, truth: int | set[int]) -> tuple[str, dict[int, list[Verdict]]]:
    """The program as it is given to Paddock, and what is to be said of the assertions in its lines."""
    match program:
        case MemoryProgram():
            assert isinstance(truth, int)
            text, line = program.asking(truth)
            return text, {line: [Verdict.PROVED], line + 1: [Verdict.BUG]}
        case InputProgram():
            assert isinstance(truth, set)
            text, checks = program.asking()
            verdicts = {True: Verdict.BUG, False: Verdict.PROVED}
            return text, {line: [verdicts[n in truth] for n in numbers] for line, numbers in checks.items()}
        case _:
            text, line = program.asking()
            return text, {line: [Verdict.BUG]}


def loaded(program: AnyProgram, text: str, timeout: float = 10, engine: str = "") -> tuple[Program, Options]:
    """What the front end makes of a program, and the options for asking about it."""
    checks = CHECKS if program.checks_all else ("assert",)
    options = Options.of(all_assertions=True, timeout=timeout, checks=checks, **({"engine": engine} if engine else {}))
    return loading.load([Source(text, "program.c")], (), options), options


def _answer(program: AnyProgram, truth: int | set[int], timeout: float, engine: str) -> tuple[str, str]:
    text, expected = asked(program, truth)
    result = pipeline.check(*loaded(program, text, timeout, engine))
    given: dict[int, list[Verdict]] = {}
    for assertion in result.assertions:
        given.setdefault(assertion.line, []).append(assertion.verdict)
    wrong: list[str] = []
    open_: dict[int, Verdict] = {}
    for line in sorted(given.keys() | expected.keys()):
        wanted = expected.get(line, [Verdict.PROVED])
        said = given.get(line, [Verdict.PROVED])
        if len(wanted) == 1:  # and what is checked besides
            said = [min(said, key=_WORST.index)]
        undecided = [verdict for verdict in said if verdict in (Verdict.UNKNOWN, Verdict.BOUNDED)]
        if undecided:
            open_[line] = undecided[0]
        elif len(said) < len(wanted):  # what is known not to fail, or not to be reached, when it is read is not there
            if sorted([*said, *[Verdict.PROVED] * (len(wanted) - len(said))]) != sorted(wanted):
                wrong.append(f"line {line}: {', '.join(said)}, not {', '.join(wanted)}")
        elif said != wanted:
            wrong.append(f"line {line}: {', '.join(said)}, not {', '.join(wanted)}")
    if wrong:
        return DISAGREES, "; ".join(wrong)
    for kind, verdict in ((UNDECIDED, Verdict.UNKNOWN), (BOUNDED, Verdict.BOUNDED)):
        if verdict in open_.values():
            return kind, f"lines {list(open_)}: {result.reason}"
    return AGREES, ""


_WORST = [Verdict.BUG, Verdict.UNKNOWN, Verdict.BOUNDED, Verdict.PROVED]
