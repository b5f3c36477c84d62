"""Where jumps of a function go, over which declarations, and how long its objects live (C11 6.2.4).

    switch (n) { int d; case 1: p = &d; }        d lives from where its block is entered, also by a jump to `case 1`

A local object lives from the entry into its block to the end of the block, unless its type has a variable length. It
makes no difference to let it begin where it is declared, as long as no jump passes over the declaration: forwards, so
that it is not reached, or backwards, so that it is reached again. The objects for which it does are *early*.

Blocks are compound statements, loops, bodies of loops and statement expressions. That of the function is not listed
among those around a statement: it is never left by a jump.
"""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.walk import Node, children
from paddock.frozen import field, frozen, mutable

_LOOPS = t.While | t.DoWhile | t.For


@frozen
class _Object:
    variable: t.Variable
    position: int
    block: Node  # in which it lives
    again: bool  # whether a loop that is this block comes to it again


@frozen
class _Point:
    """A place in the text and the blocks around it."""

    position: int
    around: tuple[Node, ...]


@mutable
class Jumps:
    """What is known of the jumps of a function."""

    body: t.Block
    blocks: set[Node] = field(default_factory=set)
    targets: dict[str | t.Statement, _Point] = field(default_factory=dict)  # labels by name, cases by themselves
    early: dict[Node, list[t.Variable]] = field(default_factory=dict)  # those that begin when a block is entered
    begins_early: set[t.Variable] = field(default_factory=set)
    ended: dict[t.Goto, list[t.Variable]] = field(default_factory=dict)  # of variable length, left without their block

    def around(self, target: str | t.Statement) -> tuple[Node, ...]:
        """The blocks around a label or a case."""
        return self.targets[target].around


def jumps_of(body: t.Block) -> Jumps:
    """The jumps of a function with this body."""
    found = Jumps(body)
    walk = _Walk(found)
    walk.visit_all()
    by_block: dict[Node, list[_Object]] = {}
    for item in walk.objects:
        by_block.setdefault(item.block, []).append(item)
        if item.again and not is_of_variable_length(item.variable.type):
            found.begins_early.add(item.variable)
    for source, to, goto in walk.jumps:
        target = found.targets[to]
        for block in (body, *target.around):
            for item in by_block.get(block, ()):
                if not is_of_variable_length(item.variable.type):
                    if _passes(item, source, target, body):
                        found.begins_early.add(item.variable)
                elif goto is not None and _goes_back(item, source, target, body):
                    found.ended.setdefault(goto, []).append(item.variable)
    for item in walk.objects:
        if item.variable in found.begins_early:
            found.early.setdefault(item.block, []).append(item.variable)
    return found


def is_of_variable_length(type_: c.CType) -> bool:
    while isinstance(type_, c.ArrayType):
        type_ = type_.element
    return isinstance(type_, c.VariableArrayType)


def _passes(item: _Object, source: _Point, target: _Point, body: t.Block) -> bool:
    """Whether a jump into the block of an object arrives on the other side of its declaration."""
    if item.block is not body and item.block not in source.around:
        return item.position < target.position
    return (source.position < item.position) != (target.position < item.position)


def _goes_back(item: _Object, source: _Point, target: _Point, body: t.Block) -> bool:
    """Whether a jump in the block of an object goes back from behind its declaration to before it."""
    stays = item.block is body or item.block in source.around
    return stays and target.position < item.position < source.position


class _Walk:
    """One pass over the text of a function."""

    def __init__(self, found: Jumps) -> None:
        self.found = found
        self.objects: list[_Object] = []
        # Where they start, what they go to, and the statement itself unless it is a switch.
        self.jumps: list[tuple[_Point, str | t.Statement, t.Goto | None]] = []
        self._position = 0

    def visit_all(self) -> None:
        none: _Point | None = None
        stack: list[tuple[Node, tuple[Node, ...], _Point | None, bool]] = [
            (statement, (), none, False) for statement in reversed(self.found.body.statements)
        ]
        while stack:
            node, around, switch, again = stack.pop()
            self._position += 1
            self._visit(node, _Point(self._position, around), switch, again)
            if isinstance(node, t.Block | t.StatementExpression | _LOOPS):
                self.found.blocks.add(node)
            if node in self.found.blocks:
                around, again = (*around, node), False
            if isinstance(node, t.Switch):
                switch = _Point(self._position, around)
            first = node.first if isinstance(node, t.For) else ()
            for child in reversed(children(node)):
                if isinstance(node, _LOOPS) and child is node.body:
                    self.found.blocks.add(child)
                is_again = again or (isinstance(node, _LOOPS) and child not in first)
                stack.append((child, around, switch, is_again))

    def _visit(self, node: Node, point: _Point, switch: _Point | None, again: bool) -> None:
        match node:
            case t.Declare(variable=variable) | t.CompoundLiteral(variable=variable):
                block = point.around[-1] if point.around else self.found.body
                self.objects.append(_Object(variable, point.position, block, again))
            case t.Label(name=name):
                self.found.targets[name] = point
            case t.Case() | t.Default() if switch is not None:
                self.found.targets[node] = point
                self.jumps.append((switch, node, None))
            case t.ComputedGoto(labels=labels):
                self.jumps += [(point, label, None) for label in labels]
            case t.Goto():
                self.jumps.append((point, node.label, node))
