"""Unwinds a program: calls inlined up to the bound, variables assigned once (assertion-implications paper, §2).

The program is one that the engines search, but still with its assertions: contracts are spelled out and loops are
procedures that call themselves. Activations are kept on an explicit stack: a loop may be unwound as often as one likes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from paddock.engines.implications.control import Control
from paddock.engines.implications.ussa import Instruction, Step, Ussa
from paddock.engines.inlining.bounds import Bounds
from paddock.frozen import field, mutable
from paddock.ir.build import FALSE, TRUE, and_, ite, not_, or_
from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Expr, Lit, Op, Scope, Var
from paddock.ir.modref import mod_ref
from paddock.ir.names import FreshNames
from paddock.ir.origin import Origin
from paddock.ir.program import Clause, Procedure, Program, find_attribute, local_var
from paddock.ir.rewriting import variables_in, with_snapshots
from paddock.ir.stmt import Assert, Assign, Assume, Call, Havoc, Statement
from paddock.ir.types import BOOL
from paddock.ir.walk import substitute, variables
from paddock.vc.passive import Interface, PassiveProcedure, interface

MOST_STEPS = 100_000

State = dict[Var, Expr]
Values = Callable[[Var], Expr]


class TooManySteps(Exception):
    """The unwound program would have more than `MOST_STEPS` instructions."""


def unwound(program: Program, bounds: Bounds) -> Ussa:
    """The unwound form of a prepared program. Raises `TooManySteps`."""
    unwinding = _Unwinding(program, bounds)
    unwinding.run(entry_name(program))
    return Ussa(program, tuple(unwinding.output.steps), tuple(unwinding.cut))


@mutable
class _Activation:
    """A procedure while it is unwound: the blocks before `at` in the order are done. `ends` and `guards` are by block,
    `parents` has the guard and the condition that a block's guard is made of, `conditions` those of branches."""

    control: Control
    guard: Expr
    entry: State
    at: int = 0
    statement: int = 0
    state: State = field(default_factory=dict)
    ends: dict[int, State] = field(default_factory=dict)
    guards: dict[int, Expr] = field(default_factory=dict)
    parents: dict[int, tuple[Expr, Expr]] = field(default_factory=dict)
    conditions: dict[int, tuple[Expr, ...]] = field(default_factory=dict)
    initial: State = field(default_factory=dict)  # of locals that are read before they are assigned to

    @property
    def procedure(self) -> Procedure:
        return self.control.passive.procedure

    @property
    def block(self) -> int:
        return self.control.order[self.at]

    @property
    def index(self) -> int:
        """Where the statement that is next is in its block."""
        return self.statement - 1 + self.control.first_statement(self.block)

    def edge(self, start: int, end: int) -> tuple[Expr, Expr]:
        """What guards the block at the start of a jump, and the condition under which it is taken there."""
        condition: Expr = TRUE
        if start in self.conditions:
            targets = self.control.branchings[start].targets
            condition = self.conditions[start][targets.index(end)]
        return self.guards[start], condition

    def sides(self, n: int, before: Sequence[int]) -> list[Expr] | None:
        """The conditions of the branches that lead to where two branches meet, if each leads there in one way."""
        control, branching = self.control, self.control.guarded_as[n]
        if branching not in self.conditions:
            return None
        targets = control.branchings[branching].targets
        sides = [targets.index(n) if p == branching else control.side(p, branching) for p in before]
        if None in sides or len(set(sides)) < len(sides):
            return None
        return [self.conditions[branching][side] for side in sides if side is not None]


