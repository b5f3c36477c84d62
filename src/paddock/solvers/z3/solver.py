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
from typing import Any

from paddock.solvers.derived import Closing
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
from paddock.solvers.z3.context import Z3Context
from paddock.solvers.z3.model import Z3Model
from paddock.solvers.z3.portfolio import NO_LIMIT, WORK_PER_SECOND, Portfolio, Strategy
from paddock.solvers.z3.terms import Z3Terms

_UNSAT, _UNKNOWN, _SAT = -1, 0, 1  # Z3_lbool
_NO_LIMIT_MS = _MOST_WORK = (1 << 32) - 1


def _milliseconds(timeout: float | None) -> int:
    return _NO_LIMIT_MS if timeout is None else min(max(int(timeout * 1000), 1), _NO_LIMIT_MS)


class Z3Solver(Closing):
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
        self.terms = Z3Terms()
        self._context = self.terms.context
        # Python cannot see Ctrl-C while Z3 searches in the main thread; elsewhere it can, and Z3 should not.
        in_main = threading.current_thread() is threading.main_thread()
        self._sees_ctrl_c = in_main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
        self._seed = seed
        common = {"ctrl_c": self._sees_ctrl_c, "random_seed": seed}
        self._portfolio = Portfolio(self._context, common, model_quantifiers)
        self._run = _Run(self._context, memory_mb)
        self._models = _LastModel(self._context)
        self._most_work = NO_LIMIT if effort is None else effort * WORK_PER_SECOND  # of a query
        self._assumptions: tuple[Term, ...] = ()

    def assert_(self, term: Term) -> None:
        self._models.is_there = False
        self._portfolio.assert_(term)
        if self._context.errors:
            raise self._context.failed()

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._models.drop()
        if not self.terms.is_linear:
            self._portfolio.know_products()
        self._assumptions = tuple(assumptions)
        limit_ms = _milliseconds(timeout)
        start, most = time.monotonic(), self._work() + self._most_work
        with self._run.searching():
            for strategy, share in self._portfolio.turns(self.terms.has_quantifiers):
                if self._run.interrupted:
                    return Answer(Status.UNKNOWN, INTERRUPTED)
                left_ms = limit_ms if timeout is None else max(limit_ms - int((time.monotonic() - start) * 1000), 1)
                done = self._work()
                end_of_turn = min(done + share, most)
                status = self._ask(strategy, left_ms, end_of_turn - done)
                if status != _UNKNOWN or self._context.errors or not end_of_turn <= self._work() < most:
                    break
        self._portfolio.answered(strategy)
        return self._answer(status, time.monotonic() - start >= limit_ms / 1000, self._work() >= most)

    def _answer(self, status: int, out_of_time: bool, out_of_work: bool) -> Answer:
        if self._context.errors:
            failure = self._context.failed()
            if "memory" in str(failure):
                return Answer(Status.UNKNOWN, MEMORY_LIMIT)
            raise failure
        if status == _UNSAT:
            return Answer(Status.UNSAT)
        if status == _SAT:
            self._models.is_there = True
            return Answer(Status.SAT, has_model=True)
        return self._unknown(out_of_time, out_of_work)

    def _work(self) -> float:
        """How much Z3 has done in this context."""
        return self.statistics().get("rlimit count", 0.0)

    def _ask(self, strategy: Strategy, limit_ms: int, share: float) -> int:
        update = self._context.bound("update_param_value", "-pss")
        update(b"timeout", str(limit_ms).encode())
        update(b"rlimit", str(0 if share > _MOST_WORK else max(int(share), 1)).encode())  # 0 is no limit
        strategy.assert_formulas(self._portfolio.formulas)
        return strategy.check(self._assumptions)

    def _unknown(self, out_of_time: bool, out_of_work: bool) -> Answer:
        text: bytes = self._context.bound("solver_get_reason_unknown", "spp")(self._portfolio.last.handle)
        reason = text.decode(errors="replace").removeprefix("(").removesuffix(")")
        if self._run.interrupted:
            return Answer(Status.UNKNOWN, INTERRUPTED)
        if "incomplete quantifiers" in reason:
            self._models.is_there = True
            return Answer(Status.UNKNOWN, INCOMPLETE, has_model=True)
        if "memout" in reason or "memory" in reason or self._run.is_out_of_memory():
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

    def model(self) -> Model:
        return self._models.of(self._portfolio.last)

    def unsat_core(self) -> list[Term]:
        if not self._portfolio.last.keeps_knowledge:
            return list(self._assumptions)
        bound = self._context.bound
        vector = bound("solver_get_unsat_core", "ppp")(self._portfolio.last.handle)
        self._context.check_errors()
        bound("ast_vector_inc_ref", "-pp")(vector)
        get = bound("ast_vector_get", "pppu")
        core: set[Any] = {get(vector, i) for i in range(bound("ast_vector_size", "upp")(vector))}
        bound("ast_vector_dec_ref", "-pp")(vector)
        return [a for a in self._assumptions if a in core]

    def refutation(self, assumptions: Sequence[Term], timeout: float | None, effort: float) -> list[Term] | None:
        self._models.drop()
        self._assumptions = tuple(assumptions)
        thorough = self._portfolio.thorough()
        limit_ms, share = _milliseconds(timeout), effort * WORK_PER_SECOND
        start, most = time.monotonic(), self._work() + share
        with self._run.searching():
            status = self._ask(thorough, limit_ms, share)
        answer = self._answer(status, time.monotonic() - start >= limit_ms / 1000, self._work() >= most)
        self._models.drop()
        return self.unsat_core() if answer.status is Status.UNSAT else None

    def effort(self) -> float:
        return self._work() / WORK_PER_SECOND

    def statistics(self) -> dict[str, float]:
        bound = self._context.bound
        stats = bound("solver_get_statistics", "ppp")(self._portfolio.last.handle)
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
        if self._portfolio.decide_in_order():
            self._models.drop()

    def another(self, thorough: bool = False, effort: float | None = None) -> Solver:
        return Z3Solver(self._seed, self._run.memory_mb, model_quantifiers=thorough, effort=effort)

    def interrupt(self) -> None:
        self._run.interrupt()

    def close(self) -> None:
        if self._context.free.alive:
            self._models.drop()
            self._portfolio.close()
            self._context.free()


