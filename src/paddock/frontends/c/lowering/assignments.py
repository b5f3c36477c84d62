"""Assignments, also those that depend on what was there before; a place is determined once."""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c.lowering.access import Access
from paddock.frontends.c.lowering.checks import ArithmeticChecks
from paddock.frontends.c.lowering.expressions import Expressions, Handlers
from paddock.frontends.c.lowering.marks import Mark, Marks
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.places import Place, Places
from paddock.frontends.c.lowering.steps import Steps
from paddock.frozen import field, frozen, mutable
from paddock.ir.expr import Expr, Var


@mutable
class _Updated:
    """An update whose new value is being computed, and where its target is; what that held is looked up when it is
    asked for."""

    node: t.Update
    place: Place
    mark: Mark
    is_saved: bool  # whether the old value is wanted afterwards
    old: Var | None = None


@frozen
class Assignments:
    """Evaluates assignments and updates."""

    expressions: Expressions
    access: Access
    places: Places
    marks: Marks
    notes: Notes
    checks: ArithmeticChecks
    updated: list[_Updated] = field(default_factory=list)  # the updates around the current expression

    def handlers(self) -> Handlers:
        return Handlers(
            values={t.Assignment: self._assignment_values},
            scalars={t.Update: self._update_value, t.OldValue: self._old_value},
            effects={t.Assignment: self._assignment_effects, t.Update: self._update_effects},
        )

    def _assignment_values(self, node: t.Assignment) -> Steps[tuple[Expr, ...]]:
        place: Place = yield self.assign(node, used=True)
        return self.access.load_all(place)

    def _assignment_effects(self, node: t.Assignment) -> Steps[None]:
        yield self.assign(node, used=False)

    def assign(self, node: t.Assignment, *, used: bool) -> Steps[Place]:
        """Assign, and say where; if that is used, it is what it was before the assignment."""
        place: Place = yield self.expressions.place(node.target)
        mark = self.marks.mark()
        held: tuple[Expr, ...] = yield self.expressions.values(node.value)
        self.notes.forget_indices(node.target, mark)
        place = self.places.keep(place, mark)
        mark = self.marks.mark()
        self.access.store_all(place, held, node.target, self.notes.name_of(node.target))
        return self.places.keep(place, mark) if used else place

    def _update_value(self, node: t.Update) -> Steps[Expr]:
        return self.update(node, used=True)

    def _update_effects(self, node: t.Update) -> Steps[None]:
        yield self.update(node, used=False)

    def update(self, node: t.Update, *, used: bool) -> Steps[Expr]:
        """The target of an update changes; the result is its old value or its new one."""
        place: Place = yield self.expressions.place(node.target)
        mark = self.marks.mark()
        updated = _Updated(node, place, mark, is_saved=used and node.yields_old)
        self.checks.updates.append(node)
        self.updated.append(updated)
        value: Expr = yield self.expressions.value(node.value)
        self.updated.pop()
        self.checks.updates.pop()
        self.notes.forget_indices(node.target, mark)
        place = self.places.keep(place, mark)
        mark = self.marks.mark()
        self.access.store(place, value, name=self.notes.name_of(node.target))
        if used and node.yields_old:
            assert updated.old is not None
            return updated.old
        return self.access.load(self.places.keep(place, mark)) if used else value

    def _old_value(self, node: t.OldValue) -> Steps[Expr]:
        """What the target of an update holds before it: a function that the other operand calls may have changed it."""
        updated = self.updated[-1]
        old = self.access.load(self.places.keep(updated.place, updated.mark), updated.node.target)
        if updated.is_saved:
            updated.old = self.marks.blocks.locals.temporary(old.type, "old")
            self.marks.blocks.put(updated.old, old)
            return updated.old
        return old
        yield
