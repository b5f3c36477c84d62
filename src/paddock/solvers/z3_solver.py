"""Z3 in process, the default solver.

It is the plain incremental solver with model-based quantifier instantiation and automatic configuration off,
so that a program's triggers decide what is instantiated: the settings under which Boogie's formulas are solved in
milliseconds. They are set on the solver, never for the process.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from paddock.solvers.interface import (
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
from paddock.solvers.z3_library import packed
from paddock.solvers.z3_model import Z3Model
from paddock.solvers.z3_terms import Z3Terms

_UNSAT, _SAT = -1, 1  # Z3_lbool
_NO_LIMIT_MS = (1 << 32) - 1
_BY_RELEVANCY = 3  # of the parameter `case_split`


class Z3Solver(Z3Terms):
    """A Z3 context with one solver in it."""

    name = "Z3"

    def __init__(self, seed: int = 0, memory_mb: int | None = None, *, model_quantifiers: bool = False) -> None:
        super().__init__()
        bound = self.bound
        self._solver: int = bound("mk_simple_solver", "pp")()
        bound("solver_inc_ref", "-pp")(self._solver)
        # Python cannot see Ctrl-C while Z3 searches in the main thread; elsewhere it can, and Z3 should not.
        in_main = threading.current_thread() is threading.main_thread()
        self._sees_ctrl_c = in_main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
        self._seed = seed
        self._set_parameters(
            {"auto_config": False, "mbqi": model_quantifiers, "ctrl_c": self._sees_ctrl_c}, {"random_seed": seed}
        )
        self._memory_mb = memory_mb
        self._assert = self.library.function("solver_assert", "-ppp")
        self._check = self.library.function("solver_check_assumptions", "ippup", long=True)
        self._interrupt = self.library.function("interrupt", "-p")
        self._model: Z3Model | None = None
        self._is_in_order = False
        self._assumptions: tuple[Term, ...] = ()
        self._interrupted = False
        self._lock = threading.Lock()  # held while Z3 is interrupted, lest it is closed meanwhile
        self._idle = threading.Event()
        self._idle.set()

    def _set_parameters(self, truths: Mapping[str, bool], numbers: Mapping[str, int]) -> None:
        bound = self.bound
        parameters = bound("mk_params", "pp")()
        bound("params_inc_ref", "-pp")(parameters)
        set_bool, set_uint = bound("params_set_bool", "-pppb"), bound("params_set_uint", "-pppu")
        for name, truth in truths.items():
            set_bool(parameters, self._symbol(name.encode()), truth)
        for name, number in numbers.items():
            set_uint(parameters, self._symbol(name.encode()), number)
        bound("solver_set_params", "-ppp")(self._solver, parameters)
        bound("params_dec_ref", "-pp")(parameters)
        self.check_errors()

    def assert_(self, term: Term) -> None:
        self._assert(self.context, self._solver, term)
        if self._errors:
            raise self.failed()

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._drop_model()
        self._assumptions = tuple(assumptions)
        limit_ms = _NO_LIMIT_MS if timeout is None else min(max(int(timeout * 1000), 1), _NO_LIMIT_MS)
        self.bound("update_param_value", "-pss")(b"timeout", str(limit_ms).encode())
        literals = packed(assumptions)
        self._limit_memory(self._memory_mb)
        start = time.monotonic()
        self._idle.clear()
        try:
            if self._interrupted:
                return Answer(Status.UNKNOWN, INTERRUPTED)
            result = self._check(self.context, self._solver, len(assumptions), literals)
        finally:
            with self._lock:
                self._idle.set()
            self._limit_memory(None)
        if self._errors:
            failure = self.failed()
            if "memory" in str(failure):
                return Answer(Status.UNKNOWN, MEMORY_LIMIT)
            raise failure
        if result == _UNSAT:
            return Answer(Status.UNSAT)
        if result == _SAT:
            self._keep_model()
            return Answer(Status.SAT, has_model=True)
        out_of_time = time.monotonic() - start >= limit_ms / 1000
        return self._unknown(out_of_time)

    def _unknown(self, out_of_time: bool) -> Answer:
        text: bytes = self.bound("solver_get_reason_unknown", "spp")(self._solver)
        reason = text.decode(errors="replace").removeprefix("(").removesuffix(")")
        if self._interrupted:
            return Answer(Status.UNKNOWN, INTERRUPTED)
        if "incomplete quantifiers" in reason:
            self._keep_model()
            return Answer(Status.UNKNOWN, INCOMPLETE, has_model=True)
        if "memout" in reason or "memory" in reason or self._is_out_of_memory():
            return Answer(Status.UNKNOWN, MEMORY_LIMIT)
        if out_of_time:
            return Answer(Status.UNKNOWN, TIME_LIMIT)
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

    def _keep_model(self) -> None:
        handle = self.bound("solver_get_model", "ppp")(self._solver)
        self.check_errors()
        self.bound("model_inc_ref", "-pp")(handle)
        self._model = Z3Model(self, handle)

    def _drop_model(self) -> None:
        if self._model is not None:
            self.bound("model_dec_ref", "-pp")(self._model.handle)
            self._model.handle = 0
            self._model = None

    def model(self) -> Model:
        if self._model is None:
            raise SolverFailure("Z3: the last answer has no model")
        return self._model

    def unsat_core(self) -> list[Term]:
        bound = self.bound
        vector = bound("solver_get_unsat_core", "ppp")(self._solver)
        self.check_errors()
        bound("ast_vector_inc_ref", "-pp")(vector)
        get = bound("ast_vector_get", "pppu")
        core: set[Any] = {get(vector, i) for i in range(bound("ast_vector_size", "upp")(vector))}
        bound("ast_vector_dec_ref", "-pp")(vector)
        return [a for a in self._assumptions if a in core]

    def statistics(self) -> dict[str, float]:
        bound = self.bound
        stats = bound("solver_get_statistics", "ppp")(self._solver)
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
        if self._is_in_order:
            return
        self._is_in_order = True
        self._set_parameters({}, {"case_split": _BY_RELEVANCY})
        # It takes notice only when it starts, so it starts again.
        bound = self.bound
        asserted = bound("solver_get_assertions", "ppp")(self._solver)
        bound("ast_vector_inc_ref", "-pp")(asserted)
        self._drop_model()
        bound("solver_reset", "-pp")(self._solver)
        get = bound("ast_vector_get", "pppu")
        for i in range(bound("ast_vector_size", "upp")(asserted)):
            self._assert(self.context, self._solver, get(asserted, i))
        bound("ast_vector_dec_ref", "-pp")(asserted)

    def another(self, thorough: bool = False) -> Solver:
        return Z3Solver(self._seed, self._memory_mb, model_quantifiers=thorough)

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
            self.bound("solver_dec_ref", "-pp")(self._solver)
            self.free()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
