"""Lifetimes of local objects: when they begin, when they end, also where jumps enter and leave blocks.

An object begins where it is declared, or when its block is entered if jumps pass over the declaration (`jumps.py`).
That it ends matters only to the checks of pointers.
"""

from __future__ import annotations

from collections.abc import Iterable

from paddock.frontends.c import tree as t
from paddock.frontends.c.jumps import Jumps
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.contents import Contents
from paddock.frontends.c.lowering.objects import Objects
from paddock.frontends.c.lowering.places import Places
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.walk import Node
from paddock.frozen import field, frozen


@frozen
class Lifetimes:
    """Begins and ends local objects."""

    blocks: Blocks
    objects: Objects
    places: Places
    contents: Contents
    variables: Variables
    jumps: Jumps  # of the function
    begun: dict[t.Variable, None] = field(default_factory=dict)  # local objects with constant addresses
    around: list[Node] = field(default_factory=list)  # the blocks around the current statement
    scopes: list[list[t.Variable]] = field(default_factory=list)  # the objects that end with each of them

    def begin(self, variable: t.Variable, *, is_initialised: bool = False) -> None:
        """A local object comes to life, with arbitrary content unless it gets its first value next."""
        self.places.messages.unsupported_types(variable, self.contents.leaves.of(variable.type))
        if self.variables.is_plain(variable):
            self._set_arbitrary(variable, is_initialised=is_initialised)
            return
        if not self.variables.has_constant_address(variable):
            size = self.places.size_of(variable.type)
            address = self.variables.own_address(variable)
            self.objects.allocate(address, size, heap=False, name=variable.name, shown=variable.type)
            return
        self.begun[variable] = None
        self.objects.begin(self.variables.address_of(variable), self.places.size_of(variable.type))
        self._set_arbitrary(variable, is_initialised=is_initialised)

    def declared(self, variable: t.Variable, *, is_initialised: bool) -> None:
        """The declaration of a local object, or its compound literal, is reached."""
        if variable in self.jumps.begins_early:
            self._set_arbitrary(variable, is_initialised=is_initialised)
            return
        self.begin(variable, is_initialised=is_initialised)
        self._note_begun(variable)

    def _note_begun(self, variable: t.Variable) -> None:
        if self.scopes and not self.variables.is_plain(variable):
            self.scopes[-1].append(variable)

    def _set_arbitrary(self, variable: t.Variable, *, is_initialised: bool) -> None:
        if is_initialised:
            return
        if self.variables.is_plain(variable):
            held = self.variables.plain_variable(variable).variables.values()
            self.blocks.havoc(*held)
            self.objects.initialised.begin(held)
            return
        self.contents.make_arbitrary(self.places.in_memory(variable))

    # --- blocks ----------------------------------------------------------------------------------------------

    def enter_block(self, block: Node) -> None:
        """Enter a block from above; the body of the function is around all others, and never left before its end."""
        if block is not self.jumps.body:
            self.around.append(block)
            self.scopes.append([])
        for variable in self.jumps.early.get(block, ()):
            if self.blocks.is_open:
                self.begin(variable)
            self._note_begun(variable)

    def leave_block(self) -> None:
        """Leave the innermost block at its end."""
        self.end_blocks(len(self.scopes) - 1)
        self.scopes.pop()
        self.around.pop()

    def end_blocks(self, outer: int) -> None:
        """End the objects of the blocks that are left by a jump, or at their end: those inside of some outer ones."""
        if self.objects.settings.tracks_objects and self.blocks.is_open:
            for scope in self.scopes[outer:]:
                self.end(scope)

    def end(self, variables: Iterable[t.Variable]) -> None:
        """End objects; plain variables are none."""
        for variable in variables:
            if not self.variables.is_plain(variable):
                self.objects.end(self.variables.address_of(variable))

    def jump(self, around: tuple[Node, ...]) -> None:
        """A jump to a label or a case with some blocks around it: it leaves blocks and enters others."""
        if not self.blocks.is_open:
            return
        common = 0
        while common < min(len(around), len(self.around)) and around[common] is self.around[common]:
            common += 1
        self.end_blocks(common)
        for block in around[common:]:
            for variable in self.jumps.early.get(block, ()):
                self.begin(variable)
