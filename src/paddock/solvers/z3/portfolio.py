"""Ways to search with Z3 for a model of one growing list of formulas: solvers of one context, each with its settings.

Which one is quick on a formula cannot be known beforehand, and another may take a hundred times as long. So they take
turns, each with a share of work that Z3 itself counts, which makes no difference from run to run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

from paddock.solvers.interface import Term
from paddock.solvers.z3.library import packed
from paddock.solvers.z3.terms import Z3Terms

# Work is in Z3's units, of which it does a million or two in a second.
WORK_PER_SECOND = 1_500_000
FIRST_SHARE = 500_000
GROWTH = 2
NO_LIMIT = math.inf

Settings = Mapping[str, bool | int]


class Strategy(Protocol):
    """A solver for formulas that are asserted before a query. One that keeps knowledge learns from query to query, and
    can say which assumptions cannot hold together."""

    handle: int
    keeps_knowledge: bool

    def assert_formulas(self, formulas: Sequence[Term]) -> None:
        """All formulas so far."""

    def check(self, assumptions: Sequence[Term]) -> int: ...

    def close(self) -> None: ...


class Incremental:
    """Z3's plain solver."""

    keeps_knowledge = True

    def __init__(self, terms: Z3Terms, settings: Settings) -> None:
        self._terms = terms
        self.handle: int = terms.bound("mk_simple_solver", "pp")()
        terms.bound("solver_inc_ref", "-pp")(self.handle)
        set_parameters(terms, self.handle, settings)
        self._assert = terms.library.function("solver_assert", "-ppp")
        self._check = terms.library.function("solver_check_assumptions", "ippup", long=True)
        self._asserted = 0

    def assert_formulas(self, formulas: Sequence[Term]) -> None:
        for n in range(self._asserted, len(formulas)):
            self._assert(self._terms.context, self.handle, formulas[n])
        self._asserted = len(formulas)

    def check(self, assumptions: Sequence[Term]) -> int:
        status: int = self._check(self._terms.context, self.handle, len(assumptions), packed(assumptions))
        return status

    def close(self) -> None:
        handle, self.handle = self.handle, 0
        if handle:
            self._terms.bound("solver_dec_ref", "-pp")(handle)


class FreshSolver:
    """A new solver for each query, to which assumptions are formulas like any other. So it can simplify with them, and
    solve equations, before it searches; but what it learns is lost. It chooses its settings itself, which does not suit
    quantifiers."""

    keeps_knowledge = False

    def __init__(self, terms: Z3Terms, settings: Settings) -> None:
        self._terms = terms
        self._settings = settings
        self._formulas: Sequence[Term] = ()
        self.handle = 0

    def assert_formulas(self, formulas: Sequence[Term]) -> None:
        self._formulas = formulas

    def check(self, assumptions: Sequence[Term]) -> int:
        self.close()
        terms = self._terms
        handle = terms.bound("mk_solver", "pp")()
        terms.bound("solver_inc_ref", "-pp")(handle)
        self.handle = handle  # only now: a limit that strikes earlier must leave nothing to close
        set_parameters(terms, self.handle, self._settings)
        add = terms.library.function("solver_assert", "-ppp")
        for formula in (*self._formulas, *assumptions):
            add(terms.context, self.handle, formula)
        status: int = terms.library.function("solver_check", "ipp", long=True)(terms.context, self.handle)
        return status

    def close(self) -> None:
        handle, self.handle = self.handle, 0
        if handle:
            self._terms.bound("solver_dec_ref", "-pp")(handle)


def set_parameters(terms: Z3Terms, solver: int, settings: Settings) -> None:
    """Settings of one solver, not of the process."""
    parameters = terms.bound("mk_params", "pp")()
    terms.bound("params_inc_ref", "-pp")(parameters)
    set_bool, set_uint = terms.bound("params_set_bool", "-pppb"), terms.bound("params_set_uint", "-pppu")
    for name, value in settings.items():
        set_one = set_bool if isinstance(value, bool) else set_uint
        set_one(parameters, terms.symbol(name), value)
    terms.bound("solver_set_params", "-ppp")(solver, parameters)
    terms.bound("params_dec_ref", "-pp")(parameters)
    terms.check_errors()
