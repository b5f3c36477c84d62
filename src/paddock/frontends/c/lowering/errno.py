"""`errno`: one object of the type `int`, which functions of the library, and functions without a body, may write.

Where it is from a header, it is what `__errno_location` of `models/errno.c` points to; else the global that the program
declares. A program that never mentions it has no such object, and nothing is written.
"""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import choice, disjunction, equal, negation
from paddock.frontends.c.lowering.access import Access
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.places import Places
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.show import Reached
from paddock.frozen import frozen
from paddock.ir.build import TRUE
from paddock.ir.expr import Expr

EDOM, ENOMEM = 33, 12


@frozen
class Errno:
    """Writes the number of the last error, if the program uses it."""

    variable: t.Variable | None
    blocks: Blocks
    variables: Variables
    places: Places
    access: Access
    numbers: Numbers

    def any(self) -> Reached | None:
        """A number that a function without a body may leave there, if the object is there."""
        if self.variable is None:
            return None
        (number,) = self.variables.arbitrary_values(c.INT)
        somewhere = self.numbers.address(1)
        place = "errno" if self.variable.storage is t.Storage.GLOBAL else "*__errno_location()"
        return Reached(somewhere, somewhere, c.INT, number, place=place)

    def write(self, number: Expr) -> None:
        """Make a number that of the last error."""
        assert self.variable is not None
        self.access.store(self.places.variable(self.variable), number)

    def set(self, number: int, condition: Expr = TRUE) -> None:
        """An error that C, or the library, has a number for."""
        if self.variable is not None:
            before = self.access.load(self.places.variable(self.variable))
            self.write(choice(condition, self.numbers.literal(number, c.INT), before))

    def may_set(self) -> None:
        """Any error, or none; no function of the library sets `errno` to zero (C11 7.5)."""
        if self.variable is not None:
            (number,) = self.variables.arbitrary_values(c.INT)
            nonzero = negation(equal(number, self.numbers.literal(0, c.INT)))
            before = self.access.load(self.places.variable(self.variable))
            self.blocks.assume(disjunction(nonzero, equal(number, before)))
            self.write(number)
