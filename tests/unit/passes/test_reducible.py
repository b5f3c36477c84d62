from __future__ import annotations

import itertools
import random

import pytest

from paddock.ir.cfg import Cfg
from paddock.ir.origin import InputError
from paddock.ir.program import Implementation
from paddock.ir.stmt import Block, Goto, Return
from paddock.passes.reducible import made_reducible
from tests.unit.passes.transforming import program


def implementation(edges: dict[str, str]) -> Implementation:
    """Blocks with the targets given by one letter each; a block without targets returns."""
    return Implementation(
        (), tuple(Block(label, (), Goto(tuple(targets)) if targets else Return()) for label, targets in edges.items())
    )


def original(label: str) -> str:
    return label.split("#")[0]


def paths(body: Implementation, length: int) -> set[tuple[str, ...]]:
    """The label sequences of all paths from the entry up to a length, copies under their original's name."""
    blocks = {b.label: b for b in body.blocks}
    found: set[tuple[str, ...]] = set()
    frontier = {((original(body.blocks[0].label),), body.blocks[0].label)}
    for _ in range(length):
        found |= {path for path, _ in frontier}
        frontier = {((*path, original(s)), s) for path, end in frontier for s in blocks[end].successors}
    return found


def edges_of(body: Implementation) -> dict[str, str]:
    return {b.label: " ".join(b.successors) for b in body.blocks}


def test_a_loop_with_two_entries() -> None:
    before = implementation({"s": "ab", "a": "b", "b": "ac", "c": ""})
    assert edges_of(made_reducible(before, "P")) == {"s": "a b#1", "a": "b", "b": "a c", "c": "", "b#1": "a c"}


def test_a_reducible_graph_is_the_same_object() -> None:
    before = implementation({"s": "a", "a": "bc", "b": "a", "c": ""})
    assert made_reducible(before, "P") is before


def test_unreachable_blocks_are_left_out() -> None:
    before = implementation({"s": "", "a": "b", "b": "a"})
    assert edges_of(made_reducible(before, "P")) == {"s": ""}


def test_the_first_block_is_never_copied() -> None:
    before = implementation({"s": "ab", "a": "bs", "b": "as"})
    after = made_reducible(before, "P")
    assert after.blocks[0].label == "s"
    assert sum(original(b.label) == "s" for b in after.blocks) == 1
    assert Cfg(after).is_reducible


def test_all_graphs_of_four_blocks() -> None:
    labels = "sabc"
    targets = ["".join(t) for n in range(4) for t in itertools.combinations("abc", n)]
    for choice in itertools.product(targets, repeat=3):
        before = implementation(dict(zip(labels, ("abc", *choice), strict=True)))
        after = made_reducible(before, "P")
        assert Cfg(after).is_reducible
        assert paths(after, 6) == paths(before, 6)


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_keep_their_paths(seed: int) -> None:
    rng = random.Random(seed)
    labels = "sabcdefg"
    before = implementation({a: "".join(rng.sample(labels, rng.randint(0, 2))) for a in labels})
    after = made_reducible(before, "P")
    assert Cfg(after).is_reducible
    assert len(Cfg(after).position) == len(after.blocks)
    assert paths(after, 9) == paths(before, 9)


def test_too_many_copies_are_refused_with_a_place() -> None:
    labels = [f"b{n}" for n in range(16)]
    blocks = "".join(f"{label}:\n goto {', '.join(o for o in labels if o != label)}; " for label in labels)
    (procedure,) = program(
        f"procedure P();\nimplementation P() {{ s: goto {', '.join(labels)};\n {blocks} }}"
    ).procedures
    with pytest.raises(InputError, match="procedure `P` jumps into") as caught:
        made_reducible(procedure.implementations[0], "P")
    assert caught.value.diagnostics[0].origin.line > 2
    small = implementation({"s": "ab", "a": "b", "b": "a"})
    with pytest.raises(InputError):
        made_reducible(small, "P", limit=0)
