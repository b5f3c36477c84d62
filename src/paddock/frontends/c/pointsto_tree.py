"""What the points-to analysis asks of the tree: which variable a place is part of, what a call may reach, …"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.symbols import is_errno, is_model
from paddock.frontends.c.walk import nodes_in

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


def compared_pointers(node: t.Binary) -> tuple[t.Expression, t.Expression] | None:
    """The pointers that a comparison compares, as such or as numbers; None if there are not two that may be any."""
    if node.operator not in t.COMPARISONS:
        return None
    left, right = (_pointer_of(unconverted(side)) for side in (node.left, node.right))
    return (left, right) if left is not None and right is not None else None


def _pointer_of(side: t.Expression) -> t.Expression | None:
    if isinstance(side, t.Conversion) and side.kind is Kind.POINTER_TO_INT:
        side = side.operand
    if not isinstance(side.type, c.PointerType):
        return None
    match before_pointer_conversions(side):
        case t.Conversion(kind=Kind.NULL):
            return None
        case t.Conversion(kind=Kind.INT_TO_POINTER, operand=number):
            return None if isinstance(unconverted(number), t.IntegerConstant) else side
        case _:
            return side


def is_known_outside(variable: t.Variable) -> bool:
    """Whether other files may know a global by its name."""
    is_global = variable.storage is t.Storage.GLOBAL and not variable.is_internal
    return is_global and not is_model(variable.origin) and not is_errno(variable)


def addresses_taken(root: t.Expression | t.Statement) -> Iterator[t.Variable]:
    """The variables whose addresses are taken somewhere."""
    for node in nodes_in(root):
        match node:
            case t.AddressOf(place=place) | t.Conversion(kind=Kind.DECAY, operand=place):
                variable = variable_of(place)
                if variable is not None:
                    yield variable


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


def has_arguments(function: t.Function) -> bool:
    """Whether a function is `main(int argc, char **argv, …)`."""
    match [parameter.type for parameter in function.parameters]:
        case [c.IntType() as count, c.PointerType(c.PointerType()), *_]:
            return function.name == "main" and count is c.INT
        case _:
            return False
