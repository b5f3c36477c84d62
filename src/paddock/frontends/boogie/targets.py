"""What statements assign to: which variables may be changed in a body."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.expressions import Expressions
from paddock.frontends.boogie.symbols import ProcedureSymbol
from paddock.ir.expr import Scope, Var

IN_PURE = "cannot be used in a pure procedure"


class Targets:
    """Finds the variables that statements of one body assign to."""

    def __init__(
        self, expressions: Expressions, owner: ProcedureSymbol, parameters: set[Var], check_modifies: bool
    ) -> None:
        self._exprs = expressions
        self._symbols = expressions.symbols
        self._problems = expressions.problems
        self._owner = owner
        self._parameters = parameters
        self._check_modifies = check_modifies

    def variable(self, name: str) -> Var | None:
        return self._exprs.at.scope.get(name) or self._symbols.variables.get(name)

    def _target(self, pos: int, name: str) -> Var | None:
        """The variable that is assigned to, if it may be."""
        var = self.variable(name)
        if var is None:
            self._symbols.unknown(pos, "identifier", name, [*self._exprs.at.scope, *self._symbols.variables])
        elif var.scope is Scope.LOCAL:
            if var not in self._parameters:
                return var
            self._problems.add(pos, f"the parameter '{name}' cannot be assigned to")
        elif var.scope is Scope.CONST:
            self._problems.add(pos, f"the constant '{name}' cannot be assigned to")
        elif self._owner.declaration.is_pure:
            self._problems.add(pos, f"the global variable '{name}' {IN_PURE}")
        elif name in self._owner.modifies or not self._check_modifies:
            return var
        else:
            message = f"the procedure '{self._owner.name}' changes the global variable '{name}'"
            self._problems.add(pos, message, f"add 'modifies {name};' to its declaration")
        return None

    def all_of(self, nodes: Sequence[s.Name | s.AssignTarget]) -> tuple[Var, ...] | None:
        """The variables that one statement assigns to, or None if that is not possible."""
        targets = [self._target(n.pos, n.name) for n in nodes]
        if len(nodes) > 1:
            seen: set[str] = set()
            for node in nodes:
                if node.name in seen:
                    self._problems.add(node.pos, f"'{node.name}' is assigned to twice in one statement")
                seen.add(node.name)
        found = tuple([t for t in targets if t is not None])
        return found if len(found) == len(targets) else None

    def final(self, targets: tuple[Var, ...]) -> tuple[Var, ...]:
        """The variables with the types that they have in the program."""
        if not self._symbols.polymorphic:
            return targets
        return tuple(t for t in (self._exprs.finish(var, 0) for var in targets) if isinstance(t, Var))
