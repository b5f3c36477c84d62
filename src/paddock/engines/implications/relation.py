"""The assertion implication relation and its graph (assertion-implications paper, Definition 5), between assertions of
the source: each stands for all its copies in the unwound program."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from paddock.frozen import frozen
from paddock.ir.graph import predecessors, strongly_connected_components
from paddock.ir.origin import AssertionId


@frozen
class Implication:
    """If no copy of the stronger assertion fails, none of the weaker does. It is `forward` if each copy of the weaker
    is implied by copies in front of it."""

    stronger: AssertionId
    weaker: AssertionId
    forward: bool = True


@frozen(caches=True)
class Relation:
    """The assertions, in the order in which they are first met, and what is known to imply what. It holds on all
    executions if `everywhere`, else on those within the bounds."""

    assertions: tuple[AssertionId, ...]
    implications: tuple[Implication, ...]
    everywhere: bool = True

    @cached_property
    def weaker(self) -> dict[AssertionId, list[AssertionId]]:
        """What each assertion implies."""
        graph: dict[AssertionId, list[AssertionId]] = {assertion: [] for assertion in self.assertions}
        for implication in self.implications:
            graph[implication.stronger].append(implication.weaker)
        return graph

    @cached_property
    def stronger(self) -> dict[AssertionId, list[AssertionId]]:
        """What implies each assertion."""
        return predecessors(self.weaker)

    @cached_property
    def classes(self) -> list[list[AssertionId]]:
        """Assertions that imply each other are together; what implies others comes before them."""
        return [sorted(group, key=self.position.__getitem__) for group in self._components]

    @cached_property
    def _components(self) -> list[list[AssertionId]]:
        # Tarjan's order with its ties broken by the order of the program: what is met first comes first.
        backward = {a: list(reversed(self.weaker[a])) for a in reversed(self.assertions)}
        return list(reversed(strongly_connected_components(backward)))

    @cached_property
    def position(self) -> dict[AssertionId, int]:
        return {assertion: n for n, assertion in enumerate(self.assertions)}

    def strongest(self) -> list[AssertionId]:
        """Assertions that together imply all others, none of which another implies (§4.2): of those that imply each
        other, the first."""
        return self._ends(self.stronger)

    def weakest(self) -> list[AssertionId]:
        """Assertions that imply no others but those that imply them; of those that imply each other, the first."""
        return self._ends(self.weaker)

    def _ends(self, next_ones: dict[AssertionId, list[AssertionId]]) -> list[AssertionId]:
        ends = [group[0] for group in self.classes if all(o in group for member in group for o in next_ones[member])]
        return sorted(ends, key=self.position.__getitem__)


def closed(assertions: Iterable[AssertionId], implications: Iterable[Implication], everywhere: bool) -> Relation:
    """The relation with whatever follows, for implication is transitive."""
    order = list(assertions)
    number = {assertion: n for n, assertion in enumerate(order)}
    forward = [0] * len(order)
    any_way = [0] * len(order)
    for implication in implications:
        bit = 1 << number[implication.weaker]
        any_way[number[implication.stronger]] |= bit
        if implication.forward:
            forward[number[implication.stronger]] |= bit
    _close(forward)
    _close(any_way)
    found = [
        Implication(a, b, bool(forward[n] >> m & 1))
        for n, a in enumerate(order)
        for m, b in enumerate(order)
        if n != m and any_way[n] >> m & 1
    ]
    return Relation(tuple(order), tuple(found), everywhere)


def _close(successors: list[int]) -> None:
    """Warshall's algorithm, a row of bits at a time."""
    for middle, beyond in enumerate(successors):
        for n, reached in enumerate(successors):
            if reached >> middle & 1:
                successors[n] = reached | beyond
