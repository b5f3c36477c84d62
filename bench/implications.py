"""Measures what implications between assertions are worth: Table 1 of the assertion-implications paper.

    python bench/implications.py [FILE...] [--unwind N] [--per-point N] [--runs N] [--checks NAME,...] [--order ORDER]
                                 [--ways with,alone,...] [--limit S] [--out DIR]

C programs get the assertions that `paddock assertions` proposes for them, and those of `--checks`; without files, there
are some of ../shared/svcomp, each with bounds of its own. The assertions of each program are checked in several ways:
`with` implications, finding them included; each `alone`, in a search of its own; `one` by one in one search, but
without implications; and all at `once`. Times are CPU seconds without reading the program, which is the same for all. A
way that takes more than `--limit` seconds is given up: its time is followed by a plus. The program ends with status 1
if two ways contradict each other, or if implications do not pay on a program with more than 100 assertions.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tables import text_table, write_header, write_row

import paddock
from paddock import Options
from paddock.driver import implications as driver
from paddock.driver import pipeline
from paddock.engines.assertions import Findings, sources_in
from paddock.engines.implications.checking import Checker, Checks, Plan, check_by_implications
from paddock.engines.implications.dai import Redundant, Search
from paddock.engines.inlining.search import Question, search
from paddock.engines.outcome import Budget, Statistics
from paddock.engines.regions.extract import assuming_known
from paddock.ir.origin import AssertionId, InputError
from paddock.ir.program import Program
from paddock.options.groups import ORDERS
from paddock.solvers.factory import open_solver
from paddock.solvers.interface import Solver
from paddock.verdict import Verdict

SVCOMP = Path(__file__).parents[2] / "shared" / "svcomp"
MANY = 100  # assertions: on programs with more, implications must pay


@dataclass(frozen=True, slots=True)
class Task:
    """A file, how many iterations of loops are completed, and which assertions it gets."""

    file: Path
    unwind: int
    per_point: int
    checks: tuple[str, ...] = ("assert", "unreach")


TASKS = (
    Task(SVCOMP / "ntdrivers-simplified" / "diskperf_simpl1.cil.c", 1, 4, ("all",)),
    Task(SVCOMP / "product-lines" / "minepump_spec2_product22.cil.c", 1, 6),
    Task(SVCOMP / "ssh-simplified" / "s3_srvr_1.cil-2.c", 2, 8, ("all",)),
    Task(SVCOMP / "ssh-simplified" / "s3_clnt_3.cil-1.c", 2, 8, ("all",)),
    Task(SVCOMP / "list-properties" / "simple-1.i", 2, 8, ("all",)),
    Task(SVCOMP / "list-properties" / "alternating_list-1.i", 2, 8, ("all",)),
    Task(SVCOMP / "systemc" / "token_ring.02.cil-1.c", 0, 3),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the results: Table 1, and the two other ways. Times of ways that were given up end with a plus."""

    program: str
    steps: int
    asserts: int
    checks: int
    strategy: str
    implications: int
    dai_s: float
    with_s: str
    alone_s: str
    one_s: str
    once_s: str
    bugs: int
    different: int  # verdicts that contradict each other


@dataclass(slots=True)
class CpuBudget(Budget):
    """A limit on the CPU time from now on."""

    def __post_init__(self) -> None:
        self.started = time.process_time()

    def remaining(self) -> float | None:
        if self.timeout is None:
            return None
        return max(0.0, self.timeout - (time.process_time() - self.started))


@dataclass(frozen=True, slots=True)
class Subject:
    """A program with assertions, ready to be checked."""

    original: Program
    prepared: Program
    question: Question
    plan: Plan
    limit: float


Strategy = Callable[[Subject, Solver, Budget, Findings], Statistics]


def with_implications(subject: Subject, solver: Solver, budget: Budget, findings: Findings) -> Statistics:
    program = subject.original, subject.prepared, subject.question
    return check_by_implications(*program, subject.plan, solver, budget, findings)[1]


def one_by_one(subject: Subject, solver: Solver, budget: Budget, findings: Findings) -> Statistics:
    program = subject.original, subject.prepared, subject.question
    checker = Checker(*program, solver, budget, findings)
    Checks(checker, checker.sources, Redundant({}, {}), everywhere=True, findings=findings).run("forward")
    return checker.statistics


def at_once(subject: Subject, solver: Solver, budget: Budget, findings: Findings) -> Statistics:
    program = subject.original, subject.prepared, replace(subject.question, all_assertions=True)
    outcome, statistics = search(*program, solver, budget, findings)
    if outcome.verdict in (Verdict.PROVED, Verdict.BOUNDED):
        findings.bounded |= dict.fromkeys(s for s in sources_in(subject.prepared) if s not in findings.bugs)
    return statistics


def each_alone(subject: Subject, solver: Solver, budget: Budget, findings: Findings) -> Statistics:
    sources = sorted(sources_in(subject.prepared), key=lambda a: (a.line, a.column, a.nth, a.role))
    question = replace(subject.question, all_assertions=False)
    for source in sources:
        if budget.is_spent:
            break
        program = assuming_known(subject.prepared, [other for other in sources if other != source])
        own = Findings()
        with solver.another() as fresh:
            outcome, _ = search(subject.original, program, question, fresh, budget, own)
        findings.bugs |= own.bugs
        if outcome.verdict in (Verdict.PROVED, Verdict.BOUNDED):
            findings.bounded[source] = None
    return Statistics()


