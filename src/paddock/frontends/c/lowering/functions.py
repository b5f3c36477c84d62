"""Functions: each is a procedure with one parameter or result for each leaf of C's.

A parameter that the function changes, or whose address it takes, becomes a local object with the value that was passed.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.jumps import jumps_of
from paddock.frontends.c.lowering.assembly import Lowering
from paddock.frontends.c.lowering.blocks import Blocks, finished, started_with
from paddock.frontends.c.lowering.context import Plain, ProgramContext, leaf_type
from paddock.frontends.c.lowering.locals import Locals
from paddock.frontends.c.lowering.main_arguments import MainArguments
from paddock.frontends.c.lowering.marks import Mark
from paddock.frontends.c.lowering.notes import shown_scalars
from paddock.frontends.c.lowering.steps import run
from paddock.frontends.c.memory_leaves import Leaf, leaf_name
from paddock.frontends.c.pointsto_tree import has_arguments
from paddock.frontends.c.show import SET_UP, ShownFunction
from paddock.frontends.c.symbols import is_model
from paddock.ir.expr import Attribute
from paddock.ir.program import Implementation, Procedure, VarDecl
from paddock.ir.stmt import Assign, Return


class FunctionLowering:
    """The lowering of one function that has a body."""

    def __init__(self, context: ProgramContext, function: t.Function) -> None:
        assert function.body is not None
        self.context = context
        self._function, self._body = function, function.body
        self._blocks = blocks = Blocks(Locals(context.globals.declared))
        self._exit_label = blocks.exact_label("exit") if context.settings.tracks_objects else None
        result = function.type.result
        leaves = () if isinstance(result, c.VoidType) else context.leaves.of(result)
        self._results = [self._formal(f"{function.name}.result", leaf) for leaf in leaves]
        results = tuple(declared.var for declared in self._results)
        self._parameters: list[VarDecl] = []
        self.parts = Lowering(context, function.name, jumps_of(self._body), blocks, results, self._exit_label)

    def _formal(self, name: str, leaf: Leaf, shown: str = "") -> VarDecl:
        numbers = self.context.numbers
        var = self._blocks.locals.formal(leaf_name(name, leaf), leaf_type(leaf, numbers))
        where = None if leaf.dimensions else numbers.in_range(var, leaf.type)
        attributes = (Attribute("name", (shown,)),) if shown else ()
        return VarDecl(var, where, attributes)

    def procedure(self, name: str, set_up: Callable[[FunctionLowering], None] | None = None) -> Procedure:
        """The function as a procedure; with something to set up before, it is the one in which the program starts."""
        function, blocks, parts = self._function, self._blocks, self.parts
        blocks.origin = function.origin
        blocks.open(blocks.exact_label("entry"))
        parts.goals.function(function.written_name, function.origin)
        start = parts.marks.mark()
        for parameter in function.parameters:
            self._parameter(parameter)
        if function.type.variadic:
            pointer = blocks.locals.formal("variadic.arguments", self.context.numbers.addresses.type)
            parts.variadic.pointer = pointer
            self._parameters.append(VarDecl(pointer))
        parts.lifetimes.enter_block(self._body)
        run(parts.statements.run_all(self._body.statements))
        blocks.origin = self._body.end
        if self._exit_label is not None:
            self._exit(self._exit_label, start, ends_program=set_up is not None)
        blocks.close(Return(origin=blocks.origin))
        made = blocks.made
        if set_up is not None:
            self._present_arguments()
            # Only now is it known what there is to set up.
            blocks.origin = function.origin
            first = blocks.exact_label(SET_UP)
            blocks.open(first)
            set_up(self)
            blocks.goto("entry")
            made = started_with(first, made)
        self._present(name)
        body = finished(made, keeps_all=bool(self.context.settings.covers))
        implementation = Implementation(tuple(blocks.locals.declared.values()), body, origin=function.origin)
        return Procedure(
            name,
            tuple(self._parameters),
            tuple(self._results),
            implementations=(implementation,),
            origin=function.origin,
        )

    def begin_arguments(self) -> None:
        """Bring to life what is passed to the function if it is `main`; what else is passed is from outside."""
        context, function = self.context, self._function
        if has_arguments(function):
            argc, argv = (declared.var for declared in self._parameters[:2])
            main = MainArguments(self._blocks, self.parts.objects, context.numbers, context.memory, context.pointsto)
            main.begin(function.parameters[1], argc, argv)
        formals = [declared.var for declared in self._parameters]
        for variable in function.parameters:
            leaves = context.leaves.of(variable.type)
            class_, held, formals = context.pointsto.variable(variable), formals[: len(leaves)], formals[len(leaves) :]
            self.parts.inputs.pointers(class_, leaves, held, at_start=True)

    def _present(self, name: str) -> None:
        """Say which function a procedure is."""
        function, leaves = self._function, self.context.leaves
        formals = iter(self._parameters)
        parameters = [
            scalar
            for variable in function.parameters
            for scalar in shown_scalars(variable.name, variable.type, leaves, formals)
        ]
        results = shown_scalars("", function.type.result, leaves, iter(self._results))
        self.context.presentation.functions[name] = ShownFunction(
            function.written_name,
            function.type,
            tuple(parameters),
            tuple(results),
            hidden=is_model(function.origin),
            static=function.static,
        )

    def _present_arguments(self) -> None:
        """Say what the arguments with which the program starts point to."""
        pointsto, formals = self.context.pointsto, iter(self._parameters)
        for variable in self._function.parameters:
            scalars = shown_scalars(variable.name, variable.type, self.context.leaves, formals)
            if isinstance(variable.type, c.PointerType):
                node = pointsto.pointee(pointsto.variable(variable))
                reached = self.parts.inputs.reached(scalars[0].var, node, variable.type.target)
                self.context.presentation.reached += reached

    def _parameter(self, variable: t.Variable) -> None:
        """Make what is passed for a parameter the value of the parameter."""
        parts, leaves = self.parts, self.context.leaves.of(variable.type)
        name = variable.unique or "unnamed.1"
        if parts.variables.is_plain(variable) and variable not in self.context.pointsto.assigned:
            formals = [self._formal(name, leaf) for leaf in leaves]
            held = {leaf.key: formal.var for leaf, formal in zip(leaves, formals, strict=True)}
            parts.variables.set_plain(variable, Plain(held, {leaf.key: leaf.type for leaf in leaves}))
        else:
            formals = [self._formal(f"in.{name}", leaf, leaf_name(name, leaf)) for leaf in leaves]
            parts.lifetimes.begin(variable, is_initialised=True)
            parts.access.store_all(parts.places.variable(variable), [formal.var for formal in formals])
        self._parameters += formals

    def _exit(self, label: str, start: Mark, *, ends_program: bool) -> None:
        """The end of the function, on all ways: its objects end."""
        blocks, parts = self._blocks, self.parts
        dynamic = parts.variables.dynamic
        for var in dynamic.values():
            # One that has not come to life must not end.
            parts.marks.insert(start, Assign((var,), (self.context.numbers.address(0),), origin=blocks.origin))
        blocks.open(label)
        for variable in (*parts.lifetimes.begun, *dynamic):
            parts.objects.end(parts.places.in_memory(variable).address)
        if ends_program:
            parts.objects.check_leaks(blocks.origin)
        blocks.close(Return(origin=blocks.origin))
