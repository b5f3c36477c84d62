"""Measures how VC size and CPU time grow with N on the program of Fig. 2 of the DAG-inlining paper, as its Fig. 3 does.

    python bench/fig3.py [--most 1000] [--limit 60] [--out DIR]
    python bench/fig3.py --from RESULTS.tsv [--out DIR]

The program (`examples/fig2.py`) has 2^N paths. DAG inlining (Lal and Qadeer, PLDI 2015) should be linear in N; inlining
as a tree, by `stratified`, `eager`, or CBMC where that is installed, is exponential. But the pass `facts` alone proves
that program, before anything is inlined. So each engine also runs without facts, and on a program whose assertion the
facts do not decide. Each runs for growing N until a run does not end within the limit.
"""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from growing import Curves, Run, Tool, curves, draw, paddock, parser, run_all, table
from measure import Limits, measure

sys.path.append(str(Path(__file__).parents[1] / "examples"))
from fig2 import program

ENGINES = ("dag", "stratified", "eager")
UNDECIDED, NO_FACTS = "-undecided", "-nofacts"
TOOLS = ("dag", *(engine + setting for setting in (UNDECIDED, NO_FACTS) for engine in ENGINES))
CBMC = "CBMC"
SIZES = (2, 4, 6, 8, 10, 12, 14, 16, 20, 30, 50, 100, 200, 300, 400, 500, 700, 1000)
EXPECTED = "proved"

# What is asked of DAG inlining, with facts that decide and with facts that do not.
LINEAR = ("dag", "dag" + UNDECIDED)
MOST_EXPONENT = 1.1  # of VC size
MOST_GROWTH = (200, 400, 3.0)  # from this N to that, CPU time grows at most by this factor
MOST_CPU_S = {500: 20.0, 400: 8.0}  # at this N
FIT_FROM = 50  # below, the start of Python hides the growth
# What is expected of trees: VC size grows at least by this factor from N to N + 1.
EXPONENTIAL = tuple(engine + setting for setting in (UNDECIDED, NO_FACTS) for engine in ENGINES[1:])
LEAST_FACTOR = 1.9


def main() -> int:
    arguments = parser(
        "Measure growth on the program of Fig. 2 of the DAG-inlining paper.", SIZES[-1], "build/bench/fig3"
    )
    options = arguments.parse_args()
    if min(options.most, options.limit, options.memory) < 1:
        arguments.error("N and the limits must be at least 1")
    tools = [_paddock(tool) for tool in TOOLS]
    if shutil.which("cbmc"):
        tools.append(_cbmc_run)
    elif not options.results:
        print("cbmc is not installed: left out", file=sys.stderr)
    runs = run_all(options, tools, SIZES, [EXPECTED])
    print(report(runs))
    draw(_curves(runs), options.out / "fig3")
    return 1 if any(run.verdict in ("bug", "bounded") for run in runs) else 0


# --- measuring -----------------------------------------------------------------------------------


def _paddock(tool: str) -> Tool:
    engine = tool.partition("-")[0]
    facts = "--no-facts" if tool.endswith(NO_FACTS) else "--facts"
    flags = ("--no-deep-asserts", "--engine", engine, facts)
    return paddock(tool, flags, undecided if tool.endswith(UNDECIDED) else program)


def _cbmc_run(n: int, limits: Limits, folder: Path) -> Run:
    file = folder / f"fig2_{n}.c"
    file.write_text(c_program(n), encoding="utf-8")
    measured = measure(("cbmc", str(file)), limits)
    verdict = "timeout" if measured.timed_out else {0: EXPECTED, 10: "bug"}.get(measured.status, "error")
    return Run(CBMC, n, verdict, round(measured.cpu_s, 2), round(measured.peak_mb, 1), None, None)


def undecided(n: int) -> str:
    """Fig. 2 with an assertion about a function of g: that g is N does not decide it, but makes it true."""
    return program(n).replace(f"assert g == {n};", f"assert f(g) == f({n});") + "\nfunction f(n: int): int;\n"


