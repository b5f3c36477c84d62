"""From a proof to what lasts of it: summaries of the program itself or, if a bound cut something off, of the program
within that bound."""

from __future__ import annotations

from collections.abc import Mapping

from paddock.engines.inlining.proof import Proof
from paddock.engines.interpolation.certificate import Certificate, certified
from paddock.engines.interpolation.deriving import derived
from paddock.engines.interpolation.lemmas import Lemmas
from paddock.engines.interpolation.unrolling import Unrolled, unrolled
from paddock.engines.interpolation.work import Work
from paddock.frozen import frozen, replace
from paddock.ir.callgraph import CallGraph
from paddock.ir.expr import Expr
from paddock.ir.program import Program
from paddock.ir.summaries import SummaryOrigin, without_summaries
from paddock.solvers.interface import Solver


@frozen
class Lasting:
    """Summaries that prove that the entry of a program cannot return. `bound` is None if that is the program that was
    searched; else it is that program within the bound, without recursion."""

    program: Program
    certificate: Certificate
    bound: int | None = None


def lasting(proof: Proof, solver: Solver, work: Work, lemmas: Lemmas | None = None) -> Lasting | None:
    """What lasts of a proof; None if that is nothing. The solver is only used to make others. What is proved on the
    way is handed to the lemmas."""
    found = _found(proof, solver, work, lemmas)
    if found is None:
        return None
    # What the search was given from earlier proofs is part of this one.
    program, given = without_summaries(found.program, SummaryOrigin.STORE)
    if not given:
        return found
    ensures = {name: list(conditions) for name, conditions in found.certificate.ensures.items()}
    for name, conditions in given.items():
        ensures[name] = list(dict.fromkeys((*conditions, *ensures.get(name, ()))))
    together = certified(program, ensures, found.certificate.inlined, solver, work, lemmas=lemmas)
    return None if together is None else replace(found, program=program, certificate=together)


def _found(proof: Proof, solver: Solver, work: Work, lemmas: Lemmas | None) -> Lasting | None:
    """What lasts of a proof, beside what its program says already."""
    whole = unrolled(proof.program, proof.bounds, proof.bound, leave_open=not proof.is_bounded)
    if whole is None:
        return None
    found = derived(proof, whole, solver, work, lemmas)
    if found is None:
        return None
    if proof.is_bounded:
        return Lasting(whole.program, found, proof.bound)
    inlined = {whole.copied[name] for name in found.inlined} - CallGraph(proof.program).recursive
    together = certified(proof.program, _of_originals(whole, found.ensures), inlined, solver, work, lemmas=lemmas)
    return None if together is None else Lasting(proof.program, together)


def _of_originals(whole: Unrolled, ensures: Mapping[str, tuple[Expr, ...]]) -> dict[str, list[Expr]]:
    """Summaries of copies as those of what they are copies of. Each holds of all copies: the last ones in the recursion
    rely on nothing that was left open, and every other one on those after it."""
    merged: dict[str, dict[Expr, None]] = {}
    for name, conditions in ensures.items():
        merged.setdefault(whole.copied[name], {}).update(dict.fromkeys(conditions))
    return {name: list(conditions) for name, conditions in merged.items()}
