"""`errno`: one object of the type `int`, which functions of the library, and functions without a body, may write.

Where it is from a header, it is what `__errno_location` of `models/errno.c` points to; else the global that the program
declares. A program that never mentions it has no such object, and nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import choice, disjunction, equal, negation
from paddock.frontends.c.show import Reached
from paddock.frontends.c.symbols import is_model
from paddock.ir.build import TRUE
from paddock.ir.expr import Expr

if TYPE_CHECKING:
    from paddock.frontends.c.lower_calls import Calls

EDOM, ENOMEM = 33, 12


def is_errno(variable: t.Variable) -> bool:
    """Whether a global is the object."""
    if variable.name != "errno" or variable.type is not c.INT:
        return False
    return variable.storage is t.Storage.GLOBAL or is_model(variable.origin)


def any_errno(low: Calls) -> Reached | None:
    """A number that a function without a body may leave there, if the object is there."""
    if low.shared.errno is None:
        return None
    (number,) = low.arbitrary_values(c.INT)
    somewhere = low.numbers.address(1)
    return Reached(somewhere, somewhere, c.INT, number, place=_expression(low.shared.errno))


def _expression(variable: t.Variable) -> str:
    return "errno" if variable.storage is t.Storage.GLOBAL else "*__errno_location()"


def write_errno(low: Calls, number: Expr) -> None:
    """Make a number that of the last error."""
    assert low.shared.errno is not None
    low.store(low.variable_place(low.shared.errno), number)


def set_errno(low: Calls, number: int, condition: Expr = TRUE) -> None:
    """An error that C, or the library, has a number for."""
    if low.shared.errno is not None:
        before = low.load(low.variable_place(low.shared.errno))
        write_errno(low, choice(condition, low.numbers.literal(number, c.INT), before))


def may_set_errno(low: Calls) -> None:
    """Any error, or none; no function of the library sets `errno` to zero (C11 7.5)."""
    if low.shared.errno is not None:
        (number,) = low.arbitrary_values(c.INT)
        nonzero = negation(equal(number, low.numbers.literal(0, c.INT)))
        low.assume(disjunction(nonzero, equal(number, low.load(low.variable_place(low.shared.errno)))))
        write_errno(low, number)
