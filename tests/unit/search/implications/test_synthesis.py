"""Assertions from concrete runs: what is observed where, what is proposed, and the program that asserts it."""

from __future__ import annotations

from pathlib import Path

import pytest

import paddock
from paddock import InputError, Options, Program, relating
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.printer import expr_text
from paddock.search.implications.observation import observed
from paddock.search.implications.synthesis import proposed, with_assertions

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
    result = paddock.check(again, Options(all_assertions=True, implications=True, recursion_bound=3))
    assert {c.id for c in candidates} <= {a.id for a in result.assertions}
    assert all(a.verdict != "bug" for a in result.assertions if a.id.startswith("scale.loop"))


def test_the_runs_can_be_repeated() -> None:
    program = program_of(LOOP)
    assert observed(program, 5, 7) == observed(program, 5, 7)


def test_inputs_come_from_a_file(tmp_path: Path) -> None:
    source, inputs = tmp_path / "p.bpl", tmp_path / "inputs"
    source.write_text(LOOP)
    inputs.write_text("003\n\n0x4 5\n")
    listed, _ = relating.assertions_of_files([str(source)], Options(), relating.Synthesis(0, 10, str(inputs)))
    assert "3 <= n" in listed
    assert "n <= 4" in listed
    assert listed.splitlines()[-1].startswith("1 static, ")
    inputs.write_text("3\n 007 four\n")
    with pytest.raises(InputError, match=r"inputs:2:6: error: inputs are whole numbers, .* not four"):
        relating.assertions_of_files([str(source)], Options(), relating.Synthesis(0, 10, str(inputs)))


@pytest.mark.parametrize(("runs", "per_point"), [(-1, 10), (1, 0)])
def test_numbers_that_make_no_sense_are_refused(runs: int, per_point: int) -> None:
    with pytest.raises(InputError, match="must be at least"):
        relating.Synthesis(runs, per_point)
