"""Disjointness that also uses data: two blocks of a procedure whose conditions contradict each other.

The DAG-inlining paper (Lal and Qadeer, PLDI 2015, §3.3) asks whether control can go from one block to another, and
leaves a stronger disjointness to future work: all that sharing needs is that no execution goes through both. Here what
is known where a call is made (constants, intervals, equalities: the values of the pass `facts`) is followed forward
through the procedure; where it contradicts an assumption, no execution goes on. So in

    if (mode == 1) { call Lock(); }  ...  if (mode == 2) { call Lock(); }

both calls share an instance, as long as `mode` does not change in between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from paddock.analysis.facts.state import State, Step, all_done, join
from paddock.analysis.facts.transfer import Transfer
from paddock.analysis.facts.values import is_tracked
from paddock.ir.cfg import Cfg
from paddock.ir.modref import mod_ref
from paddock.ir.program import Program
from paddock.ir.stmt import Call, Statement

# Procedures with more pairs of a block and a block with calls than this take too long.
MOST_PAIRS = 100_000


class DataDisjointness:
    """Finds out which blocks of a program's procedures one execution can get through."""

    def __init__(self, program: Program) -> None:
        self._transfer = Transfer(program)
        self._effects = mod_ref(program)

    def narrowed(self, cfg: Cfg, related: Sequence[int], calling: Collection[int]) -> tuple[int, ...]:
        """`related` (see `Shape`) of an acyclic procedure, without the pairs of blocks that data excludes.

        Only blocks that are `calling` are looked at; all are numbered in reverse postorder.
        """
        if len(calling) < 2 or len(calling) * len(cfg.reverse_postorder) > MOST_PAIRS:
            return tuple(related)
        walk = _Walk(cfg, [self._steps(cfg.blocks[label].statements) for label in cfg.reverse_postorder])
        known = walk.from_start()
        narrowed = list(related)
        for first in calling:
            passed = walk.onward(first, known[first]) if first in known else {}
            for second in calling:
                if second > first and second not in passed:
                    narrowed[first] &= ~(1 << second)
                    narrowed[second] &= ~(1 << first)
        return tuple(narrowed)

    def _steps(self, statements: Sequence[Statement]) -> list[Step]:
        steps: list[Step] = []
        for statement in statements:
            if isinstance(statement, Call):
                changed = (*self._effects[statement.procedure].modifies, *statement.results)
                steps += [(State.assign, var, None) for var in changed if is_tracked(var.type)]
            else:
                steps += self._transfer.steps(statement)
        return steps


class _Walk:
    """Follows executions of an acyclic procedure: what is known at the ends of the blocks that they get through."""

    def __init__(self, cfg: Cfg, steps: Sequence[Sequence[Step]]) -> None:
        self._steps = steps
        self._successors = [[cfg.position[s] for s in cfg.successors[label]] for label in cfg.reverse_postorder]

    def from_start(self) -> dict[int, State]:
        """Executions that start with nothing known."""
        return self._followed({0: State()})

    def onward(self, block: int, state: State) -> dict[int, State]:
        """Executions that go on behind a block, at whose end this is known."""
        return self._followed(dict.fromkeys(self._successors[block], state))

    def _followed(self, starts: dict[int, State]) -> dict[int, State]:
        """Executions that start a block in one of these states."""
        ends: dict[int, State] = {}
        for block in range(min(starts, default=len(self._steps)), len(self._steps)):
            if block not in starts:
                continue
            state = starts[block].copy()
            if all_done(self._steps[block], state):
                ends[block] = state
                for successor in self._successors[block]:
                    other = starts.get(successor)
                    starts[successor] = state if other is None else join(other, state)
        return ends
