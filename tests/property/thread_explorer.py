"""All schedules of a tiny concurrent program, up to a number of rounds, with all its states in memory: which assertions
can fail. It knows nothing of how Paddock does that: no copies of globals, no guesses, no analysis of what is shared.

In each round, threads have a turn in an order in which a thread comes after those that it has started, and those in the
order in which they were. A turn may end where threads are switched. A thread that is preempted where it starts another
gives that a turn in the middle of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

from paddock.ir.entry import entry_name
from paddock.ir.expr import Scope, Var
from paddock.ir.program import Procedure, Program, is_marked
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Statement, Yield
from paddock.ir.threads import SWITCH, is_thread_local
from paddock.ir.types import BOOL, Map
from paddock.trace.defaults import default_world
from paddock.trace.evaluate import Evaluator
from paddock.trace.values import Env, MapValue, Value

MOST_STATES = 8_000
UNSET = 0  # generated programs set all variables before they read them

Values = tuple[tuple[str, Value], ...]


class TooManyStates(Exception):
    """The program is not as tiny as it should be."""


@dataclass(frozen=True)
class Frame:
    procedure: str
    label: str
    index: int
    locals: Values
    results: tuple[Var, ...] = ()  # of the caller, that get what it returns


@dataclass(frozen=True)
class Thread:
    frames: tuple[Frame, ...]
    own: Values
    path: tuple[float, ...]
    started: int = 0
    atomic: bool = False

    @property
    def place(self) -> tuple[float, ...]:
        return (*self.path, inf)


@dataclass(frozen=True)
class State:
    round: int
    turns: tuple[
        int, ...
    ]  # the threads whose turn it is; the last runs, the others were preempted where they started it
    globals: Values
    threads: tuple[Thread, ...]


class Explorer:
    def __init__(self, program: Program, preemptive: bool, rounds: int | None) -> None:
        self.program = program
        self.preemptive = preemptive
        self.rounds = rounds
        self.own = {g.name for g in program.globals if is_thread_local(g)}
        self.evaluator = Evaluator(default_world(program))
        self.blocks: dict[str, dict[str, Block]] = {
            p.name: {b.label: b for i in p.implementations for b in i.blocks} for p in program.procedures
        }
        self.failures: set[int] = set()

    def run(self) -> set[int]:
        """The lines of the assertions that can fail."""
        entry = self.program.procedure_named[entry_name(self.program)]
        shared = tuple((g.name, _first(g.var)) for g in self.program.globals if g.name not in self.own)
        main = Thread((self._frame(entry, {}),), self._fresh_own(), ())
        todo = [State(1, (0,), shared, (main,))]
        seen = set(todo)
        while todo:
            for state in self._next(todo.pop()):
                if state not in seen:
                    seen.add(state)
                    todo.append(state)
                    if len(seen) > MOST_STATES:
                        raise TooManyStates
        return self.failures

    def _fresh_own(self) -> Values:
        return tuple((g.name, _first(g.var)) for g in self.program.globals if g.name in self.own)

    def _frame(self, procedure: Procedure, params: dict[str, Value], results: tuple[Var, ...] = ()) -> Frame:
        (body,) = procedure.implementations
        fresh = {d.name: _first(d.var) for d in (*procedure.results, *body.locals)}
        return Frame(procedure.name, body.blocks[0].label, 0, tuple(sorted({**params, **fresh}.items())), results)

    # --- one step ----------------------------------------------------------------------------------

    def _next(self, state: State) -> Iterator[State]:
        if not state.turns:
            return
        thread = state.threads[state.turns[-1]]
        if not thread.frames:
            yield from self._turn_over(state)
            return
        if self._may_switch(thread):
            yield from self._turn_over(state)
        yield from self._step(state, thread)

    def _statement(self, thread: Thread) -> Statement | None:
        frame = thread.frames[-1]
        statements = self.blocks[frame.procedure][frame.label].statements
        return statements[frame.index] if frame.index < len(statements) else None

    def _may_switch(self, thread: Thread) -> bool:
        """Whether a turn may end before the statement that is next; where a thread starts, it always may."""
        frame = thread.frames[-1]
        first = self.blocks[frame.procedure]
        if len(thread.frames) == 1 and thread.started == 0 and frame.index == 0 and frame.label == next(iter(first)):
            return bool(thread.path)
        statement = self._statement(thread)
        return not thread.atomic and (self.preemptive or isinstance(statement, Yield))

    def _turn_over(self, state: State) -> Iterator[State]:
        *others, ended = state.turns
        if others:
            yield replace(state, turns=tuple(others))
            return
        order = sorted(range(len(state.threads)), key=lambda n: state.threads[n].place)
        later = order[order.index(ended) + 1 :]
        if later:
            yield replace(state, turns=(later[0],))
        elif self.rounds is None:
            # With no bound, rounds need not be counted.
            yield replace(state, turns=(order[0],))
        elif state.round < self.rounds:
            yield replace(state, round=state.round + 1, turns=(order[0],))

    def _step(self, state: State, thread: Thread) -> Iterator[State]:
        *below, frame = thread.frames
        block = self.blocks[frame.procedure][frame.label]
        statement = self._statement(thread)
        env = Env({**dict(state.globals), **dict(thread.own)}, dict(frame.locals), {})
        moved = replace(frame, index=frame.index + 1)

        def after(new: Frame = moved, **changes: object) -> State:
            return self._with(state, replace(thread, frames=(*below, new), **changes))  # type: ignore[arg-type]

        match statement:
            case None if isinstance(block.transfer, Goto):
                for target in block.transfer.targets:
                    yield after(replace(frame, label=target, index=0))
            case None:
                yield self._returned(state, thread)
            case Assume(condition=condition):
                if self.evaluator.evaluate(condition, env) is True:
                    yield after()
            case Assert(condition=condition):
                if self.evaluator.evaluate(condition, env) is True:
                    yield after()
                else:
                    self.failures.add(statement.origin.line)
            case Assign(targets=targets, values=values):
                new = [self.evaluator.evaluate(v, env) for v in values]
                yield self._assigned(after(), list(zip(targets, new, strict=True)))
            case Havoc(targets=targets):
                choices: list[list[tuple[Var, Value]]] = [[]]
                for target in targets:
                    values_ = (False, True) if target.type is BOOL else (UNSET,)
                    choices = [[*c, (target, value)] for c in choices for value in values_]
                for choice in choices:
                    yield self._assigned(after(), choice)
            case Yield():
                yield after()
            case Call(procedure="corral_atomic_begin"):
                yield after(atomic=True)
            case Call(procedure="corral_atomic_end"):
                yield after(atomic=False)
            case Call():
                yield from self._call(state, thread, statement, env)
            case _:
                raise AssertionError(statement)

    def _call(self, state: State, thread: Thread, call: Call, env: Env) -> Iterator[State]:
        callee = self.program.procedure_named[call.procedure]
        values = [self.evaluator.evaluate(a, env) for a in call.args]
        params = {p.name: v for p, v in zip(callee.params, values, strict=True)}
        *below, frame = thread.frames
        moved = replace(frame, index=frame.index + 1)
        if not call.asynchronous:
            inner = self._frame(callee, params, call.results)
            yield self._with(state, replace(thread, frames=(*below, moved, inner)))
            return
        child = Thread((self._frame(callee, params),), self._fresh_own(), (*thread.path, thread.started))
        new = self._with(state, replace(thread, frames=(*below, moved), started=thread.started + 1))
        new = replace(new, threads=(*new.threads, child))
        yield new
        if (self.preemptive and not thread.atomic) or is_marked(call.attributes, SWITCH):
            yield replace(new, turns=(*new.turns, len(new.threads) - 1))

    def _returned(self, state: State, thread: Thread) -> State:
        *below, frame = thread.frames
        callee = self.program.procedure_named[frame.procedure]
        given = [dict(frame.locals)[r.name] for r in callee.results]
        new = self._with(state, replace(thread, frames=tuple(below)))
        return self._assigned(new, list(zip(frame.results, given, strict=True))) if frame.results else new

    def _with(self, state: State, thread: Thread) -> State:
        threads = list(state.threads)
        threads[state.turns[-1]] = thread
        return replace(state, threads=tuple(threads))

    def _assigned(self, state: State, changes: list[tuple[Var, Value]]) -> State:
        thread = state.threads[state.turns[-1]]
        for var, value in changes:
            if var.scope is not Scope.GLOBAL:
                *below, frame = thread.frames
                thread = replace(thread, frames=(*below, replace(frame, locals=_set(frame.locals, var, value))))
            elif var.name in self.own:
                thread = replace(thread, own=_set(thread.own, var, value))
            else:
                state = replace(state, globals=_set(state.globals, var, value))
        return self._with(state, thread)


def _first(var: Var) -> Value:
    if isinstance(var.type, Map):
        return MapValue(_first(Var(var.name, var.type.range, var.scope)))
    return False if var.type is BOOL else UNSET


def _set(values: Values, var: Var, value: Value) -> Values:
    return tuple((name, value if name == var.name else old) for name, old in values)


def failures(program: Program, preemptive: bool, rounds: int | None) -> set[int]:
    """The lines of the assertions that can fail in so many rounds, or in any number."""
    return Explorer(program, preemptive, rounds).run()
