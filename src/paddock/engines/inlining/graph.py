"""The inlining graph: procedure instances, the calls between them, and which instances may be shared.

DAG inlining (Lal and Qadeer, PLDI 2015), §3. Nodes are instances, edges are calls; an edge without a
target is *open*: not inlined yet. Two calls may share an instance if no execution makes both (Definition
2). Algorithm 1 decides that for a whole DAG; here it is restricted to what one new edge can change.
Stratified inlining (Corral, CAV 2012) is the same graph when nothing is ever shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from types import MappingProxyType

from paddock.frozen import field, frozen, mutable

# Which recursive procedures are on the stack, and how often: (name, count), sorted by name.
Context = tuple[tuple[str, int], ...]

_NONE: Mapping[str, str] = MappingProxyType({})

FEW = 16  # calls on the paths to one, above which it pays to look for a node that all paths go through
NEAR = 32  # nodes that are looked at for such a one, lest all of them up to the root are


@frozen
class CallSite:
    """A call in the text of a procedure, in one of its blocks (numbered)."""

    callee: str
    block: int


@frozen
class Shape:
    """What the graph has to know of a procedure.

    `related[b]` is the set of blocks (as bits) that can be on one execution with block b: those that b
    reaches and those that reach it, itself included. Blocks that are not related are disjoint (Disj_blk).
    """

    procedure: str
    sites: tuple[CallSite, ...]
    related: tuple[int, ...]


@mutable(eq=False)
class Edge:
    """A call made by an instance."""

    source: Node
    site: CallSite
    index: int  # which of the source's calls this is
    context: Context  # of the callee
    cost: int  # how often the callee is on the stack, this call included
    alike: list[Node]  # the instances of the callee in this context, oldest first
    target: Node | None = None
    compared: int = 0  # nodes with lower numbers are not to be shared; that they cannot be does not change

    @property
    def may_share(self) -> bool:
        """Whether there are instances with which this call has not been compared."""
        return bool(self.alike) and self.alike[-1].number >= self.compared


@mutable(eq=False)
class Node:
    """An instance of a procedure, standing for one or several (disjoint) dynamic instances."""

    number: int
    shape: Shape
    context: Context
    edges: list[Edge] = field(default_factory=list)
    bound: dict[int, list[Edge]] = field(default_factory=dict)  # those of them that are not open, by their blocks
    bound_blocks: int = 0  # those blocks, as bits
    callers: list[Edge] = field(default_factory=list)
    # Kept until something below changes; if it is not known, then neither is that of any caller.
    _descendants: int | None = None

    @property
    def descendants(self) -> int:
        """The numbers of the nodes below, as bits, itself included."""
        if self._descendants is not None:
            return self._descendants
        stack = [self]
        while stack:
            node = stack[-1]
            below = [e.target for e in node.edges if e.target is not None]
            unknown = [n for n in below if n._descendants is None]
            if unknown:
                stack += unknown
                continue
            stack.pop()
            known = 1 << node.number
            for n in below:
                known |= n._descendants or 0
            node._descendants = known
        assert self._descendants is not None
        return self._descendants

    def forget_descendants(self) -> None:
        """Something below has changed."""
        stack = [self]
        while stack:
            node = stack.pop()
            if node._descendants is not None:
                node._descendants = None
                stack += [caller.source for caller in node.callers]


class InliningGraph:
    """A DAG that is consistent at all times, grown by binding open edges to nodes.

    `relevant[p]` are the recursive procedures that p may call, directly or not: only how often those are
    on the stack matters for what an instance of p may still do, so only that must agree for sharing. Calls of copies
    of a procedure count as calls of the procedure: `counted_as` says which.
    """

    def __init__(self, relevant: dict[str, frozenset[str]], counted_as: Mapping[str, str] = _NONE) -> None:
        self.relevant = relevant
        self.counted_as = counted_as
        self.nodes: list[Node] = []
        self.merged = 0
        self.open: dict[Edge, None] = {}
        self._alike: dict[tuple[str, Context], list[Node]] = {}

    def add_root(self, shape: Shape) -> Node:
        return self._add(shape, self.entered((), shape.procedure))

    def add_node(self, edge: Edge, shape: Shape) -> Node:
        """A new instance for an open call."""
        node = self._add(shape, edge.context)
        self._bind(edge, node)
        return node

    def merge(self, edge: Edge, node: Node) -> None:
        """Let an open call share an instance that `compatible` has named."""
        self._bind(edge, node)
        self.merged += 1

    def entered(self, context: Context, callee: str) -> Context:
        """The context of a procedure that is called in a context."""
        relevant = self.relevant.get(callee, frozenset())
        counts = {name: count for name, count in context if name in relevant}
        counted = self.counted_as.get(callee, callee)
        if counted in relevant:
            counts[counted] = counts.get(counted, 0) + 1
        return tuple(sorted(counts.items()))

    def cost(self, callee: str, context: Context) -> int:
        """How often a procedure is on the stack in its context."""
        return dict(context).get(self.counted_as.get(callee, callee), 1)

    def _add(self, shape: Shape, context: Context) -> Node:
        node = Node(len(self.nodes), shape, context)
        self.nodes.append(node)
        self._instances(shape.procedure, context).append(node)
        for index, site in enumerate(shape.sites):
            inner = self.entered(context, site.callee)
            cost, alike = self.cost(site.callee, inner), self._instances(site.callee, inner)
            edge = Edge(node, site, index, inner, cost, alike)
            node.edges.append(edge)
            self.open[edge] = None
        return node

    def _instances(self, procedure: str, context: Context) -> list[Node]:
        return self._alike.setdefault((procedure, context), [])

    def _bind(self, edge: Edge, node: Node) -> None:
        del self.open[edge]
        edge.target = node
        edge.source.bound.setdefault(edge.site.block, []).append(edge)
        edge.source.bound_blocks |= 1 << edge.site.block
        node.callers.append(edge)
        edge.source.forget_descendants()

    def compatible(self, edge: Edge) -> Iterator[Node]:
        """The nodes that may serve an open call, oldest first: the DAG stays consistent (Definition 2)."""
        if not edge.may_share:
            return
        alike = [node for node in edge.alike if node.number >= edge.compared]
        excluded = self._excluded(edge, alike) | (1 << edge.source.number)
        for node in alike:
            if not node.descendants & excluded:
                yield node

    def _excluded(self, edge: Edge, alike: Sequence[Node]) -> int:
        """The nodes that some execution visits besides going through `edge`: none of them may be shared, nor may
        anything that has one of them below it (Algorithm 1). Once nothing alike is left, no more are looked for."""
        wanted = 0
        for node in alike:
            wanted |= 1 << node.number
        excluded = _beside_paths(edge, None, wanted, FEW)
        if excluded is None:
            top = self._common_dominator([edge.source, *alike]) if len(alike) < NEAR else None
            excluded = _beside_paths(edge, top, wanted, None)
        assert excluded is not None
        return excluded

    def _common_dominator(self, nodes: Sequence[Node]) -> Node | None:
        """A node that is on every path from a root to any of these nodes, if there is one near them.

        Whoever goes up from all of them, and has seen all callers of all that it has seen but one node, is there.
        """
        waiting = [-number for number in {node.number for node in nodes}]
        heapify(waiting)  # callers mostly have lower numbers, so that the highest goes first
        seen = set(waiting)
        for _ in range(NEAR):
            if len(waiting) == 1:
                return self.nodes[-waiting[0]]
            node = self.nodes[-heappop(waiting)]
            if not node.callers:
                return None
            for caller in node.callers:
                if -caller.source.number not in seen:
                    seen.add(-caller.source.number)
                    heappush(waiting, -caller.source.number)
        return None


def _beside_paths(edge: Edge, top: Node | None, wanted: int, most: int | None) -> int | None:
    """The nodes below calls that lead away from the paths to `edge`, below `top`, and that one execution can make
    besides it; at least all those wanted, or None if there are more than so many calls on these paths.

    By Lemma 1, two paths from the root clash iff the edges at which they part are not disjoint. If `top` is on all
    paths to `edge` and to the node to be shared, nothing above matters: paths that part there lead to that node, or
    to some below it, already, and the graph is consistent.
    """
    excluded = 0
    seen = {edge}
    stack = [edge]
    while stack and wanted & ~excluded:
        if most is not None and len(seen) > most:
            return None
        step = stack.pop()
        source, block = step.source, step.site.block
        blocks = source.shape.related[block] & source.bound_blocks
        while blocks:
            highest = blocks.bit_length() - 1
            for sibling in source.bound[highest]:
                if sibling is not step and sibling.target is not None:
                    excluded |= sibling.target.descendants
            blocks ^= 1 << highest
        if source is not top:
            for caller in source.callers:
                if caller not in seen:
                    seen.add(caller)
                    stack.append(caller)
    return excluded


def related_blocks(successors: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """`Shape.related` for blocks that are numbered in topological order."""
    count = len(successors)
    below = [0] * count
    for block in range(count - 1, -1, -1):
        below[block] = 1 << block
        for successor in successors[block]:
            below[block] |= below[successor]
    above = [1 << block for block in range(count)]
    for block in range(count):
        for successor in successors[block]:
            above[successor] |= above[block]
    return tuple(b | a for b, a in zip(below, above, strict=True))


# Looks at an open call and names the node that it is to share, or None for a new instance.
Strategy = Callable[[InliningGraph, Edge], Node | None]


def tree(graph: InliningGraph, edge: Edge) -> Node | None:
    """Never share: every call has an instance of its own."""
    return None
