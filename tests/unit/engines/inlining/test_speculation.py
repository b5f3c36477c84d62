"""Speculation runs a program with what a model of an abstraction decides, and stays within the bounds of a search."""

from __future__ import annotations

import pytest

from paddock.driver.plan import lifted
from paddock.engines.assertions import Findings
from paddock.engines.inlining.search import Exploration, Question, replays, stated
from paddock.engines.judging import judging
from paddock.engines.outcome import Budget, Outcome, Statistics
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import with_entry
from paddock.passes.infer_modifies import infer_modifies
from paddock.solvers.z3.solver import Z3Solver
from paddock.trace.interpreter import Interpreter
from paddock.trace.oracle import ScriptedOracle
from paddock.trace.run import Failed
from paddock.verdict import Verdict

# What Side does has nothing to do with the bug, but is on every path to it.
DEEP = """
var g: int;
procedure Last(n: int) modifies g; { if (n > 3) { g := g + 1; } else { g := g - 1; } }
procedure Side(n: int) modifies g; { call Last(n); call Last(n + 1); call Last(n + 2); }
procedure Fault(n: int) { assert n != 17; }
procedure main(n: int) modifies g; { g := 0; call Side(n); call Side(n); call Fault(n); }
"""

LOOPING = """
procedure Count(n: int) returns (k: int) { k := 0; while (k < n) { k := k + 1; } }
procedure main(n: int) { var k: int; call k := Count(n); assert k != 3; }
"""


def searched(text: str, speculates: bool, bound: int) -> tuple[Outcome, Statistics]:
    program = with_entry(infer_modifies(load([Source(text)])), "main")
    question = Question(recursion_bound=bound, loop_bound=bound, facts=False, speculates=speculates)
    with Z3Solver() as solver:
        budget = Budget()
        judge = judging(replays(program, question, Findings()), solver, budget)
        asked = stated(program, lifted(program), question, solver, budget)
        exploration = Exploration(program, question, asked, solver, budget, Findings(), judge)
        outcome = exploration.run()
        if outcome.run is not None:
            script = outcome.run.script
            assert script is not None
            again = Interpreter(program).run(ScriptedOracle(script.choices, script.values))
            assert isinstance(again.outcome, Failed)
        return outcome, exploration.statistics


def test_calls_beside_the_bug_are_run_and_not_inlined() -> None:
    outcome, statistics = searched(DEEP, speculates=True, bound=2)
    assert outcome.verdict is Verdict.BUG
    assert statistics.queries == 1
    assert statistics.instances < searched(DEEP, speculates=False, bound=2)[1].instances


@pytest.mark.parametrize("bound", [1, 2, 3, 4, 5])
def test_verdicts_are_those_of_a_search_at_the_same_bound(bound: int) -> None:
    found, expected = (searched(LOOPING, speculates, bound)[0].verdict for speculates in (True, False))
    assert found is expected
