"""Second runs: what a check with a store takes when nothing has changed, and after an edit.

    python bench/summaries.py [FILE...] [--out DIR] [--limit 300] [--seed 0] [--engine dag] [--recursion-bound 2]
    python bench/summaries.py --from RESULTS.tsv
    python bench/summaries.py --table-2 FILE... [--out DIR] [--limit 300] [--recursion-bound 2]
    python bench/summaries.py --instances FILE... [--out DIR] [--limit 300] [--recursion-bound 2]

Each program is checked without a store, with a new one, and once more with it. Then it is edited, each time beside the
store of the program as it was: `keep` puts an empty statement into some procedure, `change` another number into some
assignment, `caller` another number into what some procedure hands to its callers (results and globals; what a C
function returns), and `bug` is an edit by which an assertion fails: the twin of a program `…_fixed.bpl`, or the first
of a few such changes that does it. What a check says then is compared with what it says without a store. A `change` or
`caller` by which an assertion fails counts as a `bug`. Ratios are of sums of CPU seconds, to the first run with the
store. C programs are checked by default options; Boogie programs that a `verdicts.tsv` beside them gives a recursion
bound are asked whether their entry can return, at that bound.

Without files, the programs are generated drivers of more than 100 procedures, and those of ../shared that are known to
be safe: ssh and systemc of svcomp, and ten of sdv. `--from` shows the results of an earlier run again, or of several
that were put together.

With `--table-2`, summaries are made from the proofs of all assertions, one by one, and from those that no other
implies: Table 2 of the assertion-implications paper. Counted are conditions, and comparisons in them.

With `--instances`, the assertions of a program are checked one by one within the bound, each in a search of its own:
without summaries, and with those that the proofs before have left. Counted are instances of procedures in all searches.

`--table-2` and `--instances` without files take the programs of bench/implications.py, with the assertions that are
proposed for them, which go to the folder of results.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from random import Random

from answers import answer
from drivers import suite
from implications import TASKS, CpuBudget
from measure import Limits, measure
from sdv_results import Bar
from tables import read_tsv, text_table, write_header, write_row

import paddock
from paddock import Options
from paddock.driver.implications import Synthesis, assertions_of_files
from paddock.driver.pipeline import made_ready
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.search import stated
from paddock.engines.interpolation.one_by_one import one_by_one
from paddock.engines.interpolation.unrolling import unrolled
from paddock.solvers.factory import open_solver
from paddock.verdict import Verdict

RUNS = 30  # from which assertions are proposed
CHECK = (sys.executable, "-m", "paddock", "check", "--format", "json")
DECIDED = ("proved", "bounded", "bug")
EDITS = ("keep", "change", "caller", "bug")
WANTED = {"second": 0.1, "keep": 0.3, "change": 0.3, "caller": 0.3, "bug": 0.3}
SHARED = Path(__file__).parents[2] / "shared"
SIZE = 100  # procedures of a driver that is generated, at least
SEEDS = 3
TRIES = 3  # changes that are tried until one breaks an assertion
DRIVERS = (
    "1394diag_ioallocatecomplete_0",
    "61883_irqlexallocatepool_0",
    "61883_irqlreturn_0",
    "avc_pagedcode_1",
    "driver_irqliopassive4_0",
    "driver_irqlzwpassive_1",
    "hw_forwardedatbadirql_0",
    "sbp2port_irqliopassive1_0",
    "sys_removelockforwarddevicecontrol_0",
    "usbccgp_irqliopassive3_0",
)
ASSIGNMENT = re.compile(r"^(\s+)([A-Za-z_][\w.#$]*\s*:?=\s*[^={};]*;)\s*$", re.MULTILINE)
RETURNED = re.compile(r"^(\s+)(return\s*\(?\s*\d+\s*\)?\s*;)\s*$", re.MULTILINE)
GLOBAL = re.compile(r"^var\s+(?:\{[^}]*\}\s*)*([\w.#$]+(?:\s*,\s*[\w.#$]+)*)\s*:", re.MULTILINE)
RESULTS = re.compile(r"returns\s*\(([^)]*)\)")
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


@dataclass(frozen=True, slots=True)
class Run:
    """One check: a line of the results. `expected` is the verdict without a store, for the same program."""

    name: str
    run: str
    verdict: str
    expected: str
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Made:
    """The summaries of a program, made with implications between assertions or without: a line of Table 2."""

    name: str
    way: str
    status: str
    conditions: int
    comparisons: int
    cpu_s: float


SUMMARIES = (sys.executable, "-m", "paddock", "summaries", "--from-proofs", "--all-assertions", "--format", "json")
COMPARISON = re.compile(r"[=!]=(?!>)|[<>]=?(?!=)")


def made(path: Path, way: str, bound: int, limits: Limits) -> Made:
    """The summaries of the proofs of one program."""
    more = ("--implications",) if way == "with" else ()
    measured = measure((*SUMMARIES, *more, "--recursion-bound", str(bound), str(path)), limits)
    try:
        said = json.loads(measured.out)["summaries"]
        status = "made"
    except (ValueError, KeyError):
        said, status = [], "none"
    conditions = [condition for summary in said for condition in summary["ensures"]]
    comparisons = sum(len(COMPARISON.findall(c.replace("==>", ""))) for c in conditions)
    return Made(path.name, way, status, len(conditions), comparisons, round(measured.cpu_s, 2))


def table_2(rows: Sequence[Made]) -> str:
    """The rows with and without implications side by side."""
    by_name: dict[str, dict[str, Made]] = {}
    for row in rows:
        by_name.setdefault(row.name, {})[row.way] = row
    header = [
        "program",
        *(f"{what} {way}" for way in ("without", "with") for what in ("conditions", "comparisons", "CPU s")),
    ]
    cells = [
        [name, *(v for way in ("without", "with") for v in (of[way].conditions, of[way].comparisons, of[way].cpu_s))]
        for name, of in by_name.items()
    ]
    return text_table(header, cells)


@dataclass(frozen=True, slots=True)
class Reused:
    """Instances of all searches for the assertions of a program, with and without summaries of those before."""

    name: str
    assertions: int
    proved: int
    without: int
    with_summaries: int
    without_s: float
    with_s: float


def reused(path: Path, bound: int, limit: float) -> Reused:
    """The instances for one program, in this process. Programs are unrolled to the bound, so that proofs within it
    leave summaries for the assertions to come."""
    options = Options.of(engine="dag", recursion_bound=bound, all_assertions=True)
    ready = made_ready(paddock.load(path), options)
    question = ready.question
    bounds = question.recursion_bound, question.loop_bound, question.constant_loops
    counts: dict[bool, tuple[int, int, int, float]] = {}
    for reuse in (False, True):
        budget, started = CpuBudget(limit), time.process_time()
        with open_solver() as solver:
            asked = stated(ready.original, ready.prepared, question, solver, budget)
            whole = unrolled(asked.program, Bounds(asked.program, *bounds), bound)
            assert whole is not None, "the program is too large within this bound"
            asked = replace(asked, program=whole.program)
            groups = [[source] for source in asked.switches]
            steps = list(one_by_one(ready.original, asked, question, groups, solver, budget, reuse=reuse))
        proved = sum(step.outcome.verdict is Verdict.PROVED for step in steps)
        spent = round(time.process_time() - started, 1)
        counts[reuse] = len(groups), proved, sum(step.instances for step in steps), spent
    (total, proved, without, without_s), (_, _, with_summaries, with_s) = counts[False], counts[True]
    return Reused(path.name, total, proved, without, with_summaries, without_s, with_s)


def count_all(arguments: argparse.Namespace) -> int:
    """Table of instances; the status is 1 unless there are fewer with summaries in sum."""
    rows = []
    with (arguments.out / "instances.tsv").open("w", encoding="utf-8") as file:
        write_header(file, Reused)
        for path in arguments.files:
            rows.append(reused(path, arguments.recursion_bound, arguments.limit))
            write_row(file, rows[-1])
            print(
                f"{path.name}: {rows[-1].without} instances, {rows[-1].with_summaries} with summaries", file=sys.stderr
            )
    header = ["program", "assertions", "proved", "instances", "with summaries", "CPU s", "with summaries"]
    print(text_table(header, [astuple(row) for row in rows]))
    without, with_summaries = sum(r.without for r in rows), sum(r.with_summaries for r in rows)
    print(Bar("instances with summaries by those without", with_summaries / max(1, without), 1.0, True))
    return 0 if with_summaries < without else 1


def proposed(folder: Path) -> list[Path]:
    """The programs of the implications benchmark with the assertions that are proposed for them, as files."""
    found = []
    for task in (task for task in TASKS if task.file.exists()):
        options = Options.of(recursion_bound=task.unwind + 1, data_model="ilp32", checks=task.checks)
        _, program, _ = assertions_of_files([str(task.file)], options, Synthesis(RUNS, task.per_point))
        found.append(folder / f"{task.file.name.partition('.')[0]}.bpl")
        found[-1].write_text(paddock.program_text(program), encoding="utf-8")
    return found


def places(text: str, how: str, is_c: bool) -> list[re.Match[str]]:
    """Where a program can be edited so."""
    if how == "caller" and is_c:
        return list(RETURNED.finditer(text))
    found = list(ASSIGNMENT.finditer(text))
    if how == "keep":
        return found
    found = [m for m in found if NUMBER.search(m[2], m[2].index("="))]
    if how != "caller":
        return found
    seen = {name for m in GLOBAL.finditer(text) for name in re.split(r"\s*,\s*", m[1])}
    seen |= {part.partition(":")[0].strip() for m in RESULTS.finditer(text) for part in m[1].split(",")}
    return [m for m in found if m[2].partition(":=")[0].strip() in seen]


def edited(text: str, how: str, chance: Random, is_c: bool) -> str | None:
    """A program after an edit; None if there is nothing to edit."""
    found = places(text, how, is_c)
    if not found:
        return None
    place = chance.choice(found)
    start, statement = place.start(2), place[2]
    if how == "keep":
        return text[:start] + (";" if is_c else "assume true; ") + text[start:]
    number = NUMBER.search(statement, statement.find("=") + 1)
    assert number is not None
    new = statement[: number.start()] + str(int(number[0]) + 1) + statement[number.end() :]
    return text[:start] + new + text[place.end(2) :]


def versions(path: Path, seed: int) -> Iterator[tuple[str, str]]:
    """The edits of a program that are possible, with their texts; those that may break an assertion come last."""
    text, is_c = path.read_text(encoding="utf-8"), path.suffix != ".bpl"
    for how in ("keep", "change", "caller"):
        new = edited(text, how, Random(f"{seed} {path.name} {how}"), is_c)
        if new is not None:
            yield how, new
    twin = path.with_name(path.name.replace("_fixed.bpl", "_bug.bpl"))
    if twin != path and twin.exists():
        yield "bug", twin.read_text(encoding="utf-8")
        return
    for number in range(TRIES):
        new = edited(text, "change", Random(f"{seed} {path.name} bug {number}"), is_c)
        if new is not None:
            yield "bug", new


def runs_of(path: Path, options: Sequence[str], limits: Limits, seed: int) -> Iterator[Run]:
    """All checks of one program. The file has the same name in all of them, by which the store knows it."""
    with tempfile.TemporaryDirectory() as folder:
        file, store = Path(folder) / path.name, Path(folder) / "store"

        def checked(*more: str) -> tuple[str, float]:
            measured = measure((*CHECK, *options, *more, str(file)), limits)
            return answer(measured)[0], round(measured.cpu_s, 2)

        shutil.copyfile(path, file)
        safe, cpu_s = checked()
        yield Run(path.name, "without", safe, safe, cpu_s)
        yield Run(path.name, "first", *_with(checked("--store", str(store)), safe))
        yield Run(path.name, "second", *_with(checked("--store", str(store)), safe))
        done: set[str] = set()
        for planned, text in versions(path, seed) if safe in ("proved", "bounded") else ():
            if planned in done:
                continue
            file.write_text(text, encoding="utf-8")
            # What an empty statement means is known.
            expected, cpu_s = (safe, 0.0) if planned == "keep" else checked()
            how = "bug" if expected == "bug" else planned
            if how in done or (how == "bug" and expected != "bug"):
                continue
            done.add(how)
            if planned != "keep":
                yield Run(path.name, f"{how}, without", expected, expected, cpu_s)
            copy = Path(folder) / f"store after {how}"
            shutil.copytree(store, copy)
            yield Run(path.name, how, *_with(checked("--store", str(copy)), expected))


def usual(folder: Path) -> list[Path]:
    """The programs to take if none is named: drivers are written to a folder."""
    found: list[Path] = []
    for driver in suite(SEEDS):
        if driver.size.procedures >= SIZE and driver.seed:  # those of seed 0 are there to try things on
            (folder / driver.name).write_text(driver.text(), encoding="utf-8")
            found += [folder / driver.name] if driver.is_fixed else []
    svcomp = SHARED / "svcomp" / "verdicts.tsv"
    for row in read_tsv(svcomp) if svcomp.exists() else ():
        if row["category"].startswith(("ssh", "systemc")) and row["expected"] == "safe":
            found.append(svcomp.parent / row["file"])
    return [*found, *(path for name in DRIVERS if (path := SHARED / "sdv" / f"{name}.bpl").exists())]


def options_of(path: Path, engine: str, bound: int) -> tuple[str, ...]:
    """How a program is checked."""
    if path.suffix != ".bpl":
        return ()
    known = path.with_name("verdicts.tsv")
    rows = [row for row in read_tsv(known) if row["file"] == path.name] if known.exists() else []
    if rows and "recursion_bound" in rows[0]:
        return ("--goal", "return", "--engine", engine, "--recursion-bound", rows[0]["recursion_bound"])
    return ("--engine", engine, "--recursion-bound", str(bound))


def _with(found: tuple[str, float], expected: str) -> tuple[str, str, float]:
    return found[0], expected, found[1]


def is_wrong(run: Run) -> bool:
    """Whether a verdict is another one than without a store; between proved and bounded, either may be better."""
    same = {"proved": "bounded"}
    decided = run.verdict in DECIDED and run.expected in DECIDED
    return decided and same.get(run.verdict, run.verdict) != same.get(run.expected, run.expected)


def report(runs: Sequence[Run]) -> str:
    """A table of CPU seconds, and what was asked for, on the programs that were decided the first time."""
    by_name: dict[str, dict[str, Run]] = {}
    for run in runs:
        by_name.setdefault(run.name, {})[run.run] = run
    columns = ["without", "first", "second", *(c for e in EDITS for c in (f"{e}, without", e))]
    rows = [[name, of["first"].verdict, *(_seconds(of, c) for c in columns)] for name, of in by_name.items()]
    lines = [text_table(["program", "verdict", *columns], rows)]
    decided = [of for of in by_name.values() if of["first"].verdict in DECIDED]
    for kind, wanted in WANTED.items():
        both = [of for of in decided if kind in of]
        first = sum(of["first"].cpu_s for of in both)
        if first:
            share = sum(of[kind].cpu_s for of in both) / first
            lines.append(
                str(Bar(f"CPU seconds of '{kind}' by those of 'first' on {len(both)} programs", share, wanted, True))
            )
    wrong = [f"{run.name}, {run.run}: {run.verdict}, without a store {run.expected}" for run in runs if is_wrong(run)]
    lines.append("\n".join(wrong) if wrong else "verdicts are those without a store")
    return "\n".join(lines)


def _seconds(of: dict[str, Run], column: str) -> object:
    return of[column].cpu_s if column in of else ""


def _make_all(arguments: argparse.Namespace, limits: Limits) -> int:
    rows: list[Made] = []
    with (arguments.out / "table_2.tsv").open("w", encoding="utf-8") as file:
        write_header(file, Made)
        for path in arguments.files:
            for way in ("without", "with"):
                rows.append(made(path, way, arguments.recursion_bound, limits))
                write_row(file, rows[-1])
                print(f"{path.name}, {way} implications: {rows[-1].status}", file=sys.stderr, flush=True)
    print(table_2(rows))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("files", nargs="*", type=Path, metavar="FILE", help="programs")
    add("--table-2", action="store_true", help="count summaries with and without implications instead")
    add("--instances", action="store_true", help="count instances with and without summaries instead")
    add("--out", type=Path, default=Path("bench-summaries"), metavar="DIR", help="for results (default: %(default)s)")
    add("--limit", type=int, default=300, metavar="S", help="CPU seconds a check (default: %(default)s)")
    add("--memory", type=int, default=4096, metavar="MB", help="address space of a check (default: %(default)s)")
    add("--seed", type=int, default=0, metavar="N", help="of the edits (default: %(default)s)")
    add("--engine", default="dag", help="engine for Boogie programs (default: %(default)s)")
    add("--recursion-bound", type=int, default=2, metavar="R", help="bound for them (default: %(default)s)")
    add("--from", type=Path, dest="results", metavar="FILE", help="show these results and measure nothing")
    arguments = parser.parse_args()
    if arguments.results is not None:
        rows = read_tsv(arguments.results)
        print(report([Run(r["name"], r["run"], r["verdict"], r["expected"], float(r["cpu_s"])) for r in rows]))
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    arguments.out.mkdir(parents=True, exist_ok=True)
    limits = Limits(arguments.limit, arguments.memory)
    if not arguments.files:
        arguments.files = (proposed if arguments.table_2 or arguments.instances else usual)(arguments.out)
    if arguments.instances:
        return count_all(arguments)
    if arguments.table_2:
        return _make_all(arguments, limits)
    runs: list[Run] = []
    with (arguments.out / "results.tsv").open("w", encoding="utf-8") as file:
        write_header(file, Run)
        for path in arguments.files:
            options = options_of(path, arguments.engine, arguments.recursion_bound)
            for run in runs_of(path, options, limits, arguments.seed):
                runs.append(run)
                write_row(file, run)
                print(f"{run.name}, {run.run}: {run.verdict}, {run.cpu_s:.1f} CPU s", file=sys.stderr, flush=True)
    print(report(runs))
    return 1 if any(map(is_wrong, runs)) else 0


if __name__ == "__main__":
    sys.exit(main())
