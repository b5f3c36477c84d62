"""Calls: arguments converted to the types of the parameters, and the builtins that have rules of their own."""

from __future__ import annotations

from paddock.c.clang.context import Context
from paddock.c.clang.operators import address, function_type
from paddock.c.clang.snapshot import Node
from paddock.c.conversions import convert, is_place, promote_argument, value
from paddock.c.tree import (
    Call,
    Conversion,
    ConversionKind,
    Expression,
    FunctionUse,
    IntegerConstant,
    UnsupportedExpression,
    VariadicArgument,
)
from paddock.c.types import FunctionType, PointerType, RecordType
from paddock.ir.origin import Origin

# How many of the arguments of these are lists of arguments; the others say nothing that is needed.
_LIST_ARGUMENTS = {"__builtin_va_start": 1, "__builtin_va_end": 1, "__builtin_va_copy": 2}
# What the compiler knows or does not: never a question to the program. Where it does not, the answer is the default.
_COMPILER_KNOWS = {"__builtin_constant_p": 0}


def call_expression(context: Context, node: Node, origin: Origin) -> Expression:
    """The call of a function by a node whose children are the function and its arguments."""
    function, *arguments = [child.expression for child in node.children if child.expression is not None]
    function = value(function)
    if isinstance(function, Conversion) and function.kind is ConversionKind.FUNCTION:
        function = function.operand
    result = context.types.of(node.cursor)
    signature = function_type(function)
    if signature is None:
        return UnsupportedExpression(result, origin, f"call of {function.type}", (function, *arguments))
    if isinstance(function, FunctionUse):
        if function.name in _LIST_ARGUMENTS:
            lists = arguments[: _LIST_ARGUMENTS[function.name]]
            return Call(result, origin, function, tuple(list_pointer(argument, origin) for argument in lists))
        if function.name in _COMPILER_KNOWS:
            known = context.integer(node.cursor)
            return IntegerConstant(result, origin, _COMPILER_KNOWS[function.name] if known is None else known)
        if not function.name.startswith("__builtin_"):  # which are checked by rules of their own
            result = signature.result
    else:
        result = signature.result
    return Call(result, origin, function, converted_arguments(signature, arguments))


def converted_arguments(signature: FunctionType, arguments: list[Expression]) -> tuple[Expression, ...]:
    """The arguments as the function gets them (C11 6.5.2.2)."""
    parameters = signature.parameters
    known = [convert(argument, parameter) for argument, parameter in zip(arguments, parameters, strict=False)]
    return (*known, *map(promote_argument, arguments[len(known) :]))


def list_pointer(argument: Expression, origin: Origin) -> Expression:
    """A pointer to a list of arguments. Where `va_list` is an array of one struct, it decays to that pointer."""
    pointer = value(argument)
    if isinstance(pointer.type, PointerType) and isinstance(pointer.type.target, RecordType):
        return pointer
    return (address(argument, origin) if is_place(argument) else None) or pointer


def next_argument(context: Context, node: Node, origin: Origin) -> Expression:
    """`va_arg`: the list is the only expression in it."""
    argument = next(child.expression for child in node.children if child.expression is not None)
    return VariadicArgument(context.types.of(node.cursor), origin, list_pointer(argument, origin))


def atomic_call(context: Context, node: Node, name: str, origin: Origin) -> Expression:
    """A generic atomic builtin, which libclang shows as its operands in an order of its own."""
    extent = context.library.getCursorExtent
    operands = [child for child in node.children if child.expression is not None]
    operands.sort(key=lambda child: extent(child.cursor).begin)
    arguments = tuple(value(child.expression) for child in operands if child.expression is not None)
    result = context.types.of(node.cursor)
    type_ = FunctionType(result, tuple(argument.type for argument in arguments), False, True)
    return Call(result, origin, FunctionUse(type_, origin, name), arguments)
