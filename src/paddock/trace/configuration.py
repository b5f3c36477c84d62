"""The configuration of a run: the stack of the running thread, the globals, and the record of steps so far.

`interpreter.py` executes statements on it; here is what all of them need: values, conditions, failures, the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn

from paddock.frozen import field, frozen, mutable
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.origin import NOWHERE, Origin
from paddock.ir.program import Clause, Implementation, Procedure, Program, VarDecl
from paddock.ir.stmt import Assert, Assume, Block, Call, Statement
from paddock.ir.walk import variables
from paddock.trace.evaluate import Evaluator
from paddock.trace.oracle import Oracle, Why
from paddock.trace.run import Blocked, Failed, Kind, Outcome, Step
from paddock.trace.values import Env, Later, Value

State = dict[str, Value | Later]

# By procedure and label, what to call with the values of locals and of globals.
# What is observed at a place: the values of locals, of globals, and of globals where the procedure started.
Watcher = Callable[[dict[str, Value], dict[str, Value], dict[str, Value]], None]
Watchers = Mapping[tuple[str, str], Watcher]
NO_WATCHERS: Watchers = MappingProxyType({})


# Whether an assertion that fails, or a clause, ends a run; if not, it might as well not be there.
Counts = Callable[[Failed], bool]


def all_count(_: Failed) -> bool:
    """Whatever fails ends a run."""
    return True


@frozen
class Limits:
    """`steps` are those of the interpreter, `compiled` the lines of loops that are compiled, if they are to be. `depth`
    is the height of the call stack. `recursion` is how many activations of one procedure may be
    on it at once, as `--recursion-bound` means it; `{:SIextraRecBound k}` allows k more. `visits` is how often one of
    them may visit the same block."""

    steps: int = 1_000_000
    depth: int = 100_000
    recursion: int | None = None
    compiled: int = 0
    visits: int | None = None


@frozen
class Settings:
    """How a program is run, as `Interpreter.run` says."""

    limits: Limits = field(default_factory=Limits)
    record: bool = True
    lazy: bool = False
    guided: bool = False
    watchers: Watchers = NO_WATCHERS
    counts: Counts = all_count


class End(Exception):
    """The run is over."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


def end(outcome: Outcome) -> NoReturn:
    raise End(outcome)


@mutable
class Activation:
    """A procedure that is being executed; `call` is the statement that waits for it."""

    procedure: Procedure
    implementation: Implementation
    locals: State
    old: State
    block: Block
    call: Call | None
    index: int = 0
    visits: dict[str, int] = field(default_factory=dict)  # of blocks, if they are limited


class Configuration:
    """Where a run is. The stack, the activations by procedure and the oracle are those of the running thread."""

    def __init__(self, program: Program, evaluator: Evaluator, oracle: Oracle, settings: Settings) -> None:
        self.program = program
        self.evaluate = evaluator.evaluate
        self.settings = settings
        self.oracle = oracle
        self.globals: State = {}
        self.stack: list[Activation] = []
        self.active: dict[str, int] = {}
        self.thread, self.context = 0, 0
        self.steps: list[Step] = []

    def origin(self) -> Origin:
        """Where the run is."""
        if not self.stack:
            return NOWHERE
        activation = self.stack[-1]
        statements = activation.block.statements
        at = activation.index
        return statements[at].origin if at < len(statements) else activation.block.transfer.origin

    def state_of(self, var: Var) -> State:
        return self.globals if var.scope is Scope.GLOBAL else self.stack[-1].locals

    def arbitrary(self, procedure: str, var: Var, why: Why) -> Value | Later:
        if self.settings.lazy:
            return Later(lambda: self.oracle.value(procedure, var, why))
        return self.oracle.value(procedure, var, why)

    def holds(self, condition: Expr, env: Env) -> bool:
        return self.evaluate(condition, env) is True

    def assume(self, what: Assume | Clause, condition: Expr, env: Env, procedure: str) -> None:
        if not self.holds(condition, env):
            end(Blocked(what, procedure, what.origin))

    def assume_wheres(self, declarations: Sequence[VarDecl], env: Env, procedure: str) -> None:
        for declaration in declarations:
            if declaration.where is not None and not self.holds(declaration.where, env):
                end(Blocked(declaration, procedure, declaration.origin))

    def fail(self, failed: Failed, statement: Assert | None = None, state: State | None = None) -> None:
        """The run is over, if that counts."""
        if self.settings.counts(failed):
            self.note(Kind.FAIL, statement, failed.what.condition, state)
            end(failed)

    def observe(self, activation: Activation, label: str) -> None:
        """Call the watcher of this place, if there is one."""
        watcher = self.settings.watchers.get((activation.procedure.name, label))
        if watcher is not None:
            watcher(known(activation.locals), known(self.globals), known(activation.old))

    def note(
        self,
        kind: Kind,
        statement: Statement | None = None,
        about: Expr | Iterable[Var] = (),
        locals_: State | None = None,
        target: str = "",
        callee: str = "",
        iterations: int = 0,
    ) -> None:
        """Record a step with the values of the variables it is about, looked up in `locals_` if they are not
        the running procedure's. Values that nothing has read yet are left out. `callee` has no body."""
        if not self.settings.record:
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
        if callee:
            step = Step(kind, callee, "", 0, len(self.stack), values=values, thread=self.thread, context=self.context)
        else:
            place = (activation.procedure.name, activation.block.label, activation.index, len(self.stack) - 1)
            step = Step(kind, *place, statement, target, values, self.thread, self.context, iterations)
        self.steps.append(step)


def known(state: State) -> dict[str, Value]:
    """The values of a state that have been asked for."""
    read = {name: value.value if isinstance(value, Later) else value for name, value in state.items()}
    return {name: value for name, value in read.items() if value is not None}
