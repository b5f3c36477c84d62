"""The same input, options and seed give the same verdict, trace and statistics: twice in one process, in processes that
hash differently, and whatever else is being checked in the same process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import pytest

import paddock
from paddock import Options, Result
from paddock.ir.program import find_attribute

HERE = Path(__file__).parent
SOURCES = str(Path(paddock.__file__).parents[1])
SOLVERS = ["z3", "cvc5"] if find_spec("cvc5") else ["z3"]

# Where much happens: recursion, loops, data, maps, strategies that throw dice.
CASES = [
    (HERE / "theories" / "recursion.bpl", "results_may_fail", Options.of(engine="stratified")),
    (HERE / "theories" / "recursion.bpl", "called_in_both_branches", Options.of(merge="random", seed=7)),
    (HERE / "theories" / "recursion.bpl", "two_procedures_may_fail", Options.of(merge="randompick", seed=7)),
    (HERE / "theories" / "control.bpl", "break_of_two_levels_may_fail", Options.of(merge="opt")),
    (HERE / "theories" / "control.bpl", "irreducible", Options.of(engine="eager")),
    (HERE / "theories" / "datatypes.bpl", "long_list", Options.of(merge="maxc")),
    (HERE / "theories" / "maps.bpl", "pigeonhole_of_maps", Options()),
    (HERE / "theories" / "sorts.bpl", "values_of_a_function", Options()),
    (HERE / "theories" / "implementations.bpl", "they_differ", Options()),
    (HERE / "theories" / "quantifiers.bpl", "assumed_range", Options()),
]


def without_times(result: Result) -> dict[str, object]:
    """All that a result says but for the times."""
    stats = {name: count for name, count in result.stats.items() if not name.endswith("_s")}
    fields = {name: getattr(result, name) for name in ("verdict", "bound", "reason", "entry", "goal", "assertions")}
    return {**fields, "stats": stats, "trace": result.trace}


def answer(number: int, solver: str = "z3") -> dict[str, object]:
    path, entry, options = CASES[number]
    chosen = {name: options.value(name) for name in ("engine", "merge", "seed")}
    return without_times(paddock.check(paddock.load(path), Options.of(entry=entry, solver=solver, **chosen)))


def answers(solver: str) -> Mapping[str, object]:
    return {f"{CASES[n][0].stem}.{CASES[n][1]}": answer(n, solver) for n in range(len(CASES))}


PRINTING = "from tests.integration.test_determinism import SOLVERS, answers; print(*map(answers, SOLVERS))"


def test_in_processes_that_hash_differently() -> None:
    def printed(seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", PRINTING],
            capture_output=True,
            text=True,
            check=True,
            cwd=HERE.parents[1],
            env={**os.environ, "PYTHONPATH": SOURCES, "PYTHONHASHSEED": seed},
            timeout=600,
        ).stdout

    first = printed("1")
    assert "fails" in first
    assert printed("2") == first


@pytest.mark.parametrize("solver", SOLVERS)
def test_checks_in_threads_do_not_disturb_each_other(solver: str) -> None:
    alone = [answer(n, solver) for n in range(len(CASES))]
    assert all(found["verdict"] == "bug" for found in alone)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda n: answer(n, solver), range(len(CASES))))
    assert together == alone


def test_a_check_leaves_the_program_as_it_was() -> None:
    program = paddock.load(HERE / "theories" / "recursion.bpl")
    before = paddock.program_text(program)
    entries = [p.name for p in program.procedures if find_attribute(p.attributes, "verdict")]
    options = [Options.of(entry=entry, recursion_bound=3) for entry in entries]
    first = [without_times(paddock.check(program, each)) for each in options]
    again = [without_times(paddock.check(program, each)) for each in reversed(options)]
    assert first == again[::-1]
    assert paddock.program_text(program) == before


def test_another_seed_may_take_another_way_to_the_same_verdict() -> None:
    path, entry, _ = CASES[1]
    program = paddock.load(path)
    found = [paddock.check(program, Options.of(entry=entry, merge="random", seed=seed)) for seed in range(5)]
    assert {result.verdict for result in found} == {paddock.Verdict.BUG}
