"""Statements: C's control flow as blocks, and the objects that declarations bring to life.

    while (c) S        head: goto body, done;    body: assume c; S; goto head;    done: assume !c;

Loops stay cycles. Nesting is worked off without recursion, as in expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import conjunction, equal, negation
from paddock.frontends.c.lower_blocks import Steps
from paddock.frontends.c.lower_calls import Calls
from paddock.frontends.c.lower_initialisers import Initialisers
from paddock.frontends.c.show import STEP, Values
from paddock.frontends.c.text import condition_text, expression_text, without_conversions
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.frontends.c.walk import children, nodes_in
from paddock.ir.build import TRUE
from paddock.ir.expr import Expr, Var
from paddock.ir.stmt import Assign, Return


@dataclass(frozen=True, slots=True)
class _Enclosing:
    """Where `break` and `continue` go."""

    after: str
    again: str | None  # None for a switch
    scopes: int  # how many blocks are around it


class Statements(Initialisers, Calls):
    """The lowering of statements."""

    results: tuple[Var, ...]  # what the function returns
    enclosing: list[_Enclosing]
    labels: dict[str, str]  # C's labels
    cases: dict[t.Statement, str]  # the labels of cases
    exit_label: str | None  # where objects of the function end, if that matters

    def run_statements(self, statements: Sequence[t.Statement]) -> Steps[None]:
        for statement in statements:
            yield self._statement(statement)

    def _statement(self, node: t.Statement) -> Steps[None]:
        if node not in self.jumps.blocks:
            yield self._inside(node)
            return
        self.blocks.origin = node.origin
        self.enter_block(node)
        yield self._inside(node)
        self.leave_block()

    def _inside(self, node: t.Statement) -> Steps[None]:
        """A statement, in its own block if it is one."""
        blocks = self.blocks
        blocks.origin = (
            node.origin.noted(STEP) if isinstance(node, t.Evaluate | t.UnsupportedStatement) else node.origin
        )
        self.reads.clear()
        match node:
            case t.Block(statements=statements, end=end):
                yield self.run_statements(statements)
                blocks.origin = end
            case t.Declare(variable=variable, initialiser=initialiser):
                yield self._declare(variable, initialiser)
            case t.Evaluate(expression=expression):
                yield self.effects(expression)
            case t.If():
                yield self._if(node)
            case t.While(condition=condition, body=body):
                yield self._loop(node, condition, body, None)
            case t.For(first=first, condition=optional, step=step, body=body):
                yield self.run_statements(first)
                blocks.origin = node.origin
                yield self._loop(node, optional, body, step)
            case t.DoWhile():
                yield self._do(node)
            case t.Switch():
                yield self._switch(node)
            case t.Case() | t.Default():
                blocks.open(self.cases[node])
            case t.Label(name=name):
                blocks.open(self._label(name))
            case t.Goto():
                self._goto(node)
            case t.Break():
                self.end_blocks(self.enclosing[-1].scopes)
                blocks.goto(self.enclosing[-1].after)
            case t.Continue():
                loop = next(e for e in reversed(self.enclosing) if e.again is not None)
                self.end_blocks(loop.scopes)
                blocks.goto(loop.again or "")
            case t.Return(value=value):
                yield self._return(value)
            case t.UnsupportedStatement(construct=construct, parts=parts):
                self.shared.unsupported(construct, node.origin)
                self.do_anything(parts)
                self._jump_anywhere(construct)
            case _:
                raise AssertionError(f"not a statement: {node}")

    def _goto(self, node: t.Goto) -> None:
        for variable in self.jumps.ended.get(node, ()):
            if not self.shared.is_plain(variable):
                self.object_ends(self.address_of(variable))
        self.jump(self.jumps.around(node.label))
        self.blocks.goto(self._label(node.label))

    def _label(self, name: str) -> str:
        if name not in self.labels:
            self.labels[name] = self.blocks.exact_label(name)
        return self.labels[name]

    def _jump_anywhere(self, construct: str) -> None:
        """Go on after this, or at any label of the function, if what is not supported may jump."""
        assert self.function is not None and self.function.body is not None
        labels = [n.name for n in nodes_in(self.function.body) if isinstance(n, t.Label)]
        if labels and "goto" in construct:
            after, ways = self.blocks.label("after"), [self.blocks.label("anywhere") for _ in labels]
            self.blocks.goto(after, *ways)
            for way, label in zip(ways, labels, strict=True):
                self.blocks.open(way)
                self.jump(self.jumps.around(label))
                self.blocks.goto(self._label(label))
            self.blocks.open(after)

    def _declare(self, variable: t.Variable, initialiser: t.Initialiser | None) -> Steps[None]:
        self.declared(variable, is_initialised=initialiser is not None)
        if initialiser is not None:
            name = (variable.name, ()) if variable.name else None
            yield self.initialise(self.variable_place(variable), initialiser, name)

    def _return(self, value: t.Expression | None) -> Steps[None]:
        if value is not None:
            held: tuple[Expr, ...] = yield self.values(value)
            for target, part in zip(self.results, held, strict=False):
                self.blocks.assign(target, part, self.noted("return", given=self.given_by(part, target)))
        if self.exit_label is not None:
            self.blocks.goto(self.exit_label)
        else:
            self.blocks.close(Return(origin=self.blocks.origin))

    # --- branches --------------------------------------------------------------------------------------------

    def _if(self, node: t.If) -> Steps[None]:
        blocks = self.blocks
        condition: Expr = yield self.condition(node.condition)
        then, otherwise, after = blocks.label("then"), blocks.label("else"), blocks.label("endif")
        holds, fails = self._branch_notes(node.condition)
        blocks.fork(condition, then, otherwise)
        blocks.enter(then, condition, holds)
        yield self._statement(node.then)
        blocks.origin = node.origin
        blocks.goto(after)
        blocks.enter(otherwise, negation(condition), fails)
        if node.otherwise is not None:
            yield self._statement(node.otherwise)
            blocks.origin = node.origin
        blocks.open(after)

    def _branch_notes(self, condition: t.Expression | None) -> tuple[int, int]:
        """Notes for where a condition holds, and for where it does not."""
        if condition is None:
            return 0, 0
        holds, fails = (self.noted("branch", condition_text(condition, way)) for way in (True, False))
        return holds, fails

    def _loop(
        self, node: t.Statement, condition: t.Expression | None, body: t.Statement, step: t.Expression | None
    ) -> Steps[None]:
        blocks = self.blocks
        word = "while" if isinstance(node, t.While) else "for"
        head, inside, done, after = (blocks.label(f"{word}.{part}") for part in ("head", "body", "done", "after"))
        again = blocks.label("for.step") if step is not None else head
        blocks.open(head)
        self.reads.clear()
        holds: Expr = (yield self.condition(condition)) if condition is not None else TRUE
        again_note, done_note = self._branch_notes(condition)
        blocks.fork(holds, inside, done)
        blocks.enter(inside, holds, again_note)
        self.enclosing.append(_Enclosing(after, again, len(self.scopes)))
        yield self._statement(body)
        self.enclosing.pop()
        blocks.origin = node.origin
        if step is not None:
            blocks.open(again)
            blocks.origin = step.origin.noted(STEP)
            yield self.effects(step)
            blocks.origin = node.origin
        blocks.goto(head)
        blocks.enter(done, negation(holds), done_note)
        blocks.open(after)

    def _do(self, node: t.DoWhile) -> Steps[None]:
        blocks = self.blocks
        head, test, more, done, after = (blocks.label(f"do.{p}") for p in ("head", "test", "again", "done", "after"))
        blocks.open(head)
        self.enclosing.append(_Enclosing(after, test, len(self.scopes)))
        yield self._statement(node.body)
        self.enclosing.pop()
        blocks.origin = node.condition.origin
        blocks.open(test)
        self.reads.clear()
        holds: Expr = yield self.condition(node.condition)
        more_note, done_note = self._branch_notes(node.condition)
        blocks.fork(holds, more, done)
        blocks.enter(more, holds, more_note)
        blocks.goto(head)
        blocks.enter(done, negation(holds), done_note)
        blocks.open(after)

    def _switch(self, node: t.Switch) -> Steps[None]:
        blocks = self.blocks
        value: Expr = yield self.value(node.value)
        after = blocks.label("switch.after")
        if not isinstance(value, Var) or blocks.locals.get(value.name) is None:
            saved = blocks.temporary(value.type, "switch")
            blocks.emit(Assign((saved,), (value,), origin=blocks.origin))
            value = saved
        rest: Expr = TRUE
        written, shown = without_conversions(node.value), Values(self.shared.presentation)
        text = expression_text(written)
        ways: list[tuple[str, Expr, str, str, t.Statement | None]] = []
        default: tuple[str, t.Statement | None] = after, None
        for statement in _cases_of(node):
            blocks.origin = statement.origin
            label = self.cases[statement] = blocks.label("case" if isinstance(statement, t.Case) else "default")
            if isinstance(statement, t.Case):
                chosen = self._in_case(value, statement, node.value.type)
                rest = conjunction(rest, negation(chosen))
                low, high = (shown.text(number, written.type) for number in (statement.low, statement.high))
                way = f"{text} == {low}" if low == high else f"{text} in {low} ... {high}"
                ways.append((blocks.exact_label(f"{label}.chosen"), chosen, label, way, statement))
            else:
                default = label, statement
        blocks.origin = node.origin
        ways.append((blocks.label("switch.else"), rest, default[0], f"{text} is no other case", default[1]))
        blocks.goto(*(label for label, *_ in ways))
        for label, condition, target, way, arrival in ways:
            blocks.enter(label, condition, self.noted("branch", way))
            if arrival is not None:
                self.jump(self.jumps.around(arrival))
            blocks.goto(target)
        self.enclosing.append(_Enclosing(after, None, len(self.scopes)))
        yield self._statement(node.body)
        self.enclosing.pop()
        blocks.origin = node.origin
        blocks.open(after)

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
