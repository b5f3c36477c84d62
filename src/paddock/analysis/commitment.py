"""Where a thread that is preempted must be switchable although it touches nothing that is shared: it has changed what
others see, and may never come to its next access.

    x := 1; assume t > 0;          yield; x := 1; yield; assume t > 0;

A step on what is a thread's own commutes with all that others do, so threads need not be switched before it. But if
it blocks, fails, or never ends, the thread does not come to the next place where it can be switched, and what it has
changed would not be seen. Such a step is a *hazard*: an assumption, unless it is one of two ways that exclude
each other; an assertion; the head of a loop; a call of what may call itself, requires something or has no body. A
thread is *committed* if it has changed a shared global, or has started another, since it could be switched last.
"""

from __future__ import annotations

from paddock.analysis.atomicity import OUTSIDE, Atomicity
from paddock.analysis.sharing import Sharing
from paddock.frozen import mutable
from paddock.ir.callgraph import CallGraph
from paddock.ir.cfg import Cfg
from paddock.ir.expr import App, Expr, Op
from paddock.ir.graph import strongly_connected_components
from paddock.ir.program import Implementation, Procedure
from paddock.ir.rewriting import declared_in
from paddock.ir.stmt import Assert, Assume, Block, Call, Havoc, Return, Statement
from paddock.ir.threads import starts_thread

_Place = tuple[str, str, int]


@mutable
class _Flow:
    """Whether a thread may be committed where a procedure starts, and where it returns."""

    start: bool | None = None  # None: it is not known to be called
    end: bool | None = None


class Commitment:
    """The places of a program before which threads that are preempted must be switchable. Those before accesses to
    shared globals are not among them."""

    def __init__(self, sharing: Sharing, atomicity: Atomicity) -> None:
        self._sharing = sharing
        self._atomicity = atomicity
        self._program = sharing.program
        self._recursive = CallGraph(self._program).recursive
        declared = (*self._program.globals, *(d for p in self._program.procedures for d in declared_in(p)))
        self._restricted = {d.var for d in declared if d.where is not None}
        self._flows = {p.name: _Flow() for p in self._program.procedures}
        self._hazards = {p.name: [_Hazards(i) for i in p.implementations] for p in self._program.procedures}
        self.places: set[_Place] = set()
        self._solve()

    def _solve(self) -> None:
        for root in self._sharing.roots:
            self._flows[root].start = False
        changed = True
        while changed:
            changed = False
            for procedure in self._program.procedures:
                if self._flows[procedure.name].start is not None:
                    changed |= self._run(procedure)

    def _run(self, procedure: Procedure) -> bool:
        """Go through a procedure; whether something became known of it or of what it calls."""
        flow = self._flows[procedure.name]
        changed = False
        for hazards in self._hazards[procedure.name]:
            blocks = {b.label: b for b in hazards.implementation.blocks}
            first = hazards.implementation.blocks[0].label
            states: dict[str, bool] = {first: bool(flow.start)}
            todo = [first]
            while todo:
                block = blocks[todo.pop()]
                committed = states[block.label]
                for index, statement in enumerate(block.statements):
                    after, entered = self._after(procedure.name, block, index, statement, committed, hazards)
                    changed |= entered
                    if after is None:
                        break
                    committed = after
                else:
                    if committed and self._may_not_leave(procedure, block):
                        self.places.add((procedure.name, block.label, len(block.statements)))
                        committed = self._atomicity.at(procedure.name, block.label, len(block.statements)) != OUTSIDE
                    if isinstance(block.transfer, Return) and flow.end in (None, False) and flow.end is not committed:
                        flow.end, changed = bool(flow.end) or committed, True
                    for target in block.successors:
                        if target not in states or (committed and not states[target]):
                            states[target] = committed
                            todo.append(target)
        return changed

    def _after(
        self, procedure: str, block: Block, index: int, statement: Statement, committed: bool, hazards: _Hazards
    ) -> tuple[bool | None, bool]:
        """Whether a thread may be committed after a statement, None if it does not come there; and whether something
        became known of what it calls."""
        sharing = self._sharing
        if procedure == sharing.entry and (block.label, index) in sharing.alone:
            return False, self._called(statement, False)
        switchable = self._atomicity.at(procedure, block.label, index) == OUTSIDE
        access = sharing.access(statement)
        if not access.touched.isdisjoint(sharing.shared):
            committed = committed and not switchable
        elif committed and (hazards.at(block, index) or self._may_not_return(statement)):
            self.places.add((procedure, block.label, index))
            committed = not switchable
        entered = self._called(statement, committed)
        if isinstance(statement, Call) and not statement.asynchronous and statement.procedure in sharing.starting:
            committed = True
        if isinstance(statement, Call) and not statement.asynchronous:
            callee = self._program.procedure_named[statement.procedure]
            if callee.implementations:
                end = self._flows[statement.procedure].end
                if end is None:
                    return None, entered
                committed = end
        return committed or starts_thread(statement) or not access.writes.isdisjoint(sharing.shared), entered

    def _called(self, statement: Statement, committed: bool) -> bool:
        """Take note of how a procedure is called; whether that is new."""
        if not isinstance(statement, Call) or statement.asynchronous:
            return False
        flow = self._flows[statement.procedure]
        if flow.start is None or (committed and not flow.start):
            flow.start = committed
            return True
        return False

    def _may_not_leave(self, procedure: Procedure, block: Block) -> bool:
        """Whether a thread may not come past the end of a block."""
        if isinstance(block.transfer, Return):
            return bool(procedure.ensures)
        return not block.successors

    def _may_not_return(self, statement: Statement) -> bool:
        if isinstance(statement, Havoc):
            return any(t in self._restricted for t in statement.targets)
        if not isinstance(statement, Call) or statement.asynchronous:
            return False
        callee = self._program.procedure_named[statement.procedure]
        restricted = any(d.where is not None for d in declared_in(callee))
        no_body = not callee.implementations
        return restricted or no_body or statement.procedure in self._recursive or bool(callee.requires)


