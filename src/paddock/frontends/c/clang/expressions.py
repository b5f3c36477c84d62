"""Expressions of clang's tree as expressions of ours, from the leaves up.

What clang has converted implicitly is converted again, by the rules of `c/conversions.py`: libclang does not say what
an implicit conversion is, leaves some out, and shows parameters of array type as arrays. So its nodes for them are
skipped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.atomics import atomic_update
from paddock.frontends.c.clang.braces import braces_of
from paddock.frontends.c.clang.calls import atomic_call, call_expression, next_argument
from paddock.frontends.c.clang.context import Context
from paddock.frontends.c.clang.operators import (
    binary_expression,
    changes,
    dereference,
    implication,
    quantifier,
    unary_expression,
)
from paddock.frontends.c.clang.snapshot import Node
from paddock.frontends.c.clang.variable_arrays import size_expression, size_of_type_name, written_type
from paddock.frontends.c.conversions import condition, convert, is_place, value
from paddock.frontends.c.initialisers import member_path, resolve
from paddock.frontends.c.literals import float_value, rounded, string_units
from paddock.frontends.c.text import character_text
from paddock.frontends.c.tree import (
    Binary,
    BinaryOperator,
    Block,
    Comma,
    CompoundLiteral,
    Conditional,
    Declare,
    Evaluate,
    Expression,
    FloatConstant,
    Index,
    Initialiser,
    InitialiserItem,
    IntegerConstant,
    LabelAddress,
    Member,
    StatementExpression,
    StringLiteral,
    UnsupportedExpression,
    VariableUse,
)
from paddock.frontends.c.types import (
    DOUBLE,
    VOID,
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
    VariableArrayType,
    VoidType,
    decayed,
)
from paddock.frontends.c.walk import has_effects
from paddock.ir.origin import Origin

_ATOMIC = re.compile(rb"\b__(?:c11_|scoped_)?atomic_\w+")
_FLOAT = re.compile(rb"(?:\d|\.\d)(?:[eEpP][+-]|[\w.])*")


class ExpressionReader:
    """Makes the expression of a node whose children have theirs."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._library = context.library
        self._types = context.types
        self._makers: dict[int, Callable[[Node, Origin], Expression | None]] = {
            k.UNEXPOSED_EXPR: self._unexposed,
            k.DECL_REF_EXPR: self._name,
            k.MEMBER_REF_EXPR: self._member,
            k.CALL_EXPR: lambda node, origin: call_expression(context, node, origin),
            k.INTEGER_LITERAL: self._integer,
            k.CHARACTER_LITERAL: self._integer,
            k.FLOATING_LITERAL: self._float,
            k.STRING_LITERAL: self._string,
            k.PAREN_EXPR: lambda node, origin: node.children[-1].expression,
            k.UNARY_OPERATOR: self._unary,
            k.ARRAY_SUBSCRIPT_EXPR: _index,
            k.BINARY_OPERATOR: self._binary,
            k.COMPOUND_ASSIGNMENT: self._binary,
            k.CONDITIONAL_OPERATOR: self._conditional,
            k.C_STYLE_CAST_EXPR: self._cast,
            k.COMPOUND_LITERAL_EXPR: self._compound_literal,
            k.STATEMENT_EXPR: self._statement_expression,
            k.GENERIC_SELECTION_EXPR: self._generic_selection,
            k.SIZEOF_EXPR: self._sizeof,
            k.ADDRESS_OF_LABEL_EXPR: self._label,
        }

    def enter(self, node: Node) -> None:
        """Settle what depends on no child, and what must be known before the children are read."""
        if node.kind == k.SIZEOF_EXPR:  # the operand is not evaluated
            size = self._context.integer(node.cursor)
            if size is not None:
                node.expression = IntegerConstant(self._types.of(node.cursor), self._context.origin(node.cursor), size)
                node.children = []
            else:  # libclang shows the lengths in the name of a type once more, to be evaluated once
                first: dict[int, Node] = {}
                for child in node.children:
                    first.setdefault(self._begin(child), child)
                node.children = list(first.values())
        elif node.kind == k.INIT_LIST_EXPR:
            for child in node.children:
                if child.kind == k.UNEXPOSED_EXPR:
                    child.designated = self._library.getCursorType(child.cursor).kind == k.T_VOID

    def leave(self, node: Node) -> None:
        """Make what the node means."""
        if node.expression is not None or node.designated:
            return
        if node.kind == k.INIT_LIST_EXPR:
            node.braces = braces_of(node, self._context)
            return
        if node.kind == k.UNEXPOSED_EXPR and self._is_implicit(node):
            node.expression = node.children[0].expression
            return
        origin = self._context.origin(node.cursor)
        maker = self._makers.get(node.kind)
        node.expression = (maker(node, origin) if maker else None) or self._unsupported(node, origin)

    def _unsupported(self, node: Node, origin: Origin) -> UnsupportedExpression:
        """A node that the tree has no words for, by what is written there."""
        match node.kind:
            case k.GENERIC_SELECTION_EXPR:
                construct = "_Generic with several choices of one type"
            case k.IMAGINARY_LITERAL:
                construct = "complex number"
            case _:
                text = " ".join(self._context.places.text(node.cursor).decode("utf-8", "replace").split())
                construct = f"expression '{text}'" if text else "expression"
        parts = tuple(child.expression for child in node.children if child.expression is not None)
        return UnsupportedExpression(decayed(self._types.of(node.cursor)), origin, construct, parts)

    # ------------------------------------------------------------------------------------ names and literals

    def _name(self, node: Node, origin: Origin) -> Expression | None:
        declaration = self._library.getCursorReferenced(node.cursor)
        if declaration.kind in (k.VAR_DECL, k.PARM_DECL):
            return self._context.declared.variable(declaration, origin)
        if declaration.kind == k.FUNCTION_DECL:
            return self._context.declared.function(declaration, origin)
        if declaration.kind == k.ENUM_CONSTANT_DECL:
            type_ = self._types.of(node.cursor)
            lib, signed = self._library, isinstance(type_, IntType) and type_.signed
            getter = lib.getEnumConstantDeclValue if signed else lib.getEnumConstantDeclUnsignedValue
            return IntegerConstant(type_, origin, getter(declaration), lib.text(lib.getCursorSpelling(declaration)))
        return None

    def _label(self, node: Node, origin: Origin) -> Expression:
        label = self._context.label_at(node.children[0].cursor)
        return LabelAddress(self._types.of(node.cursor), origin, label, self._context.labels.number(label))

    def _integer(self, node: Node, origin: Origin) -> Expression | None:
        number = self._context.integer(node.cursor)
        if number is None:
            return None
        is_character = node.kind == k.CHARACTER_LITERAL and character_text(number)
        written = f"'{character_text(number)}'" if is_character else ""
        return IntegerConstant(self._types.of(node.cursor), origin, number, written)

    def _float(self, node: Node, origin: Origin) -> Expression | None:
        type_ = self._types.of(node.cursor)
        if not isinstance(type_, FloatType):
            return None
        number = self._context.double(node.cursor)
        if number is None or type_.significand <= DOUBLE.significand:
            return None if number is None else _float_constant(type_, origin, number)
        # The library tells no more than a double.
        written = self._context.spelling_of.candidates(node.cursor, _FLOAT)
        exact = {float_value(text[0].decode("ascii")) for text in written}
        fitting = [f for f in exact if f is not None and _nearest_double(f) == number]
        return _float_constant(type_, origin, rounded(fitting[0], type_)) if len(fitting) == 1 else None

    def _string(self, node: Node, origin: Origin) -> Expression | None:
        type_ = self._types.of(node.cursor)
        if not isinstance(type_, ArrayType) or not isinstance(type_.element, IntType):
            return None
        # Where it initialises an array, clang gives it the length of the array: its own says more.
        units = (*string_units(self._context.spelling(node.cursor), type_.element.width), 0)
        return StringLiteral(ArrayType(type_.element, len(units)), origin, units)

    # -------------------------------------------------------------------------------------------- operators

    def _unary(self, node: Node, origin: Origin) -> Expression | None:
        kind, (operand, *_) = self._library.getCursorUnaryOperatorKind(node.cursor), _all(node)

        def apply(target: Expression, _: Expression | None) -> Expression | None:
            return unary_expression(kind, target, origin, self._context.model)

        if changes(kind, is_unary=True) and _is_atomic(self._context, node.children[0]) and is_place(operand):
            return atomic_update(self._context, operand, None, apply, origin)
        return apply(operand, None)

    def _binary(self, node: Node, origin: Origin) -> Expression | None:
        kind = self._library.getCursorBinaryOperatorKind(node.cursor)
        left, right = _all(node)

        def apply(target: Expression, operand: Expression | None) -> Expression | None:
            return binary_expression(kind, target, operand or right, origin, self._context.model)

        if changes(kind, is_unary=False) and _is_atomic(self._context, node.children[0]) and is_place(left):
            return atomic_update(self._context, left, right, apply, origin)
        return apply(left, right)

    def _member(self, node: Node, origin: Origin) -> Expression | None:
        record: Expression | None = _all(node)[0]
        if record is not None and not isinstance(record.type, RecordType):  # p->x
            record = dereference(value(record), origin)
        if record is None or not isinstance(record.type, RecordType):
            return None
        name = self._context.spelling(node.cursor)
        if not name.isidentifier():  # an anonymous member, on the way to one of its own members: found again from there
            return record
        for field in member_path(record.type, name, self._types.layout):
            record = Member(field.type, origin, record, field)
        return record

    def _conditional(self, node: Node, origin: Origin) -> Expression | None:
        question, then, otherwise = _all(node)
        if isinstance(otherwise, IntegerConstant) and otherwise.written == "__CPROVER_implied":
            return implication(question, then, origin)
        type_ = decayed(self._types.of(node.cursor))
        return Conditional(type_, origin, condition(question), convert(then, type_), convert(otherwise, type_))

    def _short_conditional(self, node: Node, origin: Origin) -> Expression:
        """`first ?: otherwise`, where the first operand is evaluated once: `({ T f = first; f ? f : otherwise; })`."""
        first, otherwise = value(_all(node)[0]), _all(node)[-1]
        type_ = decayed(self._types.of(node.cursor))
        kept = self._context.hidden("first", first.type, origin)
        use = value(VariableUse(kept.type, origin, kept))
        declare = Declare(origin, kept, Initialiser((InitialiserItem((), first),), complete=True))
        choice = Conditional(type_, origin, condition(use), convert(use, type_), convert(otherwise, type_))
        return StatementExpression(type_, origin, (declare,), choice)

    def _cast(self, node: Node, origin: Origin) -> Expression | None:
        operand = node.children[-1].expression
        if operand is None:
            return None
        written = written_type(self._context, self._library.getCursorType(node.cursor), "cast", origin)
        cast = convert(operand, written.type, written=True, origin=origin)
        lengths = written.declarations(written.length_nodes(node.children[:-1]), origin)
        return StatementExpression(cast.type, origin, tuple(lengths), cast) if lengths else cast

    # ------------------------------------------------------------------------------------------------ others

    def _sizeof(self, node: Node, origin: Origin) -> Expression | None:
        """Of an array of variable length: the size of others is constant, and known on entering the node. Such an array
        is evaluated (C11 6.5.3.4), which matters if it does something: `p = malloc(sizeof *p)` reads no `p`."""
        operands = _all(node)
        if len(operands) == 1 and isinstance(operands[0].type, ArrayType | VariableArrayType):
            size = size_expression(self._context, operands[0].type, origin)
            return size if size is None or not has_effects(operands[0]) else Comma(size.type, origin, operands[0], size)
        return size_of_type_name(self._context, node.cursor, operands, origin)

    def _compound_literal(self, node: Node, origin: Origin) -> Expression | None:
        written = node.children[-1]
        type_ = self._types.of(node.cursor)
        content = written.braces or written.expression
        if content is None:
            return None
        initialiser = resolve(type_, content, self._types.layout)
        if not self._context.function_name:
            made = self._context.declared.global_literal(type_, initialiser, origin)
            return VariableUse(type_, origin, made)
        return CompoundLiteral(type_, origin, self._context.hidden("literal", type_, origin), initialiser)

    def _statement_expression(self, node: Node, origin: Origin) -> Expression | None:
        (block,) = node.children[0].statements or (None,)
        assert isinstance(block, Block)
        match block.statements:
            case (Evaluate(expression=IntegerConstant(written="__CPROVER_all" | "__CPROVER_any" as word)), *stated):
                quantified = quantifier(word == "__CPROVER_all", stated, origin)
                if quantified is None:
                    self._context.problem("a quantifier without one variable and one condition", node.cursor)
                return quantified
            case (*before, Evaluate(expression=last)) if last.type is not VOID:
                result = value(last)
                return StatementExpression(result.type, origin, tuple(before), result)
        return StatementExpression(VOID, origin, block.statements, None)

    def _generic_selection(self, node: Node, origin: Origin) -> Expression | None:
        """The choice is the one whose type is that of the whole; libclang says no more, but what a constant is."""
        type_ = decayed(self._types.of(node.cursor))
        choices = [choice for choice in _all(node)[1:] if value(choice).type is type_]
        if len(choices) == 1:
            return choices[0]
        number = self._context.integer(node.cursor)
        return None if number is None else IntegerConstant(self._types.of(node.cursor), origin, number)

    def _unexposed(self, node: Node, origin: Origin) -> Expression | None:
        """A node without a kind of its own that is no implicit conversion."""
        operands = _all(node)
        if len(operands) == len(node.children) == 1:
            return next_argument(self._context, node, origin)
        if len(operands) == 4 and self._begin(node) == self._begin(node.children[0]):
            return self._short_conditional(node, origin)
        atomic = self._context.spelling_of.find(node.cursor, _ATOMIC)
        if atomic is not None:
            return atomic_call(self._context, node, atomic[0].decode("ascii"), origin)
        if len(operands) == 3:
            choice = self._context.integer(node.children[0].cursor)  # __builtin_choose_expr
            return None if choice is None else operands[1 if choice else 2]
        number = self._context.integer(node.cursor)  # offsetof, and questions about types
        return None if number is None else IntegerConstant(self._types.of(node.cursor), origin, number)

    def _is_implicit(self, node: Node) -> bool:
        """Is it an implicit conversion? It has the extent of its operand, which a `va_arg` has not."""
        operands = _all(node)
        if len(operands) != 1 or len(node.children) != 1:
            return False
        return not _may_be_list(operands[0].type) or _same_extent(node, node.children[0], self._library)

    def _begin(self, node: Node) -> int:
        return int(self._library.getCursorExtent(node.cursor).begin)


