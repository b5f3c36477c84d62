"""Jumps: `goto` and labels, `break` and `continue`, and what is not supported and may jump anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from paddock.frontends.c import tree as t
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import disjunction, equal
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.checks import Checks
from paddock.frontends.c.lowering.expressions import Expressions
from paddock.frontends.c.lowering.lifetimes import Lifetimes
from paddock.frontends.c.lowering.statements import StatementHandlers
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.lowering.unsupported import Unsupported
from paddock.frontends.c.text import expression_text
from paddock.frontends.c.walk import nodes_in
from paddock.frozen import field, frozen
from paddock.ir.build import FALSE
from paddock.ir.expr import Expr


@frozen
class _Enclosing:
    """Where `break` and `continue` go."""

    after: str
    again: str | None  # None for a switch
    scopes: int  # how many blocks are around it


@frozen
class Jumping:
    """Leaves loops and switches, and goes to labels."""

    blocks: Blocks
    lifetimes: Lifetimes
    checks: Checks
    unsupported: Unsupported
    expressions: Expressions
    numbers: Numbers
    _enclosing: list[_Enclosing] = field(default_factory=list)
    _labels: dict[str, str] = field(default_factory=dict)  # the blocks of C's labels
    _written: dict[str, str] = field(default_factory=dict)  # C's labels, by their blocks

    def handlers(self) -> StatementHandlers:
        return {
            t.Label: self._label,
            t.Goto: self._goto,
            t.ComputedGoto: self._computed_goto,
            t.Break: self._break,
            t.Continue: self._continue,
            t.UnsupportedStatement: self._unsupported,
        }

    @contextmanager
    def inside(self, after: str, again: str | None = None) -> Iterator[None]:
        """While the body of a loop is lowered, or of a switch, which has nothing to do `again`."""
        self._enclosing.append(_Enclosing(after, again, len(self.lifetimes.scopes)))
        yield
        self._enclosing.pop()

    def loop_label(self, word: str) -> str:
        """A label for the head of a loop, after the label of C that stands directly before it, if there is one."""
        last = self.blocks.made[-1] if self.blocks.is_open else None
        written = self._written.get(last.label) if last is not None and not last.statements else None
        return self.blocks.label(f"{written}.{word}" if written else word)

    def to(self, target: str | t.Statement, label: str) -> None:
        """Jump to a label or a case of C, which is a block of the IR."""
        self.lifetimes.jump(self.lifetimes.jumps.around(target))
        self.blocks.goto(label)

    def _label(self, node: t.Label) -> None:
        self.blocks.open(self._block_of(node.name))
        self._written[self._block_of(node.name)] = node.written
        if node.written in self.checks.settings.error_labels:
            self.checks.fail(("unreach", "assert"), f"the label {node.written} is reached", node.origin)

    def _block_of(self, name: str) -> str:
        if name not in self._labels:
            self._labels[name] = self.blocks.exact_label(name)
        return self._labels[name]

    def _goto(self, node: t.Goto) -> None:
        self.lifetimes.end(self.lifetimes.jumps.ended.get(node, ()))
        self.lifetimes.jump(self.lifetimes.jumps.around(node.label))
        self.blocks.goto(self._block_of(node.label))

    def _computed_goto(self, node: t.ComputedGoto) -> Steps[None]:
        """A branch for each label whose address is taken; another address is none, and nothing goes on there."""
        blocks, numbers = self.blocks, self.numbers
        value: Expr = yield self.expressions.value(node.target)
        ways = [
            (label, equal(value, numbers.address(number)), blocks.label("goto"))
            for label, number in node.labels.items()
        ]
        text = expression_text(node.target)
        is_one: Expr = FALSE
        for _, chosen, _ in ways:
            is_one = disjunction(is_one, chosen)
        self.checks.check("pointer", is_one, f"goto *{text} goes to no label of the function", node.origin)
        if not ways:
            blocks.stop()
            return
        blocks.goto(*(way for _, _, way in ways))
        for label, chosen, way in ways:
            blocks.enter(way, chosen, self.checks.notes.add("branch", f"{text} == &&{label}"))
            self.lifetimes.jump(self.lifetimes.jumps.around(label))
            blocks.goto(self._block_of(label))

    def _break(self, node: t.Break) -> None:
        self._leave(self._enclosing[-1].scopes, self._enclosing[-1].after)

    def _continue(self, node: t.Continue) -> None:
        loop = next(e for e in reversed(self._enclosing) if e.again is not None)
        self._leave(loop.scopes, loop.again or "")

    def _leave(self, scopes: int, label: str) -> None:
        self.lifetimes.end_blocks(scopes)
        self.blocks.goto(label)

    def _unsupported(self, node: t.UnsupportedStatement) -> None:
        self.unsupported.do_anything(node.construct, node.parts, node.origin)
        if "goto" in node.construct:
            self._anywhere()

    def _anywhere(self) -> None:
        """Go on after this, or at any label of the function."""
        labels = [n.name for n in nodes_in(self.lifetimes.jumps.body) if isinstance(n, t.Label)]
        if not labels:
            return
        after, ways = self.blocks.label("after"), [self.blocks.label("anywhere") for _ in labels]
        self.blocks.goto(after, *ways)
        for way, label in zip(ways, labels, strict=True):
            self.blocks.open(way)
            self.lifetimes.jump(self.lifetimes.jumps.around(label))
            self.blocks.goto(self._block_of(label))
        self.blocks.open(after)
