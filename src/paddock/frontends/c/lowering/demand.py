"""Operands that are evaluated on demand: those of `&&`, `||` and `?:`.

Such an operand costs a branch only if it does something; otherwise the whole is one term.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import choice, conjunction, disjunction, negation
from paddock.frontends.c.lowering.blocks import PARTITION, Blocks, join
from paddock.frontends.c.lowering.expressions import Expressions, Handlers
from paddock.frontends.c.lowering.marks import Mark, Marks
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.steps import Steps
from paddock.frozen import frozen
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Expr, Var
from paddock.ir.stmt import Assign, Assume, Goto


@frozen
class OnDemand:
    """Evaluates operators that need not evaluate all of their operands."""

    expressions: Expressions
    blocks: Blocks
    marks: Marks
    notes: Notes
    numbers: Numbers

    def handlers(self) -> Handlers:
        return Handlers(
            values={t.Conditional: self._conditional},
            scalars={t.Logical: self._logical},
            effects={t.Conditional: self._conditional_effects},
        )

    def _logical(self, node: t.Logical) -> Steps[Expr]:
        left: Expr = yield self.expressions.value(node.left)
        if left is (FALSE if node.conjunction else TRUE):
            return self.numbers.of_truth(left, node.type)
        mark = self.marks.mark()
        needed = left if node.conjunction else negation(left)
        self.notes.demands.append(needed)
        right: Expr = yield self.expressions.value(node.right)
        self.notes.demands.pop()
        if self.marks.unchanged(mark) or left is TRUE or left is FALSE:
            holds = conjunction(left, right) if node.conjunction else disjunction(left, right)
            return self.numbers.of_truth(holds, node.type)
        result = self.blocks.locals.temporary(left.type, "and" if node.conjunction else "or")
        self._guard(mark, needed, [(result, FALSE if node.conjunction else TRUE)], [(result, right)])
        return self.numbers.of_truth(result, node.type)

    def _guard(
        self, mark: Mark, condition: Expr, before: Sequence[tuple[Var, Expr]], after: Sequence[tuple[Var, Expr]]
    ) -> None:
        """Do what has been emitted since a mark only under a condition; `before` holds if it is not done."""
        blocks = self.blocks
        labels = blocks.label("demanded"), blocks.label("skipped"), blocks.label("join")
        for target, value in after:
            blocks.assign(target, value)
        blocks.goto(labels[2])
        self._branch(mark, labels[0], condition, Goto(labels[:2], origin=blocks.origin))
        blocks.enter(labels[1], negation(condition))
        for target, value in before:
            blocks.assign(target, value)
        blocks.open(labels[2])

    def _branch(self, mark: Mark, label: str, condition: Expr, before: Goto) -> None:
        """What has been emitted since a mark becomes a block that is reached under a condition."""
        self.marks.split(mark, label, closed_by=before)
        self.marks.insert(Mark(mark.block + 1, 0), Assume(condition, PARTITION, self.blocks.origin))

    def _conditional(self, node: t.Conditional) -> Steps[tuple[Expr, ...]]:
        condition: Expr = yield self.expressions.value(node.condition)
        if condition is TRUE or condition is FALSE:
            chosen = node.then if condition is TRUE else node.otherwise
            held: tuple[Expr, ...] = yield self.expressions.values(chosen)
            return held
        start = self.marks.mark()
        self.notes.demands.append(condition)
        then: tuple[Expr, ...] = yield self.expressions.values(node.then)
        middle = self.marks.mark()
        self.notes.demands[-1] = negation(condition)
        otherwise: tuple[Expr, ...] = yield self.expressions.values(node.otherwise)
        self.notes.demands.pop()
        if self.marks.unchanged(start):
            return tuple(choice(condition, a, b) for a, b in zip(then, otherwise, strict=False))
        blocks = self.blocks
        labels = blocks.label("then"), blocks.label("else"), blocks.label("join")
        results = [blocks.locals.temporary(value.type, "chosen") for value in then]
        blocks.ensure_open()
        for result, value in zip(results, otherwise, strict=False):
            blocks.put(result, value)
        blocks.goto(labels[2])
        for result, value in zip(results, then, strict=True):
            middle = self.marks.insert(middle, Assign((result,), (value,), origin=blocks.origin))
        self._branch(middle, labels[1], negation(condition), Goto((labels[2],), origin=blocks.origin))
        self._branch(start, labels[0], condition, Goto(labels[:2], origin=blocks.origin))
        blocks.open(labels[2])
        return tuple(results)

    def _conditional_effects(self, node: t.Conditional) -> Steps[None]:
        holds: Expr = yield self.expressions.value(node.condition)
        blocks, demands = self.blocks, self.notes.demands
        labels = blocks.label("then"), blocks.label("else"), blocks.label("join")
        blocks.fork(holds, *labels[:2])
        then = blocks.enter(labels[0], holds)
        demands.append(holds)
        yield self.expressions.effects(node.then)
        blocks.goto(labels[2])
        otherwise = blocks.enter(labels[1], negation(holds))
        demands[-1] = negation(holds)
        yield self.expressions.effects(node.otherwise)
        demands.pop()
        join(blocks, labels[2], then, otherwise)