def _same_extent(node: Node, other: Node, library: k.Library) -> bool:
    mine, others = library.getCursorExtent(node.cursor), library.getCursorExtent(other.cursor)
    return bool(mine.begin == others.begin and mine.end == others.end)


def _index(node: Node, origin: Origin) -> Expression | None:
    left, right = map(value, _all(node))
    pointer, index = (left, right) if isinstance(left.type, PointerType) else (right, left)
    return Index(pointer.type.target, origin, pointer, index) if isinstance(pointer.type, PointerType) else None


def _may_be_list(type: CType) -> bool:
    """Can it be a `va_list`, so that what looks like a conversion of it may be a `va_arg`?"""
    match decayed(type):
        case PointerType(RecordType(key)):
            return key == "__va_list_tag"
        case PointerType(IntType() | VoidType()):
            return True
    return False


def _all(node: Node) -> list[Expression]:
    """The expressions below a node."""
    return [child.expression for child in node.children if child.expression is not None]


def _nearest_double(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _float_constant(type: FloatType, origin: Origin, number: Fraction | float | None) -> Expression:
    """A floating constant; one that is too large is an infinity, `1 / 0`."""
    if number is None or number in (math.inf, -math.inf):
        one, zero = FloatConstant(type, origin, Fraction(1)), FloatConstant(type, origin, Fraction(0))
        return Binary(type, origin, BinaryOperator.DIVIDE, one, zero)
    return FloatConstant(type, origin, Fraction(number))


def _is_atomic(context: Context, node: Node) -> bool:
    """Whether an expression is an `_Atomic` object."""
    type_ = context.library.getCursorType(node.cursor)
    return context.types.canonical(type_).kind == k.T_ATOMIC
