"""What some solvers lack, in terms of what all have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from paddock.solvers.interface import Model, SolverFailure, Status, Term, Terms
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, INT, ArraySort, Sort

LastModel = TypeVar("LastModel", bound=Model)


class Closing:
    """What is closed at the end of a `with`."""

    def close(self) -> None:
        """Nothing to do."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class InProcess(Closing, ABC, Generic[LastModel]):
    """What solvers have in common that are objects of Python, freed with ours, and leave nothing to choose."""

    name = ""
    checks = 0  # so far

    def __init__(self) -> None:
        self._assumptions: tuple[Term, ...] = ()
        self._last = Status.UNKNOWN
        self._model: LastModel | None = None

    def effort(self) -> float:
        return float(self.checks)

    def _begin(self, assumptions: Sequence[Term]) -> None:
        """Start a check."""
        self.checks += 1
        self._model = None
        self._last = Status.UNKNOWN
        self._assumptions = tuple(assumptions)

    def model(self) -> LastModel:
        if self._model is None:
            raise SolverFailure(f"{self.name}: the last answer has no model")
        return self._model

    def unsat_core(self) -> list[Term]:
        if self._last is not Status.UNSAT or not self._assumptions:
            return []
        core = set(self._native_core())
        return [a for a in self._assumptions if a in core]

    @abstractmethod
    def _native_core(self) -> Sequence[Term]:
        """The assumptions that the solver says cannot hold together."""

    def refutation(self, assumptions: Sequence[Term], timeout: float | None, effort: float) -> list[Term] | None:
        return None

    def decide_in_order(self) -> None:
        pass  # what there is to choose from differs too much


class GrowingTerms(Terms, Protocol):
    """Terms to which axioms belong."""

    def assert_(self, term: Term) -> None:
        """Adds a closed formula, for good."""


def define_lambda(
    terms: GrowingTerms,
    name: str,
    free: Sequence[Term],
    free_sorts: Sequence[Sort],
    variables: Sequence[Term],
    sort: ArraySort,
    body: Term,
) -> Term:
    """The array of this sort whose value at `variables` is `body`, whose other variables are `free`.

    `lambda x :: x + y` becomes `L(y)`, with the axiom `forall y, x :: { L(y)[x] } L(y)[x] == x + y`. No function
    called `name` may exist.
    """
    array = terms.apply(terms.declare_function(name, free_sorts, sort), free)
    at_index = terms.app(Op.SELECT, (array, *variables))
    axiom = terms.app(Op.EQ, (at_index, body))
    terms.assert_(terms.quantify(True, (*free, *variables), axiom, patterns=[[at_index]]))
    return array


def few_arguments(terms: Terms, op: Op, args: Sequence[Term]) -> Term | None:
    """What an operator on any number of arguments is on none or one; None where that is an ordinary application."""
    match op, len(args):
        case (Op.AND | Op.OR, 0):
            return terms.literal(op is Op.AND, BOOL)
        case (Op.AND | Op.OR | Op.ADD | Op.MUL | Op.STR_CONCAT | Op.RE_CONCAT | Op.RE_UNION | Op.RE_INTER, 1):
            return args[0]
        case (Op.DISTINCT, 0 | 1):
            return terms.literal(True, BOOL)
        case _:
            return None


def remainder(terms: Terms, a: Term, b: Term) -> Term:
    """`rem`: it has `mod`'s absolute value and the divisor's sign."""
    mod = terms.app(Op.MOD, (a, b))
    nonnegative = terms.app(Op.GE, (b, terms.literal(0, INT)))
    return terms.app(Op.ITE, (nonnegative, mod, terms.app(Op.SUB, (mod,))))
