"""Invariants of loops: which are guessed, and which stay."""

from __future__ import annotations

import pytest

import paddock
from paddock import Options, Verdict
from paddock.engines.regions.induction import about, candidates, made_on_entry
from paddock.ir.modref import mod_ref
from paddock.ir.printer import statement_text
from paddock.ir.walk import variables
from tests.unit.engines.regions.test_tree import hierarchy

COUNTING = """
procedure main(n: int) {
  var i, x, y: int;
  x := 3; i := 0; y := x;
  while (i < n) {
    assert ASSERTED;
    x := x + 1;
    y := y + 1;
    i := i + 1;
  }
}
"""


def test_what_is_guessed() -> None:
    h = hierarchy(COUNTING.replace("ASSERTED", "x >= i && x < 9"))
    region = h.regions["main:5"]
    on_entry = made_on_entry(h.program, region, mod_ref(h.program))
    assert [statement_text(s) for s in on_entry] == ["x := 3;", "i := 0;", "y := x;"]
    guessed = [str(c) for c in candidates(h.program, region, on_entry)]
    # What is said before and in the loop; comparisons with first values, and with what is met; equalities.
    for guess in ("x == 3", "i < n", "x >= i", "x < 9", "i >= 0", "i <= n", "x >= 3", "x <= 9", "x == y"):
        assert guess in guessed


def verdict(text: str, facts: tuple[str, ...] = ("houdini",)) -> Verdict:
    options = Options.of(gamble=True, jobs=1, gamble_facts=facts, all_assertions=True, recursion_bound=2, timeout=600)
    (assertion,) = paddock.check(paddock.load(text), options).assertions
    assert assertion.region or assertion.verdict is not Verdict.PROVED
    return assertion.verdict


@pytest.mark.parametrize(
    ("asserted", "expected"),
    [
        ("x == y", Verdict.PROVED),
        ("i >= 0", Verdict.PROVED),
        ("x >= 3", Verdict.PROVED),
        ("i <= n", Verdict.PROVED),
        ("x > y", Verdict.BUG),
        ("x == 3", Verdict.BUG),
        ("x >= 3 ==> x != 1000", Verdict.BOUNDED),  # true for the first iterations only
    ],
)
def test_what_is_proved(asserted: str, expected: Verdict) -> None:
    text = COUNTING.replace("ASSERTED", asserted)
    assert verdict(text) is expected
    if expected is Verdict.PROVED and asserted != "i <= n":
        assert verdict_without(text) is not Verdict.PROVED


def verdict_without(text: str) -> Verdict:
    options = Options.of(gamble=True, jobs=1, gamble_facts=(), all_assertions=True, recursion_bound=2, facts=False)
    (assertion,) = paddock.check(paddock.load(text), options).assertions
    return assertion.verdict


def test_an_invariant_of_the_user() -> None:
    text = COUNTING.replace("{\n    assert ASSERTED;", "invariant x == i + 3; {")
    assert verdict(text) is Verdict.PROVED


def test_inner_loops_and_callees_may_change_what_they_write() -> None:
    text = """
var g: int;
procedure main() modifies g; {
  var x: int;
  x := 1; g := 1;
  while (*) {
    assert ASSERTED;
    while (*) { x := WRITTEN; }
    call touch();
  }
}
procedure touch() modifies g; { g := GLOBAL; }
"""
    assert verdict(text.replace("ASSERTED", "x >= 1").replace("WRITTEN", "x - 1").replace("GLOBAL", "g")) is Verdict.BUG
    assert verdict(text.replace("ASSERTED", "g >= 1").replace("WRITTEN", "x").replace("GLOBAL", "0")) is Verdict.BUG


NESTED = """
procedure main() {
  var x, y, i, k: int;
  x := 1; y := 1;
  while (*) {
    i := 0;
    while (i < 5) {
      assert ASSERTED;
      x := STEP;
      i := i + 1;
    }
    AFTERWARDS
  }
}
"""


@pytest.mark.parametrize(
    ("asserted", "step", "afterwards", "expected"),
    [
        ("x >= 1", "x + 1", "", Verdict.PROVED),
        ("x >= y", "x + 1", "", Verdict.PROVED),
        ("i >= 0 && x >= 1", "x + 1", "x := x + i;", Verdict.PROVED),
        ("x >= 1", "x - 1", "", Verdict.BUG),
        ("x >= 1", "x", "x := 0;", Verdict.BUG),
        ("x >= 1", "x", "while (*) { x := x - 1; }", Verdict.BUG),
    ],
)
def test_invariants_of_loops_in_loops(asserted: str, step: str, afterwards: str, expected: Verdict) -> None:
    text = NESTED.replace("ASSERTED", asserted).replace("STEP", step).replace("AFTERWARDS", afterwards)
    assert verdict(text) is expected


def test_only_what_has_to_do_with_assertions_is_guessed_about() -> None:
    h = hierarchy(COUNTING.replace("ASSERTED", "x >= 0"))
    region = h.regions["main:5"]
    effects = mod_ref(h.program)
    relevant = about(h.program, region, h.assertions[region.id], effects)
    guessed = candidates(h.program, region, made_on_entry(h.program, region, effects), relevant)
    assert {v.name for guess in guessed for v in variables(guess)} == {"x", "y"}  # y starts with what x is
    # An assertion somewhere else may be about anything, and so may one that only depends on whether it is reached.
    assert about(h.program, region, [region.origin], effects) is None
    h = hierarchy(COUNTING.replace("ASSERTED", "false"))
    assert about(h.program, region, h.assertions[region.id], effects) is None


def test_bit_vectors() -> None:
    text = """
function {:bvbuiltin "bvult"} less(bv8, bv8): bool;
function {:bvbuiltin "bvadd"} plus(bv8, bv8): bv8;
procedure main() {
  var i: bv8;
  i := 0bv8;
  while (less(plus(i, 1bv8), 100bv8)) {
    assert less(i, 99bv8);
    i := plus(i, 1bv8);
  }
}
"""
    assert verdict(text) is Verdict.PROVED
    assert verdict(text.replace("99bv8", "50bv8")) is not Verdict.PROVED
