"""Parsing of expressions by operator precedence, with explicit stacks instead of recursion.

Operators wait on one stack for their right operand, operands on another. What encloses expressions in
brackets or keywords (a call, an index, a quantifier, …) is a generator that yields where an expression
must come and is sent that expression; the generators that wait are the third stack.
"""

from __future__ import annotations

from typing import TypeVar

from paddock.digits import integer
from paddock.frontends.boogie import parse_binding
from paddock.frontends.boogie.cursor import Cursor, Failure
from paddock.frontends.boogie.lexer import IDENTIFIER, INTEGER
from paddock.frontends.boogie.parse_atom import EXTENDING, OPENING, atom, coercion, is_sign
from paddock.frontends.boogie.parse_binding import Reader
from paddock.frontends.boogie.syntax import AttributeSyntax, ExprSyntax, IsConstructor, Literal, Name, Operation
from paddock.ir.expr import Op
from paddock.ir.types import INT

T = TypeVar("T")

_IMPLICATION, _LOGICAL, _RELATION, _POWER, _TEST, _UNARY = 2, 3, 4, 8, 9, 10

# How an operator makes an expression of its operands.
_PREFIX, _INFIX, _SWAPPED, _CHAINED = "prefix", "infix", "swapped", "chained"

_Operator = tuple[int, Op, str]  # precedence, operator, how it is applied

_PREFIX_OPERATORS: dict[str, _Operator] = {"-": (_UNARY, Op.NEG, _PREFIX), "!": (_UNARY, Op.NOT, _PREFIX)}

_INFIX_OPERATORS: dict[str, _Operator] = {
    "<==>": (1, Op.IFF, _INFIX),
    "==>": (_IMPLICATION, Op.IMPLIES, _INFIX),
    "<==": (_IMPLICATION, Op.IMPLIES, _SWAPPED),
    "&&": (_LOGICAL, Op.AND, _INFIX),
    "||": (_LOGICAL, Op.OR, _INFIX),
    **{op.value: (_RELATION, op, _INFIX) for op in (Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE)},
    "++": (5, Op.CONCAT, _INFIX),
    **{op.value: (6, op, _INFIX) for op in (Op.ADD, Op.SUB)},
    **{op.value: (7, op, _INFIX) for op in (Op.MUL, Op.DIV, Op.MOD, Op.RDIV)},
    "**": (_POWER, Op.POW, _INFIX),
}

_Pending = tuple[int, Op, str, int]  # an operator and its position

_BARRIER: _Pending = (0, Op.NOT, "", 0)  # lies on the stack under the operators of an enclosed expression


def expression(c: Cursor) -> ExprSyntax:
    """Reads the longest expression that begins here."""
    kinds, texts, positions = c.kinds, c.texts, c.positions
    operands: list[ExprSyntax] = []
    pending: list[_Pending] = [_BARRIER]
    enclosing: list[Reader[ExprSyntax]] = []
    at = c.at
    while True:
        # An operand must come: an atom, a prefix operator, or what encloses expressions.
        kind = kinds[at]
        operand: ExprSyntax | None
        if kind == IDENTIFIER and kinds[at + 1] != "(":
            operand = Name(positions[at], texts[at])
            at += 1
        elif kind == INTEGER:
            operand = Literal(positions[at], integer(texts[at]), INT)
            at += 1
        elif kind in _PREFIX_OPERATORS and not is_sign(c, at):
            pending.append((*_PREFIX_OPERATORS[kind], positions[at]))
            at += 1
            continue
        else:
            c.at = at
            opening = OPENING.get(kind)
            if opening is None:
                operand = atom(c)
            else:
                operand = _started(opening(c), enclosing, pending)
            at = c.at
        # While an operand is complete: what follows extends it, is an operator, or ends the expression.
        while operand is not None:
            c.at = at
            kind = kinds[at]
            operator = _INFIX_OPERATORS.get(kind)
            if operator is not None:
                operands.append(operand)
                pending.append(_shift(c, operator, positions[at], operands, pending))
                at += 1
                break
            extending = EXTENDING.get(kind)
            if extending is not None:
                operand = _started(extending(c, operand), enclosing, pending)
            elif kind == ":":
                operand = coercion(c, operand)
            elif kind == "is":
                operands.append(operand)
                _reduce_above(_TEST, operands, pending)
                operand = IsConstructor(c.advance(), operands.pop(), c.name("the name of a constructor after 'is'"))
            elif kind == "<:":
                raise Failure(positions[at], "the partial order '<:' is not supported")
            else:
                operands.append(operand)
                _reduce_above(0, operands, pending)
                operand = operands.pop()
                if not enclosing:
                    return operand
                operand = _resumed(operand, enclosing, pending)
            at = c.at


