"""Calls: arguments converted to the types of the parameters, and the builtins that have rules of their own."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.c.clang.atomics import AtomicBuiltin
from paddock.frontends.c.clang.context import Context
from paddock.frontends.c.clang.operators import address, function_type
from paddock.frontends.c.clang.snapshot import Node
from paddock.frontends.c.conversions import common_type, convert, is_place, promote, promote_argument, value
from paddock.frontends.c.known_names import (
    BUILTIN,
    PARAMETERS,
    WITH_MORE,
    WRITES_FROM,
    needs_declaration,
    parameter_types,
)
from paddock.frontends.c.tree import (
    Call,
    Conversion,
    ConversionKind,
    Expression,
    FunctionUse,
    IntegerConstant,
    UnsupportedExpression,
    VariadicArgument,
)
from paddock.frontends.c.types import INT, CType, FunctionType, IntType, PointerType, RecordType
from paddock.frontends.c.written_models import builtins
from paddock.frozen import replace
from paddock.ir.origin import Origin

# How many of the arguments of these are lists of arguments; the others say nothing that is needed.
_LIST_ARGUMENTS = {"__builtin_va_start": 1, "__builtin_va_end": 1, "__builtin_va_copy": 2}


# What the compiler knows or does not: never a question to the program. Where it does not, the answer is the default.
def _size_of_unknown(arguments: list[Expression]) -> int | None:
    """The size of an object of which nothing is known: the largest or, if the least is asked for, 0."""
    kind = arguments[-1]
    return (0 if kind.value & 2 else -1) if isinstance(kind, IntegerConstant) else None


_COMPILER_KNOWS: dict[str, Callable[[list[Expression]], int | None]] = {
    "__builtin_constant_p": lambda _: 0,
    "__builtin_object_size": _size_of_unknown,
    **dict.fromkeys(
        (
            *("__builtin_dynamic_object_size", "__builtin_classify_type", "__atomic_always_lock_free"),
            *("__atomic_is_lock_free", "__c11_atomic_is_lock_free"),
        ),
        lambda _: None,
    ),
}
# These look at floats of any type as they are; the last argument is the float.
_CLASSIFICATIONS = frozenset(
    f"__builtin_{name}"
    for name in "isnan isinf isinf_sign isfinite isnormal issubnormal iszero issignaling signbit fpclassify".split()
)
# These compare two numbers in the type in which they meet.
_COMPARISONS = frozenset(
    f"__builtin_{name}"
    for name in "isgreater isgreaterequal isless islessequal islessgreater isunordered iseqsig".split()
)
# Where clang keeps the operands of an atomic builtin, in the order in which they are written, by their number.
_ATOMIC_OPERANDS = {3: (0, 2, 1), 4: (0, 2, 3, 1), 5: (0, 2, 4, 1, 3), 6: (0, 2, 4, 5, 1, 3)}
_ATOMIC_FUNCTIONS = frozenset(("__atomic_test_and_set", "__atomic_clear"))
_WHOLE_MEMORY = {4: (1 << 31) - 1, 8: (1 << 63) - 1}  # bytes, by the size of pointers
_FENCES = frozenset(("__sync_synchronize",))
# Functions of newer compilers that take integers as they are: what clang does not know it would promote.
_UNPROMOTED = frozenset(
    (
        *(f"__builtin_{base}g" for base in ("clz", "ctz", "popcount", "parity", "ffs", "clrsb")),
        *(f"__builtin_{op}_overflow_p" for op in ("add", "sub", "mul")),
    )
)


def call_expression(context: Context, node: Node, origin: Origin) -> Expression:
    """The call of a function by a node whose children are the function and its arguments."""
    function, *arguments = [child.expression for child in node.children if child.expression is not None]
    function = value(function)
    if isinstance(function, Conversion) and function.kind is ConversionKind.FUNCTION:
        function = function.operand
    result = context.types.of(node.cursor)
    if isinstance(function, FunctionUse):
        special = _special_call(context, node, function, arguments, result, origin)
        if special is not None:
            return special
        function = _of_library(context, function)
    signature = function_type(function)
    if signature is None:
        return UnsupportedExpression(result, origin, f"call of {function.type}", (function, *arguments))
    if not isinstance(function, FunctionUse):
        return Call(signature.result, origin, function, converted_arguments(signature, arguments))
    if not function.name.startswith(BUILTIN):  # which are checked by rules of their own
        result = signature.result
    if function.name in PARAMETERS and not context.declared.is_defined(function.name):
        return _known_call(context, node, Call(result, origin, function, tuple(arguments)), signature)
    if function.name in _UNPROMOTED:
        return Call(result, origin, function, tuple(map(value, arguments)))
    return Call(result, origin, function, converted_arguments(signature, arguments))


def _special_call(
    context: Context,
    node: Node,
    function: FunctionUse,
    arguments: list[Expression],
    result: CType,
    origin: Origin,
) -> Expression | None:
    """The call of a builtin whose arguments are not just values."""
    name = function.name
    if name in _LIST_ARGUMENTS:
        lists = arguments[: _LIST_ARGUMENTS[name]]
        return Call(result, origin, function, tuple(list_pointer(argument, origin) for argument in lists))
    if name in _COMPILER_KNOWS:
        known = context.integer(node.cursor)
        if known is None:
            known = _COMPILER_KNOWS[name](arguments)
        construct = f"{name} of what the compiler does not know"
        return UnsupportedExpression(result, origin, construct) if known is None else constant(known, result, origin)
    if name in _CLASSIFICATIONS and arguments:
        *answers, number = map(value, arguments)
        return Call(result, origin, function, (*(convert(a, INT) for a in answers), number))
    if name in _COMPARISONS and len(arguments) == 2:
        left, right = map(value, arguments)
        meeting = common_type(left.type, right.type, context.model)
        return Call(result, origin, function, (convert(left, meeting), convert(right, meeting)))
    if name in _ATOMIC_FUNCTIONS or (name.startswith("__sync_") and name not in _FENCES):
        return AtomicBuiltin(context, name, result, origin).expression(arguments)
    if needs_declaration(name) and isinstance(function.type, FunctionType) and _is_implicit(function.type):
        return UnsupportedExpression(result, origin, f"{name} without a declaration")
    return None


def constant(number: int, type: CType, origin: Origin) -> IntegerConstant:
    """A number as an integer of a type."""
    if isinstance(type, IntType):
        number &= (1 << type.width) - 1
        number -= (1 << type.width) if type.signed and number >> (type.width - 1) else 0
    return IntegerConstant(type, origin, number)


def _is_implicit(type: FunctionType) -> bool:
    """Whether a function may not have been declared at all."""
    return type.result is INT and not type.prototyped


def _of_library(context: Context, function: FunctionUse) -> FunctionUse:
    """The function of the C library that a builtin stands for, if that is one with a model in C."""
    name = function.name.removeprefix(BUILTIN)
    if name == function.name or name not in builtins():
        return function
    assert isinstance(function.type, FunctionType)
    symbol = context.symbols.function(name, name, function.type, function.origin, False)
    symbol.used = True
    return FunctionUse(symbol.type, function.origin, symbol.name)


def _known_call(context: Context, node: Node, call: Call, signature: FunctionType) -> Expression:
    """The call of a known function: arguments as the program declares them, or else as the function expects them."""
    assert isinstance(call.function, FunctionUse)
    name, given = call.function.name, call.arguments
    expected = parameter_types(name, context.model)
    if len(given) < len(expected) or (len(given) > len(expected) and name not in WITH_MORE):
        context.problem(f"too {'few' if len(given) < len(expected) else 'many'} arguments for {name}", node.cursor)
        return UnsupportedExpression(call.type, call.origin, f"call of {name}", given)
    if signature.parameters:
        arguments = list(converted_arguments(signature, list(given)))
    else:
        arguments = [
            promote(a) if type_ is None else convert(a, type_) for a, type_ in zip(given, expected, strict=False)
        ]
        arguments += map(promote_argument, given[len(expected) :])
    if name in WRITES_FROM:  # how far it may reach: to the end of an object, whatever the pointer points to
        everything = IntegerConstant(context.model.size_type, call.origin, _WHOLE_MEMORY[context.model.pointer_size])
        arguments = [*arguments[: WRITES_FROM[name]], everything]
    return replace(call, arguments=tuple(arguments))


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
    """A generic atomic builtin, which libclang shows as its operands in an order of its own: the pointer, the order of
    memory, a value, the order on failure or a second value, a second value, and whether it is weak."""
    operands = [child.expression for child in node.children if child.expression is not None]
    written = _ATOMIC_OPERANDS[len(operands)] if len(operands) in _ATOMIC_OPERANDS else range(len(operands))
    if name.endswith("_init"):  # it has no order of memory
        written = range(len(operands))
    arguments = [operands[n] for n in written]
    return AtomicBuiltin(context, name, context.types.of(node.cursor), origin).expression(arguments)
