"""Branches and loops as blocks.

    while (c) S        head: goto body, done;    body: assume c; S; goto head;    done: assume !c;

Loops stay cycles.
"""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c.arithmetic.terms import negation
from paddock.frontends.c.lowering.blocks import Blocks, join
from paddock.frontends.c.lowering.expressions import Expressions
from paddock.frontends.c.lowering.goals import Goals
from paddock.frontends.c.lowering.jumping import Jumping
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.statements import StatementHandlers, Statements
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.show import STEP
from paddock.frontends.c.text import condition_text
from paddock.frozen import frozen
from paddock.ir.build import TRUE
from paddock.ir.expr import Expr
from paddock.ir.origin import Origin


@frozen
class Branches:
    """Runs `if` and loops."""

    statements: Statements
    expressions: Expressions
    jumping: Jumping
    blocks: Blocks
    notes: Notes
    goals: Goals

    def handlers(self) -> StatementHandlers:
        return {t.If: self._if, t.While: self._while, t.For: self._for, t.DoWhile: self._do}

    def _if(self, node: t.If) -> Steps[None]:
        blocks = self.blocks
        condition: Expr = yield self.expressions.value(node.condition)
        then, otherwise, after = blocks.label("then"), blocks.label("else"), blocks.label("endif")
        holds, fails = self._notes(node.condition)
        blocks.fork(condition, then, otherwise)
        first = blocks.enter(then, condition, holds)
        self._goal(node.condition, True, node.origin)
        yield self.statements.run(node.then)
        blocks.origin = node.origin
        blocks.goto(after)
        second = blocks.enter(otherwise, negation(condition), fails)
        self._goal(node.condition, False, node.origin)
        if node.otherwise is not None:
            yield self.statements.run(node.otherwise)
            blocks.origin = node.origin
        join(blocks, after, first, second)

    def _notes(self, condition: t.Expression | None) -> tuple[int, int]:
        """Notes for where a condition holds, and for where it does not."""
        if condition is None:
            return 0, 0
        holds, fails = (self.notes.add("branch", condition_text(condition, way), holds=way) for way in (True, False))
        return holds, fails

    def _goal(self, condition: t.Expression | None, way: bool, origin: Origin) -> None:
        """Mark that a branch is taken, if it is one."""
        if condition is not None:
            self.goals.branch(condition_text(condition, way), origin)

    def _while(self, node: t.While) -> Steps[None]:
        return self._loop(node, node.condition, node.body, None)

    def _for(self, node: t.For) -> Steps[None]:
        yield self.statements.run_all(node.first)
        self.blocks.origin = node.origin
        yield self._loop(node, node.condition, node.body, node.step)

    def _loop(
        self, node: t.Statement, condition: t.Expression | None, body: t.Statement, step: t.Expression | None
    ) -> Steps[None]:
        blocks = self.blocks
        word = "while" if isinstance(node, t.While) else "for"
        head = self.jumping.loop_label(f"{word}.head")
        inside, done, after = (blocks.label(f"{word}.{part}") for part in ("body", "done", "after"))
        again = blocks.label("for.step") if step is not None else head
        blocks.open(head)
        self.notes.reads.clear()
        holds: Expr = (yield self.expressions.value(condition)) if condition is not None else TRUE
        again_note, done_note = self._notes(condition)
        blocks.fork(holds, inside, done)
        blocks.enter(inside, holds, again_note)
        self._goal(condition, True, node.origin)
        with self.jumping.inside(after, again):
            yield self.statements.run(body)
        blocks.origin = node.origin
        if step is not None:
            blocks.open(again)
            blocks.origin = step.origin.noted(STEP)
            yield self.expressions.effects(step)
            blocks.origin = node.origin
        blocks.goto(head)
        blocks.enter(done, negation(holds), done_note)
        self._goal(condition, False, node.origin)
        blocks.open(after)

    def _do(self, node: t.DoWhile) -> Steps[None]:
        blocks = self.blocks
        head = self.jumping.loop_label("do.head")
        test, more, done, after = (blocks.label(f"do.{part}") for part in ("test", "again", "done", "after"))
        blocks.open(head)
        with self.jumping.inside(after, test):
            yield self.statements.run(node.body)
        blocks.origin = node.condition.origin
        blocks.open(test)
        self.notes.reads.clear()
        holds: Expr = yield self.expressions.value(node.condition)
        more_note, done_note = self._notes(node.condition)
        blocks.fork(holds, more, done)
        blocks.enter(more, holds, more_note)
        self._goal(node.condition, True, node.condition.origin)
        blocks.goto(head)
        blocks.enter(done, negation(holds), done_note)
        self._goal(node.condition, False, node.condition.origin)
        blocks.open(after)
