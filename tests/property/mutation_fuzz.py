"""Check mutated programs: whatever comes in, a verdict or a message comes out, never a traceback.

    python -m tests.property.mutation_fuzz --language c --count 20000 --seed 1 --jobs 2
    python -m tests.property.mutation_fuzz --language c --seed 17 --show     # the program of a seed

Each program is loaded and, if that succeeds, checked under tiny limits, with one of several sets of options.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial

from paddock.driver import loading, pipeline
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.options import Options
from tests.property.mutations import mutated, programs

SMALL = Options.of(recursion_bound=2, timeout=1.0, memory=2000)
ALL_CHECKS = ("all",)
VARIANTS = {
    "c": [
        SMALL,
        SMALL.changed(checks=ALL_CHECKS, all_assertions=True),
        SMALL.changed(unsupported="havoc", checks=ALL_CHECKS),
        SMALL.changed(integers="math"),
        SMALL.changed(data_model="ilp32", unwinding_assertions=True),
    ],
    "boogie": [
        SMALL,
        SMALL.changed(all_assertions=True),
        SMALL.changed(engine="stratified", deep_asserts=False),
        SMALL.changed(engine="alternating"),
        SMALL.changed(houdini=True),
    ],
}
HANG_S = 60  # CPU seconds that are far more than the time limit
BATCH = 100
TASKS_A_POOL = 5


@cache
def _texts(language: str) -> list[str]:
    return programs(language)


def program_of(seed: int, language: str) -> tuple[str, Options]:
    chance = random.Random(seed)
    return mutated(_texts(language), language, chance), chance.choice(VARIANTS[language])


def tried(text: str, language: str, options: Options) -> tuple[str, str]:
    """What comes of a program: the kind of the answer, and the traceback if there is one."""
    source = Source(text, "mutated.c" if language == "c" else "mutated.bpl")
    try:
        program = loading.load([source], (), options)
        return str(pipeline.check(program, options).verdict), ""
    except InputError as error:
        return ("refused", "") if all(d.message for d in error.diagnostics) else ("no message", repr(error))
    except Exception:
        return "traceback", traceback.format_exc(limit=-4)


def tried_seeds(seeds: range, language: str) -> list[tuple[int, str, str]]:
    """What comes of the programs of some seeds."""
    found = []
    for seed in seeds:
        text, options = program_of(seed, language)
        started = time.process_time()
        kind, detail = tried(text, language, options)
        if time.process_time() - started > HANG_S:
            kind, detail = "hang", f"{time.process_time() - started:.0f} CPU s"
        found.append((seed, kind, detail))
    return found


def all_tried(tasks: Sequence[range], language: str, jobs: int) -> Iterator[list[tuple[int, str, str]]]:
    """The answers; a process that dies is started again, and its programs are tried one by one."""
    work = partial(tried_seeds, language=language)
    while tasks:
        # Processes do only some of the work, for the sake of memory. (A pool's own limit can make it wait for ever.)
        now, later = tasks[: TASKS_A_POOL * jobs], tasks[TASKS_A_POOL * jobs :]
        with ProcessPoolExecutor(jobs) as pool:
            futures = [pool.submit(work, task) for task in now]
            left: list[range] = []
            for task, future in zip(now, futures, strict=True):
                try:
                    yield future.result()
                except BrokenProcessPool:
                    if len(task) == 1 and not left:
                        yield [(task[0], "died", "the process ended")]
                    else:
                        left.append(task)
        again = [range(n, n + 1) for n in left[0]] + left[1:] if left and len(left[0]) > 1 else left
        tasks = [*again, *later]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=sorted(VARIANTS), default="c")
    parser.add_argument("--count", type=int, default=1000, help="how many programs (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first one; the next ones follow (default: 1)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the program of the seed, and what comes of it")
    given = parser.parse_args()
    if given.show:
        text, options = program_of(given.seed, given.language)
        print(text)
        print(*tried(text, given.language, options), options, sep="\n", file=sys.stderr)
        return 0
    last = given.seed + given.count
    tasks = [range(n, min(n + BATCH, last)) for n in range(given.seed, last, BATCH)]
    counts: Counter[str] = Counter()
    bad = Counter[str]()
    for found in all_tried(tasks, given.language, given.jobs):
        for seed, kind, detail in found:
            counts[kind] += 1
            if detail:
                print(f"seed {seed}: {kind}: {detail}", flush=True)
                bad[kind] += 1
    shown = ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items()))
    print(f"{counts.total()} mutated programs in {given.language}: {shown}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
