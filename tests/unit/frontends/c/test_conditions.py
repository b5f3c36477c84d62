"""Conditions in C's terms: casts where the sign of an operator is not that of the type."""

from __future__ import annotations

from typing import Any

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.c import types as c
from paddock.frontends.c.conditions import c_condition
from paddock.frontends.c.show import Scalar, ShownFunction
from paddock.frontends.source import Source

SIGNED, UNSIGNED = c.INT, c.UNSIGNED_INT

PROGRAM = """
    function {:bvbuiltin "bvsle"} sle(a: bv32, b: bv32): bool;
    function {:bvbuiltin "bvult"} ult(a: bv32, b: bv32): bool;
    function {:bvbuiltin "bvadd"} add(a: bv32, b: bv32): bv32;
    function {:bvbuiltin "bvsdiv"} sdiv(a: bv32, b: bv32): bv32;
    var g: bv32; var memory: [bv32]bv32; var made.up: bv32;
    procedure f(x: bv32, u: bv32) returns (r: bv32);
      modifies g, memory;
      free ensures CONDITION;
"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("sle(x, r)", "x <= \\result"),
        ("sle(x, 4294967295bv32)", "x <= -1"),
        ("ult(u, 4294967295bv32)", "u < 4294967295u"),
        ("ult(x, u)", "(unsigned int)x < u"),
        ("sle(u, add(x, 1bv32))", "(int)u <= (int)(x + 1)"),
        ("g == old(g)", "(int)g == (int)\\old(g)"),
        ("u == 4294967295bv32", "u == 4294967295u"),
        ("sle(x, 0bv32) ==> !(x == r || false)", "(x <= 0) ==> !((x == \\result) || \\false)"),
        ("memory[x] == 0bv32", None),
        ("made.up == 0bv32", None),
        ("sdiv(x, u) == 0bv32", None),
    ],
)
def test_a_condition_says_what_it_means(condition: str, expected: str | None) -> None:
    program = load([Source(PROGRAM.replace("CONDITION", condition))])
    procedure = program.procedure_named["f"]
    x, u = (declared.var for declared in procedure.params)
    (result,) = procedure.results
    no_type: Any = None
    function = ShownFunction(
        "f", no_type, (Scalar("x", x, SIGNED), Scalar("u", u, UNSIGNED)), (Scalar("", result.var, SIGNED),)
    )
    assert c_condition(procedure.ensures[0].condition, function, program, {}) == expected
