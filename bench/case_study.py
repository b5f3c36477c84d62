"""The form of the busybox study of the paper on gambling (Akhundov et al., Verification by Gambling on Program Slices,
§4.5): a program with 13 assertions on indices in nested loops that no bounded verifier unrolls.

    python bench/case_study.py [PROGRAM] [--limit 60] [--verifier COMMAND ...] [--out DIR]

The program is checked without gambling, with it, with two regions at a time, and with other verifiers for regions; and
by those alone, the whole of it. Printed is how many assertions each of them proves.
"""

from __future__ import annotations

import argparse
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from answers import result_of
from measure import Limits, Measured, measure
from tables import text_table, write_header, write_row
from verifiers import KNOWN

from paddock.engines.regions.backends import tool_named

PROGRAM = Path(__file__).parents[1] / "examples" / "field.c"
CHECK = (sys.executable, "-m", "paddock", "check", "--format", "json", "--all-assertions", "--no-project")
GAMBLE = ("--gamble", "--jobs", "1")


@dataclass(frozen=True, slots=True)
class Row:
    """A way to verify the program: a line of the results."""

    way: str
    assertions: int | None
    proved: int | None
    by_region: int | None
    verdict: str
    cpu_s: float
    wall_s: float


def main() -> int:
    parser = argparse.ArgumentParser(description="Verify a program with assertions in deeply nested loops.")
    add = parser.add_argument
    add("program", nargs="?", type=Path, default=PROGRAM, help="(default: %(default)s)")
    add("--limit", type=int, default=60, metavar="S", help="CPU seconds a run (default: %(default)s)")
    add("--memory", type=int, default=4096, metavar="MB", help="address space of a run (default: %(default)s)")
    add("--verifier", action="append", metavar="COMMAND", help=f"default: {', '.join(KNOWN)}, if they are installed")
    add("--out", type=Path, metavar="DIR", default=Path("build/bench/case-study"), help="(default: %(default)s)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing that was started outlives us
    options.out.mkdir(parents=True, exist_ok=True)
    commands = options.verifier or [command for name, command in KNOWN.items() if which(name)]
    ways: dict[str, tuple[str, ...]] = {
        "Paddock alone": (),
        "gambling": GAMBLE,
        "gambling, 2 jobs": (*GAMBLE[:-1], "2"),
    }
    ways |= {f"gambling+{command.split()[0]}": (*GAMBLE, "--backend", command) for command in commands}
    limits = Limits(options.limit, options.memory)
    rows = []
    with (options.out / "results.tsv").open("w", encoding="utf-8") as table:
        write_header(table, Row)
        for way, words in ways.items():
            measured = measure((*CHECK, *words, str(options.program)), limits)
            rows.append(_checked(way, measured))
            write_row(table, rows[-1])
        for command in (c for c in commands if tool_named(c).reads_c):
            tool = tool_named(command)
            measured = measure((*tool.command, str(options.program)), limits)
            said = tool.read(measured.out + measured.error, measured.status)
            verdict = "timeout" if measured.timed_out else "proved" if said.is_safe else said.problem or "not proved"
            used = round(measured.cpu_s, 1), round(measured.wall_s, 1)
            rows.append(Row(f"{command.split()[0]} alone", None, None, None, verdict, *used))
            write_row(table, rows[-1])
    header = "way assertions proved by_region verdict cpu_s wall_s".split()
    print(text_table(header, [tuple(getattr(row, name) for name in header) for row in rows]), end="")
    return 0


def _checked(way: str, measured: Measured) -> Row:
    found = result_of(measured).get("assertions", [])
    proved = [a for a in found if a["verdict"] == "proved"]
    by_region = sum(bool(a.get("region")) for a in proved)
    verdict = "timeout" if measured.timed_out else str(result_of(measured).get("verdict", "error"))
    used = round(measured.cpu_s, 1), round(measured.wall_s, 1)
    return Row(way, len(found) or None, len(proved), by_region, verdict, *used)


if __name__ == "__main__":
    sys.exit(main())