class _Output:
    """The instructions so far, each variable assigned once: what is assigned to is a new version of it."""

    def __init__(self, program: Program) -> None:
        taken = {v.name for p in program.procedures for v in variables_in(p)}
        self._fresh = FreshNames(taken.union(program.top_level_names()))
        self._entry = entry_name(program)
        self._owners = {p.name: _owner(p) for p in program.procedures}
        self._versions: Counter[str] = Counter()
        self.steps: list[Step] = []

    def emit(self, guard: Expr, instruction: Instruction) -> None:
        if isinstance(instruction, Assume) and instruction.condition is TRUE:
            return
        if len(self.steps) == MOST_STEPS:
            raise TooManySteps
        self.steps.append(Step(guard, instruction))

    def variable(self, var: Var, procedure: str) -> Var:
        """The next version of a variable."""
        owner = self._owners.get(procedure, self._entry)
        is_clear = var.scope is Scope.GLOBAL or owner == self._entry or var.name.startswith(f"{owner}.")
        base = var.name if is_clear else f"{owner}.{var.name}"
        self._versions[base] += 1
        return local_var(self._fresh(f"{base}.{self._versions[base]}"), var.type)

    def assigned(self, var: Var, procedure: str, value: Expr | None, guard: Expr, origin: Origin) -> Expr:
        """A new version of a variable that has a value; an arbitrary one for None."""
        if value is None:
            return self.arbitrary(var, procedure, guard, origin)
        new = self.variable(var, procedure)
        self.emit(guard, Assign((new,), (value,), origin=origin))
        return new

    def arbitrary(self, var: Var, procedure: str, guard: Expr, origin: Origin) -> Expr:
        new = self.variable(var, procedure)
        self.emit(guard, Havoc((new,), origin))
        return new


