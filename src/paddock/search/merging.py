"""Merging strategies: which existing instance, if any, an open call shares (DAG-inlining paper, §3.4)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from paddock.search.graph import Edge, InliningGraph, Node

# Looks at an open call and names the node that it is to share, or None for a new instance.
Strategy = Callable[[InliningGraph, Edge], Node | None]

# How often RANDOM makes a new instance although it could share one ("with low probability").
RANDOM_REFUSAL = 0.1


def tree(graph: InliningGraph, edge: Edge) -> Node | None:
    """TREE: never share. This is stratified inlining."""
    return None


def first(graph: InliningGraph, edge: Edge) -> Node | None:
    """FIRST: the oldest compatible node."""
    return next(graph.compatible(edge), None)


def maxc(graph: InliningGraph, edge: Edge) -> Node | None:
    """MAXC: the compatible node with the most descendants."""
    return max(graph.compatible(edge), key=lambda n: n.descendants.bit_count(), default=None)


def randompick(seed: int) -> Strategy:
    """RANDOMPICK: any compatible node."""
    choose = random.Random(seed).choice

    def pick(graph: InliningGraph, edge: Edge) -> Node | None:
        nodes = list(graph.compatible(edge))
        return choose(nodes) if nodes else None

    return pick


def random_(seed: int) -> Strategy:
    """RANDOM: any compatible node, or now and then a new instance all the same."""
    chance = random.Random(seed)
    pick = randompick(seed)
    return lambda graph, edge: None if chance.random() < RANDOM_REFUSAL else pick(graph, edge)


# Those that need no preparation, by the names that `--merge` has for them (OPT is in `opt.py`).
STRATEGIES: Mapping[str, Callable[[int], Strategy]] = {
    "tree": lambda seed: tree,
    "first": lambda seed: first,
    "maxc": lambda seed: maxc,
    "random": random_,
    "randompick": randompick,
}
