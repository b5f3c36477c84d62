"""Measures Paddock on real C libraries with all checks, beside CBMC where it is named, and how both grow.

    python bench/realc.py [FOLDER] [--cbmc COMMAND] [--limit 60] [--growth]

Each library comes with the harness that an engineer would write, and once more with one realistic mistake. CBMC gets
the smallest bound (`--unwind`) that suffices, Paddock finds it. Every run is a process of its own with a limit of CPU
time. `decided` checks were seen to hold on the way; `undecided` ones and `terms` went to the solver, of which `arrays`
read or write an array; `clauses` are those of the formula of CBMC. Ends with status 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import re
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
CBMC_CHECKS = ("--no-malloc-may-fail", "--unwinding-assertions", "--verbosity", "8")
COLUMNS = (
    *("program", "expected", "verdict", "CPU_s", "peak_MB", "decided", "undecided", "terms", "arrays"),
    *("queries", "CBMC", "CBMC_CPU_s", "CBMC_peak_MB", "clauses"),
)
NO_BUG, BUG = "no bug", "bug"

# As the harness of tiny-AES, but for any number of blocks.
BLOCKS = """#include "nd.h"
#include "aes.h"
int main(void) {
  struct AES_ctx ctx;
  uint8_t key[16], iv[16], buf[16 * BLOCKS];
  for (int i = 0; i < 16; i++) { key[i] = __VERIFIER_nondet_uchar(); iv[i] = __VERIFIER_nondet_uchar(); }
  for (int i = 0; i < 16 * BLOCKS; i++) buf[i] = __VERIFIER_nondet_uchar();
  AES_init_ctx_iv(&ctx, key, iv);
  AES_CBC_encrypt_buffer(&ctx, buf, 16 * BLOCKS);
  return 0;
}
"""


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
    array_terms: int | None
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
    for library, harness, source, defined, cbmc_unwind in (
        ("tiny-regex", "re_h.c", "re.c", ("COMPILE_ONLY", "P=2"), 4),
        ("tiny-aes", "aes_h.c", "aes.c", (), 60),
        # With fewer bytes nothing is put out behind the end, and the harness is for the static configuration.
        ("heatshrink", "hs_h.c", "heatshrink_decoder.c", ("N=3", "OUT=1", "HEATSHRINK_DYNAMIC_ALLOC=0"), 40),
    ):
        place = folder / library
        for seeded, expected in ((place / source, NO_BUG), (place / "seeded" / source, BUG)):
            name = library if expected == NO_BUG else f"{library} seeded"
            files, folders = (place / harness, seeded), (place, folder)
            yield Task(name, files, folders, defined, cbmc_unwind=cbmc_unwind, expected=expected)


def growing(folder: Path, scratch: Path) -> Iterator[Task]:
    """jsmn with more and more bytes of input, tiny-AES with more and more blocks."""
    for n in range(1, 6):
        name = f"jsmn, {n} byte{'s'[: n > 1]}"
        yield Task(name, (folder / "jsmn" / "jsmn_h.c",), (), (f"N={n}", "T=2"), 2 * n + 1, 2 * n + 1)
    harness, place = scratch / "blocks.c", folder / "tiny-aes"
    harness.write_text(BLOCKS)
    for n in (1, 2, 4):
        name = f"tiny-AES, {n} block{'s'[: n > 1]}"
        yield Task(name, (harness, place / "aes.c"), (place, folder), (f"BLOCKS={n}",), cbmc_unwind=16 * n + 45)


def cbmc(command: str, task: Task) -> list[str]:
    return [*shlex.split(command), *CBMC_CHECKS, "--unwind", str(task.cbmc_unwind), *task.words()]


def cbmc_verdict(measured: Measured) -> str:
    """CBMC's exit status: 0 where nothing fails, 10 where something does."""
    return {0: NO_BUG, 10: BUG}.get(measured.status, "timeout" if measured.timed_out else "error")


def clauses(measured: Measured) -> int | None:
    """How large CBMC's formula is; None if it has come to none."""
    counted = re.findall(r"(\d+) clauses", measured.out)
    return max(map(int, counted), default=None)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure Paddock on real C libraries with all checks.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--cbmc", metavar="COMMAND", help="measure CBMC, too")
    parser.add_argument("--limit", type=int, default=60, metavar="S", help="CPU seconds a run (default: %(default)s)")
    parser.add_argument("--growth", action="store_true", help="also more and more bytes, and blocks")
    parser.add_argument("--out", type=Path, metavar="DIR", default=Path("build/bench/realc"), help="for results")
    given = parser.parse_args()
    with TemporaryDirectory() as scratch:
        wanted = [*tasks(given.folder, Path(scratch)), *(growing(given.folder, Path(scratch)) if given.growth else ())]
        rows, is_wrong = measured(wanted, given.cbmc, Limits(given.limit, 4096), given.out)
    print(text_table(COLUMNS, rows))
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
        other: tuple[object, ...] = ("",) * 4
        if n in theirs:
            its = theirs[n]
            other = (cbmc_verdict(its), round(its.cpu_s, 1), round(its.peak_mb), clauses(its))
        counts = run.decided, run.undecided, run.terms, run.array_terms, run.queries
        rows.append((task.name, task.expected, run.verdict, run.cpu_s, round(run.peak_mb), *counts, *other))
    sums = round(sum(run.cpu_s for run in runs), 1), round(sum(m.cpu_s for m in theirs.values()), 1)
    rows.append(("all", "", "", sums[0], *[""] * 7, sums[1] if theirs else "", "", ""))
    return rows, is_wrong


if __name__ == "__main__":
    sys.exit(main())
