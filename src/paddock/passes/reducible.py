"""Makes a control-flow graph reducible by node splitting: afterwards every cycle is entered in one block.

    start: goto a, b;                start: goto a, b#1;
    a: x := 1; goto b;               a: x := 1; goto b;
    b: y := 1; goto a, c;    becomes b: y := 1; goto a, c;
    c: return;                       c: return;
                                     b#1: y := 1; goto a, c;

A strongly connected region that is entered in several blocks keeps one of them as its head; what the other
entries reach inside the region without passing the head is copied, and the jumps from outside go to the
copies. The region without its head and the copies are smaller regions, treated in the same way. The
copies can be exponentially many, hence the limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paddock.frozen import replace
from paddock.ir.cfg import Cfg
from paddock.ir.graph import predecessors, reachable, strongly_connected_components
from paddock.ir.names import FreshNames
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.program import Implementation
from paddock.ir.rewriting import with_successors
from paddock.ir.stmt import Block, Goto

MAX_COPIES = 10_000
_CANDIDATES = 16  # how many entries are tried as the head of a region


def made_reducible(implementation: Implementation, procedure: str, limit: int = MAX_COPIES) -> Implementation:
    """The implementation with a reducible graph, unreachable blocks left out; the same object if it is so.

    An InputError if that takes more than `limit` copies of blocks.
    """
    cfg = Cfg(implementation)
    if cfg.is_reducible and len(cfg.position) == len(cfg.blocks):
        return implementation
    graph = _SplitGraph(cfg)
    regions: list[Sequence[str]] = [cfg.reverse_postorder]
    while regions:
        for component in graph.cycles(regions.pop()):
            entries = graph.entries(component)
            head = graph.best_head(component, entries)
            regions.append([n for n in component if n != head])
            if len(entries) > 1:
                regions.append(graph.split(component, head, entries))
            if len(graph.copy_of) > limit:
                raise InputError(
                    Diagnostic(
                        f"procedure `{procedure}` jumps into the middle of its loops in too many ways: "
                        f"giving each loop one entry takes more than {limit} copies of its blocks",
                        cfg.blocks[graph.copy_of.get(head, head)].origin,
                    )
                )
    return replace(implementation, blocks=tuple(graph.blocks()))


class _SplitGraph:
    """The graph while it is split. A node is a label; copies know what they are copies of."""

    def __init__(self, cfg: Cfg) -> None:
        self.cfg = cfg
        self.successors = {n: cfg.successors[n] for n in cfg.blocks if n in cfg.position}
        self.predecessors = predecessors(self.successors)
        self.copy_of: dict[str, str] = {}
        self.fresh = FreshNames(cfg.blocks)

    def cycles(self, region: Sequence[str]) -> Iterable[list[str]]:
        """The strongly connected parts of a region that consist of several nodes."""
        inside = set(region)
        subgraph = {n: [s for s in self.successors[n] if s in inside] for n in region}
        return (c for c in strongly_connected_components(subgraph) if len(c) > 1)

    def entries(self, component: Sequence[str]) -> list[str]:
        """The nodes through which the component is entered from outside."""
        inside = set(component)
        return [n for n in component if n == self.cfg.entry or any(p not in inside for p in self.predecessors[n])]

    def best_head(self, component: Sequence[str], entries: Sequence[str]) -> str:
        """The entry that leaves the least to copy. The procedure starts in one node, so that is not copied."""
        if len(entries) == 1 or self.cfg.entry in entries:
            return entries[0] if len(entries) == 1 else self.cfg.entry
        candidates = entries[:_CANDIDATES]
        return min(candidates, key=lambda head: len(self._reached_without(component, head, entries)))

    def _reached_without(self, component: Sequence[str], head: str, entries: Sequence[str]) -> list[str]:
        """What the other entries reach inside the component without passing the head."""
        inside = set(component) - {head}
        subgraph = {n: [s for s in self.successors[n] if s in inside] for n in component if n != head}
        return reachable(subgraph, [e for e in entries if e != head])

    def split(self, component: Sequence[str], head: str, entries: Sequence[str]) -> list[str]:
        """Leaves `head` as the only entry of the component; gives the copies that this takes."""
        inside = set(component)
        copied = self._reached_without(component, head, entries)
        copy = {n: self.fresh(self.copy_of.get(n, n)) for n in copied}
        for node, new in copy.items():
            self.copy_of[new] = self.copy_of.get(node, node)
            self.successors[new] = [copy.get(s, s) for s in self.successors[node]]
            for successor in self.successors[new]:
                self.predecessors.setdefault(successor, []).append(new)
        for node, new in copy.items():
            for outside in [p for p in self.predecessors[node] if p not in inside]:
                self.successors[outside] = [new if s == node else s for s in self.successors[outside]]
                self.predecessors[node].remove(outside)
                self.predecessors.setdefault(new, []).append(outside)
        return list(copy.values())

    def blocks(self) -> Iterable[Block]:
        for node, successors in self.successors.items():
            block = self.cfg.blocks[self.copy_of.get(node, node)]
            if isinstance(block.transfer, Goto):
                block = with_successors(block, tuple(successors))
            yield replace(block, label=node)
