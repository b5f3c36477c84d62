"""Measures how instances and CPU time grow with n on the program of Fig. 1 of the deep-asserts paper (§II, §III).

    python bench/fig1.py [--most 100] [--limit 60] [--out DIR]
    python bench/fig1.py --from RESULTS.tsv [--out DIR]

The program (`examples/deep_asserts.py`) has its assertion below a chain of n procedures that each call their successor
twice. Forward search (SI, DI) inlines 2^n procedures. With the assertion lifted to the entry (DA) it should be O(1),
from the assertion up with instances that callers share (AT) O(n), and O(1) if each P_i has the precondition `g == 1`
(AT+Pre). Facts are off: they alone prove this program.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from growing import curves, draw, paddock, parser, run_all, table

sys.path.append(str(Path(__file__).parents[1] / "examples"))
from deep_asserts import program

OFF = ("--no-facts", "--no-houdini", "--refine=none", "--recursion-bound=3")
CONFIGURATIONS = {
    "SI": (*OFF, "--no-deep-asserts", "--engine=stratified"),
    "DI": (*OFF, "--no-deep-asserts", "--engine=dag"),
    "AT": (*OFF, "--no-deep-asserts", "--engine=alternating"),
    "SI+DA": (*OFF, "--deep-asserts", "--engine=stratified"),
    "DI+DA": (*OFF, "--deep-asserts", "--engine=dag"),
}
PRECONDITION = " free requires g == 1;"
SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 200)
EXPECTED = ("proved", "bounded")


def main() -> int:
    arguments = parser("Measure growth on the program of Fig. 1 of the deep-asserts paper.", 100, "build/bench/fig1")
    options = arguments.parse_args()
    if min(options.most, options.limit, options.memory) < 1:
        arguments.error("n and the limits must be at least 1")
    tools = [paddock(name, words, program) for name, words in CONFIGURATIONS.items()]
    tools.append(paddock("AT+Pre", CONFIGURATIONS["AT"], partial(program, contract=PRECONDITION)))
    runs = run_all(options, tools, SIZES, EXPECTED)
    print(table(runs))
    panels = {
        "instances": curves(runs, EXPECTED, lambda run: run.instances),
        "CPU seconds": curves(runs, EXPECTED, lambda run: run.cpu_s),
    }
    draw(panels, options.out / "fig1")
    return 1 if any(run.verdict == "bug" for run in runs) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; what was measured is in results.tsv, show it with --from")
