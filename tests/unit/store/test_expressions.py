"""Conditions as data: what is written is read again, and what makes no sense is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.store.expressions import Unreadable, from_data, to_data

PROGRAM = load(
    [
        Source("""
var g: int; var m: [int]bv8; var r: real; const c: int;
function f(x: int) returns (bool);
procedure P(x: int, b: bool) returns (y: int);
  ensures y == x + 1 && (b ==> g >= old(g)); ensures f(c) || g < -c; ensures m[x] == 7bv8 || m[y][4:0] == 3bv4;
  ensures r > 1.5; ensures (if b then x else y) == 0; ensures true;
""")
    ]
)
P = PROGRAM.procedures[0]


@pytest.mark.parametrize("clause", P.ensures, ids=lambda c: str(c.condition))
def test_what_is_written_is_read(clause: Any) -> None:
    data = json.loads(json.dumps(to_data(clause.condition)))
    assert from_data(data, PROGRAM, P) is clause.condition


def test_binders_are_not_kept() -> None:
    program = load([Source("procedure P(x: int); ensures (forall i: int :: i > x ==> i > 0);")])
    assert to_data(program.procedures[0].ensures[0].condition) is None


@pytest.mark.parametrize(
    "data",
    [
        None, {}, [], 3, [[]], ["op"], [["op", "&&", 0, 0]], [["bool", 1]], [["int", "5"]], [["int", "-5"]],
        [["local", "z"]], [["global", "x"]], [["local", "b"], ["op", "&&", 0]], [["local", "b"], ["op", "&&", 0, 1]],
        [["local", "b"], ["op", "&&", 0, -1]], [["local", "b"], ["op", "+", 0, 0]], [["fn", "f"]], [["fn", "h"]],
        [["local", "b"], ["fn", "f", 0]], [["bv", "300", 8], ["op", "==", 0, 0]], [["bv", "1", 10**9]],
        [["bound", "i"]], [["real", "1/3"], ["op", "==", 0, 0]], [["bits", 1, 1, 0]], [["int", "9" * 5000]],
        [["local", "b"], ["op", "no", 0]], [["local", {}]], [["op", [], 0]], [["bool", True]] * 3000,
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(data: object) -> None:
    with pytest.raises(Unreadable):
        from_data(data, PROGRAM, P)
