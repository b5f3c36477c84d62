"""Solvers behind one small interface: see `interface.py` for it, `factory.py` for how to open one."""

from paddock.solvers.factory import AUTO, open_solver, suited
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
    Unsupported,
)
from paddock.solvers.ops import Op, builtin

__all__ = [
    "AUTO",
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
    "Unsupported",
    "builtin",
    "open_solver",
    "suited",
]
