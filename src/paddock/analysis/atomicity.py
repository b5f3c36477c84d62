"""Where a thread may be inside an atomic section: between calls of `corral_atomic_begin` and `corral_atomic_end`, or of
`paddock_section_begin` and `paddock_section_end`, which nest.

Sections may begin in one procedure and end in another; each procedure is looked at once for callers inside and once for
callers outside of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from paddock.ir.program import Program
from paddock.ir.stmt import Call, Return

BEGIN, END = "corral_atomic_begin", "corral_atomic_end"
NESTED_BEGIN, NESTED_END = "paddock_section_begin", "paddock_section_end"
BEGINNINGS, SECTIONS = (BEGIN, NESTED_BEGIN), (BEGIN, END, NESTED_BEGIN, NESTED_END)

States = frozenset[int]  # in how many sections a thread may be; 0: outside
OUTSIDE: States = frozenset((0,))
_DEEPEST = 4  # sections inside each other that are distinguished; more count as many
_Context = tuple[str, int]  # a procedure, and in how many sections it was called


class Atomicity:
    """For each statement, whether threads that come there may be inside an atomic section."""

    def __init__(self, program: Program, roots: Iterable[str]) -> None:
        self._program = program
        self._states: dict[tuple[str, str, int], set[int]] = {}
        self._exits: dict[_Context, set[int]] = {}
        self._callers: dict[_Context, set[_Context]] = {}
        self.has_sections = any(name in program.procedure_named for name in BEGINNINGS)
        if self.has_sections:
            self._solve([(root, 0) for root in roots])

    def at(self, procedure: str, label: str, index: int) -> States:
        """The states in which a thread may be before a statement; none if it cannot come there."""
        return frozenset(self._states.get((procedure, label, index), ())) if self.has_sections else OUTSIDE

    def _solve(self, roots: list[_Context]) -> None:
        todo = list(roots)
        seen = set(todo)
        while todo:
            context = todo.pop()
            exits, called = self._run(context)
            for callee in called:
                self._callers.setdefault(callee, set()).add(context)
                if callee not in seen:
                    seen.add(callee)
                    todo.append(callee)
            if not exits <= self._exits.setdefault(context, set()):
                self._exits[context] |= exits
                todo += self._callers.get(context, ())

    def _run(self, context: _Context) -> tuple[set[int], set[_Context]]:
        """The states in which a procedure returns, as far as is known of what it calls, and what it calls."""
        name, start = context
        exits: set[int] = set()
        called: set[_Context] = set()
        for implementation in self._program.procedure_named[name].implementations:
            blocks = {b.label: b for b in implementation.blocks}
            todo = [(implementation.blocks[0].label, start)]
            seen = set(todo)
            while todo:
                label, state = todo.pop()
                block = blocks[label]
                states = {state}
                for index, statement in enumerate(block.statements):
                    self._states.setdefault((name, label, index), set()).update(states)
                    if isinstance(statement, Call) and not statement.asynchronous:
                        states = self._after(statement, states, called)
                self._states.setdefault((name, label, len(block.statements)), set()).update(states)
                if isinstance(block.transfer, Return):
                    exits |= states
                for target in block.successors:
                    new = [(target, s) for s in states if (target, s) not in seen]
                    seen.update(new)
                    todo += new
        return exits, called

    def _after(self, call: Call, states: set[int], called: set[_Context]) -> set[int]:
        if call.procedure in SECTIONS:
            return {after for state in states for after in _moved(call.procedure, state)}
        if not self._program.procedure_named[call.procedure].implementations:
            return states
        contexts = {(call.procedure, s) for s in states}
        called |= contexts
        return {after for context in contexts for after in self._exits.get(context, ())}


def _moved(primitive: str, state: int) -> Iterable[int]:
    """In how many sections a thread is after it begins or ends one."""
    match primitive:
        case "corral_atomic_begin":
            return (1,)
        case "corral_atomic_end":
            return (0,)
        case "paddock_section_begin":
            return (min(state + 1, _DEEPEST),)
        case _ if state == _DEEPEST:
            return (_DEEPEST, _DEEPEST - 1)
        case _:
            return (max(state - 1, 0),)
