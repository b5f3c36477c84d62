"""What a replayed run of a C program shows of its values: those of expressions, of watched places, of objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from paddock.frontends.c import types as c
from paddock.frontends.c.show import HOLE, Object, Presentation, Values, Watch
from paddock.ir.build import TRUE, select
from paddock.ir.expr import App, Expr, Op, Var
from paddock.ir.origin import Role
from paddock.ir.program import Program
from paddock.ir.stmt import Assign, Call, Havoc
from paddock.ir.walk import rewrite
from paddock.report.counterexample import TypedValue, plain
from paddock.trace.run import Kind, Run, Step
from paddock.trace.states import States
from paddock.trace.values import Value

# Values to show by name, and what some of them were before.
Shown = tuple[dict[str, TypedValue], dict[str, TypedValue]]


class Observer:
    """The values of a run, where it is at the moment; `thread` is the one that runs."""

    def __init__(self, run: Run, program: Program, presentation: Presentation) -> None:
        self._presentation = presentation
        self.states = States(run, program)
        self._values = Values(presentation)
        self.thread = 0
        self._loads: dict[int, dict[Expr, Var]] = {}  # by thread, what was loaded for the next statement, and where to
        self._heap_objects = 0

    def note_load(self, step: Step) -> None:
        """Keep what is loaded in a step of its own, up to the statement for which it is."""
        match step.kind, step.statement:
            case Kind.STATEMENT, Assign((target,), (value,), origin=origin) if origin.role is Role.BOOKKEEPING:
                self._loads.setdefault(self.thread, {})[value] = target
            case Kind.STATEMENT, _:
                self._loads.setdefault(self.thread, {}).clear()

    def value(self, expr: Expr) -> Value | None:
        """The value of an expression, with what has been loaded for it."""
        loads = self._loads.get(self.thread)
        return self.states.value(rewrite(expr, lambda e: loads.get(e, e)) if loads else expr)

    def overwritten(self, step: Step) -> dict[Expr, Value]:
        """What the places that a step stores to have before it, by the terms that are stored."""
        places: list[tuple[Expr, Expr]] = []
        match step.kind, step.statement:
            case Kind.STATEMENT, Assign(targets, values):
                for target, value in zip(targets, values, strict=True):
                    match value:
                        case App(Op.STORE, (map_, *indices, element)) if map_ is target:
                            places.append((element, select(map_, *indices)))
                        case _:
                            places.append((value, target))
            case Kind.STATEMENT, Havoc(targets):
                places += [(target, target) for target in targets]
            case Kind.CALL, Call(results=targets):
                places += [(target, target) for target in targets]
        known = ((stored, self.states.value(place)) for stored, place in places)
        return {stored: value for stored, value in known if value is not None}

    def allocate(self, watch: Watch) -> None:
        """Note an object that a watch is about."""
        start, size = self._number(watch.value), self._number(watch.holes[0][0])
        if start is None or size is None:
            return
        name, type_ = watch.text, watch.type
        if not name:
            self._heap_objects += 1
            name = f"heap{self._heap_objects}"
        if isinstance(type_, c.ArrayType) and type_.length is None:
            record = type_.element
            type_ = record if self._presentation.layout.size(record) == size else type_
        self._values.add_object(Object(start, size, name, type_))

    def watched(
        self, watches: Sequence[Watch], overwritten: Mapping[Expr, Value], on_shown: Callable[[Expr], None]
    ) -> Shown:
        """The values to show, and what those that are being set had before."""
        values: dict[str, TypedValue] = {}
        before: dict[str, TypedValue] = {}
        for watch in watches:
            if watch.when is not TRUE and not self.value(watch.when):
                continue
            if isinstance(watch.value, str):
                values[watch.text] = TypedValue(watch.value)
                continue
            value, holes = self.value(watch.value), [self.value(expr) for expr, _ in watch.holes]
            if value is None or None in holes:
                continue
            on_shown(watch.value)
            text = watch.text
            for number, (_, type_) in zip(holes, watch.holes, strict=True):
                text = text.replace(HOLE, self.text(number, type_), 1)
            shown = self.typed(value, watch.type)
            if shown.text != text:  # an array whose address is taken
                values[text] = shown
                if watch.value in overwritten:
                    before[text] = self.typed(overwritten[watch.value], watch.type)
        return values, before

    def typed(self, value: object, type_: c.CType) -> TypedValue:
        assert isinstance(value, bool | int | Fraction)
        data = None if isinstance(type_, c.FloatType) else plain(self._values.number(value, type_))
        return TypedValue(self._values.text(value, type_), str(type_), data)

    def text(self, value: object, type_: c.CType) -> str:
        return self.typed(value, type_).text

    def _number(self, expr: Expr | str) -> int | None:
        value = None if isinstance(expr, str) else self.states.value(expr)
        return value if isinstance(value, int) else None
