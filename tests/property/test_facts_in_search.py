"""Facts change no verdict: whatever the engine, a search with them finds a bug iff one without them does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paddock
from paddock import Options, Program, Verdict
from tests.property.executable_programs import Shape, executable_programs
from tests.property.goto_programs import programs
from tests.property.test_verdicts import WAYS, named

BOUND = 2
SMALL = Shape(procedures=3, statements=2)
ALL_WAYS = [*WAYS, Options.of(engine="dag", merge="tree"), *(w.changed(all_assertions=True) for w in WAYS)]


def bugs(program: Program, way: Options) -> dict[str, bool] | None:
    """Whether the program has a bug and, if they are asked for, which of its assertions; None if time runs out."""
    result = paddock.check(program, way)
    if result.reason.startswith("time limit"):
        return None
    assert result.verdict is not Verdict.UNKNOWN, result.reason
    each = {a.id: a.verdict is Verdict.BUG for a in result.assertions} if way.task.all_assertions else {}
    return {"": result.verdict is Verdict.BUG, **each}


def check_program(text: str, goal: str, way: Options) -> None:
    program = paddock.load(text)
    goal = "assertion" if way.task.all_assertions else goal
    way = way.changed(goal=goal, recursion_bound=BOUND, constant_loops=False, timeout=3)
    without, with_facts = (bugs(program, way.changed(facts=facts)) for facts in (False, True))
    assert without == with_facts or None in (without, with_facts)


PROGRAMS = st.one_of(executable_programs(SMALL), programs())
GOALS = st.sampled_from(["assertion", "return"])


@settings(max_examples=10)
@given(text=PROGRAMS, goal=GOALS, way=st.sampled_from(ALL_WAYS))
def test_facts_change_no_verdict(text: str, goal: str, way: Options) -> None:
    check_program(text, goal, way)


@pytest.mark.slow
@pytest.mark.parametrize("way", ALL_WAYS, ids=named)
@settings(max_examples=60)
@given(text=PROGRAMS, goal=GOALS)
def test_facts_change_no_verdict_on_many_programs(way: Options, text: str, goal: str) -> None:
    check_program(text, goal, way)
