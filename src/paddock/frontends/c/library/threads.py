"""What `models/threads.c` and `models/locks.c` are written with, and atomic sections.

Mutexes and the like are their addresses: hidden maps say what is known of them. A thread that waits is blocked (an
assumption); spurious wake-ups are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import negation
from paddock.frontends.c.known_names import STEP_BEGIN, STEP_END
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.ir.build import TRUE, arith, compare, eq, int_lit, ne, select, store
from paddock.ir.expr import Attribute, Expr, Op, Var
from paddock.ir.origin import Origin
from paddock.ir.program import Procedure, VarDecl, local_var
from paddock.ir.stmt import Assume, Call
from paddock.ir.types import BOOL, INT, Map, Type

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering
    from paddock.frontends.c.lowering.context import ProgramContext

_Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]

STARTS = ("__paddock_thread", "__paddock_thread_int")  # the functions that are called asynchronously
ATOMIC = "__VERIFIER_atomic_"  # what functions are called that are one step
BEGIN, END = "paddock_section_begin", "paddock_section_end"
RESULT, SPECIFIC = "thread#result", "thread#specific"
# What is known of mutexes and the like.
KNOWN = {
    name: f"lock#{name}"
    for name in (
        *("owner", "depth", "kind", "readers", "waiting", "woken", "value", "needed", "arrived", "generation", "once"),
    )
}
BLOCKING = "blocking"  # of an assumption: a thread waits until it holds
# With the check for deadlocks: how many threads there are, how many have said that they are blocked, which have ended.
LIVE, STUCK, DONE = "threads#live", "threads#stuck", "threads#done"
FAMILIES = ("pthread_", "sem_", "thrd_", "mtx_", "cnd_", "tss_")  # of functions that mean something with threads only


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


# --- deadlocks --------------------------------------------------------------------------------------------------------


def _looks_for_deadlocks(low: Lowering) -> bool:
    return low.context.has_threads and "deadlock" in low.context.settings.checks


def _counter(low: Lowering, name: str) -> Var:
    return low.context.globals.hidden(name, INT)


def _wait(low: Lowering, holds: Expr) -> None:
    """Block, inside of a step, until a condition holds. In a deadlock, all threads come to this one after the other:
    each says that it is blocked, and stays there. Once one has, none may do what could unblock it (see `_unblocks`)."""
    blocks = low.blocks
    if not _looks_for_deadlocks(low):
        blocks.emit(Assume(holds, (Attribute(BLOCKING),), blocks.origin))
        return
    stuck, live = _counter(low, STUCK), _counter(low, LIVE)
    goes_on, blocked = blocks.label("goes_on"), blocks.label("blocked")
    blocks.fork(holds, goes_on, blocked)
    blocks.enter(blocked, negation(holds))
    blocks.put(stuck, arith(Op.ADD, stuck, int_lit(1)))
    low.checks.check("deadlock", ne(stuck, live), "all threads are blocked", blocks.origin)
    end_section(low)
    blocks.assume(compare(Op.LT, stuck, int_lit(0)))
    blocks.stop()
    blocks.enter(goes_on, holds)


def _unblocks(low: Lowering) -> None:
    """What follows may unblock threads: none has said that it is blocked."""
    if _looks_for_deadlocks(low):
        low.blocks.assume(eq(_counter(low, STUCK), int_lit(0)))


def _count_thread(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """A thread is about to be started."""
    if _looks_for_deadlocks(low):
        live = _counter(low, LIVE)
        low.blocks.put(live, arith(Op.ADD, live, int_lit(1)))
    return ()
    yield


def _end_thread(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """A thread ends, and with it the objects that are its own."""
    ((thread,),) = yield low.expressions.all(call.arguments)
    for address in low.context.globals.addresses.values():
        low.objects.end(address)
    if _looks_for_deadlocks(low):
        live, done = _counter(low, LIVE), _done(low, thread.type)
        begin_section(low)
        _unblocks(low)
        low.blocks.put(live, arith(Op.SUB, live, int_lit(1)))
        low.blocks.put(done, store(done, (thread,), TRUE))
        end_section(low)
    return ()


def _done(low: Lowering, thread: Type) -> Var:
    return low.context.globals.hidden(DONE, Map((thread,), BOOL))


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
    ((thread,),) = yield low.expressions.all_lasting(call.arguments)
    if _looks_for_deadlocks(low):
        begin_section(low)
        _wait(low, select(_done(low, thread.type), thread))
        end_section(low)
    _primitive(low, "corral_thread_join", (thread,))
    return ()


def _keep(name: str) -> _Model:
    """Keep a pointer, by a number."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        ((number,), (pointer,)) = yield low.expressions.all(call.arguments)
        kept = _kept(low, name, number.type)
        low.blocks.put(kept, store(kept, (number,), pointer))
        return ()

    return model


