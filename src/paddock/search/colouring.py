"""Colouring a graph so that neighbours differ: with the fewest colours where it is small, else with few."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

# Up to this many nodes, and this many steps of searching, the answer is the best there is.
EXACT_UP_TO = 24
MOST_STEPS = 20_000


def colour(neighbours: Sequence[AbstractSet[int]]) -> list[int]:
    """A colour (from 0) for each node."""
    colours = _dsatur(neighbours)
    if len(neighbours) <= EXACT_UP_TO:
        return _fewest(neighbours, colours)
    return colours


def _dsatur(neighbours: Sequence[AbstractSet[int]]) -> list[int]:
    """Brélaz's heuristic: next is always the node whose neighbours already have the most different colours."""
    count = len(neighbours)
    colours = [-1] * count
    seen: list[set[int]] = [set() for _ in range(count)]
    left = set(range(count))
    while left:
        node = max(left, key=lambda n: (len(seen[n]), len(neighbours[n]), -n))
        left.remove(node)
        shade = next(c for c in range(count) if c not in seen[node])
        colours[node] = shade
        for other in neighbours[node]:
            seen[other].add(shade)
    return colours


def _fewest(neighbours: Sequence[AbstractSet[int]], known: list[int]) -> list[int]:
    """The best colouring, by depth-first search below what is known; `known` if that takes too long."""
    best, best_count = known, max(known, default=-1) + 1
    order = sorted(range(len(neighbours)), key=lambda n: (-len(neighbours[n]), n))
    colours: list[int] = []  # of the first nodes in `order`
    chosen: dict[int, int] = {}
    following = 0  # the colour to try next for the node at hand
    for _ in range(MOST_STEPS):
        at = len(colours)
        if at == len(order):
            best, best_count = [chosen[n] for n in range(len(order))], max(colours, default=-1) + 1
            following = best_count
        used = max(colours, default=-1) + 1
        forbidden = {chosen[o] for o in neighbours[order[at]] if o in chosen} if at < len(order) else set()
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
