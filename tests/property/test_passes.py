"""Every pass keeps what a program can do, by brute force over all runs of small programs."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.cfg import Cfg
from paddock.ir.program import Program
from paddock.ir.stmt import Assert
from paddock.ir.validate import check_valid
from paddock.passes.registry import run_passes
from tests.property.goto_programs import behaviour, programs

SEQUENCES = [
    ["merge-implementations"],
    ["check-specs"],
    ["prune"],
    ["extract-loops"],
    ["error-bit"],
    ["check-specs", "extract-loops"],
    ["merge-implementations", "check-specs", "extract-loops", "prune"],
    ["extract-loops", "error-bit", "merge-implementations"],
    ["error-bit", "extract-loops", "prune"],
]
MAX_RUNS = 150
MAX_RUNS_AFTER = 1500  # a pass may add choices that lead nowhere


def check_behaviour(text: str, names: list[str]) -> None:
    before = load([Source(text)])
    expected = behaviour(before, MAX_RUNS)
    assume(expected is not None)
    assert expected is not None
    after = run_passes(before, names)
    check_valid(after)
    got = behaviour(after, MAX_RUNS_AFTER)
    assume(got is not None)
    assert got is not None
    if "error-bit" in names:
        assert assertions(after) == 1
        # The lines of the assertions are on assignments now.
        expected, got = without_lines(expected), without_lines(got)
    assert got == expected


def assertions(program: Program) -> int:
    blocks = (b for p in program.procedures for i in p.implementations for b in i.blocks)
    return sum(isinstance(s, Assert) for b in blocks for s in b.statements)


def without_lines(ends: set[tuple[object, ...]]) -> set[tuple[object, ...]]:
    return {end[:1] if end[0] == "failed" else end for end in ends}


@settings(max_examples=25)
@given(text=programs(), names=st.sampled_from(SEQUENCES))
def test_passes_keep_behaviour(text: str, names: list[str]) -> None:
    check_behaviour(text, names)


@pytest.mark.slow
@settings(max_examples=3000)
@given(text=programs(), names=st.sampled_from(SEQUENCES))
def test_passes_keep_behaviour_of_many_programs(text: str, names: list[str]) -> None:
    check_behaviour(text, names)


@settings(max_examples=30)
@given(text=programs())
def test_no_loop_is_left(text: str) -> None:
    for procedure in run_passes(load([Source(text)]), ["extract-loops"]).procedures:
        for implementation in procedure.implementations:
            cfg = Cfg(implementation)
            assert cfg.is_reducible
            assert not cfg.loops
