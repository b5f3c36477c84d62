"""Which globals threads share: those that one thread may change while another touches them.

A thread starts in the entry or in the target of an asynchronous call, its *root*. What a root reaches by calls runs in
its threads. A root of which there may be two threads at a time conflicts with itself. While no thread has been started,
the entry is alone: what it touches there is shared with no other thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from paddock.frozen import frozen
from paddock.ir.callgraph import CallGraph, calls
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.graph import reachable, strongly_connected_components
from paddock.ir.program import Procedure, Program
from paddock.ir.stmt import Assert, Assign, Assume, Call, Havoc, ParCall, Statement
from paddock.ir.threads import is_thread_local, starts_thread, statements_in
from paddock.ir.walk import variables

Place = tuple[str, int]  # a block, and which of its statements


@frozen
class Access:
    """The globals that something reads, and those that it changes."""

    reads: frozenset[Var] = frozenset()
    writes: frozenset[Var] = frozenset()

    @property
    def touched(self) -> frozenset[Var]:
        return self.reads | self.writes

    def __or__(self, other: Access) -> Access:
        return Access(self.reads | other.reads, self.writes | other.writes)


class Sharing:
    """The sharing of a program's globals, and where it has several threads."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.entry = entry_name(program)
        self.local = frozenset(g.var for g in program.globals if is_thread_local(g))
        self._where = {g.var: g.where for g in program.globals}
        self._calls = {name: _plain_callees(p) for name, p in program.procedure_named.items()}

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The procedures in which threads start, the entry first."""
        reached = CallGraph(self.program).reachable((self.entry,))
        targets = (c.procedure for name in reached for c in _started(self.program.procedure_named[name]))
        return tuple(dict.fromkeys((self.entry, *targets)))

    def run_by(self, root: str) -> frozenset[str]:
        """The procedures that the threads of a root may run."""
        return frozenset(reachable(self._calls, (root,)))

    @cached_property
    def starting(self) -> frozenset[str]:
        """The procedures that start threads, or call what does."""
        callers: dict[str, list[str]] = {name: [] for name in self._calls}
        for name, called in self._calls.items():
            for callee in called:
                callers[callee].append(name)
        own = (p.name for p in self.program.procedures if any(map(starts_thread, statements_in(p))))
        return frozenset(reachable(callers, own))

    @cached_property
    def alone(self) -> frozenset[Place]:
        """Where, in the entry, no thread has been started yet."""
        body = self.program.procedure_named[self.entry].body
        if body is None or any(self.entry in called for called in self._calls.values()) or self.entry in self.roots[1:]:
            return frozenset()
        cfg = Cfg(body)
        begun = reachable(cfg.successors, [s for b in body.blocks if self._begins(b.statements) for s in b.successors])
        found: set[Place] = set()
        for block in body.blocks:
            if block.label in begun:
                continue
            for index, statement in enumerate(block.statements):
                if self._begins((statement,)):
                    break
                found.add((block.label, index))
        return frozenset(found)

    def _begins(self, statements: Iterable[Statement]) -> bool:
        return any(starts_thread(s) or (isinstance(s, Call) and s.procedure in self.starting) for s in statements)

    @cached_property
    def beside_others(self) -> Mapping[str, frozenset[str]]:
        """By root, the procedures that its threads may run while there are others. The entry itself counts only if it
        is there as a callee."""
        found = {root: self.run_by(root) for root in self.roots}
        body = self.program.procedure_named[self.entry].body
        if self.alone and body is not None:
            later = [
                s.procedure
                for b in body.blocks
                for n, s in enumerate(b.statements)
                if isinstance(s, Call) and not s.asynchronous and (b.label, n) not in self.alone
            ]
            found[self.entry] = frozenset(reachable(self._calls, later))
        return found

    def access(self, statement: Statement) -> Access:
        """What a statement itself touches; of a call, what evaluating its arguments, its preconditions and, without a
        body, the callee touches."""
        match statement:
            case Assume(condition=condition) | Assert(condition=condition):
                return Access(_globals((condition,)))
            case Assign(targets=targets, values=values):
                return Access(_globals(values), _globals(targets))
            case Havoc(targets=targets):
                return Access(_globals(self._wheres(targets)), _globals(targets))
            case Call():
                return self._call(statement)
            case ParCall(calls=several):
                return _union(map(self._call, several))
            case _:
                return Access()

    def _wheres(self, targets: Iterable[Var]) -> Iterator[Expr]:
        return (where for target in targets if (where := self._where.get(target)) is not None)

    def _call(self, call: Call) -> Access:
        callee = self.program.procedure_named[call.procedure]
        asked = [c.condition for c in callee.requires]
        access = Access(_globals((*call.args, *asked)), _globals(call.results))
        if callee.implementations:
            return access
        promised = [c.condition for c in callee.ensures]
        return access | Access(_globals((*promised, *self._wheres(callee.modifies))), _globals(callee.modifies))

    def leaving(self, procedure: Procedure) -> Access:
        """What a return touches."""
        return Access(_globals(c.condition for c in procedure.ensures))

    @cached_property
    def shared(self) -> frozenset[Var]:
        """The globals that one thread may change while another touches them."""
        accesses = [access for root in self.roots for access in [self._of(root)] * (2 if root in self.many else 1)]
        found: set[Var] = set()
        for n, one in enumerate(accesses):
            for other in accesses[n + 1 :]:
                found |= (one.writes & other.touched) | (one.touched & other.writes)
        return frozenset(found - self.local)

    def _of(self, root: str) -> Access:
        """What the threads of a root touch beside others."""
        whole = _union(self._by_procedure[name] for name in self.beside_others[root])
        body = self.program.procedure_named[root].body
        if root != self.entry or not self.alone or body is None:
            return whole
        own = (
            self.access(s) for b in body.blocks for n, s in enumerate(b.statements) if (b.label, n) not in self.alone
        )
        return whole | _union(own) | self.leaving(self.program.procedure_named[root])

    @cached_property
    def _by_procedure(self) -> dict[str, Access]:
        return {p.name: _union(map(self.access, statements_in(p))) | self.leaving(p) for p in self.program.procedures}

    @cached_property
    def many(self) -> frozenset[str]:
        """The roots of which there may be several threads at a time."""
        sites: dict[str, int] = {}
        for name in CallGraph(self.program).reachable((self.entry,)):
            procedure = self.program.procedure_named[name]
            for call in _started(procedure):
                once = name in self.once and not _is_in_cycle(procedure, call)
                sites[call.procedure] = sites.get(call.procedure, 0) + (1 if once else 2)
        return frozenset(root for root, count in sites.items() if count > 1 or root == self.entry)

    @cached_property
    def once(self) -> frozenset[str]:
        """The procedures that are executed at most once, whatever the program does."""
        sites: dict[str, list[tuple[str, bool]]] = {name: [] for name in self._calls}
        for name, procedure in self.program.procedure_named.items():
            for call in calls(procedure):
                if call.procedure in sites:
                    sites[call.procedure].append((name, _is_in_cycle(procedure, call)))
        found: set[str] = {self.entry} if not sites[self.entry] else set()
        frontier = list(found)
        while frontier:
            caller = frontier.pop()
            for name, where in sites.items():
                if name not in found and name != self.entry and where == [(caller, False)]:
                    found.add(name)
                    frontier.append(name)
        return frozenset(found)


def _plain_callees(procedure: Procedure) -> list[str]:
    """The procedures that one calls in its own thread."""
    plain = (s.procedure for s in statements_in(procedure) if isinstance(s, Call) and not s.asynchronous)
    return list(dict.fromkeys(plain))


def _started(procedure: Procedure) -> Iterator[Call]:
    """The calls that start threads."""
    for statement in statements_in(procedure):
        if isinstance(statement, ParCall):
            yield from statement.calls
        elif isinstance(statement, Call) and statement.asynchronous:
            yield statement


def _is_in_cycle(procedure: Procedure, call: Call) -> bool:
    for implementation in procedure.implementations:
        cfg = Cfg(implementation)
        for component in strongly_connected_components(cfg.successors):
            cyclic = len(component) > 1 or component[0] in cfg.successors[component[0]]
            if cyclic and any(s is call or _has(s, call) for c in component for s in cfg.blocks[c].statements):
                return True
    return False


def _has(statement: Statement, call: Call) -> bool:
    return isinstance(statement, ParCall) and any(c is call for c in statement.calls)


def _globals(expressions: Iterable[Expr]) -> frozenset[Var]:
    return frozenset(v for v in variables(*expressions) if v.scope is Scope.GLOBAL)


def _union(accesses: Iterable[Access]) -> Access:
    reads: set[Var] = set()
    writes: set[Var] = set()
    for access in accesses:
        reads |= access.reads
        writes |= access.writes
    return Access(frozenset(reads), frozenset(writes))