class _Unwinding:
    def __init__(self, program: Program, bounds: Bounds) -> None:
        self.program = program
        self.bounds = bounds
        effects = mod_ref(program)
        self.interfaces: dict[str, Interface] = {p.name: interface(p, effects[p.name]) for p in program.procedures}
        self.output = _Output(program)
        self.controls: dict[str, Control] = {}
        self.active: Counter[str] = Counter()
        self.stack: list[_Activation] = []
        self.cut: dict[str, None] = {}
        self.mentioned: dict[Expr, tuple[Var, ...]] = {}

    def run(self, entry: str) -> None:
        procedure = self.program.procedure_named[entry]
        start: State = {}
        for var in self.interfaces[entry].inputs:
            start[var] = self.output.variable(var, "")
        self._enter(procedure, TRUE, start)
        self._assume_clauses(procedure.requires, TRUE, start.__getitem__, start.__getitem__, procedure.origin)
        while self.stack:
            activation = self.stack[-1]
            if activation.at == len(activation.control.order):
                self._leave(activation)
            elif activation.statement == 0:
                self._start_block(activation)
                activation.statement = 1
            else:
                self._go_on(activation)

    # --- activations -------------------------------------------------------------------------------

    def _enter(self, procedure: Procedure, guard: Expr, entry: State) -> None:
        control = self.controls.get(procedure.name)
        if control is None:
            control = Control(PassiveProcedure(self.program, procedure, self.interfaces))
            self.controls[procedure.name] = control
        self.active[procedure.name] += 1
        self.stack.append(_Activation(control, guard, entry))

    def _leave(self, activation: _Activation) -> None:
        """Hand the results and globals of a procedure that is done over to the one that called it."""
        self.stack.pop()
        procedure = activation.procedure
        self.active[procedure.name] -= 1
        if not self.stack:
            return
        control, face = activation.control, self.interfaces[procedure.name]
        exits = [n for n in control.order if control.returns(n)]
        ends = [(activation.guards[n], activation.ends[n]) for n in exits]
        left: State = {}
        for var in face.outputs:
            values = [self._value(var, activation, end) for _, end in ends]
            if values and all(v is values[0] for v in values):
                left[var] = values[0]
            else:
                chosen = _chosen([(g, v) for (g, _), v in zip(ends, values, strict=True)])
                left[var] = self.output.assigned(var, procedure.name, chosen, activation.guard, procedure.origin)
        self._receive(self.stack[-1], procedure, activation.entry, left)

    def _call(self, activation: _Activation, call: Call) -> None:
        callee = self.program.procedure_named[call.procedure]
        face = self.interfaces[callee.name]
        guard, origin = activation.guards[activation.block], call.origin
        args = [self._renamed(a, activation) for a in call.args]
        entry = {v: self._value(v, activation, activation.state) for v in face.globals_in}
        for param, arg in zip(face.params, args, strict=True):
            entry[param] = self.output.assigned(param, callee.name, arg, guard, origin)
        # What the callee promises may mention globals that it does not touch.
        before = self._seen_by(callee, activation, entry)
        self._assume_clauses(callee.requires, guard, before, before, origin)
        if not callee.implementations:
            left: State = {}
            for var in face.outputs:
                left[var] = self.output.arbitrary(var, callee.name, guard, origin)
            self._receive(activation, callee, entry, left)
        elif self.bounds.allow_call(callee.name, self.active[callee.name] + 1, self.bounds.last):
            self._enter(callee, guard, entry)
        else:
            self.cut[callee.name] = None
            self.output.emit(guard, Assume(FALSE, origin=origin))
            self._receive(activation, callee, entry, {v: self.output.variable(v, callee.name) for v in face.outputs})

    def _seen_by(self, callee: Procedure, activation: _Activation, own: State) -> Values:
        """The values of variables in the contract of a callee; the caller's globals but for those it has itself."""
        state = dict(activation.state)

        def value(var: Var) -> Expr:
            return own[var] if var in own else self._value(var, activation, state)

        return value

    def _receive(self, activation: _Activation, callee: Procedure, entry: State, left: State) -> None:
        """Go on in the caller, with what the callee left."""
        call = activation.control.passive.blocks[activation.block].statements[activation.index]
        assert isinstance(call, Call)
        guard = activation.guards[activation.block]
        before = self._seen_by(callee, activation, entry)
        face = self.interfaces[callee.name]
        activation.state.update((v, left[v]) for v in face.globals_out)
        params = {p: entry[p] for p in face.params}
        after = self._seen_by(callee, activation, params | {r: left[r] for r in face.results})
        self._assume_clauses(callee.ensures, guard, after, before, call.origin)
        for target, result in zip(call.results, face.results, strict=True):
            value = self.output.assigned(target, activation.procedure.name, left[result], guard, call.origin)
            activation.state[target] = value
        activation.statement += 1

    def _assume_clauses(
        self, clauses: Sequence[Clause], guard: Expr, now: Values, before: Values, origin: Origin
    ) -> None:
        for clause in clauses:
            self.output.emit(guard, Assume(self._with_values(clause.condition, now, before), origin=origin))

    # --- blocks ------------------------------------------------------------------------------------

    def _start_block(self, activation: _Activation) -> None:
        n, control = activation.block, activation.control
        before = control.ways_in(n)
        if n == 0:
            activation.guards[n] = activation.guard
            activation.state = dict(activation.entry)
            return
        edges = [activation.edge(p, n) for p in before]
        same = control.guarded_as[n]
        if same is not None:
            guard = activation.guards[same]
        elif len(edges) == 1:
            guard = _both(*edges[0])
            activation.parents[n] = edges[0]
        else:
            reached = or_(*(_both(*edge) for edge in edges))
            name = local_var("reach", BOOL)
            origin = control.passive.blocks[n].origin
            guard = self.output.assigned(name, activation.procedure.name, reached, TRUE, origin)
        activation.guards[n] = guard
        if len(before) == 1:
            activation.state = dict(activation.ends[before[0]])
        else:
            activation.state = self._joined(activation, n, before, edges)

    def _joined(
        self, activation: _Activation, n: int, before: Sequence[int], edges: Sequence[tuple[Expr, Expr]]
    ) -> State:
        state: State = {}
        passive = activation.control.passive
        conditions = activation.sides(n, before) or [_both(*edge) for edge in edges]
        for var in sorted(passive.live[n], key=lambda v: (v.scope.value, v.name)):
            values = [self._value(var, activation, activation.ends[p]) for p in before]
            if all(v is values[0] for v in values):
                state[var] = values[0]
            else:
                chosen = _chosen(list(zip(conditions, values, strict=True)))
                name, guard = activation.procedure.name, activation.guards[n]
                state[var] = self.output.assigned(var, name, chosen, guard, passive.blocks[n].origin)
        return state

    def _end_block(self, activation: _Activation) -> None:
        n, control = activation.block, activation.control
        activation.ends[n] = activation.state
        branching = control.branchings.get(n)
        if branching is not None:
            if branching.conditions is not None:
                first = self._renamed(branching.conditions[0], activation)
                activation.conditions[n] = (first, _negated(first))
            else:
                activation.conditions[n] = self._choice(activation, len(branching.targets))
        activation.at += 1
        activation.statement = 0

    def _choice(self, activation: _Activation, ways: int) -> tuple[Expr, ...]:
        """Conditions of which exactly one holds, whichever."""
        others: list[Expr] = []
        conditions: list[Expr] = []
        origin = activation.control.passive.blocks[activation.block].transfer.origin
        for _ in range(ways - 1):
            this = self.output.arbitrary(local_var("choice", BOOL), activation.procedure.name, TRUE, origin)
            conditions.append(and_(*others, this))
            others.append(not_(this))
        return (*conditions, and_(*others))

    # --- statements --------------------------------------------------------------------------------

    def _go_on(self, activation: _Activation) -> None:
        statements, index = activation.control.passive.blocks[activation.block].statements, activation.index
        if index == len(statements):
            self._end_block(activation)
            return
        statement = statements[index]
        if isinstance(statement, Call):
            self._call(activation, statement)
            return
        self._statement(activation, statement)
        activation.statement += 1
        match statement, statements[index + 1 :]:
            case Assert(condition=failed), (Assume(condition=ended), *_) if failed is FALSE and ended is FALSE:
                self._end_block(activation)  # an assertion that fails ends the execution anyway

    def _statement(self, activation: _Activation, statement: Statement) -> None:
        n, name = activation.block, activation.procedure.name
        guard = activation.guards[n]
        match statement:
            case Assume(condition, attributes, origin):
                self.output.emit(guard, Assume(self._renamed(condition, activation), attributes, origin))
            case Assert(condition, attributes, origin):
                if condition is FALSE and n in activation.parents:
                    guard, reached = activation.parents[n]
                    self.output.emit(guard, Assert(_negated(reached), attributes, origin))
                else:
                    self.output.emit(guard, Assert(self._renamed(condition, activation), attributes, origin))
            case Assign(targets, values, _, origin):
                new = [self._renamed(v, activation) for v in values]
                for target, value in zip(targets, new, strict=True):
                    activation.state[target] = self.output.assigned(target, name, value, guard, origin)
            case Havoc(targets, origin):
                for target in targets:
                    activation.state[target] = self.output.arbitrary(target, name, guard, origin)
            case _:
                raise AssertionError(statement)

    # --- variables and values ------------------------------------------------------------------------

    def _value(self, var: Var, activation: _Activation, state: State) -> Expr:
        found = state.get(var)
        if found is None:
            found = activation.entry.get(var) or activation.initial.get(var)
            if found is None:
                # Whatever has not been assigned to has any value, the same wherever it is read.
                found = activation.initial[var] = self.output.variable(var, activation.procedure.name)
            state[var] = found
        return found

    def _renamed(self, expr: Expr, activation: _Activation) -> Expr:
        """An expression of the running procedure over the versions of its variables."""
        state = activation.state

        def now(var: Var) -> Expr:
            return self._value(var, activation, state)

        def before(var: Var) -> Expr:
            return self._value(var, activation, activation.entry)

        return self._with_values(expr, now, before)

    def _with_values(self, expr: Expr, now: Values, before: Values) -> Expr:
        if isinstance(expr, Lit):
            return expr
        if isinstance(expr, Var):
            return now(expr) if expr.scope in (Scope.LOCAL, Scope.GLOBAL) else expr
        mentioned = self.mentioned.get(expr)
        if mentioned is None:
            changing = (v for v in variables(expr) if v.scope in (Scope.LOCAL, Scope.GLOBAL))
            mentioned = self.mentioned[expr] = tuple(sorted(changing, key=lambda v: (v.scope.value, v.name)))
        # `old` is about globals. What stands for them is no variable of the program, so it stays.
        without_old = with_snapshots(expr, before, {})
        return substitute(without_old, {v: now(v) for v in mentioned})


def _owner(procedure: Procedure) -> str:
    """The procedure of the user's whose variables those of a procedure are."""
    loop = find_attribute(procedure.attributes, "loop")
    return str(loop.params[0]) if loop else procedure.name


def _negated(condition: Expr) -> Expr:
    match condition:
        case App(Op.NOT, (inner,)):
            return inner
        case _:
            return not_(condition)


def _chosen(cases: Sequence[tuple[Expr, Expr]]) -> Expr | None:
    """The value of the first case whose condition holds; None for no case."""
    if not cases:
        return None
    value = cases[-1][1]
    for condition, other in reversed(cases[:-1]):
        value = ite(condition, other, value)
    return value


def _both(guard: Expr, condition: Expr) -> Expr:
    if guard is TRUE or condition is TRUE:
        return condition if guard is TRUE else guard
    return and_(guard, condition)
