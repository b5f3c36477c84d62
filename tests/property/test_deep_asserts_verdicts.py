"""With `--deep-asserts`, a check says what it says without, on random programs with loops, recursion and several
assertions. Recursion that leads to a failure is not on the stack any more, so the same bound covers more of it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import paddock
from paddock import Options, Program, Result, Verdict
from tests.property.executable_programs import Shape, executable_programs
from tests.property.goto_programs import programs
from tests.property.test_verdicts import check_verdict

ENGINES = ["dag", "stratified", "eager", "alternating"]
BOUNDS = [
    Options.of(recursion_bound=2),
    Options.of(recursion_bound=3, unwind=1),
    Options.of(recursion_bound=1, unwind=2),
]
CLEAN = (Verdict.PROVED, Verdict.BOUNDED)


def checked(program: Program, engine: str, bound: Options, all_assertions: bool, deep_asserts: bool) -> Result:
    result = paddock.check(
        program,
        Options.of(
            engine=engine,
            recursion_bound=bound.bounds.recursion_bound,
            unwind=bound.bounds.unwind,
            all_assertions=all_assertions,
            deep_asserts=deep_asserts,
            timeout=3,
        ),
    )
    assume(not result.reason.startswith("time limit"))  # where little is shared there are many instances
    assert result.verdict is not Verdict.UNKNOWN, result.reason
    return result


def check_agreement(text: str, engine: str, bound: Options, all_assertions: bool) -> None:
    program = paddock.load(text)
    before, after = (checked(program, engine, bound, all_assertions, deep) for deep in (False, True))
    assert before.verdict in CLEAN or after.verdict is Verdict.BUG
    assert not {before.verdict, after.verdict} >= {Verdict.BUG, Verdict.PROVED}
    assert [a.id for a in before.assertions] == [a.id for a in after.assertions]
    if all_assertions:
        for a, b in zip(before.assertions, after.assertions, strict=True):
            assert a.verdict in CLEAN or b.verdict is Verdict.BUG, a.id
            assert not {a.verdict, b.verdict} >= {Verdict.BUG, Verdict.PROVED}, a.id


ARGUMENTS = {
    "text": st.one_of(programs(), executable_programs(Shape(procedures=4))),
    "engine": st.sampled_from(ENGINES),
    "bound": st.sampled_from(BOUNDS),
    "all_assertions": st.booleans(),
}


@settings(max_examples=7)
@given(**ARGUMENTS)
def test_lifting_assertions_changes_no_verdict(text: str, engine: str, bound: Options, all_assertions: bool) -> None:
    check_agreement(text, engine, bound, all_assertions)


@pytest.mark.slow
@settings(max_examples=200)
@given(**ARGUMENTS)
def test_lifting_assertions_changes_no_verdict_of_many_programs(
    text: str, engine: str, bound: Options, all_assertions: bool
) -> None:
    check_agreement(text, engine, bound, all_assertions)


@settings(max_examples=8)
@given(text=executable_programs(Shape(procedures=4)), engine=st.sampled_from(ENGINES))
def test_verdicts_are_right(text: str, engine: str) -> None:
    check_verdict(text, "assertion", Options.of(engine=engine, deep_asserts=True))


@pytest.mark.slow
@settings(max_examples=200)
@given(text=executable_programs(Shape(procedures=4)), engine=st.sampled_from(ENGINES))
def test_verdicts_on_many_programs_are_right(text: str, engine: str) -> None:
    check_verdict(text, "assertion", Options.of(engine=engine, deep_asserts=True))