def _started(
    reader: Reader[ExprSyntax], enclosing: list[Reader[ExprSyntax]], pending: list[_Pending]
) -> ExprSyntax | None:
    """What a reader makes of the text, or None: then an expression is inside of it, and must come first."""
    operand = _resume(reader, None)
    if operand is None:
        enclosing.append(reader)
        pending.append(_BARRIER)
    return operand


def _resumed(inner: ExprSyntax, enclosing: list[Reader[ExprSyntax]], pending: list[_Pending]) -> ExprSyntax | None:
    """What the innermost reader makes of an expression inside of it, or None: then another one must come."""
    operand = _resume(enclosing[-1], inner)
    if operand is not None:
        enclosing.pop()
        pending.pop()
    return operand


def _resume(reader: Reader[ExprSyntax], value: ExprSyntax | None) -> ExprSyntax | None:
    """Sends a reader the expression it waits for (None to begin); None if it wants another one."""
    try:
        reader.send(value)  # type: ignore[arg-type]  # the first value sent must be None
    except StopIteration as finished:
        result: ExprSyntax = finished.value
        return result
    return None


def read(c: Cursor, reader: Reader[T]) -> T:
    """Runs a reader outside of any expression."""
    value: ExprSyntax | None = None
    try:
        while True:
            reader.send(value)  # type: ignore[arg-type]
            value = expression(c)
    except StopIteration as finished:
        result: T = finished.value
        return result


def attributes(c: Cursor) -> list[AttributeSyntax]:
    """`{:a} {:b 1}`, or nothing."""
    return read(c, parse_binding.attribute_list(c)) if c.kinds[c.at] == "{:" else []


def _shift(c: Cursor, operator: _Operator, pos: int, operands: list[ExprSyntax], pending: list[_Pending]) -> _Pending:
    """Applies the operators that bind their right operand before `operator` does; returns it as pending."""
    precedence, op, application = operator
    _reduce_above(precedence, operands, pending)
    level, left_op, left_application, _ = pending[-1]
    if level != precedence or precedence == _POWER:
        return precedence, op, application, pos
    if precedence == _IMPLICATION:
        if application != left_application:
            c.remark(pos, "'==>' and '<==' are mixed", "put one of them in parentheses")
        if application == _SWAPPED:
            _reduce(operands, pending)
        return precedence, op, application, pos
    if precedence == _LOGICAL and op is not left_op:
        c.remark(pos, "'&&' and '||' are mixed", "put one of them in parentheses")
    _reduce(operands, pending)
    return precedence, op, _CHAINED if precedence == _RELATION else application, pos


def _reduce_above(precedence: int, operands: list[ExprSyntax], pending: list[_Pending]) -> None:
    while pending[-1][0] > precedence:
        _reduce(operands, pending)


def _reduce(operands: list[ExprSyntax], pending: list[_Pending]) -> None:
    """Applies the last pending operator."""
    _, op, application, pos = pending.pop()
    right = operands.pop()
    if application == _INFIX:
        operands[-1] = Operation(pos, op, [operands[-1], right])
    elif application == _PREFIX:
        operands.append(Operation(pos, op, [right]))
    elif application == _SWAPPED:
        operands[-1] = Operation(pos, op, [right, operands[-1]])
    else:
        left = operands[-1]
        assert isinstance(left, Operation)
        last = left.args[1] if left.op is Op.AND else left
        assert isinstance(last, Operation)
        operands[-1] = Operation(pos, Op.AND, [left, Operation(pos, op, [last.args[1], right])])
