"""What calls do with pointers: of functions with a body, of those that the library has models of, and of all others."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.known_names import is_nondeterministic
from paddock.frontends.c.pointsto_constraints import Constraints
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.frontends.c.pointsto_nodes import Node
from paddock.frontends.c.pointsto_outside import Outside
from paddock.frontends.c.pointsto_tables import Tables
from paddock.frontends.c.pointsto_tree import (
    list_member,
    may_point,
)
from paddock.frontends.c.views import CHARACTER
from paddock.frozen import frozen


@frozen
class PointerCalls:
    """Binds arguments to parameters, and results to calls."""

    tables: Tables
    constraints: Constraints
    outside: Outside
    effect_of: Callable[[str, t.Call], PointerEffect | None]

    def call(self, call: t.Call, function: t.Function | None) -> None:
        if isinstance(call.type, c.RecordType):
            self.tables.targets[call] = self.tables.nodes.new("result")
        if isinstance(call.function, t.FunctionUse):
            name = call.function.name
            if name == "__builtin_va_start" and function is not None:
                position = self.list_position(call.arguments[0])
                self.tables.nodes.unify(self.tables.nodes.pointee(position), self.tables.variadic(function.name))
            elif name == "__builtin_va_copy":
                to, source = map(self.list_position, call.arguments)
                self.tables.nodes.unify(self.tables.nodes.pointee(to), self.tables.nodes.pointee(source))
            self.bind(name, call)
        else:
            self.tables.target(call.function).calls.append(call)

    def list_position(self, list_: t.Expression) -> Node:
        """The class of the place in a list of arguments that points to the next one."""
        assert isinstance(list_.type, c.PointerType)
        member = list_member(list_.type.target, self.tables.leaves.layout)
        place = self.tables.target(list_)
        if member is not None:
            place = self.tables.nodes.field(place, *member)
        self.constraints.access(place, c.PointerType(c.VOID))
        return self.tables.nodes.find(place)

    def bind(self, name: str, call: t.Call) -> None:
        """A function is called."""
        function = self.tables.functions.get(name)
        if function is None or function.body is None:
            effect = self.effect_of(name, call)
            if effect is not None:
                self._bind_effect(effect, call)
            else:
                self.bind_missing(name, call)
            return
        for parameter, argument in zip(function.parameters, call.arguments, strict=False):
            self.constraints.assign(self.tables.variable(parameter), parameter.type, argument)
        for argument in call.arguments[len(function.parameters) :]:
            self.constraints.assign(self.tables.variadic(name), argument.type, argument)
        result = self.tables.result(name)
        if isinstance(call.type, c.PointerType):
            self.tables.nodes.unify(self.tables.target(call), self.tables.nodes.pointee(result))
            if c.is_integer(function.type.result):
                self.tables.nodes.unify(self.tables.target(call), self.tables.exposed_places())
        elif isinstance(function.type.result, c.PointerType) and c.is_integer(call.type):
            self.tables.to_integers.append(self.tables.nodes.pointee(result))
        elif isinstance(call.type, c.RecordType):
            self.constraints.same(call.type, self.tables.target(call), result)

    def bind_missing(self, name: str, call: t.Call) -> None:
        """A function without a body is called: its result is what it was before, or an argument, or from outside."""
        if is_nondeterministic(name):
            self.outside.guesses += self._pointers_from(call)
        else:
            self.outside.pointers += self._pointers_from(call)
            for argument in call.arguments:
                self._hand_out(argument)
        if not isinstance(call.type, c.PointerType):
            return
        self.tables.nodes.unify(self.tables.target(call), self.tables.nodes.pointee(self.tables.result(name)))
        for argument in call.arguments:
            if argument.type is call.type:
                self.tables.nodes.unify(self.tables.target(call), self.tables.target(argument))

    def _pointers_from(self, call: t.Call) -> list[Node]:
        """What the pointers in the result of a call point to."""
        if isinstance(call.type, c.PointerType):
            return [self.tables.target(call)]
        return (
            self.tables.pointers_in(self.tables.target(call), call.type) if isinstance(call.type, c.RecordType) else []
        )

    def _hand_out(self, argument: t.Expression) -> None:
        """An argument goes outside, where anything may be done with what it points to."""
        if isinstance(argument.type, c.RecordType):
            self.outside.given += self.tables.pointers_in(self.tables.target(argument), argument.type)
        elif isinstance(argument.type, c.PointerType):
            self.outside.given.append(self.tables.target(argument))
            self.constraints.use_whole(argument)

    def _bind_effect(self, effect: PointerEffect, call: t.Call) -> None:
        if effect.copies is not None:
            to, source = (self.tables.target(call.arguments[n]) for n in effect.copies)
            self.tables.nodes.unify(to, source)
        if effect.length is not None:
            for n, argument in enumerate(call.arguments[: effect.length]):
                self.constraints.access_bytes(argument, call.arguments[effect.length])
                if self.constraints.use_whole(argument) in (CHARACTER, c.VOID) and n == effect.fills:
                    self.tables.target(argument).views[CHARACTER] = None
                    self.tables.target(argument).written = True
        if effect.writes is not None:
            pointer = call.arguments[effect.writes]
            assert isinstance(pointer.type, c.PointerType)
            self.constraints.access(self.tables.target(pointer), pointer.type.target)
            self.tables.target(pointer).written = True
        if effect.arbitrary:
            self.outside.given.append(self.tables.target(call.arguments[0]))
        if effect.returns is not None and may_point(call.type):
            self.tables.nodes.unify(self.tables.target(call), self.tables.target(call.arguments[effect.returns]))
        if effect.allocates:
            node = self.tables.target(call)
            node.is_dynamic = True
            node.name = "heap"
