"""What the tree has no words for: refused, or taken as something that may do anything."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.context import ANYTHING, Bodiless
from paddock.frontends.c.lowering.expressions import Handlers
from paddock.frontends.c.lowering.messages import Messages
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.walk import nodes_in
from paddock.frozen import frozen
from paddock.ir.expr import Expr
from paddock.ir.origin import Origin
from paddock.ir.stmt import Call


@frozen
class Unsupported:
    """Refuses what is not supported, or lets it do anything."""

    blocks: Blocks
    variables: Variables
    messages: Messages
    bodiless: Bodiless

    def handlers(self) -> Handlers:
        return Handlers(values={t.UnsupportedExpression: self._expression})

    def _expression(self, node: t.UnsupportedExpression) -> Steps[tuple[Expr, ...]]:
        self.do_anything(node.construct, node.parts, node.origin)
        return self.variables.arbitrary_values(node.type)
        yield

    def do_anything(self, construct: str, parts: Sequence[t.Expression], origin: Origin) -> None:
        """What is not supported may change all globals, all memory, and the local variables that it mentions."""
        self.messages.unsupported(construct, origin)
        self.bodiless.may_do_anything = True
        self.blocks.emit(Call(ANYTHING, (), origin=self.blocks.origin))
        nodes = (node for part in parts for node in nodes_in(part))
        self.variables.make_arbitrary(node.variable for node in nodes if isinstance(node, t.VariableUse))
