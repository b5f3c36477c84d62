"""Compares the refinement algorithms on spurious paths: Fig. 9 of the Corral paper (Lal, Qadeer and Lahiri, CAV 2012).

    python bench/refinement.py [FILE...] [--goal return] [--recursion-bound R] [--repeat N] [--out DIR]

The paths are those that checks with `--refine alg2` meet on the files or, without any, on programs that are generated:
drivers of 50 to 500 globals in which a few decide whether a lock is taken and released in turns. Each algorithm then
refines on each path: how often it calls `check`, and CPU seconds (the least of some repetitions).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import plots
from tables import text_table, write_header, write_row

import paddock
from paddock.driver import loading, pipeline
from paddock.engines.assertions import Findings
from paddock.engines.inlining.search import Question
from paddock.engines.outcome import Budget
from paddock.engines.refinement.loop import refined_search
from paddock.engines.refinement.spurious import REFINEMENTS, Refined, SpuriousPath
from paddock.ir.origin import InputError
from paddock.ir.program import Program
from paddock.options import Options
from paddock.options.groups import GOALS
from paddock.solvers.factory import open_solver
from paddock.solvers.interface import Solver

NAMES = tuple(REFINEMENTS)
SIZES = (50, 100, 210, 300, 500)
SEEDS = 4

# What is asked of Algorithm 2, where few variables suffice among many.
FEW, MANY = 2, 200
LEAST_RATIO = 10.0  # of the calls of STORM


@dataclass(frozen=True, slots=True)
class Row:
    """What the algorithms need on one path: a line of the results. `undecided` globals matter to the path and are not
    tracked yet; `needed` are those that Algorithm 2 finds."""

    program: str
    path: int
    undecided: int
    needed: int
    storm_calls: int
    alg1_calls: int
    alg2_calls: int
    core_calls: int
    storm_s: float
    alg1_s: float
    alg2_s: float
    core_s: float

    def calls(self, name: str) -> int:
        calls: int = getattr(self, f"{name}_calls")
        return calls

    def seconds(self, name: str) -> float:
        seconds: float = getattr(self, f"{name}_s")
        return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the refinement algorithms on spurious paths.")
    add = parser.add_argument
    add("files", nargs="*", type=Path, metavar="FILE", help="a .bpl file (default: programs that are generated)")
    add("--goal", choices=GOALS, help="the question about the files")
    add("--recursion-bound", type=int, default=2, metavar="R", help="default: %(default)s")
    add("--timeout", type=float, default=60, metavar="S", help="seconds for the check of a file (default: %(default)s)")
    add("--sizes", default=",".join(map(str, SIZES)), help="globals of what is generated (default: %(default)s)")
    add("--seeds", type=int, default=SEEDS, metavar="N", help="programs of each size (default: %(default)s)")
    add("--repeat", type=int, default=3, metavar="N", help="runs of each algorithm (default: %(default)s)")
    out = Path("build/bench/refinement")
    add("--out", type=Path, metavar="DIR", default=out, help="for results (default: %(default)s)")
    options = parser.parse_args()
    if min(options.recursion_bound, options.repeat, options.seeds) < 1 or options.timeout <= 0:
        parser.error("the bound, the time and the numbers of runs and programs must be above 0")
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with (options.out / "results.tsv").open("w", encoding="utf-8") as file:
        write_header(file, Row)
        for row in _measured(options):
            rows.append(row)
            write_row(file, row)
    print(report(rows))
    _draw(rows, options.out)


# --- programs --------------------------------------------------------------------------------------


def driver(globals_: int, seed: int) -> str:
    """A driver: routines that pass on the values of globals to each other, and a lock that is taken and released in
    some of them, each time on the same condition: a flag, or two, that the driver sets up before."""
    chance = random.Random(seed)
    names = [f"g{n}" for n in range(globals_)]
    flags = chance.sample(names, 6)
    data = [name for name in names if name not in flags]
    sources = dict(zip(data, chance.sample(data, len(data)), strict=True))
    routines = []
    for k in range(0, len(data), 10):
        moves = "".join(f"  {name} := {sources[name]} + {chance.randint(0, 9)};\n" for name in data[k : k + 10])
        routines.append(f"procedure Update{k // 10}()\n  modifies {', '.join(names)};\n{{\n{moves}}}\n")
    updates = "".join(f"  call Update{k}();\n" for k in range(len(routines)))
    uses = []
    for k in range(0, len(flags), 2):
        first, second = flags[k : k + 2]
        condition = f"{first} > 0" if chance.random() < 0.5 else f"{first} > {second}"
        uses.append(f"  if ({condition}) {{ call Acquire(); }}\n{updates}  if ({condition}) {{ call Release(); }}\n")
    start = "".join(f"  {flag} := {chance.randint(0, 1)} + {chance.choice(data)};\n" for flag in flags)
    return (
        f"var lock: int;\n{''.join(f'var {name}: int;{chr(10)}' for name in names)}"
        "procedure Acquire()\n  modifies lock;\n{\n  assert lock == 0;\n  lock := 1;\n}\n"
        "procedure Release()\n  modifies lock;\n{\n  assert lock == 1;\n  lock := 0;\n}\n"
        f"{''.join(routines)}"
        f"procedure main()\n  modifies lock, {', '.join(names)};\n{{\n  lock := 0;\n{start}{''.join(uses)}}}\n"
    )


def _programs(options: argparse.Namespace) -> Iterator[tuple[str, Program]]:
    try:
        for path in options.files:
            yield path.name, loading.load([loading.read_source(str(path))])
    except InputError as error:
        sys.exit(str(error))
    if not options.files:
        for size in map(int, options.sizes.split(",")):
            for seed in range(options.seeds):
                yield f"driver-{size}-{seed}", paddock.load(driver(size, seed))


# --- measuring -------------------------------------------------------------------------------------


def _measured(options: argparse.Namespace) -> Iterator[Row]:
    for name, program in _programs(options):
        with open_solver() as solver:
            for n, path in enumerate(spurious_paths(program, options, solver)):
                row = _row(name, n, path, options.repeat)
                print(f"{name} path {n}: {row.needed} of {row.undecided}", file=sys.stderr, flush=True)
                yield row


def spurious_paths(program: Program, options: argparse.Namespace, solver: Solver) -> list[SpuriousPath]:
    """The spurious paths that the check of a program meets, as Algorithm 2 refines."""
    found: list[SpuriousPath] = []

    def refine(spurious: SpuriousPath) -> Refined:
        found.append(replace(spurious, budget=Budget()))
        return REFINEMENTS["alg2"](spurious)

    ready = pipeline.made_ready(program, Options.of(goal=options.goal))
    bound = options.recursion_bound
    question = Question(goal=ready.question.goal, recursion_bound=bound, loop_bound=bound)
    budget = Budget(options.timeout)
    refined_search(ready.original, ready.prepared, question, solver, budget, Findings(), refine, tracked=())
    return found


def _row(program: str, n: int, path: SpuriousPath, repeat: int) -> Row:
    results = {name: _timed(name, path, repeat) for name in NAMES}
    calls = {f"{name}_calls": refined.checks for name, (refined, _) in results.items()}
    seconds = {f"{name}_s": spent for name, (_, spent) in results.items()}
    needed = len(results["alg2"][0].tracked) - len(path.tracked)
    return Row(program, n, len(path.undecided), needed, **calls, **seconds)


def _timed(name: str, path: SpuriousPath, repeat: int) -> tuple[Refined, float]:
    """What an algorithm finds, and the CPU seconds of its fastest run."""
    best = None
    for _ in range(repeat):
        started = time.process_time()
        refined = REFINEMENTS[name](path)
        spent = time.process_time() - started
        best = spent if best is None else min(best, spent)
    assert best is not None
    return refined, best


# --- reporting -------------------------------------------------------------------------------------


def report(rows: Sequence[Row]) -> str:
    """Calls and times for each path, their sums, and what is asked of Algorithm 2."""
    header = ["program", "path", "undecided", "needed", *(f"{n} calls" for n in NAMES), *(f"{n} s" for n in NAMES)]
    table = [
        [r.program, r.path, r.undecided, r.needed, *map(r.calls, NAMES), *(f"{r.seconds(n):.3f}" for n in NAMES)]
        for r in rows
    ]
    sums = [sum(r.calls(n) for r in rows) for n in NAMES], [f"{sum(r.seconds(n) for r in rows):.2f}" for n in NAMES]
    total = ["sum", len(rows), "", sum(r.needed for r in rows), *sums[0], *sums[1]]
    return "\n".join([text_table(header, [*table, total]), *_ratios(rows)])


def _ratios(rows: Sequence[Row]) -> Iterator[str]:
    for name in NAMES:
        if name != "alg2" and rows:
            ratio = sum(r.seconds(name) for r in rows) / sum(r.seconds("alg2") for r in rows)
            yield f"{name}: {ratio:.1f} times the CPU seconds of alg2"
    asked = [r for r in rows if r.needed <= FEW and r.undecided >= MANY]
    where = f"where at most {FEW} of at least {MANY} suffice"
    if not asked:
        yield f"alg2: no path {where}"
        return
    storm, alg2 = (sum(r.calls(name) for r in asked) for name in ("storm", "alg2"))
    verdict = "met" if storm / alg2 >= LEAST_RATIO else "NOT MET"
    yield (
        f"alg2: {where} ({len(asked)} paths), {storm} calls of storm / {alg2} = {storm / alg2:.1f} "
        f"(at least {LEAST_RATIO:g}: {verdict})"
    )


def _draw(rows: Sequence[Row], out: Path) -> None:
    if not plots.are_possible():
        print(plots.HOW_TO_INSTALL.partition(",")[0], file=sys.stderr)
        return
    for name in ("storm", "alg1", "core"):
        points = [(r.seconds(name), r.seconds("alg2")) for r in rows]
        slowest = max((s for point in points for s in point), default=1.0)
        plots.scatter({"paths": points}, name, "alg2", (slowest, slowest), out / f"scatter-{name}")


if __name__ == "__main__":
    main()
