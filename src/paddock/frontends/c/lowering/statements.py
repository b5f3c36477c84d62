"""Statements: each kind is left to the service that knows it; declarations and returns are done here.

Nesting is worked off without recursion, as in expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from paddock.frontends.c import tree as t
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.expressions import Expressions, Handlers
from paddock.frontends.c.lowering.goals import Goals
from paddock.frontends.c.lowering.initialisers import Initialisers
from paddock.frontends.c.lowering.lifetimes import Lifetimes
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.show import STEP
from paddock.frozen import field, mutable
from paddock.ir.expr import Expr, Var
from paddock.ir.stmt import Return

# What a service does for kinds of statements; some need no further steps.
StatementHandlers = Mapping[type[t.Statement], Callable[[Any], Steps[None] | None]]

# What does nothing where it begins: a block, and what a jump may arrive at.
_WITHOUT_LINE = (t.Block, t.Label, t.Case, t.Default)


@mutable
class Statements:
    """Runs statements with the handlers that services have registered."""

    expressions: Expressions
    initialisers: Initialisers
    lifetimes: Lifetimes
    blocks: Blocks
    notes: Notes
    goals: Goals
    results: tuple[Var, ...]  # what the function returns
    exit_label: str | None  # where objects of the function end, if that matters
    _by_kind: dict[type[t.Statement], Callable[[Any], Steps[None] | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.register(
            {
                t.Block: self._block,
                t.Declare: self._declare,
                t.Evaluate: self._evaluate,
                t.Return: self._return,
            }
        )

    def register(self, handlers: StatementHandlers) -> None:
        """Leave kinds of statements to a service."""
        self._by_kind |= handlers

    def handlers(self) -> Handlers:
        """Expressions with statements in them."""
        return Handlers(
            values={t.Comma: self._comma, t.StatementExpression: self._statement_expression},
            effects={t.Comma: self._comma_effects, t.StatementExpression: self._statement_expression_effects},
        )

    def run_all(self, statements: Sequence[t.Statement]) -> Steps[None]:
        for statement in statements:
            yield self.run(statement)

    def run(self, node: t.Statement) -> Steps[None]:
        """Run a statement; what begins in it ends with it."""
        if node not in self.lifetimes.jumps.blocks:
            yield self._inside(node)
            return
        self.blocks.origin = node.origin
        self.lifetimes.enter_block(node)
        yield self._inside(node)
        self.lifetimes.leave_block()

    def _inside(self, node: t.Statement) -> Steps[None]:
        """A statement, in its own block if it is one."""
        is_step = isinstance(node, t.Evaluate | t.UnsupportedStatement)
        self.blocks.origin = node.origin.noted(STEP) if is_step else node.origin
        self.notes.reads.clear()
        if not isinstance(node, _WITHOUT_LINE):
            self.goals.line(node.origin)
        steps = self._by_kind[type(node)](node)
        if steps is not None:
            yield steps

    def _block(self, node: t.Block) -> Steps[None]:
        yield self.run_all(node.statements)
        self.blocks.origin = node.end

    def _declare(self, node: t.Declare) -> Steps[None]:
        return self.initialisers.declare(node.variable, node.initialiser)

    def _evaluate(self, node: t.Evaluate) -> Steps[None]:
        return self.expressions.effects(node.expression)

    def _return(self, node: t.Return) -> Steps[None]:
        if node.value is not None:
            held: tuple[Expr, ...] = yield self.expressions.values(node.value)
            for target, part in zip(self.results, held, strict=False):
                note = self.notes.add("return", given=self.notes.given_by(part, target))
                self.blocks.assign(target, part, note)
        if self.exit_label is not None:
            self.blocks.goto(self.exit_label)
        else:
            self.blocks.close(Return(origin=self.blocks.origin))

    # --- in expressions ----------------------------------------------------------------------------------------

    def _comma(self, node: t.Comma) -> Steps[tuple[Expr, ...]]:
        yield self.expressions.effects(node.first)
        held: tuple[Expr, ...] = yield self.expressions.values(node.second)
        return held

    def _comma_effects(self, node: t.Comma) -> Steps[None]:
        yield self.expressions.effects(node.first)
        yield self.expressions.effects(node.second)

    def _statement_expression(self, node: t.StatementExpression) -> Steps[tuple[Expr, ...]]:
        self.lifetimes.enter_block(node)
        yield self.run_all(node.statements)
        held: tuple[Expr, ...] = (yield self.expressions.values(node.value)) if node.value is not None else ()
        self.lifetimes.leave_block()
        return held

    def _statement_expression_effects(self, node: t.StatementExpression) -> Steps[None]:
        self.lifetimes.enter_block(node)
        yield self.run_all(node.statements)
        if node.value is not None:
            yield self.expressions.effects(node.value)
        self.lifetimes.leave_block()
