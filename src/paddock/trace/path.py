"""A path through a program as data: which blocks each activation visits, in order, and what was arbitrary.

An engine reads a path off a solver's model; `replay.py` runs it.
"""

from __future__ import annotations

from paddock.frozen import field, mutable
from paddock.ir.expr import Var
from paddock.ir.origin import AssertionId
from paddock.trace.values import Value


@mutable
class Visit:
    """A block that an activation goes through. `values` are those of the arbitrary variables, by the number
    of the statement that made them so; `calls` are the activations it calls, likewise, or starts as threads. `rounds`
    are those in which threads are started, or go on behind a `yield`."""

    label: str
    values: dict[int, dict[Var, Value]] = field(default_factory=dict)
    calls: dict[int, Activation] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)


@mutable
class Activation:
    """One execution of a procedure's body; `initial` are the values of results and locals at its start."""

    procedure: str
    visits: list[Visit] = field(default_factory=list)
    initial: dict[Var, Value] = field(default_factory=dict)


@mutable
class Path:
    """A path from the start of the entry procedure, with the values of the globals and parameters there; `fails` is
    the assertion that it is to violate, where that cannot be seen from the path."""

    root: Activation
    inputs: dict[Var, Value]
    fails: AssertionId | None = None
