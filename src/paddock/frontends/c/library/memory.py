"""Models of the functions that allocate, free, copy and fill memory.

Allocation fails only if the user says that it may (`--malloc-may-fail`); else executions on which there is no
memory left are not looked at. What is allocated has arbitrary content, because addresses are used only once and nothing
has been written there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import number
from paddock.frontends.c.arithmetic.terms import choice, negation
from paddock.frontends.c.library.shapes import with_builtins
from paddock.frontends.c.lowering.errno import ENOMEM
from paddock.frontends.c.lowering.places import MemoryPlace
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.memory import Cell
from paddock.frontends.c.memory_ranges import copied, filled, repeated_byte, zero_entry
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.frontends.c.show import Note, Watch
from paddock.frontends.c.text import expression_text
from paddock.ir.build import select
from paddock.ir.expr import Expr, Lit, Var

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering

_MOST_PIECES = 16  # steps in which a stretch is filled or copied in a program with threads

_Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]


def _size_argument(low: Lowering, call: t.Call, n: int, value: Expr) -> Expr:
    return low.numbers.convert(value, call.arguments[n].type, low.numbers.address_type)


def _allocated(low: Lowering, call: t.Call, size: Expr, *, heap: bool) -> Var:
    address = low.blocks.locals.temporary(low.numbers.addresses.type, "allocated")
    record = low.pointsto.target(call).record
    low.objects.allocate(address, size, heap=heap, shown=c.VOID if record is None else c.ArrayType(record, None))
    return address


def _malloc(low: Lowering, call: t.Call, values: Sequence[Expr]) -> Expr:
    return _allocated(low, call, _size_argument(low, call, 0, values[0]), heap=True)


def _aligned(low: Lowering, call: t.Call, values: Sequence[Expr]) -> Expr:
    low.objects.align(_size_argument(low, call, 0, values[0]))
    return _allocated(low, call, _size_argument(low, call, 1, values[1]), heap=True)


def _calloc(low: Lowering, call: t.Call, values: Sequence[Expr]) -> Expr:
    count, each = (_size_argument(low, call, n, values[n]) for n in (0, 1))
    size = low.numbers.addresses.times(count, each)
    if not isinstance(size, Lit):
        low.blocks.assume(low.numbers.addresses.product_fits(count, each))
    address = _allocated(low, call, size, heap=True)
    _fill(low, call, address, size, None)
    return address


def _realloc(low: Lowering, call: t.Call, values: Sequence[Expr]) -> Expr:
    """A new object with the content of the old one, as far as both reach."""
    old, size = values[0], _size_argument(low, call, 1, values[1])
    low.objects.free(old, expression_text(call), call.origin)
    before = select(low.objects.size, old)
    address = _allocated(low, call, size, heap=True)
    kept = choice(low.numbers.addresses.less(before, size), before, size)
    for cell in low.memory.cells_below(low.pointsto.target(call)):
        low.blocks.assign(cell.map, copied(cell.map, address, old, kept, low.numbers))
    return address


def _allocation(make: Callable[[Lowering, t.Call, Sequence[Expr]], Expr]) -> _Model:
    """A call that allocates on the heap; where allocations may fail, it may also do nothing and return null."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        arguments: list[tuple[Expr, ...]] = yield low.expressions.all_lasting(call.arguments)
        values = [held[0] for held in arguments]
        if not low.context.settings.malloc_may_fail:
            return (make(low, call, values),)
        blocks, shown = low.blocks, low.context.presentation
        name = expression_text(call.function).removeprefix("__builtin_")
        (fails,) = low.variables.arbitrary_values(c.BOOL)
        blocks.note_last(shown.add(Note("allocation", name, (Watch(name, fails, call.function.type),))))
        result = blocks.locals.temporary(low.numbers.addresses.type, "allocated")
        succeeded, failed, join = (blocks.label(word) for word in ("allocated", "failed", "returned"))
        blocks.goto(succeeded, failed)
        blocks.enter(succeeded, negation(fails))
        blocks.assign(result, make(low, call, values))
        blocks.goto(join)
        blocks.enter(failed, fails)
        low.errno.set(ENOMEM)
        blocks.assign(result, low.numbers.address(0), shown.add(Note(watches=(Watch(f"{name}()", "NULL"),))))
        blocks.open(join)
        return (result,)

    return model


