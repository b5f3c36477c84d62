"""Compare what Paddock says of random C programs about memory with what gcc's programs do.

    python -m tests.property.c_fuzz --count 20000 --seed 1 --jobs 2 --keep disagreements

For each program, Paddock must prove that the checksum is the one that gcc's program computes, and find a bug in the
assertion that it is another one. What it gets wrong is made as small as possible and kept in a folder.
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
from pathlib import Path

from tests.property.c_compare import AGREES, FAILURES, INVALID, KINDS, Comparison, compared
from tests.property.c_memory_programs import memory_program
from tests.property.c_native import Invalid, checksums
from tests.property.c_reduce import explained, reduced_disagreement

BATCH = 50


@dataclass(frozen=True)
class Batch:
    """What became of the programs of some seeds, and the CPU seconds that it took, those of gcc apart."""

    found: tuple[tuple[int, Comparison], ...]
    own_s: float
    gcc_s: float


def _cpu_s(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def compared_batch(seeds: range, size: int, sanitize: bool, timeout: float = 10) -> Batch:
    """The comparisons for the programs of some seeds."""
    own, children = _cpu_s(resource.RUSAGE_SELF), _cpu_s(resource.RUSAGE_CHILDREN)
    programs = [memory_program(seed, size) for seed in seeds]
    found = []
    for seed, program, checksum in zip(seeds, programs, checksums(programs, sanitize), strict=True):
        if isinstance(checksum, Invalid):
            found.append((seed, Comparison(INVALID, str(checksum))))
        else:
            found.append((seed, compared(program, checksum, timeout)))
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
    with ProcessPoolExecutor(jobs, max_tasks_per_child=20) as pool:
        yield from pool.map(work, tasks)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="how many programs (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first one; the next ones follow (default: 1)")
    parser.add_argument("--size", type=int, default=3, help="statements, about (default: 3)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=10, help="seconds for a program (default: 10)")
    parser.add_argument("--no-sanitize", action="store_true", help="do not check with gcc's sanitizers")
    parser.add_argument("--keep", type=Path, help="a folder for disagreements, made as small as possible")
    parser.add_argument("--until", type=int, help="end after so many disagreements")
    return parser


def main() -> int:
    given = arguments().parse_args()
    work = partial(compared_batch, size=given.size, sanitize=not given.no_sanitize, timeout=given.timeout)
    counts: Counter[str] = Counter()
    own_s = gcc_s = 0.0
    for batch in run_all(work, batches(given.seed, given.count), given.jobs):
        own_s, gcc_s = own_s + batch.own_s, gcc_s + batch.gcc_s
        for seed, comparison in batch.found:
            counts[comparison.kind] += 1
            if comparison.kind != AGREES:
                print(f"seed {seed}: {comparison.kind}: {comparison.detail}", flush=True)
            if comparison.kind in FAILURES and given.keep:
                keep(seed, given.size, given.keep)
        if given.until and sum(counts[kind] for kind in FAILURES) >= given.until:
            break
    shown = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS)
    print(f"{counts.total()} programs: {shown}; {own_s:.0f} CPU s of Paddock, {gcc_s:.0f} CPU s of gcc")
    return 1 if any(counts[kind] for kind in FAILURES) else 0


def keep(seed: int, size: int, folder: Path) -> None:
    """Write the program of a seed to a folder, as small as it gets."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{seed}.c").write_text(explained(reduced_disagreement(memory_program(seed, size))))


if __name__ == "__main__":
    sys.exit(main())
