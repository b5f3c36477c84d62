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
from dataclasses import dataclass, replace

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.attributes import OF_ASSERTIONS, SUBSUMPTION, VERIFIED_UNDER, is_subsumed, verified_under
from paddock.frontends.boogie.expressions import Expressions
from paddock.frontends.boogie.symbols import ProcedureSymbol
from paddock.frontends.boogie.types import substitute_type
from paddock.frontends.source import Source
from paddock.ir.build import FALSE, not_, or_
from paddock.ir.expr import App, Attribute, Attributes, Expr, GetField, Is, Op, Scope, Var
from paddock.ir.origin import Made, Origin, Role
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
IN_PURE = "cannot be used in a pure procedure"
NOT_REACHABLE = "corral_assert_not_reachable"


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
        specialise_call: Callable[[ProcedureSymbol, tuple[Type, ...], int], str],
        check_modifies: bool,
    ) -> None:
        self.exprs = expressions
        self.problems = expressions.problems
        self.symbols = expressions.symbols
        self.source = source
        self.owner = owner
        self.parameters = parameters
        self.specialise_call = specialise_call
        self.check_modifies = check_modifies
        self.blocks: list[Block] = []
        self.enclosing: list[_Enclosing] = []
        self._label: str | None = None  # of the block being filled; None after a transfer
        self._block_pos = 0
        self._statements: list[Statement] = []
        self._user_label: str | None = None  # the label that a following `while` or `if` answers to
        self._user_labels: set[str] = set()
        self._taken: set[str] = set()
        self._counter = 0
        self._unassigned: dict[Var, bool] = {}  # the assumption variables, and whether they may still be assigned to

    # --- blocks ----------------------------------------------------------------------------------

    def lower(self, body: s.BodySyntax, assumptions: Sequence[Var] = ()) -> tuple[Block, ...]:
        """The blocks of a body in which some variables start as true."""
        self._taken = self._collect_labels(body.statements)
        self._unassigned = dict.fromkeys(assumptions, True)
        if assumptions:
            start = body.locals[0].pos
            self._open(self._new_label(), start)
            self._statements += [
                Assume(v, (), self.source.origin(start, _made("assumption variable"))) for v in assumptions
            ]
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
                if self._label is None:
                    self._open(self._new_label(), statement.pos)
                handler(statement)
                self._user_label = None  # it labels this statement, not a later one
            else:
                self._control(statement, stack)
        if self._label is not None or not self.blocks:
            if self._label is None:
                self._open(self._new_label(), body.end)
            self._close(Return((), self.source.origin(body.end)))
        return tuple(self.blocks)

    def _collect_labels(self, statements: list[s.StatementSyntax]) -> set[str]:
        found: list[s.LabelSyntax] = []
        stack = [statements]
        while stack:
            for statement in stack.pop():
                if isinstance(statement, s.LabelSyntax):
                    found.append(statement)
                elif isinstance(statement, s.WhileSyntax):
                    stack.append(statement.body)
                elif isinstance(statement, s.IfSyntax):
                    stack += [statement.then, statement.otherwise or []]
        labels = {label.name for label in found}
        if len(labels) < len(found):
            self._refuse_repeated(found)
        self._user_labels = labels
        return set(labels)

    def _refuse_repeated(self, labels: list[s.LabelSyntax]) -> None:
        seen: set[str] = set()
        for label in sorted(labels, key=lambda label: label.pos):
            if label.name in seen:
                self.problems.add(label.pos, f"the label '{label.name}' is already defined")
            seen.add(label.name)

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
                        hint = self.problems.did_you_mean(target.name, sorted(self._user_labels))
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
        if self._label is None:
            self._open(self._new_label(), pos)
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
        # A free invariant does not hide one that is checked, wherever it stands.
        for invariant in sorted(statement.invariants, key=lambda i: i.free):
            place = self.source.origin(invariant.pos, _made("loop invariant"))
            if invariant.free:
                self.symbols.note_id(invariant.attributes)
                condition = self.exprs.condition(invariant.condition, "a loop invariant")
                self._statements.append(Assume(condition, self.exprs.attributes(invariant.attributes), place))
            else:
                self._check(invariant, "a loop invariant", place)
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

    def _simple_handlers(self) -> dict[type, Callable[..., None]]:
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

    def _assume(self, node: s.AssumeSyntax) -> None:
        self.symbols.note_id(node.attributes)
        condition = self.exprs.condition(node.condition, "an assumption")
        attributes = self.exprs.attributes(node.attributes)
        self._statements.append(Assume(condition, attributes, self.source.origin(node.pos)))

    def _assert(self, node: s.AssertSyntax) -> None:
        self._check(node, "an assertion", self.source.origin(node.pos))

    def _check(self, node: s.AssertSyntax | s.InvariantSyntax, what: str, origin: Origin) -> None:
        """What is asserted, and how the rest relies on it (see `attributes.py`)."""
        self.symbols.note_id(node.attributes)
        condition = self.exprs.condition(node.condition, what)
        marked = any(a.name in OF_ASSERTIONS for a in node.attributes)
        kept = [a for a in node.attributes if a.name not in OF_ASSERTIONS] if marked else node.attributes
        assertion = Assert(condition, self.exprs.attributes(kept), origin)
        if not marked:
            self._statements.append(assertion)
            return
        under = verified_under(node.attributes, self.problems)
        if under is not None:
            unless = self.exprs.condition(under, "what an assertion is verified under")
            assertion = replace(assertion, condition=or_(unless, condition))
        if not is_subsumed(node.attributes, condition):
            on, inside = self._new_label(), origin.by(_made(SUBSUMPTION))
            check = self._new_label()
            self._transfer(Goto((check, on), (), inside), node.pos)
            self._open(check, node.pos)
            self._statements += [assertion, Assume(FALSE, (), inside)]
            self._open(on, node.pos)
            return
        self._statements.append(assertion)
        if under is not None:
            self._statements.append(Assume(condition, (), origin.by(_made(VERIFIED_UNDER))))

    def _yield(self, node: s.YieldSyntax) -> None:
        self._statements.append(Yield(self.exprs.attributes(node.attributes), self.source.origin(node.pos)))

    def _variable(self, name: str) -> Var | None:
        return self.exprs.scope.get(name) or self.symbols.variables.get(name)

    def _target(self, pos: int, name: str) -> Var | None:
        """The variable that is assigned to, if it may be."""
        var = self._variable(name)
        if var is None:
            self.symbols.unknown(pos, "identifier", name, [*self.exprs.scope, *self.symbols.variables])
        elif var.scope is Scope.LOCAL:
            if var not in self.parameters:
                return var
            self.problems.add(pos, f"the parameter '{name}' cannot be assigned to")
        elif var.scope is Scope.CONST:
            self.problems.add(pos, f"the constant '{name}' cannot be assigned to")
        elif self.owner.declaration.is_pure:
            self.problems.add(pos, f"the global variable '{name}' {IN_PURE}")
        elif name in self.owner.modifies or not self.check_modifies:
            return var
        else:
            message = f"the procedure '{self.owner.name}' changes the global variable '{name}'"
            self.problems.add(pos, message, f"add 'modifies {name};' to its declaration")
        return None

    def _targets(self, nodes: Sequence[s.Name | s.AssignTarget]) -> tuple[Var, ...] | None:
        """The variables that one statement assigns to, or None if that is not possible."""
        targets = [self._target(n.pos, n.name) for n in nodes]
        if len(nodes) > 1:
            seen: set[str] = set()
            for node in nodes:
                if node.name in seen:
                    self.problems.add(node.pos, f"'{node.name}' is assigned to twice in one statement")
                seen.add(node.name)
        found = tuple([t for t in targets if t is not None])
        return found if len(found) == len(targets) else None

    def _final(self, targets: tuple[Var, ...]) -> tuple[Var, ...]:
        """The variables with the types that they have in the program."""
        if not self.symbols.polymorphic:
            return targets
        return tuple(t for t in (self.exprs.finish(var, 0) for var in targets) if isinstance(t, Var))

    def _assign(self, node: s.AssignSyntax) -> None:
        if len(node.targets) != len(node.values):
            targets_text = f"{len(node.targets)} target{'s are' if len(node.targets) != 1 else ' is'}"
            message = f"{targets_text} assigned {len(node.values)} value{'s' * (len(node.values) != 1)}"
            self.problems.add(node.pos, message)
            return
        targets = self._targets(node.targets)
        values: list[Expr] = []
        for target, value in zip(node.targets, node.values, strict=True):
            var = self._variable(target.name)
            if var is None:
                self.exprs.check(value)
            elif target.steps:
                values.append(self.exprs.check_update(var, target, value))
            else:
                values.append(self.exprs.check(value, var.type, f"the value of '{target.name}'"))
        if targets is None:
            return
        for target, var, assigned in zip(node.targets, targets, values, strict=True):
            if var in self._unassigned:
                self._assign_assumption(target, var, assigned)
        attributes = self.exprs.attributes(node.attributes)
        origin = self.source.origin(node.targets[0].pos)
        self._statements.append(Assign(self._final(targets), tuple(values), attributes, origin))

    def _assign_assumption(self, target: s.AssignTarget, var: Var, value: Expr) -> None:
        """Assumption variables only become weaker, and once."""
        match value:
            case App(Op.AND, (first, _)) if first is var:
                if not self._unassigned[var]:
                    message = f"the assumption variable '{target.name}' may be assigned to only once"
                    self.problems.add(target.pos, message)
                self._unassigned[var] = False
            case _:
                message = f"the assumption variable '{target.name}' may be assigned only '{target.name} && …'"
                self.problems.add(target.pos, message)

    def _unpack(self, node: s.UnpackSyntax) -> None:
        """`C(x, y) := e` asserts that e is a C and takes it apart."""
        symbol = self.symbols.functions.get(node.constructor)
        if symbol is None or not isinstance(symbol.declaration, s.ConstructorSyntax):
            known = [f.name for f in self.symbols.functions.values() if f.is_constructor]
            message = f"'{node.constructor}' is not a constructor"
            self.problems.add(node.pos, message, self.problems.did_you_mean(node.constructor, known))
            return
        fields = symbol.declaration.fields
        if len(fields) != len(node.targets):
            count = f"{len(fields)} field{'s' * (len(fields) != 1)}"
            self.problems.add(node.pos, f"the constructor '{node.constructor}' has {count}, not {len(node.targets)}")
            return
        targets = self._targets(node.targets)
        (value,) = self.exprs.check_all([node.value])
        inference = self.exprs.inference
        binding = {p: inference.fresh() for p in symbol.type_params}
        if not inference.unify(value.type, substitute_type(symbol.result, binding)):
            message = f"the value must be built with '{node.constructor}', but is {inference.shown(value.type)}"
            self.problems.add(node.value.pos, message)
            return
        if targets is None:
            return
        values: list[Expr] = []
        for field, name, var, type_ in zip(fields, node.targets, targets, symbol.params, strict=True):
            part = App(GetField(field.name), (value,), substitute_type(type_, binding))
            if not inference.unify(part.type, var.type):
                field_type, type_text = inference.shown(part.type), inference.shown(var.type)
                message = f"the field '{field.name}' is {field_type}, but '{name.name}' is {type_text}"
                self.problems.add(name.pos, message)
            values.append(part)
        finish, origin = self.exprs.finish, self.source.origin(node.pos)
        tester = finish(App(Is(node.constructor), (value,), BOOL), node.pos)
        unpacked = tuple([finish(v, node.pos) for v in values])
        final = self._final(targets)
        attributes = self.exprs.attributes(node.attributes)
        self._statements += [
            Assert(tester, (), origin.by(_made("unpack"))),
            Assign(final, unpacked, attributes, origin),
        ]

    def _havoc(self, node: s.HavocSyntax) -> None:
        once: dict[str, s.Name] = {}  # naming a variable twice is no mistake here
        for name in node.targets:
            once.setdefault(name.name, name)
        targets = self._targets(list(once.values()))
        if targets is not None:
            self._statements.append(Havoc(self._final(targets), self.source.origin(node.pos)))

    def _call_statement(self, node: s.CallSyntax) -> None:
        call = self._call(node)
        if call is not None and self._is_failure(call):
            self._statements.append(Assert(FALSE, call.attributes, call.origin))
        elif call is not None:
            self._statements.append(call)

    def _is_failure(self, call: Call) -> bool:
        """Whether a call says, as for Corral, that it is not reached."""
        return call.procedure == NOT_REACHABLE and not self.symbols.procedures[NOT_REACHABLE].implementations

    def _par(self, node: s.ParSyntax) -> None:
        calls = [self._call(call) for call in node.calls]
        self._targets([result for call in node.calls for result in call.results])
        found = tuple([c for c in calls if c is not None and not self._is_failure(c)])
        failing = (c for c in calls if c is not None and self._is_failure(c))
        self._statements += (Assert(FALSE, c.attributes, c.origin) for c in failing)
        if not found:
            return
        self._statements.append(found[0] if len(found) == 1 else ParCall(found, self.source.origin(node.pos)))

    def _call(self, node: s.CallSyntax) -> Call | None:
        self.symbols.note_id(node.attributes)
        callee = self.symbols.procedure(node.name_pos, node.procedure)
        args = self.exprs.check_all(node.args)
        results = self._targets(node.results)
        if callee is None or not self._counts_fit(node, callee):
            return None
        inference = self.exprs.inference
        binding = {p: inference.fresh() for p in callee.type_params}
        fits = results is not None
        for syntax, arg, param in zip(node.args, args, callee.params, strict=True):
            wanted = substitute_type(param, binding) if binding else param
            if arg.type is not wanted and not inference.unify(arg.type, wanted):
                must, found = inference.shown(wanted), inference.shown(arg.type)
                self.problems.add(syntax.pos, f"this argument of '{callee.name}' must be {must}, but is {found}")
                fits = False
        for name, var, type_ in zip(node.results, results or (), callee.results, strict=False):
            given = substitute_type(type_, binding) if binding else type_
            if var.type is not given and not inference.unify(var.type, given):
                have, found = inference.shown(var.type), inference.shown(given)
                message = f"'{name.name}' is {have}, but this result of '{callee.name}' is {found}"
                self.problems.add(name.pos, message)
                fits = False
        self._check_effects(node, callee)
        if not fits or results is None:
            return None
        finish = self.exprs.finish
        final_args = tuple([finish(a, n.pos) for a, n in zip(args, node.args, strict=True)])
        final_results = self._final(results)
        type_args = tuple([inference.final(t) for t in binding.values()])
        name_ = self.specialise_call(callee, type_args, node.name_pos) if type_args else callee.name
        attributes = self.exprs.attributes(node.attributes)
        origin = self.source.origin(node.pos)
        return Call(name_, final_args, final_results, node.free, node.asynchronous, attributes, origin)

    def _counts_fit(self, node: s.CallSyntax, callee: ProcedureSymbol) -> bool:
        if node.asynchronous and node.results:
            self.problems.add(node.results[0].pos, "an asynchronous call has no results")
            return False
        counts = [("argument", len(node.args), len(callee.params))]
        if not node.asynchronous:
            counts.append(("result", len(node.results), len(callee.results)))
        for what, given, declared in counts:
            if given != declared:
                wanted = f"{declared} {what}{'s' * (declared != 1)}"
                self.problems.add(node.name_pos, f"the procedure '{callee.name}' has {wanted}, not {given}")
                return False
        return True

    def _check_effects(self, node: s.CallSyntax, callee: ProcedureSymbol) -> None:
        if self.owner.declaration.is_pure and not callee.declaration.is_pure:
            self.problems.add(node.name_pos, f"the procedure '{callee.name}' is not pure, so it {IN_PURE}")
            return
        if not self.check_modifies or callee.modifies.keys() <= self.owner.modifies.keys():
            return
        missing = [name for name in callee.modifies if name not in self.owner.modifies]
        names = ", ".join(missing)
        message = f"the call of '{callee.name}' may change {names}, which '{self.owner.name}' may not"
        self.problems.add(node.name_pos, message, f"add 'modifies {names};' to the declaration of '{self.owner.name}'")


def _made(what: str) -> Made:
    """The provenance of what a statement means besides what it says."""
    return Made("boogie", Role.CHECK, what)