class _Hazards:
    """The hazards of a body."""

    def __init__(self, implementation: Implementation) -> None:
        self.implementation = implementation
        cfg = Cfg(implementation)
        components = strongly_connected_components(cfg.successors)
        self._loops = {label for c in components if len(c) > 1 or c[0] in cfg.successors[c[0]] for label in c}
        self._safe = {label for block in implementation.blocks for label in _exhaustive(block, cfg)}

    def at(self, block: Block, index: int) -> bool:
        """Whether a thread may not come past a statement. In a loop, every block may be where it starts over."""
        if index == 0 and block.label in self._loops:
            return True
        statement = block.statements[index]
        if isinstance(statement, Assume):
            return index > 0 or block.label not in self._safe
        return isinstance(statement, Assert)


def _exhaustive(block: Block, cfg: Cfg) -> tuple[str, ...]:
    """The targets of a block that begin with conditions one of which is true."""
    targets = block.successors
    if len(targets) != 2 or any(cfg.predecessors[t] != [block.label] for t in targets if t in cfg.predecessors):
        return ()
    first, second = (_condition(cfg.blocks[t]) for t in targets)
    return targets if first is not None and second is not None and _excludes(first, second) else ()


def _condition(block: Block) -> Expr | None:
    match block.statements:
        case (Assume(condition=condition), *_):
            return condition
        case _:
            return None


def _excludes(one: Expr, other: Expr) -> bool:
    """Whether one of two conditions is the negation of the other."""
    return _is_negation(one, other) or _is_negation(other, one)


def _is_negation(one: Expr, other: Expr) -> bool:
    if not isinstance(one, App):
        return False
    if one.op is Op.NE:
        return isinstance(other, App) and other.op is Op.EQ and other.args == one.args
    return one.op is Op.NOT and one.args[0] is other
