"""The number of iterations that a loop is marked with is the one that it has when it runs."""

from __future__ import annotations

import operator

from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.expr import Lit
from paddock.ir.program import Procedure, find_attribute
from paddock.passes.registry import run_passes

MOST = 1000  # iterations; what runs longer has no mark
WIDTH = 4

RELATIONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
}
BIT_VECTOR_RELATIONS = {"bvult": operator.lt, "bvule": operator.le, "bvugt": operator.gt, "bvuge": operator.ge}

small = st.integers(-12, 12)


def mark(text: str) -> int | None:
    """The iterations that the only loop is marked with."""
    (loop,) = [p for p in run_passes(load([Source(text)]), ["extract-loops", "bound-loops"]).procedures if is_loop(p)]
    attribute = find_attribute(loop.attributes, "iterations")
    if attribute is None:
        return None
    (count,) = attribute.params
    assert isinstance(count, Lit) and isinstance(count.value, int)
    return count.value


def is_loop(procedure: Procedure) -> bool:
    return find_attribute(procedure.attributes, "loop") is not None


@settings(max_examples=100)
@given(first=small, limit=small, factor=st.integers(-2, 2), step=small, relation=st.sampled_from(list(RELATIONS)))
def test_integers(first: int, limit: int, factor: int, step: int, relation: str) -> None:
    count, i = 0, first
    while count <= MOST and RELATIONS[relation](i, limit):
        count, i = count + 1, i * factor + step
    text = f"""
        procedure main() {{
          var i, limit: int;
          i, limit := {first}, {limit};
          while (i {relation} limit) {{ i := i * {factor} + {step}; }}
        }}
    """
    assert mark(text) == (count if count <= MOST else None)


@settings(max_examples=50)
@given(
    first=st.integers(0, 2**WIDTH - 1),
    limit=st.integers(0, 2**WIDTH - 1),
    step=st.integers(0, 2**WIDTH - 1),
    relation=st.sampled_from(list(BIT_VECTOR_RELATIONS)),
)
def test_bit_vectors(first: int, limit: int, step: int, relation: str) -> None:
    count, b = 0, first
    while count <= MOST and BIT_VECTOR_RELATIONS[relation](b, limit):
        count, b = count + 1, (b + step) % 2**WIDTH
    type_ = f"bv{WIDTH}"
    text = f"""
        function {{:bvbuiltin "{relation}"}} holds(a: {type_}, b: {type_}): bool;
        function {{:bvbuiltin "bvadd"}} add(a: {type_}, b: {type_}): {type_};
        procedure main() {{
          var b: {type_};
          b := {first}{type_};
          while (holds(b, {limit}{type_})) {{ b := add(b, {step}{type_}); }}
        }}
    """
    assert mark(text) == (count if count <= MOST else None)
