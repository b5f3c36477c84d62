"""Each access to a shared global as a step of its own, where the program says so."""

from __future__ import annotations

import pytest

from paddock.frontends.boogie import Source, load
from paddock.ir.printer import statement_text
from paddock.passes.registry import run_passes

HEAD = """
var x, y: int; var m: [int]int; var {:unswitched} top: int;
procedure t() { x := 1; y := 1; m[0] := 1; top := 1; }
procedure {:entrypoint} main() { var a: int; async call %s t(); async call %s t(); %s }
"""


def steps(statement: str, mark: str = "{:accesses}") -> list[str]:
    """The statements of the entry once there are threads, with a star before those where threads may be switched."""
    program = load([Source(HEAD % (mark, mark, statement))], check_modifies=False)
    (body,) = run_passes(program, ["explicit-yields"]).procedure_named["main"].implementations
    texts = [statement_text(s).rstrip(";") for s in body.blocks[0].statements][2:]
    return [
        "*" + text if before == "yield" else text
        for before, text in zip(["", *texts], texts, strict=False)
        if text != "yield"
    ]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("x := 1;", ["*x := 1"]),
        ("a := x;", ["*a := x"]),
        ("x := x + 1;", ["*read := x", "*x := read + 1"]),
        ("a := x + y;", ["*read := x", "*read#1 := y", "a := read + read#1"]),
        ("a := x + x;", ["*a := x + x"]),  # what is loaded twice from one place is loaded once
        ("m[a] := 1;", ["*m := m[a := 1]"]),
        ("m[x] := m[y];", ["*read := x", "*read#1 := y", "*read#2 := m[read#1]", "*m := m[read := read#2]"]),
        ("a := m[m[a]];", ["*read := m[a]", "*read#1 := m[read]", "a := read#1"]),
        ("assume x == y;", ["*read := x", "*read#1 := y", "assume read == read#1"]),
        ("a := top; top := top + 1; a := a + 1;", ["a := top", "top := top + 1", "a := a + 1"]),
    ],
)
def test_one_access_a_step(statement: str, expected: list[str]) -> None:
    assert steps(statement) == expected


def test_a_statement_of_boogie_is_one_step() -> None:
    assert steps("x := x + y;", "") == ["*x := x + y"]
