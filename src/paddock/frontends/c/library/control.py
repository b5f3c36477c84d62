"""Models of functions that state what must hold, that end the program, that only talk to the world, or do nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.library.shapes import with_builtins
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.frontends.c.show import Note, Watch
from paddock.frontends.c.text import expression_text
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import FALSE
from paddock.ir.expr import Expr

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering

Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]

ERRORS = ("reach_error", "__VERIFIER_error", "__paddock_error")
ASSERTION_FAILURES = ("__assert_fail", "__assert", "__assert_func", "__assert_rtn", "__assert_perror_fail")
ASSERTIONS = (
    *("__VERIFIER_assert", "__CPROVER_assert", "__paddock_assert", "assert"),
    *("__CPROVER_precondition", "__CPROVER_postcondition"),
)
ASSUMPTIONS = ("__VERIFIER_assume", "__CPROVER_assume", "__paddock_assume", "__builtin_assume")
EXITS = ("exit", "_Exit", "_exit", "quick_exit")
ABORTS = ("abort", "__builtin_abort", "__builtin_trap", "__builtin_unreachable")
UNSUPPORTED = ("longjmp", "siglongjmp", "_longjmp", "fork", "vfork", "clone", "on_exit", "at_quick_exit")
# Functions that only talk to the world; their results are arbitrary, and nothing in memory changes.
HARMLESS = (
    *("printf", "puts", "putchar", "fprintf", "vprintf", "vfprintf", "fputs", "fputc", "putc", "perror", "fflush"),
    *("fclose", "fopen", "close", "srand", "srandom", "rand", "random", "clock", "getpid", "sleep", "usleep"),
    *("getchar", "fgetc", "getc", "feof", "ferror", "isatty", "setlocale"),
    *("__CPROVER_cover", "__CPROVER_input", "__CPROVER_output", "__CPROVER_printf", "__builtin_prefetch"),
    # Memory is sequentially consistent anyway.
    *("__CPROVER_fence", "__sync_synchronize", "__atomic_thread_fence", "__atomic_signal_fence"),
    *("__c11_atomic_thread_fence", "__c11_atomic_signal_fence"),
)
NO_ERRORS = ("srand", "srandom", "rand", "random", "getpid", "feof", "ferror")  # those of them that leave errno alone
_CHARACTER = (-1, 255)
_RANDOM = (0, (1 << 31) - 1)
# Those of them that read something, with the least and the greatest result if C says what these are.
INPUTS: dict[str, tuple[int, int] | None] = {
    **dict.fromkeys(("rand", "random"), _RANDOM),
    **dict.fromkeys(("getchar", "fgetc", "getc"), _CHARACTER),
    **dict.fromkeys(("clock", "getpid")),
}
# Functions that state what must hold, and what a call of them with a condition, or without, means.
SPECIFICATIONS = {
    **dict.fromkeys(ERRORS, "error"),
    **dict.fromkeys(ASSERTIONS, "assert"),
    **dict.fromkeys(ASSUMPTIONS, "assume"),
}


def _error(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    yield low.expressions.all(call.arguments)
    low.checks.fail(("unreach", "assert"), f"{expression_text(call)} is called", call.origin)
    return low.variables.arbitrary_values(call.type)


def _assertion_failure(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    low.checks.fail(("assert",), _written(call) or expression_text(call), call.origin, guarded=True)
    return low.variables.arbitrary_values(call.type)
    yield


def _assertion(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    condition: Expr = yield low.expressions.value(call.arguments[0])
    holds = low.numbers.truth(condition, call.arguments[0].type)
    low.checks.check("assert", holds, expression_text(call.arguments[0]), call.origin)
    if "assert" not in low.context.settings.checks:
        low.blocks.assume(holds)
    return ()


def _unknown_to_model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """A model does not know what happens next, which fails whatever is checked: nothing may be proved by not looking at
    the rest."""
    low.checks.insist("unsupported", FALSE, _written(call), call.origin)
    return ()
    yield


def _assumption(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    condition: Expr = yield low.expressions.value(call.arguments[0])
    low.blocks.assume(low.numbers.truth(condition, call.arguments[0].type))
    return ()


def _exit(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    yield low.expressions.all(call.arguments)
    low.objects.check_leaks(call.origin)
    low.blocks.stop()
    return low.variables.arbitrary_values(call.type)


def _abort(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    yield low.expressions.all(call.arguments)
    low.blocks.stop()
    return low.variables.arbitrary_values(call.type)


def _unsupported(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """Refused whatever the user says: nothing that can be written here does at least what the call does."""
    hint = "--tune unsupported=havoc does not help: it may go on anywhere, together with the rest, or later"
    raise low.context.messages.refuse(f"a call of {expression_text(call.function)} is not supported", call.origin, hint)
    yield


def _harmless(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    for argument in call.arguments:
        yield low.expressions.effects(argument)
    name = expression_text(call.function)
    if name not in NO_ERRORS:
        low.errno.may_set()
    held = low.variables.arbitrary_values(call.type)
    if name in INPUTS:
        given = Watch(f"{name}()", held[0], call.type)
        low.blocks.note_last(low.context.presentation.add(Note("input", name, (given,))))
        for op, limit in zip((B.GREATER_EQUAL, B.LESS_EQUAL), INPUTS[name] or (), strict=False):
            low.blocks.assume(low.numbers.compare(op, held[0], low.numbers.literal(limit, call.type), call.type))
    return held


def _first(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """The result is the first argument."""
    arguments: list[tuple[Expr, ...]] = yield low.expressions.all(call.arguments)
    return arguments[0]


def _zero(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """The result is 0, and the arguments are not evaluated."""
    return (low.numbers.zero(call.type),)
    yield


def _start_list(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    yield low.variadic.start_list(call.arguments[0])
    return ()


def _copy_list(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    yield low.variadic.copy_list(*call.arguments)
    return ()


def _nothing(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    return ()
    yield


def _written(call: t.Call) -> str:
    """The text of the assertion that has failed, if the call has it as a string."""
    for argument in call.arguments:
        match argument:
            case t.Conversion(operand=t.StringLiteral(units=units, type=c.ArrayType(c.IntType(width=8)))):
                return bytes(units[:-1]).decode("utf-8", "replace")
    return ""


MODELS: dict[str, Model] = {
    "__builtin_va_start": _start_list,
    "__builtin_va_copy": _copy_list,
    "__builtin_va_end": _nothing,
    **dict.fromkeys(ERRORS, _error),
    **dict.fromkeys(ASSERTION_FAILURES, _assertion_failure),
    **dict.fromkeys(ASSERTIONS, _assertion),
    **dict.fromkeys(ASSUMPTIONS, _assumption),
    "__paddock_unsupported": _unknown_to_model,
    **dict.fromkeys(EXITS, _exit),
    **dict.fromkeys(ABORTS, _abort),
    **dict.fromkeys(UNSUPPORTED, _unsupported),
    **dict.fromkeys(HARMLESS, _harmless),
    "__builtin_expect": _first,
    "__builtin_expect_with_probability": _first,
    "__builtin_assume_aligned": _first,
    "__builtin_launder": _first,
    "__builtin_constant_p": _zero,
}
EFFECTS: dict[str, PointerEffect] = {
    "__builtin_assume_aligned": PointerEffect(returns=0),
    "__builtin_launder": PointerEffect(returns=0),
}
SHAPES = {
    **with_builtins("rand random getchar clock getpid", "i"),
    **with_builtins("fgetc getc", "ip"),
    **with_builtins("exit _Exit _exit quick_exit", "?i"),
}
