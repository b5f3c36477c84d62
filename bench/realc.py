"""Measures Paddock on real C libraries with all checks, beside CBMC where it is named, and how both grow.

    python bench/realc.py [FOLDER] [--cbmc COMMAND] [--limit 60] [--growth]

Each library comes with the harness that an engineer would write, and once more with one realistic mistake. Every run is
a process of its own with a limit of CPU time. Ends with status 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from checking import check_all
from measure import Limits, Measured, measure_all
from tables import text_table

FOLDER = Path(__file__).parents[2] / "shared" / "realc"
CHECKS = ("--checks", "assert,bounds,pointer,overflow,div-by-zero,shift")
CBMC_CHECKS = ("--no-malloc-may-fail", "--unwinding-assertions", "--verbosity", "4")
COLUMNS = "program expected verdict CPU_s peak_MB decided undecided terms queries CBMC CBMC_CPU_s"
NO_BUG, BUG = "no bug", "bug"


@dataclass(frozen=True, slots=True)
class Task:
    """A program: its files, and what the compiler and the checker are given."""

    name: str
    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    defined: tuple[str, ...] = ()
    unwind: int | None = None
    cbmc_unwind: int = 20
    expected: str = NO_BUG

    def checked(self) -> list[str]:
        """What `paddock check` is given."""
        unwind = [] if self.unwind is None else ["--unwind", str(self.unwind)]
        return [*CHECKS, *unwind, *self.words()]

    def words(self) -> list[str]:
        """What both tools understand."""
        defined = [word for d in self.defined for word in ("-D", d)]
        return [*defined, *(word for f in self.folders for word in ("-I", str(f))), *map(str, self.files)]


@dataclass(frozen=True, slots=True)
class Run:
    """What Paddock said of a program: a line of the results."""

    name: str
    verdict: str
    cpu_s: float
    peak_mb: float
    decided: int | None
    undecided: int | None
    terms: int | None
    queries: int | None


def tasks(folder: Path, scratch: Path) -> Iterator[Task]:
    """The libraries as they are, and those with a mistake."""
    jsmn = folder / "jsmn"
    mistaken = scratch / "jsmn"  # the harness includes the header that is beside it
    mistaken.mkdir()
    (mistaken / "jsmn_h.c").write_bytes((jsmn / "jsmn_h.c").read_bytes())
    (mistaken / "jsmn.h").write_bytes((jsmn / "seeded" / "jsmn.h").read_bytes())
    for place, expected in ((jsmn, NO_BUG), (mistaken, BUG)):
        name = "jsmn" if expected == NO_BUG else "jsmn seeded"
        yield Task(name, (place / "jsmn_h.c",), (), ("N=3", "T=2"), 7, 7, expected)
    for library, harness, source, defined in (
        ("tiny-regex", "re_h.c", "re.c", ("COMPILE_ONLY", "P=2")),
        ("tiny-aes", "aes_h.c", "aes.c", ()),
        ("heatshrink", "hs_h.c", "heatshrink_decoder.c", ("N=1", "HEATSHRINK_DYNAMIC_ALLOC=0")),
    ):
        place = folder / library
        for seeded, expected in ((place / source, NO_BUG), (place / "seeded" / source, BUG)):
            name = library if expected == NO_BUG else f"{library} seeded"
            if name == "heatshrink seeded":
                defined = ("N=2", "OUT=1", "HEATSHRINK_DYNAMIC_ALLOC=0")  # with one byte, nothing is put out
            yield Task(name, (place / harness, seeded), (place, folder), defined, expected=expected, cbmc_unwind=300)


def growing(folder: Path) -> Iterator[Task]:
    """jsmn with more and more bytes of input."""
    for n in range(1, 6):
        yield Task(f"jsmn, {n} bytes", (folder / "jsmn" / "jsmn_h.c",), (), (f"N={n}", "T=2"), 2 * n + 1, 2 * n + 1)


def cbmc(command: str, task: Task) -> list[str]:
    return [*shlex.split(command), *CBMC_CHECKS, "--unwind", str(task.cbmc_unwind), *task.words()]


def cbmc_verdict(measured: Measured) -> str:
    """CBMC's exit status: 0 where nothing fails, 10 where something does."""
    return {0: NO_BUG, 10: BUG}.get(measured.status, "timeout" if measured.timed_out else "error")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure Paddock on real C libraries with all checks.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--cbmc", metavar="COMMAND", help="measure CBMC, too")
    parser.add_argument("--limit", type=int, default=60, metavar="S", help="CPU seconds a run (default: %(default)s)")
    parser.add_argument("--growth", action="store_true", help="also jsmn with 1 to 5 bytes of input")
    parser.add_argument("--out", type=Path, metavar="DIR", default=Path("build/bench/realc"), help="for results")
    given = parser.parse_args()
    with TemporaryDirectory() as scratch:
        wanted = [*tasks(given.folder, Path(scratch)), *(growing(given.folder) if given.growth else ())]
        rows, is_wrong = measured(wanted, given.cbmc, Limits(given.limit, 4096), given.out)
    print(text_table(COLUMNS.split(), rows))
    return 1 if is_wrong else 0


def measured(
    wanted: Sequence[Task], command: str | None, limits: Limits, out: Path
) -> tuple[list[tuple[object, ...]], bool]:
    """A row a task, and whether a verdict is wrong."""
    work = [(task, task.checked()) for task in wanted]
    runs = check_all(work, lambda task, answer: answer.row(Run, name=task.name), Run, out, limits)
    theirs = dict(measure_all([cbmc(command, task) for task in wanted], limits, 1)) if command else {}
    rows: list[tuple[object, ...]] = []
    is_wrong = False
    for n, (task, run) in enumerate(zip(wanted, runs, strict=True)):
        is_wrong |= (run.verdict == "bug") != (task.expected == BUG) and run.verdict in ("bug", "proved", "bounded")
        other = (cbmc_verdict(theirs[n]), round(theirs[n].cpu_s, 1)) if n in theirs else ("", "")
        counts = run.decided, run.undecided, run.terms, run.queries
        rows.append((task.name, task.expected, run.verdict, run.cpu_s, round(run.peak_mb), *counts, *other))
    sums = round(sum(run.cpu_s for run in runs), 1), round(sum(m.cpu_s for m in theirs.values()), 1)
    rows.append(("all", "", "", sums[0], *[""] * 6, sums[1] if theirs else ""))
    return rows, is_wrong


if __name__ == "__main__":
    sys.exit(main())
