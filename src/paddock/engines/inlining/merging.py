"""Merging strategies: which existing instance, if any, an open call shares (DAG-inlining paper, §3.4).

`MERGES` has them by the names of `--merge`. A new one is a class here and an entry there; the Python API also takes
any object of the protocol `Merge`. What only a running search needs is imported there: options name strategies.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from paddock.frozen import frozen

if TYPE_CHECKING:
    from paddock.engines.inlining.bounds import Bounds
    from paddock.engines.inlining.graph import Edge, InliningGraph, Node, Strategy
    from paddock.engines.inlining.shapes import Shapes

# How often RANDOM makes a new instance although it could share one ("with low probability").
RANDOM_REFUSAL = 0.1


@frozen
class MergeTask:
    """What a strategy may know of a search before it starts."""

    shapes: Shapes
    entry: str
    bounds: Bounds
    seed: int = 0


@runtime_checkable
class Merge(Protocol):
    """A merging strategy. `shares` says whether it ever shares an instance; `start` gives, for one search, the function
    from the graph and an open call to the node to share, or None for a new instance."""

    @property
    def shares(self) -> bool: ...

    def start(self, task: MergeTask) -> Strategy: ...


@frozen
class Tree:
    """TREE: never share. This is stratified inlining."""

    shares: ClassVar[bool] = False

    def start(self, task: MergeTask) -> Strategy:
        from paddock.engines.inlining.graph import tree

        return tree


@frozen
class First:
    """FIRST: the oldest compatible node."""

    shares: ClassVar[bool] = True

    def start(self, task: MergeTask) -> Strategy:
        return first


@frozen
class MaxC:
    """MAXC: the compatible node with the most descendants."""

    shares: ClassVar[bool] = True

    def start(self, task: MergeTask) -> Strategy:
        return lambda graph, edge: max(
            graph.compatible(edge), key=lambda node: node.descendants.bit_count(), default=None
        )


@frozen
class RandomPick:
    """RANDOMPICK: any compatible node. RANDOM: now and then a new instance all the same (`refusal`)."""

    refusal: float = 0.0
    shares: ClassVar[bool] = True

    def start(self, task: MergeTask) -> Strategy:
        import random

        refuse, choose = random.Random(task.seed).random, random.Random(task.seed).choice

        def pick(graph: InliningGraph, edge: Edge) -> Node | None:
            if self.refusal and refuse() < self.refusal:
                return None
            nodes = list(graph.compatible(edge))
            return choose(nodes) if nodes else None

        return pick


@frozen
class Opt:
    """OPT: sharing planned for the whole program beforehand (see `opt.py`)."""

    shares: ClassVar[bool] = True

    def start(self, task: MergeTask) -> Strategy:
        from paddock.engines.inlining.opt import planned_sharing

        bounds = task.bounds
        return planned_sharing(
            task.shapes, task.entry, lambda callee, cost: bounds.allow_call(callee, cost, bounds.last)
        )


def first(graph: InliningGraph, edge: Edge) -> Node | None:
    return next(graph.compatible(edge), None)


MERGES: Mapping[str, Merge] = MappingProxyType(
    {
        "first": First(),
        "maxc": MaxC(),
        "random": RandomPick(RANDOM_REFUSAL),
        "randompick": RandomPick(),
        "opt": Opt(),
        "tree": Tree(),
    }
)
