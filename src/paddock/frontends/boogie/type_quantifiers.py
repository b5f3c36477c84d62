"""Quantifiers over types inside formulas: a conjunction, or a disjunction, of their instances.

    assume (forall<a> f: Field a :: h[f] == k[f]);
        →   assume (forall f: Field int :: …) && (forall f: Field bool :: …) && (forall f: Field other :: …);

The instances are those at which the program uses the polymorphic functions and maps in the formula, or compares values
of these types; and one for a type of which nothing is known, which stands for all the others. Where nothing of that
kind says at which types a formula matters, it is about how many values a type has. Which instances there are is known
only when all has been looked at, so the program is checked again until there are no new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from paddock.frontends.boogie.problems import Problems
from paddock.frontends.boogie.types import is_monstrous, subtypes
from paddock.frontends.source import Source
from paddock.frozen import field, mutable
from paddock.ir.expr import App, Expr, Op
from paddock.ir.types import Named, Type, TypeVar
from paddock.ir.walk import subterms

TypeArgs = tuple[Type, ...]
Uses = list[tuple[object, TypeArgs]]
Place = tuple[Source, int, tuple[tuple[str, Type], ...]]  # where a quantifier is, and what types are around it

MOST_INSTANCES = 1000


@mutable
class Scheme:
    """A quantifier over types: what its body uses polymorphic things at, and which values it compares."""

    params: tuple[TypeVar, ...]
    uses: Uses
    compared: list[tuple[Type, Type]]
    mentioned: set[Type]

    def undetermined(self) -> list[TypeVar]:
        """The parameters that matter and could stand for any type of the program."""
        found = set(subtypes(*(t for _, type_args in self.uses for t in type_args), *(a for a, _ in self.compared)))
        return [p for p in self.params if p in self.mentioned and p not in found]


@mutable
class TypeQuantifiers:
    """The quantifiers over types of a program, and the instances that are known to be needed."""

    instances: dict[Place, list[TypeArgs]] = field(default_factory=dict)
    schemes: dict[Place, Scheme] = field(default_factory=dict)
    other: Named | None = None  # the type that stands for all those that are not used, if it is needed

    def settle(self, candidates: Callable[[Scheme], Iterable[Iterable[Type]]], problems: Problems) -> bool:
        """Whether all instances were there; if not, they are next time."""
        complete = True
        for place, scheme in self.schemes.items():
            known = self.instances.setdefault(place, [])
            seen = set(known)
            for type_args in product(*candidates(scheme)):
                if type_args not in seen:
                    known.append(type_args)
                    complete = False
                if len(known) > MOST_INSTANCES or any(map(is_monstrous, type_args)):
                    problems.source = place[0]
                    message = "this quantifier is needed for infinitely many types, or for too many of them"
                    problems.add(place[1], message, "it is supported where finitely many instances suffice")
                    return True
        self.schemes.clear()
        return complete


def scheme_of(
    params: tuple[TypeVar, ...], body: Expr, uses: Callable[[Expr], Uses], final: Callable[[Type], Type]
) -> Scheme:
    """What the body of a quantifier, with its type parameters as they are, says about these."""
    mentioned = set(subtypes(*types_in(body, final)))
    return Scheme(params, uses(body), list(_compared(body, final)), mentioned)


def types_in(root: Expr, final: Callable[[Type], Type]) -> Iterator[Type]:
    """The types of all that is in an expression."""
    for term in subterms([root]):
        yield final(term.type)
        for var in getattr(term, "vars", ()):
            yield final(var.type)


def _compared(root: Expr, final: Callable[[Type], Type]) -> Iterator[tuple[Type, Type]]:
    """The pairs of different types whose values are compared."""
    for term in subterms([root]):
        if isinstance(term, App) and (term.op is Op.EQ or term.op is Op.NE):
            a, b = (final(arg.type) for arg in term.args)
            if a is not b:
                yield a, b
                yield b, a
