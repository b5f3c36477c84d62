"""The shapes of a program's procedures, and how large the whole inlining graph would be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.graph import CallSite, InliningGraph, Shape, Strategy, related_blocks
from paddock.ir.callgraph import CallGraph
from paddock.ir.cfg import Cfg
from paddock.ir.program import Program
from paddock.ir.stmt import Call

if TYPE_CHECKING:
    from paddock.engines.inlining.data_disjointness import DataDisjointness


class Shapes:
    """Shapes by procedure name, each made when it is first asked for.

    Blocks are numbered, and calls listed, as templates do: in topological order. `recursion_below` has, for each
    procedure, the recursive procedures that it may call, itself included. Procedures that are copies count as what
    they are copies of.
    """

    def __init__(self, program: Program, data_disjointness: bool = False) -> None:
        self.program = program
        self._data: DataDisjointness | None = None
        if data_disjointness:
            from paddock.engines.inlining.data_disjointness import DataDisjointness

            self._data = DataDisjointness(program)
        self.counted_as = {p.name: copy.of for p in program.procedures if (copy := p.origin.copied)}
        self.recursion_below = _recursion_below(program, self.counted_as)
        self._made: dict[str, Shape] = {}

    def new_graph(self) -> InliningGraph:
        """A graph for instances of these procedures."""
        return InliningGraph(self.recursion_below, self.counted_as)

    def __getitem__(self, name: str) -> Shape:
        shape = self._made.get(name)
        if shape is None:
            shape = self._made[name] = self._make(name)
        return shape

    def _make(self, name: str) -> Shape:
        body = self.program.procedure_named[name].body
        assert body is not None
        cfg = Cfg(body)
        sites = [
            CallSite(statement.procedure, number)
            for number, label in enumerate(cfg.reverse_postorder)
            for statement in cfg.blocks[label].statements
            if isinstance(statement, Call) and self.program.procedure_named[statement.procedure].implementations
        ]
        related = related_blocks([[cfg.position[s] for s in cfg.successors[label]] for label in cfg.reverse_postorder])
        if self._data is not None:
            related = self._data.narrowed(cfg, related, sorted({site.block for site in sites}))
        return Shape(name, tuple(sites), related)


def is_sparse(program: Program) -> bool:
    """Whether the program has few calls for its number of procedures."""
    with_body = {p.name for p in program.procedures if p.implementations}
    blocks = (b for p in program.procedures for i in p.implementations for b in i.blocks)
    calls = sum(isinstance(s, Call) and s.procedure in with_body for b in blocks for s in b.statements)
    return calls <= MOST_CALLS * len(with_body)


def is_small(shapes: Shapes, entry: str, strategy: Strategy, bounds: Bounds, bound: int) -> bool:
    """Whether the whole graph at a bound has few more nodes than the program has procedures.

    Such a graph is better built at once than by asking the solver which calls matter. It is not even looked at if there
    are so many call sites that it cannot be small.
    """
    if not is_sparse(shapes.program):
        return False
    count = sum(bool(p.implementations) for p in shapes.program.procedures)
    return has_at_most(MOST_NODES * count * bound, shapes, entry, strategy, bounds, bound)


def has_at_most(most: int, shapes: Shapes, entry: str, strategy: Strategy, bounds: Bounds, bound: int) -> bool:
    """Whether the whole graph at a bound has at most so many nodes. It is built without formulas."""
    graph = shapes.new_graph()
    graph.add_root(shapes[entry])
    while calls := [e for e in graph.open if bounds.allow(e, bound)]:
        for edge in calls:
            shared = strategy(graph, edge)
            if shared is not None:
                graph.merge(edge, shared)
            else:
                graph.add_node(edge, shapes[edge.site.callee])
            if len(graph.nodes) > most:
                return False
    return True


# Per procedure: call sites, and nodes of the graph.
MOST_CALLS = 4
MOST_NODES = 2


def _recursion_below(program: Program, counted_as: Mapping[str, str]) -> dict[str, frozenset[str]]:
    calls = CallGraph(program)
    relevant: dict[str, frozenset[str]] = {}
    for component in calls.components:
        members = frozenset(counted_as.get(name, name) for name in component)
        is_recursive = len(component) > 1 or component[0] in calls.callees[component[0]]
        below = members if is_recursive else frozenset[str]()
        for name in component:
            for callee in calls.callees[name]:
                below |= relevant.get(callee, frozenset())
        relevant.update((name, below) for name in component)
    return relevant
