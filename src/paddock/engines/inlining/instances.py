"""An inlining graph whose instances are formulas in a solver: growing it, and reading paths off a model.

Gen_VC of DAG inlining (Lal and Qadeer, PLDI 2015), Fig. 8. The solver's formula only grows; a query blocks
calls by assuming that their control is false.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence

from paddock.engines.inlining.graph import Edge, Node, Strategy, tree
from paddock.engines.inlining.shapes import Shapes
from paddock.ir.program import Procedure, is_loop
from paddock.solvers.interface import Model, Solver, Term
from paddock.solvers.interface import Template as Formula
from paddock.solvers.ops import Op
from paddock.solvers.values import Value
from paddock.vc.template import Template, TemplateCall, TemplateEdge
from paddock.vc.templates import Templates


class Inlining:
    """The procedures of a program inlined so far, as a graph and as a formula. Executions start at the root, which may
    change if there are to be several."""

    def __init__(
        self,
        shapes: Shapes,
        entry: str,
        solver: Solver,
        strategy: Strategy = tree,
        several_roots: bool = False,
        guarded: Callable[[Node, Term], Term] = lambda _, formula: formula,
    ) -> None:
        self._guarded = guarded  # what to tell the solver of an instance
        self.solver = solver
        self.strategy = strategy
        self.shapes = shapes
        self.shares_instances = strategy is not tree
        self._several_roots = several_roots
        self.templates = Templates(shapes.program, entry, solver, self._serves_one)
        self.graph = shapes.new_graph()
        self.merge_s = 0.0  # spent on finding instances to share, and on what that takes to know
        self._constants: dict[Node, list[Term]] = {}
        self._blocked: dict[Edge, Term] = {}
        self._taken: dict[TemplateEdge, Formula] = {}
        for axiom in self.templates.encoder.axioms():
            solver.assert_(axiom)
        self.root = self.new_root(entry)
        if not several_roots:
            solver.assert_(self.control(self.root))

    def new_root(self, procedure: str) -> Node:
        """An instance that nothing calls."""
        node = self.graph.add_root(self.shapes[procedure])
        self._instantiate(node)
        return node

    # --- growing ---------------------------------------------------------------------------------

    def inline(self, edge: Edge) -> None:
        """Bind an open call to an instance that it may share, or else to a new one."""
        if self._call(edge).actuals or not self._shares(edge):
            self.bind(edge, None)

    def bind(self, edge: Edge, node: Node | None) -> Node:
        """Bind an open call to an instance that it may share, or to a new one; gives the instance."""
        if node is not None:
            self.graph.merge(edge, node)
            self._link(edge, node)
            return node
        actuals, arguments = self._call(edge).actuals, self._constants[edge.source]
        interface = [self.solver.instantiate(actual, arguments) for actual in actuals]
        node = self.graph.add_node(edge, self.shapes[edge.site.callee])
        self._instantiate(node, interface)
        if not actuals:
            self._link(edge, node)
        return node

    def inline_all(self) -> None:
        """Bind all open calls of a program without recursion."""
        while self.graph.open:
            for edge in list(self.graph.open):
                self.inline(edge)

    def share(self, edges: Iterable[Edge]) -> None:
        """Bind those of some open calls to instances that may share what there is."""
        for edge in edges:
            if not self._call(edge).actuals:
                self._shares(edge)

    def _serves_one(self, procedure: Procedure) -> bool:
        """Whether every call of a procedure has an instance of its own: if nothing is shared, and if nothing is lost,
        as iterations of loops that could share an instance are called by instances that could."""
        return not self._several_roots and (not self.shares_instances or is_loop(procedure))

    def _shares(self, edge: Edge) -> bool:
        """Let an open call share an instance, if there is one."""
        started = time.process_time()
        shared = self.strategy(self.graph, edge)
        if shared is not None:
            self.graph.merge(edge, shared)
        else:
            edge.compared = len(self.graph.nodes)
        self.merge_s += time.process_time() - started
        if shared is not None:
            self._link(edge, shared)
        return shared is not None

    def _link(self, edge: Edge, node: Node) -> None:
        """Say that a call enters its instance, and with what."""
        link = self._call(edge).link
        assert link is not None
        interface = self._constants[node][: self.template(node).interface_size]
        self.solver.assert_(self.solver.instantiate(link, self._constants[edge.source] + interface))

    def template(self, node: Node) -> Template:
        return self.templates[node.shape.procedure]

    def _call(self, edge: Edge) -> TemplateCall:
        return self.template(edge.source).calls[edge.index]

    def constants(self, node: Node) -> list[Term]:
        """What stands for the template's parameters in an instance: constants, or the caller's terms."""
        return self._constants[node]

    def _instantiate(self, node: Node, interface: Sequence[Term] = ()) -> None:
        """Make an instance, with an interface of its own if none is given."""
        template, sort = self.template(node), self.templates.encoder.sort
        named = zip(template.names[len(interface) :], template.types[len(interface) :], strict=True)
        constants = [*interface, *(self.solver.fresh(name, sort(type_)) for name, type_ in named)]
        self._constants[node] = constants
        self.solver.assert_(self._guarded(node, self.solver.instantiate(template.formula, constants)))

    # --- asking ----------------------------------------------------------------------------------

    def control(self, node: Node) -> Term:
        """That an instance is entered."""
        return self._constants[node][0]

    def starting(self) -> list[Term]:
        """Assumptions under which executions start at the root."""
        return [self.control(self.root)] if self._several_roots else []

    def open_calls(self) -> Collection[Edge]:
        """The open calls that can be reached from the root."""
        if not self._several_roots:
            return self.graph.open
        below = self.root.descendants
        return [edge for edge in self.graph.open if below >> edge.source.number & 1]

    def blocking(self, edges: Iterable[Edge]) -> list[Term]:
        """Assumptions under which none of the calls is made."""
        terms = []
        for edge in edges:
            term = self._blocked.get(edge)
            if term is None:
                control = self.template(edge.source).block_control[edge.site.block]
                term = self.solver.app(Op.NOT, (self._constants[edge.source][control],))
                self._blocked[edge] = term
            terms.append(term)
        return terms

    def open_calls_on(self, model: Model) -> list[Edge]:
        """The open calls on the path that the model takes, in the order in which they are met."""
        found: list[Edge] = []
        stack = [self.root]
        while stack:
            node = stack.pop()
            calls: dict[int, list[Edge]] = {}
            for edge in node.edges:
                calls.setdefault(edge.site.block, []).append(edge)
            for block in self.blocks_on(model, node):
                for edge in calls.get(block, ()):
                    if edge.target is None:
                        found.append(edge)
                    else:
                        stack.append(edge.target)
        return found

    def path_of(self, model: Model) -> tuple[list[Term], list[Term]]:
        """Which blocks the model's path, on which no call is open, visits, and which it does not, in all instances on
        it. A path may visit all that another visits, and more; in which order they are visited goes without saying."""
        visited: list[Term] = []
        passed_by: list[Term] = []
        stack = [self.root]
        while stack:
            node = stack.pop()
            template, constants = self.template(node), self._constants[node]
            blocks = set(self.blocks_on(model, node))
            for block, control in enumerate(template.block_control):
                (visited if block in blocks else passed_by).append(constants[control])
            stack += [e.target for e in node.edges if e.site.block in blocks and e.target is not None]
        return visited, passed_by

    def blocks_on(self, model: Model, node: Node) -> list[int]:
        """The blocks that the model's path visits in an instance."""
        blocks = [0]
        while edges := self.template(node).edges[blocks[-1]]:
            blocks.append(self._taken_edge(edges, node, model).target)
        return blocks

    def _taken_edge(self, edges: Sequence[TemplateEdge], node: Node, model: Model) -> TemplateEdge:
        """The jump that the model takes. With quantifiers it may leave that open: then the first that it may take."""
        controls, constants = self.template(node).block_control, self._constants[node]
        # Most blocks that are not taken have a Boolean that is false; a jump that is left alone need not be looked at.
        if len(edges) > 1:
            edges = [e for e in edges if model.value(constants[controls[e.target]])]
        possible: list[TemplateEdge] = []
        for edge in edges:
            taken = len(edges) == 1 or self._is_taken(edge, node, model)
            if taken is True:
                return edge
            if taken is not False:
                possible.append(edge)
        assert possible, f"the model leaves {node.shape.procedure} in the middle"
        return possible[0]

    def _is_taken(self, edge: TemplateEdge, node: Node, model: Model) -> Value:
        formula = self._taken.get(edge)
        if formula is None:
            assert edge.taken is not None
            formula = self._taken[edge] = self.solver.template(self.template(node).variables, edge.taken)
        return model.value(self.solver.instantiate(formula, self._constants[node]))
