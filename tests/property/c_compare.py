"""What Paddock says of a random C program, compared with what gcc's program does."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass

from paddock import pipeline
from paddock.boogie.source import Source
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.result import Verdict
from tests.property.c_memory_programs import MemoryProgram

AGREES, DISAGREES, UNDECIDED, REFUSED, CRASHED, INVALID = "agrees disagrees undecided refused crashed invalid".split()
KINDS = (AGREES, DISAGREES, UNDECIDED, REFUSED, CRASHED, INVALID)
FAILURES = (DISAGREES, CRASHED, INVALID)


@dataclass(frozen=True)
class Comparison:
    """How an answer compares with the truth, and how many seconds it took."""

    kind: str
    detail: str = ""
    cpu_s: float = 0.0


def compared(program: MemoryProgram, checksum: int, timeout: float = 5) -> Comparison:
    """Ask Paddock whether the checksum is that number, and whether it is not."""
    started = time.process_time()
    kind, detail = _answer(program, checksum, timeout)
    return Comparison(kind, detail, time.process_time() - started)


def _answer(program: MemoryProgram, checksum: int, timeout: float) -> tuple[str, str]:
    text, line = program.asking(checksum)
    options = Options(all_assertions=True, timeout=timeout)
    try:
        loaded = pipeline.load([Source(text, "program.c")], (), options)
        result = pipeline.check(loaded, options)
    except InputError as error:
        return REFUSED, str(error)
    except Exception:
        return CRASHED, traceback.format_exc(limit=-3)
    verdicts = {a.line: a.verdict for a in result.assertions}
    is_, is_not = (verdicts.get(line + n, Verdict.PROVED) for n in range(2))
    if is_ == Verdict.BUG or is_not == Verdict.PROVED:
        return DISAGREES, f"the checksum is {checksum}: {is_}; it is another: {is_not}"
    if (is_, is_not) == (Verdict.PROVED, Verdict.BUG):
        return AGREES, ""
    return UNDECIDED, f"{is_}, {is_not}: {result.reason}"