class _LastModel:
    """The model of the last answer: made when it is asked for, which takes a while, and dropped in time."""

    def __init__(self, context: Z3Context) -> None:
        self._context = context
        self._model: Z3Model | None = None
        self.is_there = False  # and has not been asked for

    def of(self, strategy: Strategy) -> Z3Model:
        if self.is_there:
            handle = self._context.bound("solver_get_model", "ppp")(strategy.handle)
            self._context.check_errors()
            self._context.bound("model_inc_ref", "-pp")(handle)
            self.is_there, self._model = False, Z3Model(self._context, handle)
        if self._model is None:
            raise SolverFailure("Z3: the last answer has no model")
        return self._model

    def drop(self) -> None:
        self.is_there = False
        # Forgotten before it is given up: a limit may strike in between, and nothing must be given up twice.
        model, self._model = self._model, None
        if model is not None:
            handle, model.handle = model.handle, 0
            self._context.bound("model_dec_ref", "-pp")(handle)


class _Run:
    """A search that is under way: Z3 may use the memory that it has, and can be interrupted."""

    def __init__(self, context: Z3Context, memory_mb: int | None) -> None:
        self._context = context
        self.memory_mb = memory_mb
        self.interrupted = False
        self._interrupt = context.library.function("interrupt", "-p")
        self._lock = threading.Lock()  # held while Z3 is interrupted, lest it is closed meanwhile
        self._idle = threading.Event()
        self._idle.set()

    @contextmanager
    def searching(self) -> Iterator[None]:
        self._limit_memory(self.memory_mb)
        self._idle.clear()
        try:
            yield
        finally:
            with self._lock:
                self._idle.set()
            self._limit_memory(None)

    def interrupt(self) -> None:
        self.interrupted = True
        # A request that comes just before the search starts is lost on Z3, so it is repeated for a while.
        for _ in range(100):
            with self._lock:
                if self._idle.is_set():
                    return
                self._interrupt(self._context.handle)
            self._idle.wait(0.01)

    def is_out_of_memory(self) -> bool:
        """Whether Z3 has used up its memory: it may stop at the limit as if it had been interrupted."""
        used: int = self._context.library.function("get_estimated_alloc_size", "Q")()
        return self.memory_mb is not None and used >= self.memory_mb << 20

    def _limit_memory(self, megabytes: int | None) -> None:
        # Z3 counts memory for the process and has this limit for the process only, so it stands while a check runs.
        if self.memory_mb is not None:
            set_global = self._context.library.function("global_param_set", "-ss")
            set_global(b"memory_high_watermark_mb", str(megabytes or 0).encode())
