"""Pointers from outside: what arbitrary pointers may point to.

The arguments with which a program starts, the results of functions without a body, and pointers that are found in
memory that these reach or leave behind may be null, or point to memory of their own, or to any object that the outside
may *know*: a global with external linkage, and whatever can be reached from one or from what is handed to a function
without a body. Types are strict, as C's are (C11 6.5, 7): only parts of objects are met that have the type as which the
program uses what the pointer points to. Characters that the program writes through such a pointer may be anywhere.

A nondeterministic pointer is a guess: it may also be the address of whatever it is compared with. So may pointers of
the program itself be that it has given no value.

    int g; void f(int *p, struct s *q, float *r)      *p, g and the `int`s in *q are one class, *r is another

All that the points-to analysis does is to join classes, so one class has all places that such pointers may meet.
Objects that are in no class with what a pointer from outside points to are objects that it does not point to: the
lowering says so of its value (`lowering/outside.py`).
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.fitting import Fit, fit
from paddock.frontends.c.pointsto_nodes import Node, Nodes
from paddock.frontends.c.views import CHARACTER, view_of, without_dimensions
from paddock.frozen import field, mutable

OUTSIDE = ""  # a function that is called through a pointer from outside, and is not there


@mutable
class Outside:
    """What comes from outside and what goes there, by classes, and what follows."""

    nodes: Nodes
    known: list[t.Variable]  # the globals with external linkage
    defined: Mapping[str, t.Function]
    in_memory: dict[t.Variable, None]
    pointers: list[Node] = field(default_factory=list)  # targets of pointers from outside
    guesses: list[Node] = field(default_factory=list)  # targets of nondeterministic pointers
    given: list[Node] = field(default_factory=list)  # what is handed out: it may come back with any pointers in it
    returned: list[Node] = field(default_factory=list)  # results of functions that others may call
    comparisons: list[tuple[Node, Node]] = field(default_factory=list)
    functions: dict[str, Node] = field(default_factory=dict)  # those whose address is taken
    handed_out: set[str] = field(default_factory=set)  # those of them that others know whatever the program does
    called: list[t.Call] = field(default_factory=list)  # the calls through pointers from outside

    @property
    def is_there(self) -> bool:
        """Whether any pointer comes from outside."""
        return bool(self.pointers or self.guesses or self.given)

    def hand_out(self, name: str, node: Node) -> None:
        """Others know a function, whose address is taken where the program does not get."""
        self.functions[name] = node
        self.handed_out.add(name)

    def arbitrary(self) -> dict[Node, None]:
        """The targets of all pointers from outside, also of those that are found in memory."""
        find = self.nodes.find
        found = {find(node): None for node in (*self.pointers, *self.guesses)}
        for node in self.nodes.reachable((*found, *self.given)):
            if node.pointee is not None:
                found[find(node.pointee)] = None
        return found

    def settle(self, variables: Mapping[t.Variable, Node]) -> bool:
        """Join the targets of pointers from outside with what they may meet; whether there was anything to join."""
        if not self.is_there:
            return self._join_compared({}, {})
        targets = self.arbitrary()
        known = [(variable, self.nodes.find(variables[variable])) for variable in self.known if variable in variables]
        changed = self._join_views(list(targets), known)
        targets = self.arbitrary()
        reached = self.nodes.reachable((*targets, *self.given, *self.returned, *(node for _, node in known)))
        changed |= self._join_functions(targets, reached)
        parts = {part for target in targets for part in self.nodes.inside(target)}
        return self._join_compared(parts, reached) or changed

    def _join_compared(self, targets: Container[Node], reached: Container[Node]) -> bool:
        """Join what is compared, so that pointers that are equal point to the same; but pointers from outside are never
        equal to those to objects that are not known outside, unless they are guesses."""
        changed, find = False, self.nodes.find
        guesses = {find(node) for node in self.guesses}
        for a, b in self.comparisons:
            a, b = find(a), find(b)
            if a is b or self._overlap(a, b):
                continue
            is_guess = a in guesses or b in guesses
            if is_guess or (a not in targets and b not in targets) or (a in reached and b in reached):
                self.nodes.unify(a, b)
                changed = True
        return changed

    def _join_functions(self, targets: Iterable[Node], reached: Container[Node]) -> bool:
        """A call through a pointer from outside reaches all functions that fit, of those whose address is taken."""
        changed, find = False, self.nodes.find
        for name, node in self.functions.items():
            function = self.defined.get(name)
            is_inside = function is not None and function.static and name not in self.handed_out
            if function is None or (is_inside and find(node) not in reached):
                continue
            for target in map(find, targets):
                calls = [call for call in target.calls if isinstance(call, t.Call)]
                if find(node) is not target and any(
                    fit(function, call, self.nodes.layout) >= Fit.CLOSE for call in calls
                ):
                    self.nodes.unify(target, node)
                    changed = True
        return changed

    def _overlap(self, a: Node, b: Node) -> bool:
        """Whether one class is of members of the other."""
        return a in self.nodes.inside(b) or b in self.nodes.inside(a)

    def _join_views(self, targets: list[Node], known: list[tuple[t.Variable, Node]]) -> bool:
        """Join targets with all parts of known objects that have the types as which the targets are used."""
        views = {view for node in targets for view in _views(node)}
        if not views:
            return False
        find = self.nodes.find
        objects: list[tuple[t.Variable | None, Node]] = []
        parts: dict[Hashable, list[tuple[t.Variable | None, Node]]] = {}
        for variable, node in known:
            if not variable.const:  # nothing is written there
                objects.append((variable, node))
                for part, view in self._parts(node, variable.type):
                    parts.setdefault(view, []).append((variable, part))
        for node in self.nodes.reachable((*targets, *self.given, *self.returned, *(n for _, n in known))):
            if not node.functions:
                objects.append((None, node))
            for view in _views(node):
                parts.setdefault(view, []).append((None, node))
        changed = False
        for target in map(find, targets):
            anywhere = CHARACTER in target.views and target.written and not target.functions
            if anywhere and target.grain != 1:
                self._over_bytes(target)
                changed = True
            met = objects if anywhere else [part for view in _views(target) for part in parts.get(view, ())]
            for owner, part in met:
                if owner is not None and owner not in self.in_memory:
                    self.in_memory[owner] = None
                    changed = True
                if find(part) is not find(target):
                    self.nodes.unify(target, part)
                    changed = True
        return changed

    def _over_bytes(self, node: Node) -> None:
        """Pointers to a class may point to any byte of what they point into."""
        self.nodes.collapse(node)
        node = self.nodes.find(node)
        node.walked[c.CHAR] = False
        node.grain = 1

    def _parts(self, node: Node, type_: c.CType) -> Iterator[tuple[Node, Hashable]]:
        """The parts of an object of a type, itself among them, and as what they may be used."""
        stack = [(node, type_)]
        while stack:
            node, type_ = stack.pop()
            type_ = without_dimensions(type_)
            definition = self.nodes.layout.definition(type_) if isinstance(type_, c.RecordType) else None
            if definition is not None:
                yield node, definition.type
                for member in definition.fields:
                    if member.bit_width is None:
                        stack.append((self.nodes.field(node, definition.type, member), member.type))
            elif not isinstance(type_, c.RecordType | c.FunctionType | c.VoidType):
                yield node, view_of(type_)


def _views(node: Node) -> Iterable[Hashable]:
    """As what places of a class are used."""
    return (*node.views, node.record) if node.record is not None and node.record not in node.views else (*node.views,)
