"""Runs tools on a program that grows with a number N, each until it fails, and shows how what they need grows."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import plots
from checking import check_one
from measure import Limits
from tables import read_rows, text_table, write_header, write_row


@dataclass(frozen=True, slots=True)
class Run:
    """One tool on the program of one size: a line of the results."""

    tool: str
    n: int
    verdict: str
    cpu_s: float
    peak_mb: float
    instances: int | None
    formulas: int | None  # one for each instance and one for each call that is inlined


# Runs a tool on the program of one size, with files in a folder.
Tool = Callable[[int, Limits, Path], Run]

# What grows, for each tool.
Curves = dict[str, list[tuple[float, float]]]


def parser(description: str, largest: int, out: str) -> argparse.ArgumentParser:
    """The options that all such benchmarks have."""
    made = argparse.ArgumentParser(description=description)
    add = made.add_argument
    add("--from", dest="results", type=Path, metavar="TSV", help="show earlier results again instead of measuring")
    add("--most", type=int, default=largest, metavar="N", help="largest N (default: %(default)s)")
    add("--limit", type=int, default=60, metavar="S", help="CPU seconds a run (default: %(default)s)")
    add("--memory", type=int, default=4096, metavar="MB", help="address space of a run (default: %(default)s)")
    add("--out", type=Path, metavar="DIR", default=Path(out), help="for results (default: %(default)s)")
    return made


def run_all(
    options: argparse.Namespace, tools: Sequence[Tool], sizes: Sequence[int], expected: Sequence[str]
) -> list[Run]:
    """Run each tool for growing N until its verdict is not as expected; or read what was measured before."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    options.out.mkdir(parents=True, exist_ok=True)
    if options.results:
        return read_rows(options.results, Run)
    runs = []
    limits = Limits(options.limit, options.memory)
    with (
        (options.out / "results.tsv").open("w", encoding="utf-8") as file,
        tempfile.TemporaryDirectory() as folder,
    ):
        write_header(file, Run)
        for tool in tools:
            for n in (n for n in sizes if n <= options.most):
                run = tool(n, limits, Path(folder))
                runs.append(run)
                write_row(file, run)
                print(f"{run.tool} N={run.n}: {run.verdict}, {run.cpu_s:.1f} CPU s", file=sys.stderr, flush=True)
                if run.verdict not in expected:
                    break
    return runs


def paddock(name: str, options: Sequence[str], program: Callable[[int], str]) -> Tool:
    """`paddock check` with some options."""

    def run(n: int, limits: Limits, folder: Path) -> Run:
        file = folder / f"program_{n}.bpl"
        file.write_text(program(n), encoding="utf-8")
        said = check_one((*options, str(file)), limits)
        instances, merged = said.stats.get("instances"), said.stats.get("merged", 0)
        # Every instance but the entry's was made for a call, and other calls share it.
        formulas = None if instances is None else 2 * instances - 1 + merged
        return Run(name, n, said.verdict, said.cpu_s, said.peak_mb, instances, formulas)

    return run


def table(runs: Sequence[Run]) -> str:
    header = "tool N verdict CPU_s peak_MB instances formulas".split()
    return text_table(header, [(r.tool, r.n, r.verdict, r.cpu_s, r.peak_mb, r.instances, r.formulas) for r in runs])


def curves(runs: Sequence[Run], expected: Sequence[str], what: Callable[[Run], float | None]) -> Curves:
    """Something that grows, by tool, as far as the tool got."""
    found: Curves = {}
    for run in runs:
        value = what(run)
        if run.verdict in expected and value is not None:
            found.setdefault(run.tool, []).append((run.n, value))
    return found


def draw(panels: Mapping[str, Mapping[str, plots.Points]], stem: Path) -> None:
    if plots.are_possible():
        print("plots:", *plots.growth(panels, "N", stem))
    else:
        print(plots.HOW_TO_INSTALL, file=sys.stderr)
