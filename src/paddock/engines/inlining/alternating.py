"""Alternating search (deep-asserts paper, §II, Algorithm 1, ALT): backward over callers, forward inlining inside.

There is no error bit: the program is one of `failing_returns`, in which procedures that only fail return where an
assertion does not hold. Those are the *heads*. From the assertions up, each is searched with whatever state it may
start in. If it cannot fail, it need not be called; if it can, its callers are next, and what was inlined in it becomes
part of them. A head that could fail only behind heads that cannot is not looked at: it takes no instance and no query.
The paper goes up each path of calls for itself. Here one instance of a head serves all callers that the merging
strategy lets share it, and an execution fails but once, so that this is most of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.graph import Edge, Node
from paddock.engines.inlining.instances import Inlining
from paddock.engines.inlining.stratified import Choice, StratifiedSearch
from paddock.engines.judging import Judge
from paddock.engines.outcome import Budget, Outcome
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.graph import reachable
from paddock.ir.program import Implementation, Program
from paddock.ir.stmt import Block, Call, Return
from paddock.solvers.interface import Answer, Term
from paddock.solvers.ops import Op
from paddock.verdict import Verdict


def heads_of(program: Program) -> list[list[str]]:
    """The procedures that only fail and that the entry reaches: callees first, those that call each other together."""
    calls = CallGraph(program)
    reached = set(calls.reachable([entry_name(program)]))
    is_head = {name: p.origin.copied is not None for name, p in program.procedure_named.items()}
    groups = ([name for name in group if name in reached and is_head[name]] for group in calls.components)
    return [group for group in groups if group]


def can_return_without(body: Implementation, callees: Collection[str]) -> bool:
    """Whether some way through a body, feasible or not, leads to a return and past all calls of some procedures."""
    passed = {b.label: b for b in body.blocks if not any(call.procedure in callees for call in calls_of(b))}
    first = body.blocks[0].label
    onward = {label: [s for s in block.successors if s in passed] for label, block in passed.items()}
    return first in passed and any(isinstance(passed[b].transfer, Return) for b in reachable(onward, [first]))


def calls_of(block: Block) -> Iterator[Call]:
    return (s for s in block.statements if isinstance(s, Call))


class AlternatingSearch(StratifiedSearch):
    """A search that first goes up to the entry, at each bound."""

    def __init__(
        self,
        inlining: Inlining,
        bounds: Bounds,
        judge: Judge,
        budget: Budget,
        choice: Choice,
        heads: Sequence[Sequence[str]],
    ) -> None:
        super().__init__(inlining, bounds, lambda bound, effort: False, judge, budget, choice)
        self._heads = heads
        self._entry = inlining.root
        self._roots: dict[str, Node] = {}
        self._safe: set[str] = set()  # heads that cannot fail at any bound
        self._correct: dict[str, tuple[str, ...]] = {}  # those that cannot at this one, and what was cut off for that
        self._failing: set[str] = set()  # those that can, or of which that cannot be determined

    def run(self, first_bound: int = 1) -> Outcome:
        self._failing.clear()  # less may fail than the last time
        return super().run(first_bound)

    def _search(self, bound: int) -> Outcome | None:
        self._correct.clear()
        for group in self._heads:
            self._search_heads([h for h in group if h not in self._safe and h not in self._failing], bound)
        return super()._search(bound)

    def _search_heads(self, group: Sequence[str], bound: int) -> None:
        """Find out which heads, that may call each other, can fail.

        Recursion that fails has an end: as long as none of the group is known to fail, none need be called.
        """
        self._correct.update((head, ()) for head in group)
        waiting = list(group)
        while waiting:
            head = waiting.pop(0)
            never = self._safe.union(h for h in group if self._correct.get(h) == ())
            cut = self._search_head(head, bound) if self._may_fail_without(head, never) else ()
            if cut is None:
                self._failing.add(head)
                del self._correct[head]
                waiting = [h for h in group if h in self._correct]
            else:
                self._correct[head] = cut
        correct = [head for head in group if head in self._correct]
        cut_off = tuple(dict.fromkeys(name for head in correct for name in self._correct[head]))
        for head in correct:
            self._correct[head] = cut_off
            if not cut_off:
                self._safe.add(head)
            if not cut_off and head in self._roots:
                solver, control = self.inlining.solver, self.inlining.control(self._roots[head])
                solver.assert_(solver.terms.app(Op.NOT, (control,)))

    def _may_fail_without(self, head: str, never: Collection[str]) -> bool:
        """Whether a head has a way to fail on which it calls none of those that never fail."""
        body = self.inlining.templates.program.procedure_named[head].body
        assert body is not None
        return can_return_without(body, never)

    def _search_head(self, head: str, bound: int) -> tuple[str, ...] | None:
        """What had to be cut off for a head not to fail; None if it can fail, or if that cannot be determined."""
        root = self._roots.get(head)
        if root is None:
            root = self._roots[head] = self.inlining.new_root(head)
        self.inlining.root = root
        callees = [e for e in root.edges if e.site.callee in self._failing and e.target is None]
        self.growth.inline(e for e in callees if self._allows(e, bound))
        outcome = super()._search(bound)
        cut: tuple[str, ...] | None = None
        if outcome is None:
            cut = tuple(self._cut_procedures())
        elif outcome.verdict is Verdict.PROVED:
            cut = ()
        self.inlining.root = self._entry
        return cut

    def _violation(self, answer: Answer) -> Outcome | None:
        # What starts in the middle of the program cannot be replayed: its callers will tell.
        if self.inlining.root is not self._entry:
            return Outcome(Verdict.BUG, self.completed)
        return super()._violation(answer)

    def _allows(self, edge: Edge, bound: int) -> bool:
        callee = edge.site.callee
        return callee not in self._correct and callee not in self._safe and super()._allows(edge, bound)

    def _check(self, blocked: Iterable[Edge], further: Sequence[Term] = ()) -> Answer:
        never = (e for e in self.inlining.open_calls() if e.site.callee in self._safe)
        return super()._check(dict.fromkeys((*blocked, *never)), further)

    def _cut_procedures(self) -> Iterator[str]:
        """In terms of the program before it was split, and for heads, what was cut off in them."""
        for name in super()._cut_procedures():
            if name in self._correct:
                yield from self._correct[name]
            elif name not in self._safe:
                yield self.inlining.shapes.counted_as.get(name, name)
