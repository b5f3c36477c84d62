"""Programs as bytes, and back."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import paddock
from paddock.engines.regions.verify import Slice
from paddock.ir.build import arith, int_lit
from paddock.ir.expr import Expr, Op, Scope, Var
from paddock.ir.packing import packed, unpacked
from paddock.ir.types import INT

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.bpl"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_a_program_comes_back_as_it_was(path: Path) -> None:
    program = paddock.load(path)
    again = unpacked(packed({"it": program}))["it"]
    assert again == program
    assert paddock.program_text(again) == paddock.program_text(program)
    assert [p.origin for p in again.procedures] == [p.origin for p in program.procedures]


def test_terms_stay_the_terms_that_they_are() -> None:
    term = arith(Op.ADD, Var("x", INT, Scope.LOCAL), int_lit(1))
    assert unpacked(packed({"a": term, "b": (term, [term])})) == {"a": term, "b": (term, [term])}
    assert unpacked(packed({"a": term}))["a"] is term


def test_deep_terms() -> None:
    x = Var("x", INT, Scope.LOCAL)
    term: Expr = x
    for _ in range(10_000):
        term = arith(Op.ADD, term, x)
    assert unpacked(packed({"deep": term}))["deep"] is term


def test_a_slice_is_pickled_in_that_way() -> None:
    program = paddock.load(EXAMPLES[0])
    again = pickle.loads(pickle.dumps(Slice(program)))
    assert again == Slice(program)
