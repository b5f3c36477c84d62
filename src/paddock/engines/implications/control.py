"""What unwinding has to know of a procedure's control flow: an order of its blocks, and what guards them.

A block at which all branches meet again is guarded by what guards the branching. A branch that only fails or ends the
execution is no way on: what comes after `if (x < 0) fail();` has the guard of the `if`, as in Fig. 1 of the
assertion-implications paper. Such a branch has its place in the order right behind its branching, so that nothing that
the rest of the program assumes is in front of it.
"""

from __future__ import annotations

from paddock.frozen import frozen
from paddock.ir.build import FALSE, not_
from paddock.ir.expr import App, Expr, Op
from paddock.ir.graph import immediate_dominators, predecessors, reachable
from paddock.ir.stmt import Assume, Block, Return
from paddock.ir.types import Float
from paddock.vc.passive import PassiveProcedure

_OPPOSITE = {Op.LT: Op.GE, Op.GE: Op.LT, Op.GT: Op.LE, Op.LE: Op.GT, Op.EQ: Op.NE, Op.NE: Op.EQ}
_EXIT = -1


@frozen
class Branching:
    """A block with several successors, and the conditions under which each is next; None if that is left to chance."""

    targets: tuple[int, ...]
    conditions: tuple[Expr, ...] | None


class Control:
    """The control flow of a procedure without loops; blocks have the numbers of its passive form."""

    def __init__(self, passive: PassiveProcedure) -> None:
        self.passive = passive
        count = len(passive.blocks)
        self._dead_ends = self._find_dead_ends()
        inside = {n for region in self._dead_ends.values() for n in region}
        self.is_dead_end = [n in inside for n in range(count)]
        self.order = self._order()
        self._dominator = immediate_dominators({n: passive.successors[n] for n in range(count)}, 0)
        self._postdominator = self._postdominators()
        self.branchings = {n: self._branching(n) for n in range(count) if len(passive.successors[n]) > 1}
        decided = (b for b in self.branchings.values() if b.conditions is not None)
        self._starts_decided = {target for b in decided for target in b.targets}
        self.guarded_as = [self._guarded_as(n) for n in range(count)]

    def ways_in(self, n: int) -> list[int]:
        """The blocks that lead to a block."""
        return self.passive.predecessors[n]

    def first_statement(self, n: int) -> int:
        """Where a block begins, but for an assumption that its guard implies."""
        return 1 if n in self._starts_decided else 0

    def returns(self, n: int) -> bool:
        """Whether the procedure returns at the end of a block."""
        block = self.passive.blocks[n]
        return isinstance(block.transfer, Return) and not _is_blocked(block)

    def side(self, n: int, branching: int) -> int | None:
        """Which branch of a branching all ways to a block take; None if that differs."""
        targets = self.branchings[branching].targets if branching in self.branchings else ()
        while n not in targets:
            if n == 0 or n == branching:
                return None
            n = self._dominator[n]
        return targets.index(n)

    def _find_dead_ends(self) -> dict[int, list[int]]:
        """The branches that only end executions: the blocks of each, in order, by the first, the only way in."""
        passive = self.passive
        backward = {n: self.ways_in(n) for n in range(len(passive.blocks))}
        alive = set(reachable(backward, [n for n in backward if self.returns(n)]))
        forward = dict(enumerate(passive.successors))
        found: dict[int, list[int]] = {}
        for n in forward:
            if n == 0 or n in alive or len(self.ways_in(n)) != 1 or self.ways_in(n)[0] not in alive:
                continue
            region = sorted(reachable(forward, [n]))
            inside = set(region)
            if all(p in inside for m in region[1:] for p in self.ways_in(m)):
                found[n] = region
        return found

    def _order(self) -> list[int]:
        order: list[int] = []
        for n in range(len(self.passive.blocks)):
            if not self.is_dead_end[n]:
                order.append(n)
                order += [m for s in self.passive.successors[n] for m in self._dead_ends.get(s, ())]
        return order

    def _postdominators(self) -> dict[int, int]:
        """The closest block that all ways on from a block pass, dead ends not counted."""
        ways: dict[int, list[int]] = {_EXIT: []}
        for n, successors in enumerate(self.passive.successors):
            if not self.is_dead_end[n]:
                ways[n] = [s for s in successors if not self.is_dead_end[s]] or [_EXIT]
        return immediate_dominators(predecessors(ways), _EXIT)

    def _guarded_as(self, n: int) -> int | None:
        """The block before this one that is executed if and only if this one is, if it is the closest dominator."""
        if n == 0 or self.is_dead_end[n]:
            return None
        dominator = at = self._dominator[n]
        while at not in (n, _EXIT):
            at = self._postdominator[at]
        return dominator if at == n else None

    def _branching(self, n: int) -> Branching:
        targets = tuple(self.passive.successors[n])
        if len(targets) == 2 and all(len(self.ways_in(t)) == 1 for t in targets):
            first, second = (self._assumed_first(t) for t in targets)
            if first is not None and second is not None and are_opposite(first, second):
                return Branching(targets, (first, second))
        return Branching(targets, None)

    def _assumed_first(self, n: int) -> Expr | None:
        match self.passive.blocks[n].statements:
            case (Assume(condition), *_):
                return condition
            case _:
                return None


def are_opposite(a: Expr, b: Expr) -> bool:
    """Whether one of two conditions is, on the face of it, the negation of the other."""
    if a is not_(b) or b is not_(a):
        return True
    match a, b:
        case App(Op() as one, args), App(Op() as other, others) if args == others and args:
            # Two floats may be neither less nor greater nor equal.
            is_total = one is Op.EQ or one is Op.NE or not isinstance(args[0].type, Float)
            return is_total and _OPPOSITE.get(one) is other
        case _:
            return False


def _is_blocked(block: Block) -> bool:
    return any(isinstance(s, Assume) and s.condition is FALSE for s in block.statements)
