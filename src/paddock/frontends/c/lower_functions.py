"""Functions: each is a procedure with one parameter or result for each leaf of C's.

A parameter that the function changes, or whose address it takes, becomes a local object with the value that was passed.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arguments import begin_arguments, has_arguments
from paddock.frontends.c.jumps import jumps_of
from paddock.frontends.c.lower_blocks import Mark, run
from paddock.frontends.c.lower_context import Plain, Shared
from paddock.frontends.c.lower_places import MemoryPlace
from paddock.frontends.c.lower_statements import Statements
from paddock.frontends.c.memory_leaves import Leaf
from paddock.frontends.c.show import SET_UP, ShownFunction
from paddock.frontends.c.symbols import is_model
from paddock.ir.expr import Attribute
from paddock.ir.program import Implementation, Procedure, VarDecl
from paddock.ir.stmt import Assign, Return


class FunctionLowering(Statements):
    """The lowering of one function that has a body."""

    def __init__(self, shared: Shared, function: t.Function) -> None:
        super().__init__(shared, function)
        self.updates = []
        self.old_values = []
        self.indices = {}
        self.reads = {}
        self.demands = []
        assert function.body is not None
        self.jumps = jumps_of(function.body)
        self.around = []
        self.scopes = []
        self.enclosing = []
        self.labels = {}
        self.cases = {}
        self.exit_label = self.blocks.exact_label("exit") if shared.settings.tracks_objects else None
        result = function.type.result
        leaves = () if isinstance(result, c.VoidType) else self.leaves.of(result)
        self._declared_results = [self._formal(f"{function.name}.result", leaf) for leaf in leaves]
        self.results = tuple(declared.var for declared in self._declared_results)
        self._parameters: list[VarDecl] = []

    def _formal(self, name: str, leaf: Leaf, shown: str = "") -> VarDecl:
        var = self.blocks.formal(self.shared.leaf_name(name, leaf), self.shared.leaf_type(leaf))
        where = None if leaf.dimensions else self.numbers.in_range(var, leaf.type)
        attributes = (Attribute("name", (shown,)),) if shown else ()
        return VarDecl(var, where, attributes)

    def procedure(self, name: str, set_up: Callable[[FunctionLowering], None] | None = None) -> Procedure:
        """The function as a procedure; with something to set up before, it is the one in which the program starts."""
        function, blocks = self.function, self.blocks
        assert function is not None and function.body is not None
        blocks.origin = function.origin
        blocks.open(blocks.exact_label("entry"))
        for parameter in function.parameters:
            self._parameter(parameter)
        if function.type.variadic:
            self.variadic_pointer = blocks.formal("variadic.arguments", self.memory.address_type)
            self._parameters.append(VarDecl(self.variadic_pointer))
        start = blocks.mark()
        self.enter_block(function.body)
        run(self.run_statements(function.body.statements))
        blocks.origin = function.body.end
        if self.exit_label is not None:
            self._exit(self.exit_label, start, ends_program=set_up is not None)
        blocks.close(Return(origin=blocks.origin))
        if set_up is not None:
            self._present_arguments()
            # Only now is it known what there is to set up.
            blocks.origin = function.origin
            first = blocks.exact_label(SET_UP)
            blocks.open(first)
            set_up(self)
            blocks.goto("entry")
            blocks.move_to_front(first)
        self._present(name)
        body = blocks.finished()
        implementation = Implementation(tuple(blocks.locals.values()), body, origin=function.origin)
        return Procedure(
            name,
            tuple(self._parameters),
            tuple(self._declared_results),
            implementations=(implementation,),
            origin=function.origin,
        )

    def begin_arguments(self) -> None:
        """Bring to life what is passed to the function if it is `main`; what else is passed is from outside."""
        assert self.function is not None
        if has_arguments(self.function):
            argc, argv = (declared.var for declared in self._parameters[:2])
            begin_arguments(self, self.function.parameters[1], argc, argv)
        formals = [declared.var for declared in self._parameters]
        for variable in self.function.parameters:
            leaves = self.leaves.of(variable.type)
            class_, held, formals = self.pointsto.variable(variable), formals[: len(leaves)], formals[len(leaves) :]
            self.pointers_from_outside(class_, leaves, held, at_start=True)

    def _present(self, name: str) -> None:
        """Say which function a procedure is."""
        function = self.function
        assert function is not None
        formals = iter(self._parameters)
        parameters = [
            scalar for variable in function.parameters for scalar in self.scalars(variable.name, variable.type, formals)
        ]
        results = self.scalars("", function.type.result, iter(self._declared_results))
        hidden = is_model(function.origin)
        self.shared.presentation.functions[name] = ShownFunction(
            function.written_name,
            function.type,
            tuple(parameters),
            tuple(results),
            hidden=hidden,
            static=function.static,
        )

    def _present_arguments(self) -> None:
        """Say what the arguments with which the program starts point to."""
        assert self.function is not None
        formals = iter(self._parameters)
        for variable in self.function.parameters:
            scalars = self.scalars(variable.name, variable.type, formals)
            if isinstance(variable.type, c.PointerType):
                node = self.pointsto.pointee(self.pointsto.variable(variable))
                reached = self.reached(scalars[0].var, node, variable.type.target)
                self.shared.presentation.reached += reached

    def _parameter(self, variable: t.Variable) -> None:
        """Make what is passed for a parameter the value of the parameter."""
        leaves = self.leaves.of(variable.type)
        name = variable.unique or "unnamed.1"
        if self.shared.is_plain(variable) and variable not in self.pointsto.assigned:
            formals = [self._formal(name, leaf) for leaf in leaves]
            variables = {leaf.key: formal.var for leaf, formal in zip(leaves, formals, strict=True)}
            self.set_plain(variable, Plain(variables, {leaf.key: leaf.type for leaf in leaves}))
        else:
            formals = [self._formal(f"in.{name}", leaf, self.shared.leaf_name(name, leaf)) for leaf in leaves]
            self.begin(variable, is_initialised=True)
            self.store_all(self.variable_place(variable), [formal.var for formal in formals])
        self._parameters += formals

    def _exit(self, label: str, start: Mark, *, ends_program: bool) -> None:
        """The end of the function, on all ways: its objects end."""
        blocks = self.blocks
        for var in self.dynamic.values():
            # One that has not come to life must not end.
            blocks.insert(start, Assign((var,), (self.numbers.address(0),), origin=blocks.origin))
        blocks.open(label)
        for variable in (*self.begun, *self.dynamic):
            place = self.variable_place(variable)
            assert isinstance(place, MemoryPlace)
            self.object_ends(place.address)
        if ends_program:
            self.check_leaks(blocks.origin)
        blocks.close(Return(origin=blocks.origin))
