"""Lowering of a body: structured statements become blocks.

    while (x > 0)            anon0:  goto head;
      invariant x >= 0;      head:   assert x >= 0;
    { x := x - 1; }                  goto body, done;
                             body:   assume {:partition} x > 0;  x := x - 1;  goto head;
                             done:   assume {:partition} !(x > 0);  return;

Nested statements are worked off with an explicit stack; expressions are checked on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.block_writer import BlockWriter
from paddock.frontends.boogie.calls import Calls, Specialise
from paddock.frontends.boogie.expressions import Expressions
from paddock.frontends.boogie.simple_statements import SimpleStatements, made
from paddock.frontends.boogie.symbols import ProcedureSymbol
from paddock.frontends.boogie.targets import Targets
from paddock.frontends.source import Source
from paddock.frozen import mutable
from paddock.ir.build import not_
from paddock.ir.expr import Attribute, Attributes, Var
from paddock.ir.stmt import (
    Assume,
    Block,
    Goto,
    Return,
    Statement,
)

_PARTITION: Attributes = (Attribute("partition"),)


@mutable
class _Enclosing:
    """A structured statement we are inside of; `after` is the label where `break` goes."""

    is_loop: bool
    label: str | None
    after: str
    left: bool = False  # whether a `break` leaves it


class BodyLowering:
    """Lowers one body in the scope that `expressions` has been given."""

    def __init__(
        self,
        expressions: Expressions,
        source: Source,
        owner: ProcedureSymbol,
        parameters: set[Var],
        specialise_call: Specialise,
        check_modifies: bool,
    ) -> None:
        self.exprs = expressions
        self.problems = expressions.problems
        self.symbols = expressions.symbols
        self.source = source
        self.writer = BlockWriter(source, expressions.problems)
        targets = Targets(expressions, owner, parameters, check_modifies)
        calls = Calls(expressions, source, owner, targets, specialise_call, check_modifies)
        self.simple = SimpleStatements(expressions, source, self.writer, targets, calls)
        self.enclosing: list[_Enclosing] = []

    # --- blocks ----------------------------------------------------------------------------------

    def lower(self, body: s.BodySyntax, assumptions: Sequence[Var] = ()) -> tuple[Block, ...]:
        """The blocks of a body in which some variables start as true."""
        self.writer.collect_labels(body.statements)
        self.simple.unassigned = dict.fromkeys(assumptions, True)
        if assumptions:
            start = body.locals[0].pos
            self.writer.open(self.writer.new_label(), start)
            self.writer.statements += [
                Assume(v, (), self.source.origin(start, made("assumption variable"))) for v in assumptions
            ]
        stack: list[Iterator[s.StatementSyntax] | Callable[[], None]] = [iter(body.statements)]
        simple = self.simple.handlers()
        while stack:
            top = stack[-1]
            if callable(top):
                stack.pop()
                top()
                continue
            statement = next(top, None)
            if statement is None:
                stack.pop()
                continue
            handler = simple.get(type(statement))
            if handler is not None:
                self.writer.ensure_open(statement.pos)
                handler(statement)
                self.writer.user_label = None  # it labels this statement, not a later one
            else:
                self._control(statement, stack)
        if self.writer.label is not None or not self.writer.blocks:
            self.writer.ensure_open(body.end)
            self.writer.close(Return((), self.source.origin(body.end)))
        return tuple(self.writer.blocks)

    # --- control ---------------------------------------------------------------------------------

    def _control(
        self, statement: s.StatementSyntax, stack: list[Iterator[s.StatementSyntax] | Callable[[], None]]
    ) -> None:
        match statement:
            case s.LabelSyntax(pos, name):
                self.writer.open(name, pos)
                self.writer.user_label = name
            case s.GotoSyntax(pos, targets, attributes):
                for target in targets:
                    if target.name not in self.writer.user_labels:
                        hint = self.problems.did_you_mean(target.name, sorted(self.writer.user_labels))
                        self.problems.add(target.pos, f"undefined label '{target.name}'", hint)
                names = tuple(t.name for t in targets)
                self.writer.transfer(Goto(names, self.exprs.attributes(attributes), self.source.origin(pos)), pos)
            case s.ReturnSyntax(pos, attributes):
                self.writer.transfer(Return(self.exprs.attributes(attributes), self.source.origin(pos)), pos)
            case s.BreakSyntax():
                self._break(statement)
            case s.IfSyntax():
                self._if(statement, stack)
            case s.WhileSyntax():
                self._while(statement, stack)
            case _:
                raise AssertionError(statement)

    def _break(self, statement: s.BreakSyntax) -> None:
        for outer in reversed(self.enclosing):
            if outer.label == statement.label if statement.label is not None else outer.is_loop:
                outer.left = True
                self.writer.transfer(Goto((outer.after,), (), self.source.origin(statement.pos)), statement.pos)
                return
        if statement.label is None:
            self.problems.add(statement.pos, "'break' outside of a loop")
        else:
            message = f"'break {statement.label}' is not inside a statement with that label"
            self.problems.add(statement.pos, message)

    def _guards(self, guard: s.ExprSyntax | None, what: str) -> tuple[list[Statement], list[Statement]]:
        """What is assumed where the guard holds and where it does not; nothing for `(*)`."""
        if guard is None:
            return [], []
        condition = self.exprs.condition(guard, f"the condition of '{what}'")
        origin = self.source.origin(guard.pos)
        return [Assume(condition, _PARTITION, origin)], [Assume(not_(condition), _PARTITION, origin)]

    def _if(self, statement: s.IfSyntax, stack: list[Iterator[s.StatementSyntax] | Callable[[], None]]) -> None:
        pos, origin = statement.pos, self.source.origin(statement.pos)
        yes, no = self._guards(statement.guard, "if")
        self.writer.ensure_open(pos)
        then_label, else_label, after = (
            self.writer.new_label("_Then"),
            self.writer.new_label("_Else"),
            self.writer.new_label(),
        )
        label = self.writer.user_label
        self.writer.transfer(Goto((then_label, else_label), self.exprs.attributes(statement.attributes), origin), pos)
        self.enclosing.append(_Enclosing(False, label, after))

        def start_then() -> None:
            self.writer.open(then_label, pos)
            self.writer.statements.extend(yes)

        def start_else() -> None:
            if self.writer.label is not None:
                self.writer.close(Goto((after,), (), origin))
            self.writer.open(else_label, pos)
            self.writer.statements.extend(no)
            self.writer.user_label = None

        def finish() -> None:
            self.enclosing.pop()
            self.writer.open(after, pos)
            self.writer.user_label = None

        stack += [finish, iter(statement.otherwise or ()), start_else, iter(statement.then), start_then]

    def _while(self, statement: s.WhileSyntax, stack: list[Iterator[s.StatementSyntax] | Callable[[], None]]) -> None:
        pos, origin = statement.pos, self.source.origin(statement.pos)
        yes, no = self._guards(statement.guard, "while")
        head, body, done = (
            self.writer.new_label("_LoopHead"),
            self.writer.new_label("_LoopBody"),
            self.writer.new_label("_LoopDone"),
        )
        after = self.writer.new_label()
        label = self.writer.user_label
        self.writer.open(head, pos)
        # A free invariant does not hide one that is checked, wherever it stands.
        for invariant in sorted(statement.invariants, key=lambda i: i.free):
            place = self.source.origin(invariant.pos, made("loop invariant"))
            if invariant.free:
                self.symbols.note_id(invariant.attributes)
                condition = self.exprs.condition(invariant.condition, "a loop invariant")
                self.writer.statements.append(Assume(condition, self.exprs.attributes(invariant.attributes), place))
            else:
                self.simple.check(invariant, "a loop invariant", place)
        self.writer.transfer(Goto((body, done), self.exprs.attributes(statement.attributes), origin), pos)
        enclosing = _Enclosing(True, label, after)
        self.enclosing.append(enclosing)

        def start_body() -> None:
            self.writer.open(body, pos)
            self.writer.statements.extend(yes)

        def finish() -> None:
            self.enclosing.pop()
            if self.writer.label is not None:
                self.writer.close(Goto((head,), (), origin))
            self.writer.open(done, pos)
            self.writer.statements.extend(no)
            if enclosing.left:
                self.writer.open(after, pos)
            self.writer.user_label = None

        stack += [finish, iter(statement.body), start_body]
