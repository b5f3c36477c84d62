"""The theorems of the deep-asserts paper (§V.C) on random programs with loops, recursion and several assertions."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.callgraph import CallGraph
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name
from paddock.ir.graph import strongly_connected_components
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.ir.stmt import Assert
from paddock.ir.validate import check_valid
from paddock.passes.registry import run_passes
from tests.property.executable_programs import Shape, executable_programs
from tests.property.goto_programs import behaviour, programs

SEQUENCES = [
    ["deep-asserts"],
    ["split-failures"],
    ["extract-loops", "split-failures"],
    ["extract-loops", "deep-asserts"],
    ["deep-asserts", "extract-loops"],
    ["merge-implementations", "check-specs", "extract-loops", "prune", "deep-asserts", "prune"],
    ["deep-asserts", "deep-asserts"],
]
MAX_RUNS = 150
MAX_RUNS_AFTER = 1500  # calls that may fail are choices


def failures(program: Program, max_runs: int) -> set[object] | None:
    """The lines that can fail; None if there are too many runs."""
    ends = behaviour(program, max_runs)
    return None if ends is None else {end[1] for end in ends if end[0] == "failed"}


def asserting(program: Program) -> dict[str, set[str]]:
    """The blocks with assertions, by procedure."""
    found: dict[str, set[str]] = {}
    for procedure in program.procedures:
        for implementation in procedure.implementations:
            for block in implementation.blocks:
                if any(isinstance(s, Assert) for s in block.statements):
                    found.setdefault(procedure.name, set()).add(block.label)
    return found


def blocks_in_cycles(program: Program, procedure: str) -> set[str]:
    successors = Cfg(program.procedure_named[procedure].implementations[0]).successors
    components = strongly_connected_components(successors)
    return {label for c in components if len(c) > 1 or c[0] in successors[c[0]] for label in c}


def check_theorem_1(text: str, names: list[str]) -> None:
    before = load([Source(text)])
    expected = failures(before, MAX_RUNS)
    assume(expected is not None)
    after = run_passes(before, names)
    check_valid(after)
    got = failures(after, MAX_RUNS_AFTER)
    assume(got is not None)
    assert got == expected


@settings(max_examples=12)
@given(text=programs(), names=st.sampled_from(SEQUENCES))
def test_what_fails_is_the_same(text: str, names: list[str]) -> None:
    """Theorem 5.1, for each assertion."""
    check_theorem_1(text, names)


@pytest.mark.slow
@settings(max_examples=2000)
@given(text=programs(), names=st.sampled_from(SEQUENCES))
def test_what_fails_is_the_same_in_many_programs(text: str, names: list[str]) -> None:
    check_theorem_1(text, names)


@settings(max_examples=30)
@given(text=programs(), extracted=st.booleans())
def test_assertions_are_in_the_entry_outside_loops(text: str, extracted: bool) -> None:
    """Theorem 5.2."""
    names = ["extract-loops", "deep-asserts"] if extracted else ["deep-asserts"]
    after = run_passes(load([Source(text)]), names)
    entry = entry_name(after)
    found = asserting(after)
    assert set(found) <= {entry}
    assert not found.get(entry, set()) & blocks_in_cycles(after, entry)
    assert load([Source(program_text(after))]) == after


PLAIN = Shape(procedures=4, statements=4, loops=False, recursive=False)
LOOPING = Shape(procedures=4, statements=4, recursive=False)


@settings(max_examples=40)
@given(text=executable_programs(PLAIN))
def test_no_loop_and_no_recursion_is_introduced(text: str) -> None:
    """Theorem 5.4."""
    after = run_passes(load([Source(text)]), ["deep-asserts"])
    assert not CallGraph(after).recursive
    assert not any(blocks_in_cycles(after, p.name) for p in after.procedures if p.implementations)


@settings(max_examples=40)
@given(text=executable_programs(LOOPING))
def test_structured_loops_need_no_recursion(text: str) -> None:
    after = run_passes(load([Source(text)]), ["deep-asserts"])
    assert not CallGraph(after).recursive
    assert all(Cfg(i).is_reducible for p in after.procedures for i in p.implementations)


def size(program: Program) -> int:
    """Statements and jumps."""
    return sum(len(b.statements) + 1 for p in program.procedures for i in p.implementations for b in i.blocks)


# Besides the bodies, once more for each loop around them: what a call that may fail adds, jumps and assignments.
MOST_PER_CALL = 6


@settings(max_examples=40)
@given(text=executable_programs(LOOPING))
def test_the_program_does_not_grow_by_more_than_its_loops_are_deep(text: str) -> None:
    """Theorem 5.3; these programs nest two loops."""
    before = run_passes(load([Source(text)]), ["check-specs"])
    after = run_passes(before, ["deep-asserts"])
    assert size(after) <= size(before) * (2 + 1 + MOST_PER_CALL)
