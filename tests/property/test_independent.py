"""`--independent`: each assertion gets the verdict that it has in the program without all others, however found."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import paddock
from paddock import Options, Program, Verdict
from paddock.engines.assertions import assertions_in, violated
from paddock.ir.origin import AssertionId
from paddock.ir.stmt import Assert, Block
from paddock.passes.check_specs import check_specs_alone
from paddock.passes.merge_implementations import merge_implementations
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Failed
from tests.property.goto_programs import programs, small
from tests.property.test_all_assertions import prepared
from tests.property.test_engines import MAX_RUNS, MAX_TREE, tree_size

BOUND = 2
WAYS: list[dict[str, Any]] = [
    {},
    {"engine": "stratified", "deep_asserts": False},
    {"engine": "eager"},
    {"engine": "alternating"},
    {"engine": "alternating", "deep_asserts": True},
    {"houdini": True},
    {"refine": "alg2"},
    {"facts": False},
    {"gamble": True, "jobs": 1},
    {"implications": True, "order": "forward"},
    {"implications": True, "order": "backward", "extended": True},
]


def failing(original: Program) -> set[AssertionId]:
    """The assertions that are false on some run that goes on behind those that are. Brute force tries few values."""
    found: set[AssertionId] = set()

    def passed_over(failed: Failed) -> bool:
        found.add(violated(original, failed))
        return False

    runs = every_run(original, None, small, Limits(steps=2000, recursion=BOUND), counts=passed_over)
    for _ in islice(runs, MAX_RUNS):
        pass
    return found


def without_others(original: Program, source: AssertionId) -> Program:
    """The program with just one of its assertions."""

    def block(b: Block) -> Block:
        kept = (s for s in b.statements if not isinstance(s, Assert) or s.origin.identity() == source)
        return replace(b, statements=tuple(kept))

    alone = check_specs_alone(original)
    procedures = (
        replace(p, implementations=tuple(replace(i, blocks=tuple(map(block, i.blocks))) for i in p.implementations))
        for p in alone.procedures
    )
    return replace(alone, procedures=tuple(procedures))


def check_program(text: str, ways: list[dict[str, Any]]) -> None:
    program = paddock.load(text)
    original = merge_implementations(program)
    assume(tree_size(prepared(original)) <= MAX_TREE)
    sources = {a.id: a.source for a in assertions_in(program)}
    assume(len(sources) > 1)
    false_somewhere = failing(original)
    alone: dict[str, Verdict] = {}
    for way in ways:
        options = Options.of(all_assertions=True, independent=True, recursion_bound=BOUND, **way)
        result = paddock.check(program, options)
        assert result.independent
        for assertion in result.assertions:
            source = sources[assertion.id]
            if assertion.id not in alone:
                one = paddock.check(without_others(original, source), Options.of(recursion_bound=BOUND))
                alone[assertion.id] = one.verdict
            is_bug = assertion.verdict is Verdict.BUG
            assert assertion.verdict is not Verdict.UNKNOWN, (way, source, assertion.reason, result.reason)
            assert is_bug == (alone[assertion.id] is Verdict.BUG), (way, source)
            assert is_bug or source not in false_somewhere, (way, source)


@settings(max_examples=8)
@given(text=programs(), way=st.sampled_from(WAYS))
def test_each_assertion_is_judged_as_if_the_others_were_not_there(text: str, way: dict[str, Any]) -> None:
    check_program(text, [way])


@pytest.mark.slow
@settings(max_examples=60)
@given(text=programs())
def test_each_assertion_of_many_programs_is_judged_as_if_the_others_were_not_there(text: str) -> None:
    check_program(text, WAYS)
