"""The states of a run, made again from its steps."""

from __future__ import annotations

import paddock
from paddock.ir.expr import Scope, Var
from paddock.ir.types import INT
from paddock.trace.interpreter import Interpreter
from paddock.trace.oracle import ScriptedOracle
from paddock.trace.states import States

TEXT = """
var g: int;
procedure Any() returns (r: int);
  modifies g;
procedure Twice(x: int) returns (y: int)
  modifies g;
{
  y := x + x;
  g := g + 1;
}
procedure main(n: int)
  modifies g;
{
  var a: int;
  call a := Twice(n);
  call a := Any();
  a := a + n;
  assert false;
}
"""


def test_the_states_of_a_run_with_calls() -> None:
    program = paddock.load(TEXT)
    # g and n at the start, a and y as they are before they are set, g and r after Any
    run = Interpreter(program).run(ScriptedOracle([], [10, 3, 0, 0, 20, 7]))
    states = States(run, program)
    g, n, a, y = Var("g", INT, Scope.GLOBAL), *(Var(name, INT, Scope.LOCAL) for name in "nay")
    seen = [(states.value(g), states.value(n), states.value(a), states.value(y))]
    for step in run.steps:
        states.advance(step)
        seen.append((states.value(g), states.value(n), states.value(a), states.value(y)))
    assert seen == [
        (10, 3, None, None),
        (10, None, None, None),  # in Twice
        (10, None, None, 6),
        (11, None, None, 6),
        (11, 3, 6, None),
        (11, None, None, None),  # in Any
        (20, 3, 7, None),
        (20, 3, 10, None),
        (20, 3, 10, None),
    ]
