"""The first values of globals and of memory, with which the procedure of the entry begins."""

from __future__ import annotations

from collections.abc import Iterable

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import choice, conjunction
from paddock.frontends.c.library.rounding import TO_NEAREST
from paddock.frontends.c.library.threads import DONE, KNOWN, LIVE, SPECIFIC, STUCK
from paddock.frontends.c.lowering.analysed import Analysed
from paddock.frontends.c.lowering.assembly import Lowering
from paddock.frontends.c.lowering.context import TOP
from paddock.frontends.c.lowering.functions import FunctionLowering
from paddock.frontends.c.lowering.places import MemoryPlace
from paddock.frontends.c.lowering.races import ANNOUNCED
from paddock.frontends.c.lowering.steps import run
from paddock.frontends.c.memory import Cell
from paddock.frontends.c.memory_ranges import bound_address, zero_entry
from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE, binder, int_lit, select
from paddock.ir.expr import Expr, Quantifier
from paddock.ir.stmt import Assign
from paddock.ir.types import Map


@frozen
class SetUp:
    """Gives all globals, and memory, their first values."""

    program: Analysed

    def __call__(self, function: FunctionLowering) -> None:
        context, low = self.program.context, function.parts
        blocks, origin = low.blocks, self.program.reachable.entry.origin
        start = low.marks.mark()
        for variable, declared in self.program.reachable.globals.items():
            blocks.origin = variable.origin
            self._first_value(low, declared)
        for literal in list(context.constants.strings):
            blocks.origin = literal.origin
            node = context.pointsto.location(literal)
            place = MemoryPlace(context.constants.string(literal), node, literal.type)
            if context.settings.tracks_objects:
                low.objects.begin(place.address, low.places.size_of(literal.type))
            if context.memory.cell(node) is not None:
                low.initialisers.write_units(place, literal)
        blocks.origin = origin
        function.begin_arguments()
        mode = context.numbers.terms.mode
        static = [cell for cell in context.memory.cells if cell.node in self.program.static_classes]
        assignments = [
            *([Assign((mode,), (TO_NEAREST,))] if mode is not None else []),
            *(Assign((cell.map,), (self._first_map(cell),)) for cell in static),
            *self._first_objects(),
        ]
        for assignment in assignments:
            start = low.marks.insert(start, replace(assignment, origin=origin))

    def _first_value(self, low: Lowering, declared: t.Global) -> None:
        context, variable = self.program.context, declared.variable
        if (address := context.globals.addresses.get(variable)) is not None:
            low.blocks.put(address, context.constants.variable(variable))
        place = low.places.variable(variable)
        in_memory = isinstance(place, MemoryPlace)
        if isinstance(place, MemoryPlace):
            low.objects.begin(place.address, low.places.size_of(variable.type))
        if declared.external and isinstance(place, MemoryPlace):
            low.contents.make_arbitrary(place)
            context.presentation.reached += low.inputs.reached(place.address, place.node, variable.type)
        elif declared.external:
            leaves, held = context.leaves.of(variable.type), low.variables.plain_variable(variable).variables
            class_ = context.pointsto.variable(variable)
            low.inputs.pointers(class_, leaves, [held[leaf.key] for leaf in leaves], at_start=True)
        elif declared.initialiser is not None:
            run(low.initialisers.initialise(place, declared.initialiser, is_zero=in_memory))
        elif not in_memory:
            low.contents.make_zero(place)

    def _first_map(self, cell: Cell) -> Expr:
        """The first content of a map: zero, but arbitrary where objects come to life at run time."""
        numbers, space = self.program.context.numbers, self.program.context.space
        zero = zero_entry(cell, numbers)
        assert isinstance(cell.map.type, Map)
        if cell.node not in self.program.dynamic_classes:
            return numbers.terms.functions.constant_map(zero, cell.map.type)
        bound = bound_address(numbers.addresses.type)
        is_static = numbers.addresses.less(bound, numbers.address(space.end_of_constant))
        if space.stretch is not None:
            is_static = conjunction(numbers.addresses.at_least(bound, numbers.address(space.start)), is_static)
        return binder(Quantifier.LAMBDA, [bound], choice(is_static, zero, select(cell.map, bound)))

    def _first_objects(self) -> Iterable[Assign]:
        """What is known of objects before there are any."""
        context = self.program.context
        zero = context.numbers.address(0)
        constants: dict[str, Expr] = {
            TOP: context.numbers.address(context.space.first_free),
            "object#size": zero,
            "object#live": FALSE,
            "object#heap": FALSE,
            "heap#blocks": zero,
            SPECIFIC: zero,
            LIVE: int_lit(1),
            STUCK: int_lit(0),
            DONE: FALSE,
            ANNOUNCED: FALSE,
            **dict.fromkeys(KNOWN.values(), context.numbers.literal(0, c.INT)),
        }
        for name, value in constants.items():
            if name in context.globals.declared:
                var = context.globals.declared[name].var
                if isinstance(var.type, Map):
                    value = context.numbers.terms.functions.constant_map(value, var.type)
                yield Assign((var,), (value,))
