"""What the points-to analysis has found so far: classes of variables, places and values, and what needs memory."""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.memory_leaves import Leaf, Leaves
from paddock.frontends.c.pointsto_nodes import Node, Nodes
from paddock.frontends.c.pointsto_tree import (
    root_of,
    variable_of,
)
from paddock.frozen import field, mutable

VARIADIC_SLOT = 16  # bytes for each argument behind the last parameter


@mutable
class Tables:
    """The classes that are known, each made on first use."""

    nodes: Nodes
    leaves: Leaves
    functions: dict[str, t.Function]
    in_memory: dict[t.Variable, None] = field(default_factory=dict)
    values_in_memory: dict[t.Expression, None] = field(default_factory=dict)
    assigned: dict[t.Variable, None] = field(default_factory=dict)
    variables: dict[t.Variable, Node] = field(default_factory=dict)
    locations: dict[t.Expression, Node] = field(default_factory=dict)
    targets: dict[t.Expression, Node] = field(default_factory=dict)
    results: dict[str, Node] = field(default_factory=dict)
    variadics: dict[str, Node] = field(default_factory=dict)
    function_nodes: dict[str, Node] = field(default_factory=dict)
    exposed: Node | None = None
    to_integers: list[Node] = field(default_factory=list)

    def variable(self, variable: t.Variable) -> Node:
        """The class of a variable."""
        if variable not in self.variables:
            node = self.variables[variable] = self.nodes.new(variable.unique or "object")
            node.is_static = variable.storage in (t.Storage.GLOBAL, t.Storage.STATIC_LOCAL)
        return self.nodes.find(self.variables[variable])

    def target(self, pointer: t.Expression) -> Node:
        """The class of what a value points to; of a struct value, the class of places that hold it."""
        if pointer not in self.targets:
            self.targets[pointer] = self.nodes.new("unknown")
        return self.nodes.find(self.targets[pointer])

    def leaf(self, node: Node, leaf: Leaf) -> Node:
        """The class of a leaf of an object of some class."""
        for record, member in leaf.path:
            node = self.nodes.field(node, record, member)
        return self.nodes.find(node)

    def variadic(self, function: str) -> Node:
        """The class of the arguments behind the last parameter of a function."""
        if function not in self.variadics:
            node = self.variadics[function] = self.nodes.new(f"{function}.arguments")
            node.is_dynamic = True
            node.grain = VARIADIC_SLOT
        return self.nodes.find(self.variadics[function])

    def result(self, function: str) -> Node:
        if function not in self.results:
            self.results[function] = self.nodes.new(f"{function}.result")
        return self.nodes.find(self.results[function])

    def function(self, name: str) -> Node:
        if name not in self.function_nodes:
            node = self.function_nodes[name] = self.nodes.new(name)
            if name in self.functions:
                node.functions[name] = None
        return self.nodes.find(self.function_nodes[name])

    def exposed_places(self) -> Node:
        if self.exposed is None:
            self.exposed = self.nodes.new("exposed")
            self.exposed.walked[c.CHAR] = False
            self.exposed.grain = 1
        return self.nodes.find(self.exposed)

    def pointers_in(self, node: Node, type_: c.CType) -> list[Node]:
        """What the pointers in an object, or a value that is kept in a class, point to."""
        pointers = [leaf for leaf in self.leaves.of(type_) if isinstance(leaf.type, c.PointerType)]
        return [self.nodes.pointee(self.leaf(node, leaf)) for leaf in pointers]

    def needs_memory(self, place: t.Expression) -> None:
        """The variable that a place is part of, if it is, has an address."""
        root = root_of(place)
        if isinstance(root, t.VariableUse | t.CompoundLiteral):
            self.in_memory[root.variable] = None
        elif root not in self.locations:
            self.keep_in_memory(root)

    def keep_in_memory(self, value: t.Expression) -> None:
        """A struct that is a value and no object is kept in memory while its parts are used."""
        self.values_in_memory[value] = None
        self.target(value).is_dynamic = True

    def note_assigned(self, place: t.Expression) -> None:
        variable = variable_of(place)
        if variable is not None:
            self.assigned[variable] = None
