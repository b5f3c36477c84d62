"""Runs a program, step by step, on concrete values: the judge of every counterexample.

It gives a program the meaning that `docs/boogie.md` lays down, straight from the IR and without a solver. What
a program leaves open is answered by a `World` (constants, functions) and an `Oracle` (branches, arbitrary
values). Calls are kept on an explicit stack, so recursion in the program is not recursion here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from paddock.frozen import field, mutable
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Lit, Scope, Var
from paddock.ir.origin import InputError
from paddock.ir.program import (
    Axiom,
    Implementation,
    Procedure,
    Program,
    VarDecl,
    find_attribute,
    is_always_assumed,
)
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, ParCall, Statement, Yield
from paddock.ir.threads import is_thread_local
from paddock.trace.configuration import (
    NO_WATCHERS,
    Activation,
    Configuration,
    End,
    Settings,
    State,
    Watchers,
    end,
    known,
)
from paddock.trace.configuration import Counts as Counts
from paddock.trace.configuration import Limits as Limits
from paddock.trace.configuration import all_count as all_count
from paddock.trace.defaults import default_world
from paddock.trace.evaluate import Evaluator
from paddock.trace.oracle import Oracle, Why
from paddock.trace.run import Blocked, Cut, Failed, Kind, Outcome, Returned, Run, Undetermined
from paddock.trace.schedule import Scheduler
from paddock.trace.values import Env, Later, Undecided, Value
from paddock.trace.world import World

if TYPE_CHECKING:
    from paddock.trace.fast_loops import FastLoops


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
        watchers: Watchers = NO_WATCHERS,
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
        settings = Settings(limits or Limits(), record, lazy, guided, watchers, counts)
        at = Configuration(self.program, self._evaluator, oracle, settings)
        execution = _Execution(self, at, scheduler)
        outcome = execution.run(self.program.procedure_named[name])
        return Run(outcome, tuple(at.steps), execution.length, known(at.globals), known(execution.initial))

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


@mutable
class Thread:
    """A thread that has been started: its stack, who answers what it leaves open, the globals of its own while it does
    not run, and how it enters its procedure if it has not yet."""

    number: int
    stack: list[Activation]
    active: dict[str, int]
    oracle: Oracle
    enter: Callable[[], None] | None = None
    own: State = field(default_factory=dict)
    seen: State = field(default_factory=dict)  # all globals, when it ran last


class _Threads:
    """The threads of a run, as a scheduler has them run."""

    def __init__(self, at: Configuration, scheduler: Scheduler) -> None:
        self._at = at
        self._scheduler = scheduler
        self._running = Thread(0, at.stack, at.active, at.oracle)
        self._threads = {0: self._running}
        self._shared = [g for g in at.program.globals if not is_thread_local(g)]
        self.own = [g for g in at.program.globals if is_thread_local(g)]

    def start(self, enter: Callable[[], None]) -> None:
        """A new thread. It enters its procedure when it first runs."""
        number, oracle, following = self._scheduler.started(self._running.number)
        self._threads[number] = Thread(number, [], {}, oracle, enter, seen=dict(self._at.globals))
        self._switch_to(following)

    def yield_(self) -> None:
        """Another thread may go on."""
        self._switch_to(self._scheduler.yielded(self._running.number))

    def resume(self) -> bool:
        """Go on with another thread when one has ended; whether there is one."""
        following = self._scheduler.ended(self._running.number)
        if following is None:
            return False
        self._switch_to(following)
        return True

    def _switch_to(self, number: int | None) -> None:
        """Let a thread run; the run is over if there is none that is to."""
        if number is None:
            end(Returned())
        at = self._at
        if number == self._running.number:
            return
        self._running.own = {g.name: at.globals[g.name] for g in self.own}
        self._running.seen = dict(at.globals)
        thread = self._running = self._threads[number]
        at.stack, at.active, at.oracle, at.thread = thread.stack, thread.active, thread.oracle, number
        at.context += 1
        at.globals.update(thread.own)
        if (enter := thread.enter) is not None:
            thread.enter = None
            enter()
        if at.settings.record:
            changed = [g.var for g in self._shared if not _is_same(at.globals[g.name], thread.seen[g.name])]
            at.note(Kind.SWITCH, about=changed)


def _fast_loops(program: Program, world: World, work: int) -> FastLoops:
    from paddock.trace.fast_loops import FastLoops  # which most executions do not need

    return FastLoops(program, world, work)


class _Execution:
    """The execution of statements, blocks and calls."""

    def __init__(self, interpreter: Interpreter, at: Configuration, scheduler: Scheduler | None) -> None:
        self.interpreter = interpreter
        self.program = interpreter.program
        self.at = at
        self.threads = None if scheduler is None else _Threads(at, scheduler)
        # Loops are compiled where there are no watchers and everything is decided by conditions.
        settings = at.settings
        is_alone = scheduler is None and settings.lazy and settings.guided and not settings.watchers
        work = settings.limits.compiled if is_alone else 0
        self.fast_loops = _fast_loops(self.program, interpreter.world, work) if work else None
        self.initial: State = {}
        self.length = 0

    def run(self, entry: Procedure) -> Outcome:
        try:
            self._start(entry)
            while self.at.stack or (self.threads is not None and self.threads.resume()):
                self.length += 1
                if self.length > self.at.settings.limits.steps:
                    return Cut("steps")
                activation = self.at.stack[-1]
                if self.at.settings.watchers and activation.index == 0:
                    self.at.observe(activation, activation.block.label)
                if activation.index < len(activation.block.statements):
                    self._execute(activation, activation.block.statements[activation.index])
                else:
                    self._transfer(activation)
            return Returned()
        except End as over:
            return over.outcome
        except Undecided as undecided:
            return Undetermined(undecided.reason, self.at.origin())

    def _start(self, entry: Procedure) -> None:
        for declaration in self.program.globals:
            self.at.globals[declaration.name] = self.at.arbitrary(entry.name, declaration.var, Why.INITIAL)
        env = Env(self.at.globals, {}, self.at.globals)
        self.at.assume_wheres(self.program.globals, env, entry.name)
        params: State = {p.name: self.at.arbitrary(entry.name, p.var, Why.PARAMETER) for p in entry.params}
        self.initial = self.at.globals | params
        env = Env(self.at.globals, params, self.at.globals)
        if not entry.implementations:
            self.at.assume_wheres(entry.params, env, entry.name)
        for clause in entry.requires:
            self.at.assume(clause, clause.condition, env, entry.name)
        self._enter(entry, params, None)

    # --- statements --------------------------------------------------------------------------------

    def _execute(self, activation: Activation, statement: Statement) -> None:
        env = Env(self.at.globals, activation.locals, activation.old)
        match statement:
            case Assume(condition):
                self.at.assume(statement, condition, env, activation.procedure.name)
                self.at.note(Kind.STATEMENT, statement, condition)
            case Assert(condition):
                if not self.at.holds(condition, env):
                    self.at.fail(Failed(statement, activation.procedure.name, statement.origin), statement)
                self.at.note(Kind.STATEMENT, statement, condition)
            case Assign(targets, values):
                new = [self.at.evaluate(v, env) for v in values]
                for target, value in zip(targets, new, strict=True):
                    self.at.state_of(target)[target.name] = value
                self.at.note(Kind.STATEMENT, statement, targets)
            case Havoc(targets):
                for target in targets:
                    self.at.state_of(target)[target.name] = self.at.arbitrary(
                        activation.procedure.name, target, Why.HAVOC
                    )
                self.at.assume_wheres(self._declarations(activation, targets), env, activation.procedure.name)
                self.at.note(Kind.STATEMENT, statement, targets)
            case Call():
                self._call(activation, statement, env)
                return  # the index moves on when the callee returns
            case Yield() if self.threads is not None:
                activation.index += 1
                self.threads.yield_()
                return
            case ParCall() | Yield():
                end(Undetermined("the program is concurrent", statement.origin))
        activation.index += 1

    def _declarations(self, activation: Activation, targets: Iterable[Var]) -> list[VarDecl]:
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

    def _transfer(self, activation: Activation) -> None:
        transfer = activation.block.transfer
        if not isinstance(transfer, Goto):
            self._leave(activation)
            return
        name, label = activation.procedure.name, activation.block.label
        if not transfer.targets:
            end(Blocked(None, name, transfer.origin))
        blocks = self.interpreter.blocks(activation.implementation)
        targets: Sequence[str] = transfer.targets
        if self.at.settings.guided and len(targets) > 1:
            env = Env(self.at.globals, activation.locals, activation.old)
            targets = [t for t in targets if not self._begins_blocked(blocks[t], env)] or targets
        target = targets[0] if len(targets) == 1 else self.at.oracle.choose(name, label, targets)
        if len(transfer.targets) > 1:
            self.at.note(Kind.BRANCH, target=target)
        activation.block = blocks[target]
        activation.index = 0
        if self.fast_loops is not None:
            self.fast_loops.arrived(self.at, activation)
        if (most := self.at.settings.limits.visits) is not None:
            is_first = activation.block is activation.implementation.blocks[0]
            activation.visits[target] = activation.visits.get(target, int(is_first)) + 1
            if activation.visits[target] > most:
                end(Cut("visits"))

    def _begins_blocked(self, block: Block, env: Env) -> bool:
        assumptions = takewhile(lambda s: isinstance(s, Assume), block.statements)
        return any(self.interpreter.is_false(s.condition, env) for s in assumptions if isinstance(s, Assume))

    # --- calls -------------------------------------------------------------------------------------

    def _call(self, activation: Activation, call: Call, env: Env) -> None:
        if call.asynchronous and self.threads is None:
            end(Undetermined("the program is concurrent", call.origin))
        callee = self.program.procedure_named[call.procedure]
        values = [self.at.evaluate(a, env) for a in call.args]
        params: State = {p.name: v for p, v in zip(callee.params, values, strict=True)}
        kind = Kind.THREAD if call.asynchronous else Kind.CALL
        self.at.note(kind, call, [p.var for p in callee.params], params, callee.name)
        env = Env(self.at.globals, params, self.at.globals)
        for clause in callee.requires:
            if is_always_assumed(clause):
                self.at.assume(clause, clause.condition, env, callee.name)
            elif not clause.free and not call.free and not self.at.holds(clause.condition, env):
                self.at.fail(Failed(clause, activation.procedure.name, call.origin), state=params)
        if callee.implementations:
            for clause in callee.requires:
                if clause.free or call.free:
                    self.at.assume(clause, clause.condition, env, callee.name)
        if self.threads is not None and call.asynchronous:
            activation.index += 1
            self.threads.start(partial(self._enter_thread, self.threads.own, callee, params))
        else:
            self._enter(callee, params, call)

    def _enter(self, callee: Procedure, params: State, call: Call | None) -> None:
        """Make `callee` the running procedure, or do all that it does if it has no body."""
        old = dict(self.at.globals)
        if not callee.implementations:
            self._no_body(callee, params, old)
            if call is not None:
                results = [r.var for r in callee.results]
                self.at.note(Kind.RETURN, about=[*callee.modifies, *results], locals_=params, callee=callee.name)
                self._receive(self.at.stack[-1], call, callee, params)
            return
        if len(self.at.stack) >= self.at.settings.limits.depth:
            end(Cut("depth"))
        self._count_activation(callee)
        implementation = self._implementation(callee)
        fresh = (*callee.results, *implementation.locals)
        locals_ = params | {d.name: self.at.arbitrary(callee.name, d.var, Why.UNINITIALISED) for d in fresh}
        env = Env(self.at.globals, locals_, old)
        self.at.assume_wheres((*callee.params, *fresh), env, callee.name)
        self.at.stack.append(Activation(callee, implementation, locals_, old, implementation.blocks[0], call))

    def _count_activation(self, callee: Procedure) -> None:
        count = self.at.active[callee.name] = self.at.active.get(callee.name, 0) + 1
        bound = self.at.settings.limits.recursion
        if bound is not None and count > bound + _extra_recursion(callee):
            end(Cut("recursion"))

    def _implementation(self, callee: Procedure) -> Implementation:
        several = callee.implementations
        if len(several) == 1:
            return several[0]
        return several[int(self.at.oracle.choose(callee.name, "", [str(i) for i in range(len(several))]))]

    def _no_body(self, callee: Procedure, params: State, old: State) -> None:
        """Havoc what the procedure may change, add its results to `params`, assume its `ensures`."""
        for var in callee.modifies:
            self.at.globals[var.name] = self.at.arbitrary(callee.name, var, Why.NO_BODY)
        for result in callee.results:
            params[result.name] = self.at.arbitrary(callee.name, result.var, Why.NO_BODY)
        env = Env(self.at.globals, params, old)
        changed = [self.program.global_named[v.name] for v in callee.modifies]
        self.at.assume_wheres((*changed, *callee.results), env, callee.name)
        for clause in callee.ensures:
            self.at.assume(clause, clause.condition, env, callee.name)

    def _leave(self, activation: Activation) -> None:
        self.at.observe(activation, "")
        procedure = activation.procedure
        env = Env(self.at.globals, activation.locals, activation.old)
        for clause in procedure.ensures:
            if is_always_assumed(clause):
                self.at.assume(clause, clause.condition, env, procedure.name)
            elif not clause.free and not self.at.holds(clause.condition, env):
                self.at.fail(Failed(clause, procedure.name, activation.block.transfer.origin))
        for clause in procedure.ensures:
            if clause.free:
                self.at.assume(clause, clause.condition, env, procedure.name)
        self.at.note(Kind.RETURN, about=[r.var for r in procedure.results])
        self.at.stack.pop()
        self.at.active[procedure.name] -= 1
        if activation.call is not None:
            self._receive(self.at.stack[-1], activation.call, procedure, activation.locals)

    def _receive(self, caller: Activation, call: Call, callee: Procedure, state: State) -> None:
        """Assign the callee's results and go on after the call."""
        for target, result in zip(call.results, callee.results, strict=True):
            self.at.state_of(target)[target.name] = state[result.name]
        caller.index += 1

    def _enter_thread(self, own: Sequence[VarDecl], callee: Procedure, params: State) -> None:
        """What a thread does first. It has globals of its `own`."""
        for declaration in own:
            self.at.globals[declaration.name] = self.at.arbitrary(callee.name, declaration.var, Why.INITIAL)
        self.at.assume_wheres(own, Env(self.at.globals, {}, self.at.globals), callee.name)
        self._enter(callee, params, None)


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