def c_program(n: int) -> str:
    """The program of Fig. 2 in C, for CBMC."""
    functions = [f'static void P{n}(void) {{ __CPROVER_assert(g == {n}, "g is N"); }}']
    for i in range(n - 1, -1, -1):
        functions += [
            f"static void Left{i}(void) {{ g = g + 1; P{i + 1}(); }}",
            f"static void Right{i}(void) {{ g = g + 1; P{i + 1}(); }}",
            f"static void P{i}(void) {{ if (nondet_int()) Left{i}(); else Right{i}(); }}",
        ]
    entry = "int main(void) { g = 0; P0(); return 0; }"
    return "\n".join(["int nondet_int(void);", "int g;", *functions, entry]) + "\n"


# --- showing -------------------------------------------------------------------------------------


def report(runs: Sequence[Run]) -> str:
    """The table, the fit and what is asked for."""
    return "\n".join([table(runs), *_fits(runs), *_bars(runs)])


def _fits(runs: Sequence[Run]) -> Iterator[str]:
    for what, found in _curves(runs).items():
        for tool in LINEAR:
            points = _for_fit(found.get(tool, ()))
            if len(points) > 1:
                yield f"{tool}, fit from N = {FIT_FROM}: {what} ~ N^{exponent(points):.2f}"


def _bars(runs: Sequence[Run]) -> Iterator[str]:
    sizes, times = _curves(runs).values()
    for tool in LINEAR:
        points = _for_fit(sizes.get(tool, ()))
        if len(points) > 1:
            found = exponent(points)
            yield f"{tool}: VC size ~ N^{found:.2f} (at most {MOST_EXPONENT:g}: {_met(found <= MOST_EXPONENT)})"
        seconds = dict(times.get(tool, ()))
        low, high, most_growth = MOST_GROWTH
        if low in seconds and high in seconds:
            ratio = seconds[high] / seconds[low]
            what = f"CPU time at N = {high} / at N = {low} = {ratio:.2f}"
            yield f"{tool}: {what} (at most {most_growth:g}: {_met(ratio <= most_growth)})"
        else:
            yield f"{tool}: CPU time at N = {high} / at N = {low}: NOT MET, not proved for both"
        for n, most_s in MOST_CPU_S.items():
            if n in seconds:
                met = _met(seconds[n] <= most_s)
                yield f"{tool}: CPU time at N = {n} = {seconds[n]:.1f} s (at most {most_s:g}: {met})"
            else:
                yield f"{tool}: CPU time at N = {n}: NOT MET, not proved"
    for tool in EXPONENTIAL:
        points = sizes.get(tool, ())
        if len(points) > 1:
            found = factor(points)
            met = _met(found >= LEAST_FACTOR)
            yield f"{tool}: VC size ~ {found:.2f}^N, up to N = {points[-1][0]} (at least {LEAST_FACTOR:g}: {met})"


def _for_fit(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(n, y) for n, y in points if n >= FIT_FROM]


def _met(is_met: bool) -> str:
    return "met" if is_met else "NOT MET"


def _curves(runs: Sequence[Run]) -> dict[str, Curves]:
    return {
        "VC size (formulas)": curves(runs, [EXPECTED], lambda run: run.formulas),
        "CPU seconds": curves(runs, [EXPECTED], lambda run: run.cpu_s),
    }


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The k for which y = c · x^k fits best: the slope of the regression line through the logarithms."""
    return _slope([(math.log(x), math.log(y)) for x, y in points])


def factor(points: Sequence[tuple[float, float]]) -> float:
    """The b for which y = c · b^x fits best."""
    return math.exp(_slope([(x, math.log(y)) for x, y in points]))


def _slope(points: Sequence[tuple[float, float]]) -> float:
    xs, ys = zip(*points, strict=True)
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return covariance / sum((x - mean_x) ** 2 for x in xs)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; what was measured is in results.tsv, show it with --from")
