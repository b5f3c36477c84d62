"""The systematic study of gambling on regions (Akhundov et al., Verification by Gambling on Program Slices, §4.3).

    python bench/regions.py [FOLDER] [--bases GLOB ...] [--every N] [--limit 60] [--config NAME=OPTIONS ...] [--resume]

Loops of six structures and three kinds of bounds are put around the base programs of a folder (`loops.py`). Each case
is checked without and with gambling, in a process of its own with a limit of CPU time and of memory (`verifiers.py` has
CBMC and Boogie). Printed are Table 1, what gambling gains and costs, and the bars; drawn is the scatter of Fig. 8.
Ends with status 1 if a bar is not met.
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

import plots
from checking import Answer, check_all
from loops import FOLDER, STRUCTURES, Case, case_in, cases, program
from measure import Limits
from tables import text_table

BOUND = "201"  # so that the loops of the base programs can run to their end
CONFIGS = {
    "plain": f"--recursion-bound {BOUND}",
    "gamble": f"--recursion-bound {BOUND} --gamble --jobs 1",
}
OUT = Path("build/bench/regions")
MOST_FOR_MISSES = 1.3
LEAST_S = 1.0  # what takes less is no measure of what a miss costs


@dataclass(frozen=True, slots=True)
class Run:
    """A case with what a configuration said: a line of the results."""

    base: str
    structure: str
    bounds: str
    config: str
    limit_s: int
    verdict: str  # bug, proved, bounded; or unknown, timeout, error
    reason: str
    cpu_s: float
    wall_s: float
    regions_hit: int | None

    @property
    def name(self) -> str:
        return f"{self.case.name} {self.config}"

    @property
    def case(self) -> Case:
        return case_in(self.base, self.structure, self.bounds)

    @property
    def is_solved(self) -> bool:
        return self.verdict == "proved"


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    runs = _measured(options)
    if not runs:
        sys.exit("there are no such cases")
    text, is_met = report(runs)
    print(text)
    if plots.are_possible():
        _draw(runs, options)
    else:
        print(plots.HOW_TO_INSTALL.replace("--from", "--resume"), file=sys.stderr)
    return 0 if is_met else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure what gambling on regions is worth.")
    add = parser.add_argument
    add("folder", nargs="?", type=Path, default=FOLDER, help="has the base programs (default: %(default)s)")
    add("--bases", action="append", metavar="GLOB", help="only these base programs; may be repeated")
    add("--structures", action="append", metavar="NAME", choices=STRUCTURES, help="only these; may be repeated")
    add("--every", type=int, default=1, metavar="N", help="each N-th case and those without loops (default: all)")
    add("--limit", type=int, default=60, metavar="S", help="CPU seconds a case (default: %(default)s)")
    add("--memory", type=int, default=4096, metavar="MB", help="address space of a run (default: %(default)s)")
    add("--config", action="append", metavar="NAME=OPTIONS", help="one more configuration, compared with plain")
    add("--jobs", type=int, default=1, metavar="N", help="runs at a time (default: %(default)s)")
    add(
        "--out",
        type=Path,
        metavar="DIR",
        default=Path("build/bench/regions"),
        help="for results (default: %(default)s)",
    )
    add("--resume", action="store_true", help="keep what an earlier run has found out of the same checks")
    options = parser.parse_args()
    if min(options.every, options.limit, options.memory, options.jobs) < 1:
        parser.error("--every, limits and jobs must be at least 1")
    if any("=" not in config for config in options.config or ()):
        parser.error("--config must be NAME=OPTIONS")
    return options


def _measured(options: argparse.Namespace) -> list[Run]:
    configs = CONFIGS | dict(config.split("=", 1) for config in options.config or ())
    wanted = [
        case
        for case in cases(options.folder)
        if any(fnmatch(case.base, glob) for glob in options.bases or ["*"])
        and (not options.structures or case.structure in options.structures)
    ]
    # What is solved as it stands says what is asked of the other cases.
    wanted = [case for n, case in enumerate(wanted) if n % options.every == 0 or case.structure == "Baseline"]
    programs = options.out / "programs"
    programs.mkdir(parents=True, exist_ok=True)
    for case in wanted:
        (programs / f"{case.name}.c").write_text(program(case, options.folder))
    jobs = [(case, config) for case in wanted for config in configs]
    work = [(j, (*shlex.split(configs[j[1]]), str(programs / f"{j[0].name}.c"))) for j in jobs]

    def row(job: tuple[Case, str], answer: Answer) -> Run:
        case, config = job
        return answer.row(Run, **case.columns, config=config, limit_s=options.limit)

    limits = Limits(options.limit, options.memory)
    return check_all(work, row, Run, options.out, limits, options.jobs, options.resume)


def report(runs: Sequence[Run]) -> tuple[str, bool]:
    """Table 1, a summary of each configuration, and the bars; and whether they are met."""
    configs = {name: {r.case: r for r in runs if r.config == name} for name in dict.fromkeys(r.config for r in runs)}
    plain = configs.pop("plain", {})
    parts = []
    is_met = True
    for name, others in configs.items():
        both = [(plain[case], run) for case, run in others.items() if case in plain]
        bars = list(_bars(both))
        is_met = is_met and all(met for _, met in bars)
        lines = [f"{text}: {'met' if met else 'NOT MET'}" for text, met in bars]
        title = f"plain/{name}: cases proved of all"
        parts.append("\n".join([title, "=" * len(title), _table_1(both), *lines]))
    return "\n\n".join(parts), is_met


Pairs = Sequence[tuple[Run, Run]]


def _table_1(both: Pairs) -> str:
    rows = []
    for bounds in dict.fromkeys(run.bounds for run, _ in both):
        cells = []
        for structure in STRUCTURES:
            group = [(a, b) for a, b in both if (a.bounds, a.structure) == (bounds, structure)]
            solved = f"{sum(a.is_solved for a, _ in group)}/{sum(b.is_solved for _, b in group)} of {len(group)}"
            cells.append(solved if group else "")
        rows.append((bounds, *cells))
    totals = [("solved", *(sum(pair[k].is_solved for pair in both) for k in (0, 1)))]
    totals += [("CPU s", *(round(sum(pair[k].cpu_s for pair in both), 1) for k in (0, 1)))]
    sums = "\n".join(f"{name}: {a} without, {b} with, of {len(both)} cases" for name, a, b in totals)
    return text_table(["bounds", *STRUCTURES], rows) + sums


def _bars(both: Pairs) -> list[tuple[str, bool]]:
    """What is asked of gambling, and whether it is so."""
    lost = [a.case.name for a, b in both if a.is_solved and not b.is_solved]
    bases = {a.base for a, b in both if a.structure == "Baseline" and (a.is_solved or b.is_solved)}
    sure = [b for _, b in both if b.case.is_hit and b.base in bases]
    missing = [b.case.name for b in sure if not b.is_solved]
    misses = [(a, b) for a, b in both if a.is_solved and b.is_solved and not b.regions_hit and a.cpu_s > LEAST_S]
    cost = sum(b.cpu_s for _, b in misses) / max(sum(a.cpu_s for a, _ in misses), 1e-9) if misses else 1.0
    costs = f"misses cost {cost:.2f} times as much, in sum over {len(misses)} cases above {LEAST_S:g} s"
    return [
        (f"solved without gambling and not with it: {_named(lost)}", not lost),
        (f"sure hits, of base programs that are solved, not proved: {_named(missing)} of {len(sure)}", not missing),
        (f"{costs} (at most {MOST_FOR_MISSES})", cost <= MOST_FOR_MISSES),
    ]


def _named(names: Sequence[str]) -> str:
    return f"{len(names)}" + (f" ({', '.join(names[:5])}{', …' if len(names) > 5 else ''})" if names else "")


def _draw(runs: Sequence[Run], options: argparse.Namespace) -> None:
    """Fig. 8: one dot a case."""
    plain = {run.case: run for run in runs if run.config == "plain"}
    for config in dict.fromkeys(run.config for run in runs if run.config != "plain"):
        groups: dict[str, list[tuple[float, float]]] = {structure: [] for structure in STRUCTURES}
        for run in runs:
            if run.config == config and run.case in plain:
                seconds = [r.cpu_s if r.is_solved else float(options.limit) for r in (run, plain[run.case])]
                groups[run.structure].append((seconds[0], seconds[1]))
        limits = float(options.limit), float(options.limit)
        for path in plots.scatter(groups, config, "plain", limits, options.out / f"{config}"):
            print(path)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; go on with --resume")
