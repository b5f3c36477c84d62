"""Calls of functions that have no body: they return anything, and may change whatever their arguments let them reach.

In the IR, such a function is a procedure without a body.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.known_names import is_nondeterministic, is_reserved
from paddock.frontends.c.library.threads import FAMILIES
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.context import ProgramContext, leaf_type
from paddock.frontends.c.lowering.errno import Errno
from paddock.frontends.c.lowering.inputs import MOST_SCALARS, Inputs
from paddock.frontends.c.lowering.notes import Notes, shown_scalars
from paddock.frontends.c.lowering.places import MemoryPlace, Places
from paddock.frontends.c.lowering.spared import is_unchangeable
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.memory import Cell
from paddock.frontends.c.memory_leaves import leaf_name
from paddock.frontends.c.pointsto_classes import MemoryClass
from paddock.frontends.c.pointsto_tree import is_known_outside
from paddock.frontends.c.show import Note, Reached, ShownFunction, Watch
from paddock.frontends.c.text import expression_text, without_conversions
from paddock.frozen import frozen
from paddock.ir.expr import Expr, Var
from paddock.ir.program import Procedure, VarDecl, local_var
from paddock.ir.stmt import Call
from paddock.ir.walk import variables

UNKNOWN_FUNCTION = "function#outside"  # what pointers from outside point to if it is no function of the program


@frozen
class MissingBodies:
    """Calls functions that have no body."""

    context: ProgramContext
    blocks: Blocks
    variables: Variables
    places: Places
    inputs: Inputs
    errno: Errno
    notes: Notes

    def call(self, called: str | None, node: t.Call, arguments: list[tuple[Expr, ...]]) -> tuple[Expr, ...]:
        """Call a function that has no body; without a name, one to which a pointer from outside points."""
        name = UNKNOWN_FUNCTION if called is None else called
        changed, modified = dict[Var, None](), dict[Var, None]()
        if not is_nondeterministic(name):
            self._warn(called, node)
            pointsto = self.context.pointsto
            roots = [pointsto.target(a) for a in node.arguments if isinstance(a.type, c.PointerType)]
            for cell in self._changed_cells(roots):
                changed[cell.map] = None
                if self.context.spared.has_some(cell):
                    self._change(cell)
                else:
                    modified[cell.map] = None
        procedure = self._procedure(name, node, tuple(modified))
        results = self.variables.results(node.type)
        origin = self.blocks.origin
        left = self._left_behind(node, arguments, results, changed)
        error = None if is_nondeterministic(name) else self.errno.any()
        left += () if error is None else [error]
        if left:
            origin = origin.noted(self.context.presentation.add(self._note_left(node, left, changed)))
        self.blocks.emit(Call(procedure, (), results, origin=origin))
        self._come_from_outside(node, results)
        if error is not None:
            self.errno.write(error.value)
        return results

    def _warn(self, called: str | None, node: t.Call) -> None:
        """Refuse what must have a model, and what the user wants refused; say what is assumed of all others."""
        messages = self.context.messages
        problem = f"{expression_text(node)} may call a function that is not there"
        if called is not None:
            problem = f"the function {called} has no body"
            if is_reserved(called) or (self.context.has_threads and called.startswith(FAMILIES)):
                raise messages.refuse(f"a call of {called} is not supported", node.origin)
            if self.context.settings.missing_bodies == "error":
                raise messages.refuse(problem, node.origin)
        messages.warn(f"{problem}: it may return anything and change what its arguments point to", node.origin)

    def _changed_cells(self, roots: Iterable[MemoryClass]) -> Iterator[Cell]:
        """The maps that a function without a body may change if it gets pointers to some classes."""
        for reached in self.context.pointsto.reachable(roots):
            yield from (
                cell for cell in self.context.memory.cells_below(reached) if not self.context.spared.has_only(cell)
            )

    def _change(self, cell: Cell) -> None:
        """Change what a function without a body may change in a class where it must spare something. This comes before
        the call, so that all is as the function leaves it when it returns."""
        fresh = self.blocks.locals.temporary(cell.map.type, "any")
        self.blocks.havoc(fresh)
        self.blocks.put(cell.map, self.context.spared.after(cell, fresh))

    def _come_from_outside(self, node: t.Call, results: tuple[Var, ...]) -> None:
        """The pointers in a result are from outside."""
        class_ = self.context.pointsto.target(node) if isinstance(node.type, c.PointerType | c.RecordType) else None
        if isinstance(node.type, c.PointerType) and class_ is not None:
            self.inputs.pointer(results[0], class_, node.type)
        elif class_ is not None:
            self.inputs.pointers(class_, self.context.leaves.of(node.type), results)

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
                left = self.inputs.reached(held[0], self.context.pointsto.target(argument), target, depth=1, argument=n)
                found += [part for part in left if not variables(part.value).isdisjoint(changed)]
        if isinstance(node.type, c.PointerType):
            found += self.inputs.reached(results[0], self.context.pointsto.target(node), node.type.target)
        for variable, place in self._changed_globals(changed):
            found += self.inputs.reached(place.address, place.node, variable.type, depth=1)
        return found[:MOST_SCALARS]

    def _changed_globals(self, changed: Container[Var]) -> Iterator[tuple[t.Variable, MemoryPlace]]:
        """The globals that a function without a body knows and may change, since its arguments may point to them."""
        for variable in self.context.pointsto.in_memory:
            if is_known_outside(variable) and self.context.outside is not None and not is_unchangeable(variable):
                place = self.places.in_memory(variable)
                if any(cell.map in changed for cell in self.context.memory.cells_below(place.node)):
                    yield variable, place

    def _note_left(self, node: t.Call, left: list[Reached], changed: Container[Var]) -> Note:
        """A note of what a call leaves in memory: what is shown are the scalars that arguments point to, or may."""
        watches = []
        for reached in left:
            if reached.argument is not None and reached.start is reached.address:
                argument = without_conversions(node.arguments[reached.argument])
                is_address = isinstance(argument, t.AddressOf) and c.is_scalar(argument.place.type)
                text, holes = self.notes.name_of(argument.place) if isinstance(argument, t.AddressOf) else ("", ())
                if is_address:
                    watches.append(Watch(text, reached.value, reached.type, holes))
        for variable, place in self._changed_globals(changed):
            cell = self.context.memory.cell(place.node) if c.is_scalar(variable.type) else None
            if cell is not None:
                value = self.context.memory.load(cell, place.address, variable.type)
                watches.append(Watch(variable.name, value, variable.type))
        return Note(watches=tuple(watches), reached=tuple(left))

    def _procedure(self, name: str, node: t.Call, changed: tuple[Var, ...]) -> str:
        """The procedure for a function without a body; if calls disagree about its result, or about what it may change,
        there are several."""
        context, known, type_ = self.context, self.context.bodiless, node.type
        key = (name, "" if isinstance(type_, c.VoidType) else str(type_), changed)
        if key in known.names:
            return known.names[key]
        known.names[key] = unique = name if name not in known.procedures else f"{name}.{len(known.names)}"
        declared = []
        for leaf in () if isinstance(type_, c.VoidType) else context.leaves.of(type_):
            var = local_var(leaf_name(f"{name}.result", leaf), leaf_type(leaf, context.numbers))
            where = None if leaf.dimensions else context.numbers.in_range(var, leaf.type)
            declared.append(VarDecl(var, where))
        known.procedures[unique] = Procedure(unique, (), tuple(declared), modifies=changed, origin=node.origin)
        function = context.functions.get(name)
        context.presentation.functions[unique] = ShownFunction(
            name if function is None else function.written_name,
            c.FunctionType(type_, (), False, False) if function is None else function.type,
            results=tuple(shown_scalars("", type_, context.leaves, iter(declared))),
            has_body=False,
        )
        return unique
