"""Guarded instructions as formulas: the encoding π of the assertion-implications paper, §2, in SMT."""

from __future__ import annotations

from paddock.engines.implications.ussa import Step
from paddock.ir.build import TRUE
from paddock.ir.expr import Expr, Var
from paddock.ir.program import Program
from paddock.ir.stmt import Assign, Assume
from paddock.solvers.interface import Solver, Term
from paddock.solvers.ops import Op
from paddock.vc.encode import Encoder


class Meaning:
    """What guarded instructions over the functions, constants and axioms of a program mean, in a solver."""

    def __init__(self, program: Program, solver: Solver) -> None:
        self.solver = solver
        self._encoder = Encoder(program, solver.terms)
        self._variables: dict[Var, Term] = {}
        self._terms: dict[Expr, Term] = {}
        for axiom in self._encoder.axioms():
            solver.assert_(axiom)

    def of(self, step: Step) -> Term | None:
        """π of an instruction: `C ⇒ x = e`, or `C ⇒ C'` for an assumption; None for what says nothing. What is asserted
        is not assumed."""
        match step.instruction:
            case Assign((target,), (value,)):
                # Not Boogie's `==`: a float that is no number is the same as itself.
                formula = self.solver.terms.app(Op.EQ, (self.term(target), self.term(value)))
            case Assume(condition):
                formula = self.term(condition)
            case _:
                return None
        if step.guard is TRUE:
            return formula
        return self.solver.terms.app(Op.IMPLIES, (self.term(step.guard), formula))

    def term(self, expr: Expr) -> Term:
        """An expression as a term; most are asked for often."""
        term = self._terms.get(expr)
        if term is None:
            term = self._terms[expr] = self._encoder.encode(expr, self._variable, self._variable)
        return term

    def _variable(self, var: Var) -> Term:
        term = self._variables.get(var)
        if term is None:
            # The sort is part of the name: one name may be used again for a variable of another type.
            name = f"{var.name}:{var.type}"
            term = self._variables[var] = self.solver.terms.constant(name, self._encoder.sort(var.type))
        return term
