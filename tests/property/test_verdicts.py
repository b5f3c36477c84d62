"""The verdict of a whole check is what trying everything says, on random programs that are small enough for that.

Unlike in `test_engines.py`, brute force sees all there is, so that neither a bug that is missed nor one that does not
exist goes unnoticed, and all passes and options of a real check take part.
"""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import paddock
from paddock import Options, Program, Verdict
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Cut, Failed, Outcome, Returned, Undetermined
from tests.property.executable_programs import Shape, executable_programs, few_values

WAYS = [
    Options.of(engine="dag"),
    Options.of(engine="stratified"),
    Options.of(engine="stratified", deep_asserts=False),
    Options.of(engine="eager", deep_asserts=False),
    Options.of(engine="dag", merge="maxc", deep_asserts=False),
    Options.of(engine="dag", merge="randompick", seed=3),
    Options.of(engine="dag", merge="random", seed=3, deep_asserts=False),
    Options.of(engine="dag", merge="opt"),
    Options.of(engine="dag", merge="opt", deep_asserts=False),
    Options.of(engine="dag", solver="cvc5"),
    Options.of(engine="alternating"),
    Options.of(engine="alternating", merge="opt"),
    Options.of(engine="alternating", deep_asserts=True),
]
MAX_RUNS = 3000
SMALL = Shape(procedures=3, statements=2)


def every_outcome(program: Program) -> list[Outcome]:
    runs = list(islice(every_run(program, None, few_values, Limits(steps=5000)), MAX_RUNS + 1))
    assume(len(runs) <= MAX_RUNS)
    outcomes = [run.outcome for run in runs]
    assert not [o for o in outcomes if isinstance(o, Cut | Undetermined)]
    return outcomes


def check_verdict(text: str, goal: str, way: Options) -> None:
    program = paddock.load(text)
    wanted = Failed if goal == "assertion" else Returned
    is_reached = any(isinstance(outcome, wanted) for outcome in every_outcome(program))
    chosen = {name: way.value(name) for name in ("engine", "merge", "seed", "solver", "deep_asserts")}
    result = paddock.check(program, Options.of(goal=goal, timeout=3, **SMALL.bounds, **chosen))
    assume(not result.reason.startswith("time limit"))  # where little is shared there are many instances
    assert result.verdict in ([Verdict.BUG] if is_reached else [Verdict.PROVED, Verdict.BOUNDED]), result.reason


GOALS = st.sampled_from(["assertion", "assertion", "return"])


def named(way: Options) -> str:
    """What tells it from others, as the id of a test."""
    return "-".join(str(way.value(name)) for name in ("engine", "merge", "solver", "deep_asserts", "all_assertions"))


@settings(max_examples=14)
@given(text=executable_programs(SMALL), goal=GOALS, way=st.sampled_from(WAYS))
def test_verdicts_are_right(text: str, goal: str, way: Options) -> None:
    check_verdict(text, goal, way)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=named)
@settings(max_examples=100)
@given(text=executable_programs(), goal=GOALS)
def test_verdicts_on_many_programs_are_right(way: Options, text: str, goal: str) -> None:
    check_verdict(text, goal, way)
