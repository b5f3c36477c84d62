"""What several tests of solvers use."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from paddock.solvers.interface import Solver, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL


def z3_command() -> str:
    """The command for the Z3 binary that comes with the package."""
    binary = Path(sys.executable).with_name("z3")
    return f"{binary if binary.exists() else shutil.which('z3')} -in"


def assert_pigeons(solver: Solver, holes: int, pigeons: int | None = None) -> None:
    """More pigeons than holes, unless said otherwise: unsatisfiable, and hard from a dozen holes on."""
    count = holes + 1 if pigeons is None else pigeons
    at = [[solver.terms.constant(f"p{i}_{j}", BOOL) for j in range(holes)] for i in range(count)]
    for row in at:
        solver.assert_(solver.terms.app(Op.OR, row))
    for column in zip(*at, strict=True):
        for i, one in enumerate(column):
            for other in column[:i]:
                solver.assert_(negation(solver, solver.terms.app(Op.AND, [one, other])))


def negation(solver: Solver, term: Term) -> Term:
    return solver.terms.app(Op.NOT, [term])
