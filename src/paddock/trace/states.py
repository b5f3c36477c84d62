"""The states that a recorded run went through, made again from its steps, one step after the other.

A step says what it changed, so that nothing has to be executed twice. What a run never set and did not start with is
not known.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.program import Program
from paddock.ir.stmt import Assign, Call, Havoc
from paddock.ir.threads import is_thread_local
from paddock.ir.walk import variables
from paddock.trace.defaults import default_world
from paddock.trace.evaluate import Evaluator
from paddock.trace.run import Kind, Run, Step
from paddock.trace.values import Env, Undecided, Value


class States:
    """The state of a run before its first step, and after each step that `advance` is given."""

    def __init__(self, run: Run, program: Program) -> None:
        self._program = program
        self._evaluator = Evaluator(default_world(program))
        names = program.global_named
        self.globals = {name: value for name, value in run.initial.items() if name in names}
        entry = {name: value for name, value in run.initial.items() if name not in names}
        self._threads: list[tuple[list[dict[str, Value]], list[Call]]] = [([entry], [])]  # frames, and calls
        self._frames, self._calls = self._threads[0]
        # Globals of which each thread has its own: the values that those have left behind which do not run.
        self._of_threads = [g.name for g in program.globals if is_thread_local(g)]
        self._left: dict[int, dict[str, Value]] = {}
        self._running = 0

    def advance(self, step: Step) -> None:
        """Take a step of the run."""
        if step.thread != self._running:
            self._switch(step.thread)
        self._frames, self._calls = self._threads[step.thread]
        match step.kind, step.statement:
            case Kind.STATEMENT | Kind.ITERATIONS, Assign(targets) | Havoc(targets):
                self._set(targets, step)
            case Kind.CALL, Call() as call:
                self._calls.append(call)
                self._frames.append(dict(step.values))
            case Kind.THREAD, _:
                self._threads.append(([dict(step.values)], []))
            case Kind.RETURN, _ if self._calls:
                call = self._calls.pop()
                self._frames.pop()
                callee = self._program.procedure_named[call.procedure]
                if not callee.implementations:
                    self._set(callee.modifies, step)
                for target, result in zip(call.results, callee.results, strict=True):
                    if result.name in step.values:
                        self._state_of(target)[target.name] = step.values[result.name]

    def _switch(self, thread: int) -> None:
        own = self._of_threads
        self._left[self._running] = {name: self.globals.pop(name) for name in own if name in self.globals}
        self.globals |= self._left.pop(thread, {})
        self._running = thread

    def knows(self, name: str) -> bool:
        """Whether the value of a variable of the running procedure, or of a global, is known."""
        return name in self._frames[-1] or name in self.globals

    def learn(self, name: str, value: Value) -> None:
        """Take note of the value that a local variable of the running procedure has had all the time."""
        self._frames[-1][name] = value

    def value(self, expr: Expr) -> Value | None:
        """The value of an expression in the running procedure; None if it is not known."""
        if not all(v.scope is Scope.BOUND or v.name in self._state_of(v) for v in variables(expr)):
            return None
        try:
            return self._evaluator.evaluate(expr, Env(self.globals, self._frames[-1], self.globals))
        except Undecided:
            return None

    def _state_of(self, var: Var) -> dict[str, Value]:
        return self.globals if var.scope is Scope.GLOBAL else self._frames[-1]

    def _set(self, targets: Sequence[Var], step: Step) -> None:
        for target in targets:
            if target.name in step.values:
                self._state_of(target)[target.name] = step.values[target.name]
