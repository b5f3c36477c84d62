"""The greatest set of candidates that are true together, by dropping those that cannot be proved (Corral §4.2).

Procedures are taken in groups, callees first: together are those that call one another, that share a candidate, or of
which one must prove what the other requires. Within a group, candidates are dropped until every procedure proves those
that are left; a procedure is asked again only if its last proof relied on what was dropped. A procedure that is alone
with n candidates takes at most n questions, since each but the last drops one. What is not proved when time runs out is
not kept: none of the group at hand, none of those that come after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack

from paddock.engines.houdini.obligations import obligations
from paddock.engines.houdini.proving import ProcedureCheck
from paddock.engines.outcome import Budget, Statistics
from paddock.frozen import frozen, replace
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.expr import Var
from paddock.ir.graph import strongly_connected_components
from paddock.ir.modref import mod_ref
from paddock.ir.program import Clause, Procedure, Program
from paddock.ir.stmt import Assume
from paddock.passes.candidates import guard_of, guards, resolved_clauses
from paddock.solvers.interface import Answer, Solver, Term

# The most effort for one question: a candidate that takes more is not worth it.
QUESTION = 5.0
# A solver takes some 16 MB. Of a group with more procedures, those that were not asked for long start again.
MOST_SOLVERS = 64


@frozen
class Fixpoint:
    """The guards of the candidates that are true; how many questions that took; whether time sufficed."""

    kept: tuple[Var, ...]
    queries: int
    is_complete: bool


def fixpoint(program: Program, solver: Solver, budget: Budget, inlined: Collection[str] = ()) -> Fixpoint:
    """The candidates of a program that are true together. The program has no assertions and no loops, and its contracts
    are all free; the solver is only used to make others of its kind. Procedures to be `inlined`, which must not be
    recursive, are looked into where they are called."""
    return _Search(program, solver, budget, inlined).run()


class _OutOfTime(Exception):
    """The budget is spent."""


@frozen
class _Candidates:
    """The guards of the candidates of one procedure: in its preconditions, its postconditions, its body."""

    requires: tuple[Var, ...]
    ensures: tuple[Var, ...]
    inside: tuple[Var, ...]

    @property
    def all(self) -> tuple[Var, ...]:
        return (*self.requires, *self.ensures, *self.inside)


class _Search:
    def __init__(self, program: Program, solver: Solver, budget: Budget, inlined: Collection[str]) -> None:
        self.program = program
        self.inlined = inlined
        self.solver = solver
        self.budget = budget
        self.guards = guards(program)
        self.effects = mod_ref(program)
        self.candidates = {p.name: _candidates(p, self.guards) for p in program.procedures}
        # What guards nothing that a proof relies on, such as what is required where there is no body, is no summary.
        used = {guard for own in self.candidates.values() for guard in own.all}
        self.kept = dict.fromkeys(guard for guard in self.guards if guard in used)
        self.contracts: dict[str, Procedure] = {}  # of the procedures that are done
        self.queries = 0

    def run(self) -> Fixpoint:
        # Of the entry nothing may be required, and of what a procedure without a body does nothing can be proved.
        self._drop(self.candidates[entry_name(self.program)].requires)
        for procedure in self.program.procedures:
            if not procedure.implementations:
                self._drop(self.candidates[procedure.name].ensures)
        is_complete = True
        for group in _groups(self.program, self.candidates):
            try:
                if is_complete:
                    self._decide(group)
            except _OutOfTime:
                is_complete = False
            if not is_complete:
                self._drop(g for name in group for g in self.candidates[name].all)
            self.contracts |= {name: self._declaration(name, self.guards, self.kept) for name in group}
        return Fixpoint(tuple(self.kept), self.queries, is_complete)

    def _drop(self, candidates: Iterable[Var]) -> None:
        for guard in candidates:
            self.kept.pop(guard, None)

    def _decide(self, group: Sequence[str]) -> None:
        """Drop candidates of a group until all that are left are proved."""
        own = {g for name in group for g in self.candidates[name].all if g in self.kept}
        dropped_before = self.guards.keys() - self.kept.keys()
        callees = {**self.contracts, **{name: self._declaration(name, dropped_before, ()) for name in group}}
        waiting = dict.fromkeys(name for name in group if own and self.program.procedure_named[name].implementations)
        checks: dict[str, ProcedureCheck] = {}  # in the order of their last use
        relied_on: dict[str, set[Var]] = {}  # by the last proof of each procedure
        try:
            while waiting:
                name = next(iter(waiting))
                del waiting[name]
                check = checks.pop(name, None) or self._check(name, callees, own)
                if check is None:
                    continue
                checks[name] = check
                if len(checks) > MOST_SOLVERS:
                    checks.pop(next(iter(checks))).close()
                dropped = check.settle(self.kept)
                self._drop(dropped)
                relied_on[name] = check.relied_on
                waiting |= dict.fromkeys(n for n, guards_ in relied_on.items() if not guards_.isdisjoint(dropped))
        finally:
            for check in checks.values():
                check.close()

    def _check(self, name: str, callees: Mapping[str, Procedure], own: Collection[Var]) -> ProcedureCheck | None:
        """What a procedure of a group has to prove of the group's own candidates, if anything."""
        bodies = self.program.procedure_named[name].implementations
        due = obligations(self.program, replace(callees[name], implementations=bodies), callees, own)
        if not due.fails:
            return None
        with ExitStack() as unless_made:
            check = ProcedureCheck(due, unless_made.enter_context(self.solver.another(effort=QUESTION)), self._ask)
            unless_made.pop_all()
        return check

    def _declaration(self, name: str, decided: Collection[Var], kept: Collection[Var]) -> Procedure:
        """A procedure without its body, unless that is to be inlined, and with those of the decided candidates that are
        kept as plain contracts."""
        procedure = self.program.procedure_named[name]

        def clauses(given: tuple[Clause, ...]) -> tuple[Clause, ...]:
            return tuple(resolved_clauses(given, decided, kept))

        return replace(
            procedure,
            requires=clauses(procedure.requires),
            ensures=clauses(procedure.ensures),
            modifies=self.effects[name].modifies,
            implementations=procedure.implementations if name in self.inlined else (),
        )

    def _ask(self, solver: Solver, assumptions: Sequence[Term]) -> Answer:
        left = self.budget.remaining()
        if left == 0.0:
            raise _OutOfTime
        self.queries += 1
        self.budget.report(Statistics(candidates=len(self.guards), houdini_queries=self.queries))
        return solver.check(assumptions, left)


