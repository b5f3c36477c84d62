"""`switch`: a branch for each case, which jumps to where the case stands in the body."""

from __future__ import annotations

from collections.abc import Iterator

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import conjunction, equal, negation
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.expressions import Expressions
from paddock.frontends.c.lowering.goals import Goals
from paddock.frontends.c.lowering.jumping import Jumping
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.statements import StatementHandlers, Statements
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.show import Values
from paddock.frontends.c.text import expression_text, without_conversions
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.frontends.c.walk import children
from paddock.frozen import field, frozen
from paddock.ir.build import TRUE
from paddock.ir.expr import Expr, Var


@frozen
class _Branch:
    """A way out of the head of a switch: its block, when it is taken, how that is shown, and where it leads; `arrival`
    is the case or default there, if there is one."""

    label: str
    condition: Expr
    text: str
    target: str
    arrival: t.Statement | None


@frozen
class Switches:
    """Runs `switch`."""

    statements: Statements
    expressions: Expressions
    jumping: Jumping
    blocks: Blocks
    notes: Notes
    numbers: Numbers
    goals: Goals
    _cases: dict[t.Statement, str] = field(default_factory=dict)  # the labels of cases

    def handlers(self) -> StatementHandlers:
        return {t.Switch: self._switch, t.Case: self._case, t.Default: self._case}

    def _case(self, node: t.Case | t.Default) -> None:
        self.blocks.open(self._cases[node])

    def _switch(self, node: t.Switch) -> Steps[None]:
        blocks = self.blocks
        value: Expr = yield self.expressions.value(node.value)
        after = blocks.label("switch.after")
        if not isinstance(value, Var) or blocks.locals.declared.get(value.name) is None:
            saved = blocks.locals.temporary(value.type, "switch")
            blocks.put(saved, value)
            value = saved
        ways = list(self._ways(node, value, after))
        blocks.goto(*(way.label for way in ways))
        for way in ways:
            blocks.enter(way.label, way.condition, self.notes.add("branch", way.text))
            self.goals.branch(way.text, way.arrival.origin if way.arrival is not None else node.origin)
            if way.arrival is not None:
                self.jumping.to(way.arrival, way.target)
            else:
                blocks.goto(way.target)
        with self.jumping.inside(after):
            yield self.statements.run(node.body)
        blocks.origin = node.origin
        blocks.open(after)

    def _ways(self, node: t.Switch, value: Expr, after: str) -> Iterator[_Branch]:
        """The ways to the cases, and the one for all other values, which leads behind the switch without a default."""
        blocks = self.blocks
        rest: Expr = TRUE
        written, shown = without_conversions(node.value), Values(self.notes.presentation)
        text = expression_text(written)
        target, default = after, None
        for statement in _cases_of(node):
            blocks.origin = statement.origin
            label = self._cases[statement] = blocks.label("case" if isinstance(statement, t.Case) else "default")
            if isinstance(statement, t.Case):
                chosen = self._in_case(value, statement, node.value.type)
                rest = conjunction(rest, negation(chosen))
                low, high = (shown.text(number, written.type) for number in (statement.low, statement.high))
                worded = f"{text} == {low}" if low == high else f"{text} in {low} ... {high}"
                yield _Branch(blocks.exact_label(f"{label}.chosen"), chosen, worded, label, statement)
            else:
                target, default = label, statement
        blocks.origin = node.origin
        yield _Branch(blocks.label("switch.else"), rest, f"{text} is no other case", target, default)

    def _in_case(self, value: Expr, case: t.Case, type_: c.CType) -> Expr:
        numbers = self.numbers
        low = numbers.literal(case.low, type_)
        if case.low == case.high:
            return equal(value, low)
        at_least = numbers.compare(B.GREATER_EQUAL, value, low, type_)
        return conjunction(at_least, numbers.compare(B.LESS_EQUAL, value, numbers.literal(case.high, type_), type_))


def _cases_of(switch: t.Switch) -> list[t.Case | t.Default]:
    """The cases that belong to a switch, in the order of the source."""
    found: list[t.Case | t.Default] = []
    stack: list[t.Expression | t.Statement] = [switch.body]
    while stack:
        node = stack.pop()
        if isinstance(node, t.Case | t.Default):
            found.append(node)
        elif not isinstance(node, t.Switch):
            stack += reversed(children(node))
    return found
