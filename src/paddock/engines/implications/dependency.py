"""Which assertions depend on each other (assertion-implications paper, Definitions 3 and 4).

Two variables are dependent if a chain of instructions between two assertions connects them; two assertions are if they
have dependent variables. For one assertion, the instructions in front of it are added one after the other, backward, to
disjoint sets of variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paddock.ir.expr import Var


class Classes:
    """Disjoint sets of variables (union–find with path halving)."""

    def __init__(self) -> None:
        self._parent: dict[Var, Var] = {}

    def find(self, var: Var) -> Var:
        """What stands for the set that a variable is in."""
        parent = self._parent
        while (above := parent.get(var, var)) is not var:
            parent[var] = parent.get(above, above)
            var = above
        return var

    def join(self, variables: Iterable[Var]) -> None:
        """Make one set of those that these variables are in."""
        rest = iter(variables)
        first = next(rest, None)
        if first is None:
            return
        root = self.find(first)
        for var in rest:
            self._parent[self.find(var)] = root


def dependent_before(
    n: int, threshold: int, variables: Sequence[tuple[Var, ...]], is_assertion: Sequence[bool]
) -> Iterator[int]:
    """The assertions that the n-th instruction, an assertion, depends on and that are in front of it with no more than
    `threshold` instructions between, the nearest first. `variables` has those of each instruction."""
    classes = Classes()
    ours = set(variables[n])
    changed = False
    for k in range(n - 1, max(0, n - 1 - threshold) - 1, -1):
        if not is_assertion[k]:
            classes.join(variables[k])
            changed = True
            continue
        if changed:
            ours = {classes.find(v) for v in variables[n]}
            changed = False
        if any(classes.find(v) in ours for v in variables[k]):
            yield k