def _candidates(procedure: Procedure, known: Collection[Var]) -> _Candidates:
    def among(conditions: Iterable[Clause | Assume]) -> tuple[Var, ...]:
        found = (guard_of(c.condition, known) for c in conditions)
        return tuple(dict.fromkeys(g for g in found if g is not None))

    return _Candidates(among(procedure.requires), among(procedure.ensures), among(_assumptions(procedure)))


def _assumptions(procedure: Procedure) -> Iterator[Assume]:
    for implementation in procedure.implementations:
        for block in implementation.blocks:
            yield from (s for s in block.statements if isinstance(s, Assume))


def _groups(program: Program, candidates: Mapping[str, _Candidates]) -> list[list[str]]:
    """The procedures in groups, callees before callers between groups and within. A group does not rely on what later
    ones have to prove."""
    calls = CallGraph(program)
    relies_on = {name: list(callees) for name, callees in calls.callees.items()}
    owners: dict[Var, list[str]] = {}
    for name, own in candidates.items():
        if own.requires:
            relies_on[name] += calls.callers[name]
        for guard in own.all:
            owners.setdefault(guard, []).append(name)
    for names in owners.values():
        for name, other in zip(names, [*names[1:], names[0]], strict=True):
            relies_on[name].append(other)
    position = {name: n for n, name in enumerate(n for component in calls.components for n in component)}
    return [sorted(group, key=lambda n: position[n]) for group in strongly_connected_components(relies_on)]
