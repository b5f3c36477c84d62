"""All sources of interpolants, in the order in which they are asked."""

from __future__ import annotations

from paddock.solvers.interpolants.cvc5 import Cvc5Enumeration
from paddock.solvers.interpolants.problem import InterpolantSource, Problem
from paddock.solvers.interpolants.spacer import Spacer
from paddock.solvers.interpolants.yices import Yices

SOURCES: tuple[InterpolantSource, ...] = (Yices(), Spacer(), Cvc5Enumeration())


def suited(problem: Problem, turn: int = 0) -> list[InterpolantSource]:
    """The sources that know the theories of a problem; each turn, the first of them comes last."""
    found = [source for source in SOURCES if source.suits(problem)]
    first = turn % len(found) if found else 0
    return [*found[first:], *found[:first]]
