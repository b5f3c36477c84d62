"""Which places a pointer may point to: a points-to analysis by unification, for a whole program.

Steensgaard (POPL 1996): one pass over the program, in any order, joins the classes of what is assigned to each
other. On the way it finds the variables whose address is taken; all others need no memory. Integers carry no
pointers, but for those that are made of pointers: their targets are *exposed*, and a pointer that is made of an
integer may point to whatever is exposed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.fitting import Fit, fit
from paddock.frontends.c.memory_leaves import Leaves
from paddock.frontends.c.pointsto_calls import PointerCalls
from paddock.frontends.c.pointsto_classes import Classes, Findings
from paddock.frontends.c.pointsto_constraints import Constraints
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.frontends.c.pointsto_members import join_neighbours, leaves_member
from paddock.frontends.c.pointsto_nodes import Node, Nodes
from paddock.frontends.c.pointsto_outside import OUTSIDE, Outside
from paddock.frontends.c.pointsto_tables import Tables
from paddock.frontends.c.pointsto_tree import (
    addresses_taken,
    bit_field_of,
    compared_pointers,
    has_arguments,
    is_known_outside,
    may_point,
    unconverted,
)
from paddock.frontends.c.walk import children
from paddock.ir.origin import InputError, Origin

Kind = t.ConversionKind

_PLACES = t.VariableUse | t.StringLiteral | t.CompoundLiteral | t.Dereference | t.Index | t.Member | t.FunctionUse


class PointsTo:
    """The analysis of a program; `kind` says as what values of a type lie in memory."""

    def __init__(
        self,
        unit: t.Unit,
        leaves: Leaves,
        kind: Callable[[c.CType], Hashable],
        effects: Callable[[str, t.Call], PointerEffect | None],
    ) -> None:
        self.tables = tables = Tables(Nodes(leaves.layout), leaves, {f.name: f for f in unit.functions})
        self._fixed = tables.nodes.new("fixed")  # places whose addresses are written as numbers
        self._harmless: set[t.Expression] = set()  # conversions of pointers to integers that need no attention
        self._of_elements: set[t.Expression] = set()  # arrays that become pointers to be indexed: no address is needed
        self._updates: list[t.Update] = []
        self._old_values: dict[t.Update, t.OldValue] = {}
        self._bound: set[tuple[str, t.Call]] = set()
        known = [g.variable for g in unit.globals if is_known_outside(g.variable)]
        self.outside = Outside(tables.nodes, known, tables.functions, tables.in_memory)
        self.constraints = Constraints(tables, kind)
        self.calls = PointerCalls(tables, self.constraints, self.outside, effects)

    def add_function(self, function: t.Function) -> None:
        """Take account of a function's body."""
        for parameter in function.parameters:
            if not self.tables.leaves.is_plain(parameter.type):
                self.tables.in_memory[parameter] = None
            for leaf in self.tables.leaves.of(parameter.type):
                self.constraints.access_leaf(self.tables.variable(parameter), leaf)
        if function.type.variadic:
            self.tables.variadic(function.name)
        if function.body is not None:
            self._walk(function.body, function)

    def add_entry(self, function: t.Function, called: Iterable[t.Function]) -> None:
        """Nothing is known of the arguments of a function in which a program starts, unless it is `main`. Others may
        have `called` some functions before, and know their results."""
        self.outside.returned += [self.tables.result(known.name) for known in called]
        if has_arguments(function):
            strings = self.tables.nodes.pointee(self.tables.variable(function.parameters[1]))
            strings.is_dynamic = self.tables.nodes.pointee(strings).is_dynamic = True
        for parameter in function.parameters[2 if has_arguments(function) else 0 :]:
            self.outside.pointers += self.tables.pointers_in(self.tables.variable(parameter), parameter.type)

    def add_unreached(self, root: t.Expression | t.Statement) -> None:
        """Take account of what the program does not reach from where it starts: it lets others know addresses."""
        self.outside.known += addresses_taken(root)

    def add_global(self, declared: t.Global) -> None:
        node = self.tables.variable(declared.variable)
        if declared.external:
            self.outside.pointers += self.tables.pointers_in(node, declared.variable.type)
        if not self.tables.leaves.is_plain(declared.variable.type):
            self.tables.in_memory[declared.variable] = None
        if declared.initialiser is not None:
            for item in declared.initialiser.items:
                self._walk(item.value, None)
            self.constraints.initialise(node, declared.variable.type, declared.initialiser)

    def _walk(self, root: t.Expression | t.Statement, function: t.Function | None) -> None:
        """Visit everything, what is inside before what is around it."""
        stack: list[tuple[t.Expression | t.Statement, bool]] = [(root, False)]
        while stack:
            node, entered = stack.pop()
            if not entered:
                self._enter(node)
                stack.append((node, True))
                stack += [(child, False) for child in reversed(children(node))]
            elif isinstance(node, t.Expression):
                self._expression(node, function)
            else:
                self._statement(node, function)

    def _enter(self, node: t.Expression | t.Statement) -> None:
        match node:
            case t.Index(pointer=t.Conversion(kind=Kind.DECAY) as decay):
                self._of_elements.add(decay)
            case t.Dereference(pointer=t.Conversion(kind=Kind.DECAY) as decay):
                self._of_elements.add(decay)
            case t.Binary(operator=operator, left=left, right=right) if operator in t.COMPARISONS:
                self._harmless.update((unconverted(left), unconverted(right)))
            case t.Conversion(kind=Kind.BOOLEAN | Kind.INT_TO_POINTER, operand=operand):
                self._harmless.add(unconverted(operand))
            case t.Update():
                self._updates.append(node)
            case t.OldValue():
                self._old_values[self._updates[-1]] = node

    def _statement(self, node: t.Statement, function: t.Function | None) -> None:
        match node:
            case t.Declare(variable=variable, initialiser=initialiser):
                if not self.tables.leaves.is_plain(variable.type):
                    self.tables.in_memory[variable] = None
                if initialiser is not None:
                    self.constraints.initialise(self.tables.variable(variable), variable.type, initialiser)
            case t.Return(value=t.Expression() as value):
                assert function is not None
                self.constraints.assign(self.tables.result(function.name), function.type.result, value)

    def _expression(self, node: t.Expression, function: t.Function | None) -> None:
        if isinstance(node, _PLACES):
            self._place(node)
        else:
            self._operation(node, function)
        if may_point(node.type):
            self.tables.target(node)

    def _place(self, node: t.Expression) -> None:
        """A place, or a function."""
        nodes = self.tables.nodes
        match node:
            case t.VariableUse(variable=variable):
                self.tables.locations[node] = self.tables.variable(variable)
            case t.StringLiteral(type=c.ArrayType(element)):
                literal = self.tables.locations[node] = nodes.new("string")
                literal.is_static = True
                self.constraints.access(literal, element)
            case t.CompoundLiteral(variable=variable, initialiser=initialiser):
                self.tables.locations[node] = self.tables.variable(variable)
                if not self.tables.leaves.is_plain(variable.type):
                    self.tables.in_memory[variable] = None
                self.constraints.initialise(self.tables.variable(variable), variable.type, initialiser)
            case t.Dereference(pointer=pointer):
                self.tables.locations[node] = self.tables.target(pointer)
            case t.Index(pointer=pointer, index=index, type=element):
                self.tables.locations[node] = self.tables.target(pointer)
                is_named = isinstance(pointer, t.Conversion) and pointer.kind is Kind.DECAY
                self.constraints.move(self.tables.target(pointer), element, index, freely=not is_named)
            case t.Member(record=record, field=field):
                assert isinstance(record.type, c.RecordType)
                base = self.tables.locations[record] if record in self.tables.locations else self.tables.target(record)
                place = self.tables.locations[node] = nodes.field(base, record.type, field)
                if record not in self.tables.locations:
                    self.constraints.load(node, place)
                    if not self.tables.leaves.is_plain(record.type):
                        self.tables.keep_in_memory(record)
            case t.FunctionUse(name=name):
                self.tables.locations[node] = self.tables.function(name)

    def _operation(self, node: t.Expression, function: t.Function | None) -> None:
        """What is done with places and values."""
        match node:
            case t.AddressOf(place=operand):
                self.tables.targets[node] = self.tables.locations[operand]
                self.tables.needs_memory(operand)
            case t.Conversion():
                self._conversion(node)
            case t.PointerOffset(pointer=pointer, index=index):
                self.tables.targets[node] = self.tables.target(pointer)
                assert isinstance(pointer.type, c.PointerType)
                self.constraints.move(self.tables.target(pointer), pointer.type.target, index, freely=True)
            case t.Conditional(then=then, otherwise=otherwise) if may_point(node.type):
                self.tables.targets[node] = self.tables.target(then)
                self.constraints.same(node.type, self.tables.target(then), self.tables.target(otherwise))
            case t.Comma(second=second) if may_point(node.type):
                self.tables.targets[node] = self.tables.target(second)
            case t.StatementExpression(value=t.Expression() as value) if may_point(node.type):
                self.tables.targets[node] = self.tables.target(value)
            case t.Assignment(target=target, value=value):
                self.tables.note_assigned(target)
                self.constraints.assign(self.tables.locations[target], node.type, value, bit_field_of(target))
                self.constraints.load(node, self.tables.locations[target], bit_field_of(target))
            case t.Update(target=target, value=value):
                self._updates.pop()
                old = self._old_values.pop(node)
                place = self.tables.locations[target]
                self.tables.note_assigned(target)
                if may_point(node.type):
                    self.tables.nodes.unify(self.tables.target(old), self.tables.nodes.pointee(place))
                self.constraints.assign(place, node.type, value, bit_field_of(target))
                self.constraints.load(node, place, bit_field_of(target))
            case t.Call():
                self.calls.call(node, function)
            case t.Binary() if (compared := compared_pointers(node)) is not None:
                self.outside.comparisons.append((self.tables.target(compared[0]), self.tables.target(compared[1])))
            case t.VariadicArgument(list=list_):
                self.constraints.load(node, self.tables.nodes.pointee(self.calls.list_position(list_)))

    def _conversion(self, node: t.Conversion) -> None:
        operand = node.operand
        match node.kind:
            case Kind.LOAD:
                self.constraints.load(node, self.tables.locations[operand], bit_field_of(operand))
            case Kind.DECAY | Kind.FUNCTION:
                self.tables.targets[node] = self.tables.locations[operand]
                if node not in self._of_elements and node.kind is Kind.DECAY:
                    self.tables.needs_memory(operand)
                if isinstance(operand, t.FunctionUse):
                    self.outside.functions[operand.name] = self.tables.locations[operand]
            case Kind.POINTER | Kind.SAME if may_point(node.type):
                self.tables.targets[node] = self.tables.target(operand)
            case Kind.POINTER_TO_INT if node not in self._harmless:
                self.tables.to_integers.append(self.tables.target(operand))
            case Kind.INT_TO_POINTER:
                inner = unconverted(operand)
                if isinstance(inner, t.Conversion) and inner.kind is Kind.POINTER_TO_INT:
                    self.tables.targets[node] = self.tables.target(inner.operand)
                elif not isinstance(inner, t.IntegerConstant) or inner.value:
                    known = isinstance(inner, t.IntegerConstant)
                    place = self.tables.nodes.find(self._fixed) if known else self.tables.exposed_places()
                    # What is at such an address is there, with any content, although nothing begins it.
                    place.is_dynamic = True
                    self.tables.targets[node] = place

    def settled(self, refuse: Callable[[str, Origin], InputError]) -> Classes:
        """Draw all conclusions, and hand over what has been found."""
        for variable in self.tables.in_memory:
            self.tables.nodes.is_object(self.tables.variable(variable), variable.type)
        while self._settle_once() or self._call_outside() or self.outside.settle(self.tables.variables):
            pass
        found = Findings(
            self.tables.variables,
            self.tables.locations,
            self.tables.targets,
            self.tables.results,
            self.tables.variadics,
            self.tables.in_memory,
            self.tables.values_in_memory,
            self.tables.assigned,
            self.tables.functions,
            self.outside.arbitrary(),
            self.tables.to_integers if self.tables.exposed is None else [*self.tables.to_integers, self.tables.exposed],
        )
        return Classes(self.tables.nodes, found, refuse)

    def _settle_once(self) -> bool:
        """One round of conclusions; whether there was any."""
        changed = False
        if self.tables.exposed is None and self.tables.nodes.pointers_go_as_numbers(
            are_made=bool(self.tables.to_integers)
        ):
            self.tables.exposed_places()
        if self.tables.exposed is not None:
            for node in self.tables.to_integers:
                self.tables.nodes.unify(self.tables.exposed, node)
        for node in self.tables.nodes.roots():
            if node.forward is not None:
                continue
            for name in list(node.functions):
                for call in list(node.calls):
                    assert isinstance(call, t.Call)
                    if (name, call) in self._bound:
                        continue
                    if fit(self.tables.functions[name], call, self.tables.leaves.layout) >= Fit.CLOSE:
                        self._bound.add((name, call))
                        self.calls.bind(name, call)
                        changed = True
            node = self.tables.nodes.find(node)
            if leaves_member(node, self.tables.leaves.layout):
                self.tables.nodes.collapse_outermost(node)
                changed = True
            elif not node.collapsed:
                changed |= self.tables.nodes.check_use(node) or join_neighbours(self.tables.nodes, node)
            changed |= self._check_exposed(self.tables.nodes.find(node))
        return changed

    def _call_outside(self) -> bool:
        """A call through a pointer from outside may also call a function that is not there."""
        found = [call for node in self.outside.arbitrary() for call in node.calls if isinstance(call, t.Call)]
        calls = [call for call in found if (OUTSIDE, call) not in self._bound]
        for call in calls:
            self._bound.add((OUTSIDE, call))
            self.calls.bind_missing(OUTSIDE, call)
        self.outside.called += calls
        return bool(calls)

    def _check_exposed(self, node: Node) -> bool:
        """A pointer that can be read as an integer exposes its target."""
        if self.tables.exposed is None or not (node.holds_pointers and node.holds_integers):
            return False
        target = self.tables.nodes.pointee(node)
        if target is self.tables.nodes.find(self.tables.exposed):
            return False
        self.tables.nodes.unify(target, self.tables.exposed)
        return True
