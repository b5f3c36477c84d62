"""Colouring a graph so that neighbours differ: with the fewest colours where it is small, else with few.

A graph is a sequence that has, for each node, its neighbours as bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# Up to this many nodes, and this many steps of searching, the answer is the best there is.
EXACT_UP_TO = 24
MOST_STEPS = 20_000


def colour(neighbours: Sequence[int]) -> list[int]:
    """A colour (from 0) for each node."""
    colours = _dsatur(neighbours)
    if len(neighbours) <= EXACT_UP_TO:
        return _fewest(neighbours, colours)
    return colours


def _dsatur(neighbours: Sequence[int]) -> list[int]:
    """Brélaz's heuristic: next is always the node whose neighbours already have the most different colours."""
    count = len(neighbours)
    degree = [bits.bit_count() for bits in neighbours]
    colours = [-1] * count
    near: list[int] = []  # for each colour, the neighbours of the nodes that have it
    seeing = [(1 << count) - 1]  # the nodes left that see no colour, one colour, two colours, ...
    for _ in range(count):
        while not seeing[-1]:
            seeing.pop()
        node = max(bits_of(seeing[-1]), key=lambda n: (degree[n], -n))
        seeing[-1] ^= 1 << node
        shade = next((c for c, bits in enumerate(near) if not bits >> node & 1), len(near))
        if shade == len(near):
            near.append(0)
        colours[node] = shade
        newly = neighbours[node] & ~near[shade]
        near[shade] |= newly
        seeing.append(0)
        for number in range(len(seeing) - 2, -1, -1):
            moved = seeing[number] & newly
            seeing[number] ^= moved
            seeing[number + 1] |= moved
    return colours


def bits_of(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, the lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _fewest(neighbours: Sequence[int], known: list[int]) -> list[int]:
    """The best colouring, by depth-first search below what is known; `known` if that takes too long."""
    best, best_count = known, max(known, default=-1) + 1
    order = sorted(range(len(neighbours)), key=lambda n: (-neighbours[n].bit_count(), n))
    colours: list[int] = []  # of the first nodes in `order`
    chosen: dict[int, int] = {}
    following = 0  # the colour to try next for the node at hand
    for _ in range(MOST_STEPS):
        at = len(colours)
        if at == len(order):
            best, best_count = [chosen[n] for n in range(len(order))], max(colours, default=-1) + 1
            following = best_count
        used = max(colours, default=-1) + 1
        forbidden = {chosen[o] for o in bits_of(neighbours[order[at]]) if o in chosen} if at < len(order) else set()
        shade = next((c for c in range(following, min(used + 1, best_count - 1)) if c not in forbidden), None)
        if at < len(order) and shade is not None:
            colours.append(shade)
            chosen[order[at]] = shade
            following = 0
        elif colours:
            following = colours.pop() + 1
            del chosen[order[len(colours)]]
        else:
            break
    return best