def _given(name: str) -> _Model:
    """The pointer that was kept."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        number: Expr = yield low.expressions.value(call.arguments[0])
        return (select(_kept(low, name, number.type), number),)

    return model


def _kept(low: Lowering, name: str, number: Type) -> Var:
    return low.context.globals.hidden(name, Map((number,), low.numbers.addresses.type))


def _start_thread(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """A new thread has objects of its own, with their first values."""
    for declared in low.context.of_threads:
        variable = declared.variable
        if (address := low.context.globals.addresses.get(variable)) is not None:
            size = low.places.size_of(variable.type)
            low.objects.allocate(address, size, heap=False, name=variable.name, shown=variable.type)
        place = low.places.variable(variable)
        if declared.initialiser is not None:
            yield low.initialisers.initialise(place, declared.initialiser, is_zero=False)
        else:
            low.contents.make_zero(place)
    return ()


def _exit_thread(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    _primitive(low, "corral_thread_exit")
    low.blocks.stop()
    return ()
    yield


# --- what models/locks.c is written with ------------------------------------------------------------------------------


def _about(low: Lowering, name: str) -> Var:
    return low.context.globals.hidden(name, Map((low.numbers.addresses.type,), low.numbers.type(c.INT)))


def _get(name: str) -> _Model:
    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        ((at,),) = yield low.expressions.all(call.arguments)
        held = low.blocks.locals.temporary(low.numbers.type(c.INT), "known")
        low.blocks.put(held, select(_about(low, name), at))
        return (held,)

    return model


def _set(name: str) -> _Model:
    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        ((at,), (value,)) = yield low.expressions.all_lasting(call.arguments)
        about = _about(low, name)
        _unblocks(low)
        low.blocks.put(about, store(about, (at,), value))
        return ()

    return model


def _wait_until(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    condition: Expr = yield low.expressions.value(call.arguments[0])
    _wait(low, low.numbers.truth(condition, call.arguments[0].type))
    return ()


def _set_errno(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    number: Expr = yield low.expressions.value(call.arguments[0])
    if low.errno.variable is not None:
        low.errno.write(number)
    return ()


MODELS: dict[str, _Model] = {
    **dict.fromkeys(("__VERIFIER_atomic_begin", "__CPROVER_atomic_begin", STEP_BEGIN), _section(begin_section)),
    **dict.fromkeys(("__VERIFIER_atomic_end", "__CPROVER_atomic_end", STEP_END), _section(end_section)),
    "__paddock_this_thread": _number("corral_getThreadID"),
    "__paddock_child_thread": _number("corral_getChildThreadID"),
    "__paddock_join": _join,
    "__paddock_keep_result": _keep(RESULT),
    "__paddock_result": _given(RESULT),
    "__paddock_keep_specific": _keep(SPECIFIC),
    "__paddock_specific": _given(SPECIFIC),
    "__paddock_start_thread": _start_thread,
    "__paddock_exit_thread": _exit_thread,
    "__paddock_count_thread": _count_thread,
    "__paddock_end_thread": _end_thread,
    **{f"__paddock_get_{known}": _get(name) for known, name in KNOWN.items()},
    **{f"__paddock_set_{known}": _set(name) for known, name in KNOWN.items()},
    "__paddock_wait_until": _wait_until,
    "__paddock_set_errno": _set_errno,
}
EFFECTS = {"__paddock_result": PointerEffect(returns=1), "__paddock_specific": PointerEffect(returns=1)}
