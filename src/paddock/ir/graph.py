"""Algorithms on directed graphs: components, orders, reachability, dominators.

A graph is a mapping from each node to its successors. All algorithms are iterative, take the nodes in the
order of the mapping, and so give the same answer on every run. They are written out here because no library
earns its place: with conversion, `bench/graphs.py` finds networkx several times slower and rustworkx about as
fast, and all the graphs of a big program together take some ten milliseconds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Graph = Mapping[Node, Sequence[Node]]


def strongly_connected_components(graph: Graph[Node]) -> list[list[Node]]:
    """The components in reverse topological order: every edge leads within a component or to an earlier one.

    Tarjan's algorithm (Depth-first search and linear graph algorithms, 1972).
    """
    components: list[list[Node]] = []
    found: dict[Node, int] = {}
    lowest: dict[Node, int] = {}  # the earliest node on the path that is known to be reachable
    closed: set[Node] = set()
    unassigned: list[Node] = []
    for root in graph:
        if root in found:
            continue
        found[root] = lowest[root] = len(found)
        unassigned.append(root)
        path = [(root, iter(graph[root]))]
        while path:
            node, rest = path[-1]
            for successor in rest:
                if successor not in found:
                    found[successor] = lowest[successor] = len(found)
                    unassigned.append(successor)
                    path.append((successor, iter(graph.get(successor, ()))))
                    break
                if successor not in closed and found[successor] < lowest[node]:
                    lowest[node] = found[successor]
            else:
                path.pop()
                if path and lowest[node] < lowest[path[-1][0]]:
                    lowest[path[-1][0]] = lowest[node]
                if lowest[node] == found[node]:
                    start = len(unassigned) - 1
                    while unassigned[start] != node:
                        start -= 1
                    component = unassigned[start:]
                    del unassigned[start:]
                    closed.update(component)
                    components.append(component)
    return components


def postorder(graph: Graph[Node], roots: Iterable[Node]) -> list[Node]:
    """What the roots reach, each node after the successors that depth-first search enters from it."""
    order: list[Node] = []
    seen: set[Node] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        path = [(root, iter(graph.get(root, ())))]
        while path:
            node, rest = path[-1]
            for successor in rest:
                if successor not in seen:
                    seen.add(successor)
                    path.append((successor, iter(graph.get(successor, ()))))
                    break
            else:
                path.pop()
                order.append(node)
    return order


def reverse_postorder(graph: Graph[Node], root: Node) -> list[Node]:
    """What the root reaches, the root first; without cycles it is a topological order."""
    order = postorder(graph, (root,))
    order.reverse()
    return order


def topological_order(graph: Graph[Node]) -> list[Node]:
    """All nodes, each before its successors. A ValueError if there is a cycle."""
    order = postorder(graph, graph)
    order.reverse()
    position = {node: n for n, node in enumerate(order)}
    for node in order:
        for successor in graph.get(node, ()):
            if position[successor] <= position[node]:
                raise ValueError(f"the graph has a cycle through {successor}")
    return order


def reachable(graph: Graph[Node], roots: Iterable[Node]) -> list[Node]:
    """The roots and what they reach, nearest first."""
    seen = dict.fromkeys(roots)
    order = list(seen)
    for node in order:  # grows while it is walked
        for successor in graph.get(node, ()):
            if successor not in seen:
                seen[successor] = None
                order.append(successor)
    return order


def predecessors(graph: Graph[Node]) -> dict[Node, list[Node]]:
    """The graph with its edges turned round; parallel edges stay parallel."""
    result: dict[Node, list[Node]] = {node: [] for node in graph}
    for node, successors in graph.items():
        for successor in successors:
            result.setdefault(successor, []).append(node)
    return result


def immediate_dominators(graph: Graph[Node], root: Node) -> dict[Node, Node]:
    """The closest strict dominator of every node that the root reaches, in reverse postorder; none of the root.

    The algorithm of Cooper, Harvey and Kennedy (A simple, fast dominance algorithm, 2001).
    """
    order = reverse_postorder(graph, root)
    number = {node: n for n, node in enumerate(order)}
    before: list[list[int]] = [[] for _ in order]
    for n, node in enumerate(order):
        for successor in graph.get(node, ()):
            before[number[successor]].append(n)
    unknown = -1
    dominator = [unknown] * len(order)
    dominator[0] = 0
    changed = True
    while changed:
        changed = False
        for n in range(1, len(order)):
            new = unknown
            for p in before[n]:
                if dominator[p] == unknown:
                    continue
                if new == unknown:
                    new = p
                    continue
                # The closest common dominator of p and new; numbers fall on the way to the root.
                while p != new:
                    if p > new:
                        p = dominator[p]
                    else:
                        new = dominator[new]
            if dominator[n] != new:
                dominator[n] = new
                changed = True
    return {order[n]: order[dominator[n]] for n in range(1, len(order))}
