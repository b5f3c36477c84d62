"""Calls of assertion wrappers, procedures that do nothing but assert something of their parameters, become assertions.

    procedure check(b: bool)                 procedure check(b: bool)
    {                                        {
      if (!b) { call error(); }                if (!b) { call error(); }
    }                                        }
    procedure error() { assert false; }      procedure error() { assert false; }
    procedure main(x: int)                   procedure main(x: int)
    {                                        {
      call check(x > 0);                       assert x > 0;
      call check(x < 9);                       assert x < 9;
    }                                        }

So each call is an assertion of its own, at the place of the call, as its author thinks of it. A procedure is a wrapper
if all its executions are known from its text: there are few paths and no loops, branches are on complementary
conditions, and what is called is a wrapper or reports errors. On a path that returns, no global has changed, nothing
has come from outside, and each result is a constant or a parameter. An assertion that is reached on a path with the
condition `c` and asserts `e` is `c ==> e`, over the values of the parameters and globals at the call: it fails at the
call if and only if it failed in the procedure. Several are asserted in an order in which the procedure can reach them,
so that the first one that fails is the same; afterwards, both programs go on in the same state. What happens on a path
that ends in a failure, such as printing a message, does not matter. But where assertions are judged as if the others
were not there, executions go on behind a failure: then a wrapper ends there, or it returns as it always does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from paddock.frozen import field, frozen, mutable, replace
from paddock.ir.build import FALSE, TRUE, and_, implies, not_, or_
from paddock.ir.callgraph import CallGraph
from paddock.ir.expr import App, Attribute, Attributes, Binder, Expr, Let, Lit, Op, Scope, Var
from paddock.ir.graph import reverse_postorder
from paddock.ir.origin import Origin
from paddock.ir.program import Implementation, Procedure, Program, find_attribute
from paddock.ir.rewriting import without_capture
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Statement
from paddock.ir.types import BOOL, INT, Bv
from paddock.ir.walk import rewrite, substitute, subterms, variables
from paddock.passes.check_specs import where_of

MOST_BLOCKS = 32
MOST_STATEMENTS = 64
MOST_PATHS = 16
MOST_CLAIMS = 4
USER_ROLES = ("", "unreach")  # of assertions that a user writes


@frozen
class Claim:
    """What a procedure asserts, over its parameters and the globals before the call, by an assertion of its text."""

    condition: Expr
    assertion: Assert


@frozen
class Summary:
    """All that a procedure does: what it assumes of its parameters, what it asserts, in this order, and its results if
    it returns."""

    params: tuple[Var, ...]
    assumed: tuple[Expr, ...]
    claims: tuple[Claim, ...]
    results: tuple[Expr, ...] | None

    @property
    def is_wrapper(self) -> bool:
        """Whether it asserts something of its parameters, and nothing else."""
        about = [variables(claim.condition) for claim in self.claims]
        return bool(about) and self.results is not None and all(not a.isdisjoint(self.params) for a in about)


def assertion_wrappers(program: Program) -> Program:
    """The program with assertions in place of calls of wrappers; the same object if there is no such call."""
    return _without_wrappers(program, summarised(program))


def independent_wrappers(program: Program) -> Program:
    """Calls of assertion wrappers as assertions, for executions that go on behind a failure."""
    return _without_wrappers(program, summarised(program, goes_on=True))


def _without_wrappers(program: Program, summaries: Mapping[str, Summary]) -> Program:
    wrappers = {name: summary for name, summary in summaries.items() if summary.is_wrapper}
    if not wrappers:
        return program
    procedures = tuple(_with_assertions(p, wrappers) for p in program.procedures)
    if all(new is old for new, old in zip(procedures, program.procedures, strict=True)):
        return program
    # Globals that wrappers mention may come under locals of callers.
    return without_capture(replace(program, procedures=procedures))


def summarised(program: Program, goes_on: bool = False) -> dict[str, Summary]:
    """What procedures do, where that is known; if an execution `goes_on`, also behind a failure."""
    summaries: dict[str, Summary] = {}
    graph = CallGraph(program)
    for component in graph.components:  # callees first
        procedure = program.procedure_named[component[0]]
        if len(component) == 1 and procedure.name not in graph.callees[procedure.name]:
            summary = _summary(program, procedure, summaries, goes_on)
            if summary is not None:
                summaries[procedure.name] = summary
    return summaries


# --- at calls ------------------------------------------------------------------------------------------------


def _with_assertions(procedure: Procedure, wrappers: Mapping[str, Summary]) -> Procedure:
    def statements(block: Block) -> Iterator[Statement]:
        for statement in block.statements:
            if isinstance(statement, Call) and statement.procedure in wrappers and not statement.asynchronous:
                yield from _at_call(statement, wrappers[statement.procedure])
            else:
                yield statement

    def with_blocks(body: Implementation) -> Implementation:
        return replace(body, blocks=tuple(replace(b, statements=tuple(statements(b))) for b in body.blocks))

    calls = (s for i in procedure.implementations for b in i.blocks for s in b.statements if isinstance(s, Call))
    if not any(call.procedure in wrappers and not call.asynchronous for call in calls):
        return procedure
    return replace(procedure, implementations=tuple(map(with_blocks, procedure.implementations)))


def _at_call(call: Call, wrapper: Summary) -> Iterator[Statement]:
    """The assertions that stand for a call, and its results."""
    actual = dict(zip(wrapper.params, call.args, strict=True))
    for condition in wrapper.assumed:
        yield Assume(
            _instance(condition, actual),
            origin=call.origin.by(where_of(call.procedure)),
        )
    for claim in wrapper.claims:
        inner = claim.assertion.origin
        which = call.origin.identity(inner.identity().role, inner.identity())
        place = Origin(which.file, which.line, which.column, inner.provenance, call.origin.note, which.nth, which)
        yield Assert(_instance(claim.condition, actual), _described(claim, wrapper.params, call), place)
    if call.results:
        assert wrapper.results is not None
        values = tuple(substitute(value, actual) for value in wrapper.results)
        yield Assign(call.results, values, origin=call.origin)


def _described(claim: Claim, params: Sequence[Var], call: Call) -> Attributes:
    """The attributes of an assertion at a call. Where a front end tells how the arguments are written, the message is
    the one that decides, or else the whole call."""
    attributes, written = claim.assertion.attributes, find_attribute(call.attributes, "arguments")
    if written is None or len(written.params) != len(params) or find_attribute(attributes, "msg") is None:
        return attributes
    about = variables(claim.condition)
    deciding = [str(text) for var, text in zip(params, written.params, strict=True) if var in about]
    match claim.condition:
        case Var() | App(Op.NE, (Var(), Lit())) if len(deciding) == 1 and len(about) == 1:
            message = deciding[0]
        case _:
            message = f"{call.procedure}({', '.join(map(str, written.params))})"
    return tuple(Attribute("msg", (message,)) if a.name == "msg" else a for a in attributes)


# --- what a procedure does -----------------------------------------------------------------------------------


class _NotKnown(Exception):
    """What a procedure does is not known."""


def _summary(program: Program, procedure: Procedure, known: Mapping[str, Summary], goes_on: bool) -> Summary | None:
    """What a procedure does, given what those do that it calls."""
    if len(procedure.implementations) != 1 or procedure.requires or procedure.ensures:
        return None
    body = procedure.implementations[0]
    if len(body.blocks) > MOST_BLOCKS or sum(len(b.statements) for b in body.blocks) > MOST_STATEMENTS:
        return None
    if any(d.where is not None and not _is_range(d.where, d.var) for d in (*procedure.results, *body.locals)):
        return None  # nothing may satisfy it
    try:
        return _Execution(program, procedure, body, known, goes_on).summary()
    except _NotKnown:
        return None


@mutable
class _Path:
    """A path through a procedure: the blocks that it has been in, the values of variables that are not what they were
    (none if it is not known which), the conditions of its branches, whether something comes from outside, and whether
    it goes on behind a failure."""

    visited: tuple[str, ...]
    values: dict[Var, Expr | None]
    conditions: tuple[Expr, ...] = ()
    has_inputs: bool = False
    has_failed: bool = False


@mutable
class _Found:
    """An assertion on the paths on which it is reached."""

    assertion: Assert
    conditions: list[Expr] = field(default_factory=list)


class _Execution:
    """All paths through the body of a procedure."""

    def __init__(
        self,
        program: Program,
        procedure: Procedure,
        body: Implementation,
        known: Mapping[str, Summary],
        goes_on: bool,
    ) -> None:
        self._program, self._procedure, self._known, self._goes_on = program, procedure, known, goes_on
        self._blocks = {b.label: b for b in body.blocks}
        self._entry = body.blocks[0].label
        unset = (*procedure.results, *body.locals)
        self._start: dict[Var, Expr | None] = {d.var: None for d in unset}
        self._assumed = tuple(d.where for d in procedure.params if d.where is not None)
        self._found: dict[tuple[str, int, int], _Found] = {}  # by where it is
        self._results: tuple[Expr, ...] | None = None

    def summary(self) -> Summary:
        params = tuple(d.var for d in self._procedure.params)
        paths = [_Path((self._entry,), dict(self._start))]
        explored = 0
        while paths:
            explored += 1
            if explored > MOST_PATHS * MOST_BLOCKS:
                raise _NotKnown
            paths += self._continued(paths.pop())
            if len(paths) > MOST_PATHS:
                raise _NotKnown
        order = reverse_postorder({b.label: list(b.successors) for b in self._blocks.values()}, self._entry)
        position = {label: n for n, label in enumerate(order)}
        found = sorted(self._found.items(), key=lambda item: (position[item[0][0]], *item[0][1:]))
        if len(found) > MOST_CLAIMS:
            raise _NotKnown
        claims = tuple(Claim(and_(*f.conditions), f.assertion) for _, f in found)
        return Summary(params, self._assumed, claims, self._results)

    def _continued(self, path: _Path) -> list[_Path]:
        """The paths that go on behind the last block of a path, which is run."""
        block = self._blocks[path.visited[-1]]
        # The condition of the branch that led here is known already.
        skipped = 1 if path.conditions and len(path.visited) > 1 and self._is_branch(path.visited[-2]) else 0
        for index, statement in enumerate(block.statements[skipped:], skipped):
            if not self._step(path, (block.label, index), statement):
                return []
        match block.transfer:
            case Goto((target,)):
                return [self._into(path, target)]
            case Goto((left, right)):
                return self._branches(path, left, right)
            case Goto():
                raise _NotKnown
            case _:
                self._returned(path)
                return []

    def _is_branch(self, label: str) -> bool:
        return len(self._blocks[label].successors) == 2

    def _into(self, path: _Path, label: str, *conditions: Expr) -> _Path:
        if label in path.visited:
            raise _NotKnown
        conditions = (*path.conditions, *conditions)
        return replace(path, visited=(*path.visited, label), values=dict(path.values), conditions=conditions)

    def _branches(self, path: _Path, left: str, right: str) -> list[_Path]:
        conditions = []
        for label in (left, right):
            match self._blocks[label].statements:
                case (Assume(condition), *_):
                    conditions.append(self._value(path, condition))
                case _:
                    raise _NotKnown
        first, second = conditions
        if first is not _negated(second) and second is not _negated(first):
            raise _NotKnown
        return [self._into(path, right, second), self._into(path, left, first)]

    def _step(self, path: _Path, place: tuple[str, int], statement: Statement) -> bool:
        """Run a statement; whether the path goes on behind it."""
        match statement:
            case Assert():
                condition = self._value(path, statement.condition)
                return self._claimed((*place, 0), statement, path, condition)
            case Assume(condition) if self._value(path, condition) is TRUE:
                return True
            case Assume(condition) if path.has_failed and self._value(path, condition) is FALSE:
                return False
            case Assign(targets, values):
                path.values.update(zip(targets, [self._maybe(path, value) for value in values], strict=True))
                return True
            case Havoc(targets):
                path.values.update(dict.fromkeys(targets))
                path.has_inputs = True
                return True
            case Call(asynchronous=False):
                return self._call(path, place, statement)
            case _:
                raise _NotKnown

    def _call(self, path: _Path, place: tuple[str, int], call: Call) -> bool:
        callee = self._program.procedure_named[call.procedure]
        summary = self._known.get(call.procedure)
        if summary is None:
            # One without a body may do anything to what it modifies, and give any result.
            if callee.implementations or callee.requires or callee.ensures or any(d.where for d in callee.results):
                raise _NotKnown
            path.values.update(dict.fromkeys((*callee.modifies, *call.results)))
            path.has_inputs = True
            return True
        actual: dict[Var, Expr] = {}
        for param, arg in zip(summary.params, call.args, strict=True):
            value = self._maybe(path, arg)
            if value is not None:
                actual[param] = value
        for assumption in summary.assumed:
            if self._at_call(path, summary, assumption, actual) not in (TRUE, *self._assumed):
                raise _NotKnown
        for n, claim in enumerate(summary.claims):
            condition = self._at_call(path, summary, claim.condition, actual)
            if not self._claimed((*place, n), claim.assertion, path, condition):
                return False
        if summary.results is None:
            raise _NotKnown
        for result, value in zip(call.results, summary.results, strict=True):
            path.values[result] = _instance(value, actual) if variables(value) <= actual.keys() else None
        return True

    def _at_call(self, path: _Path, summary: Summary, condition: Expr, actual: Mapping[Var, Expr]) -> Expr:
        """A condition of a summary at a call, over parameters and globals at the start of the caller."""
        mentioned = variables(condition)
        if any(param in mentioned and param not in actual for param in summary.params):
            raise _NotKnown
        if any(var.scope is Scope.GLOBAL and var in path.values for var in mentioned):
            raise _NotKnown
        return _instance(condition, actual)

    def _claimed(self, place: tuple[str, int, int], assertion: Assert, path: _Path, condition: Expr) -> bool:
        """Note what is asserted; whether the path goes on behind it."""
        if assertion.origin.identity().role not in USER_ROLES:
            raise _NotKnown
        found = self._found.setdefault(place, _Found(assertion))
        found.conditions.append(_implied(path.conditions, condition))
        path.has_failed |= condition is FALSE
        return self._goes_on or not path.has_failed

    def _returned(self, path: _Path) -> None:
        changed = [var for var, value in path.values.items() if var.scope is Scope.GLOBAL and value is not var]
        results = [path.values[d.var] for d in self._procedure.results]
        params = {d.var for d in self._procedure.params}
        if (
            (path.has_inputs and not path.has_failed)
            or changed
            or not all(_is_passed_on(value, params) for value in results)
        ):
            raise _NotKnown
        given = tuple(value for value in results if value is not None)
        if self._results not in (None, given):
            raise _NotKnown
        self._results = given

    def _value(self, path: _Path, expr: Expr) -> Expr:
        value = self._maybe(path, expr)
        if value is None:
            raise _NotKnown
        return value

    def _maybe(self, path: _Path, expr: Expr) -> Expr | None:
        """The value of an expression over parameters and globals at the start, if it is known."""
        values = {var: path.values[var] for var in variables(expr) if var in path.values}
        if any(isinstance(node, App) and node.op is Op.OLD for node in subterms([expr])):
            return None
        known = {var: value for var, value in values.items() if value is not None}
        return _instance(expr, known) if len(known) == len(values) else None


# --- conditions ----------------------------------------------------------------------------------------------


def _is_range(where: Expr, var: Var) -> bool:
    """Whether a condition is `low <= var && var <= high`, for numbers of which the first is not the greater one."""
    match where:
        case App(Op.AND, (App(Op.LE, (low, left)), App(Op.LE, (right, high)))) if left is var and right is var:
            least, greatest = _number(low), _number(high)
            return least is not None and greatest is not None and least <= greatest
        case _:
            return False


def _number(expr: Expr) -> int | None:
    match expr:
        case Lit(int(value)):
            return value
        case App(Op.NEG, (Lit(int(value)),)):
            return -value
        case _:
            return None


def _is_passed_on(value: Expr | None, params: Collection[Var]) -> bool:
    """Whether a result is a constant, a parameter, or the number that stands for the truth of one."""
    match value:
        case App(Op.ITE, (condition, Lit(), Lit())):
            return condition in params
        case _:
            return isinstance(value, Lit) or value in params


def _implied(conditions: Sequence[Expr], condition: Expr) -> Expr:
    if condition is FALSE:
        return or_(*map(_negated, conditions))
    return implies(and_(*conditions), condition) if conditions else condition


def _negated(condition: Expr) -> Expr:
    match condition:
        case App(Op.NOT, (inner,)):
            return inner
        case App(Op.EQ, args):
            return App(Op.NE, args, BOOL)
        case App(Op.NE, args):
            return App(Op.EQ, args, BOOL)
        case _:
            return not_(condition)


def _instance(expr: Expr, values: Mapping[Var, Expr]) -> Expr:
    """An expression with values for variables. A truth value that C makes a number, `(if b then 1 else 0) != 0`, is
    that truth value again."""
    if any(isinstance(node, Binder | Let) for node in subterms([expr])):
        return substitute(expr, values)
    return rewrite(expr, _replacing(values))


def _replacing(values: Mapping[Var, Expr]) -> Callable[[Expr], Expr]:
    def replaced(node: Expr) -> Expr:
        match node:
            case Var():
                return values.get(node, node)
            case App(
                Op.EQ | Op.NE as op, (App(Op.ITE, (condition, Lit() as then, Lit() as other)), Lit() as number)
            ) if isinstance(number.type, Bv) or number.type is INT:
                holds = [(value is number) == (op is Op.EQ) for value in (then, other)]
                if holds[0] == holds[1]:
                    return TRUE if holds[0] else FALSE
                return condition if holds[0] else _negated(condition)
            case App(Op.NOT, (App(Op.NOT, (inner,)),)):
                return inner
            case _:
                return node

    return replaced


@frozen
class AssertionWrappers:
    """The pass `assertion-wrappers`."""

    independent: bool = False
    name: ClassVar[str] = "assertion-wrappers"
    summary: ClassVar[str] = "calls of procedures that only assert their parameters as assertions"

    def __call__(self, program: Program) -> Program:
        return independent_wrappers(program) if self.independent else assertion_wrappers(program)
