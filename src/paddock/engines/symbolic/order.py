"""In which order the blocks of a procedure are executed: a weak topological order (Bourdoncle, Efficient chaotic
iteration strategies with widenings, FMPA 1993).

Every loop is a component with a head; components nest. A visit of a block has a key: the position of its outermost
component, the number of the iteration, the position inside, and so on. Visits in the order of their keys come after
all that can lead to them, so that states are merged before they go on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paddock.frozen import frozen
from paddock.ir.graph import reverse_postorder, strongly_connected_components

Key = tuple[int, ...]


@frozen
class Place:
    """Where a block is: the heads of the loops around it, outermost first, the position of each loop in the one around
    it, and that of the block in the innermost."""

    heads: tuple[str, ...]
    positions: tuple[int, ...]


def places(graph: Mapping[str, Sequence[str]], entry: str) -> dict[str, Place]:
    """The place of every block that the entry reaches."""
    found: dict[str, Place] = {}
    order = reverse_postorder(graph, entry)
    # What is still to be put in order: blocks, the place of the loop that they are in, and its head.
    waiting: list[tuple[list[str], Place, str | None]] = [(order, Place((), ()), None)]
    while waiting:
        blocks, around, head = waiting.pop()
        rank = {b: n for n, b in enumerate(blocks)}
        edges = {b: [s for s in graph[b] if s in rank and s != head] for b in blocks}
        components = strongly_connected_components(edges)
        for position, component in enumerate(reversed(components)):
            positions = (*around.positions, position)
            members = sorted(component, key=rank.__getitem__)
            first = members[0]
            if len(members) == 1 and first not in edges[first]:
                found[first] = Place(around.heads, positions)
            else:
                waiting.append((members, Place((*around.heads, first), positions), first))
    return found


def key_of(place: Place, iterations: Sequence[int]) -> Key:
    """The key of a visit in these iterations of the loops around the block."""
    key: list[int] = []
    for position, iteration in zip(place.positions, iterations, strict=False):
        key += (position, iteration)
    return (*key, place.positions[-1])


def next_iterations(source: Place, target: Place, label: str, iterations: Sequence[int]) -> tuple[int, ...]:
    """The iterations in which a target is visited from a source: in the loops that both are in they go on, and a head
    that is visited from inside of its loop is visited in the next iteration."""
    common = 0
    for a, b in zip(source.heads, target.heads, strict=False):
        if a != b:
            break
        common += 1
    result = [*iterations[:common], *[0] * (len(target.heads) - common)]
    if common and target.heads[common - 1] == label and common == len(target.heads):
        result[common - 1] += 1
    return tuple(result)
