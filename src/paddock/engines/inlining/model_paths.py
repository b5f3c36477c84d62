"""Which path through inlined instances a model of the formula takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from paddock.engines.inlining.graph import Edge, Node
from paddock.solvers.interface import Model, Solver, Term
from paddock.solvers.interface import Template as Formula
from paddock.solvers.values import Value
from paddock.vc.template import Template, TemplateEdge


class ModelPaths:
    """Follows models from an instance on. `constants` has the terms that instances have for parameters."""

    def __init__(
        self, template: Callable[[Node], Template], constants: Mapping[Node, list[Term]], solver: Solver
    ) -> None:
        self._template = template
        self._constants = constants
        self._solver = solver
        self._taken: dict[TemplateEdge, Formula] = {}

    def open_calls(self, root: Node, model: Model) -> list[Edge]:
        """The open calls on the path that the model takes, in the order in which they are met."""
        found: list[Edge] = []
        stack = [root]
        while stack:
            node = stack.pop()
            calls: dict[int, list[Edge]] = {}
            for edge in node.edges:
                calls.setdefault(edge.site.block, []).append(edge)
            for block in self.blocks(model, node):
                for edge in calls.get(block, ()):
                    if edge.target is None:
                        found.append(edge)
                    else:
                        stack.append(edge.target)
        return found

    def visits(self, root: Node, model: Model) -> tuple[list[Term], list[Term]]:
        """Which blocks the model's path, on which no call is open, visits, and which it does not, in all instances on
        it. A path may visit all that another visits, and more; in which order they are visited goes without saying."""
        visited: list[Term] = []
        passed_by: list[Term] = []
        stack = [root]
        while stack:
            node = stack.pop()
            template, constants = self._template(node), self._constants[node]
            blocks = set(self.blocks(model, node))
            for block, control in enumerate(template.block_control):
                (visited if block in blocks else passed_by).append(constants[control])
            stack += [e.target for e in node.edges if e.site.block in blocks and e.target is not None]
        return visited, passed_by

    def blocks(self, model: Model, node: Node) -> list[int]:
        """The blocks that the model's path visits in an instance."""
        blocks = [0]
        while edges := self._template(node).edges[blocks[-1]]:
            blocks.append(self._taken_edge(edges, node, model).target)
        return blocks

    def _taken_edge(self, edges: Sequence[TemplateEdge], node: Node, model: Model) -> TemplateEdge:
        """The jump that the model takes. With quantifiers it may leave that open: then the first that it may take."""
        controls, constants = self._template(node).block_control, self._constants[node]
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
            formula = self._taken[edge] = self._solver.terms.template(self._template(node).variables, edge.taken)
        return model.value(self._solver.terms.instantiate(formula, self._constants[node]))
