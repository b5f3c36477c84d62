"""Which candidates a single procedure proves, while its solver is kept for the next time it is asked.

The procedure's formula is there once; each candidate that is relied on, and each that need not be proved any more, is
an assumption of the question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from paddock.engines.houdini.obligations import Obligations
from paddock.engines.inlining.graph import tree
from paddock.engines.inlining.instances import Inlining
from paddock.engines.inlining.merging import first
from paddock.engines.inlining.shapes import Shapes
from paddock.ir.expr import Var
from paddock.solvers.interface import Answer, Solver, Status, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL

# Asks a solver under assumptions, within the time that is left.
Asking = Callable[[Solver, Sequence[Term]], Answer]


class ProcedureCheck:
    """The obligations of a procedure, of which it must have some, in a solver. `relied_on` are the guards of the
    candidates that the last proof used."""

    def __init__(self, due: Obligations, solver: Solver, ask: Asking) -> None:
        self.relied_on: set[Var] = set()
        self._solver = solver
        self._ask = ask
        has_more_bodies = any(p.implementations for p in due.program.procedures if p.name != due.name)
        inlining = Inlining(Shapes(due.program), due.name, solver, first if has_more_bodies else tree)
        inlining.inline_all()
        face, constants = inlining.template(inlining.root).interface, inlining.constants[inlining.root]
        outputs = dict(zip(face.outputs, constants[1 + len(face.inputs) :], strict=False))
        self._fails = {guard: outputs[result] for guard, result in due.fails.items()}
        self._assumed = {guard: inlining.templates.encoder.named(guard) for guard in due.assumed}
        # Whether a candidate is to be violated: one that has been dropped may be or not.
        wanted = {guard: solver.terms.fresh(f"violate {guard.name}", BOOL) for guard in self._fails}
        self._unwanted = {guard: solver.terms.app(Op.NOT, (term,)) for guard, term in wanted.items()}
        some = [solver.terms.app(Op.AND, (wanted[guard], term)) for guard, term in self._fails.items()]
        solver.assert_(solver.terms.app(Op.OR, some) if len(some) > 1 else some[0])

    def close(self) -> None:
        """Give up the solver."""
        self._solver.close()

    def settle(self, kept: Collection[Var]) -> list[Var]:
        """The candidates among those kept that the procedure does not prove, when it relies on none of them either."""
        dropped: dict[Var, None] = {}
        self.relied_on = set()
        while goals := [g for g in self._fails if g in kept and g not in dropped]:
            answer = self._query(goals, [g for g in self._assumed if g in kept and g not in dropped])
            if answer.status is Status.UNSAT:
                self.relied_on = self._core()
                break
            violated = self._violated(goals) if answer.has_model else []
            if not violated:
                return self._one_by_one(goals, kept, dropped)
            dropped |= dict.fromkeys(violated)
        return list(dropped)

    def _one_by_one(self, goals: Sequence[Var], kept: Collection[Var], dropped: dict[Var, None]) -> list[Var]:
        """What is dropped where the solver has no answer for all goals together: only what it can prove is kept."""
        assumed = [g for g in self._assumed if g in kept and g not in dropped]
        for goal in goals:
            if len(goals) > 1 and self._query([goal], assumed).status is Status.UNSAT:
                self.relied_on |= self._core()
            else:
                dropped[goal] = None
        return list(dropped)

    def _query(self, goals: Sequence[Var], assumed: Sequence[Var]) -> Answer:
        """Whether one of the goals can be violated although what is assumed holds."""
        others = [term for guard, term in self._unwanted.items() if guard not in goals]
        return self._ask(self._solver, [*(self._assumed[g] for g in assumed), *others])

    def _violated(self, goals: Sequence[Var]) -> list[Var]:
        values = self._solver.model().values([self._fails[g] for g in goals])
        return [goal for goal, value in zip(goals, values, strict=True) if value is True]

    def _core(self) -> set[Var]:
        core = set(self._solver.unsat_core())
        return {guard for guard, term in self._assumed.items() if term in core}
