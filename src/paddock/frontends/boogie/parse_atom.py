"""Parsing of the parts of an expression that are not operators: names and literals, and whatever encloses
expressions in brackets or keywords.

The latter are generators that yield where an enclosed expression must come; `parse_expr.py` runs them.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.digits import integer
from paddock.frontends.boogie.cursor import Cursor, Failure
from paddock.frontends.boogie.lexer import CONTEXTUAL, FLOAT, IDENTIFIER, INTEGER, KEYWORDS, NAMES
from paddock.frontends.boogie.literals import LITERAL_KINDS, BadLiteral, literal_value
from paddock.frontends.boogie.parse_binding import Reader, attribute, attribute_list, formals
from paddock.frontends.boogie.parse_type import type_, type_parameters
from paddock.frontends.boogie.syntax import (
    AttributeSyntax,
    Binding,
    BvExtract,
    Coercion,
    ExprSyntax,
    FieldAccess,
    FieldUpdate,
    FunctionCall,
    LetIn,
    Literal,
    Name,
    Operation,
    Quantified,
    Select,
    Store,
    TriggerSyntax,
)
from paddock.ir.expr import Op, Quantifier
from paddock.ir.types import INT

_QUANTIFIERS = {q.value: q for q in Quantifier}
_FUNCTION_LIKE = {op.value: op for op in (Op.OLD, Op.TO_INT, Op.TO_REAL)}

# --- without expressions inside ------------------------------------------------------------------


def atom(c: Cursor) -> ExprSyntax:
    """A name or a literal."""
    pos = c.pos
    if c.kind in NAMES:
        return Name(pos, c.name("an expression"))
    negative = c.accept("-")
    kind = c.kind
    if kind not in LITERAL_KINDS:
        raise _no_operand(c)
    text = c.texts[c.at]
    c.at += 1
    try:
        return Literal(pos, *literal_value(kind, text, negative))
    except BadLiteral as bad:
        c.report(pos, str(bad))
        return Literal(pos, 0, INT)


def is_sign(c: Cursor, at: int) -> bool:
    """Whether a `-` is the sign of the float literal that it touches."""
    after = at + 1
    return (
        c.kinds[after] == FLOAT
        and c.kinds[at] == "-"
        and c.positions[after] == c.positions[at] + 1
        and c.texts[after].startswith("0x")
    )


def _no_operand(c: Cursor) -> Failure:
    kind = c.kind
    if kind == "|{":
        return Failure(c.pos, "code expressions '|{ … }|' are not supported")
    if kind in _QUANTIFIERS:
        return c.expected("an expression", f"put it in parentheses: ({kind} …)")
    if kind in KEYWORDS:
        return c.expected("an expression", f"'{kind}' is a keyword; as a name it is written \\{kind}")
    return c.expected("an expression")


def coercion(c: Cursor, operand: ExprSyntax) -> ExprSyntax:
    """`operand: T`."""
    pos = c.advance()
    if c.kind == INTEGER:
        raise Failure(pos, "expected a type after ':'", "bits are extracted with e[high:low], two integer literals")
    return Coercion(pos, operand, type_(c))


# --- enclosed expressions ------------------------------------------------------------------------


def _expressions(c: Cursor) -> Reader[list[ExprSyntax]]:
    """Expressions with commas between them, at least one."""
    result = [(yield)]
    while c.accept(","):
        result.append((yield))
    return result


def _application(c: Cursor) -> Reader[ExprSyntax]:
    """`f(args)`, or a contextual word that is just a name."""
    pos, name = c.pos, c.name("a function")
    if not c.accept("("):
        return Name(pos, name)
    args: list[ExprSyntax] = []
    if not c.accept(")"):
        args = yield from _expressions(c)
        c.expect(")", f"or ',' after an argument of '{name}'")
    return FunctionCall(pos, name, args)


def _function_like(c: Cursor) -> Reader[ExprSyntax]:
    """`old(e)`, `int(e)`, `real(e)`."""
    word, pos = c.kind, c.advance()
    c.expect("(", f"after '{word}'")
    argument = yield
    c.expect(")", f"after the argument of '{word}'")
    return Operation(pos, _FUNCTION_LIKE[word], [argument])


def _conditional(c: Cursor) -> Reader[ExprSyntax]:
    """`if a then b else c`."""
    pos = c.advance()
    condition = yield
    c.expect("then", "after the condition of the 'if' expression")
    then = yield
    c.expect("else", "after the first branch of the 'if' expression")
    otherwise = yield
    return Operation(pos, Op.ITE, [condition, then, otherwise])


def _parenthesised(c: Cursor) -> Reader[ExprSyntax]:
    opened = c.advance()
    if c.kind in _QUANTIFIERS:
        inner: ExprSyntax = yield from _quantified(c)
    elif c.kind == "var":
        inner = yield from _let(c)
    else:
        inner = yield
    if c.kind != ")":
        line = c.line(opened)
        raise c.expected("')'" if line == c.line(c.pos) else f"')' for the '(' on line {line}")
    c.at += 1
    return inner


def _quantified(c: Cursor) -> Reader[ExprSyntax]:
    """`forall<a> x: T :: {:attribute} { trigger } body`, likewise `exists` and `lambda`."""
    kind, pos = _QUANTIFIERS[c.kind], c.advance()
    type_params = type_parameters(c)
    variables: list[Binding] = []
    if not type_params or c.kind != "::":
        variables = yield from formals(c, no_where_on="bound variables")
    c.expect("::", "after the bound variables")
    attributes: list[AttributeSyntax] = []
    triggers: list[TriggerSyntax] = []
    while c.kind in ("{", "{:"):
        if c.kind == "{":
            triggers.append((yield from _trigger(c)))
            continue
        one = yield from attribute(c)
        if one.name != "nopats":
            attributes.append(one)
        elif len(one.params) == 1 and not isinstance(one.params[0], str):
            triggers.append(TriggerSyntax(one.pos, [one.params[0]], positive=False))
        else:
            c.report(one.pos, "'nopats' needs one expression")
    if triggers and kind is Quantifier.LAMBDA:
        c.report(triggers[0].pos, "a lambda expression cannot have triggers")
    body = yield
    return Quantified(pos, kind, type_params, variables, attributes, triggers, body)


def _trigger(c: Cursor) -> Reader[TriggerSyntax]:
    pos = c.advance()
    terms = yield from _expressions(c)
    c.expect("}", "or ',' after a term of the trigger")
    return TriggerSyntax(pos, terms, positive=True)


def _let(c: Cursor) -> Reader[ExprSyntax]:
    """`var x, y := e, f; {:attribute} body`."""
    pos = c.advance()
    variables: list[Binding] = []
    while not variables or c.accept(","):
        of_variable = yield from attribute_list(c)
        variables.append(Binding(c.pos, c.name("the name of a variable"), None, None, of_variable))
    c.expect(":=", f"after '{variables[-1].name}'")
    values = yield from _expressions(c)
    c.expect(";", "after the values of the variables")
    attributes = yield from attribute_list(c)
    body = yield
    return LetIn(pos, variables, values, attributes, body)


# --- enclosed expressions after an operand --------------------------------------------------------


def _indexed(c: Cursor, operand: ExprSyntax) -> Reader[ExprSyntax]:
    """`m[i, j]`, `m[i, j := e]` or `e[high:low]`."""
    pos = c.advance()
    at = c.at
    if c.kinds[at : at + 4] == [INTEGER, ":", INTEGER, "]"]:
        c.at = at + 4
        return BvExtract(pos, operand, integer(c.texts[at]), integer(c.texts[at + 2]))
    indices: list[ExprSyntax] = []
    if c.kind not in (":=", "]"):
        indices = yield from _expressions(c)
    if c.accept(":="):
        value = yield
        c.expect("]", "after the new value in the map")
        return Store(pos, operand, indices, value)
    c.expect("]", "after the index")
    return Select(pos, operand, indices)


def _field(c: Cursor, operand: ExprSyntax) -> Reader[ExprSyntax]:
    """`e->f` or `e->(f := v)`."""
    pos = c.advance()
    updates = c.accept("(")
    field = c.name("the name of a field")
    if not updates:
        return FieldAccess(pos, operand, field)
    c.expect(":=", f"after the field '{field}'")
    value = yield
    c.expect(")", f"after the new value of the field '{field}'")
    return FieldUpdate(pos, operand, field, value)


OPENING: dict[str, Callable[[Cursor], Reader[ExprSyntax]]] = {
    "(": _parenthesised,
    "if": _conditional,
    **dict.fromkeys(_FUNCTION_LIKE, _function_like),
    **dict.fromkeys((IDENTIFIER, *CONTEXTUAL), _application),
}

EXTENDING: dict[str, Callable[[Cursor, ExprSyntax], Reader[ExprSyntax]]] = {"[": _indexed, "->": _field}
