"""Programs print and parse back to themselves, as they were read and after every pass, and stay valid all the way."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.ir.stmt import Call, ParCall, Yield
from paddock.ir.validate import check_valid
from paddock.passes.registry import PASSES
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Blocked, Failed, Returned
from tests.property.executable_programs import Shape, executable_programs, few_values, random_executable
from tests.property.programs import rich_programs

PROGRAMS = st.one_of(executable_programs(), rich_programs())
SEQUENCES = st.lists(st.sampled_from(sorted(PASSES)), max_size=4)


def check_round_trip(program: Program) -> None:
    check_valid(program)
    assert load([Source(program_text(program))]) == program


def check_passes(text: str, names: list[str]) -> None:
    program = load([Source(text)])
    check_round_trip(program)
    for name in names:
        try:
            program = PASSES[name]()(program)
        except InputError as error:
            # Some passes are for sequential programs, or for programs without `par`, and say so; nothing else may be
            # refused.
            if is_concurrent(program) and ("without threads" in str(error) or "'par' is not supported" in str(error)):
                continue
            raise
        check_round_trip(program)


def is_concurrent(program: Program) -> bool:
    statements = (s for p in program.procedures for i in p.implementations for b in i.blocks for s in b.statements)
    return any(isinstance(s, ParCall | Yield) or (isinstance(s, Call) and s.asynchronous) for s in statements)


@settings(max_examples=30)
@given(text=rich_programs())
def test_programs_print_and_parse_back(text: str) -> None:
    check_passes(text, [])


@settings(max_examples=5)
@pytest.mark.parametrize("name", PASSES)
@given(text=PROGRAMS)
def test_every_pass(name: str, text: str) -> None:
    check_passes(text, [name])


@settings(max_examples=25)
@given(text=PROGRAMS, names=SEQUENCES)
def test_sequences_of_passes(text: str, names: list[str]) -> None:
    check_passes(text, names)


@pytest.mark.slow
@settings(max_examples=3000)
@given(text=PROGRAMS, names=SEQUENCES)
def test_many_sequences_of_passes(text: str, names: list[str]) -> None:
    check_passes(text, names)


@settings(max_examples=20)
@given(text=executable_programs(Shape(fails=0.0)))
def test_executable_programs_end_and_fail_only_where_they_may(text: str) -> None:
    program = load([Source(text)])
    runs = list(islice(every_run(program, None, few_values, Limits(steps=100_000)), 50))
    assert {type(run.outcome) for run in runs} <= {Returned, Blocked}


def test_executable_programs_can_fail() -> None:
    outcomes = set()
    for seed in range(20):
        program = load([Source(random_executable(Random(seed), Shape(fails=1.0)))])
        outcomes |= {type(r.outcome) for r in islice(every_run(program, None, few_values), 50)}
    assert {Failed, Returned} <= outcomes
