"""The theorems of Akhundov et al., Verification by Gambling on Program Slices, on random programs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import paddock
from paddock import Options, Program, Result, Verdict
from paddock.driver.gambling import hierarchy_of
from paddock.engines.assertions import assertions_in, violated
from paddock.engines.regions.extract import extracted
from paddock.ir.cfg import Cfg
from paddock.ir.origin import Origin
from paddock.ir.types import Type
from paddock.passes.merge_implementations import merge_implementations
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Failed
from paddock.trace.values import Value
from tests.property.executable_programs import Shape, executable_programs, few_values
from tests.property.finite_programs import TooManyStates, finite_program, finite_text
from tests.property.finite_programs import failing as failing_ids
from tests.property.goto_programs import programs, small

MAX_RUNS = 1500
FACTS = [(), ("where", "ranges", "kept", "proved"), ("kept",), ("where", "ranges", "kept", "proved", "houdini")]
LOOPS = Shape(procedures=2, statements=2, fails=0.3)


def failing(program: Program, values: Callable[[Type], list[Value]] = few_values) -> set[Origin]:
    """The assertions that some run violates, in programs all of whose runs can be looked at."""
    original = merge_implementations(program)
    runs = list(islice(every_run(original, None, values, Limits(steps=5000)), MAX_RUNS + 1))
    assume(len(runs) <= MAX_RUNS)
    return {violated(original, run.outcome) for run in runs if isinstance(run.outcome, Failed)}


@settings(max_examples=50)
@given(text=programs())
def test_theorem_2_every_node_is_a_region(text: str) -> None:
    hierarchy = hierarchy_of(merge_implementations(paddock.load(text)))
    for region in hierarchy.regions.values():
        body = hierarchy.program.procedure_named[region.procedure].body
        assert body is not None
        cfg = Cfg(body)
        inside = set(region.blocks)
        if region.head is None:
            assert inside == set(cfg.reverse_postorder)
            continue
        # Every path from the start to a block inside comes through the head, and stays inside from there on.
        for label in inside - {region.head}:
            assert set(cfg.predecessors[label]) & set(cfg.position) <= inside
            assert cfg.dominates(region.head, label)
        assert cfg.entry not in inside - {region.head}
        # It is the loop of some jump back to the head.
        assert any(region.head in cfg.successors[label] for label in inside)
        assert region.parent is not None and inside <= set(hierarchy.regions[region.parent].blocks)


def check_theorem_1(text: str) -> None:
    program = paddock.load(text)
    fails = failing(program)
    hierarchy = hierarchy_of(merge_implementations(program))
    for region in list(hierarchy.regions.values()):
        if region.head is None or not hierarchy.assertions[region.id]:
            continue
        judged = paddock.check(extracted(hierarchy.program, region), Options.of(all_assertions=True, timeout=3))
        safe = {(a.line, a.column) for a in judged.assertions if a.verdict is Verdict.PROVED}
        own = {(source.line, source.column) for source in hierarchy.assertions[region.id]}
        assert not {(s.line, s.column) for s in fails} & safe & own


@settings(max_examples=8)
@given(text=executable_programs(LOOPS))
def test_theorem_1_what_is_safe_in_a_region_is_safe(text: str) -> None:
    check_theorem_1(text)


def gambled(program: Program, jobs: int, facts: tuple[str, ...]) -> Result:
    options = Options.of(gamble=True, jobs=jobs, gamble_facts=facts, all_assertions=True, recursion_bound=4, timeout=10)
    result = paddock.check(program, options)
    assume(not result.reason.startswith("time limit"))
    return result


def check_theorem_3(text: str, jobs: int, facts: tuple[str, ...]) -> None:
    program = paddock.load(text)
    fails = failing(program)
    by_id = {a.id: a.source for a in assertions_in(program)}
    for assertion in gambled(program, jobs, facts).assertions:
        if by_id[assertion.id] in fails:
            # Loops within recursion may go beyond the bound.
            assert assertion.verdict is not Verdict.PROVED, assertion
        else:
            assert assertion.verdict is not Verdict.BUG, assertion


JOBS = st.sampled_from([1, 3])


@settings(max_examples=4)
@given(text=executable_programs(LOOPS), jobs=JOBS, facts=st.sampled_from(FACTS))
def test_theorem_3_verdicts_are_right(text: str, jobs: int, facts: tuple[str, ...]) -> None:
    check_theorem_3(text, jobs, facts)


@pytest.mark.slow
@settings(max_examples=300)
@given(text=executable_programs(), jobs=JOBS, facts=st.sampled_from(FACTS))
def test_theorem_3_on_many_programs(text: str, jobs: int, facts: tuple[str, ...]) -> None:
    check_theorem_3(text, jobs, facts)


def check_no_false_proof(text: str, facts: tuple[str, ...]) -> None:
    program = paddock.load(text)
    fails = failing(program, small)
    assume(fails)
    by_id = {a.id: a.source for a in assertions_in(program)}
    for assertion in gambled(program, 1, facts).assertions:
        assert assertion.verdict is not Verdict.PROVED or by_id[assertion.id] not in fails, assertion


@settings(max_examples=3)
@given(text=programs(), facts=st.sampled_from(FACTS))
def test_no_false_proof_where_jumps_and_contracts_are_arbitrary(text: str, facts: tuple[str, ...]) -> None:
    check_no_false_proof(text, facts)


@pytest.mark.slow
@settings(max_examples=300)
@given(text=programs(), facts=st.sampled_from(FACTS))
def test_no_false_proof_on_many_programs(text: str, facts: tuple[str, ...]) -> None:
    check_no_false_proof(text, facts)


def check_endless_loops(seed: int, facts: tuple[str, ...]) -> None:
    finite = finite_program(Random(seed))
    try:
        fails = failing_ids(finite)
    except TooManyStates:
        assume(False)
    for assertion in gambled(paddock.load(finite_text(finite)), 1, facts).assertions:
        if assertion.kind != "requires":
            assert assertion.verdict is not (Verdict.PROVED if assertion.id in fails else Verdict.BUG), assertion


SEEDS = st.integers(0, 2**32)


@settings(max_examples=3)
@given(seed=SEEDS, facts=st.sampled_from(FACTS))
def test_verdicts_are_right_where_loops_need_not_end(seed: int, facts: tuple[str, ...]) -> None:
    check_endless_loops(seed, facts)


@pytest.mark.slow
@settings(max_examples=300)
@given(seed=SEEDS, facts=st.sampled_from(FACTS))
def test_endless_loops_in_many_programs(seed: int, facts: tuple[str, ...]) -> None:
    check_endless_loops(seed, facts)


@pytest.mark.slow
@settings(max_examples=300)
@given(text=executable_programs())
def test_theorem_1_on_many_programs(text: str) -> None:
    check_theorem_1(text)
