"""Models of CBMC's functions about objects: which one a pointer points into and where, whether it may be used, and
objects whose content becomes arbitrary.

Where a program calls one of these, objects are distinguished and their sizes and lives are known, as for the checks of
pointers: the object of a pointer is the pointer without its last bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import choice, conjunction, equal, negation
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.memory_ranges import changed, filled, zero_entry
from paddock.frontends.c.pointsto_effects import PointerEffect
from paddock.frontends.c.text import expression_text
from paddock.ir.build import select
from paddock.ir.expr import Expr
from paddock.ir.stmt import Havoc

if TYPE_CHECKING:
    from paddock.frontends.c.lowering.assembly import Lowering

_Model = Callable[["Lowering", t.Call], Steps[tuple[Expr, ...]]]


def _pointers(low: Lowering, call: t.Call, count: int) -> None:
    """Refuse a call unless its first arguments are pointers to objects: functions are no objects here."""
    name = expression_text(call.function)
    for argument in call.arguments[:count]:
        target = _target(argument)
        if target is None:
            raise low.context.messages.refuse(f"{name} of what is no pointer is not supported", call.origin)
        if isinstance(target, c.FunctionType):
            raise low.context.messages.refuse(f"{name} of a pointer to a function is not supported", call.origin)


def _target(pointer: t.Expression) -> c.CType | None:
    """What a pointer points to by the type that it had before it became a parameter's."""
    while isinstance(pointer, t.Conversion) and pointer.kind is t.ConversionKind.POINTER and not pointer.written:
        pointer = pointer.operand
    return pointer.type.target if isinstance(pointer.type, c.PointerType) else None


def _start(low: Lowering, pointer: Expr) -> Expr:
    """The address of the object that a pointer points into."""
    return low.objects.start(pointer)


def _offset(low: Lowering, pointer: Expr) -> Expr:
    return low.numbers.addresses.minus(pointer, _start(low, pointer))


