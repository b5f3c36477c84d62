"""Assertions from concrete runs: what is observed where, what is proposed, and the program that asserts it."""

from __future__ import annotations

from pathlib import Path

import pytest

import paddock
from paddock import InputError, Options, Program
from paddock.driver import implications as driver
from paddock.engines.implications.observation import LARGEST, MOST_STEPS, observed
from paddock.engines.implications.synthesis import proposed, with_assertions
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.printer import expr_text
from paddock.trace.interpreter import Interpreter, Limits
from paddock.trace.oracle import RandomOracle
from paddock.trace.run import Failed

LOOP = """
procedure scale(n: int) returns (r: int) requires n >= 0;
{
  var i: int;
  var b: bool;
  i, r, b := 0, 1, true;
  while (i < n) {
    i, r := i + 1, r + 2;
  }
}
procedure main() {
  var k: int;
  var r: int;
  havoc k;
  if (k < 0) { k := 0 - k; }
  if (k > 20) { k := 20; }
  call r := scale(k);
}
"""


def program_of(text: str) -> Program:
    program = paddock.load(text)
    return with_entry(program, entry_name(program))


def texts(text: str, place: str, runs: int = 20, inputs: tuple[tuple[int, ...], ...] = ()) -> list[str]:
    program = program_of(text)
    _, candidates = proposed(program, observed(program, runs, 0, inputs), 20)
    return [expr_text(c.condition) for c in candidates if c.id.startswith(f"{place}.")]


def test_constants_ranges_orders_and_lines_are_found() -> None:
    assert {"b", "0 <= i", "i <= n", "i <= r", "r == 2 * i + 1", "r != 0"} <= set(texts(LOOP, "scale.loop"))
    assert "r == 2 * n + 1" in texts(LOOP, "scale.exit")
    assert "0 <= n" in texts(LOOP, "scale.entry")


def test_what_differs_between_runs_is_not_proposed() -> None:
    assert "n == 0" not in texts(LOOP, "scale.entry")
    assert texts(LOOP, "scale.entry", 0, ((4,), (4,))) == ["n == 4", "4 <= n", "n <= 4", "n != 0"]


def test_uninitialised_variables_are_left_out() -> None:
    text = "procedure main() { var x: int; var y: int; y := 1; while (y < 3) { y := y + 1; } }"
    assert not [t for t in texts(text, "main.loop") if "x" in t]


def test_bit_vectors_are_compared_as_signed_numbers() -> None:
    text = """
    function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8): bv8;
    procedure main() { var x: bv8; x := 250bv8; while (x != 3bv8) { x := add(x, 1bv8); } }
    """
    found = texts(text, "main.loop")
    assert found == ["bvsle.bv8.bv8(250bv8, x)", "bvsle.bv8.bv8(x, 3bv8)"]


def test_the_program_with_assertions_reads_back_and_holds_in_the_same_runs() -> None:
    program = program_of(LOOP)
    extended, candidates = proposed(program, observed(program, 20, 0), 5)
    again = paddock.load(paddock.program_text(with_assertions(extended, candidates)))
    result = paddock.check(again, Options.of(all_assertions=True, implications=True, recursion_bound=3))
    assert {c.id for c in candidates} <= {a.id for a in result.assertions}
    assert all(a.verdict != "bug" for a in result.assertions if a.id.startswith("scale.loop"))


def test_the_runs_can_be_repeated() -> None:
    program = program_of(LOOP)
    assert observed(program, 5, 7) == observed(program, 5, 7)


def test_inputs_come_from_a_file(tmp_path: Path) -> None:
    source, inputs = tmp_path / "p.bpl", tmp_path / "inputs"
    source.write_text(LOOP)
    inputs.write_text("003\n\n0x4 5\n")
    listed, _, _ = driver.assertions_of_files([str(source)], Options(), driver.Synthesis(0, 10, str(inputs)))
    assert "3 <= n" in listed
    assert "n <= 4" in listed
    assert listed.splitlines()[-1].startswith("1 static, ")
    inputs.write_text("3\n 007 four\n")
    with pytest.raises(InputError, match=r"inputs:2:6: error: inputs are whole numbers, .* not four"):
        driver.assertions_of_files([str(source)], Options(), driver.Synthesis(0, 10, str(inputs)))


@pytest.mark.parametrize(("runs", "per_point"), [(-1, 10), (1, 0)])
def test_numbers_that_make_no_sense_are_refused(runs: int, per_point: int) -> None:
    with pytest.raises(InputError, match="must be at least"):
        driver.Synthesis(runs, per_point)


# --- what was before, and elements -----------------------------------------------------------------


def test_globals_are_compared_with_what_they_were() -> None:
    text = """
    var g, h: int;
    procedure bump(d: int) modifies g, h; { g := g + 1; h := h + d; }
    procedure main(n: int) modifies g, h; { g := n; h := 0; call bump(n); call bump(2); }
    """
    found = texts(text, "bump.exit")
    assert "g == old(g) + 1" in found
    assert not any("old(h)" in c and "==" in c for c in found)
    assert not any("old" in c for c in texts(text, "bump.entry"))


