"""Extracted loops do what the loops did: in all runs of small programs, and as far as a bound lets them.

R activations of a loop procedure are R-1 complete iterations.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.passes.extract_loops import extract_loops
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Failed, Returned
from tests.property.goto_programs import behaviour, loop_programs, small

PROGRAM = """
    var x: int;
    var y: int;
    procedure main();
      modifies x, y;
    implementation main()
    {
      start: x, y := 0, 0; goto outer;
      outer: goto inner, end;
      inner: goto body, next;
      body:  y := y + 1; assert y != LIMIT; goto inner;
      next:  x := x + 1; goto outer;
      end:   return;
    }
"""


def ends(assertion: int, bound: int) -> tuple[set[tuple[object, object]], bool]:
    """The values of x and y with which the program returns, and whether its assertion can fail."""
    program = extract_loops(load([Source(PROGRAM.replace("LIMIT", str(assertion)))]))
    runs = list(every_run(program, None, small, Limits(recursion=bound)))
    returned = {(r.globals["x"], r.globals["y"]) for r in runs if isinstance(r.outcome, Returned)}
    return returned, any(isinstance(r.outcome, Failed) for r in runs)


@pytest.mark.parametrize("bound", [1, 2, 3])
def test_complete_iterations(bound: int) -> None:
    outer = inner = bound - 1
    returned, _ = ends(-1, bound)
    assert returned == {(x, y) for x in range(outer + 1) for y in range(x * inner + 1)}


@pytest.mark.parametrize("bound", [1, 2, 3])
def test_one_more_iteration_may_begin(bound: int) -> None:
    # Complete iterations of the outer loop, and the last one of the inner loop within the last of the outer.
    furthest = (bound - 1) * (bound - 1) + (bound - 1) + 1
    assert ends(furthest, bound)[1]
    assert not ends(furthest + 1, bound)[1]


@settings(max_examples=60)
@given(text=loop_programs())
def test_every_behaviour_is_kept(text: str) -> None:
    program = load([Source(text)])
    expected = behaviour(program, 10_000)
    assert expected is not None
    assert behaviour(extract_loops(program), 100_000) == expected
