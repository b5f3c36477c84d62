"""What the points-to analysis asks of the tree: which variable a place is part of, what a call may reach, …"""

from __future__ import annotations

from paddock.c import tree as t
from paddock.c import types as c

B = t.BinaryOperator
Kind = t.ConversionKind


def list_member(type_: c.CType, layout: c.Layout) -> tuple[c.RecordType, c.Field] | None:
    """Where a `va_list` that is a struct keeps the address of the next argument."""
    definition = layout.definition(type_) if isinstance(type_, c.RecordType) else None
    if definition is None:
        return None
    return definition.type, definition.field("overflow_arg_area")


def may_point(type_: c.CType) -> bool:
    return isinstance(type_, c.PointerType | c.RecordType)


def unconverted(node: t.Expression) -> t.Expression:
    """An expression without the conversions around it that keep a whole pointer whole."""
    while isinstance(node, t.Conversion) and node.kind in (Kind.INTEGRAL, Kind.SAME):
        node = node.operand
    return node


def variable_of(place: t.Expression) -> t.Variable | None:
    """The variable that a place is part of, if it is."""
    root = root_of(place)
    return root.variable if isinstance(root, t.VariableUse | t.CompoundLiteral) else None


def before_pointer_conversions(pointer: t.Expression) -> t.Expression:
    """A pointer as it was before it became one to another type, `void *` most of the time."""
    while isinstance(pointer, t.Conversion) and pointer.kind is Kind.POINTER:
        pointer = pointer.operand
    return pointer


def divisor_of(length: t.Expression) -> int:
    """A number of which an expression is always a multiple."""
    match unconverted(length):
        case t.IntegerConstant(value=value):
            return abs(value)
        case t.Binary(operator=B.MULTIPLY, left=left, right=right):
            factors = [f for f in (unconverted(left), unconverted(right)) if isinstance(f, t.IntegerConstant)]
            return abs(factors[0].value) if factors else 1
        case _:
            return 1


def root_of(place: t.Expression) -> t.Expression:
    """The whole object, or value, that a place is part of."""
    while True:
        match place:
            case t.Member(record=inner):
                place = inner
            case t.Index(pointer=t.Conversion(kind=Kind.DECAY, operand=inner)):
                place = inner
            case t.Dereference(pointer=t.Conversion(kind=Kind.DECAY, operand=inner)):
                place = inner
            case _:
                return place


def bit_field_of(place: t.Expression) -> c.Field | None:
    """The bit-field that a place is, if it is one."""
    if isinstance(place, t.Member) and place.field.bit_width is not None:
        return place.field
    return None
