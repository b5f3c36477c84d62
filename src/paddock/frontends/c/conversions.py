"""The implicit conversions of C (C11 6.3, 6.5), as nodes of the tree.

Reading a place, arrays that become pointers, integer promotions, the usual arithmetic conversions, assignment, and
conditions: each function takes an expression and returns one that has the type, and is the value, that C asks for.
"""

from __future__ import annotations

from paddock.frontends.c.tree import (
    COMPARISONS,
    Assignment,
    Binary,
    BinaryOperator,
    CompoundLiteral,
    Conversion,
    ConversionKind,
    Dereference,
    Expression,
    Index,
    IntegerConstant,
    Member,
    OldValue,
    PointerDifference,
    PointerOffset,
    StringLiteral,
    UnsupportedExpression,
    Update,
    VariableUse,
)
from paddock.frontends.c.types import (
    BOOL,
    DOUBLE,
    INT,
    INT_RANK,
    UNSIGNED_INT,
    VOID,
    ArithmeticType,
    ArrayType,
    BoolType,
    CType,
    DataModel,
    EnumType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    VariableArrayType,
    VoidType,
)
from paddock.ir.origin import Origin


def is_place(expression: Expression) -> bool:
    """Is it an object in memory (an lvalue), other than a function?"""
    current = expression
    while isinstance(current, Member):
        current = current.record
    match current:
        case VariableUse() | Index() | StringLiteral() | CompoundLiteral():
            return True
        case Dereference():
            return not isinstance(current.type, FunctionType)
        case _:
            return False


def value(expression: Expression) -> Expression:
    """What an expression is worth: the content of a place, a pointer for an array or a function (6.3.2.1)."""
    match expression.type:
        case ArrayType(element) | VariableArrayType(element):
            return Conversion(PointerType(element), expression.origin, ConversionKind.DECAY, expression)
        case FunctionType():
            if isinstance(expression, Dereference):
                return expression.pointer
            return Conversion(PointerType(expression.type), expression.origin, ConversionKind.FUNCTION, expression)
    if is_place(expression):
        return Conversion(expression.type, expression.origin, ConversionKind.LOAD, expression)
    return expression


def convert(expression: Expression, type: CType, *, written: bool = False, origin: Origin | None = None) -> Expression:
    """The value of an expression as one of another type: by assignment, or by a cast that the user has written."""
    place = origin or expression.origin
    if isinstance(type, VoidType):
        if isinstance(expression.type, VoidType) and not written:
            return expression
        return Conversion(type, place, ConversionKind.VOID, expression, written)
    operand = value(expression)
    if operand.type is type:
        return Conversion(type, place, ConversionKind.SAME, operand, written) if written else operand
    kind = conversion_kind(operand, type)
    if kind is None:
        return UnsupportedExpression(type, place, f"conversion from {operand.type} to {type}", (operand,))
    return Conversion(type, place, kind, operand, written)


def conversion_kind(operand: Expression, type: CType) -> ConversionKind | None:
    """What the conversion of a value to another type is; None if C has none."""
    match operand.type, type:
        case ((BoolType() | IntType() | EnumType() | FloatType() | PointerType()), BoolType()):
            return ConversionKind.BOOLEAN
        case ((BoolType() | IntType() | EnumType()), (IntType() | EnumType())):
            return ConversionKind.INTEGRAL
        case ((BoolType() | IntType() | EnumType()), FloatType()):
            return ConversionKind.INT_TO_FLOAT
        case FloatType(), (IntType() | EnumType()):
            return ConversionKind.FLOAT_TO_INT
        case FloatType(), FloatType():
            return ConversionKind.FLOATING
        case ((BoolType() | IntType() | EnumType() | PointerType()), PointerType()) if is_null_constant(operand):
            return ConversionKind.NULL
        case PointerType(), PointerType():
            return ConversionKind.POINTER
        case ((BoolType() | IntType() | EnumType()), PointerType()):
            return ConversionKind.INT_TO_POINTER
        case PointerType(), (IntType() | EnumType()):
            return ConversionKind.POINTER_TO_INT
    return None


def is_null_constant(expression: Expression) -> bool:
    """Is it a null pointer constant: a constant zero, perhaps cast (6.3.2.3)?"""
    current = expression
    while isinstance(current, Conversion):
        if current.kind not in (ConversionKind.INTEGRAL, ConversionKind.NULL, ConversionKind.SAME):
            return False
        current = current.operand
    return isinstance(current, IntegerConstant) and current.value == 0


def condition(expression: Expression) -> Expression:
    """The question whether a scalar is other than zero, as a `_Bool`."""
    return convert(expression, BOOL)


def bit_width(expression: Expression) -> int | None:
    """The width of the bit-field that a value comes from, if any."""
    current = expression
    while True:
        match current:
            case Conversion(kind=ConversionKind.LOAD, operand=operand):
                current = operand
            case Assignment(target=target) | Update(target=target):
                current = target
            case Member(field=field):
                return field.bit_width
            case _:
                return None


