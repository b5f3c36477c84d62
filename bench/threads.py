"""Measures how CPU time grows with contexts, with threads, and with the depth of assertions in a driver with threads.

    python bench/threads.py [--most 6] [--limit 60] [--out DIR]
    python bench/threads.py --from RESULTS.tsv [--out DIR]

The driver serves each request in a thread of its own: it takes the lock of the device, passes the request down through
layers of helpers, each of which calls the next one from two places, and completes it, where it asserts that it holds
the lock. N is the number of contexts (of 2 threads), of threads (with 2 contexts), or of layers (with 2 of both).
Each is measured with assertions where they are, and lifted to the entry (+DA), as in Fig. 12 of the deep-asserts paper.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from growing import Run, Tool, curves, draw, paddock, parser, run_all, table
from measure import Limits

HEADER = """\
// A driver that serves each request in a thread, as bench/threads.py writes it.
// Expected: bounded.
var locked: bool;
var owner, completed: int;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure Acquire(me: int)
  modifies locked, owner;
{
  call corral_atomic_begin();
  assume !locked;
  locked, owner := true, me;
  call corral_atomic_end();
}

procedure Complete(me: int)
  modifies completed;
{
  assert locked && owner == me;
  completed := completed + 1;
}
"""
HELPER = """
procedure Layer{n}(me: int, kind: int)
  modifies completed;
{{
  if (kind > {n})
  {{
    call {below};
  }}
  else
  {{
    call {below};
  }}
}}
"""
REQUEST = """
procedure Request(me: int, kind: int)
  modifies locked, owner, completed;
{
  call Acquire(me);
  call Layer1(me, kind);
  locked := false;
}
"""
EXPECTED = ("proved", "bounded")
SIZES = (1, 2, 3, 4, 5, 6)


def program(threads: int = 2, layers: int = 3) -> str:
    """The driver with so many requests at a time, and so many layers."""
    parts = [HEADER]
    for n in range(layers, 0, -1):
        parts.append(HELPER.format(n=n, below="Complete(me)" if n == layers else f"Layer{n + 1}(me, kind)"))
    parts.append(REQUEST)
    started = "".join(f"  async call Request({n}, kind);\n" for n in range(1, threads + 1))
    main = "procedure {:entrypoint} main(kind: int)\n  modifies locked, owner, completed;\n{\n"
    parts.append(f"\n{main}  locked, owner, completed := false, 0, 0;\n{started}}}\n")
    return "".join(parts)


def growing(name: str, options: Callable[[int], list[str]], text: Callable[[int], str]) -> list[Tool]:
    """Checks of programs that grow, or under bounds that do, without and with lifted assertions."""

    def tool(title: str, more: list[str]) -> Tool:
        def run(n: int, limits: Limits, folder: Path) -> Run:
            return paddock(title, [*options(n), *more], text)(n, limits, folder)

        return run

    return [tool(name, ["--no-deep-asserts"]), tool(f"{name}+DA", ["--deep-asserts"])]


def main() -> int:
    arguments = parser("Measure growth on a driver with threads.", 6, "build/bench/threads")
    options = arguments.parse_args()
    if min(options.most, options.limit, options.memory) < 1:
        arguments.error("N and the limits must be at least 1")
    tools = [
        *growing("contexts", lambda n: ["--contexts", str(n)], lambda _: program()),
        *growing("threads", lambda _: [], lambda n: program(threads=n)),
        *growing("layers", lambda _: [], lambda n: program(layers=n)),
    ]
    runs = run_all(options, tools, SIZES, EXPECTED)
    print(table(runs))
    draw({"CPU seconds": curves(runs, EXPECTED, lambda run: run.cpu_s)}, options.out / "threads")
    return 1 if any(run.verdict == "bug" for run in runs) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; what was measured is in results.tsv, show it with --from")
