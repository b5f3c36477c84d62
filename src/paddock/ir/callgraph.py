"""The call graph of a program. Asynchronous and parallel calls are edges like any other.

Calls of procedures that are not declared are left out; the validator reports them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from paddock.ir.graph import predecessors, reachable, strongly_connected_components
from paddock.ir.program import Procedure, Program
from paddock.ir.stmt import Call, ParCall


def calls(procedure: Procedure) -> Iterator[Call]:
    """Every call in the procedure's bodies, in source order; those of a `par` one by one."""
    for implementation in procedure.implementations:
        for block in implementation.blocks:
            for statement in block.statements:
                if isinstance(statement, Call):
                    yield statement
                elif isinstance(statement, ParCall):
                    yield from statement.calls


class CallGraph:
    """Who calls whom, by name. Each callee is listed once, in the order of the first calls."""

    def __init__(self, program: Program) -> None:
        declared = program.procedure_named
        self.callees: dict[str, list[str]] = {
            name: list(dict.fromkeys(c.procedure for c in calls(procedure) if c.procedure in declared))
            for name, procedure in declared.items()
        }

    @cached_property
    def callers(self) -> dict[str, list[str]]:
        return predecessors(self.callees)

    @cached_property
    def components(self) -> list[list[str]]:
        """Groups of mutually recursive procedures, callees before callers."""
        return strongly_connected_components(self.callees)

    @cached_property
    def recursive(self) -> frozenset[str]:
        """The procedures that may call themselves, directly or through others."""
        return frozenset(
            name for group in self.components for name in group if len(group) > 1 or name in self.callees[name]
        )

    def reachable(self, roots: Iterable[str]) -> list[str]:
        """The roots and all that they call, directly or through others, nearest first."""
        return reachable(self.callees, roots)
