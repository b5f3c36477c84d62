"""Solvers behind one small interface: see `interface.py` for it, `factory.py` for how to open one."""

from paddock.solvers.factory import open_solver
from paddock.solvers.interface import (
    EFFORT_LIMIT,
    INCOMPLETE,
    INTERRUPTED,
    MEMORY_LIMIT,
    TIME_LIMIT,
    Answer,
    Constructor,
    Function,
    Model,
    Solver,
    SolverFailure,
    Status,
    Template,
    Term,
)
from paddock.solvers.ops import Op, builtin

__all__ = [
    "EFFORT_LIMIT",
    "INCOMPLETE",
    "INTERRUPTED",
    "MEMORY_LIMIT",
    "TIME_LIMIT",
    "Answer",
    "Constructor",
    "Function",
    "Model",
    "Op",
    "Solver",
    "SolverFailure",
    "Status",
    "Template",
    "Term",
    "builtin",
    "open_solver",
]
