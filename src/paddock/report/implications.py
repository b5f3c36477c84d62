"""Which assertions imply which, as plain data, and the part of it that is worth showing.

Text and pictures show each implication that does not follow from others; JSON has them all. Assertions that imply each
other are one node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paddock.frozen import field, frozen

LONGEST_TEXT = 60


@frozen
class RelatedAssertion:
    """An assertion; `copies` counts how often it is met in the unwound program."""

    id: str
    file: str
    line: int
    column: int
    text: str
    copies: int


@frozen
class ImplicationGraph:
    """Assertions, pairs of their ids (the first implies the second) with the direction (`forward`: the first comes
    first), and counts. `bounded` says that it holds within bounds only, `reason` why there may be more implications."""

    assertions: tuple[RelatedAssertion, ...]
    implications: tuple[tuple[str, str, str], ...]
    strongest: tuple[str, ...]
    weakest: tuple[str, ...]
    stats: Mapping[str, int | float] = field(default_factory=dict)
    bounded: bool = False
    reason: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether all implications were looked for."""
        return not self.reason


@frozen
class Forest:
    """The graph with classes of assertions that imply each other for nodes, each by its first member, and without the
    edges that follow from others."""

    members: Mapping[str, Sequence[str]]
    weaker: Mapping[str, Sequence[str]]

    def roots(self) -> list[str]:
        """The nodes that no other implies."""
        below = {node for nodes in self.weaker.values() for node in nodes}
        return [node for node in self.members if node not in below]


def forest(graph: ImplicationGraph) -> Forest:
    """The classes and the edges between them that are worth showing."""
    implied = {a.id: set[str]() for a in graph.assertions}
    for stronger, weaker, _ in graph.implications:
        implied[stronger].add(weaker)
    first: dict[str, str] = {}
    for a in implied:
        first[a] = next(b for b in implied if b == a or (b in implied[a] and a in implied[b]))
    members = {node: [a for a in implied if first[a] == node] for node in implied if first[node] == node}
    below = {node: [m for m in members if m != node and m in implied[node]] for node in members}
    follows = {node: {m for between in below[node] for m in below[between]} for node in below}
    return Forest(members, {node: [m for m in below[node] if m not in follows[node]] for node in below})


def about(graph: ImplicationGraph, of: str) -> ImplicationGraph:
    """The part of the graph that one assertion is in: itself, what implies it and what it implies."""
    kept = {of, *(b for a, b, _ in graph.implications if a == of), *(a for a, b, _ in graph.implications if b == of)}
    return ImplicationGraph(
        tuple(a for a in graph.assertions if a.id in kept),
        tuple(i for i in graph.implications if i[0] in kept and i[1] in kept),
        tuple(a for a in graph.strongest if a in kept),
        tuple(a for a in graph.weakest if a in kept),
        graph.stats,
        graph.bounded,
        graph.reason,
        graph.warnings,
    )


def labelled(graph: ImplicationGraph, shown: Forest) -> dict[str, list[str]]:
    """The nodes that have to do with others, each with a line for each of its assertions."""
    lines = {a.id: f"{a.file.rpartition('/')[2]}:{a.line}  {shortened(a.text)}" for a in graph.assertions}
    roots = set(shown.roots())
    related = [n for n in shown.members if shown.weaker[n] or len(shown.members[n]) > 1 or n not in roots]
    return {node: [lines[member] for member in shown.members[node]] for node in related}


def incompleteness(graph: ImplicationGraph) -> str:
    """What to say of a graph from which implications may be missing."""
    return f"incomplete ({graph.reason}): there may be more implications"


def shortened(text: str) -> str:
    """A text that fits into a line."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
