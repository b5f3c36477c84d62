"""Lowering of a body: structured statements become blocks.

    while (x > 0)            anon0:  goto head;
      invariant x >= 0;      head:   assert x >= 0;
    { x := x - 1; }                  goto body, done;
                             body:   assume {:partition} x > 0;  x := x - 1;  goto head;
                             done:   assume {:partition} !(x > 0);  return;

Nested statements are worked off with an explicit stack; expressions are checked on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from paddock.boogie import syntax as s
from paddock.boogie.expressions import Expressions
from paddock.boogie.problems import did_you_mean
from paddock.boogie.source import Source
from paddock.boogie.symbols import ProcedureSymbol
from paddock.boogie.types import shown, substitute_type
from paddock.ir.build import not_
from paddock.ir.expr import App, Attribute, Attributes, Expr, GetField, Is, Scope, Var
from paddock.ir.stmt import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Goto,
    Havoc,
    ParCall,
    Return,
    Statement,
    Transfer,
    Yield,
)
from paddock.ir.types import BOOL, Type

_PARTITION: Attributes = (Attribute("partition"),)


@dataclass(slots=True)
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
        specialise_call: Callable[[ProcedureSymbol, tuple[Type, ...]], str],
    ) -> None:
        self.exprs = expressions
        self.problems = expressions.problems
        self.symbols = expressions.symbols
        self.source = source
        self.owner = owner
        self.parameters = parameters
        self.specialise_call = specialise_call
        self.blocks: list[Block] = []
        self.enclosing: list[_Enclosing] = []
        self._label: str | None = None  # of the block being filled; None after a transfer
        self._block_pos = 0
        self._statements: list[Statement] = []
        self._user_label: str | None = None  # the label that a following `while` or `if` answers to
        self._user_labels: set[str] = set()
        self._taken: set[str] = set()
        self._counter = 0

    # --- blocks ----------------------------------------------------------------------------------

    def lower(self, body: s.BodySyntax) -> tuple[Block, ...]:
        self._taken = self._collect_labels(body.statements)
        stack: list[Iterator[s.StatementSyntax] | Callable[[], None]] = [iter(body.statements)]
        simple = self._simple_handlers()
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
                lowered = handler(statement)
                if self._label is None:
                    self._open(self._new_label(), statement.pos)
                self._statements.extend(lowered)
            else:
                self._control(statement, stack)
        if self._label is not None or not self.blocks:
            if self._label is None:
                self._open(self._new_label(), body.end)
            self._close(Return((), self.source.origin(body.end)))
        return tuple(self.blocks)

    def _collect_labels(self, statements: list[s.StatementSyntax]) -> set[str]:
        labels: set[str] = set()
        stack = [statements]
        while stack:
            for statement in stack.pop():
                if isinstance(statement, s.LabelSyntax):
                    if statement.name in labels:
                        self.problems.add(statement.pos, f"the label '{statement.name}' is already defined")
                    labels.add(statement.name)
                elif isinstance(statement, s.WhileSyntax):
                    stack.append(statement.body)
                elif isinstance(statement, s.IfSyntax):
                    stack += [statement.then, statement.otherwise or []]
        self._user_labels = labels
        return set(labels)

    def _new_label(self, suffix: str = "") -> str:
        while True:
            label = f"anon{self._counter}{suffix}"
            self._counter += 1
            if label not in self._taken:
                self._taken.add(label)
                return label

    def _open(self, label: str, pos: int) -> None:
        """Start a block; the one before it, if still open, falls through into it."""
        if self._label is not None:
            self._close(Goto((label,), (), self.source.origin(pos)))
        self._label, self._block_pos, self._statements = label, pos, []

    def _close(self, transfer: Transfer) -> None:
        assert self._label is not None
        origin = self.source.origin(self._block_pos)
        self.blocks.append(Block(self._label, tuple(self._statements), transfer, origin))
        self._label = None

    def _transfer(self, transfer: Transfer, pos: int) -> None:
        if self._label is None:
            self._open(self._new_label(), pos)
        self._close(transfer)
        self._user_label = None

    # --- control ---------------------------------------------------------------------------------

    def _control(
        self, statement: s.StatementSyntax, stack: list[Iterator[s.StatementSyntax] | Callable[[], None]]
    ) -> None:
        match statement:
            case s.LabelSyntax(pos, name):
                self._open(name, pos)
                self._user_label = name
            case s.GotoSyntax(pos, targets, attributes):
                for target in targets:
                    if target.name not in self._user_labels:
                        hint = did_you_mean(target.name, self._user_labels)
                        self.problems.add(target.pos, f"undefined label '{target.name}'", hint)
                names = tuple(t.name for t in targets)
                self._transfer(Goto(names, self.exprs.attributes(attributes), self.source.origin(pos)), pos)
            case s.ReturnSyntax(pos, attributes):
                self._transfer(Return(self.exprs.attributes(attributes), self.source.origin(pos)), pos)
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
                self._transfer(Goto((outer.after,), (), self.source.origin(statement.pos)), statement.pos)
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
        then_label, else_label, after = self._new_label("_Then"), self._new_label("_Else"), self._new_label()
        label = self._user_label
        self._transfer(Goto((then_label, else_label), self.exprs.attributes(statement.attributes), origin), pos)
        self.enclosing.append(_Enclosing(False, label, after))

        def start_then() -> None:
            self._open(then_label, pos)
            self._statements.extend(yes)

        def start_else() -> None:
            if self._label is not None:
                self._close(Goto((after,), (), origin))
            self._open(else_label, pos)
            self._statements.extend(no)
            self._user_label = None

        def finish() -> None:
            self.enclosing.pop()
            self._open(after, pos)
            self._user_label = None

        stack += [finish, iter(statement.otherwise or ()), start_else, iter(statement.then), start_then]

    def _while(self, statement: s.WhileSyntax, stack: list[Iterator[s.StatementSyntax] | Callable[[], None]]) -> None:
        pos, origin = statement.pos, self.source.origin(statement.pos)
        yes, no = self._guards(statement.guard, "while")
        head, body, done = self._new_label("_LoopHead"), self._new_label("_LoopBody"), self._new_label("_LoopDone")
        after = self._new_label()
        label = self._user_label
        self._open(head, pos)
        for invariant in statement.invariants:
            condition = self.exprs.condition(invariant.condition, "a loop invariant")
            attributes = self.exprs.attributes(invariant.attributes)
            place = self.source.origin(invariant.pos, "loop invariant")
            kind = Assume if invariant.free else Assert
            self._statements.append(kind(condition, attributes, place))
        self._transfer(Goto((body, done), self.exprs.attributes(statement.attributes), origin), pos)
        enclosing = _Enclosing(True, label, after)
        self.enclosing.append(enclosing)

        def start_body() -> None:
            self._open(body, pos)
            self._statements.extend(yes)

        def finish() -> None:
            self.enclosing.pop()
            if self._label is not None:
                self._close(Goto((head,), (), origin))
            self._open(done, pos)
            self._statements.extend(no)
            if enclosing.left:
                self._open(after, pos)
            self._user_label = None

        stack += [finish, iter(statement.body), start_body]

    # --- simple statements -----------------------------------------------------------------------

    def _simple_handlers(self) -> dict[type, Callable[..., list[Statement]]]:
        return {
            s.AssumeSyntax: self._assume,
            s.AssertSyntax: self._assert,
            s.AssignSyntax: self._assign,
            s.UnpackSyntax: self._unpack,
            s.HavocSyntax: self._havoc,
            s.CallSyntax: self._call_statement,
            s.ParSyntax: self._par,
            s.YieldSyntax: self._yield,
        }

    def _assume(self, node: s.AssumeSyntax) -> list[Statement]:
        condition = self.exprs.condition(node.condition, "an assumption")
        return [Assume(condition, self.exprs.attributes(node.attributes), self.source.origin(node.pos))]

    def _assert(self, node: s.AssertSyntax) -> list[Statement]:
        condition = self.exprs.condition(node.condition, "an assertion")
        return [Assert(condition, self.exprs.attributes(node.attributes), self.source.origin(node.pos))]

    def _yield(self, node: s.YieldSyntax) -> list[Statement]:
        return [Yield(self.exprs.attributes(node.attributes), self.source.origin(node.pos))]

    def _target(self, pos: int, name: str) -> Var | None:
        """The variable that is assigned to, if it may be."""
        var = self.exprs.scope.get(name) or self.symbols.variables.get(name)
        if var is None:
            known = [*self.exprs.scope, *self.symbols.variables]
            self.problems.add(pos, f"undeclared identifier '{name}'", did_you_mean(name, known))
        elif var.scope is Scope.CONST:
            self.problems.add(pos, f"the constant '{name}' cannot be assigned to")
        elif var.scope is Scope.LOCAL and var in self.parameters:
            self.problems.add(pos, f"the parameter '{name}' cannot be assigned to")
        elif var.scope is Scope.GLOBAL and name not in self.owner.modifies:
            message = f"the procedure '{self.owner.name}' changes the global variable '{name}'"
            self.problems.add(pos, message, f"add 'modifies {name};' to its declaration")
        else:
            return var
        return None

    def _targets(self, nodes: list[s.Name]) -> tuple[Var, ...] | None:
        targets = [self._target(n.pos, n.name) for n in nodes]
        seen: set[str] = set()
        for node in nodes:
            if node.name in seen:
                self.problems.add(node.pos, f"'{node.name}' is assigned to twice in one statement")
            seen.add(node.name)
        found = tuple(t for t in targets if t is not None)
        return found if len(found) == len(targets) else None

    def _final(self, var: Var) -> Var:
        final = self.exprs.finish(var, 0)
        assert isinstance(final, Var)
        return final

    def _assign(self, node: s.AssignSyntax) -> list[Statement]:
        if len(node.targets) != len(node.values):
            message = f"{len(node.targets)} targets are assigned {len(node.values)} values"
            self.problems.add(node.pos, message)
            return []
        targets = self._targets([s.Name(t.pos, t.name) for t in node.targets])
        values: list[Expr] = []
        for target, value in zip(node.targets, node.values, strict=True):
            var = self.exprs.scope.get(target.name) or self.symbols.variables.get(target.name)
            if var is None:
                self.exprs.check(value)
            elif target.steps:
                values.append(self.exprs.check_update(var, target, value))
            else:
                values.append(self.exprs.check(value, var.type, f"the value of '{target.name}'"))
        if targets is None:
            return []
        attributes = self.exprs.attributes(node.attributes)
        origin = self.source.origin(node.targets[0].pos)
        return [Assign(tuple(map(self._final, targets)), tuple(values), attributes, origin)]

    def _unpack(self, node: s.UnpackSyntax) -> list[Statement]:
        """`C(x, y) := e` asserts that e is a C and takes it apart."""
        symbol = self.symbols.functions.get(node.constructor)
        if symbol is None or not symbol.is_constructor or not isinstance(symbol.declaration, s.ConstructorSyntax):
            known = [f.name for f in self.symbols.functions.values() if f.is_constructor]
            message = f"'{node.constructor}' is not a constructor"
            self.problems.add(node.pos, message, did_you_mean(node.constructor, known))
            return []
        fields = symbol.declaration.fields
        if len(fields) != len(node.targets):
            message = f"the constructor '{node.constructor}' has {len(fields)} fields, not {len(node.targets)}"
            self.problems.add(node.pos, message)
            return []
        targets = self._targets(node.targets)
        (value,) = self.exprs.check_all([node.value])
        binding = {p: self.exprs.inference.fresh() for p in symbol.type_params}
        unify = self.exprs.inference.unify
        if not unify(value.type, substitute_type(symbol.result, binding)):
            message = f"the value must be built with '{node.constructor}', but is {shown(value.type)}"
            self.problems.add(node.value.pos, message)
            return []
        if targets is None:
            return []
        origin = self.source.origin(node.pos)
        values: list[Expr] = []
        for field, name, var, type_ in zip(fields, node.targets, targets, symbol.params, strict=True):
            part = App(GetField(field.name), (value,), substitute_type(type_, binding))
            if not unify(part.type, var.type):
                message = f"the field '{field.name}' is {shown(part.type)}, but '{var.name}' is {shown(var.type)}"
                self.problems.add(name.pos, message)
                return []
            values.append(part)
        finish = self.exprs.finish
        tester = finish(App(Is(node.constructor), (value,), BOOL), node.pos)
        unpacked = tuple(finish(v, node.pos) for v in values)
        attributes = self.exprs.attributes(node.attributes)
        return [
            Assert(tester, (), origin.by("unpack")),
            Assign(tuple(map(self._final, targets)), unpacked, attributes, origin),
        ]

    def _havoc(self, node: s.HavocSyntax) -> list[Statement]:
        targets = self._targets(node.targets)
        if targets is None:
            return []
        return [Havoc(tuple(map(self._final, targets)), self.source.origin(node.pos))]

    def _call_statement(self, node: s.CallSyntax) -> list[Statement]:
        call = self._call(node)
        return [] if call is None else [call]

    def _par(self, node: s.ParSyntax) -> list[Statement]:
        calls = [self._call(call) for call in node.calls]
        found = tuple(c for c in calls if c is not None)
        if len(found) == 1:
            return [found[0]]
        return [ParCall(found, self.source.origin(node.pos))]

    def _call(self, node: s.CallSyntax) -> Call | None:
        callee = self.symbols.procedure(node.name_pos, node.procedure)
        args = self.exprs.check_all(node.args)
        if callee is None:
            return None
        results = self._targets(node.results)
        if node.asynchronous and node.results:
            self.problems.add(node.pos, "an asynchronous call has no results")
            return None
        counts = (
            ("argument", args, callee.params),
            ("result", node.results, () if node.asynchronous else callee.results),
        )
        for what, given, declared in counts:
            if len(given) != len(declared):
                wanted = f"{len(declared)} {what}{'s' * (len(declared) != 1)}"
                self.problems.add(node.name_pos, f"the procedure '{callee.name}' has {wanted}, not {len(given)}")
                return None
        unify = self.exprs.inference.unify
        binding: dict[Type, Type] = {p: self.exprs.inference.fresh() for p in callee.type_params}
        for syntax, arg, param in zip(node.args, args, callee.params, strict=True):
            wanted_type = substitute_type(param, binding) if binding else param
            if arg.type is not wanted_type and not unify(arg.type, wanted_type):
                message = f"this argument of '{callee.name}' must be {shown(wanted_type)}, but is {shown(arg.type)}"
                self.problems.add(syntax.pos, message)
                return None
        if results is None:
            return None
        for name, var, type_ in zip(node.results, results, callee.results, strict=False):
            result_type = substitute_type(type_, binding) if binding else type_
            if var.type is not result_type and not unify(var.type, result_type):
                message = (
                    f"'{name.name}' is {shown(var.type)}, but this result of '{callee.name}' is {shown(result_type)}"
                )
                self.problems.add(name.pos, message)
                return None
        self._check_effects(node, callee)
        finish = self.exprs.finish
        final_args = tuple([finish(a, n.pos) for a, n in zip(args, node.args, strict=True)])
        type_args = tuple(self.exprs.inference.final(t) for t in binding.values())
        name_ = self.specialise_call(callee, type_args) if type_args else callee.name
        final_results = tuple(map(self._final, results))
        attributes = self.exprs.attributes(node.attributes)
        origin = self.source.origin(node.pos)
        return Call(name_, final_args, final_results, node.free, node.asynchronous, attributes, origin)

    def _check_effects(self, node: s.CallSyntax, callee: ProcedureSymbol) -> None:
        missing = [name for name in callee.modifies if name not in self.owner.modifies]
        if missing:
            names = ", ".join(missing)
            message = f"the call of '{callee.name}' may change {names}, which '{self.owner.name}' may not"
            self.problems.add(
                node.name_pos, message, f"add 'modifies {names};' to the declaration of '{self.owner.name}'"
            )
