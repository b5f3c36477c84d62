"""Small programs whose verdicts are known."""

from __future__ import annotations

import pytest

from paddock.driver.pipeline import check
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.options import Options
from paddock.report.result import Verdict

OLD = """var g: int; var m: [int]int;
procedure main() modifies g, m; { g := g + 1; m := (lambda i: int :: old(g) - g + i); assert m[3] == %s; }"""
NESTED = """procedure main() { var m: [int]bool; var k: int; var i: int;
  m := (lambda i: int :: (exists j: int :: j > i && j < k)); k := 7; i := 9; assert m[3] == false; }"""
SHIFT = """function {:bvbuiltin "bvlshr"} shr(bv64, bv64): bv64; function {:bvbuiltin "bvmul"} mul(bv64, bv64): bv64;
procedure main(x: bv8) { assert shr(mul(0bv56 ++ x, 4bv64), 18446744073709551615bv64) == 0bv64; }"""
CHOICE = """procedure main(x: int) { var y: int; y := 0;
  goto a, b; a: assume x > 0; y := 1; goto c; b: assume x > 1; y := 2; goto c; c: assert y == 1; }"""
LOOP = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i != %d; }"
CONSTANT = "procedure main() { var i: int; i := 0; while (i < 40) { i := i + 1; } assert i == %d; }"
UNASSIGNED = "procedure main(b: bool) { var x: int; if (b) { x := 1; } assert x == 1; }"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (OLD % 3, Verdict.BUG),
        (OLD % 2, Verdict.PROVED),
        (NESTED, Verdict.BUG),  # k is arbitrary when the lambda is made
        (NESTED.replace("m[3] == false", "m[3]"), Verdict.BUG),
        (SHIFT, Verdict.PROVED),
        (CHOICE, Verdict.BUG),
        (LOOP % 7, Verdict.BUG),
        (LOOP % 8, Verdict.BOUNDED),
        (CONSTANT % 40, Verdict.PROVED),
        (CONSTANT % 41, Verdict.BUG),
        (UNASSIGNED, Verdict.BUG),
    ],
)
def test_verdicts(text: str, verdict: Verdict) -> None:
    for engine in ("symbolic", "dag"):
        result = check(load([Source(text)]), Options.of(engine=engine))
        assert result.verdict is verdict, (engine, result.reason)


TREE = """
procedure main(n: int) { assume n <= 2; call walk(n); }
procedure walk(n: int) { if (n > 0) { call walk(n - 1); call walk(n - 1); } assert n <= 2; }
"""


def test_recursion_that_cannot_happen_is_not_unfolded() -> None:
    result = check(load([Source(TREE)]), Options.of(engine="symbolic", recursion_bound=20))
    assert result.verdict is Verdict.PROVED
    assert result.stats["instances"] < 20


FLOATS = """procedure main() { var d: float24e8; var n: int; d := 0x0.0e0f24e8; n := 0;
  while (d < 0xA.0e0f24e8) { d := d + 0x8.0e-1f24e8; n := n + 1; } assert n != 20; }"""


def test_loops_that_count_with_floats_run_to_their_end() -> None:
    result = check(load([Source(FLOATS)]), Options.of(engine="symbolic"))
    assert result.verdict is Verdict.BUG
