"""Local variables that are read before they have got a value: the check `uninitialised`.

    int x; if (c) x = 1;      x.set := false;  …  x := 1; x.set := true;
    return x;                 assert x.set;

Each scalar that a variable consists of has a flag of its own. Variables whose addresses are taken, and arrays, have
none: they may get their values anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from paddock.frontends.c import tree as t
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.checks import Checks
from paddock.frontends.c.text import expression_text
from paddock.frozen import field, frozen
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Var
from paddock.ir.types import BOOL, Map

NAME = "uninitialised"


@frozen
class Initialised:
    """Keeps track of which variables have got a value, if that is checked."""

    blocks: Blocks
    checks: Checks
    _flags: dict[Var, Var] = field(default_factory=dict)

    def begin(self, variables: Iterable[Var]) -> None:
        """Variables come to life, and have no value."""
        if NAME not in self.checks.settings.checks:
            return
        for var in variables:
            if isinstance(var.type, Map):
                continue
            if var not in self._flags:
                self._flags[var] = self.blocks.locals.temporary(BOOL, "set")
            self.blocks.put(self._flags[var], FALSE)

    def write(self, var: Var) -> None:
        """A variable gets a value, or a part of it does."""
        if var in self._flags:
            self.blocks.put(self._flags[var], TRUE)

    def check_read(self, var: Var, node: t.Expression) -> None:
        """A variable must have a value where it is read."""
        if var in self._flags:
            self.checks.check(NAME, self._flags[var], f"{expression_text(node)} has no value yet", node.origin)
