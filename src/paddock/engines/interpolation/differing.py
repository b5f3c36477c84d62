"""Which procedures of a new version break what the proof of an old one relies on (eVolCheck).

Each body is looked at alone, with the old summaries for its callees: so a procedure is blamed for what it does itself,
not for what it calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack

from paddock.engines.interpolation.bodies import Body, alone
from paddock.engines.interpolation.certificate import CHECK, Certificate
from paddock.engines.interpolation.remembering import inlinable
from paddock.engines.interpolation.work import Work
from paddock.engines.outcome import Budget
from paddock.frozen import frozen
from paddock.ir.build import FALSE
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr
from paddock.ir.modref import mod_ref
from paddock.ir.program import Program
from paddock.solvers.interface import Solver
from paddock.solvers.values import Value


@frozen
class Broken:
    """A procedure that need not ensure a condition any more, and values of its interface for which it does not, if the
    solver has any. Of the entry, the condition is that it does not return: an assertion may fail in it."""

    procedure: str
    condition: Expr
    witness: Mapping[Expr, Value] | None


def broken(program: Program, certificate: Certificate, solver: Solver, budget: Budget) -> Iterator[Broken]:
    """What the procedures of a program without assertions break of a certificate for another version of it. All
    procedures that it is about must be there. The solver is only used to make others."""
    work = Work(budget)
    effects, inlined = mod_ref(program), inlinable(program, certificate.inlined)
    due = {**certificate.ensures, entry_name(program): (FALSE,)}
    for name, conditions in due.items():
        part = alone(program, name, certificate.ensures, inlined, effects)
        with ExitStack() as unless_made:
            own = unless_made.enter_context(solver.another(effort=CHECK))
            with Body(part, own, work) as body:
                unless_made.pop_all()
                for condition in conditions:
                    if body.relied_on(condition, ()) is None:
                        yield Broken(name, condition, body.witness(condition))
