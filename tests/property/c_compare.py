"""What Paddock says of random C programs, compared with what gcc's programs do."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass

from paddock import pipeline
from paddock.boogie.source import Source
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.result import Verdict
from tests.property.c_input_programs import InputProgram, failing
from tests.property.c_memory_programs import MemoryProgram
from tests.property.c_native import Invalid, checksums
from tests.property.c_undefined_programs import CHECKS, UndefinedProgram

AGREES, DISAGREES, UNDECIDED, REFUSED, CRASHED, INVALID = "agrees disagrees undecided refused crashed invalid".split()
KINDS = (AGREES, DISAGREES, UNDECIDED, REFUSED, CRASHED, INVALID)
FAILURES = (DISAGREES, CRASHED, INVALID)
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


def compared(program: AnyProgram, truth: Truth, timeout: float = 10) -> Comparison:
    """Ask Paddock, and compare what it says with the truth."""
    if isinstance(truth, Invalid):
        return Comparison(INVALID, str(truth))
    started = time.process_time()
    try:
        kind, detail = _answer(program, truth, timeout)
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


def _answer(program: AnyProgram, truth: int | set[int], timeout: float) -> tuple[str, str]:
    match program:
        case MemoryProgram():
            assert isinstance(truth, int)
            text, line = program.asking(truth)
            expected = {line: Verdict.PROVED, line + 1: Verdict.BUG}
        case InputProgram():
            assert isinstance(truth, set)
            text, checks = program.asking()
            expected = {line: Verdict.BUG if n in truth else Verdict.PROVED for line, n in checks.items()}
        case _:
            text, line = program.asking()
            expected = {line: Verdict.BUG}
    options = Options(all_assertions=True, timeout=timeout, checks=CHECKS if program.checks_all else ("assert",))
    result = pipeline.check(pipeline.load([Source(text, "program.c")], (), options), options)
    given = dict.fromkeys(expected, Verdict.PROVED)
    for assertion in result.assertions:
        given[assertion.line] = min(given.get(assertion.line, Verdict.PROVED), assertion.verdict, key=_WORST.index)
    wrong = [
        f"line {line}: {said}, not {expected.get(line, Verdict.PROVED)}"
        for line, said in sorted(given.items())
        if said in (Verdict.BUG, Verdict.PROVED) and said != expected.get(line, Verdict.PROVED)
    ]
    if wrong:
        return DISAGREES, "; ".join(wrong)
    undecided = [line for line, said in given.items() if said not in (Verdict.BUG, Verdict.PROVED)]
    return (UNDECIDED, f"lines {undecided}: {result.reason}") if undecided else (AGREES, "")


_WORST = [Verdict.BUG, Verdict.UNKNOWN, Verdict.BOUNDED, Verdict.PROVED]
