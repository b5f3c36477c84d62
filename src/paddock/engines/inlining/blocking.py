"""Blocking open calls: a call is not made if the block that it is in is not visited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from paddock.engines.inlining.graph import Edge, Node
from paddock.solvers.interface import Solver, Term
from paddock.solvers.ops import Op
from paddock.vc.template import Template


class Blocking:
    """Assumptions under which calls are not made. `constants` has the terms that instances have for parameters."""

    def __init__(
        self, template: Callable[[Node], Template], constants: Mapping[Node, list[Term]], solver: Solver
    ) -> None:
        self._template = template
        self._constants = constants
        self._solver = solver
        self._blocked: dict[Edge, Term] = {}

    def __call__(self, edges: Iterable[Edge]) -> list[Term]:
        """Assumptions under which none of the calls is made."""
        terms = []
        for edge in edges:
            term = self._blocked.get(edge)
            if term is None:
                control = self._template(edge.source).block_control[edge.site.block]
                term = self._solver.terms.app(Op.NOT, (self._constants[edge.source][control],))
                self._blocked[edge] = term
            terms.append(term)
        return terms
