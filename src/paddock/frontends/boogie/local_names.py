"""What names mean inside a declaration, and what local and bound variables are called in the IR.

In the source a bound variable may hide a local or another bound variable. In the IR none does, because most
readers of Boogie refuse that: `(forall x: int :: (exists x: int :: x > 0))` becomes
`(forall x: int :: (exists x#1: int :: x#1 > 0))`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.problems import Problems
from paddock.ir.expr import Scope, Var
from paddock.ir.types import Type

Bound = tuple[str, Var, Var | None]  # a name in the source, what it means now, and what it meant before


class LocalNames:
    """The local and bound variables in scope, by the names that the source has for them."""

    def __init__(self, variables: dict[str, Var], top_level: Mapping[str, Var], problems: Problems) -> None:
        self.variables = variables
        self._top_level = top_level
        self._problems = problems
        self._taken: set[str] | None = None  # the names of the variables in the IR; made when first needed
        self._depth: dict[str, int] = {}  # how many bound variables are in scope that the source gives one name

    def bind(self, bindings: list[s.Binding], types: Sequence[Type]) -> list[Bound]:
        """Bring bound variables into scope; returns what `unbind` needs."""
        if self._taken is None:
            self._taken = {v.name for v in self.variables.values()}
        bound: list[Bound] = []
        names: set[str] = set()
        for b, type_ in zip(bindings, types, strict=True):
            if b.name in names:
                self._problems.add(b.pos, f"the variable '{b.name}' is bound twice")
            names.add(b.name)
            var = Var(self._free_name(b.name, self._taken), type_, Scope.BOUND)
            bound.append((b.name, var, self.variables.get(b.name)))
            self.variables[b.name] = var
            self._taken.add(var.name)
            self._depth[b.name] = self._depth.get(b.name, 0) + 1
        return bound

    def _free_name(self, name: str, taken: set[str]) -> str:
        if name not in taken:
            return name
        n = max(1, self._depth.get(name, 0))
        while f"{name}#{n}" in taken or f"{name}#{n}" in self._top_level:
            n += 1
        return f"{name}#{n}"

    def unbind(self, bound: list[Bound]) -> None:
        assert self._taken is not None
        for name, var, before in reversed(bound):
            self._taken.discard(var.name)
            self._depth[name] -= 1
            if before is None:
                del self.variables[name]
            else:
                self.variables[name] = before
