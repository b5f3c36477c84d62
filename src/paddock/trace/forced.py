"""Runs a program that leaves nothing open: it has one execution, and that is the whole truth about it.

The run is over as soon as it matters what the program leaves to chance or to a solver: an arbitrary value that is read,
a jump of which more than one target may be taken, a constant, an uninterpreted function, a division by zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NoReturn

from paddock.ir.expr import Binder, Quantifier, Scope, Var
from paddock.ir.program import Program
from paddock.ir.types import Map, Type
from paddock.trace.interpreter import Interpreter, Limits
from paddock.trace.oracle import Why
from paddock.trace.run import Run
from paddock.trace.values import Env, Index, LambdaValue, Undecided, Value
from paddock.trace.world import World


def forced_run(program: Program, limits: Limits, *, record: bool = False) -> Run:
    """The only execution of a program, from its entry; undetermined if there may be others."""
    return Interpreter(program, _OpenWorld(program)).run(
        _NoOracle(), limits=limits, record=record, lazy=True, guided=True
    )


class _NoOracle:
    """Decides nothing."""

    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> NoReturn:
        raise Undecided(f"several ways lead on from block {label} of {procedure}")

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        """Only a map: which may be stored to, and what was stored can be read."""
        if not isinstance(var.type, Map):
            raise Undecided(f"{var.name} of {procedure} may have any value")
        indices = tuple(Var(f"i{n}", type_, Scope.BOUND) for n, type_ in enumerate(var.type.domain))
        element = Var(f"an element of {var.name}", var.type.range, Scope.LOCAL)
        binder = Binder(Quantifier.LAMBDA, indices, ((),) * len(indices), (), (), element, var.type)
        return LambdaValue(binder, Env())  # in which no element has a value


class _OpenWorld(World):
    """Knows nothing but what SMT-LIB fixes."""

    def constant(self, name: str) -> NoReturn:
        raise Undecided(f"the constant {name} may have any value")

    def function(self, name: str, args: Index) -> NoReturn:
        raise Undecided(f"the function {name} may have any values")

    def table(self, name: str) -> None:
        return None

    def division_by_zero(self, op: str, numerator: int | Fraction) -> NoReturn:
        raise Undecided("a division by zero may have any result")

    def unspecified(self, op: str, args: Index, params: Sequence[Type], type_: Type) -> NoReturn:
        raise Undecided(f"{op} may have any result here")
