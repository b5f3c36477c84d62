"""Arrays of variable length: each length is kept in a hidden variable that gets its value where the type is written.

    int a[n + 1][m];        size_t length = m; size_t length$1 = n + 1; int a[length$1][length];

libclang gives no length of such a type, but shows the expressions for all lengths, innermost first, below the
declaration. Nor does it give the type whose name is the operand of `sizeof`: the type of its elements is read from the
text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.context import Context
from paddock.frontends.c.clang.library import Cursor, Type
from paddock.frontends.c.clang.snapshot import Node, children_of
from paddock.frontends.c.conversions import binary, convert, value
from paddock.frontends.c.tree import (
    BinaryOperator,
    Declare,
    Expression,
    Initialiser,
    InitialiserItem,
    IntegerConstant,
    Statement,
    Variable,
    VariableUse,
)
from paddock.frontends.c.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG_LONG,
    SHORT,
    VOID,
    ArrayType,
    CType,
    PointerType,
    VariableArrayType,
)
from paddock.ir.origin import Origin

_ARRAYS = (k.T_CONSTANT_ARRAY, k.T_INCOMPLETE_ARRAY, k.T_VARIABLE_ARRAY)
_SIZEOF_ELEMENTS = re.compile(rb"sizeof\s*\(([\w\s*]+)[\[)]")
_QUALIFIERS = frozenset({b"const", b"volatile", b"restrict"})
_OF_THE_SAME_SIZE = frozenset({b"signed", b"unsigned", b"int"})  # a type with such a word, and without
_BASIC: Mapping[tuple[bytes, ...], CType] = {
    (): INT,
    (b"_Bool",): BOOL,
    (b"char",): CHAR,
    (b"double",): DOUBLE,
    (b"float",): FLOAT,
    (b"long", b"long"): LONG_LONG,
    (b"short",): SHORT,
    (b"void",): VOID,
}


class VariableType:
    """A type that is written in a declaration, and the variables that hold the lengths in it, if any."""

    def __init__(self, type: CType, lengths: list[Variable | None]) -> None:
        self.type = type
        self._lengths = lengths  # of the arrays whose lengths are shown, from the innermost; None if it is constant

    def length_nodes(self, shown: list[Node]) -> list[Node]:
        """Those of the expressions shown before the initialiser that matter: the lengths that are not constant."""
        candidates = [node for node in shown if node.is_expression()]
        lengths = candidates[len(candidates) - len(self._lengths) :] if self._lengths else []
        return [node for node, variable in zip(lengths, self._lengths, strict=False) if variable is not None]

    def declarations(self, nodes: list[Node], origin: Origin) -> list[Statement]:
        """The hidden variables with their values."""
        variables = [variable for variable in self._lengths if variable is not None]
        made: list[Statement] = []
        for variable, node in zip(variables, nodes, strict=False):
            if node.expression is not None:
                length = convert(node.expression, variable.type)
                made.append(Declare(origin, variable, Initialiser((InitialiserItem((), length),), complete=True)))
        return made


def written_type(context: Context, type: Type, name: str, origin: Origin) -> VariableType:
    """The type as it is written in a declaration of that name. A typedef in it has been read before."""
    spine = [type]  # from the outside in
    while spine[-1].kind in (*_ARRAYS, k.T_POINTER):
        inner = context.types.inner(spine[-1])
        assert inner is not None
        spine.append(inner)
    if all(part.kind != k.T_VARIABLE_ARRAY for part in spine):
        return VariableType(context.types.read(type), [])
    made = context.types.read(spine[-1])
    lengths: list[Variable | None] = []
    for part in reversed(spine[:-1]):
        if part.kind == k.T_POINTER:
            made = PointerType(made)
        elif part.kind == k.T_VARIABLE_ARRAY:
            hidden = context.hidden(f"{name}.length", context.model.size_type, origin)
            context.lengths[hidden.unique] = hidden
            lengths.append(hidden)
            made = VariableArrayType(made, hidden.unique)
        else:
            length = context.library.getArraySize(part) if part.kind == k.T_CONSTANT_ARRAY else None
            lengths += [None] if length is not None else []
            made = ArrayType(made, length)
        context.types.learn(part, made)
        context.types.learn(context.types.canonical(part), made)
    return VariableType(made, lengths)


def size_expression(context: Context, type: CType, origin: Origin) -> Expression | None:
    """`sizeof` of a type with arrays of variable length; None if the type has no size."""
    factors: list[Expression] = []
    current = type
    while True:
        try:
            size = context.types.layout.size(current)
            break
        except ValueError:
            if not isinstance(current, ArrayType | VariableArrayType) or current.length is None:
                return None
        if isinstance(current, VariableArrayType):
            length = context.lengths[current.length]
            factors.append(value(VariableUse(length.type, origin, length)))
        else:
            factors.append(IntegerConstant(context.model.size_type, origin, current.length))
        current = current.element
    result: Expression = IntegerConstant(context.model.size_type, origin, size)
    for factor in factors:
        result = binary(BinaryOperator.MULTIPLY, factor, result, origin, context.model)
    return result


def size_of_type_name(
    context: Context, cursor: Cursor, lengths: Sequence[Expression], origin: Origin
) -> Expression | None:
    """`sizeof(int[n][3])`, with the lengths innermost first; None if the type of the elements cannot be determined."""
    element = _element_type(context, cursor)
    result = None if element is None else size_expression(context, element, origin)
    if result is None:
        return None
    for length in lengths:
        factor = convert(length, context.model.size_type)
        result = binary(BinaryOperator.MULTIPLY, factor, result, origin, context.model)
    return result


def _element_type(context: Context, cursor: Cursor) -> CType | None:
    """A type as large as the elements of the array whose type is named in a `sizeof`."""
    written = _SIZEOF_ELEMENTS.match(context.places.text(cursor))
    words = re.findall(rb"\w+|\*", written[1]) if written else []
    if any(context.spelling_of.is_macro(word) for word in words):
        return None
    words = [word for word in words if word not in _QUALIFIERS]
    base = [word for word in words if word != b"*"]
    stars = words[len(base) :]
    if not base or words != base + stars:
        return None
    named = [below for below in children_of(context.library, cursor) if below.kind == k.TYPE_REF]
    if named:
        same = len(named) == 1 and context.spelling(named[0]).encode() == b" ".join(base)
        made = context.types.of(named[0]) if same else None
    else:
        basic = {**_BASIC, (b"long",): context.model.long, (b"double", b"long"): context.model.long_double}
        made = basic.get(tuple(sorted(word for word in base if word not in _OF_THE_SAME_SIZE)))
    return PointerType(VOID) if made is not None and stars else made
