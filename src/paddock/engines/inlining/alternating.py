"""Alternating search (deep-asserts paper, §II, Algorithm 1, ALT): backward over callers, forward inlining inside.

There is no error bit: the program is one of `failing_returns`, in which procedures that only fail return where an
assertion does not hold. Those are the *heads*. From the assertions up, each is searched with whatever state it may
start in. If it cannot fail, it need not be called; if it can, its callers are next, and what was inlined in it becomes
part of them. A head that could fail only behind heads that cannot is not looked at: it takes no instance and no query.
The paper goes up each path of calls for itself. Here one instance of a head serves all callers that the merging
strategy lets share it, and an execution fails but once, so that this is most of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.graph import Edge, Node
from paddock.engines.inlining.instances import Inlining
from paddock.engines.inlining.stratified import Choice, Shortcuts, StratifiedSearch
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


class Heads:
    """What is known of the heads, at the bound that is being looked at."""

    def __init__(self, inlining: Inlining, groups: Sequence[Sequence[str]]) -> None:
        self._inlining = inlining
        self._groups = groups
        self.entry = inlining.root
        self._roots: dict[str, Node] = {}
        self.safe: set[str] = set()  # those that cannot fail at any bound
        self.correct: dict[str, tuple[str, ...]] = {}  # those that cannot at this one, and what was cut off for that
        self.failing: set[str] = set()  # those that can, or of which that cannot be determined

    def search(self, from_root: Callable[[Node], tuple[str, ...] | None]) -> None:
        """Find out which heads can fail. `from_root` searches what an instance can do, and gives what had to be cut off
        for it not to fail; None if it can fail, or if that cannot be determined."""
        self.correct.clear()
        for group in self._groups:
            self._search_group([h for h in group if h not in self.safe and h not in self.failing], from_root)

    def _search_group(self, group: Sequence[str], from_root: Callable[[Node], tuple[str, ...] | None]) -> None:
        """Find out which heads, that may call each other, can fail.

        Recursion that fails has an end: as long as none of the group is known to fail, none need be called.
        """
        self.correct.update((head, ()) for head in group)
        waiting = list(group)
        while waiting:
            head = waiting.pop(0)
            never = self.safe.union(h for h in group if self.correct.get(h) == ())
            cut = self._from(head, from_root) if self._may_fail_without(head, never) else ()
            if cut is None:
                self.failing.add(head)
                del self.correct[head]
                waiting = [h for h in group if h in self.correct]
            else:
                self.correct[head] = cut
        correct = [head for head in group if head in self.correct]
        cut_off = tuple(dict.fromkeys(name for head in correct for name in self.correct[head]))
        for head in correct:
            self.correct[head] = cut_off
            if not cut_off:
                self.safe.add(head)
            if not cut_off and head in self._roots:
                solver, control = self._inlining.solver, self._inlining.control(self._roots[head])
                solver.assert_(solver.terms.app(Op.NOT, (control,)))

    def _may_fail_without(self, head: str, never: Collection[str]) -> bool:
        """Whether a head has a way to fail on which it calls none of those that never fail."""
        body = self._inlining.templates.program.procedure_named[head].body
        assert body is not None
        return can_return_without(body, never)

    def _from(self, head: str, from_root: Callable[[Node], tuple[str, ...] | None]) -> tuple[str, ...] | None:
        root = self._roots.get(head)
        if root is None:
            root = self._roots[head] = self._inlining.new_root(head)
        self._inlining.root = root
        cut = from_root(root)
        self._inlining.root = self.entry
        return cut


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
        super().__init__(inlining, bounds, Shortcuts(), judge, budget, choice)
        self._heads = Heads(inlining, heads)

    def run(self, first_bound: int = 1) -> Outcome:
        self._heads.failing.clear()  # less may fail than the last time
        return super().run(first_bound)

    def _search(self, bound: int) -> Outcome | None:
        forward = super()._search

        def from_root(root: Node) -> tuple[str, ...] | None:
            callees = [e for e in root.edges if e.site.callee in self._heads.failing and e.target is None]
            self.growth.inline(e for e in callees if self._allows(e, bound))
            outcome = forward(bound)
            if outcome is None:
                return tuple(self._cut_procedures())
            return () if outcome.verdict is Verdict.PROVED else None

        self._heads.search(from_root)
        return forward(bound)

    def _violation(self, answer: Answer) -> Outcome | None:
        # What starts in the middle of the program cannot be replayed: its callers will be looked at, too.
        if self.inlining.root is not self._heads.entry:
            return Outcome(Verdict.BUG, self.completed)
        return super()._violation(answer)

    def _allows(self, edge: Edge, bound: int) -> bool:
        callee, heads = edge.site.callee, self._heads
        return callee not in heads.correct and callee not in heads.safe and super()._allows(edge, bound)

    def _check(self, blocked: Iterable[Edge], further: Sequence[Term] = ()) -> Answer:
        never = (e for e in self.inlining.open_calls() if e.site.callee in self._heads.safe)
        return super()._check(dict.fromkeys((*blocked, *never)), further)

    def _cut_procedures(self) -> Iterator[str]:
        """In terms of the program before it was split, and for heads, what was cut off in them."""
        for name in super()._cut_procedures():
            if name in self._heads.correct:
                yield from self._heads.correct[name]
            elif name not in self._heads.safe:
                yield self.inlining.shapes.counted_as.get(name, name)
