"""Z3 in process, the default solver.

It is the plain incremental solver with model-based quantifier instantiation and automatic configuration off,
so that a program's triggers decide what is instantiated: the settings under which Boogie's formulas are solved in
milliseconds. They are set on the solver, never for the process.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

from paddock.solvers.interface import (
    EFFORT_LIMIT,
    INCOMPLETE,
    INTERRUPTED,
    MEMORY_LIMIT,
    TIME_LIMIT,
    Answer,
    Model,
    Solver,
    SolverFailure,
    Status,
    Term,
)
from paddock.solvers.z3.model import Z3Model
from paddock.solvers.z3.portfolio import (
    FIRST_SHARE,
    GROWTH,
    NO_LIMIT,
    WORK_PER_SECOND,
    FreshSolver,
    Incremental,
    Settings,
    Strategy,
)
from paddock.solvers.z3.terms import Z3Terms

_UNSAT, _UNKNOWN, _SAT = -1, 0, 1  # Z3_lbool
_NO_LIMIT_MS = _MOST_WORK = (1 << 32) - 1
_BY_RELEVANCY = 3  # of the parameter `case_split`
# Z3's older solver for arithmetic takes a fifth less time on drivers than the newer one, but knows little of products.
_SIMPLEX: Settings = {"arith.solver": 2}


def _milliseconds(timeout: float | None) -> int:
    return _NO_LIMIT_MS if timeout is None else min(max(int(timeout * 1000), 1), _NO_LIMIT_MS)


class Z3Solver(Z3Terms):
    """A Z3 context, with a solver for each way to search that has been needed."""

    name = "Z3"

    def __init__(
        self,
        seed: int = 0,
        memory_mb: int | None = None,
        *,
        model_quantifiers: bool = False,
        effort: float | None = None,
    ) -> None:
        super().__init__()
        # Python cannot see Ctrl-C while Z3 searches in the main thread; elsewhere it can, and Z3 should not.
        in_main = threading.current_thread() is threading.main_thread()
        self._sees_ctrl_c = in_main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
        self._seed = seed
        self._common: Settings = {"ctrl_c": self._sees_ctrl_c, "random_seed": seed}
        self._settings: Settings = {**self._common, "auto_config": False, "mbqi": model_quantifiers, **_SIMPLEX}
        self._formulas: list[Term] = []
        self._last_strategy: Strategy = Incremental(self, self._settings)  # that has answered last
        self._portfolio: list[Strategy] = [
            self._last_strategy
        ]  # those that keep what they learn in the order in which they have answered, last first
        self._in_order: Strategy | None = None
        self._thorough: Strategy | None = None
        self._memory_mb = memory_mb
        self._most_work = NO_LIMIT if effort is None else effort * WORK_PER_SECOND  # of a query
        self._interrupt = self.library.function("interrupt", "-p")
        self._model: Z3Model | None = None
        self._has_model = False  # that has not been asked for
        self._assumptions: tuple[Term, ...] = ()
        self._interrupted = False
        self._lock = threading.Lock()  # held while Z3 is interrupted, lest it is closed meanwhile
        self._idle = threading.Event()
        self._idle.set()

    def assert_(self, term: Term) -> None:
        self._has_model = False
        self._formulas.append(term)
        self._portfolio[0].assert_formulas(self._formulas)
        if self._errors:
            raise self.failed()

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._drop_model()
        self._know_products()
        self._assumptions = tuple(assumptions)
        limit_ms = _milliseconds(timeout)
        start, most = time.monotonic(), self._work() + self._most_work
        with self._searching():
            for strategy, share in self._turns():
                if self._interrupted:
                    return Answer(Status.UNKNOWN, INTERRUPTED)
                left_ms = limit_ms if timeout is None else max(limit_ms - int((time.monotonic() - start) * 1000), 1)
                done = self._work()
                end_of_turn = min(done + share, most)
                status = self._ask(strategy, left_ms, end_of_turn - done)
                if status != _UNKNOWN or self._errors or not end_of_turn <= self._work() < most:
                    break
        self._last_strategy = strategy
        if strategy.keeps_knowledge:
            self._portfolio.remove(strategy)
            self._portfolio.insert(0, strategy)
        return self._answer(status, time.monotonic() - start >= limit_ms / 1000, self._work() >= most)

    def _answer(self, status: int, out_of_time: bool, out_of_work: bool) -> Answer:
        if self._errors:
            failure = self.failed()
            if "memory" in str(failure):
                return Answer(Status.UNKNOWN, MEMORY_LIMIT)
            raise failure
        if status == _UNSAT:
            return Answer(Status.UNSAT)
        if status == _SAT:
            self._has_model = True
            return Answer(Status.SAT, has_model=True)
        return self._unknown(out_of_time, out_of_work)

    @contextmanager
    def _searching(self) -> Iterator[None]:
        """Z3 may use the memory that it has, and can be interrupted."""
        self._limit_memory(self._memory_mb)
        self._idle.clear()
        try:
            yield
        finally:
            with self._lock:
                self._idle.set()
            self._limit_memory(None)

    def _turns(self) -> Iterator[tuple[Strategy, float]]:
        """Whose turn it is, and with which share of work: most for the way that has answered the last query."""
        if self.has_quantifiers:
            yield self._portfolio[0], NO_LIMIT
            return
        share = FIRST_SHARE
        while True:
            first = self._portfolio[0]
            yield first, GROWTH * share
            self._know_all_ways()
            for other in [strategy for strategy in self._portfolio if strategy is not first]:
                yield other, share
            share *= GROWTH

    def _know_products(self) -> None:
        """From the first product of unknowns on, have another solver for arithmetic; it must learn anew."""
        if self.is_linear or not self._settings.keys() & _SIMPLEX.keys():
            return
        self._settings = {name: value for name, value in self._settings.items() if name not in _SIMPLEX}
        for strategy in self._portfolio:
            strategy.close()
        self._last_strategy = Incremental(self, self._settings)
        self._portfolio, was_in_order, self._in_order = (
            [self._last_strategy],
            self._portfolio[0] is self._in_order,
            None,
        )
        if was_in_order:
            self.decide_in_order()

    def _know_all_ways(self) -> None:
        if self._in_order is None:
            self._in_order = Incremental(self, {**self._settings, "case_split": _BY_RELEVANCY})
            self._portfolio.append(self._in_order)
        if not any(isinstance(strategy, FreshSolver) for strategy in self._portfolio):
            self._portfolio.append(FreshSolver(self, self._common))

    def _work(self) -> float:
        """How much Z3 has done in this context."""
        return self.statistics().get("rlimit count", 0.0)

    def _ask(self, strategy: Strategy, limit_ms: int, share: float) -> int:
        update = self.bound("update_param_value", "-pss")
        update(b"timeout", str(limit_ms).encode())
        update(b"rlimit", str(0 if share > _MOST_WORK else max(int(share), 1)).encode())  # 0 is no limit
        strategy.assert_formulas(self._formulas)
        return strategy.check(self._assumptions)

    def _unknown(self, out_of_time: bool, out_of_work: bool) -> Answer:
        text: bytes = self.bound("solver_get_reason_unknown", "spp")(self._last_strategy.handle)
        reason = text.decode(errors="replace").removeprefix("(").removesuffix(")")
        if self._interrupted:
            return Answer(Status.UNKNOWN, INTERRUPTED)
        if "incomplete quantifiers" in reason:
            self._has_model = True
            return Answer(Status.UNKNOWN, INCOMPLETE, has_model=True)
        if "memout" in reason or "memory" in reason or self._is_out_of_memory():
            return Answer(Status.UNKNOWN, MEMORY_LIMIT)
        if out_of_time:
            return Answer(Status.UNKNOWN, TIME_LIMIT)
        if out_of_work:
            return Answer(Status.UNKNOWN, EFFORT_LIMIT)
        if reason == "canceled" and self._sees_ctrl_c:
            # Z3 has taken Ctrl-C for itself, and only stopped: hand it on.
            signal.raise_signal(signal.SIGINT)
            return Answer(Status.UNKNOWN, INTERRUPTED)
        return Answer(Status.UNKNOWN, reason)

    def _is_out_of_memory(self) -> bool:
        """Whether Z3 has used up its memory: it may stop at the limit as if it had been interrupted."""
        used: int = self.library.function("get_estimated_alloc_size", "Q")()
        return self._memory_mb is not None and used >= self._memory_mb << 20

    def _limit_memory(self, megabytes: int | None) -> None:
        # Z3 counts memory for the process and has this limit for the process only, so it stands while a check runs.
        if self._memory_mb is not None:
            set_global = self.library.function("global_param_set", "-ss")
            set_global(b"memory_high_watermark_mb", str(megabytes or 0).encode())

    def _keep_model(self) -> Z3Model:
        """Have Z3 make the model, which takes a while."""
        handle = self.bound("solver_get_model", "ppp")(self._last_strategy.handle)
        self.check_errors()
        self.bound("model_inc_ref", "-pp")(handle)
        self._has_model, self._model = False, Z3Model(self, handle)
        return self._model

    def _drop_model(self) -> None:
        self._has_model = False
        # Forgotten before it is given up: a limit may strike in between, and nothing must be given up twice.
        model, self._model = self._model, None
        if model is not None:
            handle, model.handle = model.handle, 0
            self.bound("model_dec_ref", "-pp")(handle)

    def model(self) -> Model:
        if self._has_model:
            return self._keep_model()
        if self._model is None:
            raise SolverFailure("Z3: the last answer has no model")
        return self._model

    def unsat_core(self) -> list[Term]:
        if not self._last_strategy.keeps_knowledge:
            return list(self._assumptions)
        bound = self.bound
        vector = bound("solver_get_unsat_core", "ppp")(self._last_strategy.handle)
        self.check_errors()
        bound("ast_vector_inc_ref", "-pp")(vector)
        get = bound("ast_vector_get", "pppu")
        core: set[Any] = {get(vector, i) for i in range(bound("ast_vector_size", "upp")(vector))}
        bound("ast_vector_dec_ref", "-pp")(vector)
        return [a for a in self._assumptions if a in core]

    def refutation(self, assumptions: Sequence[Term], timeout: float | None, effort: float) -> list[Term] | None:
        self._drop_model()
        self._assumptions = tuple(assumptions)
        if self._thorough is None:
            self._thorough = Incremental(self, {**self._settings, "mbqi": True})
        self._last_strategy = self._thorough
        limit_ms, share = _milliseconds(timeout), effort * WORK_PER_SECOND
        start, most = time.monotonic(), self._work() + share
        with self._searching():
            status = self._ask(self._thorough, limit_ms, share)
        answer = self._answer(status, time.monotonic() - start >= limit_ms / 1000, self._work() >= most)
        self._drop_model()
        return self.unsat_core() if answer.status is Status.UNSAT else None

    def effort(self) -> float:
        return self._work() / WORK_PER_SECOND

    def statistics(self) -> dict[str, float]:
        bound = self.bound
        stats = bound("solver_get_statistics", "ppp")(self._last_strategy.handle)
        bound("stats_inc_ref", "-pp")(stats)
        key, is_uint = bound("stats_get_key", "sppu"), bound("stats_is_uint", "bppu")
        uint_value, double_value = bound("stats_get_uint_value", "uppu"), bound("stats_get_double_value", "dppu")
        result: dict[str, float] = {}
        for i in range(bound("stats_size", "upp")(stats)):
            value = uint_value(stats, i) if is_uint(stats, i) else double_value(stats, i)
            result[key(stats, i).decode()] = value
        bound("stats_dec_ref", "-pp")(stats)
        return result

    def decide_in_order(self) -> None:
        if self._in_order is None:
            self._drop_model()
            self._in_order = Incremental(self, {**self._settings, "case_split": _BY_RELEVANCY})
            self._portfolio.insert(0, self._in_order)

    def another(self, thorough: bool = False, effort: float | None = None) -> Solver:
        return Z3Solver(self._seed, self._memory_mb, model_quantifiers=thorough, effort=effort)

    def interrupt(self) -> None:
        self._interrupted = True
        # A request that comes just before the search starts is lost on Z3, so it is repeated for a while.
        for _ in range(100):
            with self._lock:
                if self._idle.is_set():
                    return
                self._interrupt(self.context)
            self._idle.wait(0.01)

    def close(self) -> None:
        if self.free.alive:
            self._drop_model()
            for strategy in (*self._portfolio, self._thorough):
                if strategy is not None:
                    strategy.close()
            self.free()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
