"""Pointers that leave the member of a struct that they point to."""

from __future__ import annotations

from paddock.frontends.c import types as c
from paddock.frontends.c.pointsto_nodes import Node, Nodes, extent_of
from paddock.frontends.c.views import view_of


def _moves(node: Node) -> bool:
    """Whether pointers to a class move, perhaps farther than what they point to."""
    return any(node.walked.values())


def leaves_member(node: Node, layout: c.Layout) -> bool:
    """Whether a pointer to a member is used to reach more than the member: as another struct, over elements of
    another type, or as a larger scalar, also one that it reaches when it has moved."""
    if not node.containers:
        return False
    if _moves(node) and node.record is None and node.declared is not None:
        own = extent_of(node.declared, layout)
        if own is not None and any(size > own for size in node.accesses.values()):
            return True
    is_other = node.record is not None and node.declared is not node.record
    reach = max((node.reach, *node.accesses.values()))
    is_larger = node.extent is not None and reach > node.extent
    return node.collapsed or is_other or is_larger or any(type_ is not node.declared for type_ in node.walked)


def join_neighbours(nodes: Nodes, node: Node) -> bool:
    """A pointer that moves may leave its member for another one of the same type, in any struct around it: they are one
    class. What has another type is not met there (C11 6.5, 7). Whether there was anything to join."""
    if not (_moves(node) and node.containers) or node.collapsed or node.declared is None:
        return False
    around: dict[Node, None] = {}
    stack = list(node.containers)
    while stack:
        outer = nodes.find(stack.pop())
        if outer not in around:
            around[outer] = None
            stack += outer.containers
    view, changed = view_of(node.declared), False
    inside = dict.fromkeys(part for outer in around for part in nodes.inside(outer))
    for part, index, member in [(outer, *entry) for outer in inside for entry in outer.fields.items()]:
        member, node = nodes.find(member), nodes.find(node)
        if member is node or member.declared is None or _is_bit_field(part, index, nodes.layout):
            continue
        if view_of(member.declared) == view:
            nodes.unify(node, member)
            changed = True
    return changed


def _is_bit_field(node: Node, index: int, layout: c.Layout) -> bool:
    definition = layout.definition(node.record) if node.record is not None else None
    return definition is not None and any(f.index == index and f.bit_width is not None for f in definition.fields)
