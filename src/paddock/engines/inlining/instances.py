"""An inlining graph whose instances are formulas in a solver: growing it, and reading paths off a model.

Gen_VC of DAG inlining (Lal and Qadeer, PLDI 2015), Fig. 8. The solver's formula only grows; a query blocks
calls by assuming that their control is false.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence

from paddock.engines.inlining.blocking import Blocking
from paddock.engines.inlining.graph import Edge, InliningGraph, Node, Strategy, tree
from paddock.engines.inlining.model_paths import ModelPaths
from paddock.engines.inlining.shapes import Shapes
from paddock.ir.program import Procedure, is_loop
from paddock.solvers.interface import Solver, Term
from paddock.vc.template import Template, TemplateCall
from paddock.vc.templates import Templates


class Merging:
    """Finds instances to share, as a strategy says, and counts the CPU seconds that it takes."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.shares = strategy is not tree
        self.seconds = 0.0

    def __call__(self, graph: InliningGraph, edge: Edge) -> Node | None:
        """The instance that an open call shares from now on, if there is one."""
        started = time.process_time()
        shared = self._strategy(graph, edge)
        if shared is not None:
            graph.merge(edge, shared)
        else:
            edge.compared = len(graph.nodes)
        self.seconds += time.process_time() - started
        return shared


MOST_INSTANCES = 3_000  # that are made at once


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
        self.merging = Merging(strategy)
        self.shapes = shapes
        self._several_roots = several_roots
        self.templates = Templates(shapes.program, entry, solver.terms, self._serves_one)
        self.graph = shapes.new_graph()
        # What stands for the parameters of the template in each instance: constants, or terms of the caller.
        self.constants: dict[Node, list[Term]] = {}
        for axiom in self.templates.encoder.axioms():
            solver.assert_(axiom)
        self.paths = ModelPaths(self.template, self.constants, solver)
        self.blocking = Blocking(self.template, self.constants, solver)
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
        actuals, arguments = self._call(edge).actuals, self.constants[edge.source]
        interface = [self.solver.terms.instantiate(actual, arguments) for actual in actuals]
        node = self.graph.add_node(edge, self.shapes[edge.site.callee])
        self._instantiate(node, interface)
        if not actuals:
            self._link(edge, node)
        return node

    def inline_all(self, most: int = MOST_INSTANCES) -> None:
        """Bind all open calls of a program without recursion, up to a number of instances: the others stay open."""
        while self.graph.open:
            for edge in list(self.graph.open):
                if len(self.graph.nodes) >= most:
                    return
                self.inline(edge)

    def share(self, edges: Iterable[Edge]) -> None:
        """Bind those of some open calls to instances that may share what there is."""
        for edge in edges:
            if not self._call(edge).actuals:
                self._shares(edge)

    def _serves_one(self, procedure: Procedure) -> bool:
        """Whether every call of a procedure has an instance of its own: if nothing is shared, and if nothing is lost,
        as iterations of loops that could share an instance are called by instances that could."""
        return not self._several_roots and (not self.merging.shares or is_loop(procedure))

    def _shares(self, edge: Edge) -> bool:
        """Let an open call share an instance, if there is one."""
        shared = self.merging(self.graph, edge)
        if shared is not None:
            self._link(edge, shared)
        return shared is not None

    def _link(self, edge: Edge, node: Node) -> None:
        """Say that a call enters its instance, and with what."""
        link = self._call(edge).link
        assert link is not None
        interface = self.constants[node][: self.template(node).interface_size]
        self.solver.assert_(self.solver.terms.instantiate(link, self.constants[edge.source] + interface))

    def template(self, node: Node) -> Template:
        return self.templates[node.shape.procedure]

    def _call(self, edge: Edge) -> TemplateCall:
        return self.template(edge.source).calls[edge.index]

    def _instantiate(self, node: Node, interface: Sequence[Term] = ()) -> None:
        """Make an instance, with an interface of its own if none is given."""
        template, sort = self.template(node), self.templates.encoder.sort
        named = zip(template.names[len(interface) :], template.types[len(interface) :], strict=True)
        constants = [*interface, *(self.solver.terms.fresh(name, sort(type_)) for name, type_ in named)]
        self.constants[node] = constants
        self.solver.assert_(self._guarded(node, self.solver.terms.instantiate(template.formula, constants)))

    # --- asking ----------------------------------------------------------------------------------

    def control(self, node: Node) -> Term:
        """That an instance is entered."""
        return self.constants[node][0]

    def starting(self) -> list[Term]:
        """Assumptions under which executions start at the root."""
        return [self.control(self.root)] if self._several_roots else []

    def open_calls(self) -> Collection[Edge]:
        """The open calls that can be reached from the root."""
        if not self._several_roots:
            return self.graph.open
        below = self.root.descendants
        return [edge for edge in self.graph.open if below >> edge.source.number & 1]
