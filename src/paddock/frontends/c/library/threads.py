"""Models of POSIX threads: mutexes, condition variables, atomic sections, and what `models/threads.c` is written with.

A mutex and a condition variable are their addresses: hidden maps say which mutexes are locked, how many threads wait
for a condition, and how many of them have been woken. A thread that waits is blocked (an assumption); spurious wake-ups
are not looked at. What these functions do is one step each; waiting for a condition is two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.ir.build import FALSE, TRUE, and_, arith, compare, int_lit, ite, not_, select, store
from paddock.ir.expr import Expr, Op, Var
from paddock.ir.origin import Origin
from paddock.ir.program import Procedure, VarDecl, local_var
from paddock.ir.stmt import Call
from paddock.ir.types import BOOL, INT, Map, Type

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering
    from paddock.frontends.c.lowering.context import ProgramContext

_Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]

START = "__paddock_thread"  # the function that is called asynchronously
ATOMIC = "__VERIFIER_atomic_"  # what functions are called that are one step
BEGIN, END = "corral_atomic_begin", "corral_atomic_end"
LOCKED, WAITING, WOKEN, RESULT = "mutex#locked", "condition#waiting", "condition#woken", "thread#result"
FAMILIES = ("pthread_", "sem_", "thrd_", "mtx_", "cnd_", "tss_")  # of functions that mean something with threads only
_BUSY = 16  # EBUSY


def primitive(
    context: ProgramContext, name: str, origin: Origin, args: tuple[Expr, ...] = (), results: tuple[Var, ...] = ()
) -> Call:
    """A call of a procedure that the passes for threads know."""
    params = tuple(VarDecl(local_var(f"argument{n}", a.type)) for n, a in enumerate(args))
    declared = tuple(VarDecl(local_var("result", r.type)) for r in results)
    if context.has_threads:
        context.bodiless.procedures.setdefault(name, Procedure(name, params, declared))
    return Call(name, args, results, origin=origin)


def _primitive(low: Lowering, name: str, args: tuple[Expr, ...] = (), result: Type | None = None) -> Var | None:
    """Call such a procedure; a program without threads has none to number or to wait for."""
    held = () if result is None else (low.blocks.locals.temporary(result, "thread"),)
    if low.context.has_threads:
        low.blocks.emit(primitive(low.context, name, low.blocks.origin, args, held))
    return held[0] if held else None


def begin_section(low: Lowering) -> None:
    """No other thread runs from here on."""
    _primitive(low, BEGIN)


def end_section(low: Lowering) -> None:
    """Other threads may run again."""
    _primitive(low, END)


def _section(action: Callable[[Lowering], None]) -> _Model:
    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        action(low)
        return ()
        yield

    return model


def _map(low: Lowering, name: str, range_: Type) -> Var:
    return low.context.globals.hidden(name, Map((low.numbers.addresses.type,), range_))


def _set(low: Lowering, map_: Var, at: Expr, value: Expr) -> None:
    low.blocks.put(map_, store(map_, (at,), value))


def _zero(low: Lowering, call: t.Call) -> tuple[Expr, ...]:
    return (low.numbers.zero(call.type),)


def _unlocked(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """A mutex that is made, destroyed or unlocked."""
    ((mutex,), *_) = yield low.expressions.all(call.arguments)
    _set(low, _map(low, LOCKED, BOOL), mutex, FALSE)
    return _zero(low, call)


def _lock(low: Lowering, mutex: Expr, *conditions: Expr) -> None:
    locked = _map(low, LOCKED, BOOL)
    low.blocks.assume(and_(not_(select(locked, mutex)), *conditions))
    _set(low, locked, mutex, TRUE)


def _mutex_lock(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    ((mutex,),) = yield low.expressions.all(call.arguments)
    begin_section(low)
    _lock(low, mutex)
    end_section(low)
    return _zero(low, call)


def _mutex_trylock(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    ((mutex,),) = yield low.expressions.all(call.arguments)
    locked, result = _map(low, LOCKED, BOOL), low.blocks.locals.temporary(low.numbers.type(call.type), "busy")
    begin_section(low)
    busy = low.numbers.literal(_BUSY, call.type)
    low.blocks.put(result, ite(select(locked, mutex), busy, low.numbers.zero(call.type)))
    _set(low, locked, mutex, TRUE)
    end_section(low)
    return (result,)


def _condition_init(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    ((condition,), *_) = yield low.expressions.all(call.arguments)
    begin_section(low)
    for name in (WAITING, WOKEN):
        _set(low, _map(low, name, INT), condition, int_lit(0))
    end_section(low)
    return _zero(low, call)


def _condition_wait(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    ((condition,), (mutex,)) = yield low.expressions.all(call.arguments)
    waiting, woken = _map(low, WAITING, INT), _map(low, WOKEN, INT)
    begin_section(low)
    _set(low, _map(low, LOCKED, BOOL), mutex, FALSE)
    _set(low, waiting, condition, arith(Op.ADD, select(waiting, condition), int_lit(1)))
    end_section(low)
    begin_section(low)
    _lock(low, mutex, compare(Op.GT, select(woken, condition), int_lit(0)))
    _set(low, woken, condition, arith(Op.SUB, select(woken, condition), int_lit(1)))
    end_section(low)
    return _zero(low, call)


def _wake(low: Lowering, call: t.Call, *, everybody: bool) -> Steps[tuple[Expr, ...]]:
    ((condition,),) = yield low.expressions.all(call.arguments)
    waiting, woken = _map(low, WAITING, INT), _map(low, WOKEN, INT)
    begin_section(low)
    count = low.blocks.locals.temporary(INT, "woken")
    there = select(waiting, condition)
    one = ite(compare(Op.GT, there, int_lit(0)), int_lit(1), int_lit(0))
    low.blocks.put(count, there if everybody else one)
    _set(low, waiting, condition, arith(Op.SUB, there, count))
    _set(low, woken, condition, arith(Op.ADD, select(woken, condition), count))
    end_section(low)
    return _zero(low, call)


def _signal(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    held: tuple[Expr, ...] = yield _wake(low, call, everybody=False)
    return held


def _broadcast(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    held: tuple[Expr, ...] = yield _wake(low, call, everybody=True)
    return held


# --- what models/threads.c is written with ----------------------------------------------------------------------------


def _number(name: str) -> _Model:
    """The number of a thread."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        held = _primitive(low, name, result=low.numbers.type(call.type))
        assert held is not None
        return (held,)
        yield

    return model


