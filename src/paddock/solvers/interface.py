"""What the engines need of a solver: build terms once, instantiate them natively, check under assumptions.

Terms, functions and templates are opaque handles of the solver that made them. A procedure's formula is
built once over variables, closed as a template, and each inlined instance is one native substitution (the
procedure VC of DAG inlining, section 2). Open calls are blocked by assumption literals, so there is no
push and pop.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from types import TracebackType
from typing import NewType, Protocol, Self

from paddock.frozen import frozen
from paddock.solvers.failure import SolverFailure as SolverFailure
from paddock.solvers.failure import Unsupported as Unsupported
from paddock.solvers.ops import Op
from paddock.solvers.sorts import DatatypeDecl, Sort
from paddock.solvers.values import FunctionTable, Value

Term = NewType("Term", object)
Function = NewType("Function", object)
Template = NewType("Template", object)

LiteralValue = bool | int | Fraction | str


class Status(Enum):
    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


# Reasons for UNKNOWN that mean the same with every solver; other reasons are the solver's own words.
TIME_LIMIT = "time limit"
MEMORY_LIMIT = "out of memory"
INTERRUPTED = "interrupted"
EFFORT_LIMIT = "effort limit"
INCOMPLETE = "incomplete quantifiers"


@frozen
class Answer:
    """An answer to a query. An UNKNOWN with a model has a candidate only: it need not satisfy the formula."""

    status: Status
    reason: str = ""
    has_model: bool = False


@frozen
class Constructor:
    """The functions that a datatype's constructor comes with; selectors are in the order of the fields."""

    make: Function
    test: Function
    selectors: tuple[Function, ...]


class Model(Protocol):
    """The model of the last answer that had one. It is valid until the next `assert_` or `check`.

    Terms and templates may be newer than the answer, but not the constants and functions in them.
    """

    def value(self, term: Term) -> Value:
        """The term's value; what the model leaves open is filled in, the same way each time."""

    def values(self, terms: Sequence[Term]) -> list[Value]:
        """The values of several terms; cheaper than one at a time where the solver is another process."""

    def function(self, function: Function) -> FunctionTable:
        """The meaning of a declared function."""


class Terms(Protocol):
    """What builds terms. They belong to the object that built them: no other understands them."""

    def constant(self, name: str, sort: Sort) -> Term:
        """The constant of this name. A name always has the same sort."""

    def fresh(self, name: str, sort: Sort) -> Term:
        """A new constant, different from all others; its name starts with `name`."""

    def variable(self, name: str, sort: Sort) -> Term:
        """A new variable, to be bound by a quantifier, a lambda or a template."""

    def literal(self, value: LiteralValue, sort: Sort) -> Term:
        """A value, in the notation of `values.py`."""

    def app(self, op: Op, args: Sequence[Term], indices: Sequence[int] = ()) -> Term:
        """An operator applied to arguments."""

    def const_array(self, sort: Sort, value: Term) -> Term:
        """The array of this sort with the same value everywhere."""

    def declare_function(self, name: str, domain: Sequence[Sort], range_: Sort) -> Function:
        """The uninterpreted function of this name. A name always has the same sorts."""

    def declare_datatypes(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        """Declares datatypes that may refer to each other; gives their constructors by name."""

    def apply(self, function: Function, args: Sequence[Term]) -> Term:
        """A function applied to arguments."""

    def quantify(
        self,
        universal: bool,
        variables: Sequence[Term],
        body: Term,
        *,
        patterns: Sequence[Sequence[Term]] = (),
        no_patterns: Sequence[Term] = (),
        weight: int = 1,
        name: str = "",
    ) -> Term:
        """A quantifier. The solver instantiates on any one of the patterns, each a set of terms, or on its own choice,
        which avoids the `no_patterns`, if there is no pattern."""

    def lambda_(self, variables: Sequence[Term], body: Term) -> Term:
        """The array with the value of `body` at each index."""

    def template(self, parameters: Sequence[Term], body: Term) -> Template:
        """`body` as a function of the variables `parameters`, ready to be instantiated often."""

    def instantiate(self, template: Template, args: Sequence[Term]) -> Term:
        """The template's body with `args` for its parameters."""


class Solver(Protocol):
    """A solver with its own terms. Not thread-safe, but for `interrupt`."""

    @property
    def name(self) -> str:
        """What to call the solver in messages."""

    @property
    def terms(self) -> Terms:
        """What builds the terms that it understands."""

    def assert_(self, term: Term) -> None:
        """Adds a closed formula, for good."""

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        """Whether all asserted formulas and the assumptions (constants or their negations) hold together.

        `timeout` is in seconds. Raises `SolverFailure`, and KeyboardInterrupt on Ctrl-C.
        """

    def model(self) -> Model:
        """The model, after an answer that has one; it must be asked for before more is asserted."""

    def unsat_core(self) -> list[Term]:
        """After UNSAT: assumptions, in the order given, that cannot hold together."""

    def refutation(self, assumptions: Sequence[Term], timeout: float | None, effort: float) -> list[Term] | None:
        """Assumptions, in the order given, that cannot hold together if quantifiers are looked at thoroughly, which
        may take an effort (as of `another`); None if that does not tell. There is no model afterwards. A solver that
        cannot be thorough about formulas that it has already finds nothing."""

    def statistics(self) -> dict[str, float]:
        """The solver's own counters; their names differ from solver to solver."""

    def effort(self) -> float:
        """The effort of all checks so far, as of so many seconds, as the solver counts them: the same from run to run.
        A solver that does not count takes each check for a second."""

    def decide_in_order(self) -> None:
        """From now on, decide along the structure of the formula, not where conflicts were, if the solver lets one
        choose. That suits a formula that is there as a whole; one that grows is better left alone."""

    def another(self, thorough: bool = False, effort: float | None = None) -> Solver:
        """A new, empty solver of the same kind; a thorough one also looks for models of quantifiers, if it can.

        A check of one with limited `effort` does what takes about so many seconds, as counted by the solver: where it
        stops does not depend on the machine. A solver that does not count looks at the clock."""

    def interrupt(self) -> None:
        """From any thread: the running check and all later ones answer UNKNOWN, "interrupted"."""

    def close(self) -> None:
        """Frees what the solver holds. Its terms must not be used any more."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None, /
    ) -> None: ...
