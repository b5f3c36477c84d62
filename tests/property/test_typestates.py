"""What the values of globals in each context prove of a random program holds in all its states."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock.analysis.facts.partitioned import cannot_return
from paddock.engines.inlining.search import Question, statement_plan
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.program import Program
from paddock.passes.registry import run_passes
from tests.property.examples import examples
from tests.property.finite_programs import TooManyStates, failing, finite_program, finite_text

MOST_STATES = 20_000


def stated(text: str) -> Program:
    loaded = load([Source(text)])
    original = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations"])
    prepared = run_passes(original, ["check-specs", "extract-loops", "prune"])
    return statement_plan(original, Question(facts=False))(prepared)


def is_proved(program: Program) -> bool:
    """Whether any choice of globals proves it: all, those that get few values, or none."""
    every = tuple(g.var for g in program.globals)
    return any(cannot_return(program, MOST_STATES, chosen) for chosen in (every, every[:1], None, ()))


def check_seed(seed: int) -> bool:
    """Whether a program is proved; then nothing may fail."""
    program = finite_program(Random(seed))
    if not is_proved(stated(finite_text(program))):
        return False
    with suppress(TooManyStates):
        assert not failing(program)
    return True


@examples(25, 1500)
@given(seed=st.integers(0, 1 << 32))
def test_what_is_proved_holds_in_all_states(seed: int) -> None:
    check_seed(seed)


def test_some_programs_are_proved() -> None:
    assert sum(map(check_seed, range(40))) >= 3


@pytest.mark.slow
def test_what_is_proved_holds_in_all_states_of_many_programs() -> None:
    assert sum(map(check_seed, range(100, 3100))) >= 100
