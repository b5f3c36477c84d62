"""How deep the assertions of programs are: Figs. 6 and 7 of the deep-asserts paper (Lai, Lal and Qadeer, FMCAD 2014).

    python bench/depths.py [FOLDER ...] [--seeds 1] [--largest 200] [--limit 30] [--out DIR]

The programs are the drivers that `drivers.py` writes, and those of folders with a `verdicts.tsv`. Of each, printed are
its lines, its procedures and assertions, and the shortest and the longest path of calls from the entry to a procedure
that asserts something (Fig. 6). Those that have a bug are checked, and how many calls are running where an assertion
fails is counted (Fig. 7).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import plots
from drivers import write_suite
from sdv_results import read_tasks
from tables import text_table, write_header, write_row

import paddock
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.stmt import Assert


@dataclass(frozen=True, slots=True)
class Row:
    """A program: a line of the results. The depth of its bug is counted in calls; 0 is in the entry."""

    program: str
    lines: int
    procedures: int
    assertions: int
    shallowest: int | None
    deepest: int | None
    bug: int | None


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how deep the assertions of programs are.")
    add = parser.add_argument
    add("folders", nargs="*", type=Path, metavar="FOLDER", help="with a verdicts.tsv")
    add("--seeds", type=int, default=1, metavar="N", help="drivers of each kind (default: %(default)s)")
    add("--largest", type=int, default=200, metavar="N", help="procedures of a driver; 0 for none")
    add("--limit", type=int, default=30, metavar="S", help="seconds for finding a bug (default: %(default)s)")
    add("--out", type=Path, metavar="DIR", default=Path("build/bench/depths"), help="(default: %(default)s)")
    options = parser.parse_args()
    write_suite(options.out / "drivers", options.seeds, options.largest)
    rows = []
    with (options.out / "results.tsv").open("w", encoding="utf-8") as table:
        write_header(table, Row)
        for folder in (options.out / "drivers", *options.folders):
            for task in read_tasks(folder):
                rows.append(row_of(task.path, task.reference == "bug", options.limit))
                write_row(table, rows[-1])
                print(f"[{len(rows)}] {rows[-1].program}", file=sys.stderr, flush=True)
    print(report(rows))
    draw(rows, options.out)
    return 0


def row_of(path: Path, has_bug: bool, limit: int) -> Row:
    program = paddock.load(path)
    asserting = {
        p.name: sum(isinstance(s, Assert) for i in p.implementations for b in i.blocks for s in b.statements)
        for p in program.procedures
    }
    shortest, longest = depths(program)
    places = [name for name, count in asserting.items() if count and name in shortest]
    return Row(
        path.name,
        path.read_text(encoding="utf-8").count("\n"),
        len(program.procedures),
        sum(asserting.values()),
        min((shortest[name] for name in places), default=None),
        max((longest[name] for name in places), default=None),
        bug_depth(program, limit) if has_bug else None,
    )


def depths(program: paddock.Program) -> tuple[dict[str, int], dict[str, int]]:
    """The calls on the shortest and on the longest way from the entry to each procedure; recursion counts once."""
    graph, entry = CallGraph(program), entry_name(program)
    reached = graph.reachable([entry])
    shortest, longest = {entry: 0}, dict.fromkeys(reached, 0)
    for name in reached:  # the nearest first
        for callee in graph.callees[name]:
            shortest.setdefault(callee, shortest[name] + 1)
    group = {name: n for n, names in enumerate(graph.components) for name in names}
    for names in reversed(graph.components):  # callers first
        for name in (n for n in names if n in longest):
            for callee in graph.callees[name]:
                if group[callee] != group[name]:
                    longest[callee] = max(longest[callee], longest[name] + 1)
    return shortest, longest


def bug_depth(program: paddock.Program, limit: int) -> int | None:
    """How many calls are running where an assertion fails; None if none is found."""
    result = paddock.check(program, paddock.Options.of(timeout=float(limit), recursion_bound=4))
    return result.trace[-1].depth if result.verdict is paddock.Verdict.BUG and result.trace else None


def report(rows: Sequence[Row]) -> str:
    header = "program lines procedures assertions shallowest deepest bug".split()
    table = text_table(header, [tuple(getattr(row, name) for name in header) for row in rows])
    found = Counter(row.bug for row in rows if row.bug is not None)
    bugs = ", ".join(f"{count} at depth {depth}" for depth, count in sorted(found.items()))
    return f"{table}calls at a failing assertion: {bugs or 'no bug was found'}"


def draw(rows: Sequence[Row], out: Path) -> None:
    """Fig. 7: how many bugs are at which depth."""
    found = Counter(row.bug for row in rows if row.bug is not None)
    if not plots.are_possible():
        print(plots.HOW_TO_INSTALL, file=sys.stderr)
    elif found:
        print(*plots.bars(found, "calls at the failing assertion", "programs", out / "depths"), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