def promoted_type(type: CType, width: int | None = None) -> CType:
    """The type after integer promotion, of a bit-field of that width if given (6.3.1.1)."""
    match type:
        case EnumType(underlying=underlying):
            return promoted_type(underlying, width)
        case BoolType():
            return INT
        case IntType() if width is not None and width <= INT.width:
            return INT if width < INT.width or type.signed else UNSIGNED_INT
        case IntType(rank=rank) if rank < INT_RANK:
            return INT
        case _:
            return type


def promote(expression: Expression, width: int | None = None) -> Expression:
    """The value after integer promotion; `width` is that of the bit-field behind an `OldValue`."""
    operand = value(expression)
    return convert(operand, promoted_type(operand.type, width or bit_width(operand)))


def promoted_argument_type(type: CType) -> CType:
    """What an argument of a type is converted to where a prototype does not say (C11 6.5.2.2)."""
    return DOUBLE if isinstance(type, FloatType) and type.significand < DOUBLE.significand else promoted_type(type)


def promote_argument(expression: Expression) -> Expression:
    """The value as an argument without a parameter: promoted, and a float as a double (6.5.2.2)."""
    operand = promote(expression)
    return convert(operand, promoted_argument_type(operand.type))


def common_type(left: CType, right: CType, model: DataModel) -> CType:
    """The type in which two arithmetic values, promoted if both are integers, meet (6.3.1.8)."""
    match left, right:
        case FloatType(), FloatType():
            return left if left.significand >= right.significand else right
        case FloatType(), _:
            return left
        case _, FloatType():
            return right
        case IntType(), IntType():
            if left is right:
                return left
            if left.signed == right.signed:
                return left if left.rank >= right.rank else right
            unsigned, signed = (right, left) if left.signed else (left, right)
            if unsigned.rank >= signed.rank:
                return unsigned
            return signed if signed.width > unsigned.width else model.unsigned(signed)
    return left


def usual(
    left: Expression, right: Expression, model: DataModel, width: int | None = None
) -> tuple[Expression, Expression]:
    """Both operands after the usual arithmetic conversions; `width` is that of a bit-field behind the left one."""
    left, right = value(left), value(right)
    if not isinstance(left.type, FloatType) and not isinstance(right.type, FloatType):
        left, right = promote(left, width), promote(right)
    type_ = common_type(left.type, right.type, model)
    return convert(left, type_), convert(right, type_)


def binary(
    operator: BinaryOperator,
    left: Expression,
    right: Expression,
    origin: Origin,
    model: DataModel,
    width: int | None = None,
) -> Expression:
    """An operator with its operands converted, for numbers and for pointers."""
    left, right = value(left), value(right)
    pointers = isinstance(left.type, PointerType), isinstance(right.type, PointerType)
    result: CType
    if operator in COMPARISONS:
        if any(pointers):
            left, right = _comparable(left, right)
        else:
            left, right = usual(left, right, model, width)
        result = INT
    elif operator is BinaryOperator.SUBTRACT and all(pointers):
        return PointerDifference(model.difference_type, origin, left, right)
    elif operator in (BinaryOperator.ADD, BinaryOperator.SUBTRACT) and any(pointers):
        pointer, index = (left, right) if pointers[0] else (right, left)
        return PointerOffset(pointer.type, origin, pointer, index, operator is BinaryOperator.SUBTRACT)
    elif operator in (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT):
        left, right = promote(left, width), promote(right)
        result = left.type
    else:
        left, right = usual(left, right, model, width)
        result = left.type
    if not all(isinstance(e.type, ArithmeticType | PointerType) for e in (left, right)):
        construct = f"{operator.value} of {left.type} and {right.type}"
        return UnsupportedExpression(result, origin, construct, (left, right))
    return Binary(result, origin, operator, left, right)


def _comparable(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """Two operands of a comparison, one a pointer, as pointers of one type (6.5.8, 6.5.9)."""
    match left.type, right.type:
        case PointerType(), PointerType(target) if target is VOID and not is_null_constant(right):
            return convert(left, right.type), right
        case PointerType(), _ if not is_null_constant(left):
            return left, convert(right, left.type)
        case _, PointerType():
            return convert(left, right.type), right
    return left, convert(right, left.type)


def update(
    operator: BinaryOperator,
    target: Expression,
    operand: Expression,
    origin: Origin,
    model: DataModel,
    *,
    yields_old: bool = False,
) -> Expression:
    """`target operator= operand`, or an increment (6.5.16.2)."""
    old = OldValue(target.type, target.origin)
    new = binary(operator, old, operand, origin, model, bit_width(target))
    return Update(target.type, origin, target, convert(new, target.type), yields_old)
