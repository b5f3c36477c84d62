"""How many random C programs it takes until each of the faults that the front end once had is found.

    python -m tests.property.c_faults --most 2000

puts the faults of `c_fault_list.py` back, one at a time, and compares what Paddock says then with what gcc's programs
do, until it is wrong. Only what is right without the fault counts.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from paddock.ir.origin import InputError
from paddock.ir.program import Program
from tests.property.c_compare import AGREES, UNDECIDED, AnyProgram, Comparison, Truth, compared, loaded, text_of, truths
from tests.property.c_fault_list import BY_NAME, FAULTS, Fault
from tests.property.c_fuzz import SIZES, batches
from tests.property.c_native import Invalid
from tests.property.c_reduce import MAKERS

BATCH = 50
TIMEOUT = 15  # seconds for a program


@dataclass(frozen=True)
class Discovery:
    """The program that shows a fault, and how many there were up to it."""

    fault: Fault
    seed: int
    programs: int
    comparison: Comparison


@dataclass(frozen=True)
class Known:
    """A program of a seed, what it does, and what the front end makes of it."""

    seed: int
    program: AnyProgram
    truth: Truth

    @cached_property
    def text(self) -> str:
        return text_of(self.program, self.truth)

    @cached_property
    def lowered(self) -> Program:
        return loaded(self.program, self.text)[0]

    def is_judged_well(self, engine: str) -> bool:
        return compared(self.program, self.truth, TIMEOUT, engine).kind == AGREES


def shown_by(fault: Fault, known: Known) -> Comparison | None:
    """What is said of a program because of a fault, if that is not what is said without it."""
    if isinstance(known.truth, Invalid) or not fault.concerns(known.text):
        return None
    try:
        without = known.lowered  # before the fault is there
    except InputError:  # that is for the fuzzer to say
        return None
    with fault.injected():
        if fault.in_front_end and _is_lowered_to(known, without):
            return None
        found = compared(known.program, known.truth, TIMEOUT, fault.engine)
    is_shown = found.kind not in (AGREES, UNDECIDED)
    return found if is_shown and known.is_judged_well(fault.engine) else None


def _is_lowered_to(known: Known, without: Program) -> bool:
    """Whether the front end makes the same of a program as without the fault: then all else is the same."""
    try:
        return loaded(known.program, known.text)[0] == without
    except Exception:  # whatever it is, the comparison says so
        return False


def discoveries(faults: Sequence[Fault], most: int, seed: int = 1) -> Iterator[Discovery]:
    """The first program that shows each of the faults, if there is one among so many of its kind."""
    for kind in dict.fromkeys(fault.kind for fault in faults):
        waiting = [fault for fault in faults if fault.kind == kind]
        for seeds in batches(seed, most, BATCH):
            if not waiting:
                break
            programs = [MAKERS[kind](n, SIZES[kind]) for n in seeds]
            known = [Known(*one) for one in zip(seeds, programs, truths(programs), strict=True)]
            for fault in list(waiting):
                for one in known:
                    if (found := shown_by(fault, one)) is not None:
                        yield Discovery(fault, one.seed, one.seed - seed + 1, found)
                        waiting.remove(fault)
                        break


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="which ones (default: all)")
    parser.add_argument("--most", type=int, default=2000, help="programs for a fault (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first program (default: 1)")
    given = parser.parse_args()
    faults = [BY_NAME[name] for name in given.faults] or FAULTS
    started = time.process_time()
    found: dict[str, Discovery] = {}
    for one in discoveries(faults, given.most, given.seed):
        found[one.fault.name] = one
        print(f"{one.fault.name}: {one.programs}: {one.comparison.kind}: {one.comparison.detail}", file=sys.stderr)
    print("| fault | what it is | kind of programs | programs until it is found |\n| --- | --- | --- | --- |")
    for fault in faults:
        programs = str(found[fault.name].programs) if fault.name in found else f"not in {given.most}"
        print(f"| `{fault.name}` | {fault.summary} | {fault.kind} | {programs} |")
    print(f"\n{time.process_time() - started:.0f} CPU s", file=sys.stderr)
    return 0 if len(found) == len(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
