"""A solver that writes down every query as an SMT-LIB file of its own.

Each file holds all that the query depends on, in standard SMT-LIB 2.6, so that any solver can be given it. Files are
numbered in the order of the queries, and end with the answer that the recorded solver gave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from paddock.solvers.derived import Closing
from paddock.solvers.interface import (
    Answer,
    Constructor,
    Function,
    LiteralValue,
    Model,
    Solver,
    SolverFailure,
    Template,
    Term,
    Terms,
)
from paddock.solvers.ops import Op
from paddock.solvers.smtlib.script import Script
from paddock.solvers.smtlib.text import Node, term_text
from paddock.solvers.sorts import DatatypeDecl, Sort
from paddock.solvers.values import FunctionTable, Value

Handle = TypeVar("Handle", Term, Function, Template)


class _Half(NamedTuple):
    """One of the two that every term is built for, and its place in the pairs that are our handles."""

    terms: Terms
    place: int

    def of(self, handle: Handle) -> Handle:
        return cast(Handle, cast(tuple[object, object], handle)[self.place])

    def each(self, handles: Sequence[Handle]) -> list[Handle]:
        return [self.of(h) for h in handles]


class RecordedTerms:
    """Builds each term twice: for the solver, and as text."""

    def __init__(self, inner: Terms, text: Terms) -> None:
        self.inner, self.text = _Half(inner, 0), _Half(text, 1)

    def _both(self, build: Callable[[_Half], Handle]) -> Handle:
        return cast(Handle, (build(self.inner), build(self.text)))

    def constant(self, name: str, sort: Sort) -> Term:
        return self._both(lambda half: half.terms.constant(name, sort))

    def fresh(self, name: str, sort: Sort) -> Term:
        return self._both(lambda half: half.terms.fresh(name, sort))

    def variable(self, name: str, sort: Sort) -> Term:
        return self._both(lambda half: half.terms.variable(name, sort))

    def literal(self, value: LiteralValue, sort: Sort) -> Term:
        return self._both(lambda half: half.terms.literal(value, sort))

    def app(self, op: Op, args: Sequence[Term], indices: Sequence[int] = ()) -> Term:
        return self._both(lambda half: half.terms.app(op, half.each(args), indices))

    def const_array(self, sort: Sort, value: Term) -> Term:
        return self._both(lambda half: half.terms.const_array(sort, half.of(value)))

    def declare_function(self, name: str, domain: Sequence[Sort], range_: Sort) -> Function:
        return self._both(lambda half: half.terms.declare_function(name, domain, range_))

    def declare_datatypes(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        inner = self.inner.terms.declare_datatypes(datatypes)
        text = self.text.terms.declare_datatypes(datatypes)

        def pair(a: Function, b: Function) -> Function:
            return Function((a, b))

        return {
            name: Constructor(
                pair(c.make, text[name].make),
                pair(c.test, text[name].test),
                tuple(map(pair, c.selectors, text[name].selectors)),
            )
            for name, c in inner.items()
        }

    def apply(self, function: Function, args: Sequence[Term]) -> Term:
        return self._both(lambda half: half.terms.apply(half.of(function), half.each(args)))

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
        return self._both(
            lambda half: half.terms.quantify(
                universal,
                half.each(variables),
                half.of(body),
                patterns=[half.each(p) for p in patterns],
                no_patterns=half.each(no_patterns),
                weight=weight,
                name=name,
            )
        )

    def lambda_(self, variables: Sequence[Term], body: Term) -> Term:
        return self._both(lambda half: half.terms.lambda_(half.each(variables), half.of(body)))

    def template(self, parameters: Sequence[Term], body: Term) -> Template:
        return self._both(lambda half: half.terms.template(half.each(parameters), half.of(body)))

    def instantiate(self, template: Template, args: Sequence[Term]) -> Term:
        return self._both(lambda half: half.terms.instantiate(half.of(template), half.each(args)))


class Recorder(Closing):
    """Passes everything on to a solver, and keeps a script of it."""

    def __init__(self, solver: Solver, folder: Path, numbers: Iterator[int] | None = None) -> None:
        self._solver = solver
        self._script = Script()
        self.terms = RecordedTerms(solver.terms, self._script)
        self._folder = folder
        self._numbers = count(1) if numbers is None else numbers  # of the files
        self._assumptions: list[Term] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SolverFailure(f"cannot write SMT-LIB files to {folder}: {error.strerror}") from None

    @property
    def name(self) -> str:
        return self._solver.name

    def assert_(self, term: Term) -> None:
        self._solver.assert_(self.terms.inner.of(term))
        self._script.assert_(self.terms.text.of(term))

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._assumptions = list(assumptions)
        path = self._folder / f"query-{next(self._numbers):05}.smt2"
        literals = [f"(assert {term_text(cast(Node, t))})" for t in self.terms.text.each(self._assumptions)]
        self._write(path, "\n".join(["(set-logic ALL)", *self._script.commands, *literals, "(check-sat)", ""]))
        answer = self._solver.check(self.terms.inner.each(self._assumptions), timeout)
        reason = f" ({answer.reason})" if answer.reason else ""
        self._write(path, f"; {self.name} answered {answer.status.value}{reason}\n", append=True)
        return answer

    def _write(self, path: Path, text: str, *, append: bool = False) -> None:
        try:
            with path.open("a" if append else "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise SolverFailure(f"cannot write {path}: {error.strerror}") from None

    def model(self) -> Model:
        return _RecordedModel(self._solver.model(), self.terms.inner)

    def unsat_core(self) -> list[Term]:
        core = set(self._solver.unsat_core())
        return [a for a in self._assumptions if self.terms.inner.of(a) in core]

    def refutation(self, assumptions: Sequence[Term], timeout: float | None, effort: float) -> list[Term] | None:
        found = self._solver.refutation(self.terms.inner.each(assumptions), timeout, effort)
        return None if found is None else [a for a in assumptions if self.terms.inner.of(a) in found]

    def effort(self) -> float:
        return self._solver.effort()

    def statistics(self) -> dict[str, float]:
        return self._solver.statistics()

    def decide_in_order(self) -> None:
        self._solver.decide_in_order()

    def another(self, thorough: bool = False, effort: float | None = None) -> Solver:
        return Recorder(self._solver.another(thorough, effort), self._folder, self._numbers)

    def interrupt(self) -> None:
        self._solver.interrupt()

    def close(self) -> None:
        self._solver.close()


class _RecordedModel:
    """The recorded solver's model, of our pairs."""

    def __init__(self, model: Model, half: _Half) -> None:
        self._model = model
        self._half = half

    def value(self, term: Term) -> Value:
        return self._model.value(self._half.of(term))

    def values(self, terms: Sequence[Term]) -> list[Value]:
        return self._model.values(self._half.each(terms))

    def function(self, function: Function) -> FunctionTable:
        return self._model.function(self._half.of(function))
