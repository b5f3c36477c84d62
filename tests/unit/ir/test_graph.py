"""The graph algorithms, on small graphs by hand and on random ones against their definitions."""

from __future__ import annotations

import random

import pytest

from paddock.ir.graph import (
    immediate_dominators,
    postorder,
    predecessors,
    reachable,
    reverse_postorder,
    strongly_connected_components,
    topological_order,
)

Graph = dict[int, list[int]]


def random_graph(seed: int) -> Graph:
    rng = random.Random(seed)
    size = rng.randint(1, 10)
    return {n: [rng.randrange(size) for _ in range(rng.choice([0, 1, 1, 2, 3]))] for n in range(size)}


RANDOM_GRAPHS = [random_graph(seed) for seed in range(300)]
LONG_CHAIN = {n: [n + 1] for n in range(10_000)} | {10_000: [0]}


def reached(graph: Graph, start: int, without: int | None = None) -> set[int]:
    """What `start` reaches without passing the node `without`."""
    found, stack = set(), [start]
    while stack:
        node = stack.pop()
        if node not in found and node != without:
            found.add(node)
            stack += graph.get(node, [])
    return found


def test_components_come_callees_first() -> None:
    graph = {"main": ["even", "log"], "even": ["odd"], "odd": ["even", "log"], "log": [], "dead": ["main"]}
    assert strongly_connected_components(graph) == [["log"], ["even", "odd"], ["main"], ["dead"]]


def test_components_of_random_graphs() -> None:
    for graph in RANDOM_GRAPHS:
        components = strongly_connected_components(graph)
        position = {node: n for n, group in enumerate(components) for node in group}
        assert sorted(node for group in components for node in group) == sorted(graph)
        for a in graph:
            for b in graph:
                mutual = b in reached(graph, a) and a in reached(graph, b)
                assert (position[a] == position[b]) == mutual
        assert all(position[b] <= position[a] for a in graph for b in graph[a])


def test_targets_that_are_no_keys_are_nodes_too() -> None:
    assert strongly_connected_components({1: [2]}) == [[2], [1]]
    assert topological_order({1: [2]}) == [1, 2]
    assert reachable({1: [2]}, [1]) == [1, 2]
    assert predecessors({1: [2, 2]}) == {1: [], 2: [1, 1]}


def test_topological_order() -> None:
    assert topological_order({"c": [], "a": ["b", "c"], "b": ["c"]}) == ["a", "b", "c"]


@pytest.mark.parametrize("graph", [{1: [1]}, {1: [2], 2: [3], 3: [1]}])
def test_a_cycle_has_no_topological_order(graph: Graph) -> None:
    with pytest.raises(ValueError, match="cycle"):
        topological_order(graph)


def test_topological_order_of_random_graphs() -> None:
    for graph in RANDOM_GRAPHS:
        forward = {a: [b for b in targets if b > a] for a, targets in graph.items()}
        order = topological_order(forward)
        assert sorted(order) == sorted(graph)
        assert all(order.index(a) < order.index(b) for a in forward for b in forward[a])


def test_reachable_is_nearest_first() -> None:
    assert reachable({1: [2, 3], 2: [4], 3: [1], 4: [], 5: [1]}, [1]) == [1, 2, 3, 4]
    assert reachable({1: [2], 2: []}, [2, 2]) == [2]
    for graph in RANDOM_GRAPHS:
        assert set(reachable(graph, [0])) == reached(graph, 0)


def test_postorder_and_its_reverse() -> None:
    graph = {1: [2, 3], 2: [4], 3: [4], 4: [2]}
    assert postorder(graph, [1]) == [4, 2, 3, 1]
    assert reverse_postorder(graph, 1) == [1, 3, 2, 4]
    for random_one in RANDOM_GRAPHS:
        order = reverse_postorder(random_one, 0)
        assert (order[0], set(order)) == (0, reached(random_one, 0))


def test_dominators_of_a_diamond_with_a_loop() -> None:
    graph = {1: [2, 3], 2: [4], 3: [4], 4: [5, 2], 5: [], 6: [5]}
    assert immediate_dominators(graph, 1) == {2: 1, 3: 1, 4: 1, 5: 4}


def test_dominators_of_random_graphs() -> None:
    for graph in RANDOM_GRAPHS:
        inside = reached(graph, 0)
        closest = immediate_dominators(graph, 0)
        assert set(closest) == inside - {0}
        # a strictly dominates b exactly if b cannot be reached around a.
        strict = {b: {a for a in inside if a != b and b not in reached(graph, 0, without=a)} for b in inside}
        for b, a in closest.items():
            assert strict[b] == strict[a] | {a}


def test_long_graphs_do_not_overflow() -> None:
    assert len(strongly_connected_components(LONG_CHAIN)) == 1
    assert len(reachable(LONG_CHAIN, [7])) == len(LONG_CHAIN)
    assert reverse_postorder(LONG_CHAIN, 0) == list(LONG_CHAIN)
    assert immediate_dominators(LONG_CHAIN, 0)[10_000] == 9_999
