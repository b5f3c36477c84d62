"""What k-induction proves has no bug, on random programs with loops."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paddock.engines.inlining.engines import Dag
from paddock.engines.inlining.search import Question, search
from paddock.engines.outcome import Budget, Statistics
from paddock.engines.symbolic.inductive import ATTEMPTS, Attempt, InductiveProofs
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name, with_entry
from paddock.passes.registry import run_passes
from paddock.solvers.z3.solver import Z3Solver
from paddock.verdict import Verdict
from tests.property.executable_programs import Shape, executable_programs
from tests.property.goto_programs import loop_programs, programs
from tests.property.test_engines import MAX_TREE, tree_size

BOUND = 3
PROGRAMS = st.one_of(loop_programs(), programs(), executable_programs(Shape(procedures=2, statements=3)))


def check_proofs(text: str, attempt: Attempt) -> None:
    loaded = load([Source(text)])
    original = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations"])
    whole = run_passes(original, ["check-specs", "prune"])
    bodies = [Cfg(i) for p in whole.procedures for i in p.implementations]
    loops = {cfg.blocks[loop.head].origin for cfg in bodies for loop in cfg.loops}
    with Z3Solver() as solver:
        proofs = InductiveProofs(whole, loops, BOUND, BOUND, Statistics())
        proved = proofs.proved_by(attempt, solver, Budget())
    if not proved:
        return
    extracted = run_passes(original, ["check-specs", "extract-loops", "prune"])
    assume(tree_size(extracted, BOUND) <= MAX_TREE)
    with Z3Solver() as solver:
        outcome, _ = search(original, extracted, Question("assertion", Dag(), BOUND, BOUND), solver, Budget())
    assert outcome.verdict is not Verdict.BUG


@settings(max_examples=25)
@given(text=PROGRAMS, attempt=st.sampled_from(ATTEMPTS))
def test_proofs_by_induction(text: str, attempt: Attempt) -> None:
    check_proofs(text, attempt)


@pytest.mark.slow
@settings(max_examples=500)
@given(text=PROGRAMS, attempt=st.sampled_from(ATTEMPTS))
def test_many_proofs_by_induction(text: str, attempt: Attempt) -> None:
    check_proofs(text, attempt)
