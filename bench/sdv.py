"""Measures Paddock on a folder of driver programs, in several configurations, against what is known of them.

    python bench/sdv.py FOLDER [--limit 60] [--config NAME=OPTIONS ...] [--files GLOB] [--jobs N] [--out DIR]
    python bench/sdv.py FOLDER --inv both               # with and without free postconditions
    python bench/sdv.py --from RESULTS.tsv [--out DIR]

The evaluation of the DAG-inlining paper (Lal and Qadeer, PLDI 2015, §4): a table a configuration, a summary as Fig. 12,
cactus and scatter plots as Figs. 13-16. Every run is a process of its own with a limit of CPU time and of memory. Ends
with status 1 if a verdict contradicts what is known.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path

import plots
from checking import Answer, check_all
from measure import Limits
from sdv_results import (
    CORRAL_LIMIT_S,
    Run,
    Task,
    by_config,
    cpu_bar,
    instances_bar,
    merging_bar,
    read_tasks,
    solved_bar,
)
from tables import read_rows, text_table

import paddock

CONFIGURATIONS = ("dag=--engine dag", "stratified=--engine stratified")
TREE = "stratified"  # the configuration that the others are compared with


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    options.out.mkdir(parents=True, exist_ok=True)
    runs = read_rows(options.results, Run) if options.results else _measured(options)
    if not runs:
        sys.exit("there are no results")
    print(report(by_config(runs)))
    _draw(by_config(runs), options.out)
    return 1 if any(run.is_contradicted for run in runs) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure Paddock on a folder of driver programs.")
    add = parser.add_argument
    add("folder", nargs="?", type=Path, help="has .bpl files and a verdicts.tsv")
    add("--from", dest="results", type=Path, metavar="TSV", help="show earlier results again instead")
    add("--limit", type=int, default=60, metavar="S", help="CPU seconds a run (default: %(default)s)")
    add("--memory", type=int, default=4096, metavar="MB", help="address space of a run (default: %(default)s)")
    add("--recursion-bound", type=int, metavar="R", help="default: what verdicts.tsv says, else 1")
    add(
        "--config",
        action="append",
        metavar="NAME=OPTIONS",
        help=f"options of `paddock check` under a name; may be repeated (default: {', '.join(CONFIGURATIONS)})",
    )
    add("--inv", choices=("with", "without", "both"), default="with", help="free postconditions (default: with them)")
    add("--files", action="append", metavar="GLOB", help="only files with such names; may be repeated")
    add("--jobs", type=int, default=1, metavar="N", help="runs at a time (default: %(default)s)")
    add("--resume", action="store_true", help="keep what an earlier run has found out of the same checks")
    add("--out", type=Path, metavar="DIR", default=Path("build/bench/sdv"), help="for results (default: %(default)s)")
    options = parser.parse_args()
    if (options.folder is None) == (options.results is None):
        parser.error("give either a folder or --from")
    if min(options.limit, options.memory, options.jobs) < 1:
        parser.error("limits and jobs must be at least 1")
    configs = [config.partition("=") for config in options.config or CONFIGURATIONS]
    if not all(name and separator for name, separator, _ in configs):
        parser.error("a configuration is written NAME=OPTIONS")
    options.configs = {name: shlex.split(words) for name, _, words in configs}
    return options


# --- measuring -----------------------------------------------------------------------------------


def _measured(options: argparse.Namespace) -> list[Run]:
    """Run every configuration on every task, the configurations of a task one after the other: should the machine
    get slower in the course of an hour, then for all of them."""
    globs = options.files or ["*"]
    tasks = [t for t in read_tasks(options.folder) if any(fnmatch(t.path.name, g) for g in globs)]
    limits = Limits(options.limit, options.memory)

    def bound(task: Task) -> int:
        return options.recursion_bound or task.reference_bound or 1

    work = [
        ((task, f"{name}{sign}"), ("--goal", "return", "--recursion-bound", str(bound(task)), *words, str(path)))
        for task in tasks
        for sign, path in _variants(task.path, options.inv, options.out)
        for name, words in options.configs.items()
    ]

    def row(job: tuple[Task, str], answer: Answer) -> Run:
        task, name = job
        return _run(name, task, bound(task), options.limit, answer)

    return check_all(work, row, Run, options.out, limits, options.jobs, options.resume)


def _variants(path: Path, inv: str, out: Path) -> Iterator[tuple[str, Path]]:
    """A program with its free postconditions, without them, or both, as the paper's +Inv and -Inv."""
    if inv != "without":
        yield ("+Inv" if inv == "both" else ""), path
    if inv != "with":
        stripped = out / "without" / path.name
        stripped.parent.mkdir(exist_ok=True)
        program = paddock.passes.run_passes(paddock.load(path), ["drop-summaries"])
        stripped.write_text(paddock.program_text(program), encoding="utf-8")
        yield "-Inv", stripped


