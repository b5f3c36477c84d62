"""Compare what Paddock says of random C programs about memory with what gcc's programs do.

    python -m tests.property.c_fuzz --count 20000 --seed 1 --jobs 2 --keep disagreements

Of each program of `--kind memory`, Paddock must prove that the checksum is the one that gcc's program computes, and
find a bug in the assertion that it is another one. Those of `--kind inputs` have inputs: the assertions that fail for
some of them must be the bugs. Those of `--kind undefined` end in something undefined, which must be a bug, and nothing
before it. What Paddock gets wrong is made as small as possible and kept in a folder.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from tests.property.c_compare import AGREES, FAILURES, KINDS, AnyProgram, Comparison, compared, truths
from tests.property.c_reduce import MAKERS, explained, reduced_disagreement

BATCH = 50
TASKS_A_POOL = 20
SIZES = {"memory": 3, "inputs": 2, "undefined": 1}


@dataclass(frozen=True)
class Batch:
    """What became of the programs of some seeds, and the CPU seconds that it took, those of gcc apart."""

    found: tuple[tuple[int, Comparison], ...]
    own_s: float
    gcc_s: float


def _cpu_s(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def compared_batch(seeds: range, kind: str, size: int, sanitize: bool, timeout: float = 10) -> Batch:
    """The comparisons for the programs of some seeds."""
    own, children = _cpu_s(resource.RUSAGE_SELF), _cpu_s(resource.RUSAGE_CHILDREN)
    programs = [MAKERS[kind](seed, size) for seed in seeds]
    known = zip(seeds, programs, truths(programs, sanitize), strict=True)
    found = [(seed, compared(program, truth, timeout)) for seed, program, truth in known]
    own, children = _cpu_s(resource.RUSAGE_SELF) - own, _cpu_s(resource.RUSAGE_CHILDREN) - children
    return Batch(tuple(found), own, children)


def batches(first: int, count: int, length: int = BATCH) -> Iterator[range]:
    for start in range(first, first + count, length):
        yield range(start, min(start + length, first + count))


def run_all(work: Callable[[range], Batch], tasks: Iterable[range], jobs: int) -> Iterator[Batch]:
    """The batches, in their order, so many at a time. A process does only some of them, for the sake of memory."""
    if jobs == 1:
        yield from map(work, tasks)
        return
    waiting = iter(tasks)
    while now := list(islice(waiting, TASKS_A_POOL * jobs)):
        with ProcessPoolExecutor(jobs) as pool:
            yield from pool.map(work, now)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="how many programs (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first one; the next ones follow (default: 1)")
    parser.add_argument("--kind", choices=MAKERS, default="memory", help="of programs (default: memory)")
    parser.add_argument("--size", type=int, help="statements, about (default: 3, of inputs 2, before undefined ones 1)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=10, help="seconds for a program (default: 10)")
    parser.add_argument("--no-sanitize", action="store_true", help="do not check with gcc's sanitizers")
    parser.add_argument("--keep", type=Path, help="a folder for disagreements, made as small as possible")
    parser.add_argument("--until", type=int, help="end after so many disagreements")
    return parser


def main() -> int:
    given = arguments().parse_args()
    size = given.size or SIZES[given.kind]
    work = partial(compared_batch, kind=given.kind, size=size, sanitize=not given.no_sanitize, timeout=given.timeout)
    counts: Counter[str] = Counter()
    own_s = gcc_s = 0.0
    for batch in run_all(work, batches(given.seed, given.count), given.jobs):
        own_s, gcc_s = own_s + batch.own_s, gcc_s + batch.gcc_s
        for seed, comparison in batch.found:
            counts[comparison.kind] += 1
            if comparison.kind != AGREES:
                print(f"seed {seed}: {comparison.kind}: {comparison.detail}", flush=True)
            if comparison.kind in FAILURES and given.keep:
                keep(MAKERS[given.kind](seed, size), seed, given.keep)
        if given.until and sum(counts[kind] for kind in FAILURES) >= given.until:
            break
    shown = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS)
    print(f"{counts.total()} programs: {shown}; {own_s:.0f} CPU s of Paddock, {gcc_s:.0f} CPU s of gcc")
    return 1 if any(counts[kind] for kind in FAILURES) else 0


def keep(program: AnyProgram, seed: int, folder: Path) -> None:
    """Write a program to a folder, as small as it gets."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{seed}.c").write_text(explained(reduced_disagreement(program)))


if __name__ == "__main__":
    sys.exit(main())
