"""Runs a program, step by step, on concrete values: the judge of every counterexample.

It gives a program the meaning that `docs/boogie.md` lays down, straight from the IR and without a solver. What
a program leaves open is answered by a `World` (constants, functions) and an `Oracle` (branches, arbitrary
values). Calls are kept on an explicit stack, so recursion in the program is not recursion here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import takewhile
from types import MappingProxyType
from typing import NoReturn

from paddock.frozen import field, frozen, mutable
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Lit, Scope, Var
from paddock.ir.origin import NOWHERE, InputError, Origin
from paddock.ir.program import (
    Axiom,
    Clause,
    Implementation,
    Procedure,
    Program,
    VarDecl,
    find_attribute,
    is_always_assumed,
)
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, ParCall, Statement, Yield
from paddock.ir.threads import is_thread_local
from paddock.ir.walk import variables
from paddock.trace.defaults import default_world
from paddock.trace.evaluate import Evaluator
from paddock.trace.oracle import Oracle, Why
from paddock.trace.run import Blocked, Cut, Failed, Kind, Outcome, Returned, Run, Step, Undetermined
from paddock.trace.schedule import Scheduler
from paddock.trace.values import Env, Later, Undecided, Value
from paddock.trace.world import World

_State = dict[str, Value | Later]

# By procedure and label, what to call with the values of locals and of globals.
# What is observed at a place: the values of locals, of globals, and of globals where the procedure started.
Watcher = Callable[[dict[str, Value], dict[str, Value], dict[str, Value]], None]
Watchers = Mapping[tuple[str, str], Watcher]
_NOBODY: Watchers = MappingProxyType({})


# Whether an assertion that fails, or a clause, ends a run; if not, it might as well not be there.
Counts = Callable[[Failed], bool]


def all_count(_: Failed) -> bool:
    """Whatever fails ends a run."""
    return True


@frozen
class Limits:
    """`depth` is the height of the call stack. `recursion` is how many activations of one procedure may be
    on it at once, as `--recursion-bound` means it; `{:SIextraRecBound k}` allows k more."""

    steps: int = 1_000_000
    depth: int = 100_000
    recursion: int | None = None


class Interpreter:
    """Runs one program in one world (`default_world` if none is given)."""

    def __init__(self, program: Program, world: World | None = None) -> None:
        self.program = program
        self.world = world or default_world(program)
        self._evaluator = Evaluator(self.world)
        self._blocks: dict[int, dict[str, Block]] = {}

    def run(
        self,
        oracle: Oracle,
        entry: str | None = None,
        limits: Limits | None = None,
        *,
        record: bool = True,
        lazy: bool = False,
        guided: bool = False,
        watchers: Watchers = _NOBODY,
        counts: Counts = all_count,
        scheduler: Scheduler | None = None,
    ) -> Run:
        """Execute the program from its entry procedure, with threads if there is a scheduler for them. With `lazy`, the
        oracle is asked for a value when it is first read rather than when the variable becomes arbitrary, and not at
        all if nothing reads it. With `guided`, it is not asked about targets of a `goto` that begin with a false
        assumption, unless all do: random runs get further. Watchers get the values of locals and globals, and of
        globals where the procedure started, as far as they have been read, where a block starts and, for an empty
        label, where a procedure returns. What fails and does not count is passed over."""
        name = entry_name(self.program) if entry is None else entry
        if name not in self.program.procedure_named:
            raise InputError(f"there is no procedure {name}")
        execution = _Execution(self, oracle, limits or Limits(), record, lazy, guided, watchers, counts, scheduler)
        outcome = execution.run(self.program.procedure_named[name])
        start, end = _known(execution.initial), _known(execution.globals)
        return Run(outcome, tuple(execution.steps), execution.length, end, start)

    def check_axioms(self) -> list[Axiom]:
        """The axioms that are false in the world; those that cannot be decided are left out."""
        return [a for a in self.program.axioms if self.is_false(a.condition, Env())]

    def is_false(self, condition: Expr, env: Env) -> bool:
        """Whether a condition is known to be false."""
        try:
            return self._evaluator.evaluate(condition, env) is False
        except Undecided:
            return False

    def evaluate(self, expr: Expr, env: Env) -> Value:
        """The value of an expression in this world; raises `Undecided` if it cannot be determined."""
        return self._evaluator.evaluate(expr, env)

    def blocks(self, implementation: Implementation) -> dict[str, Block]:
        """The blocks by label."""
        key = id(implementation)  # the program keeps it alive, and hashing one is slow
        if key not in self._blocks:
            self._blocks[key] = {b.label: b for b in implementation.blocks}
        return self._blocks[key]


# --- one run ---------------------------------------------------------------------------------------


class _End(Exception):
    """The run is over."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


