"""The local variables of one procedure, and names that are not in use yet."""

from __future__ import annotations

from collections.abc import Iterable

from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import NOWHERE, Origin
from paddock.ir.program import VarDecl
from paddock.ir.types import Type


def numbered_names(taken: Iterable[str] = ()) -> FreshNames:
    """Gives names that are not in use yet: the one asked for, or that with a number behind it."""
    return FreshNames(taken, separator=".", first=2)


class Locals:
    """The local variables of one procedure; none has one of the names that are taken."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.declared: dict[str, VarDecl] = {}
        self._names = numbered_names(taken)

    def formal(self, name: str, type_: Type) -> Var:
        """A new parameter or result, called `name` or nearly so."""
        return Var(self._names(name), type_, Scope.LOCAL)

    def declare(self, name: str, type_: Type, origin: Origin = NOWHERE) -> Var:
        """A new local variable, called `name` or nearly so."""
        var = self.formal(name, type_)
        self.declared[var.name] = VarDecl(var, origin=origin)
        return var

    def temporary(self, type_: Type, purpose: str = "t") -> Var:
        return self.declare(f"{purpose}.1", type_)

    def restrict(self, var: Var, where: Expr | None) -> None:
        """Say of a variable that something holds for it, also when it becomes arbitrary."""
        if where is not None:
            declared = self.declared[var.name]
            self.declared[var.name] = VarDecl(var, where, declared.attributes, declared.origin)

    def drop(self, var: Var) -> None:
        """Forget a variable that nothing uses."""
        del self.declared[var.name]
