"""Calls: of functions with a body, of library functions, of functions that are not there, and through pointers.

A function without a body returns anything and may change whatever its arguments let it reach: in the IR, it is a
procedure without a body. A call through a pointer branches over the functions whose address the pointer may hold.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import conjunction, equal, negation
from paddock.frontends.c.checks import quotable
from paddock.frontends.c.errno import any_errno, write_errno
from paddock.frontends.c.fitting import Fit, fit
from paddock.frontends.c.inputs import MOST_SCALARS
from paddock.frontends.c.known_names import is_nondeterministic, is_reserved
from paddock.frontends.c.library import model_of
from paddock.frontends.c.lower_blocks import Steps
from paddock.frontends.c.lower_places import MemoryPlace
from paddock.frontends.c.lower_spared import is_unchangeable
from paddock.frontends.c.lower_variadic import Variadic
from paddock.frontends.c.memory import Cell
from paddock.frontends.c.pointsto_classes import MemoryClass
from paddock.frontends.c.pointsto_tree import is_known_outside
from paddock.frontends.c.show import Note, Reached, ShownFunction, Watch
from paddock.frontends.c.text import expression_text, without_conversions
from paddock.frontends.c.wrappers import is_short
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Attribute, Attributes, Expr, Var
from paddock.ir.origin import Origin
from paddock.ir.program import Procedure, VarDecl, local_var
from paddock.ir.stmt import Assign, Call, Havoc
from paddock.ir.walk import variables

UNKNOWN_FUNCTION = "function#outside"  # what pointers from outside point to if it is no function of the program


class Calls(Variadic):
    """The lowering of calls."""

    def call(self, node: t.Call, *, used: bool) -> Steps[tuple[Expr, ...]]:
        if isinstance(node.function, t.FunctionUse):
            held: tuple[Expr, ...] = yield self._named(node.function.name, node)
        else:
            held = yield self._through_pointer(node)
        return held

    def _named(self, name: str, node: t.Call) -> Steps[tuple[Expr, ...]]:
        """Call a function by its unique name."""
        function = self.shared.functions.get(name)
        model = model_of(name, function, node)
        if model is not None:
            held: tuple[Expr, ...] = yield model(self, node)
            # The program may have declared a function that returns nothing as one that does.
            return held or self.arbitrary_values(node.type)
        arguments: list[tuple[Expr, ...]] = yield self.arguments(node.arguments)
        if function is None or function.body is None:
            return self._missing(name, node, arguments)
        return self._with_body(function, node, arguments)

    def arguments(self, nodes: Sequence[t.Expression]) -> Steps[list[tuple[Expr, ...]]]:
        """The values of arguments, from left to right."""
        done: list[tuple[Expr, ...]] = []
        for node in nodes:
            mark = self.blocks.mark()
            held: tuple[Expr, ...] = yield self.values(node)
            if not self.blocks.unchanged(mark):
                for n, earlier in enumerate(done):
                    kept = []
                    for value in earlier:
                        value, mark = self.blocks.kept(value, mark)
                        kept.append(value)
                    done[n] = tuple(kept)
            done.append(held)
        return done

    def lasting_arguments(self, nodes: Sequence[t.Expression]) -> Steps[list[tuple[Expr, ...]]]:
        """The values of arguments, for a model that writes to memory: whatever it writes, these stay what they are."""
        held: list[tuple[Expr, ...]] = yield self.arguments(nodes)
        return [tuple(map(self.blocks.lasting, values)) for values in held]

    def _with_body(self, function: t.Function, node: t.Call, arguments: list[tuple[Expr, ...]]) -> tuple[Expr, ...]:
        passed: list[Expr] = []
        for n, parameter in enumerate(function.parameters):
            if n >= len(arguments):
                passed += self.arbitrary_values(parameter.type)
            elif c.is_scalar(parameter.type) and c.is_scalar(node.arguments[n].type):
                passed.append(self.numbers.convert(arguments[n][0], node.arguments[n].type, parameter.type))
            else:
                passed += arguments[n]
        if function.type.variadic:
            extra = range(len(function.parameters), len(arguments))
            passed.append(self.variadic_block(function, [(node.arguments[n], arguments[n]) for n in extra]))
        if fit(function, node, self.shared.unit.layout) is Fit.NONE:
            message = f"{expression_text(node)} calls {function.written_name}, which does not fit"
            self.insist("pointer", FALSE, message, node.origin)
        results = self._result_variables(function.type.result)
        name = self.shared.procedure_name(function)
        attributes, origin = self._as_assertion(function, node)
        self.blocks.emit(Call(name, tuple(passed), results, attributes=attributes, origin=origin))
        if c.is_scalar(function.type.result) and c.is_scalar(node.type):
            return (self.numbers.convert(results[0], function.type.result, node.type),)
        return results

    def _as_assertion(self, function: t.Function, node: t.Call) -> tuple[Attributes, Origin]:
        """How the arguments of a call are written and where it is, if the call may count as an assertion."""
        origin = self.blocks.origin
        if function.name not in self.shared.possible_wrappers or len(node.arguments) != len(function.parameters):
            return (), origin
        if node.origin.file:
            origin = origin.asserting(node.origin.identity(""))
        noted = origin.noted(self.shared.presentation.add(Note("", failing=self.watches())))
        if not all(map(is_short, node.arguments)):
            return (), noted
        texts = tuple(quotable(expression_text(argument)) for argument in node.arguments)
        return (Attribute("arguments", texts),) if texts else (), noted

    def _result_variables(self, type_: c.CType) -> tuple[Var, ...]:
        """New temporaries for the result of a call."""
        if isinstance(type_, c.VoidType):
            return ()
        return tuple(self.blocks.result(self.shared.leaf_type(leaf)) for leaf in self.leaves.of(type_))

    def _missing(self, called: str | None, node: t.Call, arguments: list[tuple[Expr, ...]]) -> tuple[Expr, ...]:
        """Call a function that has no body; without a name, one to which a pointer from outside points."""
        shared, changed, modified = self.shared, dict[Var, None](), dict[Var, None]()
        name = UNKNOWN_FUNCTION if called is None else called
        if not is_nondeterministic(name):
            if called is not None and is_reserved(name):
                raise shared.refuse(f"a call of {name} is not supported", node.origin)
            if called is not None and self.settings.missing_bodies == "error":
                raise shared.refuse(f"the function {name} has no body", node.origin)
            unknown = f"{expression_text(node)} may call a function that is not there"
            problem = unknown if called is None else f"the function {name} has no body"
            message = f"{problem}: it may return anything and change what its arguments point to"
            shared.warn(message, node.origin)
            roots = [self.pointsto.target(a) for a in node.arguments if isinstance(a.type, c.PointerType)]
            for cell in self._changed_cells(roots):
                changed[cell.map] = None
                if shared.spared.has_some(cell):
                    self._change(cell)
                else:
                    modified[cell.map] = None
        procedure = self._without_body(name, node, tuple(modified))
        results = self._result_variables(node.type)
        origin = self.blocks.origin
        left = self._left_behind(node, arguments, results, changed)
        error = None if is_nondeterministic(name) else any_errno(self)
        left += () if error is None else [error]
        if left:
            origin = origin.noted(shared.presentation.add(self._note_left(node, left, changed)))
        self.blocks.emit(Call(procedure, (), results, origin=origin))
        self._come_from_outside(node, results)
        if error is not None:
            write_errno(self, error.value)
        return results

    def _changed_cells(self, roots: Iterable[MemoryClass]) -> Iterator[Cell]:
        """The maps that a function without a body may change if it gets pointers to some classes."""
        for reached in self.pointsto.reachable(roots):
            yield from (cell for cell in self.memory.cells_below(reached) if not self.shared.spared.has_only(cell))

    def _change(self, cell: Cell) -> None:
        """Change what a function without a body may change in a class where it must spare something. This comes before
        the call, so that all is as the function leaves it when it returns."""
        fresh = self.blocks.temporary(cell.map.type, "any")
        self.blocks.emit(Havoc((fresh,), origin=self.blocks.origin))
        self.blocks.emit(Assign((cell.map,), (self.shared.spared.after(cell, fresh),), origin=self.blocks.origin))

    def _come_from_outside(self, node: t.Call, results: tuple[Var, ...]) -> None:
        """The pointers in a result are from outside."""
        class_ = self.pointsto.target(node) if isinstance(node.type, c.PointerType | c.RecordType) else None
        if isinstance(node.type, c.PointerType) and class_ is not None:
            self.from_outside(results[0], class_, node.type)
        elif class_ is not None:
            self.pointers_from_outside(class_, self.leaves.of(node.type), results)

    def _left_behind(
        self, node: t.Call, arguments: list[tuple[Expr, ...]], results: tuple[Var, ...], changed: dict[Var, None]
    ) -> list[Reached]:
        """What can be found in memory after a call of a function without a body: where its arguments point to, and
        its result."""
        found: list[Reached] = []
        for n, (argument, held) in enumerate(zip(node.arguments, arguments, strict=True)):
            if isinstance(argument.type, c.PointerType) and variables(held[0]).isdisjoint(changed):
                plain = without_conversions(argument)
                target = plain.type.target if isinstance(plain.type, c.PointerType) else argument.type.target
                left = self.reached(held[0], self.pointsto.target(argument), target, depth=1, argument=n)
                found += [part for part in left if not variables(part.value).isdisjoint(changed)]
        if isinstance(node.type, c.PointerType):
            found += self.reached(results[0], self.pointsto.target(node), node.type.target)
        for variable, place in self._changed_globals(changed):
            found += self.reached(place.address, place.node, variable.type, depth=1)
        return found[:MOST_SCALARS]

    def _changed_globals(self, changed: Container[Var]) -> Iterator[tuple[t.Variable, MemoryPlace]]:
        """The globals that a function without a body knows and may change, since its arguments may point to them."""
        for variable in self.pointsto.in_memory:
            if is_known_outside(variable) and self.shared.outside is not None and not is_unchangeable(variable):
                place = self.variable_place(variable)
                assert isinstance(place, MemoryPlace)
                if any(cell.map in changed for cell in self.memory.cells_below(place.node)):
                    yield variable, place

    def _note_left(self, node: t.Call, left: list[Reached], changed: Container[Var]) -> Note:
        """A note of what a call leaves in memory: what is shown are the scalars that arguments point to, or may."""
        watches = []
        for reached in left:
            if reached.argument is not None and reached.start is reached.address:
                argument = without_conversions(node.arguments[reached.argument])
                is_address = isinstance(argument, t.AddressOf) and c.is_scalar(argument.place.type)
                text, holes = self.name_of(argument.place) if isinstance(argument, t.AddressOf) else ("", ())
                if is_address:
                    watches.append(Watch(text, reached.value, reached.type, holes))
        for variable, place in self._changed_globals(changed):
            cell = self.memory.cell(place.node) if c.is_scalar(variable.type) else None
            if cell is not None:
                value = self.memory.load(cell, place.address, variable.type)
                watches.append(Watch(variable.name, value, variable.type))
        return Note(watches=tuple(watches), reached=tuple(left))

    def _without_body(self, name: str, node: t.Call, changed: tuple[Var, ...]) -> str:
        """The procedure for a function without a body; if calls disagree about its result, or about what it may change,
        there are several."""
        shared, type_ = self.shared, node.type
        key = (name, "" if isinstance(type_, c.VoidType) else str(type_), changed)
        if key not in shared.missing:
            shared.missing[key] = unique = name if name not in shared.procedures else f"{name}.{len(shared.missing)}"
            declared = []
            for leaf in () if isinstance(type_, c.VoidType) else self.leaves.of(type_):
                var = local_var(shared.leaf_name(f"{name}.result", leaf), shared.leaf_type(leaf))
                where = None if leaf.dimensions else self.numbers.in_range(var, leaf.type)
                declared.append(VarDecl(var, where))
            shared.procedures[unique] = Procedure(unique, (), tuple(declared), modifies=changed, origin=node.origin)
            function = shared.functions.get(name)
            shared.presentation.functions[unique] = ShownFunction(
                name if function is None else function.written_name,
                c.FunctionType(type_, (), False, False) if function is None else function.type,
                results=tuple(self.scalars("", type_, iter(declared))),
                has_body=False,
            )
        return shared.missing[key]

    # --- through pointers ------------------------------------------------------------------------------------

    def _through_pointer(self, node: t.Call) -> Steps[tuple[Expr, ...]]:
        blocks, function = self.blocks, node.function
        if isinstance(function, t.Dereference):
            function = function.pointer
        pointer: Expr = yield self.value(function)
        saved = blocks.temporary(pointer.type, "function")
        blocks.emit(Assign((saved,), (pointer,), origin=blocks.origin))
        pointed_to = self.pointsto.pointed_to(node)
        callees = [callee for callee, fits in pointed_to if fits >= Fit.CLOSE]
        join, other = blocks.label("returned"), blocks.label("other")
        results: list[Var] = []
        if not isinstance(node.type, c.VoidType):
            results = [blocks.temporary(self.shared.leaf_type(leaf), "chosen") for leaf in self.leaves.of(node.type)]
        text = expression_text(node)
        message = f"the pointer in {text} points to no function of its type"
        labels = [blocks.exact_label(f"call.{callee.name}.{blocks.origin.line}") for callee in callees]
        none: Expr = TRUE
        for callee in callees:
            none = conjunction(none, negation(equal(saved, self.shared.function_address(callee.name))))
        blocks.goto(*labels, other)
        for label, callee in zip(labels, callees, strict=True):
            blocks.enter(label, equal(saved, self.shared.function_address(callee.name)))
            if (callee, Fit.CLOSE) in pointed_to:
                self.check("pointer", FALSE, message, node.origin)
            held: tuple[Expr, ...] = yield self._named(callee.name, node)
            self._finish_way(results, held or self.arbitrary_values(node.type), join)
        blocks.enter(other, none)
        is_from_outside = self.pointsto.target(node.function) in self.pointsto.arbitrary
        if "pointer" in self.settings.checks:
            self.check("pointer", FALSE, message, node.origin)
        else:
            if not pointed_to and not is_from_outside:
                self.shared.warn(f"it is not known what {text} calls: it may return anything", node.origin)
            self.assume(negation(equal(saved, self.numbers.address(0))))  # the program is ended
            for callee, fits in pointed_to:
                if fits < Fit.CLOSE:
                    called = negation(equal(saved, self.shared.function_address(callee.name)))
                    self.insist(
                        "pointer", called, f"{text} calls {callee.written_name}, which does not fit", node.origin
                    )
        if is_from_outside:
            arguments: list[tuple[Expr, ...]] = yield self.arguments(node.arguments)
            held = self._missing(None, node, arguments)
        else:
            held = self.arbitrary_values(node.type)
        self._finish_way(results, held, join)
        blocks.open(join)
        return tuple(results)

    def _finish_way(self, results: Sequence[Var], held: Sequence[Expr], join: str) -> None:
        for result, value in zip(results, held, strict=False):
            self.blocks.assign(result, value)
        self.blocks.goto(join)