def _alloca(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    ((size,),) = yield low.expressions.all(call.arguments[:1])
    return (_allocated(low, call, _size_argument(low, call, 0, size), heap=False),)


def _free(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    (pointer,), *_ = yield low.expressions.all(call.arguments)
    low.objects.free(pointer, expression_text(call), call.origin)
    return ()


def _fill(low: Lowering, pointer: t.Expression, start: Expr, size: Expr, byte: Expr | None) -> None:
    """Give all bytes of a stretch one value, or zero."""
    for cell in low.memory.cells_below(low.pointsto.target(pointer)):
        entry = zero_entry(cell, low.numbers) if byte is None else repeated_byte(byte, cell, low.numbers)
        for offset, length in _pieces(low, cell, size):
            low.blocks.assign(cell.map, filled(cell.map, _moved(low, start, offset), length, entry, low.numbers))


def _pieces(low: Lowering, cell: Cell, size: Expr) -> list[tuple[int, Expr]]:
    """The stretches that are filled or copied in a step each: one, but where other threads may come in between,
    elements, or as many of them as make few steps."""
    known = number(size)
    if not low.context.has_threads or known is None:
        return [(0, size)]
    step = max(cell.size, -(-known // _MOST_PIECES // cell.size) * cell.size)
    return [(offset, low.numbers.address(min(step, known - offset))) for offset in range(0, known, step)]


def _moved(low: Lowering, address: Expr, offset: int) -> Expr:
    return low.numbers.addresses.moved(address, offset) if offset else address


def _memset(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    (start,), (value,), (size,) = yield low.expressions.all_lasting(call.arguments)
    size, text = _size_argument(low, call, 2, size), expression_text(call)
    low.objects.check_pointer(start, size, text, call.origin)
    byte: Expr | None = low.numbers.bits(
        low.numbers.convert(value, call.arguments[1].type, c.UNSIGNED_CHAR), c.UNSIGNED_CHAR
    )
    if isinstance(byte, Lit) and byte.value == 0:
        whole = _whole_object(low, call.arguments[0], start, size)
        if whole is not None:
            low.contents.make_zero(whole)
            return (start,)
        byte = None
    _fill(low, call.arguments[0], start, size, byte)
    return (start,)


def _memcpy(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    (to,), (source,), (size,) = yield low.expressions.all_lasting(call.arguments)
    size, text = _size_argument(low, call, 2, size), expression_text(call)
    low.objects.check_pointer(to, size, text, call.origin)
    low.objects.check_pointer(source, size, text, call.origin)
    into = _whole_object(low, call.arguments[0], to, size)
    from_ = _whole_object(low, call.arguments[1], source, size)
    if into is not None and from_ is not None and into.type is from_.type and low.contents.is_copied_by_leaves(into):
        low.access.store_all(into, low.access.load_all(from_))
        return (to,)
    for cell in low.memory.cells_below(low.pointsto.target(call.arguments[0])):
        pieces = _pieces(low, cell, size) if _is_memcpy(call) else [(0, size)]
        for offset, length in pieces:
            into_piece, from_piece = (_moved(low, address, offset) for address in (to, source))
            low.blocks.assign(cell.map, copied(cell.map, into_piece, from_piece, length, low.numbers))
    return (to,)


def _is_memcpy(call: t.Call) -> bool:
    """Whether a call is of the function whose stretches do not overlap."""
    return isinstance(call.function, t.FunctionUse) and "memcpy" in call.function.name


def _whole_object(low: Lowering, pointer: t.Expression, address: Expr, size: Expr) -> MemoryPlace | None:
    """What a pointer points to, by its type before it became `void *`, if the size is that of it and known."""
    while isinstance(pointer, t.Conversion) and pointer.kind is t.ConversionKind.POINTER:
        pointer = pointer.operand
    if not isinstance(pointer.type, c.PointerType) or not isinstance(pointer.type.target, c.RecordType):
        return None
    if (
        low.context.layout.definition(pointer.type.target) is None
        or low.places.size_of(pointer.type.target) is not size
    ):
        return None
    return MemoryPlace(address, low.pointsto.target(pointer), pointer.type.target)


_ALLOCATIONS: dict[str, _Model] = {
    **dict.fromkeys(("malloc", "valloc", "pvalloc", "kmalloc", "__builtin_malloc"), _allocation(_malloc)),
    **dict.fromkeys(("aligned_alloc", "memalign", "__builtin_aligned_alloc"), _allocation(_aligned)),
    **dict.fromkeys(("calloc", "__builtin_calloc"), _allocation(_calloc)),
    **dict.fromkeys(("alloca", "__builtin_alloca", "__builtin_alloca_with_align"), _alloca),
}
REALLOCATIONS = ("realloc", "__builtin_realloc")
MODELS: dict[str, _Model] = {
    **_ALLOCATIONS,
    **dict.fromkeys(REALLOCATIONS, _allocation(_realloc)),
    **dict.fromkeys(("free", "cfree", "kfree", "__builtin_free"), _free),
    **dict.fromkeys(("memset", "__builtin_memset"), _memset),
    **dict.fromkeys(("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"), _memcpy),
}

EFFECTS: dict[str, PointerEffect] = dict.fromkeys(_ALLOCATIONS, PointerEffect(allocates=True))
EFFECTS |= dict.fromkeys(REALLOCATIONS, PointerEffect(returns=0, allocates=True))
EFFECTS |= dict.fromkeys(("memset", "__builtin_memset"), PointerEffect(returns=0, length=2, fills=0))
EFFECTS |= dict.fromkeys(
    ("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"),
    PointerEffect(returns=0, copies=(0, 1), length=2, fills=0),
)
SHAPES = {
    **with_builtins("malloc valloc pvalloc alloca", "pi"),
    **with_builtins("kmalloc alloca_with_align", "pi*"),
    **with_builtins("aligned_alloc memalign calloc", "pii"),
    **with_builtins("realloc", "ppi"),
    **with_builtins("free cfree", "?p"),
    **with_builtins("kfree", "?p*"),
    **with_builtins("memset", "ppii"),
    **with_builtins("memcpy memmove", "pppi"),
}
