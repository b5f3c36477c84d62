"""Assertions that are checked with the summaries of the proofs of others get the verdicts that they get without."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paddock
from paddock import Options, Verdict
from paddock.driver.pipeline import made_ready
from paddock.driver.plan import CheckPlan
from paddock.engines.inlining.search import stated
from paddock.engines.interpolation.one_by_one import one_by_one
from paddock.engines.outcome import Budget
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.solvers.z3.solver import Z3Solver
from tests.property.examples import examples
from tests.property.executable_programs import Shape, executable_programs

SHAPE = Shape(fails=0.2)

# What f ensures, it ensures only if its assertion holds.
DEPENDENT = """
var h: int;
procedure f(x: int) returns (r: int) modifies h; { if (h > 5) { h := h - 1; } r := x; assert r > h; r := r + 1; }
procedure g(x: int) returns (r: int) modifies h; { call r := f(x); h := h + 1; }
procedure main(x: int) modifies h; { var r: int; call r := g(x); assert r > h - 1; }
"""


def verdicts(text: str, **chosen: object) -> list[bool]:
    """Whether each assertion can fail, as far as that is known."""
    result = paddock.check(load([Source(text)]), Options.of(all_assertions=True, entry="main", **chosen))
    assert Verdict.UNKNOWN not in [a.verdict for a in result.assertions]
    return [a.verdict is Verdict.BUG for a in result.assertions]


@examples(5, 200)
@given(executable_programs(SHAPE), st.booleans(), st.booleans(), st.integers(1, 3))
def test_verdicts_are_the_same_with_summaries_of_earlier_proofs(
    text: str, implications: bool, deep: bool, bound: int
) -> None:
    chosen = {"recursion_bound": bound, **({"implications": True} if implications else {"deep_asserts": deep})}
    assert verdicts(text, reuse_summaries=True, **chosen) == verdicts(text, recursion_bound=bound)


# Within the bound, nothing is left of an execution; with calls beyond it left open, an error is in sight.
BEYOND = """
var g, k: int;
var b: bool;
var m: [int]int;
procedure main()
  modifies g, k, b, m;
  requires k <= 2;
  ensures g <= 3;
{
  var r, y: int;
  g, k, b := 0, 1, false;
  call r := P2(2, k);
  call r := P1(2, (k + 3) mod 4);
  assert 0 <= y && (b || !b);
}
procedure P1(n: int, x: int) returns (r: int) modifies g, k, b, m;
{ r := 0; assert !b; if ((x + x) mod 4 != x) { call r := P2(n, k); } }
procedure P2(n: int, x: int) returns (r: int) modifies g, k, b, m; requires 0 <= x && x <= 3; ensures 0 <= r && r <= 3;
{ r := 0; if (n > 0) { call r := P1(n - 1, 3); } if (n > 0) { call r := P2(n - 1, m[r]); } }
"""


def test_an_error_beyond_the_bound_is_none() -> None:
    chosen = {"recursion_bound": 1, "deep_asserts": False}
    assert verdicts(BEYOND, reuse_summaries=True, **chosen) == verdicts(BEYOND, **chosen)


@pytest.mark.parametrize("deep", [True, False])
def test_what_depends_on_an_assertion_is_not_used_for_it(deep: bool) -> None:
    options = Options.of(
        engine="stratified", recursion_bound=2, all_assertions=True, deep_asserts=deep, facts=False, entry="main"
    )
    ready = made_ready(load([Source(DEPENDENT)]), options)
    with Z3Solver() as solver:
        prepared = CheckPlan(options).lifting("assertion")(ready.prepared)
        asked = stated(ready.original, prepared, ready.question, solver, Budget())
        for order in permutations(asked.switches):
            steps = one_by_one(ready.original, asked, ready.question, [[s] for s in order], solver, Budget())
            found = {source: step.outcome.verdict for source, step in zip(order, steps, strict=True)}
            assert sorted(v.value for v in found.values()) == ["bug", "proved"]
