"""How fast Boogie is read and printed: MB/s of lexing, parsing, checking and printing, and the peak memory.

    python bench/frontend.py [FILE.bpl | FOLDER ...]

Without arguments a program of about 3 MB is generated. Each file is measured in a process of its own, so that its
peak memory is its own. Where the program `boogie` is installed, its CPU time for `boogie /noVerify` on the same file
is measured in the same run, and the ratio is printed. The bar: 0.6 MB/s for parsing and checking, 1 GB of memory.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

BAR_MB_S = 0.6
BAR_MB = 1000
GENERATED_PROCEDURES = 5000


def generated() -> str:
    """A program of the kind that drivers are: many procedures with branches, calls, maps and attributes."""
    lines = ["type ref = int;", "var {:scalar} state: int;", "var Mem: [int]int;", "function f(a: int, b: int): int;"]
    for n in range(GENERATED_PROCEDURES):
        lines.append(f"""
procedure {{:origName "P{n}"}} P{n}(x: int, y: ref) returns (r: int);
  modifies state, Mem;
  free ensures {{:keep}} old(state) == 0 ==> state >= 0;

implementation {{:origName "P{n}"}} P{n}(x: int, y: ref) returns (r: int)
{{
  var {{:scalar}} t: int;

  anon0:
    assume {{:nonnull}} y != 0 && (x > 0 || y > 4);
    t := Mem[y + {n % 7}];
    goto anon1_Then, anon1_Else;

  anon1_Then:
    assume {{:partition}} f(t, x) == {n};
    Mem := Mem[y := f(x + {n}, t * 2)];
    call {{:si_unique_call {n}}} r := P{(n + 1) % GENERATED_PROCEDURES}(t - 1, y + 8);
    goto anon2;

  anon1_Else:
    assume {{:partition}} f(t, x) != {n};
    state, r := state + 1, (if t < x then t else x);
    goto anon2;

  anon2:
    return;
}}""")
    return "\n".join(lines)


def measure(path: str) -> dict[str, float]:
    """CPU seconds of each stage on one file, its size and the process's peak memory, both in MB."""
    from paddock.collector import collector_paused
    from paddock.frontends.boogie.check import check
    from paddock.frontends.boogie.lexer import tokenize
    from paddock.frontends.boogie.parser import parse
    from paddock.frontends.source import Source
    from paddock.ir.printer import program_text

    text = Path(path).read_text(encoding="utf-8")
    times = [time.process_time()]
    tokenize(Source(text, path))
    times.append(time.process_time())
    source = Source(text, path)
    with collector_paused():  # as `load` does
        parsed = parse(source)
        times.append(time.process_time())
        program = check([(source, node) for node in parsed])
    times.append(time.process_time())
    program_text(program)
    times.append(time.process_time())
    lex, lex_parse, checking, printing = (b - a for a, b in pairwise(times))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "mb": len(text.encode()) / 1e6,
        "lex": lex,
        "parse": lex_parse,
        "check": checking,
        "print": printing,
        "peak": peak,
    }


def boogie_seconds(path: str) -> float | None:
    """The CPU time of `boogie /noVerify`, None if it is not installed or refuses the file."""
    if shutil.which("boogie") is None:
        return None
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["boogie", "/noVerify", path], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return None
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row(name: str, *cells: str) -> None:
    print(f"{name:44}", *(f"{cell:>8}" for cell in cells))


def report(path: str) -> bool:
    """Print the line of one file; whether it meets the bar."""
    child = subprocess.run([sys.executable, __file__, "--measure", path], capture_output=True, check=True, text=True)
    m = json.loads(child.stdout)
    both = m["parse"] + m["check"]
    rates = [m["mb"] / s for s in (m["lex"], m["parse"], m["check"], both, m["print"])]
    other = boogie_seconds(path)
    ratio = f"{both / other:.2f}" if other else "-"
    row(Path(path).name[:44], f"{m['mb']:.2f}", *(f"{r:.2f}" for r in rates), f"{m['peak']:.0f}", ratio)
    return m["mb"] / both >= BAR_MB_S and m["peak"] < BAR_MB


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--measure"]:
        print(json.dumps(measure(arguments[1])))
        return 0
    files = [str(f) for a in arguments for f in (sorted(Path(a).glob("*.bpl")) if Path(a).is_dir() else [Path(a)])]
    row("file", "MB", "lex", "parse", "check", "both", "print", "peak", "/boogie")
    row("", "", *["MB/s"] * 5, "MB", "CPU")
    with tempfile.TemporaryDirectory() as folder:
        if not files:
            file = Path(folder) / "generated.bpl"
            file.write_text(generated(), encoding="utf-8")
            files = [str(file)]
        good = [report(file) for file in files]
    print(f"parse + check at {BAR_MB_S} MB/s or better, under {BAR_MB} MB: {sum(good)} of {len(good)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
