"""Constant addresses: of functions, of string literals, and of objects of which there is one at a time."""

from __future__ import annotations

from collections.abc import Container

from paddock.frontends.c import tree as t
from paddock.frontends.c.arithmetic.addresses import Addresses
from paddock.frontends.c.jumps import is_of_variable_length
from paddock.frontends.c.memory_space import ANY_LENGTH, Space
from paddock.frontends.c.types import Layout
from paddock.ir.expr import Expr

FIRST_FUNCTION = 16  # the address of the first function
FUNCTION_SPACING = 16


class ConstantAddresses:
    """Gives constant addresses on first use. `recursive` are the functions that may be active several times at once,
    `renewed` the locals whose objects must be distinguished from those that have ended."""

    def __init__(
        self,
        space: Space,
        addresses: Addresses,
        layout: Layout,
        recursive: Container[str],
        renewed: Container[t.Variable],
    ) -> None:
        self.functions: dict[str, int] = {}
        self.strings: dict[t.StringLiteral, int] = {}
        self.variables: dict[t.Variable, int] = {}
        self.space, self._addresses, self._layout = space, addresses, layout
        self._recursive, self._renewed = recursive, renewed

    def function(self, name: str) -> Expr:
        if name not in self.functions:
            self.functions[name] = FIRST_FUNCTION + FUNCTION_SPACING * len(self.functions)
        return self._addresses.literal(self.functions[name])

    def string(self, literal: t.StringLiteral) -> Expr:
        return self._addresses.literal(self.number(literal))

    def variable(self, variable: t.Variable) -> Expr:
        """The address of an object that has a constant one."""
        return self._addresses.literal(self.number(variable))

    def number(self, object_: t.Variable | t.StringLiteral) -> int:
        """The constant address of an object, which gets it now if it has none yet."""
        if isinstance(object_, t.StringLiteral):
            if object_ not in self.strings:
                self.strings[object_] = self.space.place(self._layout.size(object_.type))
            return self.strings[object_]
        if object_ not in self.variables:
            size = self._layout.known_size(object_.type)
            self.variables[object_] = self.space.place(ANY_LENGTH if size is None else size)
        return self.variables[object_]

    def has_constant(self, variable: t.Variable, function: str) -> bool:
        """Whether there is at most one object for a variable of a function at a time, of a size that is known."""
        if variable.storage in (t.Storage.GLOBAL, t.Storage.STATIC_LOCAL):
            return True
        if function in self._recursive or variable in self._renewed:
            return False
        return not is_of_variable_length(variable.type)
