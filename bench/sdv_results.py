"""What `sdv.py` measures: tasks with what is known of them, runs, and how runs compare with what is known.

A folder of tasks has a `verdicts.tsv`. Either it gives verdicts at a recursion bound, with what Corral's DAG inlining
needed for them; or it gives verdicts of the programs as such, whatever the bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tables import NOTHING, read_tsv

CONCLUSIVE = ("bug", "proved", "bounded")
NO_BUG = ("bound", "correct", "safe")  # in the words of verdicts.tsv

# Corral's runs were stopped after so many CPU seconds.
CORRAL_LIMIT_S = 60

# What is asked of DAG inlining, see README.md.
MOST_CPU_SHARE = 0.2
LEAST_SOLVED_SHARE = 0.6
LEAST_INSTANCE_RATIO = 2.5
MOST_PERCENT_OF_MERGING = 1


@dataclass(frozen=True, slots=True)
class Task:
    """A file, and what is known of it."""

    path: Path
    reference: str  # bug, bound, correct, safe or unknown
    reference_bound: int | None  # None if the reference holds whatever the bound
    corral: str  # the verdict of Corral, or timeout; empty if it was not run
    corral_cpu_s: float | None
    corral_instances: int | None


def read_tasks(folder: Path) -> list[Task]:
    """The tasks of a folder that are there, in the order of its table."""
    tasks = []
    for row in read_tsv(folder / "verdicts.tsv"):
        if "reference" in row:
            instances = row["corral_instances"]
            task = Task(
                folder / row["file"],
                row["reference"],
                int(row["recursion_bound"]),
                row["corral_di"],
                float(row["corral_cpu_s"]),
                None if instances == NOTHING else int(instances),
            )
        else:
            task = Task(folder / row["file"], row["expected"], None, "", None, None)
        tasks.append(task)
    return tasks


@dataclass(frozen=True, slots=True)
class Run:
    """One configuration on one task: a line of the results."""

    config: str
    file: str
    bound: int
    limit_s: int
    verdict: str  # bug, proved, bounded; or unknown, timeout, error
    reason: str
    cpu_s: float
    wall_s: float
    peak_mb: float
    instances: int | None
    merged: int | None
    queries: int | None
    solver_s: float | None
    merge_s: float | None
    reference: str
    reference_bound: int | None
    corral: str
    corral_cpu_s: float | None
    corral_instances: int | None

    @property
    def name(self) -> str:
        return f"{self.file} {self.config}"

    @property
    def is_contradicted(self) -> bool:
        """Whether the verdict and what is known cannot both be right, bounds considered."""
        known, bound = self.reference, self.reference_bound
        match self.verdict:
            case "bug":
                return known in ("correct", "safe") or (known == "bound" and bound is not None and self.bound <= bound)
            case "proved":
                return known == "bug"
            case "bounded":
                return known == "bug" and bound is not None and self.bound >= bound
            case _:
                return False

    @property
    def is_solved(self) -> bool:
        return self.verdict in CONCLUSIVE and not self.is_contradicted

    @property
    def is_solved_by_corral(self) -> bool:
        return self.corral in ("bug", *NO_BUG)


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that is asked for, and what was measured."""

    what: str
    measured: float
    wanted: float
    at_most: bool

    def __str__(self) -> str:
        is_met = self.measured <= self.wanted if self.at_most else self.measured >= self.wanted
        wanted = f"{'at most' if self.at_most else 'at least'} {self.wanted:g}"
        return f"{self.what} = {self.measured:.2f} ({wanted}: {'met' if is_met else 'NOT MET'})"


def by_config(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """The runs of each configuration, by file name."""
    result: dict[str, list[Run]] = {}
    for run in sorted(runs, key=lambda r: r.file):
        result.setdefault(run.config, []).append(run)
    return result


def cpu_bar(runs: Sequence[Run]) -> Bar | None:
    """Our CPU seconds against Corral's on the files that Corral solved. To give up early is no gain: what we did not
    solve counts as the whole limit."""
    both = [(r, r.corral_cpu_s) for r in runs if r.is_solved_by_corral and r.corral_cpu_s is not None]
    if not both:
        return None
    ours = sum(r.cpu_s if r.is_solved else max(r.cpu_s, r.limit_s) for r, _ in both)
    theirs = sum(seconds for _, seconds in both)
    unsolved = sum(not r.is_solved for r, _ in both)
    note = f" ({unsolved} of them not solved here)" if unsolved else ""
    what = f"CPU seconds on the {len(both)} files that Corral solved{note}: {ours:.1f} / Corral's {theirs:.1f}"
    return Bar(what, ours / theirs, MOST_CPU_SHARE, at_most=True)


def solved_bar(runs: Sequence[Run]) -> Bar | None:
    """The share that we solve of the files that Corral did not, in the time that Corral had."""
    hard = [r for r in runs if r.corral and not r.is_solved_by_corral]
    if not hard:
        return None
    limit = min(CORRAL_LIMIT_S, *(r.limit_s for r in hard))
    solved = [r for r in hard if r.is_solved and r.cpu_s <= limit]
    what = (
        f"solved in {limit} CPU s of those that Corral did not solve in {CORRAL_LIMIT_S}: {len(solved)} / {len(hard)}"
    )
    return Bar(what, len(solved) / len(hard), LEAST_SOLVED_SHARE, at_most=False)


def instances_bar(runs: Sequence[Run], tree: Sequence[Run], tree_name: str) -> Bar | None:
    """How many times more instances are inlined without sharing, on the files that both solve."""
    solved = {r.file: r.instances for r in runs if r.is_solved}
    both = [
        (theirs, ours)
        for r in tree
        if r.is_solved and (theirs := r.instances) is not None and (ours := solved.get(r.file)) is not None
    ]
    if not both:
        return None
    theirs, ours = sum(t for t, _ in both), sum(o for _, o in both)
    what = f"instances on the {len(both)} files that {tree_name} solves, too: {tree_name}'s {theirs} / {ours}"
    return Bar(what, theirs / ours, LEAST_INSTANCE_RATIO, at_most=False)


def merging_bar(runs: Sequence[Run]) -> Bar | None:
    """How much of the time it takes to find instances to share, in sum, as in §4 of the paper."""
    shares = [(100 * r.merge_s / r.cpu_s, r) for r in runs if r.is_solved and r.merge_s is not None]
    if not shares:
        return None
    most, where = max(shares, key=lambda share: share[0])
    merging, all_in_all = sum(r.merge_s or 0 for _, r in shares), sum(r.cpu_s for _, r in shares)
    what = f"percent of CPU seconds on merging (most on {where.file}, {most:.2f}): {merging:.2f} / {all_in_all:.1f}"
    return Bar(what, 100 * merging / all_in_all, MOST_PERCENT_OF_MERGING, at_most=True)
