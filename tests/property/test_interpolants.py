"""Summaries from proofs are interpolants: bodies imply them, they suffice for the proof, they are over interfaces."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from paddock.driver.plan import lifted, preparation
from paddock.engines.assertions import Findings
from paddock.engines.inlining.engines import Dag, Stratified
from paddock.engines.inlining.search import Exploration, Question, replays, stated
from paddock.engines.interpolation.certificate import certified
from paddock.engines.interpolation.lasting import lasting
from paddock.engines.interpolation.work import Work
from paddock.engines.judging import judging
from paddock.engines.outcome import Budget
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import with_entry
from paddock.ir.expr import Scope
from paddock.ir.modref import mod_ref
from paddock.ir.summaries import with_summaries
from paddock.ir.validate import validate
from paddock.ir.walk import variables
from paddock.passes.infer_modifies import infer_modifies
from paddock.solvers.cvc5.solver import Cvc5Solver
from paddock.solvers.z3.solver import Z3Solver
from paddock.vc.passive import interface
from tests.property.examples import examples
from tests.property.executable_programs import Shape, executable_programs

SAFE = Shape(fails=0.1)


@examples(6, 300)
@given(executable_programs(SAFE), st.booleans(), st.booleans(), st.integers(1, 4))
def test_summaries_from_proofs_are_interpolants(text: str, deep: bool, shares: bool, bound: int) -> None:
    program = with_entry(infer_modifies(load([Source(text)])), "main")
    engine = Dag() if shares else Stratified()
    question = Question(engine=engine, recursion_bound=bound, loop_bound=bound, facts=False, constant_loops=False)
    prepared = lifted(program) if deep else preparation()(program)
    with Z3Solver() as solver:
        budget = Budget()
        judge = judging(replays(program, question, Findings()), solver, budget)
        asked = stated(program, prepared, question, solver, budget)
        exploration = Exploration(program, question, asked, solver, budget, Findings(), judge)
        proof = exploration.proof(exploration.run())
        assume(proof is not None)
        assert proof is not None
        found = lasting(proof, solver, Work(budget))
        assume(found is not None)
        assert found is not None
    certificate = found.certificate
    effects = mod_ref(found.program)
    for name, conditions in certificate.ensures.items():
        face = interface(found.program.procedure_named[name], effects[name])
        free = {v for condition in conditions for v in variables(condition) if v.scope is not Scope.CONST}
        assert free <= {*face.inputs, *face.outputs}
    assert not validate(with_summaries(found.program, certificate.summaries()))
    # By a solver that has not made them.
    with Cvc5Solver() as other:
        again = certified(found.program, certificate.ensures, certificate.inlined, other, Work(Budget()), question=None)
    assert again is not None
