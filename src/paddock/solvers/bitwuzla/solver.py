"""Bitwuzla in process, where the package `bitwuzla` is installed.

It is for what it is made for: a formula over bit-vectors, floats and arrays that is there as a whole. What it does not
have raises `Unsupported` when the term is made.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, cast

from paddock.solvers.bitwuzla.terms import BitwuzlaTerms, failures
from paddock.solvers.derived import InProcess
from paddock.solvers.interface import (
    EFFORT_LIMIT,
    INTERRUPTED,
    MEMORY_LIMIT,
    TIME_LIMIT,
    Answer,
    Function,
    Solver,
    SolverFailure,
    Status,
    Term,
)
from paddock.solvers.sexpr import parse
from paddock.solvers.smtlib.values import Definition, ValueReader
from paddock.solvers.sorts import BOOL, BitVecSort
from paddock.solvers.values import FunctionTable, Value

# How often it asks whether to stop, in a second of search on a usual machine: what effort is counted by, so that it is
# the same from run to run.
_ASKED_PER_SECOND = 30_000

# Signals whose handlers may raise an exception.
_HELD = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGALRM", "SIGXCPU") if hasattr(signal, n)]


class BitwuzlaSolver(InProcess["_BitwuzlaModel"]):
    """A Bitwuzla solver."""

    name = "bitwuzla"

    def __init__(self, seed: int = 0, memory_mb: int | None = None, *, effort: float | None = None) -> None:
        try:
            import bitwuzla
        except ImportError:
            raise SolverFailure(
                "bitwuzla is not installed: install the package bitwuzla, or paddock[bitwuzla]"
            ) from None
        super().__init__()
        self.terms = BitwuzlaTerms(bitwuzla)
        self._new: list[Any] = []  # formulas that the solver does not have yet
        self._like = partial(BitwuzlaSolver, seed, memory_mb)
        self._effort = effort
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        options.set(bitwuzla.Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        options.set(bitwuzla.Option.SEED, seed + 42)  # 42 is its default
        if memory_mb is not None:
            options.set(bitwuzla.Option.MEMORY_LIMIT, memory_mb)
        self._solver = bitwuzla.Bitwuzla(self.terms.manager, options)
        self._watch = _Watch()
        self._solver.configure_terminator(self._watch)

    def assert_(self, term: Term) -> None:
        self._model = None
        self._new.append(term)

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._begin(assumptions)
        if self._watch.reason:
            return Answer(Status.UNKNOWN, self._watch.reason)
        self._watch.start(timeout, self._effort)
        with _signals_held(self._watch), failures():
            for formula in self._new:
                self._solver.assert_formula(formula)
            self._new.clear()
            result = self._solver.check_sat(*assumptions)
        if result == self.terms.library.Result.SAT:
            self._last = Status.SAT
            self._model = _BitwuzlaModel(self)
            return Answer(Status.SAT, has_model=True)
        if result == self.terms.library.Result.UNSAT:
            self._last = Status.UNSAT
            return Answer(Status.UNSAT)
        if self._watch.reason:
            return Answer(Status.UNKNOWN, self._watch.reason)
        return Answer(Status.UNKNOWN, self._watch.limit() or MEMORY_LIMIT)

    def value_term(self, model: _BitwuzlaModel, term: Any) -> Any:
        """Bitwuzla's term for the value of a term."""
        if model is not self._model:
            raise SolverFailure("bitwuzla: the model is gone, for the solver has been used since")
        with failures():
            return self._solver.get_value(term)

    def _native_core(self) -> list[Term]:
        with failures():
            return list(self._solver.get_unsat_assumptions())

    def statistics(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, text in self._solver.statistics().items():
            try:
                found[str(name)] = float(text)
            except ValueError:  # a time with its unit
                continue
        return found

    def another(self, thorough: bool = False, effort: float | None = None) -> Solver:
        return self._like(effort=effort)

    def effort(self) -> float:
        return self._watch.asked / _ASKED_PER_SECOND

    def interrupt(self) -> None:
        self._watch.reason = INTERRUPTED


class _Watch:
    """What Bitwuzla asks whether to stop."""

    def __init__(self) -> None:
        self.reason = ""
        self.asked = 0  # times
        self._most_asked: float | None = None
        self._end: float | None = None
        self.is_asked_to_stop = False

    def start(self, timeout: float | None, effort: float | None) -> None:
        """Start to watch the clock, and the effort, which does not depend on the machine."""
        self._end = None if timeout is None else time.monotonic() + timeout
        self._most_asked = None if effort is None else self.asked + effort * _ASKED_PER_SECOND

    def limit(self) -> str:
        """The limit that is reached, if one is."""
        if self._end is not None and time.monotonic() >= self._end:
            return TIME_LIMIT
        return EFFORT_LIMIT if self._most_asked is not None and self.asked >= self._most_asked else ""

    def __call__(self) -> bool:
        self.asked += 1
        return self.is_asked_to_stop or bool(self.reason) or bool(self.limit())


@contextmanager
def _signals_held(watch: _Watch) -> Iterator[None]:
    """An exception that the handler of a signal raises, for Ctrl-C or for a time limit, stops the search first
    and is raised afterwards: it would not get through Bitwuzla."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = {number: signal.getsignal(number) for number in _HELD}
    raised: list[BaseException] = []

    def handle(number: int, frame: FrameType | None) -> None:
        handler = previous[number]
        assert callable(handler)
        try:
            handler(number, frame)
        except BaseException as error:
            raised.append(error)
            watch.is_asked_to_stop = True

    held = [number for number, handler in previous.items() if callable(handler)]
    for number in held:
        signal.signal(number, handle)
    try:
        yield
    finally:
        watch.is_asked_to_stop = False
        for number in held:
            signal.signal(number, previous[number])
    if raised:
        raise raised[0]


class _BitwuzlaModel:
    """The model that Bitwuzla has; valid until the next `assert_` or `check`."""

    def __init__(self, solver: BitwuzlaSolver) -> None:
        self._solver = solver
        self._sorts = solver.terms.sorts
        self._reader = ValueReader({}, lambda _: None)

    def value(self, term: Term) -> Value:
        native: Any = term
        sort = self._sorts.read(native.sort())
        found = self._solver.value_term(self, native)
        if sort is BOOL:
            return bool(found.value())
        if isinstance(sort, BitVecSort):
            return int(found.value(2), 2)
        return self._reader.read(parse(str(found))[0], sort)

    def values(self, terms: Sequence[Term]) -> list[Value]:
        return [self.value(term) for term in terms]

    def function(self, function: Function) -> FunctionTable:
        native = cast(Any, function)
        sort = native.sort()
        found = self._solver.value_term(self, native)
        if not sort.is_fun():
            return FunctionTable({}, self.value(cast(Term, native)))
        domain = [self._sorts.read(s) for s in sort.fun_domain()]
        match parse(str(found))[0]:
            case ["lambda", list(parameters), body]:
                definition = Definition(tuple(str(p[0]) for p in parameters), body)
                return self._reader.function(definition, domain, self._sorts.read(sort.fun_codomain()))
            case other:
                raise SolverFailure(f"bitwuzla: the value of a function is {other}")
