"""What a search does for a long loop or a long chain of calls grows with its length, at most."""

from __future__ import annotations

import pytest

import paddock
from paddock.engines.inlining.graph import CallSite, Edge, InliningGraph, Node, Shape

LOOP = "procedure main(k: int) { var i: int; while (i < N) { EXIT i := i + 1; } assert i != M; }"


def loop(count: int, *, failing: int, leaving: str = "") -> str:
    text = LOOP.replace("N", str(count)).replace("M", str(failing)).replace("EXIT", leaving)
    return text.replace("var i: int;", "var i: int; i := 0;")


def test_a_loop_is_unrolled_in_doubling_steps() -> None:
    result = paddock.check(paddock.load(loop(200, failing=200)))
    assert result.verdict == "bug"
    assert result.stats["instances"] == 202
    assert result.stats["queries"] <= 20


def test_not_all_of_a_loop_that_may_be_left_earlier() -> None:
    result = paddock.check(paddock.load(loop(900, failing=30, leaving="if (i == k) { break; }")))
    assert result.verdict == "bug"
    assert 31 <= result.stats["instances"] <= 2 * 31 + 2


@pytest.mark.parametrize("engine", ["dag", "stratified", "alternating"])
def test_all_engines_agree(engine: str) -> None:
    options = paddock.Options.of(engine=engine, timeout=600)
    assert paddock.check(paddock.load(loop(70, failing=70)), options).verdict == "bug"
    assert paddock.check(paddock.load(loop(70, failing=71)), options).verdict == "proved"


def test_a_chain_of_calls_is_looked_over_as_a_whole_only_when_need_be() -> None:
    """Growing a chain downward takes a step a node, not one for every pair of nodes."""
    count = 300
    shapes = [Shape(f"p{n}", (CallSite(f"p{n + 1}", 0),), (1,)) for n in range(count)]
    graph = InliningGraph({})
    node = graph.add_root(shapes[0])
    for shape in shapes[1:]:
        node = graph.add_node(node.edges[0], shape)
        assert all(n._descendants is None for n in graph.nodes)
    assert graph.nodes[0].descendants == (1 << count) - 1
    assert graph.nodes[-1].descendants == 1 << (count - 1)


def diamonds(count: int) -> list[Shape]:
    """The program of Fig. 2 of the DAG-inlining paper: each procedure calls the next one on either of two branches."""
    calls = [Shape(f"p{n}", (CallSite(f"l{n}", 1), CallSite(f"r{n}", 2)), (0b111, 0b011, 0b101)) for n in range(count)]
    sides = [Shape(f"{side}{n}", (CallSite(f"p{n + 1}", 0),), (1,)) for n in range(count) for side in "lr"]
    return [*calls, *sides, Shape(f"p{count}", (), (1,))]


def test_a_call_that_shares_an_instance_is_compared_with_what_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0
    slot = Node.__dict__["callers"]

    def counted(node: Node) -> list[Edge]:
        nonlocal looked_at
        looked_at += 1
        callers: list[Edge] = slot.__get__(node)
        return callers

    monkeypatch.setattr(Node, "callers", property(counted, slot.__set__))
    count = 200
    shapes = {shape.procedure: shape for shape in diamonds(count)}
    graph = InliningGraph({})
    graph.add_root(shapes["p0"])
    while graph.open:
        edge = next(iter(graph.open))
        shared = next(graph.compatible(edge), None)
        if shared is None:
            graph.add_node(edge, shapes[edge.site.callee])
        else:
            graph.merge(edge, shared)
    assert (len(graph.nodes), graph.merged) == (3 * count + 1, count)
    assert looked_at <= 30 * count


def test_a_call_is_compared_with_an_instance_once() -> None:
    twice = Shape("p", (CallSite("q", 0), CallSite("q", 0), CallSite("r", 0)), (1,))
    graph = InliningGraph({})
    first, second, other = graph.add_root(twice).edges
    assert not second.may_share
    graph.add_node(first, Shape("q", (), (1,)))
    assert second.may_share
    assert not list(graph.compatible(second))
    second.compared = len(graph.nodes)
    graph.add_node(other, Shape("r", (CallSite("q", 0),), (1,)))
    assert not second.may_share
    graph.add_node(other.target.edges[0], Shape("q", (), (1,)))  # type: ignore[union-attr]
    assert second.may_share
