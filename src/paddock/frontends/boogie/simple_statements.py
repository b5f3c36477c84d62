"""Statements that are no control flow: each becomes one or a few of the open block."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.attributes import OF_ASSERTIONS, SUBSUMPTION, VERIFIED_UNDER, is_subsumed, verified_under
from paddock.frontends.boogie.block_writer import BlockWriter
from paddock.frontends.boogie.calls import Calls
from paddock.frontends.boogie.expressions import Expressions
from paddock.frontends.boogie.targets import Targets
from paddock.frontends.boogie.types import substitute_type
from paddock.frontends.source import Source
from paddock.frozen import replace
from paddock.ir.build import FALSE, or_
from paddock.ir.expr import App, Expr, GetField, Is, Op, Var
from paddock.ir.origin import Made, Origin, Role
from paddock.ir.stmt import Assert, Assign, Assume, Goto, Havoc, ParCall, Yield
from paddock.ir.types import BOOL


class SimpleStatements:
    """Writes the simple statements of one body."""

    def __init__(
        self, expressions: Expressions, source: Source, writer: BlockWriter, targets: Targets, calls: Calls
    ) -> None:
        self._exprs = expressions
        self._symbols = expressions.symbols
        self._problems = expressions.problems
        self._source = source
        self._writer = writer
        self._targets = targets
        self._calls = calls
        self.unassigned: dict[Var, bool] = {}  # the assumption variables, and whether they may still be assigned to

    def handlers(self) -> dict[type, Callable[..., None]]:
        """What writes statements, by the kinds of their nodes."""
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
        self._symbols.note_id(node.attributes)
        condition = self._exprs.condition(node.condition, "an assumption")
        attributes = self._exprs.attributes(node.attributes)
        self._writer.statements.append(Assume(condition, attributes, self._source.origin(node.pos)))

    def _assert(self, node: s.AssertSyntax) -> None:
        self.check(node, "an assertion", self._source.origin(node.pos))

    def check(self, node: s.AssertSyntax | s.InvariantSyntax, what: str, origin: Origin) -> None:
        """What is asserted, and how the rest relies on it (see `attributes.py`)."""
        self._symbols.note_id(node.attributes)
        condition = self._exprs.condition(node.condition, what)
        marked = any(a.name in OF_ASSERTIONS for a in node.attributes)
        kept = [a for a in node.attributes if a.name not in OF_ASSERTIONS] if marked else node.attributes
        assertion = Assert(condition, self._exprs.attributes(kept), origin)
        if not marked:
            self._writer.statements.append(assertion)
            return
        under = verified_under(node.attributes, self._problems)
        if under is not None:
            unless = self._exprs.condition(under, "what an assertion is verified under")
            assertion = replace(assertion, condition=or_(unless, condition))
        if not is_subsumed(node.attributes, condition):
            on, inside = self._writer.new_label(), origin.by(made(SUBSUMPTION))
            check = self._writer.new_label()
            self._writer.transfer(Goto((check, on), (), inside), node.pos)
            self._writer.open(check, node.pos)
            self._writer.statements += [assertion, Assume(FALSE, (), inside)]
            self._writer.open(on, node.pos)
            return
        self._writer.statements.append(assertion)
        if under is not None:
            self._writer.statements.append(Assume(condition, (), origin.by(made(VERIFIED_UNDER))))

    def _yield(self, node: s.YieldSyntax) -> None:
        self._writer.statements.append(Yield(self._exprs.attributes(node.attributes), self._source.origin(node.pos)))

    def _assign(self, node: s.AssignSyntax) -> None:
        if len(node.targets) != len(node.values):
            targets_text = f"{len(node.targets)} target{'s are' if len(node.targets) != 1 else ' is'}"
            message = f"{targets_text} assigned {len(node.values)} value{'s' * (len(node.values) != 1)}"
            self._problems.add(node.pos, message)
            return
        targets = self._targets.all_of(node.targets)
        values: list[Expr] = []
        for target, value in zip(node.targets, node.values, strict=True):
            var = self._targets.variable(target.name)
            if var is None:
                self._exprs.check(value)
            elif target.steps:
                values.append(self._exprs.check_update(var, target, value))
            else:
                values.append(self._exprs.check(value, var.type, f"the value of '{target.name}'"))
        if targets is None:
            return
        for target, var, assigned in zip(node.targets, targets, values, strict=True):
            if var in self.unassigned:
                self._assign_assumption(target, var, assigned)
        attributes = self._exprs.attributes(node.attributes)
        origin = self._source.origin(node.targets[0].pos)
        self._writer.statements.append(Assign(self._targets.final(targets), tuple(values), attributes, origin))

    def _assign_assumption(self, target: s.AssignTarget, var: Var, value: Expr) -> None:
        """Assumption variables only become weaker, and once."""
        match value:
            case App(Op.AND, (first, _)) if first is var:
                if not self.unassigned[var]:
                    message = f"the assumption variable '{target.name}' may be assigned to only once"
                    self._problems.add(target.pos, message)
                self.unassigned[var] = False
            case _:
                message = f"the assumption variable '{target.name}' may be assigned only '{target.name} && …'"
                self._problems.add(target.pos, message)

    def _unpack(self, node: s.UnpackSyntax) -> None:
        """`C(x, y) := e` asserts that e is a C and takes it apart."""
        symbol = self._symbols.functions.get(node.constructor)
        if symbol is None or not isinstance(symbol.declaration, s.ConstructorSyntax):
            known = [f.name for f in self._symbols.functions.values() if f.is_constructor]
            message = f"'{node.constructor}' is not a constructor"
            self._problems.add(node.pos, message, self._problems.did_you_mean(node.constructor, known))
            return
        fields = symbol.declaration.fields
        if len(fields) != len(node.targets):
            count = f"{len(fields)} field{'s' * (len(fields) != 1)}"
            self._problems.add(node.pos, f"the constructor '{node.constructor}' has {count}, not {len(node.targets)}")
            return
        targets = self._targets.all_of(node.targets)
        (value,) = self._exprs.check_all([node.value])
        inference = self._exprs.at.inference
        binding = {p: inference.fresh() for p in symbol.type_params}
        if not inference.unify(value.type, substitute_type(symbol.result, binding)):
            message = f"the value must be built with '{node.constructor}', but is {inference.shown(value.type)}"
            self._problems.add(node.value.pos, message)
            return
        if targets is None:
            return
        values: list[Expr] = []
        for field, name, var, type_ in zip(fields, node.targets, targets, symbol.params, strict=True):
            part = App(GetField(field.name), (value,), substitute_type(type_, binding))
            if not inference.unify(part.type, var.type):
                field_type, type_text = inference.shown(part.type), inference.shown(var.type)
                message = f"the field '{field.name}' is {field_type}, but '{name.name}' is {type_text}"
                self._problems.add(name.pos, message)
            values.append(part)
        finish, origin = self._exprs.finish, self._source.origin(node.pos)
        tester = finish(App(Is(node.constructor), (value,), BOOL), node.pos)
        unpacked = tuple([finish(v, node.pos) for v in values])
        final = self._targets.final(targets)
        attributes = self._exprs.attributes(node.attributes)
        self._writer.statements += [
            Assert(tester, (), origin.by(made("unpack"))),
            Assign(final, unpacked, attributes, origin),
        ]

    def _havoc(self, node: s.HavocSyntax) -> None:
        once: dict[str, s.Name] = {}  # naming a variable twice is no mistake here
        for name in node.targets:
            once.setdefault(name.name, name)
        targets = self._targets.all_of(list(once.values()))
        if targets is not None:
            self._writer.statements.append(Havoc(self._targets.final(targets), self._source.origin(node.pos)))

    def _call_statement(self, node: s.CallSyntax) -> None:
        call = self._calls.call(node)
        if call is not None and self._calls.is_failure(call):
            self._writer.statements.append(Assert(FALSE, call.attributes, call.origin))
        elif call is not None:
            self._writer.statements.append(call)

    def _par(self, node: s.ParSyntax) -> None:
        calls = [self._calls.call(call) for call in node.calls]
        self._targets.all_of([result for call in node.calls for result in call.results])
        found = tuple([c for c in calls if c is not None and not self._calls.is_failure(c)])
        failing = (c for c in calls if c is not None and self._calls.is_failure(c))
        self._writer.statements += (Assert(FALSE, c.attributes, c.origin) for c in failing)
        if not found:
            return
        self._writer.statements.append(found[0] if len(found) == 1 else ParCall(found, self._source.origin(node.pos)))


def made(what: str) -> Made:
    """The provenance of what a statement means besides what it says."""
    return Made("boogie", Role.CHECK, what)
