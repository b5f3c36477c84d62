"""cvc5 in process, where the package `cvc5` is installed.

cvc5 holds Python's global lock while it searches and cannot be interrupted from outside. A plug-in that it calls
between steps gives other threads their turn, sees an interrupt, Ctrl-C or too much memory, and stops the search by
raising. That costs time (twice as long on small queries, more on purely Boolean ones), and buys a search that ends.
"""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from paddock.solvers.cvc5.terms import Cvc5Terms, failures
from paddock.solvers.cvc5.work import WORK_PER_SECOND
from paddock.solvers.derived import InProcess
from paddock.solvers.interface import (
    EFFORT_LIMIT,
    INCOMPLETE,
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
from paddock.solvers.values import FunctionTable, Value

_GRACE_S = 0.5
_MEMORY_CHECK_EVERY = 256  # calls of the plug-in


class Cvc5Solver(InProcess["_Cvc5Model"]):
    """A cvc5 solver."""

    name = "cvc5"

    def __init__(
        self,
        seed: int = 0,
        memory_mb: int | None = None,
        *,
        enumerate_instances: bool = False,
        effort: float | None = None,
    ) -> None:
        try:
            import cvc5
        except ImportError:
            raise SolverFailure("cvc5 is not installed: install the package cvc5, or paddock[cvc5]") from None
        super().__init__()
        self.terms = Cvc5Terms(cvc5)
        self._solver = self.terms.solver
        self._memory_mb = memory_mb
        self._seed = seed
        options = {
            "produce-models": "true",
            "produce-unsat-assumptions": "true",
            "incremental": "true",
            "dag-thresh": "0",  # no lets in the text of values
            "arrays-exp": "true",  # constant arrays
            "dt-nested-rec": "true",  # a datatype may hold arrays of itself
            "enum-inst": "true" if enumerate_instances else "false",  # where no trigger matches
            "rlimit-per": "0" if effort is None else str(max(int(effort * WORK_PER_SECOND), 1)),  # 0 is no limit
            "seed": str(seed),
            "sat-random-seed": str(seed),
        }
        for option, value in options.items():
            self._solver.setOption(option, value)
        self._solver.setLogic("ALL")
        self._watch = _new_watch(cvc5, self.terms.manager, memory_mb)
        self._solver.addPlugin(self._watch)

    def assert_(self, term: Term) -> None:
        self._model = None
        self.terms.assert_(term)

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._begin(assumptions)
        limit_ms = 0 if timeout is None else max(int(timeout * 1000), 1)  # 0 is no limit
        if self._watch.reason:
            return Answer(Status.UNKNOWN, self._watch.reason)
        # cvc5 can go on after a limit of its own, but does not keep it in all theories.
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        # The watch counts CPU seconds, so that on a busy machine it does not come before cvc5's own limit.
        self._watch.deadline = math.inf if timeout is None else time.process_time() + timeout + _GRACE_S
        try:
            with failures(), _ctrl_c_watched(self._watch):
                self._solver.setOption("tlimit-per", str(limit_ms))
                result = self._solver.checkSatAssuming(*assumptions)
        except SolverFailure:
            # After an exception, an alarm of ours included, cvc5 is in no state to go on, so the reason stays.
            if not self._watch.reason and time.monotonic() >= deadline:
                self._watch.reason = TIME_LIMIT
            elif not self._watch.reason and self._memory_mb is not None and _peak_memory_mb() > self._memory_mb:
                self._watch.reason = MEMORY_LIMIT
            if self._watch.reason:
                return Answer(Status.UNKNOWN, self._watch.reason)
            raise
        if result.isSat():
            self._last = Status.SAT
            self._model = _Cvc5Model(self)
            return Answer(Status.SAT, has_model=True)
        if result.isUnsat():
            self._last = Status.UNSAT
            return Answer(Status.UNSAT)
        return self._unknown(result.getUnknownExplanation().name)

    def _unknown(self, explanation: str) -> Answer:
        if explanation == "INCOMPLETE":
            self._model = _Cvc5Model(self)
            return Answer(Status.UNKNOWN, INCOMPLETE, has_model=True)
        reasons = {
            "TIMEOUT": TIME_LIMIT,
            "MEMOUT": MEMORY_LIMIT,
            "INTERRUPTED": INTERRUPTED,
            "RESOURCEOUT": EFFORT_LIMIT,
        }
        return Answer(Status.UNKNOWN, reasons.get(explanation) or explanation.lower().replace("_", " "))

    def value_text(self, model: _Cvc5Model, term: Any) -> str:
        """cvc5's text for the value of a term."""
        if model is not self._model:
            raise SolverFailure("cvc5: the model is gone, for the solver has been used since")
        with failures():
            return str(self._solver.getValue(term))

    def _native_core(self) -> list[Term]:
        with failures():
            return list(self._solver.getUnsatAssumptions())

    def statistics(self) -> dict[str, float]:
        values = self._solver.getStatistics().get(internal=True)
        return {name: v["value"] for name, v in values.items() if isinstance(v["value"], int | float)}

    def another(self, thorough: bool = False, effort: float | None = None) -> Solver:
        return Cvc5Solver(self._seed, self._memory_mb, enumerate_instances=thorough, effort=effort)

    def interrupt(self) -> None:
        self._watch.reason = INTERRUPTED


class _Cvc5Model:
    """The model that cvc5 has; valid until the next `assert_` or `check`."""

    def __init__(self, solver: Cvc5Solver) -> None:
        self._solver = solver
        self._sorts = solver.terms.sorts
        self._reader = ValueReader(solver.terms.sorts.constructors, lambda _: None)

    def value(self, term: Term) -> Value:
        text = self._solver.value_text(self, term)
        return self._reader.read(parse(text)[0], self._sorts.read(cast(Any, term).getSort()))

    def values(self, terms: Sequence[Term]) -> list[Value]:
        return [self.value(term) for term in terms]

    def function(self, function: Function) -> FunctionTable:
        term: Any = cast(tuple[Any, Any], function)[1]
        sort, text = term.getSort(), self._solver.value_text(self, term)
        match parse(text)[0]:
            case ["lambda", list(parameters), body]:
                definition = Definition(tuple(str(p[0]) for p in parameters), body)
                domain = [self._sorts.read(s) for s in sort.getFunctionDomainSorts()]
                return self._reader.function(definition, domain, self._sorts.read(sort.getFunctionCodomainSort()))
            case value:
                return FunctionTable({}, self._reader.read(value, self._sorts.read(sort)))


@contextmanager
def _ctrl_c_watched(watch: Any) -> Iterator[None]:
    """Ctrl-C stops the search first, and is handed on afterwards: cvc5 cannot take Python's exception for it."""
    previous = signal.getsignal(signal.SIGINT)
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or previous is None or previous is signal.SIG_IGN:
        yield
        return
    pressed = False

    def press(_number: int, _frame: object) -> None:
        nonlocal pressed
        pressed = True
        watch.reason = INTERRUPTED

    signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def _new_watch(cvc5: Any, manager: Any, memory_mb: int | None) -> Any:
    """A plug-in that stops the search once it has a `reason` to."""

    class Watch(cvc5.Plugin):  # type: ignore[misc]
        def __init__(self, manager: Any) -> None:
            super().__init__(manager)
            self.reason = ""
            self.deadline = math.inf
            self._calls = 0

        def getName(self) -> str:  # noqa: N802
            return "watch"

        def check(self) -> list[Any]:
            self._calls += 1
            if memory_mb is not None and self._calls % _MEMORY_CHECK_EVERY == 0 and _peak_memory_mb() > memory_mb:
                self.reason = MEMORY_LIMIT
            if time.process_time() > self.deadline:
                self.reason = TIME_LIMIT
            if self.reason:
                raise InterruptedError(self.reason)
            return []

    return Watch(manager)


def _peak_memory_mb() -> float:
    import resource

    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