def _join(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    ((thread,),) = yield low.expressions.all(call.arguments)
    _primitive(low, "corral_thread_join", (thread,))
    return ()


def _results(low: Lowering, thread: Type) -> Var:
    return low.context.globals.hidden(RESULT, Map((thread,), low.numbers.addresses.type))


def _keep_result(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    ((thread,), (result,)) = yield low.expressions.all(call.arguments)
    results = _results(low, thread.type)
    low.blocks.put(results, store(results, (thread,), result))
    return ()


def _result(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    thread: Expr = yield low.expressions.value(call.arguments[0])
    return (select(_results(low, thread.type), thread),)


def _exit_thread(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    _primitive(low, "corral_thread_exit")
    low.blocks.stop()
    return ()
    yield


MODELS: dict[str, _Model] = {
    **dict.fromkeys(("__VERIFIER_atomic_begin", "__CPROVER_atomic_begin"), _section(begin_section)),
    **dict.fromkeys(("__VERIFIER_atomic_end", "__CPROVER_atomic_end"), _section(end_section)),
    "pthread_mutex_lock": _mutex_lock,
    "pthread_mutex_trylock": _mutex_trylock,
    **dict.fromkeys(("pthread_mutex_init", "pthread_mutex_destroy", "pthread_mutex_unlock"), _unlocked),
    **dict.fromkeys(("pthread_cond_init", "pthread_cond_destroy"), _condition_init),
    "pthread_cond_wait": _condition_wait,
    "pthread_cond_signal": _signal,
    "pthread_cond_broadcast": _broadcast,
    "__paddock_this_thread": _number("corral_getThreadID"),
    "__paddock_child_thread": _number("corral_getChildThreadID"),
    "__paddock_join": _join,
    "__paddock_keep_result": _keep_result,
    "__paddock_result": _result,
    "__paddock_exit_thread": _exit_thread,
}
EFFECTS = {"__paddock_result": PointerEffect(returns=1)}
