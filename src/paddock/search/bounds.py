"""How deep a search goes: how many activations of one procedure may be on the stack."""

from __future__ import annotations

from paddock.ir.expr import Lit
from paddock.ir.program import Procedure, Program, find_attribute
from paddock.search.graph import Edge


class Bounds:
    """The bounds of a program: one for recursion, one for loops (which are recursive procedures, too), and what
    `{:SIextraRecBound k}` adds for single procedures. A search deepens from 1 to `last`."""

    def __init__(self, program: Program, recursion: int, loops: int) -> None:
        is_loop = {p.name for p in program.procedures if find_attribute(p.attributes, "loop")}
        self._most = {p.name: loops if p.name in is_loop else recursion for p in program.procedures}
        self._extra = {p.name: extra for p in program.procedures if (extra := _extra(p))}
        self.last = max(recursion, loops) if is_loop else recursion

    def allow(self, edge: Edge, bound: int) -> bool:
        """Whether a call may be inlined when the search is at `bound`."""
        return self.allow_call(edge.site.callee, edge.cost, bound)

    def allow_call(self, callee: str, cost: int, bound: int) -> bool:
        """Whether a procedure may be on the stack that often when the search is at `bound`."""
        return cost <= min(bound, self._most[callee]) + self._extra.get(callee, 0)


def _extra(procedure: Procedure) -> int:
    attribute = find_attribute(procedure.attributes, "SIextraRecBound")
    match attribute.params if attribute else ():
        case (Lit(int(extra)),):
            return extra
        case _:
            return 0
