"""Ways to search with Z3 for a model of one growing list of formulas: solvers of one context, each with its settings.

Which one is quick on a formula cannot be known beforehand, and another may take a hundred times as long. So they take
turns, each with a share of work that Z3 itself counts, which makes no difference from run to run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from paddock.solvers.interface import Term
from paddock.solvers.z3.context import Z3Context
from paddock.solvers.z3.library import packed

# Work is in Z3's units, of which it does a million or two in a second.
WORK_PER_SECOND = 1_500_000
FIRST_SHARE = 500_000
GROWTH = 2
NO_LIMIT = math.inf

_BY_RELEVANCY = 3  # of the parameter `case_split`

Settings = Mapping[str, bool | int]
# Z3's older solver for arithmetic takes a fifth less time on drivers than the newer one, but knows little of products.
_SIMPLEX: Settings = {"arith.solver": 2}


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

    def __init__(self, context: Z3Context, settings: Settings) -> None:
        self._context = context
        self.handle: int = context.bound("mk_simple_solver", "pp")()
        context.bound("solver_inc_ref", "-pp")(self.handle)
        set_parameters(context, self.handle, settings)
        self._assert = context.library.function("solver_assert", "-ppp")
        self._check = context.library.function("solver_check_assumptions", "ippup", long=True)
        self._asserted = 0

    def assert_formulas(self, formulas: Sequence[Term]) -> None:
        for n in range(self._asserted, len(formulas)):
            self._assert(self._context.handle, self.handle, formulas[n])
        self._asserted = len(formulas)

    def check(self, assumptions: Sequence[Term]) -> int:
        status: int = self._check(self._context.handle, self.handle, len(assumptions), packed(assumptions))
        return status

    def close(self) -> None:
        handle, self.handle = self.handle, 0
        if handle:
            self._context.bound("solver_dec_ref", "-pp")(handle)


class FreshSolver:
    """A new solver for each query, to which assumptions are formulas like any other. So it can simplify with them, and
    solve equations, before it searches; but what it learns is lost. It chooses its settings itself, which does not suit
    quantifiers."""

    keeps_knowledge = False

    def __init__(self, context: Z3Context, settings: Settings) -> None:
        self._context = context
        self._settings = settings
        self._formulas: Sequence[Term] = ()
        self.handle = 0

    def assert_formulas(self, formulas: Sequence[Term]) -> None:
        self._formulas = formulas

    def check(self, assumptions: Sequence[Term]) -> int:
        self.close()
        context = self._context
        handle = context.bound("mk_solver", "pp")()
        context.bound("solver_inc_ref", "-pp")(handle)
        self.handle = handle  # only now: a limit that strikes earlier must leave nothing to close
        set_parameters(context, self.handle, self._settings)
        add = context.library.function("solver_assert", "-ppp")
        for formula in (*self._formulas, *assumptions):
            add(context.handle, self.handle, formula)
        status: int = context.library.function("solver_check", "ipp", long=True)(context.handle, self.handle)
        return status

    def close(self) -> None:
        handle, self.handle = self.handle, 0
        if handle:
            self._context.bound("solver_dec_ref", "-pp")(handle)


def set_parameters(context: Z3Context, solver: int, settings: Settings) -> None:
    """Settings of one solver, not of the process."""
    parameters = context.bound("mk_params", "pp")()
    context.bound("params_inc_ref", "-pp")(parameters)
    set_bool, set_uint = context.bound("params_set_bool", "-pppb"), context.bound("params_set_uint", "-pppu")
    for name, value in settings.items():
        set_one = set_bool if isinstance(value, bool) else set_uint
        set_one(parameters, context.symbol(name), value)
    context.bound("solver_set_params", "-ppp")(solver, parameters)
    context.bound("params_dec_ref", "-pp")(parameters)
    context.check_errors()


class Portfolio:
    """The strategies for the formulas of one context. `last` is the one that has answered last."""

    def __init__(self, context: Z3Context, common: Settings, model_quantifiers: bool) -> None:
        self._context = context
        self._common = common
        self._settings: Settings = {**common, "auto_config": False, "mbqi": model_quantifiers, **_SIMPLEX}
        self.formulas: list[Term] = []
        self.last: Strategy = Incremental(context, self._settings)
        # Those that keep what they learn in the order in which they have answered, last first.
        self._strategies: list[Strategy] = [self.last]
        self._in_order: Strategy | None = None
        self._thorough: Strategy | None = None

    def assert_(self, formula: Term) -> None:
        self.formulas.append(formula)
        self._strategies[0].assert_formulas(self.formulas)

    def turns(self, has_quantifiers: bool) -> Iterator[tuple[Strategy, float]]:
        """Whose turn it is, and with which share of work: most for the one that has answered the last query."""
        if has_quantifiers:
            yield self._strategies[0], NO_LIMIT
            return
        share = FIRST_SHARE
        while True:
            first = self._strategies[0]
            yield first, GROWTH * share
            self._complete()
            for other in [strategy for strategy in self._strategies if strategy is not first]:
                yield other, share
            share *= GROWTH

    def _complete(self) -> None:
        """Have all strategies."""
        if self._in_order is None:
            self._in_order = self._deciding_in_order()
            self._strategies.append(self._in_order)
        if not any(isinstance(strategy, FreshSolver) for strategy in self._strategies):
            self._strategies.append(FreshSolver(self._context, self._common))

    def answered(self, strategy: Strategy) -> None:
        """Note whose answer counts."""
        self.last = strategy
        if strategy.keeps_knowledge:
            self._strategies.remove(strategy)
            self._strategies.insert(0, strategy)

    def know_products(self) -> None:
        """From the first product of unknowns on, have another solver for arithmetic; it must learn anew."""
        if not self._settings.keys() & _SIMPLEX.keys():
            return
        self._settings = {name: value for name, value in self._settings.items() if name not in _SIMPLEX}
        was_in_order = self._strategies[0] is self._in_order
        for strategy in self._strategies:
            strategy.close()
        self.last = Incremental(self._context, self._settings)
        self._strategies, self._in_order = [self.last], None
        if was_in_order:
            self.decide_in_order()

    def decide_in_order(self) -> bool:
        """Start with the strategy that decides along the formula; whether it did not before."""
        if self._in_order is not None:
            return False
        self._in_order = self._deciding_in_order()
        self._strategies.insert(0, self._in_order)
        return True

    def _deciding_in_order(self) -> Strategy:
        return Incremental(self._context, {**self._settings, "case_split": _BY_RELEVANCY})

    def thorough(self) -> Strategy:
        """The strategy that also looks for models of quantifiers, which answers next."""
        if self._thorough is None:
            self._thorough = Incremental(self._context, {**self._settings, "mbqi": True})
        self.last = self._thorough
        return self._thorough

    def close(self) -> None:
        for strategy in (*self._strategies, self._thorough):
            if strategy is not None:
                strategy.close()
