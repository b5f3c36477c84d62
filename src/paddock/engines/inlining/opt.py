"""OPT: sharing planned for the whole program beforehand (DAG-inlining paper, §3.4).

The graph D_o of everything inlined is built once, without formulas, procedure by procedure from the entry down:
the calls of a procedure form a conflict graph (Fig. 5), with an edge where one execution can make both, and calls
of one colour share an instance. While the search goes on, an open call gets the instance that it has in D_o.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from paddock.engines.inlining.colouring import colour
from paddock.engines.inlining.graph import Context, Edge, InliningGraph, Node, Strategy
from paddock.engines.inlining.shapes import Shapes
from paddock.frozen import field, mutable
from paddock.ir.graph import topological_order

# A procedure in a context of recursion: only such instances can be shared.
_Group = tuple[str, Context]

# Whether a procedure may be on the stack that often.
Allow = Callable[[str, int], bool]


def planned_sharing(shapes: Shapes, entry: str, allow: Allow) -> Strategy:
    """The strategy, for a search that inlines what `allow` permits."""
    return _Opt(plan(shapes, entry, allow))


class _Opt:
    def __init__(self, planned: InliningGraph) -> None:
        self.plan = planned
        self._planned: dict[Node, Node | None] = {}  # for nodes of the search's graph; None if there is no plan
        self._made: dict[Node, Node] = {}  # the other way round

    def __call__(self, graph: InliningGraph, edge: Edge) -> Node | None:
        for node in graph.nodes[len(self._planned) :]:
            self._recognise(node)
        planned = self._planned[edge.source]
        target = planned.edges[edge.index].target if planned is not None else None
        return self._made.get(target) if target is not None else None

    def _recognise(self, node: Node) -> None:
        """Find the planned counterpart of a new node: what the call that it was made for has in the plan or, if there
        is no call, any instance in the same context."""
        if node.callers:
            call = node.callers[0]
            caller = self._planned[call.source]
            planned = caller.edges[call.index].target if caller is not None else None
        else:
            group = (node.shape.procedure, node.context)
            planned = next((n for n in self.plan.nodes if (n.shape.procedure, n.context) == group), None)
        self._planned[node] = planned
        if planned is not None:
            self._made.setdefault(planned, node)


def plan(shapes: Shapes, entry: str, allow: Allow) -> InliningGraph:
    """D_o: everything that may be inlined, with calls of one colour sharing an instance."""
    planner = _Planner(shapes, shapes.new_graph(), allow)
    root = planner.graph.add_root(shapes[entry])
    planner.note_calls(root)
    for group in planner.callers_first((entry, root.context)):
        planner.share(group)
    return planner.graph


@mutable
class _Planner:
    shapes: Shapes
    graph: InliningGraph
    allow: Allow
    calls: dict[_Group, list[Edge]] = field(default_factory=dict)

    def note_calls(self, node: Node) -> None:
        for edge in node.edges:
            if self.allow(edge.site.callee, edge.cost):
                self.calls.setdefault((edge.site.callee, edge.context), []).append(edge)

    def callers_first(self, root: _Group) -> list[_Group]:
        """All groups, in an order in which the callers of each come before it. Contexts grow along every cycle of
        the call graph, so there is one."""
        callees: dict[_Group, list[_Group]] = {}
        stack = [root]
        while stack:
            group = stack.pop()
            if group in callees:
                continue
            procedure, context = group
            found: dict[_Group, None] = {}
            for site in self.shapes[procedure].sites:
                inner = self.graph.entered(context, site.callee)
                if self.allow(site.callee, self.graph.cost(site.callee, inner)):
                    found[site.callee, inner] = None
            callees[group] = list(found)
            stack.extend(found)
        return topological_order(callees)

    def share(self, group: _Group) -> None:
        """Make the instances of a group, all of whose callers exist."""
        calls = self.calls.pop(group, [])
        if not calls:
            return
        conflicts = self._conflicts(calls)
        instance: dict[int, Node] = {}
        for edge, shade in zip(calls, colour(conflicts), strict=True):
            if shade in instance:
                self.graph.merge(edge, instance[shade])
            else:
                instance[shade] = self.graph.add_node(edge, self.shapes[group[0]])
        for node in instance.values():
            self.note_calls(node)

    def _conflicts(self, calls: Sequence[Edge]) -> list[int]:
        """For each call of a group, as bits, those that one execution can make besides it.

        By Lemma 1, two calls clash iff the edges at which the paths to them part are not disjoint: what clashes with
        a call are the calls below the edges beside each edge of each path to it. In a graph that grows callers first,
        callers have lower numbers.
        """
        number = {edge: n for n, edge in enumerate(calls)}
        reached: dict[Edge, int] = {edge: 1 << n for edge, n in number.items()}  # the calls below an edge
        callers = dict.fromkeys(edge.source for edge in calls)
        stack = list(callers)
        while stack:
            for edge in stack.pop().callers:
                if edge.source not in callers:
                    callers[edge.source] = None
                    stack.append(edge.source)
        ordered = sorted(callers, key=lambda node: node.number)
        for node in reversed(ordered):
            below = 0
            for edge in node.edges:
                below |= reached.get(edge, 0)
            reached.update((caller, below) for caller in node.callers)
        besides: dict[Node, int] = dict.fromkeys(ordered, 0)
        conflicts = [0] * len(calls)
        for node in ordered:
            for edge in node.edges:
                if edge in reached:
                    bits = besides[node]
                    for sibling in _beside(edge):
                        bits |= reached.get(sibling, 0)
                    if edge in number:
                        conflicts[number[edge]] = bits
                    elif edge.target is not None:
                        besides[edge.target] |= bits
        return conflicts


def _beside(edge: Edge) -> Iterator[Edge]:
    """The other calls of the same instance that one execution can make besides `edge`."""
    related = edge.source.shape.related[edge.site.block]
    for sibling in edge.source.edges:
        if sibling is not edge and related >> sibling.site.block & 1:
            yield sibling
