"""The regions of a program as plain data: which loops are in which procedures and loops, and
which procedures they call (Akhundov et al., Verification by Gambling on Program Slices, Fig. 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paddock.frozen import frozen

BLUE = "#cfe2ff"  # the colour of loops, as in the paper


@frozen
class RegionNode:
    """A region: where it is, how many assertions are in it but in no region inside it, what is right inside it or
    called from there, and which of those a recursion leads back to."""

    id: str
    is_loop: bool
    file: str
    first_line: int
    last_line: int
    assertions: int
    children: tuple[str, ...]
    recursive: tuple[str, ...] = ()

    @property
    def lines(self) -> str:
        return f"{self.first_line}-{self.last_line}" if self.last_line > self.first_line else str(self.first_line)


Tree = Mapping[str, RegionNode]  # by id; the first is the whole program


def node_lines(node: RegionNode) -> Sequence[str]:
    """What a picture says of a region."""
    count = [f"{node.assertions} assertion{'s' if node.assertions > 1 else ''}"] if node.assertions else []
    return [node.lines if node.is_loop else node.id, *count]


def node_note(node: RegionNode) -> str:
    """What and where a region is."""
    count = f", {node.assertions} assertion{'s' if node.assertions > 1 else ''}" if node.assertions else ""
    return f"{'loop' if node.is_loop else 'procedure'} {node.file}:{node.lines}{count}"
