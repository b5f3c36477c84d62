"""Control-flow graphs: dominance, loops and reducibility."""

from __future__ import annotations

from itertools import pairwise

from paddock.ir.cfg import Cfg
from paddock.ir.program import Implementation
from paddock.ir.stmt import Block, Goto, Return


def cfg(**edges: str) -> Cfg:
    """A graph from the targets of each block, one letter a label; no targets means return."""
    blocks = [Block(label, (), Goto(tuple(targets)) if targets else Return()) for label, targets in edges.items()]
    return Cfg(Implementation((), tuple(blocks)))


NESTED = cfg(a="b", b="cx", c="d", d="ec", e="bdx", x="", u="b")


def test_edges() -> None:
    assert NESTED.entry == "a"
    assert NESTED.successors["e"] == ["b", "d", "x"]
    assert NESTED.predecessors["b"] == ["a", "e", "u"]
    assert NESTED.exits == ["x"]
    assert list(NESTED.blocks) == list("abcdexu")


def test_a_target_named_twice_is_one_edge() -> None:
    graph = cfg(a="bb", b="")
    assert (graph.successors["a"], graph.predecessors["b"]) == (["b"], ["a"])


def test_unknown_labels_are_left_out() -> None:
    assert cfg(a="bz", b="").successors["a"] == ["b"]


def test_reverse_postorder_leaves_out_the_unreachable() -> None:
    assert NESTED.reverse_postorder == ["a", "b", "c", "d", "e", "x"]
    assert NESTED.position["d"] == 3


def test_dominance() -> None:
    assert NESTED.immediate_dominators == {"b": "a", "c": "b", "d": "c", "e": "d", "x": "b"}
    assert NESTED.dominates("a", "x")
    assert NESTED.dominates("c", "c")
    assert NESTED.dominates("c", "e")
    assert not NESTED.dominates("c", "x")
    assert not NESTED.dominates("e", "d")


def test_nested_loops_come_outermost_first() -> None:
    outer, middle, inner = NESTED.loops
    assert (outer.head, outer.body, outer.back_edges, outer.parent) == ("b", tuple("bcde"), (("e", "b"),), None)
    assert (middle.head, middle.body, middle.back_edges) == ("c", tuple("cde"), (("d", "c"),))
    assert (inner.head, inner.body, inner.back_edges) == ("d", tuple("de"), (("e", "d"),))
    assert middle.parent is outer
    assert inner.parent is middle
    assert NESTED.is_reducible


def test_two_back_edges_to_one_head_are_one_loop() -> None:
    (loop,) = cfg(a="bc", b="a", c="ad", d="").loops
    assert (loop.head, loop.back_edges) == ("a", (("c", "a"), ("b", "a")))
    assert set(loop.body) == set("abc")


def test_a_block_that_loops_to_itself() -> None:
    (loop,) = cfg(a="ab", b="").loops
    assert (loop.head, loop.body, loop.back_edges) == ("a", ("a",), (("a", "a"),))


def test_loops_side_by_side_have_the_same_parent() -> None:
    graph = cfg(a="bf", b="bc", c="cd", d="a", f="")
    outer, first, second = graph.loops
    assert (outer.head, first.head, second.head) == ("a", "b", "c")
    assert first.parent is outer
    assert second.parent is outer


def test_an_unreachable_block_belongs_to_no_loop() -> None:
    graph = cfg(a="b", b="bx", u="b", x="")
    assert graph.loops[0].body == ("b",)
    assert graph.back_edges == [("b", "b")]


def test_a_cycle_with_two_entries_is_irreducible() -> None:
    graph = cfg(a="bc", b="c", c="bx", x="")
    assert not graph.is_reducible
    assert graph.loops == []


def test_an_irreducible_part_inside_a_loop() -> None:
    graph = cfg(a="bc", b="c", c="ba", d="")
    assert not graph.is_reducible
    (loop,) = graph.loops
    assert (loop.head, set(loop.body)) == ("a", set("abc"))


def test_a_graph_without_loops() -> None:
    graph = cfg(a="bc", b="d", c="d", d="")
    assert graph.is_reducible
    assert graph.loops == graph.back_edges == []


def test_long_graphs_do_not_overflow() -> None:
    labels = [f"b{n}" for n in range(5_000)]
    blocks = [Block(a, (), Goto((b,))) for a, b in pairwise(labels)]
    graph = Cfg(Implementation((), (*blocks, Block(labels[-1], (), Goto((labels[0],))))))
    (loop,) = graph.loops
    assert loop.body == tuple(labels)
