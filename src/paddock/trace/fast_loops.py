"""How the interpreter runs loops that go on and on: after some iterations, many at once (`compiled_loops.py`).

That is for runs in which nothing is asked of an oracle. If the run is recorded, the first and the last iterations are,
step by step, and one step says how many were between them.
"""

from __future__ import annotations

from paddock.ir.expr import Scope, Var
from paddock.ir.program import Program
from paddock.ir.stmt import Assign
from paddock.ir.types import Map
from paddock.trace.compiled_loops import CompiledLoop, compiled, innermost_loops
from paddock.trace.configuration import Activation, Configuration, end
from paddock.trace.oracle import Why
from paddock.trace.run import Cut, Kind
from paddock.trace.values import LambdaValue, Later, MapValue, Value
from paddock.trace.world import World

_AFTER = 100  # visits of its head a loop is compiled
_AFTER_RECORDED = 5  # visits, if the run is recorded
_RECORDED = 3  # iterations before something else happens
_WORTH = 20  # iterations at once
_MOST_VAIN = 10  # attempts that were not worth it


class FastLoops:
    """The loops of one run. They may take so much `work`: lines of compiled text."""

    def __init__(self, program: Program, world: World, work: int) -> None:
        self._program = program
        self._world = world
        self._work = work
        self._heads: dict[int, dict[str, frozenset[str]]] = {}  # by implementation, which the program keeps alive
        self._visits: dict[tuple[int, str], int] = {}
        self._loops: dict[tuple[int, str], CompiledLoop | None] = {}
        self._vain: dict[tuple[int, str], int] = {}

    def arrived(self, at: Configuration, activation: Activation) -> None:
        """A block is about to be visited: if it is the head of a loop that runs often, run all iterations that can."""
        implementation, label = activation.implementation, activation.block.label
        key = (id(implementation), label)
        if key[0] not in self._heads:
            self._heads[key[0]] = innermost_loops(implementation)
        if label not in self._heads[key[0]]:
            return
        self._visits[key] = self._visits.get(key, 0) + 1
        after = _AFTER_RECORDED if at.settings.record else _AFTER
        if self._visits[key] < after or self._vain.get(key, 0) >= _MOST_VAIN:
            return
        if key not in self._loops:
            inside = self._heads[key[0]][label]
            self._loops[key] = compiled(
                self._program, implementation, label, inside, lambda var: _known(at, activation, var)
            )
        loop = self._loops[key]
        if loop is not None:
            done = self._run(at, activation, loop)
            self._vain[key] = 0 if done >= _WORTH else self._vain.get(key, 0) + 1

    def _run(self, at: Configuration, activation: Activation, loop: CompiledLoop) -> int:
        """Run iterations; gives how many."""
        values: dict[Var, Value] = {}
        for var in loop.taken:
            value = _known(at, activation, var)
            if value is None or isinstance(value, LambdaValue) is not (var in loop.open_maps):
                return 0
            values[var] = value
        done, after = loop.run(values, self._work // loop.lines, self._world)
        if at.settings.record:
            done -= _RECORDED
            if done < _WORTH:
                return 0
            done, after = loop.run(values, done, self._world)
        self._work -= done * loop.lines
        if self._work < loop.lines:
            end(Cut("steps"))
        if not done:
            return 0
        for var, changed in after.items():
            at.state_of(var)[var.name] = (
                at.arbitrary(activation.procedure.name, var, Why.HAVOC) if changed is None else changed
            )
        known = tuple(var for var, changed in after.items() if changed is not None)
        at.note(Kind.ITERATIONS, Assign(known, known, origin=activation.block.origin), known, iterations=done)
        return done


def _known(at: Configuration, activation: Activation, var: Var) -> Value | None:
    """The value of a variable, if it is there and can be compiled."""
    state = at.globals if var.scope is Scope.GLOBAL else activation.locals
    value = state.get(var.name)
    known = value.value if isinstance(value, Later) else value
    return None if isinstance(var.type, Map) and not isinstance(known, MapValue | LambdaValue) else known
