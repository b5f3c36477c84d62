"""The formula of a proof in parts: an inlining graph whose instances can be left out one by one.

Each instance stands behind a Boolean, so that the solver's core says which of them a proof needs, and so that an
instance can be exchanged for a summary of its procedure: what is left is the B of an interpolation problem whose A is
the body of that procedure (assertion-implications paper, §4.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from paddock.engines.inlining.graph import Edge, InliningGraph, Node, tree
from paddock.engines.inlining.instances import Inlining
from paddock.engines.inlining.merging import first
from paddock.engines.inlining.shapes import Shapes
from paddock.engines.interpolation.work import Work
from paddock.ir.expr import Expr, Var
from paddock.solvers.interface import Answer, Model, Solver, Template, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL
from paddock.vc.encode import Encoder, Lookup
from paddock.vc.passive import Interface


class ProofGraph:
    """The instances of a proof, or `only` some of them. `needed` are those that stay, but for the root, which
    always does. Calls that a bound has cut off are not made if they are `blocked`."""

    def __init__(
        self,
        shapes: Shapes,
        entry: str,
        solver: Solver,
        proof: InliningGraph,
        shares: bool,
        only: Collection[Node] | None = None,
    ) -> None:
        self.solver = solver
        self._behind: dict[Node, Term] = {}
        strategy = first if shares else tree
        self.inlining = Inlining(shapes, entry, solver, strategy, guarded=self._guarded)
        self._conditions: dict[tuple[str, Expr], Template] = {}
        self.blocked: list[Edge] = []
        self._rebuild(proof, only)
        self.needed: dict[Node, None] = dict.fromkeys(self._behind)

    def _rebuild(self, proof: InliningGraph, only: Collection[Node] | None) -> None:
        """Inline what is inlined in another graph for the same program, as it is there."""
        ours = {proof.nodes[0]: self.inlining.root}
        waiting = [proof.nodes[0]]
        while waiting:
            node = waiting.pop()
            for edge in node.edges:
                target = edge.target
                if target is None or (only is not None and target not in only):
                    continue
                bound = self.inlining.bind(ours[node].edges[edge.index], ours.get(target))
                if target not in ours:
                    ours[target] = bound
                    waiting.append(target)

    def _guarded(self, node: Node, formula: Term) -> Term:
        """What an instance does, if it is to do it; the root always is."""
        if not node.number:
            return formula
        self._behind[node] = self.solver.terms.fresh(f"use {node.shape.procedure}", BOOL)
        return self.solver.terms.app(Op.IMPLIES, (self._behind[node], formula))

    def ask(self, nodes: Iterable[Node], work: Work) -> Answer:
        """Whether the entry can return when only these instances do what they do."""
        literals = [self._behind[node] for node in nodes]
        return work.ask(self.solver, [*literals, *self.inlining.blocking(self.blocked)])

    def keep_core(self) -> None:
        """After a proof: no other instances are needed than those that it is made of."""
        core = set(self.solver.unsat_core())
        self.needed = {node: None for node in self.needed if self._behind[node] in core}

    def interface(self, node: Node) -> Interface:
        return self.inlining.template(node).interface

    def condition(self, node: Node, expr: Expr) -> Term:
        """A condition over the interface of a procedure, for one of its instances."""
        template = self._conditions.get((node.shape.procedure, expr))
        if template is None:
            face, encoder = self.interface(node), self.inlining.templates.encoder
            inputs, outputs = variables_of(face, encoder)
            made = encoded(expr, face, inputs, outputs, encoder)
            template = self.solver.terms.template([*inputs, *outputs], made)
            self._conditions[node.shape.procedure, expr] = template
        size = self.inlining.template(node).interface_size
        return self.solver.terms.instantiate(template, self.inlining.constants[node][1:size])

    def summarise(self, nodes: Iterable[Node], expr: Expr) -> None:
        """Say a condition, which holds of every execution of a procedure, of its instances."""
        for node in nodes:
            self.solver.assert_(
                self.solver.terms.app(Op.IMPLIES, (self.inlining.control(node), self.condition(node, expr)))
            )

    def is_entered(self, node: Node, model: Model) -> bool:
        return model.value(self.inlining.control(node)) is True


def variables_of(face: Interface, encoder: Encoder) -> tuple[list[Term], list[Term]]:
    """New variables of the solver for the inputs and outputs of an interface."""
    make, sort = encoder.terms.variable, encoder.sort
    return [make(v.name, sort(v.type)) for v in face.inputs], [make(v.name, sort(v.type)) for v in face.outputs]


def encoded(expr: Expr, face: Interface, inputs: Sequence[Term], outputs: Sequence[Term], encoder: Encoder) -> Term:
    """A postcondition over the terms of an interface."""
    before = dict(zip(face.inputs, inputs, strict=True))
    after = {**before, **dict(zip(face.outputs, outputs, strict=True))}
    return encoder.encode(expr, _lookup(after, encoder), _lookup(before, encoder))


def _lookup(values: Mapping[Var, Term], encoder: Encoder) -> Lookup:
    def value(var: Var) -> Term:
        if var in values:
            return values[var]
        # A global that the procedure neither reads nor writes has some value, the same before and after.
        return encoder.terms.constant(f"untouched {var.name}", encoder.sort(var.type))

    return value
