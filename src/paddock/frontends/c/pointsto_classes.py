"""What the points-to analysis has found out, once and for all: the classes of memory and what lies in which.

Nothing here can change, so whatever is lowered meets the same classes: a store that one part of the lowering makes is
seen by all others. Lowering may only ask. What the analysis has not seen is refused, with its place in the source; it
is never taken for memory of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from math import gcd
from types import MappingProxyType
from typing import TypeVar

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.fitting import Fit, fit
from paddock.frontends.c.memory_leaves import Leaf
from paddock.frontends.c.pointsto_nodes import Node, Nodes, struct_it_begins_with
from paddock.frontends.c.views import without_dimensions
from paddock.frozen import frozen
from paddock.ir.origin import InputError, Origin

Key = TypeVar("Key")


@frozen(eq=False)
class MemoryClass:
    """A class of places that pointers may reach alike, as `Node` describes it."""

    number: int
    name: str
    record: c.RecordType | None
    fields: Mapping[int, MemoryClass]
    collapsed: bool
    accesses: Mapping[Hashable, int]
    grain: int
    functions: tuple[str, ...]
    is_static: bool
    is_dynamic: bool

    def __repr__(self) -> str:
        return f"<class {self.name} {self.number}>"

    def inside(self) -> list[MemoryClass]:
        """This class and those of its members."""
        found: dict[MemoryClass, None] = {}
        stack = [self]
        while stack:
            inner = stack.pop()
            if inner not in found:
                found[inner] = None
                stack += inner.fields.values()
        return list(found)


UNTOUCHED = MemoryClass(-1, "untouched", None, MappingProxyType({}), False, MappingProxyType({}), 0, (), False, False)


@frozen
class Findings:
    """What the analysis hands over: classes by what belongs to them."""

    variables: Mapping[t.Variable, Node]
    locations: Mapping[t.Expression, Node]
    targets: Mapping[t.Expression, Node]
    results: Mapping[str, Node]
    variadic: Mapping[str, Node]
    in_memory: Iterable[t.Variable]  # the variables whose address is taken
    values_in_memory: Iterable[t.Expression]  # struct values with a part that needs an address
    assigned: Iterable[t.Variable]  # the variables that get values other than their first ones
    functions: Mapping[str, t.Function]
    arbitrary: Iterable[Node]  # the targets of pointers from outside
    as_numbers: Iterable[Node]  # the targets of pointers that are kept as integers, or made of some


class Members:
    """Finds the classes of the members of structs."""

    def __init__(self, layout: c.Layout) -> None:
        self._layout = layout

    def field(self, class_: MemoryClass, record: c.RecordType, field: c.Field) -> MemoryClass | None:
        """The class of a member; None if nothing else takes the class for this struct. The members of a union share the
        class of the union, and so do those of a struct in a class that is only known by its scalars."""
        if record.union:
            return class_
        used_as: c.CType | None = class_.record
        while used_as is not None and used_as is not record:
            first = struct_it_begins_with(used_as, self._layout)
            if first is None:
                return None
            class_, used_as = class_.fields.get(first.index, UNTOUCHED), without_dimensions(first.type)
        if class_.record is None:
            return class_
        return class_.fields.get(field.index, UNTOUCHED)

    def leaf(self, class_: MemoryClass, leaf: Leaf) -> MemoryClass | None:
        """The class of a leaf of an object of some class; None as for `field`."""
        reached: MemoryClass | None = class_
        for record, field in leaf.path:
            reached = self.field(reached, record, field) if reached is not None else None
        return reached

    def first_leaf(self, class_: MemoryClass) -> MemoryClass:
        """The class of the scalar at the address of a struct."""
        while class_.record is not None:
            definition = self._layout.definition(class_.record)
            assert definition is not None and definition.fields
            class_ = class_.fields.get(definition.fields[0].index, UNTOUCHED)
        return class_


@frozen
class _Tables:
    """Classes by what belongs to them, what pointers in a class point to, and functions by their names."""

    variables: Mapping[t.Variable, MemoryClass]
    locations: Mapping[t.Expression, MemoryClass]
    targets: Mapping[t.Expression, MemoryClass]
    results: Mapping[str, MemoryClass]
    variadic: Mapping[str, MemoryClass]
    pointees: Mapping[MemoryClass, MemoryClass]
    functions: Mapping[str, t.Function]


class Classes:
    """The classes of a program; `refuse` makes an error of a message and a place in the source."""

    def __init__(self, nodes: Nodes, found: Findings, refuse: Callable[[str, Origin], InputError]) -> None:
        self.layout = nodes.layout
        self.members = Members(nodes.layout)
        self.in_memory = MappingProxyType(dict.fromkeys(found.in_memory))
        self.values_in_memory = frozenset(found.values_in_memory)
        self.assigned = frozenset(found.assigned)
        self._refuse = refuse
        frozen = _frozen_classes(nodes)

        def by_key(table: Mapping[Key, Node]) -> dict[Key, MemoryClass]:
            return {key: frozen[nodes.find(node)] for key, node in table.items()}

        self._all = tuple(frozen.values())
        self._by = _Tables(
            by_key(found.variables),
            by_key(found.locations),
            by_key(found.targets),
            by_key(found.results),
            by_key(found.variadic),
            {frozen[node]: frozen[nodes.find(node.pointee)] for node in nodes.roots() if node.pointee is not None},
            found.functions,
        )
        self.arbitrary = frozenset(frozen[nodes.find(node)] for node in found.arbitrary)
        self.as_numbers = frozenset(frozen[nodes.find(node)] for node in found.as_numbers)
        self._families = _families(self._all)

    # --- what belongs where ----------------------------------------------------------------------------------

    def variable(self, variable: t.Variable) -> MemoryClass:
        """The class of a variable."""
        return self._seen(self._by.variables.get(variable), variable.origin)

    def location(self, place: t.Expression) -> MemoryClass:
        """The class of a place."""
        return self._seen(self._by.locations.get(place), place.origin)

    def target(self, pointer: t.Expression) -> MemoryClass:
        """The class of what a value points to; of a struct value, the class of places that hold it."""
        return self._seen(self._by.targets.get(pointer), pointer.origin)

    def variadic(self, function: t.Function) -> MemoryClass:
        """The class of the arguments behind the last parameter of a function."""
        return self._seen(self._by.variadic.get(function.name), function.origin)

    def pointee(self, class_: MemoryClass) -> MemoryClass:
        """What pointers in a class point to."""
        return self._by.pointees.get(class_, UNTOUCHED)

    def _seen(self, class_: MemoryClass | None, origin: Origin) -> MemoryClass:
        if class_ is None:
            raise self._refuse("the analysis of pointers has not seen this", origin)
        return class_

    # --- what follows ----------------------------------------------------------------------------------------

    def callees(self, call: t.Call) -> list[t.Function]:
        """The functions that a call through a pointer may reach, and for which it is defined what happens then."""
        return [function for function, fits in self.pointed_to(call) if fits >= Fit.CLOSE]

    def pointed_to(self, call: t.Call) -> list[tuple[t.Function, Fit]]:
        """The functions that the pointer of a call may point to, and how well they fit."""
        functions = (self._by.functions[name] for name in self.target(call.function).functions)
        return [(function, fit(function, call, self.layout)) for function in functions]

    def reachable(self, roots: Iterable[MemoryClass]) -> list[MemoryClass]:
        """The classes that can be reached from some by members and pointers."""
        found: dict[MemoryClass, None] = {}
        stack = list(roots)
        while stack:
            class_ = stack.pop()
            if class_ in found:
                continue
            found[class_] = None
            stack += class_.fields.values()
            if class_ in self._by.pointees:
                stack.append(self._by.pointees[class_])
        return sorted(found, key=lambda class_: class_.number)

    def family(self, class_: MemoryClass) -> int:
        """A number that classes share whose places may be in the same objects."""
        return self._families.get(class_, class_.number)

    def literals(self) -> list[t.StringLiteral]:
        """All string literals."""
        return [place for place in self._by.locations if isinstance(place, t.StringLiteral)]

    def outlived(self, passed_on: Container[t.Variable]) -> set[t.Variable]:
        """The variables that pointers may be left to when they have ended, since something holds such pointers that may
        live longer. What is `passed_on` are parameters that keep the value of their argument: they do not hold it for
        longer than the call, and what is around a call lives longer than that."""
        ways = {self._by.variables[v] for v in self._by.variables if v in passed_on and v not in self.in_memory}
        ways -= {self._by.variables[v] for v in self._by.variables if v not in passed_on}
        roots = (self._by.variables, self._by.results, self._by.variadic)
        holders = self.reachable(class_ for table in roots for class_ in table.values())
        held = {self._by.pointees[n] for n in holders if n in self._by.pointees and n not in ways}
        return {v for v in self.in_memory if any(n in held for n in self._by.variables[v].inside())}

    def origins(self, dynamic: Iterable[t.Variable]) -> tuple[frozenset[MemoryClass], frozenset[MemoryClass]]:
        """The classes with objects that live as long as the program, and those with objects that come to life at run
        time, as those of some variables do, or are from outside. Members come from where their objects do."""

        def spread(roots: Iterable[MemoryClass]) -> frozenset[MemoryClass]:
            return frozenset(inner for root in roots for inner in root.inside())

        made = [*self.made_at_run_time(dynamic), *self.arbitrary]
        return spread(k for k in self._all if k.is_static), spread(made)

    def made_at_run_time(self, dynamic: Iterable[t.Variable]) -> list[MemoryClass]:
        """The classes of objects that come to life at run time, as those of some variables do."""
        known = [self._by.variables[v] for v in dynamic if v in self._by.variables]
        return [*(class_ for class_ in self._all if class_.is_dynamic), *known]


def _families(classes: Iterable[MemoryClass]) -> dict[MemoryClass, int]:
    """The classes that are connected by being members of others, by a number for each such family."""
    neighbours: dict[MemoryClass, list[MemoryClass]] = {}
    for class_ in classes:
        neighbours.setdefault(class_, []).extend(class_.fields.values())
        for member in class_.fields.values():
            neighbours.setdefault(member, []).append(class_)
    families: dict[MemoryClass, int] = {}
    for first in neighbours:
        stack = [first]
        while stack:
            class_ = stack.pop()
            if class_ not in families:
                families[class_] = first.number
                stack += neighbours[class_]
    return families


def _frozen_classes(nodes: Nodes) -> dict[Node, MemoryClass]:
    """The classes that the analysis has come to."""
    members: dict[Node, dict[int, MemoryClass]] = {node: {} for node in nodes.roots()}
    frozen = {
        node: MemoryClass(
            node.number,
            node.name,
            node.record,
            MappingProxyType(members[node]),
            node.collapsed,
            MappingProxyType(dict(node.accesses)),
            gcd(node.grain, node.span),
            tuple(node.functions),
            node.is_static,
            node.is_dynamic,
        )
        for node in members
    }
    for node, fields in members.items():
        fields.update((index, frozen[nodes.find(child)]) for index, child in node.fields.items())
    return frozen
