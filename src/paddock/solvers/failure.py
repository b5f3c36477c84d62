"""How solvers fail. Those who only have to know that can do without the rest of this room."""

from __future__ import annotations


class SolverFailure(Exception):
    """The solver is missing, died, or gave an answer that makes no sense. The text says which, for a user to read."""


class Unsupported(SolverFailure):
    """The solver has no such sort or operator; another may have it."""
