"""Which variables in memory stay inside: their address does not get outside of the program.

The address of a variable may go to places of it, through pointer arithmetic, and to variables that are pointers and in
no memory, parameters among them. Whatever else is done with it makes it escape: it is stored in memory, returned,
compared, made a number, or passed to a function without a body.

    int x, y, *p = c ? &x : &y;      missing(&x) knows x, not y, although one class of memory has both
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.frontends.c.pointsto_tree import compared_pointers, is_known_outside
from paddock.frontends.c.symbols import is_errno
from paddock.frontends.c.walk import children, nodes_in

Kind = t.ConversionKind

# What a pointer may be: the address of a variable, or (without `True`) the value of one.
Source = tuple[t.Variable, bool]


class Escapes:
    """Where the addresses of variables go. `in_memory` are variables that have one."""

    def __init__(
        self,
        in_memory: Iterable[t.Variable],
        functions: dict[str, t.Function],
        effect_of: Callable[[str, t.Call], PointerEffect | None],
    ) -> None:
        self._in_memory = dict.fromkeys(in_memory)
        self._functions = functions  # those that do what their body says
        self._effect_of = effect_of
        self._escaped: set[Source] = set()
        self._held: dict[t.Variable, dict[Source, None]] = {}  # what the value of a variable may be

    def add_global(self, declared: t.Global) -> None:
        if declared.initialiser is not None:
            self._initialise(declared.variable, declared.initialiser)
            for item in declared.initialiser.items:
                self.add(item.value)

    def add(self, root: t.Expression | t.Statement) -> None:
        """Take account of all that happens in a body or a value."""
        for node in nodes_in(root):
            for value, target in self._moves(node):
                self._move(value, target)

    def escape(self, variables: Iterable[t.Variable]) -> None:
        """The addresses of some variables are known outside."""
        self._escaped.update((variable, True) for variable in variables)

    def inside(self) -> frozenset[t.Variable]:
        """The variables in memory whose addresses stay inside."""
        waiting = [variable for variable, is_address in self._escaped if not is_address]
        while waiting:
            for source in self._held.get(waiting.pop(), ()):
                if source not in self._escaped:
                    self._escaped.add(source)
                    if not source[1]:
                        waiting.append(source[0])
        return frozenset(
            v for v in self._in_memory if (v, True) not in self._escaped and not is_known_outside(v) and not is_errno(v)
        )

    def _moves(self, node: t.Expression | t.Statement) -> Iterator[tuple[t.Expression, t.Variable | None]]:
        """The pointers that a node moves to a variable or, without one, makes known outside. Where it passes on what it
        is made of as its own value, whoever uses that moves it."""
        match node:
            case t.Conversion(kind=Kind.POINTER_TO_INT, operand=operand):
                yield operand, None
            case t.Binary():
                if compared_pointers(node) is not None:
                    yield from ((side, None) for side in (node.left, node.right))
            case t.Assignment(target=target, value=value) | t.Update(target=target, value=value):
                yield value, target.variable if isinstance(target, t.VariableUse) else None
            case t.Declare(variable=variable, initialiser=t.Initialiser() as initialiser):
                self._initialise(variable, initialiser)
            case t.CompoundLiteral(variable=variable, initialiser=initialiser):
                self._initialise(variable, initialiser)
            case t.Call():
                yield from self._passed(node)
            case (
                t.Conversion()
                | t.AddressOf()
                | t.Dereference()
                | t.Index()
                | t.Member()
                | t.PointerOffset()
                | t.Conditional()
                | t.Comma()
                | t.StatementExpression()
                | t.Unary()
                | t.Logical()
                | t.Declare()
                | t.Block()
                | t.Evaluate()
                | t.If()
                | t.While()
                | t.DoWhile()
                | t.For()
                | t.Switch()
            ):
                pass
            case _:
                yield from ((part, None) for part in children(node) if isinstance(part, t.Expression))

    def _passed(self, call: t.Call) -> Iterator[tuple[t.Expression, t.Variable | None]]:
        """Where the arguments of a call go."""
        name = call.function.name if isinstance(call.function, t.FunctionUse) else ""
        function = self._functions.get(name)
        if function is None and _returned(self._effect_of(name, call)) is not None:
            return
        parameters = function.parameters if function is not None else ()
        for n, argument in enumerate(call.arguments):
            yield argument, parameters[n] if n < len(parameters) else None

    def _initialise(self, variable: t.Variable, initialiser: t.Initialiser) -> None:
        for item in initialiser.items:
            self._move(item.value, variable if not item.path else None)

    def _move(self, value: t.Expression, target: t.Variable | None) -> None:
        """A pointer goes to a variable or, without one, outside. It goes there, too, if the variable can be changed and
        looked at by other means than its name."""
        is_hidden = target is not None and isinstance(target.type, c.PointerType)
        if target is None or not is_hidden or target in self._in_memory or is_known_outside(target):
            self._escaped.update(self._sources(value))
        else:
            self._held.setdefault(target, {}).update(dict.fromkeys(self._sources(value)))

    def _sources(self, value: t.Expression) -> Iterator[Source]:
        """What a value may be, as far as it is an address that has not been in memory."""
        stack = [value]
        while stack:
            match stack.pop():
                case t.Conversion(kind=Kind.LOAD, operand=t.VariableUse(variable=variable)):
                    yield variable, False
                case t.Conversion(kind=Kind.POINTER | Kind.SAME | Kind.DECAY, operand=operand):
                    stack.append(operand)
                case t.AddressOf(place=operand) | t.Member(record=operand):
                    stack.append(operand)
                case t.Dereference(pointer=operand) | t.Index(pointer=operand) | t.PointerOffset(pointer=operand):
                    stack.append(operand)
                case t.VariableUse(variable=variable):
                    yield from ((variable, True), (variable, False))
                case t.CompoundLiteral(variable=variable):
                    yield variable, True
                case t.Conditional(then=then, otherwise=otherwise):
                    stack += (then, otherwise)
                case t.Comma(second=operand) | t.StatementExpression(value=t.Expression() as operand):
                    stack.append(operand)
                case t.Assignment(value=operand):
                    stack.append(operand)
                case t.Update(target=t.VariableUse(variable=variable), value=operand):
                    yield variable, False
                    stack.append(operand)
                case t.Call(function=t.FunctionUse(name=name)) as call if name not in self._functions:
                    returned = _returned(self._effect_of(name, call))
                    stack += [] if returned is None else [call.arguments[returned]]


def _returned(effect: PointerEffect | None) -> int | None:
    """Which of its arguments a function returns that only reads and writes what its arguments point to."""
    return effect.returns if effect is not None and effect.length is not None else None
