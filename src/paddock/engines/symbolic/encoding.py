"""Terms of an execution as the solver's, and what a model says of them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import cast

from paddock.engines.symbolic.nodes import Leaf, Node
from paddock.ir.expr import Expr, Var
from paddock.solvers.interface import LiteralValue, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, INT, REAL, ROUNDING_MODE, ArraySort, BitVecSort, FloatSort, Sort
from paddock.vc.encode import Encoder


class Encoding:
    """The solver's terms for nodes. After an answer, `frozen` has literals in the place of inputs that the formula does
    not mention, so that the model need not know of them."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._terms: dict[Node, Term] = {}

    def frozen(self) -> Encoding:
        """An encoding for questions about a model, which forgets what it adds."""
        return _Frozen(self.encoder, self._terms)

    def term(self, root: Node) -> Term:
        """The term for a node. What it consists of is encoded once."""
        terms = self._terms
        stack = [root]
        while stack:
            node = stack[-1]
            if node in terms:
                stack.pop()
                continue
            missing = [a for a in node.args if a not in terms]
            if missing:
                stack += missing
                continue
            stack.pop()
            terms[node] = self._made(node, [terms[a] for a in node.args])
        return terms[root]

    def _made(self, node: Node, args: list[Term]) -> Term:
        terms = self.encoder.terms
        match node.op:
            case Leaf.LITERAL:
                return terms.literal(cast(LiteralValue, node.data), node.sort)
            case Leaf.INPUT:
                return self._input(node)
            case Leaf.NAMED:
                return self.encoder.named(cast(Var, node.data))
            case Leaf.CONST_ARRAY:
                return terms.const_array(node.sort, args[0])
            case Leaf.OPAQUE:
                expr, names = cast(tuple[Expr, tuple[Var, ...]], node.data)
                values: Mapping[Var, Term] = dict(zip(names, args, strict=True))
                return self.encoder.encode(expr, values.__getitem__, values.__getitem__)
            case Op() as op:
                return terms.app(op, args, cast(tuple[int, ...], node.data))

    def _input(self, node: Node) -> Term:
        return self.encoder.terms.fresh(cast(str, node.data), node.sort)


class _Frozen(Encoding):
    def __init__(self, encoder: Encoder, terms: dict[Node, Term]) -> None:
        super().__init__(encoder)
        self._terms = dict(terms)

    def _input(self, node: Node) -> Term:
        default = self._default(node.sort)
        return super()._input(node) if default is None else default

    def _default(self, sort: Sort) -> Term | None:
        terms = self.encoder.terms
        if isinstance(sort, ArraySort):
            inner = self._default(sort.range)
            return None if inner is None else terms.const_array(sort, inner)
        if isinstance(sort, BitVecSort | FloatSort):
            return terms.literal(0, sort)
        values: dict[object, LiteralValue] = {BOOL: False, INT: 0, REAL: Fraction(0), ROUNDING_MODE: "RNE"}
        return terms.literal(values[sort], sort) if sort in values else None
