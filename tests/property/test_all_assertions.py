"""Each assertion gets the verdict that it would get if all others were assumptions, under every engine."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import assume, given, settings

from paddock.engines.assertions import Findings, assertions_in, sources_in, violated
from paddock.engines.inlining.engines import ENGINES as BY_NAME
from paddock.engines.inlining.search import Question, search
from paddock.engines.outcome import Budget
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.origin import AssertionId
from paddock.ir.program import Program
from paddock.ir.stmt import Assert, Assume, Block
from paddock.passes.check_specs import check_specs
from paddock.passes.identify_assertions import identify_assertions
from paddock.passes.registry import run_passes
from paddock.solvers.z3.solver import Z3Solver
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Failed
from paddock.verdict import Verdict
from tests.property.goto_programs import programs, small
from tests.property.test_engines import MAX_RUNS, MAX_TREE, tree_size

ENGINES = ["dag", "stratified", "alternating"]
BOUND = 2


def prepared(original: Program) -> Program:
    return run_passes(original, ["check-specs", "extract-loops", "prune"])


def answer(original: Program, engine: str, bound: int = BOUND) -> Verdict:
    """The verdict on a program as a whole."""
    with Z3Solver() as solver:
        outcome, _ = search(
            original, prepared(original), Question("assertion", BY_NAME[engine], bound, bound), solver, Budget()
        )
    return outcome.verdict


def answers(original: Program, engine: str) -> dict[AssertionId, Verdict]:
    """The verdicts on the single assertions that can be reached."""
    findings = Findings()
    question = Question("assertion", BY_NAME[engine], BOUND, BOUND, all_assertions=True)
    with Z3Solver() as solver:
        outcome, _ = search(original, prepared(original), question, solver, Budget(), findings)
    assert outcome.verdict in (Verdict.PROVED, Verdict.BOUNDED), outcome.reason
    assert not findings.undecided
    for source, run in findings.bugs.items():
        assert isinstance(run.outcome, Failed)
        assert violated(original, run.outcome) == source
    known = dict.fromkeys(sources_in(prepared(original)), outcome.verdict)
    assert set(findings.bugs) | set(findings.proved) <= set(known)
    return known | dict.fromkeys(findings.proved, Verdict.PROVED) | dict.fromkeys(findings.bugs, Verdict.BUG)


def with_only(original: Program, source: AssertionId) -> Program:
    """The program that assumes whatever it asserts but for one assertion."""

    def block(b: Block) -> Block:
        statements = (
            Assume(s.condition, s.attributes, s.origin)
            if isinstance(s, Assert) and s.origin.identity() != source
            else s
            for s in b.statements
        )
        return replace(b, statements=tuple(statements))

    checked = check_specs(original)
    procedures = (
        replace(p, implementations=tuple(replace(i, blocks=tuple(map(block, i.blocks))) for i in p.implementations))
        for p in checked.procedures
    )
    return replace(checked, procedures=tuple(procedures))


def check_program(text: str) -> None:
    loaded = identify_assertions(load([Source(text)]))
    marked = with_entry(loaded, entry_name(loaded))
    original = run_passes(marked, ["merge-implementations"])
    assume(tree_size(prepared(original)) <= MAX_TREE)
    assume(len(sources_in(prepared(original))) > 1)
    by_engine = {engine: answers(original, engine) for engine in ENGINES}
    for engine, found in by_engine.items():
        for source, verdict in found.items():
            alone = with_only(original, source)
            assert (verdict is Verdict.BUG) == (answer(alone, engine) is Verdict.BUG), (engine, source, verdict)
            if verdict is Verdict.PROVED:
                assert answer(alone, engine, BOUND + 1) is not Verdict.BUG, (engine, source)
    # Brute force tries a few values only: it may miss a bug, but what it finds is one.
    runs = every_run(prepared(original), None, small, Limits(steps=2000, recursion=BOUND))
    for run in islice(runs, MAX_RUNS):
        if isinstance(run.outcome, Failed):
            source = run.outcome.what.origin.identity()
            assert all(found[source] is Verdict.BUG for found in by_engine.values()), source
    names = assertions_in(marked)
    assert len({a.id for a in names}) == len(names)
    assert {a.source for a in names} >= set(by_engine["dag"])


@settings(max_examples=5)
@given(text=programs())
def test_each_assertion_is_judged_as_if_it_were_alone(text: str) -> None:
    check_program(text)


@pytest.mark.slow
@settings(max_examples=60)
@given(text=programs())
def test_each_assertion_of_many_programs_is_judged_as_if_it_were_alone(text: str) -> None:
    check_program(text)