def test_old_is_the_start_of_the_same_activation() -> None:
    text = """
    var g: int;
    procedure down(n: int) modifies g; { g := g + 1; if (n > 0) { call down(n - 1); } }
    procedure main(n: int) modifies g; { g := n; call down(2); }
    """
    assert "g == old(g) + 1" not in texts(text, "down.exit")
    assert "old(g) <= g" in texts(text, "down.exit")


FILL = """
var a: [int]int;
procedure main() modifies a;
{
  var i, k: int;
  i := 0;
  havoc k;
  while (i < 4) { a[i] := VALUE; i := i + 1; }
}
"""


def fill(value: str, place: str = "main.exit") -> list[str]:
    return texts(FILL.replace("VALUE", value), place)


def test_elements_of_maps_are_observed() -> None:
    assert {"a[1] == 3", "a[3] == 7"} <= set(fill("2 * i + 1"))
    assert "(forall k: int :: { a[k] } 0 <= k && k < 4 ==> a[k] == 2 * k + 1)" in fill("2 * i + 1")
    assert "(forall k: int :: { a[k] } 0 <= k && k < 4 ==> a[k] == 5)" in fill("5")
    assert "(forall k: int :: { a[k] } 0 <= k && k + 1 < 4 ==> a[k] <= a[k + 1])" in fill("i * i")
    assert "(forall k: int :: { a[k] } 0 <= k && k < 4 ==> k <= a[k])" in fill("i * i")
    assert not any("k + 1" in c for c in fill("0 - i * i"))


def test_ranges_end_at_variables() -> None:
    found = fill("2 * i + 1", "main.loop")
    assert "(forall k: int :: { a[k] } 0 <= k && k < i ==> a[k] == 2 * k + 1)" in found


def test_no_name_is_captured() -> None:
    text = (
        "var a: [int]int; procedure main() modifies a; { var k: int; k := 0; while (k < 4) { a[k] := k; k := k + 1; } }"
    )
    found = texts(text, "main.loop")
    assert "(forall k#1: int :: { a[k#1] } 0 <= k#1 && k#1 < k ==> a[k#1] == k#1)" in found


@pytest.mark.parametrize("value", ["2 * i + 1", "i * i", "0 - i", "5", "if i == 2 then 9 else k"])
def test_what_is_proposed_of_elements_holds_on_the_same_runs(value: str) -> None:
    program = program_of(FILL.replace("VALUE", value))
    _, candidates = proposed(program, observed(program, 20, 0), 50)
    assert any("forall" in expr_text(c.condition) for c in candidates)
    asserting = Interpreter(with_assertions(program, candidates))
    for seed in range(20):
        oracle = RandomOracle(asserting.world.domains, seed, LARGEST[seed % len(LARGEST)])
        run = asserting.run(oracle, None, Limits(steps=MOST_STEPS), record=False, lazy=True, guided=True)
        assert not isinstance(run.outcome, Failed), str(run.outcome)


FLOATS = """
var x, y: float24e8;
procedure step(u: float24e8, v: float24e8) modifies x, y; { x := u; y := v; }
procedure main() modifies x, y; { CALLS }
"""


def of_floats(*pairs: tuple[str, str]) -> list[str]:
    calls = " ".join(f"call step({u}, {v});" for u, v in pairs)
    return texts(FLOATS.replace("CALLS", calls), "step.exit")


ONE, TWO, ZERO, MINUS_ZERO, NAN = "0x1.0e0f24e8", "0x2.0e0f24e8", "0x0.0e0f24e8", "-0x0.0e0f24e8", "0NaN24e8"


def test_floats_are_observed() -> None:
    found = of_floats((ONE, TWO), (TWO, TWO))
    assert {f"{ONE} <= x", f"x <= {TWO}", f"x != {ZERO}", f"y == {TWO}", "u == x"} <= set(found)


def test_zeros_are_different_values_that_are_not_ordered_strictly() -> None:
    found = of_floats((ZERO, MINUS_ZERO), (MINUS_ZERO, ZERO), (MINUS_ZERO, ONE))
    assert "x == y" not in found
    assert f"x != {ZERO}" not in found
    assert f"x <= {ZERO}" in found


def test_nothing_is_said_of_the_order_of_what_is_no_number() -> None:
    found = of_floats((NAN, ONE), (NAN, TWO), (ONE, NAN))
    assert "u == x" in found
    assert not any("<=" in c for c in found)


def test_pointers_are_null_or_not_and_equal_or_not(tmp_path: Path) -> None:
    file = tmp_path / "pointers.c"
    file.write_text("""
        int cells[4]; int *p, *q, *none;
        void set(int *to) { p = to; q = to; none = 0; }
        int main(void) { set(&cells[0]); set(&cells[2]); return *p; }
    """)
    listed, _, _ = driver.assertions_of_files([str(file)], Options(), driver.Synthesis(per_point=30))
    at_exit = [line.split(maxsplit=3)[3] for line in listed.splitlines() if "set.exit" in line]
    assert {"none == 0bv64", "p != 0bv64", "p == q"} <= set(at_exit)
    assert "p == none" not in at_exit
