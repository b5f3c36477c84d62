"""How deep a search goes: how many activations of one procedure may be on the stack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paddock.engines.inlining.graph import Edge
from paddock.ir.expr import Attribute, Lit
from paddock.ir.graph import strongly_connected_components
from paddock.ir.origin import Origin
from paddock.ir.program import Procedure, Program, find_attribute, is_loop

MOST_VISITS = 300_000  # of blocks in one execution

Place = tuple[str, int, int]  # file, line, column


def place_of(origin: Origin) -> Place:
    """Where something is, whatever was made of it."""
    return origin.file, origin.line, origin.column


class Bounds:
    """The bounds of a program: one for recursion, one for loops (which are recursive procedures, too), and what
    `{:SIextraRecBound k}` adds for single procedures. A search deepens from 1 to `last`. With `constant_loops`, those
    that run `{:iterations N}` (see the pass `bound-loops`) may run to their end from the first bound on. A procedure
    that stands for `{:recursion "P", …}` (see the pass `deep-asserts`) may run as often as those together. Where blocks
    are executed one by one, that may be so many `visits`. Loops that start at the places `own` have bounds of their
    own, which they keep to."""

    def __init__(
        self,
        program: Program,
        recursion: int,
        loops: int,
        constant_loops: bool = True,
        visits: int = MOST_VISITS,
        own: Mapping[Place, int] | None = None,
    ) -> None:
        self._own = own or {}
        loop_names = {p.name for p in program.procedures if is_loop(p)}
        self._most = {
            p.name: self._own.get(place_of(p.origin), loops) if p.name in loop_names else recursion
            for p in program.procedures
        }
        self._together = {
            p.name: len(those.params)
            for p in program.procedures
            if (those := find_attribute(p.attributes, "recursion"))
        }
        self.constant_loops = constant_loops
        self.visits = visits
        self._loops = loops
        self._extra = _numbers(program.procedures, "SIextraRecBound")
        free = loop_names if constant_loops else set()
        constant = [p for p in program.procedures if p.name in free and place_of(p.origin) not in self._own]
        self._iterations = _numbers(constant, "iterations")
        deepest = max(recursion, loops, *self._own.values())
        self.last = deepest if loop_names or _has_cycle(program) else recursion

    def allow(self, edge: Edge, bound: int) -> bool:
        """Whether a call may be inlined when the search is at `bound`."""
        return self.allow_call(edge.site.callee, edge.cost, bound)

    def allow_call(self, callee: str, cost: int, bound: int) -> bool:
        """Whether a procedure may be on the stack that often when the search is at `bound`."""
        return cost <= self.activations(callee, bound)

    def activations(self, procedure: str, bound: int) -> int:
        """How often a procedure may be on the stack when the search is at `bound`."""
        usual = min(bound, self._most[procedure]) * self._together.get(procedure, 1)
        return max(usual, self._iterations.get(procedure, 0) + 1) + self._extra.get(procedure, 0)

    def iterations(self, loop: Origin, bound: int) -> int:
        """How often the head of a loop that is not a procedure may be visited when the search is at `bound`."""
        return min(bound, self._own.get(place_of(loop), self._loops))

    def keeps_to_its_bound(self, loop: Origin) -> bool:
        """Whether a loop may not run to its end even if that is constant."""
        return not self.constant_loops or place_of(loop) in self._own

    def is_constant_loop(self, procedure: str) -> bool:
        """Whether a procedure is a loop that may run to its end."""
        return procedure in self._iterations


def _has_cycle(program: Program) -> bool:
    """Whether a procedure has a loop in it."""
    bodies = (i for p in program.procedures for i in p.implementations)
    graphs = ({b.label: b.successors for b in body.blocks} for body in bodies)
    return any(
        len(component) > 1 or component[0] in graph[component[0]]
        for graph in graphs
        for component in strongly_connected_components(graph)
    )


def _numbers(procedures: Iterable[Procedure], attribute_name: str) -> dict[str, int]:
    """The numbers that an attribute gives to procedures, by name; the sum where there are several."""
    numbers: dict[str, int] = {}
    for procedure in procedures:
        for attribute in procedure.attributes:
            match attribute:
                case Attribute(name, (Lit(int(number)),)) if name == attribute_name:
                    numbers[procedure.name] = numbers.get(procedure.name, 0) + number
    return numbers
