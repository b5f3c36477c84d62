"""Which assumptions and assertions a proof does not need: a hint that something holds for want of executions.

The proof is found again on the program whose conditions have switches (`switch_conditions.py`), and the solver's core
says which of them it takes. An assertion that is proved even if its condition is false is not reached by any execution,
as far as the proof looks; an assumption that no proof needs may be forgotten, or contradict others that say enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paddock.engines.inlining.engines import Search
from paddock.engines.inlining.stratified import StratifiedSearch
from paddock.frozen import frozen
from paddock.ir.origin import AssertionId
from paddock.ir.program import Program
from paddock.passes.switch_conditions import Place, switch_conditions
from paddock.solvers.interface import Solver, Status, Term
from paddock.verdict import Verdict

EFFORT = 20.0  # of the solver, for the proof
ROUNDS = 3  # in which the core gets smaller


@frozen
class Needs:
    """The places of assumptions that a proof needs, and of those that it does not need, and the assertions that it
    would prove whatever their conditions were."""

    needed: frozenset[Place]
    unneeded: frozenset[Place]
    unreached: frozenset[AssertionId]


def needs(program: Program, opened: Callable[[Program, Solver], Search], solver: Solver) -> Needs | None:
    """What a proof needs of a program in which a question is stated, as a search tells that is opened for it;
    None if it finds no proof, or there is nothing to switch. The solver is only used to make another."""
    switched = switch_conditions(program)
    if not switched.assumptions and not switched.assertions:
        return None
    with solver.another(effort=EFFORT) as own:
        search = opened(switched.program, own)
        switches = (*switched.assumptions.values(), *switched.assertions.values())
        named = {search.named(var): var for var in switches}
        search.assumed = tuple(named)
        verdict = search.run().verdict
        core = _core(search, own, verdict) if isinstance(search, StratifiedSearch) else None
        if core is None:
            return None
        needed = {named[term] for term in core}
        places = {place for place, var in switched.assumptions.items() if var in needed}
        return Needs(
            frozenset(places),
            frozenset(switched.assumptions.keys() - places),
            frozenset(source for source, var in switched.assertions.items() if var not in needed),
        )


def _core(search: StratifiedSearch, solver: Solver, verdict: Verdict) -> Sequence[Term] | None:
    """Those of the assumed terms that a proof takes; None if there is none."""
    if verdict not in (Verdict.PROVED, Verdict.BOUNDED):
        return None
    inlining, bounds = search.inlining, search.bounds
    is_cut = verdict is Verdict.BOUNDED
    blocked = [e for e in inlining.open_calls() if is_cut and not bounds.allow(e, bounds.last)]
    kept = list(search.assumed)
    for _ in range(ROUNDS):
        answer = solver.check([*inlining.starting(), *inlining.blocking(blocked), *kept], search.budget.remaining())
        if answer.status is not Status.UNSAT:
            return None
        core = set(solver.unsat_core())
        if all(term in core for term in kept):
            break
        kept = [term for term in kept if term in core]
    return kept