WAYS: Mapping[str, Strategy] = {"with": with_implications, "alone": each_alone, "one": one_by_one, "once": at_once}


def subject_of(task: Task, runs: int, order: str, limit: float) -> Subject:
    """The program of a task with its assertions."""
    bound = task.unwind + 1
    options = Options.of(recursion_bound=bound, data_model="ilp32", checks=task.checks, all_assertions=True)
    synthesis = driver.Synthesis(runs, task.per_point)
    _, instrumented, _ = driver.assertions_of_files([str(task.file)], options, synthesis)
    program = paddock.load(paddock.program_text(instrumented))
    ready = pipeline.made_ready(program, options)
    question = Question(recursion_bound=bound, loop_bound=options.bounds.loop_bound, constant_loops=False)
    return Subject(ready.original, ready.prepared, question, Plan(Search(extended=False), order), limit)


def measured(name: str, subject: Subject, ways: Sequence[str]) -> Row:
    times: dict[str, str] = dict.fromkeys(WAYS, "")
    verdicts: list[dict[AssertionId, bool]] = []
    counts = Statistics()
    for way in ways:
        findings = Findings()
        budget = CpuBudget(subject.limit)
        with open_solver() as solver:
            statistics = WAYS[way](subject, solver, budget, findings)
            spent = time.process_time() - budget.started
        times[way] = f"{spent:.1f}{'+' if budget.is_spent else ''}"
        print(f"{name}, {way}: {times[way]} s", file=sys.stderr)
        holding = dict.fromkeys((*findings.proved, *findings.bounded), True)
        verdicts.append({**holding, **dict.fromkeys(findings.bugs, False)})
        if way == "with":
            counts = statistics
    first = verdicts[0]
    different = sum(first[s] != other[s] for other in verdicts[1:] for s in other if s in first)
    return Row(
        name,
        counts.steps,
        len(sources_in(subject.prepared)),
        counts.checks,
        subject.plan.order,
        counts.implications,
        counts.dai_s,
        times["with"],
        times["alone"],
        times["one"],
        times["once"],
        sum(not holds for holds in first.values()),
        different,
    )


def report(rows: Sequence[Row]) -> tuple[str, bool]:
    """The table with what is asked of implications, and whether they do it."""
    header = ["program", "#USSA steps", "#asserts", "#checks", "strategy", "#DAI impl", "DAI s", "with s", "alone s"]
    header += ["one by one s", "at once s", "#bugs"]
    lines = [
        (
            *(r.program, r.steps, r.asserts, r.checks, r.strategy, r.implications, r.dai_s),
            *(r.with_s, r.alone_s, r.one_s, r.once_s, r.bugs),
        )
        for r in rows
    ]
    text = text_table(header, lines)
    different = sum(r.different for r in rows)
    text += f"\nverdicts that differ: {different}\n"
    large = [r for r in rows if r.asserts > MANY and r.with_s and r.alone_s]
    paying = [r for r in large if _pays(r)]
    text += (
        f"quicker with implications than each alone: {len(paying)} of {len(large)} programs with > {MANY} assertions\n"
    )
    return text, different == 0 and len(paying) == len(large)


def _pays(row: Row) -> bool:
    """Whether checking with implications took less time; one that was given up did not."""
    return not row.with_s.endswith("+") and float(row.with_s) < float(row.alone_s.rstrip("+"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--unwind", type=int, default=2)
    parser.add_argument("--per-point", type=int, default=4)
    parser.add_argument("--checks", default="assert,unreach", type=lambda text: tuple(text.split(",")))
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--order", choices=ORDERS, default="auto")
    parser.add_argument("--ways", default="with,alone", type=lambda text: text.split(","))
    parser.add_argument("--limit", type=float, default=200.0, help="CPU seconds for each way")
    parser.add_argument("--out", type=Path, default=Path("build/bench/implications"))
    args = parser.parse_args()
    if unknown := [way for way in args.ways if way not in WAYS]:
        parser.error(f"--ways {unknown[0]} is unknown: choose from {', '.join(WAYS)}")
    given = [Task(file, args.unwind, args.per_point, args.checks) for file in args.files]
    tasks = given or [task for task in TASKS if task.file.exists()]
    if not tasks:
        parser.error(f"there is no program: name some, or have {SVCOMP}")
    args.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with open(args.out / "results.tsv", "w", encoding="utf-8") as results:
        write_header(results, Row)
        for task in tasks:
            try:
                subject = subject_of(task, args.runs, args.order, args.limit)
            except InputError as error:
                parser.error(str(error))
            rows.append(measured(task.file.name, subject, args.ways))
            write_row(results, rows[-1])
    text, is_fine = report(rows)
    (args.out / "report.txt").write_text(text, encoding="utf-8")
    print(text, end="")
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
