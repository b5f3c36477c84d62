"""Whether the world in which a run was replayed may be one that the program's axioms describe.

A solver that is not sure of a model has instantiated axioms as their triggers say, and no further. What the model says
of functions elsewhere is arbitrary, and can seldom satisfy axioms such as `(forall x: int :: or(x, 0) == x)`. So a run
counts if the values of functions that it has seen contradict no axiom by themselves, whatever they are elsewhere,
and if no axiom about these functions was out of the reach of its triggers.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

from paddock.ir.expr import App, Binder, Expr, Fn
from paddock.ir.program import Axiom, Program
from paddock.ir.types import Type
from paddock.ir.walk import subterms
from paddock.trace.evaluate import Evaluator
from paddock.trace.values import Env, Index, MapValue, Undecided, Value
from paddock.trace.world import World

_FUEL = 2_000  # no more instances of an axiom than this are looked at


class Observed(World):
    """Another world, that remembers the values that it gave to functions."""

    def __init__(self, inner: World) -> None:
        self.program = inner.program
        self.domains = inner.domains
        self.inner = inner
        self.seen: dict[str, dict[Index, Value]] = {}

    def constant(self, name: str) -> Value:
        return self.inner.constant(name)

    def function(self, name: str, args: Index) -> Value:
        value = self.inner.function(name, args)
        with suppress(Undecided):  # a lambda is no key
            self.seen.setdefault(name, {})[args] = value
        return value

    def table(self, name: str) -> MapValue | None:
        return self.inner.table(name)

    def division_by_zero(self, op: str, numerator: int | Fraction) -> Value:
        return self.inner.division_by_zero(op, numerator)

    def unspecified(self, op: str, args: Index, params: Sequence[Type], type_: Type) -> Value:
        return self.inner.unspecified(op, args, params, type_)


class _Remembered(Observed):
    """The values that such a world gave to functions, and no others."""

    def __init__(self, observed: Observed) -> None:
        super().__init__(observed.inner)
        self.seen = observed.seen

    def function(self, name: str, args: Index) -> Value:
        value = self.seen.get(name, {}).get(args)
        if value is None:
            raise Undecided(f"{name} elsewhere")
        return value

    def table(self, name: str) -> MapValue | None:
        # Elsewhere is not asked for: see above.
        return MapValue(self.default(self.program.function_named[name].result), self.seen.get(name, {}))


def doubt(program: Program, world: Observed) -> str:
    """Why what was seen of a world is not, or need not be, part of one in which the axioms hold; empty if it may be."""
    seen = Evaluator(_Remembered(world), _FUEL)
    whole = Evaluator(world.inner)
    for axiom in program.axioms:
        if _value(seen, axiom.condition) is False:
            return f"the axiom at {axiom.origin} is false"
        if _is_out_of_reach(axiom, world) and _value(whole, axiom.condition) is not True:
            return f"nothing in it triggers the axiom at {axiom.origin}"
    return ""


def _value(evaluator: Evaluator, condition: Expr) -> Value | None:
    try:
        return evaluator.evaluate(condition, Env())
    except Undecided:
        return None


def _is_out_of_reach(axiom: Axiom, world: Observed) -> bool:
    """Whether an axiom is about functions that were seen, but can be instantiated only where others are applied that
    are not even mentioned in it otherwise."""
    for binder in subterms([axiom.condition]):
        if isinstance(binder, Binder):
            triggers = [_functions(t.terms) for t in binder.triggers if t.positive]
            mentioned = _functions([binder.body])
            if (
                triggers
                and not mentioned.isdisjoint(world.seen)
                and all(not t <= mentioned and not t <= world.seen.keys() for t in triggers)
            ):
                return True
    return False


def _functions(terms: Sequence[Expr]) -> set[str]:
    return {t.op.name for t in subterms(terms) if isinstance(t, App) and isinstance(t.op, Fn)}