def _run(config: str, task: Task, bound: int, limit_s: int, answer: Answer) -> Run:
    return answer.row(
        Run,
        config=config,
        file=task.path.name,
        bound=bound,
        limit_s=limit_s,
        reference=task.reference,
        reference_bound=task.reference_bound,
        corral=task.corral,
        corral_cpu_s=task.corral_cpu_s,
        corral_instances=task.corral_instances,
    )


# --- showing -------------------------------------------------------------------------------------


def report(configs: Mapping[str, Sequence[Run]]) -> str:
    """All tables, and what is asked for."""
    parts = [f"{name}\n{'=' * len(name)}\n{_table(runs)}" for name, runs in configs.items()]
    return "\n".join([*parts, _summary(configs), _bars(configs)])


def _table(runs: Sequence[Run]) -> str:
    header = "file known verdict CPU_s peak_MB instances merged queries solver_s merge_ms Corral_CPU_s note".split()
    rows = [
        (
            *(run.file.removesuffix(".bpl"), run.reference, run.verdict, run.cpu_s, run.peak_mb),
            *(
                run.instances,
                run.merged,
                run.queries,
                run.solver_s,
                None if run.merge_s is None else 1000 * run.merge_s,
            ),
            *(run.corral_cpu_s if run.is_solved_by_corral else run.corral or None, _note(run)),
        )
        for run in runs
    ]
    return text_table(header, rows)


def _note(run: Run) -> str:
    if run.is_contradicted:
        return "CONTRADICTS what is known"
    return run.reason if run.verdict in ("unknown", "error") else ""


def _summary(configs: Mapping[str, Sequence[Run]]) -> str:
    """As Fig. 12 of the paper, CPU seconds and instances for the files solved."""
    header = "configuration files solved bug proved bounded timeout unknown error contradictions".split()
    header += ["CPU_s", "CPU_s_bug", "CPU_s_no_bug", "instances", "per_file", "peak_MB"]
    rows = []
    for name, runs in configs.items():
        solved = [r for r in runs if r.is_solved]
        bugs = sum((r.cpu_s for r in solved if r.verdict == "bug"), 0.0)
        instances = sum(r.instances or 0 for r in solved)
        counts = [
            sum(r.verdict == verdict for r in runs) for verdict in "bug proved bounded timeout unknown error".split()
        ]
        rows.append(
            (
                *(name, len(runs), len(solved), *counts, sum(r.is_contradicted for r in runs)),
                *(sum(r.cpu_s for r in runs), bugs, sum(r.cpu_s for r in solved) - bugs),
                *(instances, instances / len(solved) if solved else None, max(r.peak_mb for r in runs)),
            )
        )
    note = "CPU_s is that of all runs; bugs, no bugs, instances are those of the files solved"
    return f"{text_table(header, rows)}{note}\n"


def _bars(configs: Mapping[str, Sequence[Run]]) -> str:
    lines = []
    for name, runs in configs.items():
        if name == TREE:
            continue
        tree = configs.get(TREE, ())
        bars = [cpu_bar(runs), solved_bar(runs), instances_bar(runs, tree, TREE), merging_bar(runs)]
        lines += [f"{name}: {bar}" for bar in bars if bar is not None]
    return "\n".join(lines)


def _draw(configs: Mapping[str, Sequence[Run]], out: Path) -> None:
    """All plots; the scatter plots have the first configuration against each of the others, and against Corral."""
    if not plots.are_possible():
        print(plots.HOW_TO_INSTALL, file=sys.stderr)
        return
    # CPU seconds that each needed for a file, None where it did not solve it.
    needed = {name: {r.file: r.cpu_s if r.is_solved else None for r in runs} for name, runs in configs.items()}
    limits: dict[str, float] = {name: max(r.limit_s for r in runs) for name, runs in configs.items()}
    first, *others = configs
    corral = [r for r in configs[first] if r.corral]
    if corral:
        others.append("Corral")
        needed["Corral"] = {r.file: r.corral_cpu_s if r.is_solved_by_corral else None for r in corral}
        limits["Corral"] = CORRAL_LIMIT_S
    solved = {name: [s for s in seconds.values() if s is not None] for name, seconds in needed.items()}
    made = plots.cactus(solved, limits[first], out / "cactus")
    for other in others:
        groups: dict[str, list[tuple[float, float]]] = {"bug": [], "no bug": []}
        for run in configs[first]:
            x, y = needed[other].get(run.file), needed[first][run.file]
            if x is not None or y is not None:
                kind = "bug" if "bug" in (run.verdict, run.reference) else "no bug"
                groups[kind].append((limits[other] if x is None else x, limits[first] if y is None else y))
        stem = out / f"scatter-{first}-{other}"
        made += plots.scatter(groups, other, first, (limits[other], limits[first]), stem)
    print("plots:", *made)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; what was measured is in results.tsv, show it with --from")
