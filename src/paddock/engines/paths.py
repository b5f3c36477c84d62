"""Paths between programs that differ only in their statements, and what of a program a path visits.

Abstraction keeps blocks and calls, so a path of an abstract program is one of the program itself: that is how Corral
concretises a counterexample (CAV 2012, §3.1).
"""

from __future__ import annotations

from paddock.frozen import replace
from paddock.ir.program import Procedure, Program
from paddock.ir.stmt import Call
from paddock.trace.path import Activation, Path, Visit


def lifted(path: Path, source: Program, target: Program) -> Path:
    """A path of one program as that of another with the same blocks and calls, and other statements besides. It has no
    values."""
    before, after = _Calls(source), _Calls(target)
    root = Activation(path.root.procedure)
    stack = [(path.root, root)]
    while stack:
        old, new = stack.pop()
        for visit in old.visits:
            copy = Visit(visit.label)
            new.visits.append(copy)
            numbers = (calls.numbers(old.procedure, visit.label) for calls in (before, after))
            for there, here in zip(*numbers, strict=True):
                if there in visit.calls:
                    called = visit.calls[there]
                    copy.calls[here] = Activation(called.procedure)
                    stack.append((called, copy.calls[here]))
    return Path(root, {})


class _Calls:
    """Where the calls of a program are."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._found: dict[str, dict[str, list[int]]] = {}

    def numbers(self, procedure: str, label: str) -> list[int]:
        """Which statements of a block are calls."""
        if procedure not in self._found:
            self._found[procedure] = {
                block.label: [k for k, s in enumerate(block.statements) if isinstance(s, Call)]
                for implementation in self._program.procedure_named[procedure].implementations
                for block in implementation.blocks
            }
        return self._found[procedure][label]


def footprint(program: Program, path: Path) -> Program:
    """The program with nothing but the blocks that a path visits and the contracts of what they call."""
    visited: dict[str, set[str]] = {}
    stack = [path.root]
    while stack:
        activation = stack.pop()
        labels = visited.setdefault(activation.procedure, set())
        for visit in activation.visits:
            labels.add(visit.label)
            stack += visit.calls.values()
    kept = [_visited(p, visited[p.name]) for p in program.procedures if p.name in visited]
    called = {
        s.procedure
        for p in kept
        for i in p.implementations
        for b in i.blocks
        for s in b.statements
        if isinstance(s, Call)
    }
    others = [replace(p, implementations=()) for p in program.procedures if p.name in called and p.name not in visited]
    return replace(program, procedures=(*kept, *others))


def _visited(procedure: Procedure, labels: set[str]) -> Procedure:
    implementations = (
        replace(i, blocks=tuple(b for b in i.blocks if b.label in labels)) for i in procedure.implementations
    )
    return replace(procedure, implementations=tuple(implementations))
