"""Which places a pointer may point to: a points-to analysis by unification, for a whole program.

Steensgaard (POPL 1996): one pass over the program, in any order, joins the classes of what is assigned to each
other. On the way it finds the variables whose address is taken; all others need no memory. Integers carry no
pointers, but for those that are made of pointers: their targets are *exposed*, and a pointer that is made of an
integer may point to whatever is exposed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from math import gcd

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.fitting import Fit, fit
from paddock.frontends.c.known_names import is_nondeterministic
from paddock.frontends.c.memory_leaves import Leaf, Leaves, is_union_bits, storage_type
from paddock.frontends.c.pointsto_classes import Classes, Findings
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.frontends.c.pointsto_nodes import ANY_LENGTH, Node, Nodes, leaves_member, without_dimensions
from paddock.frontends.c.pointsto_outside import CHARACTER, OUTSIDE, Outside, view_of
from paddock.frontends.c.pointsto_tree import (
    addresses_taken,
    before_pointer_conversions,
    bit_field_of,
    compared_pointers,
    divisor_of,
    has_arguments,
    is_known_outside,
    list_member,
    may_point,
    root_of,
    unconverted,
    variable_of,
)
from paddock.frontends.c.walk import children
from paddock.ir.origin import InputError, Origin

Kind = t.ConversionKind

VARIADIC_SLOT = 16  # bytes for each argument behind the last parameter


class PointsTo:
    """The analysis of a program; `kind` says as what values of a type lie in memory."""

    def __init__(
        self,
        unit: t.Unit,
        leaves: Leaves,
        kind: Callable[[c.CType], Hashable],
        effects: Callable[[str, t.Call], PointerEffect | None],
    ) -> None:
        self.leaves = leaves
        self.layout = leaves.layout
        self.nodes = Nodes(self.layout)
        self._in_memory: dict[t.Variable, None] = {}
        self._values_in_memory: dict[t.Expression, None] = {}
        self._assigned: dict[t.Variable, None] = {}
        self._kind = kind
        self._effect_of = effects
        self._functions = {f.name: f for f in unit.functions}
        self._variables: dict[t.Variable, Node] = {}
        self._locations: dict[t.Expression, Node] = {}
        self._targets: dict[t.Expression, Node] = {}
        self._results: dict[str, Node] = {}
        self._variadic: dict[str, Node] = {}
        self._function_nodes: dict[str, Node] = {}
        self._fixed = self.nodes.new("fixed")  # places whose addresses are written as numbers
        self._exposed: Node | None = None
        self._to_integers: list[Node] = []
        self._harmless: set[t.Expression] = set()  # conversions of pointers to integers that need no attention
        self._of_elements: set[t.Expression] = set()  # arrays that become pointers to be indexed: no address is needed
        self._updates: list[t.Update] = []
        self._old_values: dict[t.Update, t.OldValue] = {}
        self._bound: set[tuple[str, t.Call]] = set()
        known = [g.variable for g in unit.globals if is_known_outside(g.variable)]
        self._outside = Outside(self.nodes, known, self._functions, self._in_memory)

    # --- what it knows ---------------------------------------------------------------------------------------

    def variable(self, variable: t.Variable) -> Node:
        """The class of a variable."""
        if variable not in self._variables:
            node = self._variables[variable] = self.nodes.new(variable.unique or "object")
            node.is_static = variable.storage in (t.Storage.GLOBAL, t.Storage.STATIC_LOCAL)
        return self.nodes.find(self._variables[variable])

    def target(self, pointer: t.Expression) -> Node:
        """The class of what a value points to; of a struct value, the class of places that hold it."""
        if pointer not in self._targets:
            self._targets[pointer] = self.nodes.new("unknown")
        return self.nodes.find(self._targets[pointer])

    def leaf(self, node: Node, leaf: Leaf) -> Node:
        """The class of a leaf of an object of some class."""
        for record, field in leaf.path:
            node = self.nodes.field(node, record, field)
        return self.nodes.find(node)

    def variadic(self, function: str) -> Node:
        """The class of the arguments behind the last parameter of a function."""
        if function not in self._variadic:
            node = self._variadic[function] = self.nodes.new(f"{function}.arguments")
            node.is_dynamic = True
            node.grain = VARIADIC_SLOT
        return self.nodes.find(self._variadic[function])

    # --- gathering ---------------------------------------------------------------------------------------------

    def add_function(self, function: t.Function) -> None:
        """Take account of a function's body."""
        for parameter in function.parameters:
            if not self.leaves.is_plain(parameter.type):
                self._in_memory[parameter] = None
            for leaf in self.leaves.of(parameter.type):
                self._access_leaf(self.variable(parameter), leaf)
        if function.type.variadic:
            self.variadic(function.name)
        if function.body is not None:
            self._walk(function.body, function)

    def add_entry(self, function: t.Function, called: Iterable[t.Function]) -> None:
        """Nothing is known of the arguments of a function in which a program starts, unless it is `main`. Others may
        have `called` some functions before, and know their results."""
        self._outside.returned += [self._result(known.name) for known in called]
        if has_arguments(function):
            strings = self.nodes.pointee(self.variable(function.parameters[1]))
            strings.is_dynamic = self.nodes.pointee(strings).is_dynamic = True
        for parameter in function.parameters[2 if has_arguments(function) else 0 :]:
            self._outside.pointers += self._pointers_in(self.variable(parameter), parameter.type)

    def add_unreached(self, root: t.Expression | t.Statement) -> None:
        """Take account of what the program does not reach from where it starts: it lets others know addresses."""
        self._outside.known += addresses_taken(root)

    def _pointers_in(self, node: Node, type_: c.CType) -> list[Node]:
        """What the pointers in an object, or a value that is kept in a class, point to."""
        pointers = [leaf for leaf in self.leaves.of(type_) if isinstance(leaf.type, c.PointerType)]
        return [self.nodes.pointee(self.leaf(node, leaf)) for leaf in pointers]

    def add_global(self, declared: t.Global) -> None:
        node = self.variable(declared.variable)
        if declared.external:
            self._outside.pointers += self._pointers_in(node, declared.variable.type)
        if not self.leaves.is_plain(declared.variable.type):
            self._in_memory[declared.variable] = None
        if declared.initialiser is not None:
            for item in declared.initialiser.items:
                self._walk(item.value, None)
            self._initialise(node, declared.variable.type, declared.initialiser)

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
                if not self.leaves.is_plain(variable.type):
                    self._in_memory[variable] = None
                if initialiser is not None:
                    self._initialise(self.variable(variable), variable.type, initialiser)
            case t.Return(value=t.Expression() as value):
                assert function is not None
                self._assign(self._result(function.name), function.type.result, value)

    def _result(self, function: str) -> Node:
        if function not in self._results:
            self._results[function] = self.nodes.new(f"{function}.result")
        return self.nodes.find(self._results[function])

    def _expression(self, node: t.Expression, function: t.Function | None) -> None:
        nodes = self.nodes
        match node:
            case t.VariableUse(variable=variable):
                self._locations[node] = self.variable(variable)
            case t.StringLiteral(type=c.ArrayType(element)):
                literal = self._locations[node] = nodes.new("string")
                literal.is_static = True
                self._access(literal, element)
            case t.CompoundLiteral(variable=variable, initialiser=initialiser):
                self._locations[node] = self.variable(variable)
                if not self.leaves.is_plain(variable.type):
                    self._in_memory[variable] = None
                self._initialise(self.variable(variable), variable.type, initialiser)
            case t.Dereference(pointer=pointer):
                self._locations[node] = self.target(pointer)
            case t.Index(pointer=pointer, index=index, type=element):
                self._locations[node] = self.target(pointer)
                self._move(self.target(pointer), element, index)
            case t.Member(record=record, field=field):
                assert isinstance(record.type, c.RecordType)
                base = self._locations[record] if record in self._locations else self.target(record)
                place = self._locations[node] = nodes.field(base, record.type, field)
                if record not in self._locations:
                    self._load(node, place)
                    if not self.leaves.is_plain(record.type):
                        self._keep_in_memory(record)
            case t.FunctionUse(name=name):
                self._locations[node] = self._function(name)
            case t.AddressOf(place=place):
                self._targets[node] = self._locations[place]
                self._needs_memory(place)
            case t.Conversion():
                self._conversion(node)
            case t.PointerOffset(pointer=pointer, index=index):
                self._targets[node] = self.target(pointer)
                assert isinstance(pointer.type, c.PointerType)
                self._move(self.target(pointer), pointer.type.target, index)
            case t.Conditional(then=then, otherwise=otherwise) if may_point(node.type):
                self._targets[node] = self.target(then)
                self._same(node.type, self.target(then), self.target(otherwise))
            case t.Comma(second=second) if may_point(node.type):
                self._targets[node] = self.target(second)
            case t.StatementExpression(value=t.Expression() as value) if may_point(node.type):
                self._targets[node] = self.target(value)
            case t.Assignment(target=target, value=value):
                self._note_assigned(target)
                self._assign(self._locations[target], node.type, value, bit_field_of(target))
                self._load(node, self._locations[target], bit_field_of(target))
            case t.Update(target=target, value=value):
                self._updates.pop()
                old = self._old_values.pop(node)
                place = self._locations[target]
                self._note_assigned(target)
                if may_point(node.type):
                    nodes.unify(self.target(old), nodes.pointee(place))
                self._assign(place, node.type, value, bit_field_of(target))
                self._load(node, place, bit_field_of(target))
            case t.Call():
                self._call(node, function)
            case t.Binary() if (compared := compared_pointers(node)) is not None:
                self._outside.comparisons.append((self.target(compared[0]), self.target(compared[1])))
            case t.VariadicArgument(list=list_):
                self._load(node, nodes.pointee(self._list_position(list_)))
        if may_point(node.type):
            self.target(node)

    def _conversion(self, node: t.Conversion) -> None:
        operand = node.operand
        match node.kind:
            case Kind.LOAD:
                self._load(node, self._locations[operand], bit_field_of(operand))
            case Kind.DECAY | Kind.FUNCTION:
                self._targets[node] = self._locations[operand]
                if node not in self._of_elements and node.kind is Kind.DECAY:
                    self._needs_memory(operand)
                if isinstance(operand, t.FunctionUse):
                    self._outside.functions[operand.name] = self._locations[operand]
            case Kind.POINTER | Kind.SAME if may_point(node.type):
                self._targets[node] = self.target(operand)
            case Kind.POINTER_TO_INT if node not in self._harmless:
                self._to_integers.append(self.target(operand))
            case Kind.INT_TO_POINTER:
                inner = unconverted(operand)
                if isinstance(inner, t.Conversion) and inner.kind is Kind.POINTER_TO_INT:
                    self._targets[node] = self.target(inner.operand)
                elif not isinstance(inner, t.IntegerConstant):
                    self._targets[node] = self._exposed_places()
                elif inner.value:
                    self._targets[node] = self.nodes.find(self._fixed)
                    self._targets[node].is_dynamic = True  # it is there, with any content, although nothing begins it

    def _exposed_places(self) -> Node:
        if self._exposed is None:
            self._exposed = self.nodes.new("exposed")
            self._exposed.walked[c.CHAR] = None
            self._exposed.grain = 1
        return self.nodes.find(self._exposed)

    def _needs_memory(self, place: t.Expression) -> None:
        """The variable that a place is part of, if it is, has an address."""
        root = root_of(place)
        if isinstance(root, t.VariableUse | t.CompoundLiteral):
            self._in_memory[root.variable] = None
        elif root not in self._locations:
            self._keep_in_memory(root)

    def _keep_in_memory(self, value: t.Expression) -> None:
        """A struct that is a value and no object is kept in memory while its parts are used."""
        self._values_in_memory[value] = None
        self.target(value).is_dynamic = True

    def _note_assigned(self, place: t.Expression) -> None:
        variable = variable_of(place)
        if variable is not None:
            self._assigned[variable] = None

    # --- constraints -------------------------------------------------------------------------------------------

    def _access(self, node: Node, type_: c.CType, bit_field: c.Field | None = None) -> None:
        """Note that a scalar of a type is read or written."""
        self.nodes.access(node, type_, self._kind(type_ if bit_field is None else storage_type(bit_field)), bit_field)
        if bit_field is None:
            self.nodes.find(node).views[view_of(type_)] = None

    def _access_leaf(self, node: Node, leaf: Leaf) -> Node:
        node = self.leaf(node, leaf)
        self._access(node, leaf.type, leaf.path[-1][1] if leaf.is_bit_field else None)
        return node

    def _load(self, node: t.Expression, place: Node, bit_field: c.Field | None = None) -> None:
        """The value of an expression is what lies at a place."""
        match node.type:
            case c.PointerType():
                self._access(place, node.type)
                self._targets[node] = self.nodes.pointee(place)
            case c.RecordType():
                for leaf in self.leaves.of(node.type):
                    self._access_leaf(place, leaf)
                self._targets[node] = self.nodes.find(place)
            case _ if c.is_scalar(node.type):
                self._access(place, node.type, bit_field)

    def _assign(self, place: Node, type_: c.CType, value: t.Expression, bit_field: c.Field | None = None) -> None:
        """A value is written to a place. It may be of another type if it is an argument of a call through a pointer."""
        self.nodes.find(place).written = True
        match type_:
            case c.PointerType():
                self._access(place, type_)
                if may_point(value.type):
                    self.nodes.unify(self.nodes.pointee(place), self.target(value))
                elif c.is_integer(value.type):
                    self.nodes.unify(self.nodes.pointee(place), self._exposed_places())
            case c.RecordType():
                self._same(type_, place, self.target(value))
            case c.ArrayType(element):  # a string
                self._access(place, element)
                self._step(place, element)
            case _ if c.is_scalar(type_):
                self._access(place, type_, bit_field)
                if isinstance(value.type, c.PointerType):
                    self._to_integers.append(self.target(value))

    def _same(self, type_: c.CType, a: Node, b: Node) -> None:
        """Two values of a type flow to the same places: pointers by their targets, structs by their places."""
        if isinstance(type_, c.PointerType):
            self.nodes.unify(a, b)
        elif isinstance(type_, c.RecordType):
            for leaf in self.leaves.of(type_):
                one, other = self._access_leaf(a, leaf), self._access_leaf(b, leaf)
                if not c.is_arithmetic(leaf.type) or is_union_bits(leaf.type):
                    self.nodes.unify(self.nodes.pointee(one), self.nodes.pointee(other))

    def _initialise(self, place: Node, type_: c.CType, initialiser: t.Initialiser) -> None:
        for item in initialiser.items:
            part, part_type, last = place, type_, None
            for step in item.path:
                if isinstance(step, c.Field):
                    assert isinstance(part_type, c.RecordType)
                    part, part_type = self.nodes.field(part, part_type, step), step.type
                    last = step
                else:
                    assert isinstance(part_type, c.ArrayType | c.VariableArrayType)
                    part_type, last = part_type.element, None
                    self._step(part, part_type, step)
            bit_field = last if last is not None and last.bit_width is not None else None
            self._assign(part, part_type, item.value, bit_field)

    def _move(self, node: Node, element: c.CType, index: t.Expression) -> None:
        """A pointer to a class moves over elements of a type."""
        index = unconverted(index)
        self._step(node, element, index.value if isinstance(index, t.IntegerConstant) else 1)

    def _step(self, node: Node, element: c.CType, count: int = 1) -> None:
        """As many elements of a type lie between places of a class."""
        self.nodes.step(node, element, self.leaves.stride(element) * count)

    def _function(self, name: str) -> Node:
        if name not in self._function_nodes:
            node = self._function_nodes[name] = self.nodes.new(name)
            if name in self._functions:
                node.functions[name] = None
        return self.nodes.find(self._function_nodes[name])

    # --- calls -------------------------------------------------------------------------------------------------

    def _call(self, call: t.Call, function: t.Function | None) -> None:
        if isinstance(call.type, c.RecordType):
            self._targets[call] = self.nodes.new("result")
        if isinstance(call.function, t.FunctionUse):
            name = call.function.name
            if name == "__builtin_va_start" and function is not None:
                position = self._list_position(call.arguments[0])
                self.nodes.unify(self.nodes.pointee(position), self.variadic(function.name))
            elif name == "__builtin_va_copy":
                to, source = map(self._list_position, call.arguments)
                self.nodes.unify(self.nodes.pointee(to), self.nodes.pointee(source))
            self._bind(name, call)
        else:
            self.target(call.function).calls.append(call)

    def _list_position(self, list_: t.Expression) -> Node:
        """The class of the place in a list of arguments that points to the next one."""
        assert isinstance(list_.type, c.PointerType)
        member = list_member(list_.type.target, self.layout)
        place = self.target(list_)
        if member is not None:
            place = self.nodes.field(place, *member)
        self._access(place, c.PointerType(c.VOID))
        return self.nodes.find(place)

    def _bind(self, name: str, call: t.Call) -> None:
        """A function is called."""
        function = self._functions.get(name)
        if function is None or function.body is None:
            effect = self._effect_of(name, call)
            if effect is not None:
                self._bind_effect(effect, call)
            else:
                self._bind_missing(name, call)
            return
        for parameter, argument in zip(function.parameters, call.arguments, strict=False):
            self._assign(self.variable(parameter), parameter.type, argument)
        for argument in call.arguments[len(function.parameters) :]:
            self._assign(self.variadic(name), argument.type, argument)
        result = self._result(name)
        if isinstance(call.type, c.PointerType):
            self.nodes.unify(self.target(call), self.nodes.pointee(result))
            if c.is_integer(function.type.result):
                self.nodes.unify(self.target(call), self._exposed_places())
        elif isinstance(function.type.result, c.PointerType) and c.is_integer(call.type):
            self._to_integers.append(self.nodes.pointee(result))
        elif isinstance(call.type, c.RecordType):
            self._same(call.type, self.target(call), result)

    def _bind_missing(self, name: str, call: t.Call) -> None:
        """A function without a body is called: its result is what it was before, or an argument, or from outside."""
        if is_nondeterministic(name):
            self._outside.guesses += self._pointers_from(call)
        else:
            self._outside.pointers += self._pointers_from(call)
            for argument in call.arguments:
                self._hand_out(argument)
        if not isinstance(call.type, c.PointerType):
            return
        self.nodes.unify(self.target(call), self.nodes.pointee(self._result(name)))
        for argument in call.arguments:
            if argument.type is call.type:
                self.nodes.unify(self.target(call), self.target(argument))

    def _pointers_from(self, call: t.Call) -> list[Node]:
        """What the pointers in the result of a call point to."""
        if isinstance(call.type, c.PointerType):
            return [self.target(call)]
        return self._pointers_in(self.target(call), call.type) if isinstance(call.type, c.RecordType) else []

    def _hand_out(self, argument: t.Expression) -> None:
        """An argument goes outside, where anything may be done with what it points to."""
        if isinstance(argument.type, c.RecordType):
            self._outside.given += self._pointers_in(self.target(argument), argument.type)
        elif isinstance(argument.type, c.PointerType):
            self._outside.given.append(self.target(argument))
            self._use_whole(argument)

    def _use_whole(self, pointer: t.Expression) -> Hashable:
        """What a pointer points to is used as what the type of the pointer says; the view of that, if it is one."""
        node, pointer = self.target(pointer), before_pointer_conversions(pointer)
        if not isinstance(pointer.type, c.PointerType):
            return None
        view = view_of(without_dimensions(pointer.type.target))
        if view is not CHARACTER and not isinstance(view, c.VoidType | c.FunctionType):
            node.views[view] = None
        return view

    def _bind_effect(self, effect: PointerEffect, call: t.Call) -> None:
        if effect.copies is not None:
            to, source = (self.target(call.arguments[n]) for n in effect.copies)
            self.nodes.unify(to, source)
        if effect.length is not None:
            for n, argument in enumerate(call.arguments[: effect.length]):
                self._access_bytes(argument, call.arguments[effect.length])
                if self._use_whole(argument) in (CHARACTER, c.VOID) and n == effect.fills:
                    self.target(argument).views[CHARACTER] = None
                    self.target(argument).written = True
        if effect.writes is not None:
            pointer = call.arguments[effect.writes]
            assert isinstance(pointer.type, c.PointerType)
            self._access(self.target(pointer), pointer.type.target)
            self.target(pointer).written = True
        if effect.arbitrary:
            self._outside.given.append(self.target(call.arguments[0]))
        if effect.returns is not None and may_point(call.type):
            self.nodes.unify(self.target(call), self.target(call.arguments[effect.returns]))
        if effect.allocates:
            node = self.target(call)
            node.is_dynamic = True
            node.name = "heap"

    def _access_bytes(self, pointer: t.Expression, length: t.Expression) -> None:
        """As many bytes are read or written from a pointer up, perhaps more than what it points to has."""
        if not isinstance(pointer.type, c.PointerType):
            return
        node, length = self.target(pointer), unconverted(length)
        node.reach = max(node.reach, length.value if isinstance(length, t.IntegerConstant) else ANY_LENGTH)
        node.span = gcd(node.span, divisor_of(length))
        pointer = before_pointer_conversions(pointer)
        if isinstance(pointer.type, c.PointerType):
            self.nodes.is_object(node, pointer.type.target)

    # --- the end -----------------------------------------------------------------------------------------------

    def settled(self, refuse: Callable[[str, Origin], InputError]) -> Classes:
        """Draw all conclusions, and hand over what has been found."""
        for variable in self._in_memory:
            self.nodes.is_object(self.variable(variable), variable.type)
        while self._settle_once() or self._call_outside() or self._outside.settle(self._variables):
            pass
        found = Findings(
            self._variables,
            self._locations,
            self._targets,
            self._results,
            self._variadic,
            self._in_memory,
            self._values_in_memory,
            self._assigned,
            self._functions,
            self._outside.arbitrary(),
            self._to_integers if self._exposed is None else [*self._to_integers, self._exposed],
        )
        return Classes(self.nodes, found, refuse)

    def _settle_once(self) -> bool:
        """One round of conclusions; whether there was any."""
        changed = False
        if self._exposed is None and self.nodes.pointers_go_as_numbers(are_made=bool(self._to_integers)):
            self._exposed_places()
        if self._exposed is not None:
            for node in self._to_integers:
                self.nodes.unify(self._exposed, node)
        for node in self.nodes.roots():
            if node.forward is not None:
                continue
            for name in list(node.functions):
                for call in list(node.calls):
                    assert isinstance(call, t.Call)
                    if (name, call) in self._bound:
                        continue
                    if fit(self._functions[name], call, self.layout) >= Fit.CLOSE:
                        self._bound.add((name, call))
                        self._bind(name, call)
                        changed = True
            node = self.nodes.find(node)
            if leaves_member(node):
                self.nodes.collapse_outermost(node)
                changed = True
            elif not node.collapsed:
                changed |= self.nodes.check_use(node)
            changed |= self._check_exposed(self.nodes.find(node))
        return changed

    def _call_outside(self) -> bool:
        """A call through a pointer from outside may also call a function that is not there."""
        found = [call for node in self._outside.arbitrary() for call in node.calls if isinstance(call, t.Call)]
        calls = [call for call in found if (OUTSIDE, call) not in self._bound]
        for call in calls:
            self._bound.add((OUTSIDE, call))
            self._bind_missing(OUTSIDE, call)
        return bool(calls)

    def _check_exposed(self, node: Node) -> bool:
        """A pointer that can be read as an integer exposes its target."""
        if self._exposed is None or not (node.holds_pointers and node.holds_integers):
            return False
        target = self.nodes.pointee(node)
        if target is self.nodes.find(self._exposed):
            return False
        self.nodes.unify(target, self._exposed)
        return True
