"""Counts the instances that merging strategies need when everything is inlined: Fig. 17 of the DAG-inlining paper.

    python bench/merging.py FILE... [--limit 60] [--recursion-bound 1] [--seeds 5] [--data-disjointness] [--out DIR]

No solver takes part: each strategy (Lal and Qadeer, PLDI 2015, §3.4) grows an inlining graph from the entry procedure
until no call is open that the bound allows, or until its CPU time is up. The size of the tree is counted, not built.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import fmean

from measure import CpuLimit, cpu_limit
from tables import NOTHING, text_table, write_header, write_row

from paddock.driver import loading, pipeline
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.graph import Context, InliningGraph, Strategy
from paddock.engines.inlining.merging import MERGES, MergeTask
from paddock.engines.inlining.opt import plan
from paddock.engines.inlining.shapes import Shapes
from paddock.ir.entry import entry_name
from paddock.ir.graph import postorder
from paddock.ir.origin import InputError

TIMEOUT = "T/O"
MOST_DEVIATION = 0.1  # of FIRST from OPT, on average
LONGEST_NUMBER = 10**9  # of those written out


@dataclass(frozen=True, slots=True)
class Sizes:
    """The number of instances for a file, by strategy, in the order of Fig. 17; None where time ran out."""

    file: str
    tree: float | None
    opt: float | None
    first: float | None
    maxc: float | None
    random: float | None
    randompick: float | None

    def of(self, strategy: str) -> float | None:
        size: float | None = getattr(self, strategy)
        return size


NAMES = [f.name for f in fields(Sizes)][1:]
IS_RANDOM = ("random", "randompick")


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the instances that merging strategies need.")
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="a .bpl file")
    add("--limit", type=int, default=60, metavar="S", help="CPU seconds a file and strategy (default: %(default)s)")
    add("--recursion-bound", type=int, default=1, metavar="R", help="default: %(default)s")
    add("--seeds", type=int, default=5, metavar="N", help="runs of what is random, for the mean (default: %(default)s)")
    add("--data-disjointness", action="store_true", help="also share what only conditions keep apart")
    out = Path("build/bench/merging")
    add("--out", type=Path, metavar="DIR", default=out, help="for results (default: %(default)s)")
    options = parser.parse_args()
    if min(options.limit, options.recursion_bound, options.seeds) < 1:
        parser.error("the limit, the bound and the number of seeds must be at least 1")
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with (options.out / "results.tsv").open("w", encoding="utf-8") as file:
        write_header(file, Sizes)
        for path in options.files:
            task = Task(path, options.recursion_bound, options.data_disjointness)
            row = Sizes(path.name, **{name: task.size(name, options.limit, options.seeds) for name in NAMES})
            rows.append(row)
            write_row(file, row)
    print(report(rows))


# --- counting ------------------------------------------------------------------------------------


class Task:
    """A program, and the calls that a recursion bound allows in it."""

    def __init__(self, path: Path, bound: int, data_disjointness: bool) -> None:
        try:
            program = loading.load([loading.read_source(str(path))])
            prepared = pipeline.transform(program, ["merge-implementations", "check-specs", "extract-loops", "prune"])
            self.entry = entry_name(prepared)
        except InputError as error:
            sys.exit(str(error))
        self.name = path.name
        self.bound = bound
        self.shapes = Shapes(prepared, data_disjointness)
        self.bounds = Bounds(prepared, bound, bound)

    def size(self, strategy: str, limit_s: float, seeds: int) -> float | None:
        """How many instances a strategy makes; None if that takes too long."""
        started = time.process_time()
        counts: list[int] = []
        try:
            for seed in range(seeds if strategy in IS_RANDOM else 1):
                with cpu_limit(limit_s):
                    counts.append(self._count(strategy, seed))
            size = fmean(counts) if strategy in IS_RANDOM else counts[0]
        except CpuLimit:
            size = None
        spent = time.process_time() - started
        print(f"{self.name} {strategy}: {_shown(size)}, {spent:.1f} CPU s", file=sys.stderr, flush=True)
        return size

    def _count(self, strategy: str, seed: int) -> int:
        match strategy:
            case "tree":
                return self._tree_size()
            case "opt":
                return len(plan(self.shapes, self.entry, self._allows).nodes)
            case _:
                return len(
                    self.grown(MERGES[strategy].start(MergeTask(self.shapes, self.entry, self.bounds, seed))).nodes
                )

    def _allows(self, callee: str, cost: int) -> bool:
        return self.bounds.allow_call(callee, cost, self.bound)

    def grown(self, strategy: Strategy) -> InliningGraph:
        """The graph in which everything is inlined, the oldest calls first."""
        graph = InliningGraph(self.shapes.recursion_below)
        graph.add_root(self.shapes[self.entry])
        while calls := [e for e in graph.open if self._allows(e.site.callee, e.cost)]:
            for edge in calls:
                shared = strategy(graph, edge)
                if shared is not None:
                    graph.merge(edge, shared)
                else:
                    graph.add_node(edge, self.shapes[edge.site.callee])
        return graph

    def _tree_size(self) -> int:
        """The number of nodes without any sharing: a procedure in one context of recursion has the same tree below it
        wherever it is called, so each such tree is counted once."""
        graph = InliningGraph(self.shapes.recursion_below)
        root = (self.entry, graph.entered((), self.entry))
        callees: dict[tuple[str, Context], list[tuple[str, Context]]] = {}
        stack = [root]
        while stack:
            group = stack.pop()
            if group in callees:
                continue
            procedure, context = group
            inner = [(site.callee, graph.entered(context, site.callee)) for site in self.shapes[procedure].sites]
            callees[group] = [(name, c) for name, c in inner if self._allows(name, dict(c).get(name, 1))]
            stack.extend(callees[group])
        below: dict[tuple[str, Context], int] = {}
        for group in postorder(callees, [root]):
            below[group] = 1 + sum(below[callee] for callee in callees[group])
        return below[root]


# --- showing -------------------------------------------------------------------------------------


def report(rows: Sequence[Sizes]) -> str:
    """Fig. 17 of the paper, and what is asked of FIRST."""
    deviations = {name: _deviation(rows, name) for name in NAMES}
    lines: list[list[str]] = [[row.file, *(_shown(row.of(name)) for name in NAMES)] for row in rows]
    last = [NOTHING if (d := deviations[n]) is None or n in ("tree", "opt") else f"{d:+.1%}" for n in NAMES]
    table = text_table(["file", *map(str.upper, NAMES)], [*lines, ["mean deviation from OPT", *last]])
    first = deviations["first"]
    if first is None:
        return f"{table}\nFIRST: nothing to compare with, since OPT did not end"
    met = "met" if first <= MOST_DEVIATION else "NOT MET"
    return f"{table}\nFIRST: {first:.1%} above OPT on average (at most {MOST_DEVIATION:.0%}: {met})"


def _shown(size: float | None) -> str:
    if size is None:
        return TIMEOUT
    return f"{size:.1e}" if size > LONGEST_NUMBER else f"{size:.0f}"


def _deviation(rows: Sequence[Sizes], strategy: str) -> float | None:
    """By how much a strategy's graphs are larger than OPT's, on average over the files where both ended."""
    ratios = [size / row.opt for row in rows if row.opt and (size := row.of(strategy)) is not None]
    return fmean(ratios) - 1 if ratios else None


if __name__ == "__main__":
    main()