def _about(answer: Callable[[Lowering, Expr], tuple[Expr, c.CType]]) -> _Model:
    """A question about one pointer; the answer comes with its type."""

    def model(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
        _pointers(low, call, 1)
        arguments: list[tuple[Expr, ...]] = yield low.expressions.all(call.arguments)
        value, type_ = answer(low, arguments[0][0])
        return (low.numbers.convert(value, type_, call.type),)

    return model


def _number(low: Lowering, pointer: Expr) -> tuple[Expr, c.CType]:
    """The number of the object; that of null is 0."""
    type_ = low.numbers.address_type
    spacing = low.numbers.address(low.context.space.spacing)
    return low.numbers.addresses.divided(_start(low, pointer), spacing), type_


def _size(low: Lowering, pointer: Expr) -> tuple[Expr, c.CType]:
    """The size of the object; null has none, so it is arbitrary."""
    type_, start = low.numbers.address_type, _start(low, pointer)
    (any_,) = low.variables.arbitrary_values(type_)
    return choice(equal(start, low.numbers.address(0)), any_, select(low.objects.size, start)), type_


def _same_object(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    _pointers(low, call, 2)
    (a,), (b,), *_ = yield low.expressions.all(call.arguments)
    return (low.numbers.of_truth(equal(_start(low, a), _start(low, b)), call.type),)


def _usable(low: Lowering, pointer: Expr, size: Expr) -> Expr:
    """Whether a pointer points to so many bytes of an object that lives."""
    start, offset = _start(low, pointer), _offset(low, pointer)
    inside = low.objects.has_room(select(low.objects.size, start), offset, size)
    lives = conjunction(negation(equal(start, low.numbers.address(0))), select(low.objects.live, start))
    return conjunction(lives, inside)


def _may_use(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """Without a size, it is that of what the pointer points to."""
    _pointers(low, call, 1)
    arguments: list[tuple[Expr, ...]] = yield low.expressions.all(call.arguments)
    if len(arguments) > 1:
        size = low.numbers.convert(arguments[1][0], call.arguments[1].type, low.numbers.address_type)
    else:
        target = _target(call.arguments[0])
        if target is None or isinstance(target, c.VoidType):
            raise low.context.messages.refuse(
                f"{expression_text(call.function)} of a void pointer needs a size", call.origin
            )
        size = low.places.size_of(target)
    return (low.numbers.of_truth(_usable(low, arguments[0][0], size), call.type),)


def _make_arbitrary(low: Lowering, pointer: t.Expression, start: Expr, size: Expr) -> None:
    """A stretch of memory has any content."""
    for cell in low.memory.cells_below(low.pointsto.target(pointer)):
        fresh = low.blocks.locals.temporary(cell.map.type, "any")
        low.blocks.emit(Havoc((fresh,), origin=low.blocks.origin))
        entries = changed(cell.map, start, size, lambda address, map_=fresh: select(map_, address), low.numbers)  # type: ignore[misc]
        low.blocks.assign(cell.map, entries)


def _havoc_object(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    _pointers(low, call, 1)
    (pointer,), *_ = yield low.expressions.all_lasting(call.arguments)
    start = _start(low, pointer)
    low.objects.check_pointer(pointer, low.numbers.address(0), expression_text(call.arguments[0]), call.origin)
    _make_arbitrary(low, call.arguments[0], start, select(low.objects.size, start))
    return ()


def _havoc_slice(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """The bytes must be there: an assertion, as in CBMC."""
    _pointers(low, call, 1)
    (pointer,), (size,), *_ = yield low.expressions.all_lasting(call.arguments)
    size = low.numbers.convert(size, call.arguments[1].type, low.numbers.address_type)
    text = " and ".join(map(expression_text, call.arguments[:2]))
    usable = _usable(low, pointer, size)
    low.checks.check(
        "assert", usable, f"{expression_text(call.function)} of {text} stays inside of an object", call.origin
    )
    low.blocks.assume(usable)
    _make_arbitrary(low, call.arguments[0], pointer, size)
    return ()


def _any_bytes(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """What models of the library write that read from somewhere: an access like any other."""
    (pointer,), (size,) = yield low.expressions.all_lasting(call.arguments)
    size = low.numbers.convert(size, call.arguments[1].type, low.numbers.address_type)
    low.objects.check_pointer(pointer, size, expression_text(call.arguments[0]), call.origin)
    _make_arbitrary(low, call.arguments[0], pointer, size)
    return ()


def _allocate(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    """`malloc`, or `calloc` if the second argument says so."""
    arguments: list[tuple[Expr, ...]] = yield low.expressions.all_lasting(call.arguments)
    size = low.numbers.convert(arguments[0][0], call.arguments[0].type, low.numbers.address_type)
    zero = low.numbers.truth(arguments[1][0], call.arguments[1].type)
    address = low.blocks.locals.temporary(low.numbers.addresses.type, "allocated")
    record = low.pointsto.target(call).record
    low.objects.allocate(address, size, heap=True, shown=c.VOID if record is None else c.ArrayType(record, None))
    for cell in low.memory.cells_below(low.pointsto.target(call)):
        cleared = filled(cell.map, address, size, zero_entry(cell, low.numbers), low.numbers)
        low.blocks.assign(cell.map, choice(zero, cleared, cell.map))
    return (address,)


def _deallocate(low: Lowering, call: t.Call) -> Steps[tuple[Expr, ...]]:
    _pointers(low, call, 1)
    (pointer,), *_ = yield low.expressions.all_lasting(call.arguments)
    low.objects.free(pointer, expression_text(call), call.origin)
    return ()


_ABOUT_OBJECTS: dict[str, _Model] = {
    "__CPROVER_POINTER_OBJECT": _about(_number),
    "__CPROVER_POINTER_OFFSET": _about(lambda low, p: (_offset(low, p), low.numbers.address_type)),
    "__CPROVER_OBJECT_SIZE": _about(_size),
    "__CPROVER_DYNAMIC_OBJECT": _about(lambda low, p: (select(low.objects.heap, _start(low, p)), c.BOOL)),
    "__CPROVER_LIVE_OBJECT": _about(lambda low, p: (select(low.objects.live, _start(low, p)), c.BOOL)),
    "__CPROVER_same_object": _same_object,
    **dict.fromkeys(("__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok"), _may_use),
    "__CPROVER_havoc_object": _havoc_object,
    **dict.fromkeys(("__CPROVER_havoc_slice", "__VERIFIER_nondet_memory"), _havoc_slice),
}
NEED_OBJECTS = frozenset(_ABOUT_OBJECTS)  # a program that calls one of these needs to know where objects end
MODELS: dict[str, _Model] = {
    **_ABOUT_OBJECTS,
    "__paddock_any_bytes": _any_bytes,
    "__CPROVER_allocate": _allocate,
    "__CPROVER_deallocate": _deallocate,
}
EFFECTS: dict[str, PointerEffect] = {
    # The last argument is a constant: how far what is written may reach.
    "__CPROVER_havoc_object": PointerEffect(length=1, fills=0, arbitrary=True),
    **dict.fromkeys(
        ("__CPROVER_havoc_slice", "__VERIFIER_nondet_memory"), PointerEffect(length=2, fills=0, arbitrary=True)
    ),
    "__paddock_any_bytes": PointerEffect(length=1, fills=0, arbitrary=True),
    "__CPROVER_allocate": PointerEffect(allocates=True),
}
