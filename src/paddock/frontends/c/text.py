"""Expressions as C writes them, for messages: without conversions that are implicit, and few parentheses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from paddock.frontends.c import tree as t
from paddock.frontends.c.types import FloatType
from paddock.frontends.c.walk import Node, children
from paddock.frozen import replace

# How tightly operators bind (C11 6.5), from the loosest.
_COMMA, _ASSIGNMENT, _CONDITIONAL, _DISJUNCTION, _CONJUNCTION = range(5)
_UNARY, _POSTFIX, _PRIMARY = 13, 14, 15
_BINARY = {
    "|": 5,
    "^": 6,
    "&": 7,
    "==": 8,
    "!=": 8,
    "<": 9,
    ">": 9,
    "<=": 9,
    ">=": 9,
    "<<": 10,
    ">>": 10,
    "+": 11,
    "-": 11,
    "*": 12,
    "/": 12,
    "%": 12,
}
_ESCAPES = {0: r"\0", 7: r"\a", 8: r"\b", 9: r"\t", 10: r"\n", 11: r"\v", 12: r"\f", 13: r"\r", 34: r"\"", 92: r"\\"}
_LONGEST_STRING = 60

Piece = tuple[str, int]  # a text, and how tightly its outermost operator binds


def expression_text(expression: t.Expression, given: Mapping[t.Expression, str] | None = None) -> str:
    """The expression as C; what the user has not written is left out. Some parts may have `given` texts."""
    pieces: dict[Node, Piece] = {part: (text, _PRIMARY) for part, text in (given or {}).items()}
    todo: list[Node] = [expression]
    while todo:
        node = todo[-1]
        missing = [child for child in _shown(node) if child not in pieces]
        if missing:
            todo += missing
        else:
            todo.pop()
            pieces[node] = _piece(node, pieces)
    return pieces[expression][0]


def _shown(node: Node) -> tuple[Node, ...]:
    """The parts whose texts are needed."""
    return () if isinstance(node, t.StatementExpression | t.CompoundLiteral) else children(node)


def _piece(node: Node, pieces: dict[Node, Piece]) -> Piece:
    def inside(part: t.Expression, binding: int) -> str:
        text, own = pieces[part]
        return text if own >= binding else f"({text})"

    match node:
        case t.Conversion() if node.kind is not t.ConversionKind.NULL:
            if not node.written or node.kind is t.ConversionKind.LOAD:
                return pieces[node.operand]
            return f"({node.type}){inside(node.operand, _UNARY)}", _UNARY
        case t.AddressOf():
            return f"&{inside(node.place, _UNARY)}", _UNARY
        case t.Dereference(pointer=t.Call(function=t.FunctionUse(name="__errno_location"))):
            return "errno", _POSTFIX
        case t.Dereference():
            return f"*{inside(node.pointer, _UNARY)}", _UNARY
        case t.Index():
            return f"{inside(node.pointer, _POSTFIX)}[{pieces[node.index][0]}]", _POSTFIX
        case t.Member():
            return _member(node, pieces, inside)
        case t.Unary():
            operand = inside(node.operand, _UNARY)
            gap = " " if operand.startswith(node.operator.value) else ""
            return f"{node.operator.value}{gap}{operand}", _UNARY
        case t.Binary():
            return _infix(node.operator.value, node.left, node.right, inside)
        case t.PointerOffset():
            return _infix("-" if node.backwards else "+", node.pointer, node.index, inside)
        case t.PointerDifference():
            return _infix("-", node.left, node.right, inside)
        case t.Logical():
            sign, binding = ("&&", _CONJUNCTION) if node.conjunction else ("||", _DISJUNCTION)
            return f"{inside(node.left, binding)} {sign} {inside(node.right, binding + 1)}", binding
        case t.Conditional():
            question = inside(node.condition, _CONDITIONAL + 1)
            branches = f"{pieces[node.then][0]} : {inside(node.otherwise, _CONDITIONAL)}"
            return f"{question} ? {branches}", _CONDITIONAL
        case t.Comma():
            return f"{pieces[node.first][0]}, {inside(node.second, _ASSIGNMENT)}", _COMMA
        case t.Assignment():
            return f"{inside(node.target, _UNARY)} = {inside(node.value, _ASSIGNMENT)}", _ASSIGNMENT
        case t.Update():
            return _update(node, inside)
        case t.Call():
            arguments = ", ".join(inside(argument, _ASSIGNMENT) for argument in node.arguments)
            return f"{inside(node.function, _POSTFIX)}({arguments})", _POSTFIX
        case t.VariadicArgument():
            return f"va_arg({pieces[node.list][0]}, {node.type})", _POSTFIX
        case t.Quantified(universal=universal, variable=variable, body=body):
            word = "__CPROVER_forall" if universal else "__CPROVER_exists"
            return f"{word} {{ {variable.type} {variable.name}; {pieces[body][0]} }}", _PRIMARY
    return _atom(node)


def _atom(node: Node) -> Piece:
    """The text of a node that does not depend on what the node is made of."""
    match node:
        case t.IntegerConstant():
            return node.written or str(node.value), _PRIMARY if node.written or node.value >= 0 else _UNARY
        case t.LabelAddress():
            return f"&&{node.label}", _UNARY
        case t.FloatConstant():
            return _float_text(node), _PRIMARY
        case t.StringLiteral():
            return string_text(node.units), _PRIMARY
        case t.VariableUse():
            return node.variable.name or node.variable.unique, _PRIMARY
        case t.FunctionUse():
            return node.name, _PRIMARY
        case t.Conversion():
            return "NULL", _PRIMARY
        case t.CompoundLiteral():
            return f"({node.type}){{…}}", _POSTFIX
        case t.StatementExpression():
            return "({…})", _PRIMARY
        case t.UnsupportedExpression():
            return node.construct, _PRIMARY
    return "", _PRIMARY


def _infix(sign: str, left: t.Expression, right: t.Expression, inside: Callable[[t.Expression, int], str]) -> Piece:
    binding = _BINARY[sign]
    return f"{inside(left, binding)} {sign} {inside(right, binding + 1)}", binding


def _member(node: t.Member, pieces: dict[Node, Piece], inside: Callable[[t.Expression, int], str]) -> Piece:
    """Members that have no name are not written, and `(*p).x` is `p->x`."""
    if not node.field.name:
        return pieces[node.record]
    base = node.record
    while isinstance(base, t.Member) and not base.field.name:
        base = base.record
    if isinstance(base, t.Dereference):
        return f"{inside(base.pointer, _POSTFIX)}->{node.field.name}", _POSTFIX
    return f"{inside(base, _POSTFIX)}.{node.field.name}", _POSTFIX


def _update(node: t.Update, inside: Callable[[t.Expression, int], str]) -> Piece:
    """`x += 1` or `x++`, from the value that `x` gets."""
    target = inside(node.target, _UNARY)
    change: t.Expression = node.value
    while isinstance(change, t.Conversion):
        change = change.operand
    match change:
        case t.Binary(operator=operator, right=operand):
            sign = operator.value
        case t.PointerOffset(index=operand, backwards=backwards):
            sign = "-" if backwards else "+"
        case _:
            return f"{target} = …", _ASSIGNMENT
    one = isinstance(operand, t.IntegerConstant) and operand.value == 1 and operand.origin == node.origin
    if sign in "+-" and node.yields_old:
        return f"{inside(node.target, _POSTFIX)}{sign * 2}", _POSTFIX
    if sign in "+-" and one:
        return f"{sign * 2}{target}", _UNARY
    return f"{target} {sign}= {inside(operand, _ASSIGNMENT)}", _ASSIGNMENT


def _float_text(node: t.FloatConstant) -> str:
    suffix = {"float": "f", "long double": "L"}.get(str(node.type), "")
    try:
        near = float(node.value)
    except OverflowError:
        near = 0.0
    if near or not node.value:
        return f"{near!r}{suffix}"
    # Beyond what Python's floats reach: a number of a binary format has few digits, and a power of two.
    top, bottom = node.value.numerator, node.value.denominator
    zeros = (top & -top).bit_length() - 1
    return f"{top >> zeros:#x}p{zeros - bottom.bit_length() + 1}{suffix}"


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def without_conversions(node: t.Expression) -> t.Expression:
    """The expression without conversions that the user has not written."""
    while isinstance(node, t.Conversion) and not node.written:
        node = node.operand
    return node


def condition_text(condition: t.Expression, holds: bool) -> str:
    """What is known where a condition holds, or does not."""
    condition = without_conversions(condition)
    match condition:
        case _ if holds:
            return expression_text(condition)
        case t.Unary(operator=t.UnaryOperator.NOT, operand=inner):
            return condition_text(inner, True)
        case t.Binary(operator=operator, left=left, right=right) if operator in t.COMPARISONS:
            if not any(isinstance(part.type, FloatType) for part in (left, right)):
                opposite = t.BinaryOperator(_OPPOSITE[operator.value])
                return expression_text(replace(condition, operator=opposite))
    text = expression_text(condition)
    return f"!{text}" if text.isidentifier() else f"!({text})"


def character_text(unit: int) -> str:
    """A character as it stands between single quotes; nothing for one that has no letter or common escape."""
    if unit == ord("'"):
        return r"\'"
    if unit == ord('"'):
        return '"'
    return _ESCAPES.get(unit) or (chr(unit) if 32 <= unit < 127 else "")


def string_text(units: tuple[int, ...]) -> str:
    """A string literal."""
    body = units[:-1] if units and units[-1] == 0 else units
    shown = "".join(
        _ESCAPES.get(unit) or (chr(unit) if 32 <= unit < 127 else f"\\x{unit:02x}") for unit in body[:_LONGEST_STRING]
    )
    return f'"{shown}{"…" if len(body) > _LONGEST_STRING else ""}"'
