"""The unwound program means what the engines' formulas mean: every assertion gets the same verdict from both."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

from paddock.engines.implications.meaning import Meaning
from paddock.engines.implications.unwinding import unwound
from paddock.engines.implications.ussa import Ussa
from paddock.engines.inlining.bounds import Bounds
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.build import not_
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.origin import Origin
from paddock.ir.program import Program
from paddock.ir.stmt import Assert
from paddock.passes.identify_assertions import identify_assertions
from paddock.passes.registry import run_passes
from paddock.solvers import sorts
from paddock.solvers.interface import Status
from paddock.solvers.ops import Op
from paddock.solvers.z3.solver import Z3Solver
from paddock.verdict import Verdict
from tests.property.goto_programs import programs
from tests.property.test_all_assertions import BOUND, answers, prepared
from tests.property.test_engines import MAX_TREE, tree_size


def original_of(text: str) -> Program:
    loaded = identify_assertions(load([Source(text)]))
    original = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations"])
    assume(tree_size(prepared(original)) <= MAX_TREE)
    return original


def ussa_of(original: Program) -> Ussa:
    program = prepared(original)
    return unwound(program, Bounds(program, BOUND, BOUND))


def failing(ussa: Ussa) -> set[Origin]:
    """The assertions that can fail where those before them hold."""
    found = set()
    with Z3Solver() as solver:
        meaning = Meaning(ussa.program, solver)
        for n, step in enumerate(ussa.steps):
            if isinstance(step.instruction, Assert):
                fails = solver.terms.constant(f"step {n} fails", sorts.BOOL)
                solver.assert_(solver.terms.app(Op.IMPLIES, (fails, meaning.term(not_(step.claim)))))
                if solver.check([fails]).status is Status.SAT:
                    found.add(step.source)
                solver.assert_(meaning.term(step.claim))
            elif (said := meaning.of(step)) is not None:
                solver.assert_(said)
    return found


def check_verdicts(text: str) -> None:
    original = original_of(text)
    bugs = {source for source, found in answers(original, "dag").items() if found is Verdict.BUG}
    assert failing(ussa_of(original)) == bugs


@settings(max_examples=10)
@given(text=programs())
def test_assertions_of_the_unwound_program_fail_when_the_engines_say_so(text: str) -> None:
    check_verdicts(text)


@pytest.mark.slow
@settings(max_examples=400)
@given(text=programs())
def test_assertions_of_many_unwound_programs_fail_when_the_engines_say_so(text: str) -> None:
    check_verdicts(text)


@given(text=programs())
@settings(max_examples=10)
def test_every_variable_is_assigned_to_once(text: str) -> None:
    targets = [step.target for step in ussa_of(original_of(text)).steps if step.target is not None]
    assert len(targets) == len(set(targets))
