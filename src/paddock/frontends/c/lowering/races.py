"""Data races: two threads are about to access one place, and one of them is about to write (C11 5.1.2.4).

Before an access, a thread may announce it, and stop there for good. Another that comes to an access of the same place,
of which one is a write, is in a race with it: both could be next. What a thread does in an atomic section it cannot
announce, since no other thread runs before it is over.
"""

from __future__ import annotations

from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import conjunction, equal, negation
from paddock.frontends.c.library.threads import BEGIN, END, primitive
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.checks import Checks
from paddock.frontends.c.lowering.context import ProgramContext
from paddock.frontends.c.lowering.places import MemoryPlace, Place
from paddock.frontends.c.symbols import is_model
from paddock.frozen import frozen
from paddock.ir.build import FALSE, TRUE, int_lit, or_
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.types import BOOL, INT, Type

ANNOUNCED = "race#announced"
_WRITES, _OBJECT, _START, _END = "race#writes", "race#object", "race#start", "race#end"


@frozen
class Races:
    """Looks for races at accesses of a function, if it is to."""

    context: ProgramContext
    blocks: Blocks
    checks: Checks
    numbers: Numbers
    looks: bool

    def at(self, place: Place, size: Expr, *, writes: bool) -> None:
        """The check of an access."""
        if not self.looks:
            return
        addresses = self.numbers.addresses
        if isinstance(place, MemoryPlace):
            number, start, end = 0, place.address, addresses.plus(place.address, size)
        elif place.variable.scope is Scope.GLOBAL:
            number = 1 + list(self.context.globals.declared).index(place.variable.name)
            start = addresses.literal(0) if place.index is None else place.index
            end = addresses.plus(start, addresses.literal(1))
        else:
            return
        announced, blocks = self._hidden(ANNOUNCED, BOOL), self.blocks
        known_object, known_writes = self._hidden(_OBJECT, INT), self._hidden(_WRITES, BOOL)
        known_start, known_end = (self._hidden(name, addresses.type) for name in (_START, _END))
        same = conjunction(announced, equal(known_object, int_lit(number)))
        overlap = conjunction(addresses.less(start, known_end), addresses.less(known_start, end))
        conflict = conjunction(same, conjunction(overlap, TRUE if writes else known_writes))
        blocks.emit(primitive(self.context, BEGIN, blocks.origin))
        what = "a write" if writes else "a read"
        self.checks.check("race", negation(conflict), f"{what} while another thread accesses the same", blocks.origin)
        chosen = blocks.locals.temporary(BOOL, "announces")
        blocks.havoc(chosen)
        stops, goes_on = blocks.label("announced"), blocks.label("not_announced")
        announces = conjunction(chosen, negation(announced))
        blocks.fork(announces, stops, goes_on)
        blocks.enter(stops, announces)
        values = ((announced, TRUE), (known_object, int_lit(number)), (known_writes, TRUE if writes else FALSE))
        for var, value in (*values, (known_start, start), (known_end, end)):
            blocks.put(var, value)
        blocks.emit(primitive(self.context, END, blocks.origin))
        blocks.assume(negation(announced))
        blocks.stop()
        blocks.enter(goes_on, or_(negation(chosen), announced))
        blocks.emit(primitive(self.context, END, blocks.origin))

    def _hidden(self, name: str, type_: Type) -> Var:
        return self.context.globals.hidden(name, type_)


def races_of(context: ProgramContext, function: str, blocks: Blocks, checks: Checks) -> Races | None:
    """What looks for races in a function of a program with threads, if it is the user's and that is asked for."""
    if not context.has_threads:
        return None
    looks = "race" in context.settings.checks and not is_model(context.functions[function].origin)
    return Races(context, blocks, checks, context.numbers, looks)