@mutable
class Thread:
    """A thread that has been started: its stack, who answers what it leaves open, the globals of its own while it does
    not run, and how it enters its procedure if it has not yet."""

    number: int
    stack: list[_Activation]
    active: dict[str, int]
    oracle: Oracle
    enter: Callable[[], None] | None = None
    own: _State = field(default_factory=dict)
    seen: _State = field(default_factory=dict)  # all globals, when it ran last


@mutable
class _Activation:
    """A procedure that is being executed; `call` is the statement that waits for it."""

    procedure: Procedure
    implementation: Implementation
    locals: _State
    old: _State
    block: Block
    call: Call | None
    index: int = 0


class _Execution:
    def __init__(
        self,
        interpreter: Interpreter,
        oracle: Oracle,
        limits: Limits,
        record: bool,
        lazy: bool,
        guided: bool,
        watchers: Watchers,
        counts: Counts,
        scheduler: Scheduler | None,
    ) -> None:
        self.interpreter = interpreter
        self.program = interpreter.program
        self.oracle = oracle
        self.limits = limits
        self.record = record
        self.lazy = lazy
        self.guided = guided
        self.watchers = watchers
        self.counts = counts
        self.globals: _State = {}
        self.initial: _State = {}
        self.stack: list[_Activation] = []
        self.active: dict[str, int] = {}
        self.steps: list[Step] = []
        self.length = 0
        self.scheduler = scheduler
        self.thread: Thread | None = None  # the one that runs, if there is a scheduler
        self.threads: dict[int, Thread] = {}
        self.context = 0

    def run(self, entry: Procedure) -> Outcome:
        try:
            if self.scheduler is not None:
                self.thread = self.threads[0] = Thread(0, self.stack, self.active, self.oracle)
            self._start(entry)
            while self.stack or self._resume():
                self.length += 1
                if self.length > self.limits.steps:
                    return Cut("steps")
                activation = self.stack[-1]
                if self.watchers and activation.index == 0:
                    self._tell(activation, activation.block.label)
                if activation.index < len(activation.block.statements):
                    self._execute(activation, activation.block.statements[activation.index])
                else:
                    self._transfer(activation)
            return Returned()
        except _End as end:
            return end.outcome
        except Undecided as undecided:
            return Undetermined(undecided.reason, self._origin())

    def _origin(self) -> Origin:
        """Where the run is."""
        if not self.stack:
            return NOWHERE
        activation = self.stack[-1]
        statements = activation.block.statements
        at = activation.index
        return statements[at].origin if at < len(statements) else activation.block.transfer.origin

    def _start(self, entry: Procedure) -> None:
        for declaration in self.program.globals:
            self.globals[declaration.name] = self._arbitrary(entry.name, declaration.var, Why.INITIAL)
        env = Env(self.globals, {}, self.globals)
        self._assume_wheres(self.program.globals, env, entry.name)
        params: _State = {p.name: self._arbitrary(entry.name, p.var, Why.PARAMETER) for p in entry.params}
        self.initial = self.globals | params
        env = Env(self.globals, params, self.globals)
        if not entry.implementations:
            self._assume_wheres(entry.params, env, entry.name)
        for clause in entry.requires:
            self._assume(clause, clause.condition, env, entry.name)
        self._enter(entry, params, None)

    # --- statements --------------------------------------------------------------------------------

    def _execute(self, activation: _Activation, statement: Statement) -> None:
        env = Env(self.globals, activation.locals, activation.old)
        match statement:
            case Assume(condition):
                self._assume(statement, condition, env, activation.procedure.name)
                self._note(Kind.STATEMENT, statement, condition)
            case Assert(condition):
                if not self._holds(condition, env):
                    self._fail(Failed(statement, activation.procedure.name, statement.origin), statement)
                self._note(Kind.STATEMENT, statement, condition)
            case Assign(targets, values):
                new = [self.interpreter.evaluate(v, env) for v in values]
                for target, value in zip(targets, new, strict=True):
                    self._state_of(target)[target.name] = value
                self._note(Kind.STATEMENT, statement, targets)
            case Havoc(targets):
                for target in targets:
                    self._state_of(target)[target.name] = self._arbitrary(activation.procedure.name, target, Why.HAVOC)
                self._assume_wheres(self._declarations(activation, targets), env, activation.procedure.name)
                self._note(Kind.STATEMENT, statement, targets)
            case Call():
                self._call(activation, statement, env)
                return  # the index moves on when the callee returns
            case Yield() if self.scheduler is not None and self.thread is not None:
                activation.index += 1
                self._switch_to(self.scheduler.yielded(self.thread.number))
                return
            case ParCall() | Yield():
                self._end(Undetermined("the program is concurrent", statement.origin))
        activation.index += 1

    def _state_of(self, var: Var) -> _State:
        return self.globals if var.scope is Scope.GLOBAL else self.stack[-1].locals

    def _declarations(self, activation: _Activation, targets: Iterable[Var]) -> list[VarDecl]:
        """The declarations of these variables that have a `where` clause."""
        procedure = activation.procedure
        found = []
        for target in targets:
            if target.scope is Scope.GLOBAL:
                candidates: tuple[VarDecl, ...] = (self.program.global_named[target.name],)
            else:
                candidates = (*procedure.params, *procedure.results, *activation.implementation.locals)
            found += [d for d in candidates if d.where is not None and d.var is target]
        return found

    def _transfer(self, activation: _Activation) -> None:
        transfer = activation.block.transfer
        if not isinstance(transfer, Goto):
            self._leave(activation)
            return
        name, label = activation.procedure.name, activation.block.label
        if not transfer.targets:
            self._end(Blocked(None, name, transfer.origin))
        blocks = self.interpreter.blocks(activation.implementation)
        targets: Sequence[str] = transfer.targets
        if self.guided and len(targets) > 1:
            env = Env(self.globals, activation.locals, activation.old)
            targets = [t for t in targets if not self._begins_blocked(blocks[t], env)] or targets
        target = targets[0] if len(targets) == 1 else self.oracle.choose(name, label, targets)
        if len(transfer.targets) > 1:
            self._note(Kind.BRANCH, target=target)
        activation.block = blocks[target]
        activation.index = 0

    def _begins_blocked(self, block: Block, env: Env) -> bool:
        assumptions = takewhile(lambda s: isinstance(s, Assume), block.statements)
        return any(self.interpreter.is_false(s.condition, env) for s in assumptions if isinstance(s, Assume))

    # --- calls -------------------------------------------------------------------------------------

    def _call(self, activation: _Activation, call: Call, env: Env) -> None:
        if call.asynchronous and self.scheduler is None:
            self._end(Undetermined("the program is concurrent", call.origin))
        callee = self.program.procedure_named[call.procedure]
        values = [self.interpreter.evaluate(a, env) for a in call.args]
        params: _State = {p.name: v for p, v in zip(callee.params, values, strict=True)}
        kind = Kind.THREAD if call.asynchronous else Kind.CALL
        self._note(kind, call, [p.var for p in callee.params], params, callee.name)
        env = Env(self.globals, params, self.globals)
        for clause in callee.requires:
            if is_always_assumed(clause):
                self._assume(clause, clause.condition, env, callee.name)
            elif not clause.free and not call.free and not self._holds(clause.condition, env):
                self._fail(Failed(clause, activation.procedure.name, call.origin), state=params)
        if callee.implementations:
            for clause in callee.requires:
                if clause.free or call.free:
                    self._assume(clause, clause.condition, env, callee.name)
        if call.asynchronous:
            activation.index += 1
            self._start_thread(callee, params)
        else:
            self._enter(callee, params, call)

    def _enter(self, callee: Procedure, params: _State, call: Call | None) -> None:
        """Make `callee` the running procedure, or do all that it does if it has no body."""
        old = dict(self.globals)
        if not callee.implementations:
            self._no_body(callee, params, old)
            if call is not None:
                results = [r.var for r in callee.results]
                self._note(Kind.RETURN, about=[*callee.modifies, *results], locals_=params, callee=callee.name)
                self._receive(self.stack[-1], call, callee, params)
            return
        if len(self.stack) >= self.limits.depth:
            self._end(Cut("depth"))
        self._count_activation(callee)
        implementation = self._implementation(callee)
        fresh = (*callee.results, *implementation.locals)
        locals_ = params | {d.name: self._arbitrary(callee.name, d.var, Why.UNINITIALISED) for d in fresh}
        env = Env(self.globals, locals_, old)
        self._assume_wheres((*callee.params, *fresh), env, callee.name)
        self.stack.append(_Activation(callee, implementation, locals_, old, implementation.blocks[0], call))

    def _count_activation(self, callee: Procedure) -> None:
        count = self.active[callee.name] = self.active.get(callee.name, 0) + 1
        bound = self.limits.recursion
        if bound is not None and count > bound + _extra_recursion(callee):
            self._end(Cut("recursion"))

    def _implementation(self, callee: Procedure) -> Implementation:
        several = callee.implementations
        if len(several) == 1:
            return several[0]
        return several[int(self.oracle.choose(callee.name, "", [str(i) for i in range(len(several))]))]

    def _no_body(self, callee: Procedure, params: _State, old: _State) -> None:
        """Havoc what the procedure may change, add its results to `params`, assume its `ensures`."""
        for var in callee.modifies:
            self.globals[var.name] = self._arbitrary(callee.name, var, Why.NO_BODY)
        for result in callee.results:
            params[result.name] = self._arbitrary(callee.name, result.var, Why.NO_BODY)
        env = Env(self.globals, params, old)
        changed = [self.program.global_named[v.name] for v in callee.modifies]
        self._assume_wheres((*changed, *callee.results), env, callee.name)
        for clause in callee.ensures:
            self._assume(clause, clause.condition, env, callee.name)

    def _tell(self, activation: _Activation, label: str) -> None:
        """Tell who watches this place."""
        watcher = self.watchers.get((activation.procedure.name, label))
        if watcher is not None:
            watcher(_known(activation.locals), _known(self.globals), _known(activation.old))

    def _leave(self, activation: _Activation) -> None:
        self._tell(activation, "")
        procedure = activation.procedure
        env = Env(self.globals, activation.locals, activation.old)
        for clause in procedure.ensures:
            if is_always_assumed(clause):
                self._assume(clause, clause.condition, env, procedure.name)
            elif not clause.free and not self._holds(clause.condition, env):
                self._fail(Failed(clause, procedure.name, activation.block.transfer.origin))
        for clause in procedure.ensures:
            if clause.free:
                self._assume(clause, clause.condition, env, procedure.name)
        self._note(Kind.RETURN, about=[r.var for r in procedure.results])
        self.stack.pop()
        self.active[procedure.name] -= 1
        if activation.call is not None:
            self._receive(self.stack[-1], activation.call, procedure, activation.locals)

    def _receive(self, caller: _Activation, call: Call, callee: Procedure, state: _State) -> None:
        """Assign the callee's results and go on after the call."""
        for target, result in zip(call.results, callee.results, strict=True):
            self._state_of(target)[target.name] = state[result.name]
        caller.index += 1

    # --- threads -----------------------------------------------------------------------------------

    def _start_thread(self, callee: Procedure, params: _State) -> None:
        """A new thread. It enters its procedure when it first runs."""
        assert self.scheduler is not None and self.thread is not None
        number, oracle, following = self.scheduler.started(self.thread.number)
        entering = partial(self._enter_thread, callee, params)
        self.threads[number] = Thread(number, [], {}, oracle, entering, seen=dict(self.globals))
        self._switch_to(following)

    def _enter_thread(self, callee: Procedure, params: _State) -> None:
        for name in self._thread_local:
            self.globals[name] = self._arbitrary(callee.name, self.program.global_named[name].var, Why.INITIAL)
        self._assume_wheres(
            [self.program.global_named[name] for name in self._thread_local],
            Env(self.globals, {}, self.globals),
            callee.name,
        )
        self._enter(callee, params, None)

    def _resume(self) -> bool:
        """Go on with another thread when one has ended; whether there is one."""
        if self.scheduler is None or self.thread is None:
            return False
        following = self.scheduler.ended(self.thread.number)
        if following is None:
            return False
        self._switch_to(following)
        return True

    def _switch_to(self, number: int | None) -> None:
        """Let a thread run; the run is over if there is none that is to."""
        assert self.thread is not None
        if number is None:
            self._end(Returned())
        if number == self.thread.number:
            return
        self.thread.own = {name: self.globals[name] for name in self._thread_local}
        self.thread.seen = dict(self.globals)
        self.thread = self.threads[number]
        self.stack, self.active, self.oracle = self.thread.stack, self.thread.active, self.thread.oracle
        self.context += 1
        self.globals.update(self.thread.own)
        if (enter := self.thread.enter) is not None:
            self.thread.enter = None
            enter()
        if self.record:
            seen = self.thread.seen
            changed = [
                g.var
                for g in self.program.globals
                if not is_thread_local(g) and not _is_same(self.globals[g.name], seen[g.name])
            ]
            self._note(Kind.SWITCH, about=changed)

    @cached_property
    def _thread_local(self) -> list[str]:
        return [g.name for g in self.program.globals if is_thread_local(g)]

    # --- values and conditions ---------------------------------------------------------------------

    def _arbitrary(self, procedure: str, var: Var, why: Why) -> Value | Later:
        if self.lazy:
            return Later(lambda: self.oracle.value(procedure, var, why))
        return self.oracle.value(procedure, var, why)

    def _holds(self, condition: Expr, env: Env) -> bool:
        return self.interpreter.evaluate(condition, env) is True

    def _assume(self, what: Assume | Clause, condition: Expr, env: Env, procedure: str) -> None:
        if not self._holds(condition, env):
            self._end(Blocked(what, procedure, what.origin))

    def _assume_wheres(self, declarations: Sequence[VarDecl], env: Env, procedure: str) -> None:
        for declaration in declarations:
            if declaration.where is not None and not self._holds(declaration.where, env):
                self._end(Blocked(declaration, procedure, declaration.origin))

    def _fail(self, failed: Failed, statement: Assert | None = None, state: _State | None = None) -> None:
        """The run is over, if that counts."""
        if self.counts(failed):
            self._note(Kind.FAIL, statement, failed.what.condition, state)
            self._end(failed)

    def _end(self, outcome: Outcome) -> NoReturn:
        raise _End(outcome)

    # --- the record --------------------------------------------------------------------------------

    def _note(
        self,
        kind: Kind,
        statement: Statement | None = None,
        about: Expr | Iterable[Var] = (),
        locals_: _State | None = None,
        target: str = "",
        callee: str = "",
    ) -> None:
        """Record a step with the values of the variables it is about, looked up in `locals_` if they are not
        the running procedure's. Values that nothing has read yet are left out. `callee` has no body."""
        if not self.record:
            return
        activation = self.stack[-1]
        locals_ = activation.locals if locals_ is None else locals_
        vars_ = sorted(variables(about), key=lambda v: v.name) if isinstance(about, Expr) else about
        values: dict[str, Value] = {}
        for var in vars_:
            if var.scope is not Scope.CONST:
                value = (self.globals if var.scope is Scope.GLOBAL else locals_)[var.name]
                known = value.value if isinstance(value, Later) else value
                if known is not None:
                    values[var.name] = known
        thread = 0 if self.thread is None else self.thread.number
        if callee:
            step = Step(kind, callee, "", 0, len(self.stack), values=values, thread=thread, context=self.context)
        else:
            place = (activation.procedure.name, activation.block.label, activation.index, len(self.stack) - 1)
            step = Step(kind, *place, statement, target, values, thread, self.context)
        self.steps.append(step)


def _known(state: _State) -> dict[str, Value]:
    """The values of a state that have been asked for."""
    read = {name: value.value if isinstance(value, Later) else value for name, value in state.items()}
    return {name: value for name, value in read.items() if value is not None}


def _is_same(one: Value | Later, other: Value | Later) -> bool:
    """Whether two values are the same as far as can be seen at once: maps may have many entries."""
    return one is other or (isinstance(one, int) and isinstance(other, int) and one == other)


def _extra_recursion(procedure: Procedure) -> int:
    attribute = find_attribute(procedure.attributes, "SIextraRecBound")
    match attribute.params if attribute else ():
        case (Lit(int(extra)),):
            return extra
        case _:
            return 0
