"""The control-flow graph of an implementation: orders, dominators and natural loops.

Everything but the bare graph is computed when it is first asked for. Only blocks that the entry reaches have
dominators and belong to loops. Labels that no block has are left out; the validator reports them.
"""

from __future__ import annotations

from functools import cached_property

from paddock.frozen import frozen
from paddock.ir.graph import immediate_dominators, predecessors, reverse_postorder
from paddock.ir.program import Implementation
from paddock.ir.stmt import Return

Edge = tuple[str, str]


@frozen
class Loop:
    """A natural loop: all blocks that reach one of the back edges without passing the head."""

    head: str
    body: tuple[str, ...]  # the labels in reverse postorder; the head is the first
    back_edges: tuple[Edge, ...]
    parent: Loop | None  # the innermost loop around this one


class Cfg:
    """The blocks of an implementation by label, and the edges between them."""

    def __init__(self, implementation: Implementation) -> None:
        self.blocks = {block.label: block for block in implementation.blocks}
        self.entry = implementation.blocks[0].label
        self.successors: dict[str, list[str]] = {
            # A jump may name a label twice; it is one edge.
            label: [s for s in dict.fromkeys(block.successors) if s in self.blocks]
            for label, block in self.blocks.items()
        }

    @cached_property
    def predecessors(self) -> dict[str, list[str]]:
        return predecessors(self.successors)

    @cached_property
    def exits(self) -> list[str]:
        """The blocks that return, reachable or not."""
        return [label for label, block in self.blocks.items() if isinstance(block.transfer, Return)]

    @cached_property
    def reverse_postorder(self) -> list[str]:
        """The reachable labels; apart from edges that close a cycle, every edge leads forward."""
        return reverse_postorder(self.successors, self.entry)

    @cached_property
    def position(self) -> dict[str, int]:
        """Where a reachable label stands in the reverse postorder."""
        return {label: n for n, label in enumerate(self.reverse_postorder)}

    @cached_property
    def immediate_dominators(self) -> dict[str, str]:
        """The closest strict dominator of each reachable label but the entry."""
        return immediate_dominators(self.successors, self.entry)

    @cached_property
    def _dominated_range(self) -> dict[str, tuple[int, int]]:
        """Numbers of a walk over the dominator tree: a label's subtree is numbered start … end-1."""
        children: dict[str, list[str]] = {label: [] for label in self.reverse_postorder}
        for label, dominator in self.immediate_dominators.items():
            children[dominator].append(label)
        size = dict.fromkeys(children, 1)
        for label in reversed(self.reverse_postorder):  # a dominator stands before what it dominates
            if label != self.entry:
                size[self.immediate_dominators[label]] += size[label]
        ranges = {self.entry: (0, size[self.entry])}
        for label in self.reverse_postorder:
            start = ranges[label][0] + 1
            for child in children[label]:
                ranges[child] = (start, start + size[child])
                start += size[child]
        return ranges

    def dominates(self, a: str, b: str) -> bool:
        """Whether every path from the entry to `b` passes `a`; both must be reachable."""
        start, end = self._dominated_range[a]
        return start <= self._dominated_range[b][0] < end

    @cached_property
    def _retreating_edges(self) -> list[Edge]:
        position = self.position
        return [(a, b) for a in self.reverse_postorder for b in self.successors[a] if position[b] <= position[a]]

    @cached_property
    def back_edges(self) -> list[Edge]:
        """The edges to a block that dominates their start."""
        return [(a, b) for a, b in self._retreating_edges if self.dominates(b, a)]

    @cached_property
    def is_reducible(self) -> bool:
        """Whether every cycle is closed by a back edge."""
        return len(self.back_edges) == len(self._retreating_edges)

    @cached_property
    def loop_edges(self) -> dict[str, list[Edge]]:
        """The back edges by head, a head before those of the loops inside its own."""
        edges: dict[str, list[Edge]] = {}
        for edge in self.back_edges:
            edges.setdefault(edge[1], []).append(edge)
        return {head: edges[head] for head in sorted(edges, key=self.position.__getitem__)}

    @cached_property
    def loops(self) -> list[Loop]:
        """The natural loops, one a head, by position of the head: a loop comes before those inside it."""
        innermost: dict[str, Loop] = {}
        loops: list[Loop] = []
        for head, edges in self.loop_edges.items():
            body = self._loop_body(head, [a for a, _ in edges])
            # Loops with different heads are nested or disjoint, so one that holds this head holds all of it.
            loop = Loop(head, body, tuple(edges), innermost.get(head))
            innermost.update(dict.fromkeys(body, loop))
            loops.append(loop)
        return loops

    def _loop_body(self, head: str, ends: list[str]) -> tuple[str, ...]:
        body = {head, *ends}
        todo = [label for label in ends if label != head]
        while todo:
            for before in self.predecessors[todo.pop()]:
                if before not in body and before in self.position:
                    body.add(before)
                    todo.append(before)
        return tuple(sorted(body, key=self.position.__getitem__))
