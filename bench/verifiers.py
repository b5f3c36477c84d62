"""Other verifiers alone, and for the regions of gambling (Akhundov et al., Verification by Gambling on Program Slices,
§4.4): Table 2 and Fig. 9.

    python bench/verifiers.py [FOLDER] [--verifier COMMAND ...] [--bounds KIND ...] [--bases GLOB ...] [--limit 60]

The cases are those of `loops.py`. A verifier alone gets the whole program: C if it reads that, else what `paddock
extract` writes of the entry. As a back end it gets region after region, and Paddock gets the whole program if none is
proved. The paper's Qicc gives the whole program to the verifier, too: it solves what is solved by a region or alone.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from shutil import which

import plots
from checking import Answer, check_all
from loops import BOUNDS, FOLDER, STRUCTURES, Case, case_in, cases, program
from measure import Limits, Measured, measure, measure_all
from tables import text_table, write_header, write_row

from paddock.engines.regions.backends import Tool, tool_named

UNWIND = 201  # so that the loops of the programs can run to their end
KNOWN = {"cbmc": f"cbmc --unwind {UNWIND}", "boogie": "boogie /nologo /errorLimit:1000"}
ALONE, GAMBLING = "alone", "gambling"
EXTRACT = (sys.executable, "-m", "paddock", "extract", "--region", "main")


@dataclass(frozen=True, slots=True)
class Run:
    """A case with what a verifier said, alone or for regions: a line of the results."""

    base: str
    structure: str
    bounds: str
    verifier: str
    how: str  # alone or gambling
    limit_s: int
    verdict: str  # proved, or what else came of it
    reason: str
    cpu_s: float
    regions_hit: int | None

    @property
    def name(self) -> str:
        return f"{self.case.name} {self.verifier} {self.how}"

    @property
    def case(self) -> Case:
        return case_in(self.base, self.structure, self.bounds)

    @property
    def is_solved(self) -> bool:
        return self.verdict == "proved"


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    commands = options.verifier or [command for name, command in KNOWN.items() if which(name)]
    if not commands:
        print("no verifier is installed: " + ", ".join(KNOWN), file=sys.stderr)
        return 0
    (options.out / "programs").mkdir(parents=True, exist_ok=True)
    wanted = _wanted(options)
    if not wanted:
        sys.exit("there are no such cases")
    runs: list[Run] = []
    for command in commands:
        name = Path(shlex.split(command)[0]).name
        runs += _gambled(name, command, wanted, options)
        runs += _alone(name, tool_named(command), wanted, options)
    print(report(runs))
    _draw(runs, options)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure other verifiers alone and for regions.")
    add = parser.add_argument
    add("folder", nargs="?", type=Path, default=FOLDER, help="has the base programs (default: %(default)s)")
    add("--verifier", action="append", metavar="COMMAND", help=f"default: {', '.join(KNOWN)}, if they are installed")
    add("--bounds", action="append", choices=BOUNDS, help="of loops; may be repeated (default: small)")
    add("--bases", action="append", metavar="GLOB", help="only these base programs; may be repeated")
    add("--structures", action="append", metavar="NAME", choices=STRUCTURES, help="only these; may be repeated")
    add("--limit", type=int, default=60, metavar="S", help="CPU seconds a run (default: %(default)s)")
    add("--memory", type=int, default=4096, metavar="MB", help="address space of a run (default: %(default)s)")
    add("--out", type=Path, metavar="DIR", default=Path("build/bench/verifiers"), help="(default: %(default)s)")
    add("--resume", action="store_true", help="keep what an earlier run has found out of the same checks")
    options = parser.parse_args()
    if min(options.limit, options.memory) < 1:
        parser.error("limits must be at least 1")
    return options


def _wanted(options: argparse.Namespace) -> list[Case]:
    """The cases, all loops of each with bounds of one kind, as the paper does not vary them here."""
    kinds = options.bounds or ["small"]
    chosen = [
        case
        for case in cases(options.folder)
        if any(fnmatch(case.base, glob) for glob in options.bases or ["*"])
        and (not options.structures or case.structure in options.structures)
        and len(set(case.bounds)) <= 1
        and set(case.bounds) <= set(kinds)
    ]
    for case in chosen:
        _file(case, options).write_text(program(case, options.folder), encoding="utf-8")
    return chosen


def _file(case: Case, options: argparse.Namespace) -> Path:
    return Path(options.out, "programs", f"{case.name}.c")


def _gambled(name: str, command: str, wanted: Sequence[Case], options: argparse.Namespace) -> list[Run]:
    words = ("--recursion-bound", str(UNWIND), "--gamble", "--jobs", "1", "--backend", command)
    work = [(case, (*words, str(_file(case, options)))) for case in wanted]

    def row(case: Case, answer: Answer) -> Run:
        return answer.row(Run, **case.columns, verifier=name, how=GAMBLING, limit_s=options.limit)

    limits = Limits(options.limit, options.memory)
    return check_all(work, row, Run, options.out / name, limits, 1, options.resume)


def _alone(name: str, tool: Tool, wanted: Sequence[Case], options: argparse.Namespace) -> list[Run]:
    limits = Limits(options.limit, options.memory)
    files = [_file(case, options) if tool.reads_c else _extracted(case, options, limits) for case in wanted]
    runs = []
    with (options.out / name / "alone.tsv").open("w", encoding="utf-8") as table:
        write_header(table, Run)
        for n, measured in measure_all([(*tool.command, str(file)) for file in files], limits):
            case, said = wanted[n], _said(tool, measured)
            seconds = round(measured.cpu_s, 2)
            runs.append(Run(*case.columns.values(), name, ALONE, options.limit, *said, seconds, None))
            write_row(table, runs[-1])
    return runs


def _extracted(case: Case, options: argparse.Namespace, limits: Limits) -> Path:
    """The whole program as Boogie."""
    file = _file(case, options)
    written = file.with_suffix(".bpl")
    made = measure((*EXTRACT, str(file), "--output", str(written)), limits)
    if made.status != 0:
        sys.exit(f"{file} cannot be written as Boogie: {made.error}")
    return written


def _said(tool: Tool, measured: Measured) -> tuple[str, str]:
    reading = tool.read(measured.out + measured.error, measured.status)
    if measured.timed_out:
        return "timeout", ""
    return ("proved", "") if reading.is_safe else ("missed" if reading.lines else "unknown", reading.problem)


def report(runs: Sequence[Run]) -> str:
    """Table 2 of each verifier and kind of bounds, and what gambling gains and loses."""
    parts = []
    for name in dict.fromkeys(run.verifier for run in runs):
        own = [run for run in runs if run.verifier == name]
        for kind in dict.fromkeys(bound for run in own for bound in run.case.bounds) or [""]:
            parts.append(_table(name, [run for run in own if set(run.case.bounds) <= {kind}], kind))
    return "\n\n".join(parts)


def _table(name: str, runs: Sequence[Run], kind: str) -> str:
    alone, gambling = ({run.case: run for run in runs if run.how == how} for how in (ALONE, GAMBLING))
    by_region = {case for case, run in gambling.items() if run.is_solved and run.regions_hit}
    by_verifier = {case for case, run in alone.items() if run.is_solved}
    by_any = {case for case, run in gambling.items() if run.is_solved}
    structures = [s for s in STRUCTURES if any(run.structure == s for run in runs)]
    rows = [
        (title, *(sum(case.structure == s for case in solved) for s in structures), len(solved), seconds)
        for title, solved, seconds in (
            (f"{name} alone", by_verifier, sum(run.cpu_s for run in alone.values())),
            (f"regions by {name}", by_region, None),
            ("one of these, as Qicc", by_verifier | by_region, None),
            ("regions, else Paddock", by_any, sum(run.cpu_s for run in gambling.values())),
        )
    ]
    title = f"{name}, {kind or 'no'} loops: cases solved of {len(alone)}"
    table = text_table(["", *structures, "all", "CPU_s"], rows)
    gained = sorted(case.name for case in by_region - by_verifier)
    return f"{title}\n{'=' * len(title)}\n{table}by regions and not by {name} alone: {', '.join(gained) or 'none'}"


def _draw(runs: Sequence[Run], options: argparse.Namespace) -> None:
    """Fig. 9: one dot a case, what is not solved at the limit."""
    if not plots.are_possible():
        print(plots.HOW_TO_INSTALL.replace("--from", "--resume"), file=sys.stderr)
        return
    limit = float(options.limit)
    for name in dict.fromkeys(run.verifier for run in runs):
        alone = {run.case: run for run in runs if (run.verifier, run.how) == (name, ALONE)}
        groups: dict[str, list[tuple[float, float]]] = {structure: [] for structure in STRUCTURES}
        for run in runs:
            if (run.verifier, run.how) == (name, GAMBLING) and run.case in alone:
                pair = [r.cpu_s if r.is_solved else limit for r in (run, alone[run.case])]
                groups[run.structure].append((pair[0], pair[1]))
        for path in plots.scatter(groups, f"gambling+{name}", name, (limit, limit), options.out / name):
            print(path)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; go on with --resume")
