"""A path that a program with forgotten globals has and the program itself has not, and ways to refine on it.

`check(Abstract(P, T))` of Corral (CAV 2012, §3.1) on such a path P comes in two forms: a formula built anew for each
set T (Algorithm 1, and STORM), and one formula with a Boolean constant a global, of which the queries assume some and
the negation of others (Algorithm 2). Beyond the paper, `core` first leaves out what an unsatisfiable core lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from paddock.engines.outcome import Budget
from paddock.engines.path_formula import PathFormula
from paddock.engines.paths import lifted
from paddock.engines.refinement.algorithms import Checks, hrefine, storm
from paddock.frozen import frozen
from paddock.ir.expr import Var
from paddock.ir.program import Program
from paddock.passes.abstract_globals import abstracted, parameterised
from paddock.solvers.interface import Solver, Status, Term
from paddock.solvers.ops import Op
from paddock.trace.path import Path


@frozen
class SpuriousPath:
    """A path of a program that is not feasible, but was when only `tracked` were tracked.

    `program` has no more than what the path visits; `undecided` are the other globals that may matter. The `solver` is
    only asked for others like it, thorough ones if it takes that to see that the path is not feasible.
    """

    program: Program
    path: Path
    tracked: tuple[Var, ...]
    undecided: tuple[Var, ...]
    solver: Solver
    budget: Budget
    thorough: bool = False

    def is_infeasible(self, tracked: Sequence[Var]) -> bool:
        """Whether the path is infeasible with these tracked, by a formula of its own."""
        program = abstracted(self.program, tracked)
        with self.solver.another(self.thorough) as solver:
            PathFormula(program, lifted(self.path, self.program, program), solver)
            return solver.check((), self.budget.remaining()).status is Status.UNSAT

    @contextmanager
    def parameterised(self) -> Iterator[_ParameterisedFormula]:
        """One formula for all sets."""
        with self.solver.another(self.thorough) as solver:
            yield _ParameterisedFormula(self, solver)


class _ParameterisedFormula:
    """The formula of a path with a Boolean constant for each undecided global."""

    def __init__(self, spurious: SpuriousPath, solver: Solver) -> None:
        self._solver = solver
        self._budget = spurious.budget
        undecided = set(spurious.undecided)
        always = [g.var for g in spurious.program.globals if g.var not in undecided]
        parameters = parameterised(spurious.program, always)
        path = lifted(spurious.path, spurious.program, parameters.program)
        encoder = PathFormula(parameters.program, path, solver).encoder
        self._on: dict[Var, Term] = {g: encoder.named(constant) for g, constant in parameters.decides.items()}
        self._off = {g: solver.terms.app(Op.NOT, (on,)) for g, on in self._on.items()}

    def is_infeasible(self, tracked: Sequence[Var]) -> bool:
        chosen = set(tracked)
        assumptions = [on if g in chosen else self._off[g] for g, on in self._on.items()]
        return self._solver.check(assumptions, self._budget.remaining()).status is Status.UNSAT

    def core(self) -> list[Var]:
        """Of all undecided globals, those that an unsatisfiable core has; all if the solver does not find any."""
        answer = self._solver.check(list(self._on.values()), self._budget.remaining())
        if answer.status is not Status.UNSAT:
            return list(self._on)
        core = set(self._solver.unsat_core())
        return [g for g, on in self._on.items() if on in core]


@frozen
class Refined:
    """The globals to track so that a path is ruled out, those that were tracked included, and the calls of `check`."""

    tracked: tuple[Var, ...]
    checks: int


Refine = Callable[[SpuriousPath], Refined]


def _storm(spurious: SpuriousPath) -> Refined:
    checks = Checks(spurious.is_infeasible)
    return Refined(tuple(storm(checks, spurious.tracked, spurious.undecided)), checks.count)


def _alg1(spurious: SpuriousPath) -> Refined:
    checks = Checks(spurious.is_infeasible)
    return Refined(tuple(hrefine(checks, spurious.tracked, spurious.undecided)), checks.count)


def _alg2(spurious: SpuriousPath) -> Refined:
    with spurious.parameterised() as formula:
        checks = Checks(formula.is_infeasible)
        return Refined(tuple(hrefine(checks, spurious.tracked, spurious.undecided)), checks.count)


def _core(spurious: SpuriousPath) -> Refined:
    with spurious.parameterised() as formula:
        checks = Checks(formula.is_infeasible)
        found = hrefine(checks, spurious.tracked, formula.core())
        return Refined(tuple(found), checks.count + 1)


REFINEMENTS: Mapping[str, Refine] = {"storm": _storm, "alg1": _alg1, "alg2": _alg2, "core": _core}
